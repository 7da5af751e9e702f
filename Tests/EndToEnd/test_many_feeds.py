"""A list of many feeds, from a real server, whose log is the witness of what was asked."""

from collections import Counter

from conftest import wait_until
from feeding import document
from webservers import server

COUNT = 60
POSTS = 20


def test_many_feeds_are_imported_read_found_and_asked_for_nothing_twice(place):
    # Requests to one host are two seconds apart, so each feed has a host of its own.
    addresses = [f"127.0.{number // 250 + 1}.{number % 250 + 1}" for number in range(COUNT)]
    with server("nginx", addresses=addresses) as (root, port):
        outlines = ""
        for number, address in enumerate(addresses):
            (root / f"{number}.xml").write_bytes(document(*[f"post{post} of feed{number}" for post in range(POSTS)]))
            outlines += f'<outline text="Feed {number}" xmlUrl="http://{address}:{port}/{number}.xml"/>'
        opml = place.folder / "feeds.opml"
        opml.write_text(f'<opml version="2.0"><body><outline text="Town">{outlines}</outline></body></opml>', encoding="utf-8")
        log = root.parent / "access.log"

        def asked():
            return log.read_text("utf-8").splitlines()

        with place.running():
            done = place.value("feed", "import", opml)
            assert done == {"feeds": COUNT, "failed": 0, "read": COUNT, "unreadable": 0, "marked_read": 0}
            for number in (0, COUNT - 1):
                assert place.texts("search", f"post7 feed{number}") == [f"post7 of feed{number}"]
            assert Counter(line.split()[1] for line in asked()) == {"200": COUNT}
            assert len(set(asked())) == COUNT
        with place.running():
            wait_until(
                lambda: Counter(feed["state"] for feed in place.value("feed")) == {"polling": COUNT}, lambda: Counter((feed["state"], feed["reason"]) for feed in place.value("feed")))
            assert len(asked()) == COUNT, "a restart of everything asks for nothing"
            posts = place.value("status")["posts"]
            place.client("feed", "refresh")
            wait_until(lambda: len(asked()) == 2 * COUNT, lambda: Counter(line.split()[1] for line in asked()))
            assert Counter(line.split()[1] for line in asked()[COUNT:]) == {"304": COUNT}
            assert len(set(asked()[COUNT:])) == COUNT and place.value("status")["posts"] == posts
