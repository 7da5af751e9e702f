#!/usr/bin/env python3
"""Serves the feed of the example town's newspaper on loopback, for scripts/run.

examples/town_feed.py PROCESS    prints the address of the feed, and ends when the process with this ID does

The feed begins with three posts, and has one more each time it is asked for.
"""

import http.server
import os
import select
import sys
import time
from email.utils import formatdate
from xml.sax.saxutils import escape

ITEMS = [
    ("Otter still at large, say otters", "The harbour office had eleven reports this week. Nine were about one otter. Two were by it."),
    ("New bench at the east pier", "It faces the sea. The old one faced the bench. The council calls this progress."),
    ("Lost: one tuba", "Last heard near the fish market. The finder is asked to return it, and to stop practising."),
    ("Ferry to run on time on Thursday", "Line 3 confirms a trial. If it works, it will not be repeated."),
    ("Weather: some", "More towards the evening. The Hill Observatory expects stars, and will be looking."),
    ("Bakery sells out of shy loaves", "The Night Ovens ask their customers to love the confident ones as well."),
    ("Choir finds its second tenor", "He was behind the curtain, and had been singing all along."),
]


class Feed(http.server.BaseHTTPRequestHandler):
    """Answers every request with the feed."""

    times = [time.time() - minutes * 60 for minutes in (95, 40, 12)]

    def do_GET(self):
        body = document(self.times).encode()
        if len(self.times) < len(ITEMS):
            # The next request finds one more.
            self.times.append(None)
        self.send_response(200)
        self.send_header("Content-Type", "application/rss+xml")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


def document(times):
    """Returns the feed with a post for each time. A post without a time appears now."""
    times[:] = [at or time.time() for at in times]
    items = "".join(
        f"<item><guid isPermaLink='false'>gazette-{number}</guid><title>{escape(title)}</title>"
        f"<description>{escape(text)}</description><pubDate>{formatdate(at)}</pubDate></item>"
        for number, ((title, text), at) in enumerate(zip(ITEMS, times)))
    return f"<rss version='2.0'><channel><title>Aveline Gazette</title><link>/</link>{items}</channel></rss>"


def main(process):
    ended = os.pidfd_open(process)
    with http.server.HTTPServer(("127.0.0.1", 0), Feed) as server:
        print(f"http://127.0.0.1:{server.server_port}/gazette.xml", flush=True)
        while ended not in select.select([server, ended], [], [])[0]:
            server.handle_request()


if __name__ == "__main__":
    if len(sys.argv) != 2 or not sys.argv[1].isdigit():
        sys.exit(__doc__)
    main(int(sys.argv[1]))
