"""A scripted upstream program, which can refuse, delay, reorder, repeat or omit responses, and crash (docs/UPSTREAM.md).

    upstream.py FOLDER

All files are in FOLDER. `rules` has a JSON object per line, read again for each command: `do` and `text` select commands (both are
optional), `times` is how often the rule applies (default: always), and `then` is its effect: `refuse` or `later` (with `reason`), `hold` (until
a file `release` exists; then all held commands are carried out, newest first), `twice`, `silent`, `die` (before carrying out the command) or
`die-after` (after it, without a response). `heard` receives each command, and `done` each one carried out, once per ID, with its response.
`done` is the source's data, and is synced before the response is sent.
"""

import json
import os
import pathlib
import select
import sys


class Source:
    """The state of the source and its script."""

    def __init__(self, folder):
        self.folder, self.held, self.used = pathlib.Path(folder), [], {}
        self.answers = {entry["answer"]["id"]: entry["answer"] for entry in entries(self.folder, "done")}
        self.refused = {}

    def append(self, name, value):
        with open(self.folder / name, "a", encoding="utf-8") as file:
            file.write(json.dumps(value) + "\n")
            file.flush()
            os.fsync(file.fileno())

    def rule(self, command):
        counts = entries(self.folder, "used")
        for number, rule in enumerate(entries(self.folder, "rules")):
            is_meant = rule.get("do", command["do"]) == command["do"] and rule.get("text", "") in command.get("text", "")
            if is_meant and counts.count(number) < rule.get("times", 1_000_000):
                self.append("used", number)
                return rule
        return {"then": "do"}

    def perform(self, command):
        """Carries out a command, unless already done, and returns the response."""
        if command["id"] not in self.answers:
            answer = {"id": command["id"], "ok": True}
            if command["do"] in ("post", "repost"):
                number = len(self.answers) + 1
                answer |= {"native_id": f"n{number}", "permalink": f"https://fake.example/n{number}"}
            self.answers[command["id"]] = answer
            self.append("done", {"command": command, "answer": answer})
        return self.answers[command["id"]]

    def handle(self, command):
        self.append("heard", command)
        if command["id"] in self.refused:
            return self.respond(self.refused[command["id"]])
        rule = {"then": "do"} if command["id"] in self.answers else self.rule(command)
        match rule["then"]:
            case "refuse":
                self.refused[command["id"]] = {"id": command["id"], "ok": False, "reason": rule.get("reason", "no")}
                self.respond(self.refused[command["id"]])
            case "later":
                self.respond({"id": command["id"], "ok": False, "reason": rule.get("reason", "not now"), "retry": True})
            case "hold":
                self.held = [held for held in self.held if held["id"] != command["id"]] + [command]
            case "twice":
                for _ in range(2):
                    self.respond(self.perform(command))
            case "silent":
                pass
            case "die":
                os._exit(3)
            case "die-after":
                self.perform(command)
                os._exit(3)
            case _:
                self.respond(self.perform(command))

    def release_held(self):
        if self.held and (self.folder / "release").exists():
            for command in reversed(self.held):
                self.respond(self.perform(command))
            self.held = []

    @staticmethod
    def respond(answer):
        sys.stdout.write(json.dumps(answer) + "\n")
        sys.stdout.flush()


def entries(folder, name):
    """Returns the entries of a file; none if it does not exist."""
    path = pathlib.Path(folder) / name
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()] if path.exists() else []


def main(folder):
    source, rest = Source(folder), b""
    while True:
        if not select.select([0], [], [], 0.01)[0]:
            source.release_held()
            continue
        got = os.read(0, 65536)
        if not got:
            return
        *lines, rest = (rest + got).split(b"\n")
        for line in lines:
            source.handle(json.loads(line))
        source.release_held()


if __name__ == "__main__":
    main(sys.argv[1])
