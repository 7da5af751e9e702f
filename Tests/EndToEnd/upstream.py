"""A source elsewhere, played by a script: it is slow, refuses, answers out of order, twice or not at all, and dies (docs/UPSTREAM.md).

    upstream.py FOLDER

Everything is in FOLDER. `rules` has a JSON object a line, read anew for each command: `do` and `text` say which commands it is for (both
may be missing), `times` how often it is used (missing: for ever), and `then` what is done: `refuse` (with `reason`), `later`, `hold` (until
a file `release` is there; then all that are held are answered, newest first), `twice`, `silent`, `die` (before it is done) or `die-after`
(when it is done, without an answer). `heard` gets each command as it came, `done` each that was done, once for each id, with its answer:
that is the source's truth, and is on the disk before it is answered.
"""

import json
import os
import pathlib
import select
import sys


class Source:
    """What is there, and what the script says."""

    def __init__(self, folder):
        self.folder, self.held, self.used = pathlib.Path(folder), [], {}
        self.answers = {entry["answer"]["id"]: entry["answer"] for entry in entries(self.folder, "done")}
        self.refused = {}

    def note(self, name, value):
        with open(self.folder / name, "a", encoding="utf-8") as file:
            file.write(json.dumps(value) + "\n")
            file.flush()
            os.fsync(file.fileno())

    def rule(self, command):
        counts = entries(self.folder, "used")
        for number, rule in enumerate(entries(self.folder, "rules")):
            is_meant = rule.get("do", command["do"]) == command["do"] and rule.get("text", "") in command.get("text", "")
            if is_meant and counts.count(number) < rule.get("times", 1_000_000):
                self.note("used", number)
                return rule
        return {"then": "do"}

    def perform(self, command):
        """Does it, unless it was done before, and says what is answered."""
        if command["id"] not in self.answers:
            answer = {"id": command["id"], "ok": True}
            if command["do"] in ("post", "repost"):
                number = len(self.answers) + 1
                answer |= {"native_id": f"n{number}", "permalink": f"https://fake.example/n{number}"}
            self.answers[command["id"]] = answer
            self.note("done", {"command": command, "answer": answer})
        return self.answers[command["id"]]

    def hear(self, command):
        self.note("heard", command)
        if command["id"] in self.refused:
            return self.say(self.refused[command["id"]])
        rule = {"then": "do"} if command["id"] in self.answers else self.rule(command)
        match rule["then"]:
            case "refuse":
                self.refused[command["id"]] = {"id": command["id"], "ok": False, "reason": rule.get("reason", "no")}
                self.say(self.refused[command["id"]])
            case "later":
                self.say({"id": command["id"], "ok": False, "reason": "not now", "retry": True})
            case "hold":
                self.held = [held for held in self.held if held["id"] != command["id"]] + [command]
            case "twice":
                for _ in range(2):
                    self.say(self.perform(command))
            case "silent":
                pass
            case "die":
                os._exit(3)
            case "die-after":
                self.perform(command)
                os._exit(3)
            case _:
                self.say(self.perform(command))

    def look(self):
        if self.held and (self.folder / "release").exists():
            for command in reversed(self.held):
                self.say(self.perform(command))
            self.held = []

    @staticmethod
    def say(answer):
        sys.stdout.write(json.dumps(answer) + "\n")
        sys.stdout.flush()


def entries(folder, name):
    """The lines of a file, which may not be there."""
    path = pathlib.Path(folder) / name
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()] if path.exists() else []


def main(folder):
    source, rest = Source(folder), b""
    while True:
        if not select.select([0], [], [], 0.01)[0]:
            source.look()
            continue
        got = os.read(0, 65536)
        if not got:
            return
        *lines, rest = (rest + got).split(b"\n")
        for line in lines:
            source.hear(json.loads(line))
        source.look()


if __name__ == "__main__":
    main(sys.argv[1])
