"""A scripted program for feeds, which reads them from files (docs/UPSTREAM.md, "Feeds").

    feeds.py FOLDER

`FOLDER/HOST` holds the feed of http://HOST/: a JSON object per line, each an item of a batch. What is told is appended to
`FOLDER/told`. `FOLDER/HOST.status` has fields of the feed's status in place of the usual ones. The program reads all feeds twenty times a second. The cursor `lines` is the number of lines that are stored.
"""

import json
import os
import pathlib
import select
import sys


def say(**line):
    print(json.dumps(line), flush=True)


class Program:
    def __init__(self, folder):
        self.folder, self.feeds, self.lines, self.credit, self.number, self.open = pathlib.Path(folder), {}, {}, 0, 0, set()
        self.statuses = {}

    def hear(self, line):
        with open(self.folder / "told", "a", encoding="utf-8") as told:
            told.write(json.dumps(line) + "\n")
        match line:
            case {"tell": "feed", "feed": feed, "url": url}:
                self.feeds[feed] = url
                if "cursors" in line:
                    self.lines[feed] = int(line["cursors"].get("lines", 0))
            case {"tell": "gone", "feed": feed}:
                self.feeds.pop(feed)
                self.statuses.pop(feed, None)
            case {"tell": "ready", "credit": credit}:
                self.credit = credit
            case {"did": number}:
                self.open.discard(number)
            case {"want": _, "id": name}:
                say(id=name, ok=True)

    def read(self):
        for feed, url in self.feeds.items():
            path = self.folder / url.split("/")[2]
            said = path.with_name(path.name + ".status")
            status = said.read_text("utf-8") if said.exists() else '{"state": "polling", "history": ["read"]}'
            if self.statuses.get(feed) != status:
                self.statuses[feed] = status
                say(say="status", feed=feed, **json.loads(status))
            lines = path.read_text("utf-8").splitlines()[self.lines[feed]:] if path.exists() else []
            if lines and len(self.open) < self.credit:
                self.number += 1
                self.open.add(str(self.number))
                self.lines[feed] += len(lines)
                say(say="batch", batch=str(self.number), feed=feed, items=[json.loads(line) for line in lines],
                    cursors={"lines": str(self.lines[feed])})


def main(folder):
    program, rest = Program(folder), b""
    say(say="hello", protocol=2, can=["feed"])
    while True:
        if select.select([0], [], [], 0.05)[0]:
            got = os.read(0, 65536)
            if not got:
                return
            *lines, rest = (rest + got).split(b"\n")
            for line in lines:
                program.hear(json.loads(line))
        program.read()


if __name__ == "__main__":
    main(sys.argv[1])
