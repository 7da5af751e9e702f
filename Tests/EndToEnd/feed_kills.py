#!/usr/bin/env python3
"""Kills stack-feeds and its daemon with SIGKILL at random points while the feeds gain posts, and checks what is left.

    Tests/EndToEnd/feed_kills.py [--rounds N] [--seed S]

Each round feeds gain posts, the daemon is started and reads them by stack-feeds, which is killed, and then the daemon is. In the end
every post stands in the timeline once, in order, and the store's integrity check finds nothing. Every feed is due whenever the daemon
starts: the time of its next check is set in the store, since an hour lies between two.

Everything except timing is drawn from the seed.
"""

import argparse
import contextlib
import email.utils
import http.server
import json
import os
import pathlib
import random
import signal
import sqlite3
import subprocess
import tempfile
import threading
import time

from kills import BIN, PATIENCE, Daemon

FEEDS = 12
BEGAN = 1_700_000_000  # the date of the first post, in seconds since 1970
PAUSES = (0, 0.05, 0.2, 0.6, 1.2)  # seconds, of which a kill waits a random part


class Town:
    """A server of feeds on loopback, each at an address of its own. Posts have dates in the order in which they were added."""

    def __init__(self):
        self.posts, self.requests = [[] for _ in range(FEEDS)], []
        town = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                number = int(self.path.strip("/"))
                posts = list(town.posts[number])
                tag, asked = f'"{len(posts)}"', self.headers["If-None-Match"]
                town.requests.append((number, asked))
                body = b"" if asked == tag else town.document(number, posts)
                self.send_response(200 if body else 304)
                self.send_header("ETag", tag)
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def handle(self):
                with contextlib.suppress(OSError):  # of a client that was killed
                    super().handle()

            def log_message(self, *_):
                pass

        self.server = http.server.ThreadingHTTPServer(("", 0), Handler)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    @property
    def urls(self):
        return [f"http://127.0.1.{number + 1}:{self.server.server_port}/{number}" for number in range(FEEDS)]

    def gain(self, draw):
        """Adds posts to some feeds."""
        for number in draw.sample(range(FEEDS), FEEDS // 2):
            for _ in range(draw.randrange(1, 4)):
                self.posts[number].append(sum(map(len, self.posts)))

    @staticmethod
    def document(number, posts):
        items = "".join(
            f"<item><guid>{number}-{place}</guid><title>{Town.title(number, place)}</title>"
            f"<pubDate>{email.utils.formatdate(BEGAN + 60 * place, usegmt=True)}</pubDate></item>" for place in reversed(posts))
        return f'<rss version="2.0"><channel><title>Feed {number}</title>{items}</channel></rss>'.encode()

    @staticmethod
    def title(number, place):
        return f"Post {place} of feed {number}"

    def timeline(self):
        """Returns the titles of all posts, the newest first."""
        return [self.title(number, place) for place, number in sorted(
            ((place, number) for number, posts in enumerate(self.posts) for place in posts), reverse=True)]

    def close(self):
        self.server.shutdown()
        self.server.server_close()


def client(daemon, *words):
    return subprocess.run(
        [BIN / "stack-client", "--socket", daemon.socket, *words], check=True, capture_output=True, text=True, timeout=PATIENCE).stdout


def timeline(daemon):
    return [json.loads(line)["text"].strip() for line in client(daemon, "timeline", "-n", "100000", "--jsonl").splitlines()]


def make_due(daemon):
    """Makes every feed due, in the store of a daemon that does not run."""
    with contextlib.closing(sqlite3.connect(daemon.folder / "store.db")) as store, store:
        store.execute("UPDATE cursors SET value = '0' WHERE name = 'next'")


def wait_until(condition, what):
    deadline = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < deadline, f"timed out waiting for {what()}"
        time.sleep(0.02)


def kill_connector(daemon, draw):
    """Waits for the daemon's connector, and kills it at a random moment."""
    children = pathlib.Path(f"/proc/{daemon.process.pid}/task/{daemon.process.pid}/children")
    wait_until(children.read_text, lambda: "the connector")
    time.sleep(draw.choice(PAUSES) * draw.random())
    for child in children.read_text().split():
        with contextlib.suppress(ProcessLookupError):
            os.kill(int(child), signal.SIGKILL)


def run(rounds, seed):
    """Kills stack-feeds and the daemon this often; returns the number of posts and of requests, or raises AssertionError."""
    draw = random.Random(seed)
    with tempfile.TemporaryDirectory(prefix="stack-kills-", ignore_cleanup_errors=True) as folder, contextlib.closing(Town()) as town:
        daemon = Daemon(folder)
        daemon.start()
        for url in town.urls:
            client(daemon, "feed", "add", url)
        for _ in range(rounds):
            town.gain(draw)
            kill_connector(daemon, draw)
            time.sleep(draw.choice(PAUSES) * draw.random())
            daemon.kill()
            make_due(daemon)
            daemon.start()
        try:
            check(daemon, town)
            daemon.stop()
            # Nothing is due, so a restart asks for nothing.
            asked = len(town.requests)
            daemon.start()
            wait_until(lambda: all(feed["state"] == "polling" for feed in json.loads(client(daemon, "feed", "--json"))), lambda: "all feeds")
            assert len(town.requests) == asked, f"a restart asked again: {town.requests[asked:]}"
        finally:
            daemon.stop()
        return sum(map(len, town.posts)), len(town.requests)


def check(daemon, town):
    """Waits until all posts are there, and checks that each stands in the timeline once, in order."""
    expected = town.timeline()
    wait_until(lambda: len(timeline(daemon)) >= len(expected), lambda: f"{len(expected)} posts in {timeline(daemon)}")
    shown = timeline(daemon)
    assert shown == expected, f"lost: {set(expected) - set(shown)}; {len(shown)} posts in place of {len(expected)}, or another order"
    assert client(daemon, "integrity").strip() == "the store is sound"


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--rounds", type=int, default=100, help="kills of each of the two (%(default)s)")
    parser.add_argument("--seed", type=int, default=random.randrange(1 << 30))
    options = parser.parse_args()
    print(f"seed {options.seed}", flush=True)
    posts, requests = run(options.rounds, options.seed)
    print(f"{2 * options.rounds} kills: {posts} posts of {FEEDS} feeds stand in the timeline, once and in order; {requests} requests")


if __name__ == "__main__":
    main()
