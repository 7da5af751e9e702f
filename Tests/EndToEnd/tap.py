"""Passes lines between a daemon and its connector, and kills one of them at the point that a plan names.

    tap.py FOLDER COMMAND...

FOLDER/plan is an object in JSON: `at`, one of POINTS, `who` ("connector" or "daemon") and `after`, the seconds to wait there. The plan is
removed when it is carried out, and FOLDER/hits gets a line with what was unanswered then. FOLDER/processes has the numbers of the
connector and of this program, which ends with the connector, as it does.
"""

import json
import os
import pathlib
import signal
import subprocess
import sys
import threading
import time

POINTS = {
    "half a batch": "the connector has written half of a batch's line",
    "batch": "the daemon has been given a batch, and has not answered it",
    "commit": "the same, and the log of its store has just grown or changed",
    "stored": "the daemon has answered a batch, which the connector has not read",
    "command": "the connector has been given a command, and has not answered it",
    "answer": "the connector has answered a command, which the daemon has not read",
    "answered": "the daemon has been given the answer to a command, and may be storing it",
    "time": "whatever happens then",
}
COMMIT_PATIENCE = 0.2  # seconds to wait for a commit to begin


class Tap:
    """A connector, and what it and the daemon have not answered."""

    def __init__(self, folder, command):
        self.folder, self.lock, self.daemon = pathlib.Path(folder), threading.RLock(), os.getppid()
        self.batches, self.commands = set(), set()
        self.child = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.replace("processes", [self.child.pid, os.getpid()])

    def run(self):
        for work in (self.watch, self.read_daemon):
            threading.Thread(target=work, daemon=True).start()
        for line in self.child.stdout:
            self.pass_to_daemon(line)
        os._exit(self.child.wait())  # the threads wait for lines

    def replace(self, name, value):
        beside = self.folder / f"{name}.new"
        beside.write_text(json.dumps(value), "ascii")
        beside.rename(self.folder / name)

    # Lines

    def read_daemon(self):
        for line in sys.stdin.buffer:
            said = json.loads(line)
            if "did" in said:
                self.reach("stored")
                if not said.get("again"):
                    self.batches.discard(said["did"])
            self.write(self.child.stdin, line)
            if "do" in said:
                self.commands.add(said["id"])
                self.reach("command")
        # The daemon has gone, and with it the connector's input.
        self.child.stdin.close()

    def pass_to_daemon(self, line):
        said = json.loads(line)
        is_answer = said.get("id") in self.commands and said["ok"]
        if said.get("say") == "batch":
            if self.plan("half a batch"):
                self.write(sys.stdout.buffer, line[: len(line) // 2])
                self.reach("half a batch")
            log = self.log()
            self.batches.add(said["batch"])
            self.write(sys.stdout.buffer, line)
            self.reach("commit", log)
            self.reach("batch")
        elif is_answer:
            self.reach("answer")
            self.commands.remove(said["id"])
            self.write(sys.stdout.buffer, line)
            self.reach("answered")
        else:
            self.commands.discard(said.get("id"))
            self.write(sys.stdout.buffer, line)

    @staticmethod
    def write(pipe, line):
        try:
            pipe.write(line)
            pipe.flush()
        except (BrokenPipeError, ValueError):  # who reads it has gone
            pass

    # Kills

    def plan(self, point):
        """Returns the plan if it is for this point. One of a daemon that has ended has none: the next one's may run already."""
        if os.getppid() != self.daemon:
            return None
        try:
            plan = json.loads((self.folder / "plan").read_bytes())
        except FileNotFoundError:
            return None
        return plan if plan["at"] == point else None

    def log(self):
        """Returns what changes when the daemon's store is written to."""
        try:
            status = os.stat(self.folder / "store.db-wal")
        except FileNotFoundError:
            return None
        return status.st_size, status.st_mtime_ns

    def watch(self):
        while True:
            self.reach("time")
            time.sleep(0.01)

    def reach(self, point, log=None):
        """A point has been reached: carries out its plan, if there is one."""
        assert point in POINTS, point
        with self.lock:
            plan = self.plan(point)
            if not plan:
                return
            (self.folder / "plan").unlink()
            if point == "commit":
                deadline = time.monotonic() + COMMIT_PATIENCE
                while self.log() == log and time.monotonic() < deadline:
                    pass
            else:
                time.sleep(plan["after"])
            victims = [self.child.pid, os.getpid()] if plan["who"] == "connector" else [self.daemon]
            hit = {"at": point, "who": plan["who"], "batches": len(self.batches), "commands": len(self.commands)}
            with open(self.folder / "hits", "a", encoding="ascii") as file:
                file.write(json.dumps(hit) + "\n")
            for victim in victims:
                os.kill(victim, signal.SIGKILL)


if __name__ == "__main__":
    Tap(sys.argv[1], sys.argv[2:]).run()
