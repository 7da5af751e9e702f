#!/usr/bin/env python3
"""Kills stack-mastodon and its daemon with SIGKILL while the server gains posts and a client writes, and checks what is left.

    Tests/EndToEnd/mastodon_kills.py [--kills N] [--seed S] [--jobs J]

Each kill hits a point that `tap.py`, which passes the lines between the two, or the server has seen; those at a random time are counted by
what was unanswered then. In the end every post stands in ann's timeline and at the server once, with its last text, favourites are as they
were last set, nothing waits or is refused, no gap is left, and the store's integrity check finds nothing.

Everything except timing is drawn from the seed.
"""

import argparse
import collections
import json
import logging
import multiprocessing
import os
import pathlib
import random
import signal
import struct
import subprocess
import sys
import tempfile
import time

from feed_kills import client, wait_until
from kills import BIN, PATIENCE, Daemon
from mastodon_writer import Writer
from seeding import call
from tap import POINTS
from test_mastodon import AKKOMA, DAY, MASTODON_4_5, Clock, Town

MOST = 12  # posts of a round; a server keeps 800, so nothing may be forgotten before it is read
WORLD = 40  # kills of a world, each with a server and a store of its own
REACH = 3  # seconds in which a point has to be reached; then the kill is at once
# The seconds that a post has which is in doubt and not at the server: a minute until it is sent again, and the daemon's pauses.
SETTLING = 180
AFTER = (0, 0, 0.0005, 0.002, 0.005, 0.02)
# What is killed at which point; the points are those of tap.py, and "done": the server has done something that it has not answered.
AIMS = (
    ("connector", "half a batch"), ("connector", "stored"), ("connector", "command"), ("connector", "done"), ("connector", "answer"),
    ("connector", "time"), ("daemon", "half a batch"), ("daemon", "batch"), ("daemon", "commit"), ("daemon", "commit"),
    ("daemon", "command"), ("daemon", "done"), ("daemon", "answer"), ("daemon", "answered"), ("daemon", "time"),
)


class WritingTown(Town):
    """A town whose clock runs, and which can kill between doing and answering."""

    def __init__(self, flavour):
        super().__init__(flavour, Clock(lambda: time.time() - DAY), step=0.002)
        self.server.limits.most = 1_000_000  # hardly anyone starts anew a hundred times in five minutes
        self.of_ben, self.kill, self.carry_out = [], None, self.server.carry_out
        self.server.carry_out = self.carry_out_and_kill

    def write(self, count, **fields):
        for _ in range(count):
            self.of_ben.append(super().write(1, **fields))

    async def carry_out_and_kill(self, request, handler):
        response = await self.carry_out(request, handler)
        if request.method != "GET" and request.path.startswith("/api/v1/statuses") and response.status == 200:
            if self.kill and self.kill():
                self.kill = None
        return response


class World:
    """A server, a daemon and its connector, and a client."""

    def __init__(self, folder, flavour, seed):
        self.draw, self.folder, self.town = random.Random(seed), pathlib.Path(folder), WritingTown(flavour)
        program = (
            f"{sys.executable} -I -S {pathlib.Path(__file__).with_name('tap.py')} {folder} {BIN / 'stack-mastodon'}"
            f" --ca {self.town.server.authority} --folder {self.folder / 'secrets'}")
        self.daemon = Daemon(folder, options=("--upstream", f"mastodon={program}"))
        self.writer = Writer(self.daemon, self.town, seed)
        self.points, self.halves, self.missed = collections.Counter(), 0, 0

    def run(self, kills):
        with self.town.server:
            self.daemon.start()
            try:
                sign_in(self.daemon, self.town)
                self.town.write(MOST)
                self.writer.start()
                for kill in range(kills):
                    self.town.write(self.draw.randrange(1, MOST))
                    self.kill(*self.draw.choice(AIMS))
                    if kill % 10 == 9:
                        self.settle()
                check(self)
            except BaseException:
                self.daemon.kill()
                raise
            finally:
                self.writer.ended.set()
            self.daemon.stop()

    # Kills

    def kill(self, who, point):
        """Kills one of the two when the point is reached, or after a while, and counts where it was hit."""
        aim = {"who": who, "at": point, "after": self.draw.choice(AFTER)}
        hits, self.hit = self.hits(), None
        if point == "done":
            self.town.kill = lambda: self.kill_at_server(who)
        else:
            self.plan(aim)
        deadline = time.monotonic() + (self.draw.random() if point == "time" else REACH)
        while not self.has_hit(hits) and time.monotonic() < deadline:
            time.sleep(0.005)
        self.town.kill = None
        if not self.has_hit(hits):
            self.missed += point != "time"
            self.plan(aim | {"at": "time", "after": 0})
            wait_until(lambda: self.has_hit(hits), lambda: f"a kill of the {who}")
        hit = self.hit or self.hits()[-1]
        if hit["who"] == "daemon":
            self.daemon.kill()
            self.halves += ends_in_half_a_transaction(self.folder / "store.db-wal")
            self.daemon.start()
        self.points[hit["who"], name(hit)] += 1

    def plan(self, aim):
        assert aim["at"] in POINTS, aim["at"]
        beside = self.folder / "aim"
        beside.write_text(json.dumps(aim), "ascii")
        beside.rename(self.folder / "plan")

    def hits(self):
        path = self.folder / "hits"
        return [json.loads(line) for line in path.read_text("ascii").splitlines(keepends=True) if line.endswith("\n")] if path.exists() else []

    def has_hit(self, hits):
        return self.hit is not None or len(self.hits()) > len(hits)

    def kill_at_server(self, who):
        """Kills one of the two unless the request was made by an earlier connector. Returns whether it has."""
        connector, tap = json.loads((self.folder / "processes").read_text("ascii"))
        if str(tap) not in children(self.daemon.process.pid):
            return False
        for victim in (connector, tap) if who == "connector" else (self.daemon.process.pid,):
            os.kill(victim, signal.SIGKILL)
        self.hit = {"who": who, "at": "done"}
        return True

    # Rest

    def settle(self):
        """Lets everything that was wanted be done."""
        self.writer.rest()
        deadline = time.monotonic() + SETTLING
        while entries := call(self.daemon.socket, "TimelineService/ListOutbox").entries:
            refused = [entry for entry in entries if entry.failure]
            assert not refused, f"refused: {refused}"
            assert time.monotonic() < deadline, f"still waiting: {entries}"
            time.sleep(0.05)
        self.writer.go_on()


def name(hit):
    """Returns the point that a kill has hit, in words."""
    if hit["at"] in ("time", "commit", "batch"):
        hit = hit | {"at": "batch" if hit["batches"] else "command" if hit["commands"] else "time"}
    return WORDS[hit["at"]]


WORDS = {
    "half a batch": "within a batch: half of its line was written",
    "batch": "within a commit: the daemon had a batch that it had not answered",
    "stored": "behind a commit: the daemon had answered a batch, and the connector had not read that",
    "command": "with a command that the connector had read and not answered",
    "done": "between doing and answering: the server had done it, and had not answered",
    "answer": "between doing and answering: the connector had the server's answer, and the daemon had not read it",
    "answered": "within a commit: the daemon had read the answer to a command",
    "time": "while nothing was unanswered",
}


def children(process):
    """Returns the numbers of a process's children."""
    return pathlib.Path(f"/proc/{process}/task/{process}/children").read_text("ascii").split()


def ends_in_half_a_transaction(path):
    """Returns whether a log ends in pages without the commit that follows them (https://www.sqlite.org/fileformat2.html#walformat)."""
    log = path.read_bytes() if path.exists() else b""
    if len(log) < 32:
        return False
    size, salts, is_open = struct.unpack(">I", log[8:12])[0], log[16:24], False
    for start in range(32, len(log), 24 + size):
        frame = log[start : start + 24]
        if len(frame) < 24 or frame[8:16] != salts:
            break
        is_open = frame[4:8] == bytes(4)
    return is_open


def sign_in(daemon, town):
    words = [BIN / "stack-client", "--socket", daemon.socket, "login", "--code", f"ann@{town.server.host}"]
    login = subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    _, said = login.communicate(town.approve(login.stdout.readline().strip()) + "\n", timeout=PATIENCE)
    assert login.returncode == 0, said


def check(world):
    daemon, town, writer = world.daemon, world.town, world.writer
    world.settle()
    writer.rest()
    there = [town.server.world.statuses[number] for number in town.server.world.home(town.ann)]
    wait_until(lambda: len(timeline(daemon)) >= len(there), lambda: f"{len(there)} posts in {timeline(daemon)}")
    wait_until(lambda: is_at_rest(daemon), lambda: client(daemon, "sources"))
    rows = timeline(daemon)
    assert [row["kind"] for row in rows] == ["post"] * len(rows), "a gap is left"
    shown, expected = [row["text"].strip() for row in rows], [status.text for status in there]
    assert sorted(shown) == sorted(expected), f"lost: {set(expected) - set(shown)}, too many: {set(shown) - set(expected)}, {len(shown)}"
    of_ben = [text for text in shown if text.startswith("Post ")]
    assert of_ben == [f"Post {number}" for number in range(town.written, 0, -1)], "ben's posts are in another order"
    wanted = sorted(text for text in writer.posts.values() if text)
    own = sorted(status.text for status in there if status.account == town.ann)
    assert own == wanted, f"not done: {set(wanted) - set(own)}, done twice or for nobody: {set(own) - set(wanted)}, {len(own)}"
    marked = {number for number, is_on in writer.favourites.items() if is_on}
    assert marked == set(town.server.world.targets("favourite", town.ann)), "favourites differ at the server"
    assert sum(row["favourited"] for row in rows) == len(marked), "favourites differ here"
    assert client(daemon, "integrity").strip() == "the store is sound"


def timeline(daemon):
    return [json.loads(line) for line in client(daemon, "timeline", "-n", "100000", "--jsonl").splitlines()]


def is_at_rest(daemon):
    [login] = [json.loads(line) for line in client(daemon, "sources", "--jsonl").splitlines()]
    return login["state"] in ("live", "polling")


class Tally:
    """What the kills of some worlds have hit, and what was done meanwhile."""

    def __init__(self):
        self.points, self.done = collections.Counter(), collections.Counter()
        self.posts = self.halves = self.missed = self.interrupted = 0

    def add(self, world):
        self.points += world.points
        self.done += world.writer.done
        self.posts += world.town.written
        self.halves += world.halves
        self.missed += world.missed
        self.interrupted += world.writer.interrupted
        return self

    def __add__(self, other):
        for name, value in vars(other).items():
            setattr(self, name, getattr(self, name) + value)
        return self

    def __str__(self):
        lines = [f"{count:5} {who:9} {point}" for (who, point), count in sorted(self.points.items())]
        done = ", ".join(f"{count} of {kind}" for kind, count in sorted(self.done.items()))
        return "\n".join([
            f"{sum(self.points.values())} kills:", *lines,
            f"{self.halves:5} of the daemon left half a transaction in its store's log",
            f"{self.missed:5} came at another point than the one drawn, which was not reached in {REACH} s",
            f"{self.interrupted:5} calls of the client were cut off or refused by a dead daemon, and repeated",
            f"The client did {done}; the server gained {self.posts} posts. All are here and there, once.",
        ])


def run_world(job):
    kills, seed = job
    logging.getLogger("aiohttp").setLevel(logging.CRITICAL)  # it logs that clients have gone
    with tempfile.TemporaryDirectory(prefix="stack-kills-", ignore_cleanup_errors=True) as folder:
        world = World(folder, (MASTODON_4_5, AKKOMA)[seed % 2], seed)
        try:
            world.run(kills)
        except BaseException as error:
            raise AssertionError(f"world {seed} with {kills} kills: {error}") from error
        return Tally().add(world)


def run(kills, seed, jobs=1):
    """Kills one of the two this often, in worlds of at most WORLD kills. Returns a Tally, or raises AssertionError."""
    worlds = -(-kills // WORLD)
    shares = [(kills * (world + 1) // worlds - kills * world // worlds, seed + world) for world in range(worlds)]
    tally = Tally()
    if jobs == 1:
        return sum(map(run_world, shares), tally)
    with multiprocessing.Pool(jobs) as pool:
        return sum(pool.imap_unordered(run_world, shares), tally)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--kills", type=int, default=1000, help="kills in all (%(default)s)")
    parser.add_argument("--seed", type=int, default=random.randrange(1 << 30))
    parser.add_argument("--jobs", type=int, default=2, help="worlds at the same time (%(default)s)")
    options = parser.parse_args()
    print(f"seed {options.seed}", flush=True)
    print(run(options.kills, options.seed, options.jobs))


if __name__ == "__main__":
    main()
