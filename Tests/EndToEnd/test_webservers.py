"""stack-feeds against Debian's nginx and Apache: versions of HTTP, TLS, and responses that are not what they should be."""

import gzip
import http.client

import pytest

from certificates import Maker
from conftest import wait_until
from feeding import ADDRESSES, Scripted, connector, document
from test_feeds import drops, flood, slowly
from webservers import server

PAST, FUTURE = ("20200101000000Z", "20210101000000Z"), ("20980101000000Z", "20990101000000Z")


@pytest.fixture
def maker(tmp_path):
    return Maker(tmp_path)


def test_certificates(maker):
    """Of certificates only those are accepted that a trusted authority has issued for the host and the time; the others have a reason."""
    root, unknown = maker.authority("root"), maker.authority("unknown")
    link = maker.authority("link", root)
    narrow = maker.authority("narrow", root, "nameConstraints = critical, permitted;IP:10.0.0.0/255.0.0.0\n")
    certificates = [  # each with what is said of it; None for nothing
        (maker.server("127.0.0.1", root), None),
        (maker.server("127.0.0.2", link, link), None),
        (maker.server("127.0.9.9", root), "is not valid: no alternative certificate"),
        (maker.server("127.0.0.4", root, dates=PAST), "is not valid: certificate has expired"),
        (maker.server("127.0.0.5", root, dates=FUTURE), "certificate is not yet valid"),
        (maker.server("127.0.0.6", None), "self-signed certificate"),
        (maker.server("127.0.0.7", unknown), "unable to get local issuer"),
        (maker.server("127.0.0.8", link), "unable to get local issuer"),
        (maker.server("127.0.0.9", narrow, narrow), "permitted subtree violation"),
        (maker.server("127.0.0.10", root, nginx="ssl_protocols TLSv1; ssl_ciphers DEFAULT@SECLEVEL=0;"), "no secure connection"),
    ]
    with server("nginx", [certificate for certificate, _ in certificates]) as (files, port), connector("--ca", root) as feeds:
        (files / "feed.xml").write_bytes(document("Secure"))
        names = [f"127.0.0.{number + 1}" for number in range(len(certificates))]
        for name in names:
            feeds.feed(name, f"https://{name}:{port}/feed.xml")
        feeds.ready()
        feeds.checked(*names)
        for name, (_, words) in zip(names, certificates):
            status = feeds.status[name]
            assert (status["state"], words or "") == ("waiting" if words else "polling", words or ""), status
            assert (words or "") in status.get("reason", ""), status
            assert not words or "certificate of" in status["reason"] or words == "no secure connection", status
        assert {feed for feed, _ in feeds.posts} == {"127.0.0.1", "127.0.0.2"}


@pytest.mark.parametrize("software", ["nginx", "apache"])
def test_http_2(software, maker):
    """HTTP/2 is spoken where a server offers it, and a 304 comes by it too."""
    root = maker.authority("root")
    with server(software, [maker.server("127.0.0.1", root)]) as (files, port):
        (files / "feed.xml").write_bytes(document("Two"))
        cursors = {}
        for said in ("asked for the whole: 1 post, 1 new", "asked for changes: not changed (304)"):
            with connector("--ca", root) as feeds:
                feeds.feed("f", f"https://127.0.0.1:{port}/feed.xml", cursors)
                feeds.ready()
                feeds.checked("f")
                assert said in feeds.why("f")[0]
                cursors = dict(feeds.cursors["f"], next="0")
        log = files.parent / "access.log"
        wait_until(lambda: [line.split()[0] for line in log.read_text().splitlines()] == ["HTTP/2.0"] * 2, log.read_text)


def test_http_1_0():
    """A server that answers by HTTP/1.0 is read."""
    with server("apache") as (files, port):
        (files / "old").mkdir()
        (files / "old/feed.xml").write_bytes(document("Old"))
        client = http.client.HTTPConnection("127.0.0.2", port)
        client.request("GET", "/old/feed.xml")
        assert client.getresponse().version == 10
        client.close()
        with connector() as feeds:
            feeds.feed("f", f"http://127.0.0.1:{port}/old/feed.xml")
            feeds.ready()
            feeds.checked("f")
            assert [post["text"] for post in feeds.posts.values()] == ["Old"]


@pytest.mark.parametrize("software", ["nginx", "apache"])
def test_bombs(software):
    """A small compressed response that unfolds to more than 15 MiB is ended."""
    with server(software) as (files, port):
        (files / "bomb").write_bytes(gzip.compress(b"<rss>" + bytes(100 << 20), 9))
        with connector() as feeds:
            feeds.feed("f", f"http://127.0.0.1:{port}/bomb")
            feeds.ready()
            feeds.checked("f")
            assert feeds.status["f"]["reason"] == "the response is longer than 15 MiB" and not feeds.posts


def test_behind_a_proxy():
    """nginx passes on what is behind it: chunks of a byte are read, a body that ends early is refused, and of endless fields nginx
    makes an error of its own."""
    scripted = Scripted()
    scripted.answers = {"/back/slow": slowly, "/back/short": drops, "/back/flood": flood}
    try:
        with server("nginx", backend=scripted.port) as (_, port), connector() as feeds:
            paths = ["slow", "short", "flood"]
            for address, path in zip(ADDRESSES, paths):
                feeds.feed(path, f"http://{address}:{port}/back/{path}")
            feeds.ready()
            feeds.checked(*paths)
            assert [post["text"] for post in feeds.posts.values()] == ["Slow"]
            assert feeds.status["short"]["reason"] == "the response ended before it was complete"
            assert feeds.status["flood"]["reason"] == "the server has a problem (502)"
    finally:
        scripted.close()
