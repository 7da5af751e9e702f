#!/usr/bin/env python3
"""Plays the example town as a server of Mastodon 4.5 on loopback, for scripts/run --fediverse.

Tests/Fediverse/town.py    prints the server's name and the path of its CA's certificate, then carries out the lines of its input:

login PROGRAM   signs ann in with this stack-client, and prints the last line that it says
post            publishes one more post
until PROCESS   from now on the server ends when the process with this ID does; before, when its input ends
"""

import datetime
import json
import os
import pathlib
import select
import ssl
import subprocess
import sys
import time
import urllib.parse
import urllib.request

sys.path.insert(0, str(pathlib.Path(__file__).parent))

from fediverse.flavours import MASTODON_4_5  # noqa: E402
from fediverse.server import Server  # noqa: E402

POSTS = pathlib.Path(__file__).resolve().parents[2] / "examples/timeline.jsonl"
ARRIVALS = [
    ("line3", "Now boarding at the east pier. The otter travels free."),
    ("bertil", "The fog has a second page."),
    ("nightovens", "One rye loaf came back. It was cold out there, it says."),
]
NEWEST = 20 * 60  # seconds that the newest of the town's posts is old when the server starts


class Town:
    """The server. Ann, who signs in, follows everybody."""

    def __init__(self, server):
        self.server, self.people, self.posts, self.arrivals = server, {}, {}, 0
        lines = [json.loads(line) for line in POSTS.read_text(encoding="utf-8").splitlines()]
        times = [datetime.datetime.fromisoformat(line["created_at"].replace("Z", "+00:00")).timestamp() for line in lines]
        shift = time.time() - NEWEST - max(times)
        for line, at in zip(lines, times):
            self.publish(line, at + shift)

    def person(self, author):
        if author["handle"] not in self.people:
            account = self.server.act(self.server.world.add_account, author["handle"], display_name=author["name"])
            self.people[author["handle"]] = account
            self.server.act(self.server.world.follow, self.server.account("ann"), account)
        return self.people[author["handle"]]

    def publish(self, line, at):
        person = self.person(line["author"])
        if "text" in line:
            fields = {"written": at, "reply_to": self.posts.get(line.get("in_reply_to")), "warning": line.get("content_warning", "")}
            self.posts[line["id"]] = self.server.act(self.server.world.publish, person, line["text"], **fields)

    def arrive(self):
        handle, text = ARRIVALS[self.arrivals % len(ARRIVALS)]
        self.arrivals += 1
        self.server.act(self.server.world.publish, self.people[handle], text)


def sign_in(server, client):
    """Signs ann in with a client (a list of words), as a person with a browser would. Returns the last line that the client says."""
    words = [*client, "login", "--code", f"ann@{server.host}"]
    process = subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    page = process.stdout.readline().strip()
    code = approve(server, page) if page.startswith("https://") else ""
    said, _ = process.communicate(code + "\n")
    return (page + "\n" + said).strip().splitlines()[-1]


def approve(server, page):
    """Fills in the form of the server's page, and returns the code that it shows."""
    context = ssl.create_default_context(cafile=server.authority)
    query = dict(urllib.parse.parse_qsl(urllib.parse.urlsplit(page).query))
    form = urllib.parse.urlencode(query | {"username": "ann", "password": "ann-secret", "answer": "yes"}).encode()
    with urllib.request.urlopen(f"{server.origin}/oauth/authorize", form, context=context) as answer:
        return answer.read().decode().split('value="')[1].split('"')[0]


def main():
    with Server(MASTODON_4_5, accounts=("ann",)) as server:
        town, sources, waiting = Town(server), [sys.stdin.fileno()], b""
        print(server.host, server.authority, flush=True)
        while sys.stdin.fileno() in select.select(sources, [], [])[0]:
            read = os.read(sys.stdin.fileno(), 4096)
            *lines, waiting = (waiting + read).split(b"\n")
            for line in lines:
                word, _, rest = line.decode().partition(" ")
                if word == "login":
                    print(sign_in(server, [rest]), flush=True)
                elif word == "post":
                    town.arrive()
                elif word == "until":
                    sources.append(os.pidfd_open(int(rest)))
            if not read:
                del sources[0]
                if sources:
                    select.select(sources, [], [])
                break


if __name__ == "__main__":
    main()
