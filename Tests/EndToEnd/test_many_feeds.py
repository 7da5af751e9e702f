"""A list of many feeds, from a real server, whose log is the witness of what was asked.

`scripts/test --all feeds` reads 1,000 (STACK_FEEDS) and prints how long each step took.
"""

import os
import time
from collections import Counter

from conftest import wait_until
from feeding import document
from webservers import server

COUNT = int(os.environ.get("STACK_FEEDS", "60"))
POSTS = 10


def test_many_feeds_are_imported_read_found_and_asked_for_nothing_twice(place, capsys):
    # Requests to one host are two seconds apart, so each feed has a host of its own.
    addresses = [f"127.0.{number // 250 + 1}.{number % 250 + 1}" for number in range(COUNT)]
    steps, began = [], time.monotonic()

    def done(step):
        nonlocal began
        steps.append(f"{step} {time.monotonic() - began:.1f} s")
        began = time.monotonic()

    with server("nginx", addresses=addresses) as (root, port):
        outlines = ""
        for number, address in enumerate(addresses):
            (root / f"{number}.xml").write_bytes(document(*[f"post{post} of feed{number}" for post in range(POSTS)]))
            outlines += f'<outline text="Feed {number}" xmlUrl="http://{address}:{port}/{number}.xml"/>'
        opml = place.folder / "feeds.opml"
        opml.write_text(f'<opml version="2.0"><body><outline text="Town">{outlines}</outline></body></opml>', encoding="utf-8")
        log = root.parent / "access.log"

        def asked(since=0):
            return log.read_text("utf-8").splitlines()[since:]

        def refresh():
            """Asks all feeds, none of which has changed."""
            before, posts = len(asked()), place.value("status")["posts"]
            place.client("feed", "refresh")
            wait_until(lambda: len(asked(before)) >= COUNT, lambda: Counter(line.split()[1] for line in asked(before)))
            assert Counter(line.split()[1] for line in asked(before)) == {"304": COUNT}
            assert len(set(asked(before))) == COUNT and place.value("status")["posts"] == posts

        done("prepared in")
        with place.running():
            imported = place.value("feed", "import", opml)
            done("imported and read in")
            assert imported == {"feeds": COUNT, "failed": 0, "read": COUNT, "unreadable": 0, "marked_read": 0}
            assert Counter(line.split()[1] for line in asked()) == {"200": COUNT} and len(set(asked())) == COUNT
            for number in (0, COUNT - 1):
                assert place.texts("search", f"post7 feed{number}") == [f"post7 of feed{number}"]
            done("found in")
            refresh()
            done("asked again, with nothing but 304s, in")
        before = len(asked())
        with place.running():
            wait_until(
                lambda: Counter(feed["state"] for feed in place.value("feed")) == {"polling": COUNT}, lambda: Counter((feed["state"], feed["reason"]) for feed in place.value("feed")))
            done("stopped and started again in")
            assert not asked(before), "a restart of everything asks for nothing"
            refresh()
            done("asked once more in")
    with capsys.disabled():
        print(f"\n{COUNT} feeds with {COUNT * POSTS} posts: {', '.join(steps)}")
