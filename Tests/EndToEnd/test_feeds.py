"""stack-feeds as the daemon sees it: against nginx, Apache and scripted servers."""

import gzip
import json
import re
import socket
import subprocess
import time

import pytest

from conftest import BIN, PATIENCE
from feeding import Scripted, connector, document, ok
from webservers import server


@pytest.fixture
def scripted():
    program = Scripted()
    yield program
    program.close()


@pytest.mark.parametrize("software", ["nginx", "apache"])
def test_servers(software):
    """Each validator gets a 304; moves, ends and requests for patience are understood; nothing is brought twice."""
    with server(software) as (root, port):
        body = document(*[f"Post {n}" for n in range(50)])
        for folder in ("tag", "date", "."):
            (root / folder).mkdir(exist_ok=True)
            (root / folder / "feed.xml").write_bytes(body)
        paths = {"both": "/feed.xml", "tag": "/tag/feed.xml", "date": "/date/feed.xml", "moved": "/moved", "gone": "/gone", "missing": "/none"}
        # Requests to one host are two seconds apart, so each feed has a host of its own.
        feeds = {name: f"http://127.0.0.{n}:{port}{path}" for n, (name, path) in enumerate(paths.items(), 1)}
        with connector() as first:
            for name in feeds:
                first.feed(name, feeds[name])
            first.ready()
            first.checked(*feeds)
            assert len(first.posts) == 4 * 50
            assert {name: first.status[name]["state"] for name in feeds} == {
                "both": "polling", "tag": "polling", "date": "polling", "moved": "polling", "gone": "off", "missing": "waiting"
            }
            assert first.status["missing"]["reason"] == "there is nothing at this address (404)"
            assert first.people["tag"]["name"] == "Town"
            kept = first.cursors
        assert "etag" in kept["tag"] and "modified" not in kept["tag"]
        assert "modified" in kept["date"] and "etag" not in kept["date"]
        # Another process, with what was stored and a time that has come.
        with connector() as second:
            second.cursors = {name: dict(cursors, next="0") for name, cursors in kept.items()}
            for name in ("both", "tag", "date", "moved"):
                second.cursors[name].pop("last")
                second.feed(name, feeds[name], dict(second.cursors[name]))
            second.feed("gone", feeds["gone"], kept["gone"])
            second.ready()
            second.checked("both", "tag", "date", "moved")
            assert not second.posts
            for name in ("both", "tag", "date", "moved"):
                assert "asked for changes: not changed (304)" in second.why(name)[0], second.why(name)


def test_patience():
    """A 429 rests the feed for as long as the server says."""
    with server("nginx") as (root, port):
        (root / "feed.xml").write_bytes(document("One"))
        with connector() as feeds:
            feeds.feed("first", f"http://127.0.0.1:{port}/busy")
            feeds.ready()
            feeds.checked("first")
            feeds.feed("second", f"http://127.0.0.2:{port}/busy")
            feeds.checked("second")
            assert feeds.status["second"]["reason"] == "the server asks for patience (429)"
            assert feeds.status["second"]["next"] > time.time() * 1000 + 50_000


def endless(stream, _):
    stream.sendall(b"HTTP/1.1 200 OK\r\n\r\n<rss>")
    while True:
        stream.sendall(b"x" * 65536)


def flood(stream, _):
    stream.sendall(b"HTTP/1.1 200 OK\r\n")
    while True:
        stream.sendall(b"X-Field: " + b"y" * 1000 + b"\r\n")


def drops(stream, _):
    stream.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n<rss>")


def slowly(stream, _):
    body = document("Slow")
    stream.sendall(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n")
    for byte in body:
        stream.sendall(b"1\r\n%c\r\n" % byte)
    stream.sendall(b"0\r\n\r\n")


BAD = {
    "/endless": (endless, "longer than 15 MiB"),
    "/flood": (flood, "of header fields"),
    "/short": (drops, "ended before it was complete"),
    "/bomb": (ok(gzip.compress(b"<rss>" + bytes(200 << 20), 9), b"Content-Encoding: gzip"), "longer than 15 MiB"),
    "/deflate": (ok(b"nonsense", b"Content-Encoding: deflate"), "damaged"),
    "/page": (ok(b"<!DOCTYPE html><html><head><title>Are you human?</title></head></html>"), "a web page, perhaps of a bot check"),
    "/empty": (ok(b""), "an empty document"),
    "/json": (ok(b'{"a": 1}'), "JSON, but not JSON Feed"),
    "/svg": (ok(b"<svg xmlns='http://www.w3.org/2000/svg'/>"), "a document of <svg>"),
    "/refused": (b"HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\n\r\n", "the server refuses it (403)"),
    "/loop": (b"HTTP/1.1 301 M\r\nLocation: /loop\r\nContent-Length: 0\r\n\r\n", "more than 5 redirects"),
    "/file": (b"HTTP/1.1 302 M\r\nLocation: file:///etc/passwd\r\nContent-Length: 0\r\n\r\n", "not http(s)"),
    "/silent": (lambda stream, _: None, "without a response"),
}


@pytest.mark.parametrize("path", BAD)
def test_bad(path, scripted):
    """Whatever a server sends, the person reads a sentence, and a good feed is read afterwards."""
    scripted.answers = {path: BAD[path][0], "/good": slowly}
    with connector() as feeds:
        feeds.feed("bad", scripted.url(path))
        feeds.ready()
        feeds.checked("bad")
        assert BAD[path][1] in feeds.status["bad"]["reason"], feeds.status
        assert BAD[path][1] in feeds.why("bad")[0]
        feeds.feed("good", scripted.url("/good", host=2))
        feeds.checked("good")
        assert [post["text"] for post in feeds.posts.values()] == ["Slow"]
        assert feeds.close() == 0


def test_whole_again(scripted):
    """After a document that cannot be read, the next request is unconditional, and posts are not brought twice."""
    scripted.answers = {"/": ok(document("One"), b"ETag: W/\"a\"")}
    with connector() as feeds:
        feeds.feed("f", scripted.url("/"))
        feeds.ready()
        feeds.checked("f")
        scripted.answers = {"/": ok(b"<html></html>", b"ETag: b")}
        cursors = dict(feeds.cursors["f"], next="0")
    for expected in (b'If-None-Match: W/"a"\r\n', None):
        with connector() as feeds:
            feeds.feed("f", scripted.url("/"), cursors)
            feeds.ready()
            feeds.until(lambda: feeds.has_told("f"), "a check")
            cursors = dict(feeds.cursors["f"], next="0")
            assert not feeds.posts
        assert (expected in scripted.requests[-1]) if expected else (b"If-None-Match" not in scripted.requests[-1])


def test_credit(scripted):
    """Batches wait for answers; those that could not be stored come again under their numbers, in order."""
    titles = [f"Post {n}" for n in range(1200)]
    scripted.answers = {"/": ok(document(*titles))}
    with connector() as feeds:
        feeds.answers = False
        feeds.feed("f", scripted.url("/"))
        feeds.ready(credit=2)
        batches = lambda: [line for line in feeds.said if line.get("say") == "batch"]
        feeds.until(lambda: len(batches()) == 2, "two batches")
        assert [len(batch["items"]) for batch in batches()] == [500, 500] and not any(batch["cursors"] for batch in batches())
        for batch in batches():
            feeds.tell(did=batch["batch"], again=True)
        feeds.until(lambda: len(batches()) == 4, "two again")
        assert batches()[2:] == batches()[:2]
        feeds.answers = True
        for batch in batches()[2:]:
            feeds.store(batch)
            feeds.tell(did=batch["batch"], revision=2)
        feeds.until(lambda: feeds.has_told("f"), "the rest")
        assert len(feeds.posts) == 1200


def test_refresh(scripted):
    """A check by hand is conditional, and the next one is refused within a minute."""
    scripted.answers = {"/": ok(document("One"), b"Last-Modified: Sun, 06 Nov 1994 08:49:37 GMT")}
    with connector() as feeds:
        feeds.feed("f", scripted.url("/"))
        feeds.ready()
        feeds.checked("f")
        assert feeds.ask("refresh", "f", "w1")["ok"]
        feeds.until(lambda: len(feeds.why("f")) == 2, "a second check")
        assert b"If-Modified-Since: Sun, 06 Nov 1994 08:49:37 GMT\r\n" in scripted.requests[-1]
        answer = feeds.ask("refresh", "f", "w2")
        assert not answer["ok"] and "try again in" in answer["reason"]
        assert not feeds.ask("refresh", "none", "w3")["ok"] and not feeds.ask("dance", "f", "w4")["ok"]
        feeds.tell(do="favourite", id="c1", post="x")
        feeds.until(lambda: any(line.get("id") == "c1" and not line["ok"] for line in feeds.said), "a refusal")
        assert len(scripted.requests) == 2


def test_restart_asks_nothing(scripted):
    """A restart asks for nothing that is not due."""
    scripted.answers = {"/": ok(document("One"))}
    with connector() as feeds:
        feeds.feed("f", scripted.url("/"))
        feeds.ready()
        feeds.checked("f")
        cursors = dict(feeds.cursors["f"])
    with connector() as feeds:
        feeds.feed("f", scripted.url("/"), cursors)
        feeds.ready()
        feeds.until(lambda: "f" in feeds.status, "a status")
        assert feeds.status["f"]["state"] == "polling" and feeds.status["f"]["next"] == int(cursors["next"])
        assert len(scripted.requests) == 1


def test_far_away(scripted):
    """A name that leads to this machine is refused, also behind a redirect; its address is asked if it was given."""
    scripted.answers = {"/": ok(document("One"))}
    with connector() as feeds:
        feeds.feed("f", scripted.url("/").replace("127.0.0.1", socket.gethostname()))
        feeds.feed("g", "gopher://town.example/")
        feeds.feed("h", scripted.url("/"))
        feeds.ready()
        feeds.checked("f", "h")
        reason = feeds.status["f"]["reason"]
        assert "an address of this machine or of a private network" in reason or "could not connect" in reason or "no host" in reason
        assert feeds.status["g"] == {"say": "status", "feed": "g", "state": "off", "reason": "not an address of a feed: gopher://town.example/"}
        assert len(scripted.requests) == 1 and feeds.status["h"]["state"] == "polling"


def test_a_file(tmp_path, scripted):
    """A file is read again when its modification time or size has changed, and a server leads to none."""
    path = tmp_path / "a feed.xml"
    path.write_bytes(document("One"))
    scripted.answers = {"/": b"HTTP/1.1 302 M\r\nLocation: file://%s\r\nContent-Length: 0\r\n\r\n" % str(path).encode()}
    with connector() as feeds:
        feeds.feed("f", path.as_uri())
        feeds.feed("web", scripted.url("/"))
        feeds.feed("none", (tmp_path / "none.xml").as_uri())
        feeds.feed("folder", tmp_path.as_uri())
        feeds.ready()
        feeds.checked("f", "web", "none", "folder")
        assert {name for name, _ in feeds.posts} == {"f"} and feeds.people["f"]["handle"] == "a%20feed.xml"
        assert "not http(s)" in feeds.status["web"]["reason"] and "there is no file" in feeds.status["none"]["reason"]
        assert "not a regular file" in feeds.status["folder"]["reason"]
        wait = feeds.status["none"]["next"] - time.time() * 1000
        assert wait < 17 * 60_000, "a file that is missing is looked for as often as any"
        cursors = dict(feeds.cursors["f"], next="0")
    with connector() as feeds:
        feeds.feed("f", path.as_uri(), cursors)
        feeds.ready()
        feeds.until(lambda: feeds.has_told("f"), "a check")
        assert "asked for changes: not changed;" in feeds.why("f")[0] and not feeds.posts
        path.write_bytes(document("Two", "One"))
        assert feeds.ask("refresh", "f", "w1")["ok"]
        feeds.until(lambda: feeds.posts, "a post")
        assert [post["text"] for post in feeds.posts.values()] == ["Two"]


def test_moved(scripted):
    """A move that three checks over a day agree on is reported, and the feed goes on from where it was."""
    scripted.answers = {
        "/old": b"HTTP/1.1 301 M\r\nLocation: /new\r\nContent-Length: 0\r\n\r\n",
        "/new": ok(document("One"), b"ETag: x"),
    }
    target, since = scripted.url("/new"), int(time.time() * 1000) - 25 * 3_600_000
    with connector() as feeds:
        feeds.feed("f", scripted.url("/old"))
        feeds.ready()
        feeds.checked("f")
        cursors = dict(feeds.cursors["f"], next="0", moving=f"2 {since} {target}")
    with connector() as feeds:
        feeds.feed("f", scripted.url("/old"), cursors)
        feeds.ready()
        feeds.until(lambda: feeds.has_told("f"), "a check")
        moved = [item for line in feeds.said if line.get("say") == "batch" for item in line["items"]]
        assert moved == [{"moved": target}] and "moving" not in feeds.cursors["f"]
        # The daemon tells the new address, now and after a restart.
        feeds.feed("f", target, feeds.cursors["f"])
        cursors = dict(feeds.cursors["f"])
    with connector() as feeds:
        feeds.feed("f", target, cursors)
        feeds.ready()
        feeds.until(lambda: "f" in feeds.status, "a status")
        assert feeds.status["f"]["state"] == "polling" and feeds.status["f"]["next"] == int(cursors["next"])


def test_the_log_has_times():
    said = subprocess.run([BIN / "stack-feeds"], input=b"nonsense\n", capture_output=True, timeout=PATIENCE).stderr.decode()
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ stack-feeds: a line of the daemon cannot be read; ignored\n", said)


def filtered(mode, text):
    return subprocess.run([BIN / "stack-feeds", mode], input=text.encode(), capture_output=True, timeout=PATIENCE)


def test_opml():
    """What was exported imports to the same; newsboat's urls are read."""
    opml = """<opml version="1.0"><body><outline text="News"><outline text="A &amp; B" xmlUrl="https://a.example/f?x=1&amp;y=2" note="n"/></outline>
        <outline xmlUrl="gopher://b.example/"/></body></opml>"""
    read = filtered("read-opml", opml)
    assert read.stdout.decode() == 'https://a.example/f?x=1&y=2\tA & B\tnote="n"\tNews\n'
    assert read.returncode == 0 and b"gopher://b.example/" in read.stderr
    written = filtered("write-opml", read.stdout.decode())
    assert filtered("read-opml", written.stdout.decode()).stdout == read.stdout
    assert filtered("read-opml", "file:///home/ann/feed.xml").stdout == b"file:///home/ann/feed.xml\t\t\n"
    urls = filtered("read-opml", '# mine\nhttps://a.example/ tech "two words" "~My A" !\n\n"query:x:y"\n')
    assert urls.stdout.decode() == "https://a.example/\tMy A\t\ttech\ttwo words\n"
    assert filtered("read-opml", "<html/>").returncode == 65 and filtered("write-opml", "x").returncode == 65
    assert filtered("fold-opml", "").returncode == 64
