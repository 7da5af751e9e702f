"""Bad feeds, from their server to the timeline: `feed why` says what is the matter, nothing is lost and nothing is there twice."""

import contextlib
import email.utils
import gzip
import sqlite3

import pytest

from conftest import wait_until
from feeding import Scripted, document, ok
from test_feeds import endless


@pytest.fixture
def scripted():
    program = Scripted()
    yield program
    program.close()


def rss(*items, head="", title="Town"):
    return f"{head}<rss version='2.0'><channel><title>{title}</title>{''.join(items)}</channel></rss>".encode()


def item(name, *, date="", title=None, link=""):
    return (f"<item><guid isPermaLink='false'>{name}</guid><title>{title or name}</title>" + f"<link>{link}</link>" * bool(link)
            + f"<pubDate>{date}</pubDate>" * bool(date) + "</item>")


ENTITIES = "".join(f"<!ENTITY e{n} '{f'&e{n - 1};' * 10}'>" for n in range(1, 10))
LATIN = document("Grüße aus Köln").decode().encode("latin-1")
SHOWN = LATIN.decode("utf-8", "replace").split("<title>")[2].split("<")[0]

# Of each feed, its response, what `feed why` says, and the posts that it has.
BAD = {
    "a web page": (ok(b"<!doctype html><html><head><title>Are you human?</title></head></html>"),
                   "not a feed: a web page, perhaps of a bot check", []),
    "a compressed bomb": (ok(gzip.compress(b"<rss>" + bytes(100 << 20), 9), b"Content-Encoding: gzip"),
                          "the response is longer than 15 MiB", []),
    "an endless body": (endless, "the response is longer than 15 MiB", []),
    "a bomb of entities": (ok(rss(item("bomb", title="Boom &e9; bang"), head=f"<!DOCTYPE rss [<!ENTITY e0 'boom'>{ENTITIES}]>")),
                           "1 post, 1 new; its own entities are not expanded", ["Boom &e9; bang"]),
    "a lie about its encoding": (ok(LATIN, b"Content-Type: application/rss+xml; charset=utf-8"),
                                 "1 post, 1 new; not all of it is UTF-8", [SHOWN]),
    "impossible dates": (ok(rss(item("first", date="Mon, 01 Jan 0001 00:00:00 GMT"), item("last", date="Fri, 31 Dec 9999 23:59:59 GMT"),
                                item("middle", date="Tue, 03 Nov 2026 10:00:00 GMT"))),
                         "3 posts, 3 new; 2 without a possible date", ["first", "last", "middle"]),
    "cut short": (ok(rss(item("whole"), item("half"))[:-60]), "damaged in line 1", ["whole"]),
}


def test_whatever_a_feed_sends_is_explained(place, scripted):
    scripted.answers = {f"/{number}": answer for number, (answer, *_) in enumerate(BAD.values())}
    scripted.answers["/good"] = ok(document("Good"))
    with place.running():
        for number, name in enumerate(BAD):
            place.client("feed", "add", scripted.url(f"/{number}", host=number + 1), "--title", name)
        place.client("feed", "add", scripted.url("/good", host=len(BAD) + 1), "--title", "good")
        wait_until(lambda: place.texts("search", "Good") == ["Good"], lambda: place.value("feed"))
        for name, (_, sentence, _) in BAD.items():
            wait_until(lambda: sentence in place.client("feed", "why", name).stdout, lambda: place.client("feed", "why", name).stdout)
        expected = ["Good", *(text for *_, texts in BAD.values() for text in texts)]
        assert sorted(place.texts("timeline")) == sorted(expected)
        assert place.client("integrity").stdout.strip() == "the store is sound"


def test_identifiers_that_change_every_day_make_no_new_posts(place, scripted):
    """Feeds whose posts have other identifiers each day are known by their links, or by titles and dates; what is new comes once."""
    days = 4
    store = place.folder / "store.db"
    posts = {"links": lambda day, number: item(f"{day}-{number}", title=f"links {number}", link=f"/{number}"),
             "dates": lambda day, number: item(f"{day}-{number}", title=f"dates {number}",
                                               date=email.utils.formatdate(1_790_000_000 + 3_600 * number, usegmt=True))}
    for day in range(days):
        for name, post in posts.items():
            # A post a day is new.
            scripted.answers[f"/{name}"] = ok(rss(*(post(day, number) for number in reversed(range(10 + day))), title=name))
        with place.running("--store", store):
            for host, name in enumerate(posts, 1):
                place.client("feed", "add", scripted.url(f"/{name}", host))
            for feed in ("f1", "f2"):
                known = f"{10 + day} posts, 1 new; {9 + day} with other identifiers" if day else "10 posts, 10 new"
                wait_until(lambda: known in place.client("feed", "why", feed).stdout, lambda: place.client("feed", "why", feed).stdout)
            wait_until(lambda: len(place.rows("timeline", "-n", "100")) == 2 * (10 + day), lambda: place.texts("timeline", "-n", "100"))
        # A day passes: all feeds are due.
        with contextlib.closing(sqlite3.connect(store)) as database, database:
            database.execute("UPDATE cursors SET value = '0' WHERE name = 'next'")
    with place.running("--store", store):
        texts = place.texts("timeline", "-n", "100")
        assert sorted(texts) == sorted(f"{name} {number}" for name in posts for number in range(9 + days))
        assert [text for text in texts if text.startswith("dates")] == [f"dates {number}" for number in reversed(range(9 + days))]
