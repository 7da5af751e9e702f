"""Writes the seeds of a fuzz target into its corpus: inputs that reach deep code, for libFuzzer to mutate. Usage: seeds.py TARGET FOLDER"""

import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


def frame(kind, flags, stream, payload=b""):
    return len(payload).to_bytes(3, "big") + bytes([kind, flags]) + stream.to_bytes(4, "big") + payload


def field(name, value):
    return bytes([0, len(name)]) + name + bytes([len(value)]) + value


REQUEST = b"".join(
    field(name, value)
    for name, value in [
        (b":method", b"POST"), (b":scheme", b"http"), (b":path", b"/a.B/C"), (b"te", b"trailers"),
        (b"content-type", b"application/grpc"), (b"grpc-timeout", b"1S"), (b"a-bin", b"AAAA"),
    ]
)  # fmt: skip
MESSAGE = bytes([0, 0, 0, 0, 2, 7, 8])


def connection():
    call = frame(1, 4, 1, REQUEST) + frame(0, 1, 1, MESSAGE)
    yield bytes([0, 0]) + call
    yield bytes([3, 0]) + frame(1, 0, 1, REQUEST[:20]) + frame(9, 4, 1, REQUEST[20:]) + frame(3, 0, 1, bytes([0, 0, 0, 8]))
    yield bytes([0, 128]) + b"".join(frame(1, 5, 2 * n + 1, REQUEST) for n in range(10))
    yield bytes([0, 0]) + frame(4, 0, 0, bytes([0, 4, 0, 1, 0, 0])) + frame(6, 0, 0, bytes(8)) + frame(8, 0, 0, bytes([0, 0, 1, 0]))
    yield bytes([0, 1]) + b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + frame(4, 0, 0) + call


def message_reader():
    yield bytes([1]) + MESSAGE * 3
    yield bytes([2, 0, 0, 0, 16, 1])
    yield bytes([0, 1, 0, 0, 0, 0])


def documented(kind):
    """Yields the messages of one kind that docs/PROTOCOL.md shows in hexadecimal."""
    lines = (ROOT / "docs/PROTOCOL.md").read_text().split("\n")
    for index, line in enumerate(lines):
        if line.startswith(f"```hex {kind} "):
            end = lines.index("```", index)
            yield bytes.fromhex("".join(text.split("#")[0] for text in lines[index + 1 : end]))


def client_frame():
    for message in documented("ClientFrame"):
        yield bytes([0]) + message
    yield bytes([1, 0x3A, 1, 0x2A])
    yield bytes([1, 0x2A, 4, 0x0A, 0, 0x10, 1])
    yield bytes([2, 0x12, 3, 0x0A, 1, 0x61])
    info = b"\x0a\x01A\x12\x05stack"
    url = b"type.googleapis.com/google.rpc.ErrorInfo"
    yield bytes([3, 8, 5, 0x1A, len(url) + len(info) + 4, 0x0A, len(url)]) + url + bytes([0x12, len(info)]) + info


def importer():
    files = [path for path in sorted((ROOT / "Tests/Fixtures").rglob("*")) if path.is_file() and path.stat().st_size < 16000]
    for path in files:
        if "license" not in str(path).lower() and path.suffix not in (".py", ".md", ".tsv", ".yml"):
            # Byte 0 chooses among seven formats and seven names; 0 is `auto`.
            yield bytes([0, 0]) + path.read_bytes()
            yield bytes([21, 7]) + path.read_bytes()


RSS = """<?xml version="1.0" encoding="utf-8"?><!DOCTYPE rss [<!ENTITY a "b">]>
<rss version="2.0" xmlns:atom="http://www.w3.org/2005/Atom" xmlns:dc="http://purl.org/dc/elements/1.1/"
  xmlns:media="http://search.yahoo.com/mrss/">
<channel xml:base="https://b.example/"><title>T &amp; U</title><link>/x</link><ttl>90</ttl>
<skipHours><hour>1</hour></skipHours>
<item><guid isPermaLink="false">1</guid><title>One</title><link>one</link>
<pubDate>Mon, 07 Sep 2026 10:00:00 GMT</pubDate>
<description>&lt;p&gt;On
&lt;a href="map.html"&gt;the square&lt;/a&gt;&lt;ul&gt;&lt;li&gt;a&nbsp;b&lt;/ul&gt;</description>
<enclosure url="/a.mp3" type="audio/mpeg"/><author>a@b (A)</author></item>
<item><link>https://b.example/2</link>
<media:content url="v" type="video/mp4"/><dc:date>2026-09-07</dc:date></item>
<item><title>C</title></item></channel></rss>"""
ATOM = """<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="en"><title type="html">&lt;b&gt;T&lt;/b&gt;</title>
<link rel="self" href="s"/><link href="/"/>
<entry><id>urn:1</id><title type="xhtml"><div xmlns="http://www.w3.org/1999/xhtml">One <em>two</em></div></title>
<updated>2026-09-07T10:00:00Z</updated>
<content type="text/plain" mode="base64">aGVsbG8=</content>
<link rel="enclosure" href="e" type="image/png" title="t"/></entry></feed>"""
JSON = """{"version": "https://jsonfeed.org/version/1.1", "title": "T", "home_page_url": "https://b.example/",
"items": [
{"id": 1, "content_html": "<p>x <a href='y'>z</a>", "date_published": "2026-09-07T10:00:00+02:00",
"attachments": [{"url": "a", "mime_type": "audio/ogg"}]}]}"""
OPML = """<opml version="2.0"><body><outline text="News"><outline text="A &amp; B" xmlUrl="https://a.example/f?x=1&amp;y=2"/></outline>
<outline title="c/d"><outline xmlURL="http://b.example"/></outline></body></opml>"""


def feed():
    for text in (RSS, ATOM, JSON):
        yield bytes([0]) + text.encode()
    yield bytes([3]) + b"<rss><channel><item><title>\x93\xfa\xff\x96{</title></item></channel></rss>"
    yield bytes([0]) + RSS.encode("utf-16")


def opml():
    yield OPML.encode()
    yield b'# mine\nhttps://a.example/ tech "two words" "~My A" !\n\n"query:x:y"\n'


def streams():
    yield b"\x00:)\nevent: update\r\ndata: {}\rdata\nid: 1\nretry: 10\n\n:thump\n\xef\xbb\xbfdata:x\n\n"
    yield b"\x81\x05Hello\x01\x03Hel\x89\x05Hello\x80\x02lo\x82\x7e\x01\x00" + bytes(256) + b"\x88\x02\x03\xe8"


def http():
    yield b"ETag: W/\"a\"\nCache-Control: public, max-age=600\nDate: Sunday, 06-Nov-94 08:49:37 GMT"
    yield b"Expires: Sun, 06 Nov 1994 08:49:37 GMT"
    yield b"Retry-After: Sun Nov  6 08:49:37 1994\nContent-Type: text/xml; charset=\"x\"\nRetry-After: 120"
    yield b"https://u:p@[::ffff:1.2.3.4]:80/a/../b?c#d\n//0x7f.1/%2e%2E/x\n../g;x=1/../y\n"


def upstream():
    yield b'\x07{"say":"hello","protocol":2,"can":["feed","post"]}\n{"id":"c","ok":false,"retry":true}\n'
    yield b'\x07{"say":"status","feed":"f1","state":"polling","next":1,"history":["a"]}\n'
    yield (
        b'\x03{"say":"batch","batch":"1","feed":"f7","items":[{"person":{"name":"News"}},'
        b'{"post":{"id":"g","created_at":1795000000000,"text":"Hello https://a.example/","media":[{"url":"https://a.example/x"}]}},'
        b'{"gone":"x"},{"moved":"https://b.example/"}],"cursors":{"etag":"x","y":null}}\n'
    )
    yield b'\x00{"say":"batch","batch":"1","login":"l","items":[{"gap":{"newer":2,"older":1}},{"doubt":"x"}]}\n'
    yield b'\x00{"say":"batch","batch":"1","login":"l","items":[{"post":{"id":"1","author":"a","text":"","original":{}}}]}\n'


SEEDS = {
    "connection": connection, "message-reader": message_reader, "client-frame": client_frame,
    "feed": feed, "opml": opml, "http": http, "streams": streams, "upstream": upstream, "frame": lambda: documented("ServerFrame"),
    "importer": importer,
}  # fmt: skip

for index, seed in enumerate(SEEDS[sys.argv[1]]()):
    (Path(sys.argv[2]) / f"seed-{index}").write_bytes(seed)
