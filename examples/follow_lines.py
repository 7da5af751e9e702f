#!/usr/bin/env python3
"""Brings each line of a file as a post: a connector for Stack, as docs/UPSTREAM.md describes them.

    stack-daemon --upstream lines="python3 examples/follow_lines.py /var/log/news.txt"

What is there comes first, then what is appended. The file may be replaced or cut off: it is then read from its beginning.
The daemon stores how far it has been read, with the posts, so that no line is lost or comes twice, whatever is killed.
"""

import json
import os
import select
import sys
import time

LINES_AT_ONCE = 100


def say(**line):
    print(json.dumps(line, separators=(",", ":")), flush=True)


class Follower:
    """The file and how far it has been read. `batches` are those without an answer."""

    def __init__(self, path):
        self.path, self.file, self.offset, self.time = path, "", 0, 0
        self.login, self.credit, self.batches, self.number, self.retry_at = None, 0, [], 0, None

    def hear(self, line):
        """Takes a line from the daemon."""
        if line.get("tell") == "login":
            self.login, cursors = line["login"], line["cursors"]
            self.file = cursors.get("file", "")
            self.offset, self.time = int(cursors.get("offset", 0)), int(cursors.get("time", 0))
        elif line.get("tell") == "ready":
            self.credit = line["credit"]
        elif line.get("again"):
            # The store could not be written: all from here on once more, in order, after a pause.
            self.retry_at = time.monotonic() + 1
        elif "did" in line:
            for refused in line.get("refused", []):
                print(f"line not stored: {refused['reason']}", file=sys.stderr)
            self.batches = [batch for batch in self.batches if batch["batch"] != line["did"]]
        elif "do" in line:
            say(id=line["id"], ok=False, reason="a file takes no commands")

    def work(self):
        """Sends what is new, as far as the daemon has credit for it."""
        if self.retry_at and time.monotonic() >= self.retry_at:
            self.retry_at = None
            for batch in self.batches:
                say(**batch)
        while self.login and not self.retry_at and len(self.batches) < self.credit:
            items = self.read()
            if not items:
                break
            self.number += 1
            cursors = {"file": self.file, "offset": str(self.offset), "time": str(self.time)}
            self.batches.append({"say": "batch", "batch": str(self.number), "login": self.login, "items": items, "cursors": cursors})
            say(**self.batches[-1])

    def read(self):
        """Returns the next lines as items."""
        items = []
        if not os.path.exists(self.path):
            return items
        with open(self.path, "rb") as file:
            about = os.fstat(file.fileno())
            identity = f"{about.st_dev}:{about.st_ino}"
            if identity != self.file or about.st_size < self.offset:
                self.file, self.offset = identity, 0
            file.seek(self.offset)
            while len(items) < LINES_AT_ONCE and (line := file.readline()).endswith(b"\n"):
                self.time = max(self.time + 1, int(time.time() * 1000))
                # The place of a line is its name: should it come again, it is the same post.
                post = {"id": f"{identity}:{self.offset}", "author": self.login, "created_at": self.time,
                        "text": line.decode("utf-8", "replace").strip()}
                self.offset += len(line)
                if post["text"]:
                    items.append({"post": post, "in": ["home"]})
        return items


def main(path):
    follower, rest = Follower(path), b""
    say(say="hello", protocol=2, name="follow_lines", can=[])
    while True:
        if select.select([0], [], [], 0.5)[0]:
            got = os.read(0, 65536)
            if not got:
                return  # the daemon has gone
            *lines, rest = (rest + got).split(b"\n")
            for line in lines:
                follower.hear(json.loads(line))
        follower.work()


if __name__ == "__main__":
    main(sys.argv[1])
