#!/usr/bin/env python3
"""Measures what one caller can take from the others, and appends the figures to results.tsv.

    scripts/setup --python
    swift build -c release --static-swift-stdlib --product stack-daemon
    swift build -c release --static-swift-stdlib --product stack-client
    examples/python/generate
    .venv/bin/python Benchmarks/abuse.py [--only resets,measuring] [--seconds 6] [--settle 60]

For each attack a daemon with 20,000 posts is started. "Others" is one more client, which reads rows and composes posts that it waits for.
Its 99th hundredth is measured three times: alone, beside programs that burn as much CPU as the attack does without touching the daemon,
and during the attack. Budgets are multiples of the second, since the machine's CPUs are shared in any case. The daemon's private memory is
measured before, at its highest, and --settle seconds after the attack has ended.
"""
import argparse
import contextlib
import json
import os
import pathlib
import socket
import subprocess
import sys
import tempfile
import threading
import time

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE / "abuse"), str(HERE / "streaming")]

import harness  # noqa: E402
import requests  # noqa: E402
from report import RESULTS, ROOT, Report  # noqa: E402

CLIENT = ROOT / ".build" / "release" / "stack-client"
ATTACKS = ("unread answers", "unended requests", "resets", "idle connections", "measuring", "live searches", "layouts", "honest rows")
ACCOUNTS = 5
POSTS = 20_000
SHARED_GROUP = "nogroup"  # the group of the attacker of "idle connections"
MOST_RATIO = 5
MOST_GROWTH = 64  # MiB
BURN = """import time
while True:
    end = time.monotonic() + 0.01 * {share}
    while time.monotonic() < end:
        pass
    time.sleep(0.01 * (1 - {share}))
"""


class Daemon:
    """A daemon with posts, and with tokens of several accounts."""

    def __init__(self, stack):
        folder = pathlib.Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="stack-")))
        run = folder / "run"
        run.mkdir(mode=0o750)
        os.chmod(folder, 0o755)
        self.path, self.port = str(run / "socket"), free_port()
        command = [harness.DAEMON, "--socket", self.path, "--store", folder / "store.db", "--token-file", folder / "token",
                   "--listen", f"127.0.0.1:{self.port}"]
        if os.geteuid() == 0:
            subprocess.run(["chgrp", SHARED_GROUP, run], check=True)
            command += ["--group", SHARED_GROUP]
        self.process = harness.start(command)
        stack.callback(harness.stop, self.process)
        while harness.read_line(self.process, 20) != "ready\n":
            pass
        self.fill(folder / "posts.jsonl")
        self.tokens = [self.token(f"account{number}") for number in range(ACCOUNTS)]

    def client(self, *words):
        command = [CLIENT, "--socket", self.path, *words]
        return subprocess.run(command, check=True, capture_output=True, text=True).stdout

    def fill(self, file):
        subprocess.run([HERE / "make-posts.py", file, str(POSTS)], check=True)
        with requests.grpc.insecure_channel(f"unix:{self.path}") as channel:
            requests.fill(channel, file.read_bytes())

    def token(self, account):
        self.client("account", "make", account)
        return self.client("token", "issue", "abuse", "--scope", "view", "--account", account).split()[-1]

    def cpu(self):
        return harness.CPU(self.process.pid).total

    def private(self):
        """Returns the private memory in MiB."""
        with open(f"/proc/{self.process.pid}/smaps_rollup", encoding="ascii") as rollup:
            return sum(int(line.split()[1]) for line in rollup if line.startswith("Private_")) / 1024


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def run_probe(daemon, seconds):
    """Starts the other client; returns a function that waits for its figures."""
    process = subprocess.Popen([sys.executable, HERE / "abuse" / "probe.py", daemon.path, str(seconds)], stdout=subprocess.PIPE, text=True)
    return lambda: json.loads(process.communicate(timeout=seconds + 120)[0])


@contextlib.contextmanager
def burning(cores):
    """Burns that many cores of CPU in other processes."""
    workers = os.cpu_count()
    code = BURN.format(share=min(1, cores / workers))
    processes = [subprocess.Popen([sys.executable, "-c", code]) for _ in range(workers)]
    try:
        yield
    finally:
        for process in processes:
            process.kill()
            process.wait()


class MemoryPeak:
    """The highest private memory of a daemon during the block."""

    def __init__(self, daemon):
        self.daemon, self.most, self.ended = daemon, daemon.private(), threading.Event()
        self.thread = threading.Thread(target=self.watch, daemon=True)

    def watch(self):
        while not self.ended.wait(0.2):
            self.most = max(self.most, self.daemon.private())

    def __enter__(self):
        self.thread.start()
        return self

    def __exit__(self, *_):
        self.ended.set()
        self.thread.join()


def p99(times):
    return harness.percentile(times, 0.99) if times else float("inf")


def measure(report, name, options):
    with contextlib.ExitStack() as stack:
        daemon = Daemon(stack)
        before = run_probe(daemon, options.seconds)()
        memory, spent = daemon.private(), daemon.cpu()
        with MemoryPeak(daemon) as peak:
            command = [sys.executable, HERE / "abuse" / "attacks.py", name, str(options.seconds + 1), daemon.path, str(daemon.port)]
            attack = subprocess.Popen([*command, *daemon.tokens], stdout=subprocess.PIPE, text=True)
            time.sleep(0.5)
            during = run_probe(daemon, options.seconds)()
            did = json.loads(attack.communicate(timeout=120)[0])
        cores = (daemon.cpu() - spent + did["cpu"]) / (options.seconds + 1.5)
        time.sleep(options.settle)
        after = daemon.private()
        with burning(cores):
            beside = run_probe(daemon, options.seconds)()
    report.note(f"{name}: {did['did']}; {cores:.2f} cores; {during['failures']} calls of the others failed")
    for kind, title in (("rows", "a call"), ("frames", "a post to its frame")):
        report.add(f"abuse: {name}: others, {title}, p99 alone", [p99(before[kind])], "ms", "-")
        report.add(f"abuse: {name}: others, {title}, p99 beside a busy CPU", [p99(beside[kind])], "ms", "-")
        report.add(f"abuse: {name}: others, {title}, p99", [p99(during[kind])], "ms", "-")
        ratio = p99(during[kind]) / p99(beside[kind])
        report.add(f"abuse: {name}: others, {title}, p99 / beside a busy CPU", [ratio], "", f"<= {MOST_RATIO}")
    report.add(f"abuse: {name}: growth of private memory", [peak.most - memory], "MiB", f"<= {MOST_GROWTH}")
    report.add(f"abuse: {name}: the same {options.settle:.0f} s afterwards", [after - memory], "MiB", "-")


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--only", default=",".join(ATTACKS), help="attacks, separated by commas (default: %(default)s)")
    parser.add_argument("--seconds", type=float, default=6, help="length of an attack")
    parser.add_argument("--settle", type=float, default=60, help="seconds after which memory must be back")
    parser.add_argument("--no-results", action="store_true", help="do not append to results.tsv")
    options = parser.parse_args()
    names = options.only.split(",")
    if unknown := set(names) - set(ATTACKS):
        parser.error(f"unknown: {', '.join(unknown)}")
    if os.geteuid() != 0 and "idle connections" in names:
        parser.error('"idle connections" needs root, to become another user; leave it out with --only')
    with open("/dev/null" if options.no_results else RESULTS, "a", encoding="utf-8") as file:
        report = Report(file)
        report.note(f"load before the start: {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores")
        for name in names:
            measure(report, name, options)


if __name__ == "__main__":
    main()
