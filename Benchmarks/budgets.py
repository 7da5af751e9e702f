#!/usr/bin/env python3
"""Measures start-up, memory, line mode and import of a release build against their budgets, and appends them to results.tsv.

    swift build -c release --static-swift-stdlib --product stack-daemon
    swift build -c release --static-swift-stdlib --product stack-client
    examples/python/generate
    .venv/bin/python Benchmarks/budgets.py [--posts 1000000] [--tweets 108000]

Every figure is printed with its budget. The reads are made with grpcio and include its own cost. For comparison, the same reads of an
idle daemon are measured in the same run as those during an import. `true`, run in the same way as the client, is the floor for the times
of whole processes.
"""
import argparse
import os
import pathlib
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
BIN = ROOT / ".build" / "release"
sys.path.append(str(ROOT / "examples" / "python"))

import grpc  # noqa: E402
from stack.v1 import frames_pb2, timeline_service_pb2, timeline_service_pb2_grpc  # noqa: E402
from stack.v1 import types_pb2, view_service_pb2, view_service_pb2_grpc  # noqa: E402

from report import RESULTS, Report  # noqa: E402

LAYOUT = types_pb2.Layout(width=80, height=24, single_pane=True)
ROWS = view_service_pb2.GetRowsRequest(layout=LAYOUT, count=20)


class Daemon:
    """A daemon with its own store."""

    def __init__(self, folder):
        self.socket = f"{folder}/run/daemon.sock"
        began = time.perf_counter()
        self.process = subprocess.Popen(
            [BIN / "stack-daemon", "--socket", self.socket, "--store", f"{folder}/store.db"], stdout=subprocess.PIPE)
        assert self.process.stdout.readline() == b"ready\n"
        self.listening = time.perf_counter() - began
        self.channel = grpc.insecure_channel(f"unix:{self.socket}")
        self.views = view_service_pb2_grpc.ViewServiceStub(self.channel)

    def memory(self, key):
        with open(f"/proc/{self.process.pid}/status", encoding="ascii") as status:
            return next(int(line.split()[1]) for line in status if line.startswith(key + ":")) / 1024

    def cpu(self):
        with open(f"/proc/{self.process.pid}/stat", encoding="ascii") as stat:
            fields = stat.read().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def client(self, *arguments):
        command = [BIN / "stack-client", *arguments, "--socket", self.socket]
        began = time.perf_counter()
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        return time.perf_counter() - began

    def first_frame(self):
        began = time.perf_counter()
        hello = frames_pb2.Hello(layout=LAYOUT, session="bench")
        stream = self.views.Watch(view_service_pb2.WatchRequest(hello=hello), wait_for_ready=True)
        frame = next(iter(stream))
        seconds = time.perf_counter() - began
        assert any(operation.rows_inserted.rows for operation in frame.operations)
        stream.cancel()
        return seconds

    def read(self):
        began = time.perf_counter()
        self.views.GetRows(ROWS, wait_for_ready=True)
        return time.perf_counter() - began

    def stop(self):
        self.channel.close()
        self.process.terminate()
        assert self.process.wait(30) == 0


def milliseconds(values):
    return [1000 * value for value in values]


def percentile(times, share):
    return sorted(times)[min(len(times) - 1, int(share * len(times)))]


def whole_process(*command):
    began = time.perf_counter()
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    return time.perf_counter() - began


def empty(report):
    starts, sizes = [], []
    for _ in range(5):
        with tempfile.TemporaryDirectory() as folder:
            daemon = Daemon(folder)
            time.sleep(0.2)
            starts.append(daemon.listening)
            sizes.append(daemon.memory("VmRSS"))
            daemon.stop()
    report.add("daemon, new store: start to listening", milliseconds(starts), "ms", 10)
    report.add("daemon, empty store: resident when ready", sizes, "MB", 8)
    report.add("the floor: true", milliseconds([whole_process("true") for _ in range(20)]), "ms", "-")
    report.add("stack-client --version", milliseconds([whole_process(BIN / "stack-client", "--version") for _ in range(20)]), "ms", 20)


def tweets(report, count):
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([ROOT / "Benchmarks" / "make-tweets.py", folder, str(count)], check=True)
        size = os.path.getsize(f"{folder}/tweets.js") / 1e6
        daemon = Daemon(folder)
        report.add(f"import tweets.js, {count} tweets, {size:.0f} MB", [
            daemon.client("import", "twitter-archive", f"{folder}/account.js", f"{folder}/tweets.js", "-q")], "s", 6)
        report.add("  CPU of the daemon", [daemon.cpu()], "s", "-")
        report.add("  resident at most", [daemon.memory("VmHWM")], "MB", 150)
        report.add("  the same again, unchanged", [
            daemon.client("import", "twitter-archive", f"{folder}/account.js", f"{folder}/tweets.js", "-q")], "s", "-")
        daemon.client("timeline", "-n", "1")
        time.sleep(3)
        report.add("stack-client timeline -n 20 --json", milliseconds(
            [daemon.client("timeline", "-n", "20", "--json") for _ in range(20)]), "ms", 50)
        follow(report, daemon)
        before = daemon.cpu()
        time.sleep(5)
        report.add("idle daemon: CPU in 5 s", milliseconds([daemon.cpu() - before]), "ms", 0)
        daemon.stop()


def follow(report, daemon):
    """Measures from one client's post to the frame that shows it to another."""
    hello = frames_pb2.Hello(layout=LAYOUT, session="follow")
    frames = iter(daemon.views.Watch(view_service_pb2.WatchRequest(hello=hello)))
    next(frames)
    timeline = timeline_service_pb2_grpc.TimelineServiceStub(daemon.channel)
    times = []
    for number in range(50):
        began = time.perf_counter()
        timeline.Compose(timeline_service_pb2.ComposeRequest(text=f"post {number}", visibility=types_pb2.VISIBILITY_PUBLIC))
        while not any(operation.rows_inserted.rows for operation in next(frames).operations):
            pass
        times.append(time.perf_counter() - began)
        time.sleep(0.02)
    report.add("post durable and shown by another client", milliseconds(times), "ms", 50)


def million(report, count):
    with tempfile.TemporaryDirectory() as folder:
        posts = f"{folder}/posts.jsonl"
        subprocess.run([ROOT / "Benchmarks" / "make-posts.py", posts, str(count)], check=True)
        daemon = Daemon(folder)
        daemon.read()
        idle = [daemon.read() for _ in range(1000)]
        importer = subprocess.Popen([BIN / "stack-client", "import", "jsonl", posts, "-q", "--socket", daemon.socket])
        began, busy = time.perf_counter(), []
        while importer.poll() is None:
            busy.append(daemon.read())
            time.sleep(0.005)
        seconds = time.perf_counter() - began
        assert importer.returncode == 0
        report.add(f"import of {count} posts as JSON Lines", [seconds], "s", "-")
        report.add("  reads meanwhile: p50", milliseconds([percentile(busy, 0.5)]), "ms", "-")
        report.add(f"  reads meanwhile ({len(busy)}): p99", milliseconds([percentile(busy, 0.99)]), "ms", 10)
        report.add("  reads of the idle daemon before: p99", milliseconds([percentile(idle, 0.99)]), "ms", "-")
        daemon.stop()
        restarted(report, folder, count)


def restarted(report, folder, count):
    firsts, starts = [], []
    for _ in range(3):
        began = time.perf_counter()
        daemon = Daemon(folder)
        starts.append(daemon.listening)
        daemon.first_frame()
        firsts.append(time.perf_counter() - began)
        daemon.stop()
    report.add(f"daemon, {count} posts: start to listening", milliseconds(starts), "ms", 10)
    report.add("  start to the first client's first frame", milliseconds(firsts), "ms", 100)
    daemon = Daemon(folder)
    daemon.first_frame()
    while daemon.cpu() != (time.sleep(1), daemon.cpu())[1]:
        pass
    size = daemon.memory("RssAnon")
    text = text_bytes(f"{folder}/posts.jsonl")
    report.add("  all loaded: memory a post beyond its text", [(size * 1048576 - text) / count], "B", 30)
    report.add("  a client attaches: its first frame", milliseconds([daemon.first_frame() for _ in range(20)]), "ms", 20)
    report.add("  stack-client timeline -n 20 --json", milliseconds(
        [daemon.client("timeline", "-n", "20", "--json") for _ in range(20)]), "ms", 50)
    daemon.stop()


def text_bytes(path):
    import json

    with open(path, encoding="utf-8") as file:
        return sum(len(json.loads(line)["text"].encode()) for line in file)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--posts", type=int, default=1_000_000, help="number of posts to import (%(default)s)")
    parser.add_argument("--tweets", type=int, default=108_000, help="number of tweets in the archive (%(default)s)")
    options = parser.parse_args()
    is_new = not RESULTS.exists()
    with open(RESULTS, "a", encoding="utf-8") as file:
        if is_new:
            file.write("date\tcommit\tmachine\ttoolchain\tfigure\tmedian\tminimum\tmaximum\truns\tunit\tbudget\n")
        report = Report(file)
        empty(report)
        tweets(report, options.tweets)
        million(report, options.posts)


if __name__ == "__main__":
    main()
