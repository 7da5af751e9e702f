#!/usr/bin/env python3
"""Measures a login at a Mastodon server, which Tests/Fediverse plays, and appends the figures to results.tsv.

    scripts/setup --python && Benchmarks/setup
    for product in stack-daemon stack-client stack-mastodon stack-feeds; do
      swift build -c release --static-swift-stdlib --product $product
    done
    Benchmarks/streaming/build && examples/python/generate
    .venv/bin/python Benchmarks/mastodon.py [--only events,flood,gap,rest,daemon] [--no-results]

Benchmarks/README.md explains every figure. An event or a post that does not arrive ends the run; a slow figure does not.
"""
import argparse
import contextlib
import http.client
import pathlib
import shutil
import ssl
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent / "Tests" / "Fediverse"), str(HERE / "streaming")]

import requests  # noqa: E402
from fediverse import server as fediverse  # noqa: E402
from fediverse.flavours import MASTODON_4_5  # noqa: E402
from harness import CPU, Load, folders  # noqa: E402
from harness import Server as UnderTest  # noqa: E402
from report import RESULTS, Report, private, status, wakeups  # noqa: E402
from town import sign_in  # noqa: E402

PARTS = ("events", "flood", "gap", "rest", "daemon")
RELEASE = HERE.parent / ".build" / "release"
EVENTS, EVENTS_A_SECOND = 400, 20
FLOOD_SECONDS, FLOOD_A_SECOND, LOCAL_A_SECOND = 60, 200, 20
KEPT, PAGE = 800, 40  # posts of a home timeline that the server keeps, and of a page
QUIET_SECONDS = 60
PATIENCE = 60
REST = 1.0  # seconds without work after which reading is over
RUNS = 3


class Stack(UnderTest):
    """stack-daemon with a login of ann at a server, in a folder of its own."""

    first_frame = True
    view_path, post_path = "/stack.v1.ViewService/Watch", "/stack.v1.TimelineService/Compose"
    view_body, post_body = requests.watch, requests.compose

    def __init__(self, folder, server):
        super().__init__("Stack", "unix", folder)
        self.server, self.programs, self.processes = server, RELEASE, contextlib.ExitStack()
        self.options = ["--upstream", f"mastodon={RELEASE / 'stack-mastodon'} --ca {server.authority} --folder {folder}/secrets"]

    def start(self):
        command = [self.programs / "stack-daemon", "--socket", f"{self.folder}/socket", "--store", f"{self.folder}/store.db", *self.options]
        self.run(self.processes, command)

    def close(self):
        self.processes.close()

    def client(self, *words):
        command = [RELEASE / "stack-client", "--socket", f"{self.folder}/socket", *words]
        ended = subprocess.run(command, capture_output=True, text=True, check=False)
        assert ended.returncode == 0, f"stack-client {words[0]}: {ended.stderr}"
        return ended.stdout

    def children(self):
        """Returns the process numbers of the connectors by their programs' names."""
        numbers = pathlib.Path(f"/proc/{self.pid}/task/{self.pid}/children").read_text(encoding="ascii").split()
        return {pathlib.Path(f"/proc/{number}/comm").read_text(encoding="ascii").strip(): int(number) for number in numbers}

    @property
    def connector(self):
        return self.children().get("stack-mastodon")

    def sign_in(self):
        said = sign_in(self.server, [RELEASE / "stack-client", "--socket", f"{self.folder}/socket"])
        assert "signed in" in said, said
        self.wait_until_live()

    def wait_until_live(self):
        wait_until(lambda: self.server.act(lambda: len(self.server.streams.open)) > 0, lambda: "no stream was opened")
        self.settle()

    def used(self):
        return CPU(self.pid).total + (CPU(self.connector).total if self.connector else 0)

    def settle(self):
        """Waits until nothing is left to do; returns the CPU seconds used so far, and when the last of them were used."""
        last, used = time.perf_counter(), self.used()
        end = last + PATIENCE
        while time.perf_counter() < last + REST:
            assert time.perf_counter() < end, "the programs do not come to rest"
            time.sleep(0.02)
            now = self.used()
            if now - used > 0.0005:
                last, used = time.perf_counter(), now
        return used, last


def wait_until(is_so, otherwise):
    end = time.perf_counter() + PATIENCE
    while not is_so():
        assert time.perf_counter() < end, otherwise()
        time.sleep(0.002)


def publish(server, text):
    """Has ben write a post. Its text is made on the server's thread, right before it is sent."""
    server.act(lambda: server.world.publish(server.account("ben"), text()))


def paced(count, rate, act):
    """Calls `act` with each number at a steady rate."""
    began = time.perf_counter()
    for number in range(count):
        time.sleep(max(0, began + number / rate - time.perf_counter()))
        act(number)


def stamped(number):
    """Returns the text of a post as the load client reads it."""
    return f"stack-bench {number:010} {time.monotonic_ns():019} " + requests.TEXT[len(requests.MARK):]


def watched(stack, processes, folder):
    """Starts a load client with one view, at whose top there are no posts of an earlier one."""
    paced(100, 100, lambda number: publish(stack.server, lambda: f"Before {number}"))
    stack.settle()
    load = Load(stack, processes, folder)
    load.do("watch", 1)
    load.do("reset")
    return load


def measure_events(report, stack, make_folder):
    """From a post at the server to the frame of a view, beside a post that is written here."""
    with contextlib.ExitStack() as processes:
        load = watched(stack, processes, make_folder())
        load.do("pace", EVENTS_A_SECOND, EVENTS // EVENTS_A_SECOND)
        wait_until(lambda: load.do("report")["others"]["count"] == EVENTS, lambda: f"a view lost posts: {load.do('report')}")
        seen = load.do("report")
        here, last = seen["others"], seen["last"]
        load.do("reset")
        paced(EVENTS, EVENTS_A_SECOND, lambda number: publish(stack.server, lambda: stamped(last + 1 + number)))
        wait_until(lambda: load.do("report")["others"]["count"] == EVENTS, lambda: f"a view lost posts of the server: {load.do('report')}")
        there = load.do("report")["others"]
    report.add(f"a post written here to a frame, {EVENTS_A_SECOND} a second: p50", [here["p50"]], "ms", "-")
    report.add("  p99", [here["p99"]], "ms", "-")
    report.add(f"a post written at the server to a frame, {EVENTS_A_SECOND} a second: p50", [there["p50"]], "ms", f"{here['p50'] + 10:.1f}")
    report.add("  p99", [there["p99"]], "ms", f"{here['p99'] + 40:.1f}")


def measure_flood(report, stack, make_folder):
    """Local posts in a view while the server sends many."""
    with contextlib.ExitStack() as processes:
        load, times = watched(stack, processes, make_folder()), []
        for rate in (0, FLOOD_A_SECOND):
            load.do("reset")
            load.send("pace", LOCAL_A_SECOND, FLOOD_SECONDS)
            paced(rate * FLOOD_SECONDS, rate or 1, lambda number: publish(stack.server, lambda: f"Flood {number}"))
            load.read_reply()
            stack.settle()
            seen = load.do("report")
            assert seen["others"]["count"] + seen["passed"] == LOCAL_A_SECOND * FLOOD_SECONDS, f"a view lost posts: {seen}"
            times.append(seen["others"])
    without, beside = times
    assert stack.client("timeline", "-n", "1000").count("Flood") > 0
    report.add(f"a post written here to a frame, {LOCAL_A_SECOND} a second for {FLOOD_SECONDS} s: p99", [without["p99"]], "ms", "-")
    report.add(f"  beside {FLOOD_A_SECOND} a second of the server: p99", [beside["p99"]], "ms", f"{3 * without['p99']:.1f}")


def pages(server):
    """Reads the home timeline as a plain client does; returns the seconds."""
    token = next(value for value, token in server.oauth.tokens.items() if token.account)
    connection = http.client.HTTPSConnection("localhost", server.port, context=ssl.create_default_context(cafile=server.authority))
    began, path = time.perf_counter(), f"/api/v1/timelines/home?limit={PAGE}"
    for _ in range(KEPT // PAGE):
        connection.request("GET", path, headers={"Authorization": f"Bearer {token}"})
        answer = connection.getresponse()
        answer.read()
        path = answer.headers["Link"].split("<")[1].split(">")[0].removeprefix(server.origin)
    return time.perf_counter() - began


def measure_gap(report, stack):
    """Reads what came while the daemon was away: as much as the server keeps."""
    walls, cpus, plain = [], [], []
    for run in range(RUNS):
        stack.close()
        for number in range(KEPT):
            publish(stack.server, lambda: f"Away {run}.{number}")
        seen = len(stack.server.requests)
        stack.start()

        def asks():
            return any(path.startswith("/api/v1/timelines/home") for _, path, _ in stack.server.requests[seen:])

        wait_until(asks, lambda: "the home timeline was not asked for")
        began, before = time.perf_counter(), stack.used()
        used, last = stack.settle()
        got = stack.client("timeline", "-n", "2000", "--jsonl").count(f"Away {run}.")
        assert got == KEPT, f"{got} posts of {KEPT}"
        walls.append(last - began)
        cpus.append(used - before)
        plain.append(pages(stack.server))
    report.add(f"{KEPT} posts of a gap, {KEPT // PAGE} pages: wall time", walls, "s", 2)
    report.add("  CPU of the daemon and stack-mastodon", cpus, "s", 1)
    report.add("  the same pages read by Python's http.client, nothing stored: wall time", plain, "s", "-")


def measure_rest(report, stack):
    """Measures stack-mastodon when nothing happens."""
    connector = stack.connector
    report.add("stack-mastodon, one login live: resident", [status(connector, "VmRSS")], "MB", 24)
    report.add("  private", [private(connector)], "MB", 6)
    before = wakeups(connector)
    time.sleep(QUIET_SECONDS)
    report.add("  wake-ups a minute", [60 / QUIET_SECONDS * (wakeups(connector) - before)], "", 20)


def measure_daemon(report, stack, make_folder):
    """Measures the daemon's own memory with both connectors and without, on the same store in turn."""
    feed = pathlib.Path(stack.folder, "feed.xml")
    feed.write_text("<rss version='2.0'><channel><title>A feed</title><item><guid>1</guid><title>An item</title></item></channel></rss>")
    stack.client("feed", "add", f"file://{feed}")
    stack.close()
    alone, options = pathlib.Path(make_folder()), stack.options
    shutil.copy(RELEASE / "stack-daemon", alone)
    sizes = {RELEASE: [], alone: []}
    for _ in range(RUNS):
        for stack.programs, values in sizes.items():
            stack.options = options if stack.programs == RELEASE else []
            stack.start()
            if stack.programs == RELEASE:
                stack.wait_until_live()
                assert set(stack.children()) == {"stack-mastodon", "stack-feeds"}
            # The store's workers open it at their first work, whoever causes that.
            stack.client("timeline")
            stack.client("mark", "read", "1")
            stack.settle()
            values.append(status(stack.pid, "RssAnon"))
            stack.close()
    with_them, without = sizes.values()
    report.add("the daemon's memory with both connectors, beyond that without", [a - b for a, b in zip(with_them, without)], "MB", 0.5)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--only", default=",".join(PARTS), help="what to measure (default: %(default)s)")
    parser.add_argument("--no-results", action="store_true", help="do not append to results.tsv")
    options = parser.parse_args()
    parts = options.only.split(",")
    with contextlib.ExitStack() as exits:
        make_folder = exits.enter_context(folders(exits.enter_context(tempfile.TemporaryDirectory(prefix="stack-"))))
        server = exits.enter_context(fediverse.Server(MASTODON_4_5))
        server.limits.most = 1_000_000
        server.act(server.world.follow, server.account("ann"), server.account("ben"))
        report = Report(exits.enter_context(open("/dev/null" if options.no_results else RESULTS, "a", encoding="utf-8")))
        stack = Stack(make_folder(), server)
        stack.start()
        exits.callback(stack.close)
        publish(server, lambda: "The first")
        stack.sign_in()
        if "rest" in parts:
            measure_rest(report, stack)
        if "events" in parts:
            measure_events(report, stack, make_folder)
        if "gap" in parts:
            measure_gap(report, stack)
        if "flood" in parts:
            measure_flood(report, stack, make_folder)
        if "daemon" in parts:
            measure_daemon(report, stack, make_folder)


if __name__ == "__main__":
    main()
