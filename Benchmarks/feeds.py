#!/usr/bin/env python3
"""Measures reading 1,000 feeds beside newsboat and sfeed, and appends the figures to results.tsv.

    scripts/setup --python && Benchmarks/setup
    for product in stack-daemon stack-client stack-feeds; do swift build -c release --static-swift-stdlib --product $product; done
    Benchmarks/feeds.py [--only whole,rest,daemon] [--no-peers] [--no-results]

Benchmarks/README.md explains every figure. A feed that is not read ends the run; a slow figure does not.
"""
import argparse
import contextlib
import pathlib
import shutil
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE / "feeds"), str(HERE / "streaming")]

import town  # noqa: E402
from readers import RELEASE, Newsboat, Sfeed, Stack  # noqa: E402
from report import RESULTS, Report, private, status, wakeups  # noqa: E402

PARTS = ("whole", "rest", "daemon")
QUIET_SECONDS = 60
COUNT = f"{town.FEEDS:,} feeds"


class Measurement:
    """The figures of one run, which are reported at its end."""

    def __init__(self, folder, server, runs):
        self.folder, self.server, self.runs, self.number = folder, server, runs, 0

    def reader(self, kind_of_reader, kind):
        self.number += 1
        return kind_of_reader(self.folder / f"{kind_of_reader.name}-{self.number}", self.server, kind)

    def counted(self, round, expected):
        """Measures a round; returns its figures and the number of unconditional requests. All feeds must get `expected`."""
        self.server.forget()
        cpu, wall = round()
        requests = self.server.requests()
        assert len(requests) == town.FEEDS and {status for status, _ in requests} == {expected}, f"{len(requests)} requests"
        return cpu, wall, sum(not is_conditional for _, is_conditional in requests)


def add(report, name, values, budget):
    """Reports CPU and wall time of rounds."""
    report.add(f"{name}: CPU", [cpu for cpu, *_ in values], "s", budget)
    report.add("  wall time", [wall for _, wall, _ in values], "s", "-")


def measure_ours(report, measurement, parts):
    new, same, whole = [], [], []
    for run in range(measurement.runs):
        with contextlib.ExitStack() as stack:
            checked = stack.enter_context(contextlib.closing(measurement.reader(Stack, "validators")))
            new.append(measurement.counted(checked.first_round, "200"))
            assert checked.client("search", f"word{town.FEEDS - 1}x{town.ITEMS - 1}").count("Post") == 1
            if "whole" in parts:
                sent = stack.enter_context(contextlib.closing(measurement.reader(Stack, "none")))
                new.append(measurement.counted(sent.first_round, "200"))
            same.append(measurement.counted(checked.round, "304"))
            if "whole" in parts:
                whole.append(measurement.counted(sent.round, "200"))
            if run == 0 and "rest" in parts:
                measure_rest(report, checked)
            if run == 0 and "daemon" in parts:
                measure_daemon(report, measurement, checked)
    add(report, f"{COUNT}, all new, {town.FEEDS * town.ITEMS:,} posts stored and searchable", new, "6")
    add(report, f"{COUNT}, not changed (304)", same, "0.5")
    report.add("  requests without validators", [count for *_, count in same], "", 0)
    if whole:
        add(report, f"{COUNT} of 23 KB, {town.ITEMS} known posts each, no validators", whole, "2")


def measure_rest(report, stack):
    """Measures stack-feeds when nothing is due."""
    report.add(f"stack-feeds, {COUNT}, after two rounds: resident", [status(stack.connector, "VmRSS")], "MB", 32)
    report.add("  private", [private(stack.connector)], "MB", 10)
    before = wakeups(stack.connector)
    time.sleep(QUIET_SECONDS)
    report.add("  wake-ups a minute", [60 / QUIET_SECONDS * (wakeups(stack.connector) - before)], "", 20)


def measure_daemon(report, measurement, stack):
    """Measures the daemon's own memory with stack-feeds, which it finds beside itself, and without, on the same store in turn."""
    stack.close()
    alone = measurement.folder / "alone"
    alone.mkdir()
    shutil.copy(RELEASE / "stack-daemon", alone)
    sizes = {RELEASE: [], alone: []}
    for _ in range(3):
        for stack.programs, values in sizes.items():
            stack.start()
            stack.settle(time.perf_counter(), 0)
            values.append(status(stack.daemon.pid, "RssAnon"))
            if stack.connector and len(values) == 3:
                report.add(f"stack-feeds, {COUNT}, after a restart: resident", [status(stack.connector, "VmRSS")], "MB", 32)
                report.add("  private", [private(stack.connector)], "MB", 10)
            stack.close()
    with_it, without = sizes.values()
    report.add("  memory of the daemon with it, beyond that without", [a - b for a, b in zip(with_it, without)], "MB", 0.5)


def measure_peer(report, measurement, kind, rounds, parts):
    """Measures a peer. `rounds` is the number of the first round in which all its requests are conditional."""
    reader = measurement.reader(kind, "validators")
    add(report, f"{kind.name}: {COUNT}, all new", [measurement.counted(reader.round, "200")], "-")
    for number in range(2, rounds):
        report.add(f"  requests without validators in round {number}", [measurement.counted(reader.round, "200")[2]], "", "-")
    add(report, f"{kind.name}: {COUNT}, not changed (304)", [measurement.counted(reader.round, "304")], "-")
    if "whole" in parts:
        reader = measurement.reader(kind, "none")
        reader.round()
        name = f"{kind.name}: {COUNT} of 23 KB, {town.ITEMS} known posts each, no validators"
        add(report, name, [measurement.counted(reader.round, "200")], "-")


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--only", default=",".join(PARTS), help="what to measure beside new and unchanged feeds (default: %(default)s)")
    parser.add_argument("--runs", type=int, default=3, help="runs of Stack; its peers run once (default: %(default)s)")
    parser.add_argument("--no-peers", action="store_true", help="do not measure newsboat and sfeed")
    parser.add_argument("--no-results", action="store_true", help="do not append to results.tsv")
    options = parser.parse_args()
    parts = options.only.split(",")
    with contextlib.ExitStack() as stack:
        folder = pathlib.Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="stack-")))
        folder.chmod(0o755)
        file = stack.enter_context(open("/dev/null" if options.no_results else RESULTS, "a", encoding="utf-8"))
        server = stack.enter_context(town.town(folder))
        report = Report(file)
        measurement = Measurement(folder, server, options.runs)
        measure_ours(report, measurement, parts)
        for kind, rounds in () if options.no_peers else ((Newsboat, 3), (Sfeed, 2)):
            measure_peer(report, measurement, kind, rounds, parts)


if __name__ == "__main__":
    main()
