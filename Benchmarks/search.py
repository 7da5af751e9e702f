#!/usr/bin/env python3
"""Measures searching: matching a post against open searches, the cost of the word index, and the time for a page of hits.

    scripts/setup && Benchmarks/search.py [--posts 1000000] [--only matching] [--no-results]

Benchmarks/README.md explains every figure. The programs of `Benchmarks/search`, built from the daemon's own sources, make the
measurements. The figures are appended to results.tsv; a slow one is not an error.
"""
import argparse
import os
import pathlib
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE / "layout"))

import corpus  # noqa: E402
from report import RESULTS, Report  # noqa: E402

BUILT = HERE.parent / ".build" / "benchmarks"
PARTS = ["matching", "storing"]
# Targets, by the beginning of a figure's name.
BUDGETS = {
    "a post, asked by 1,000 open searches": 5_000, "a common word": 50, "a word that others have": 50, "a commit of 1: p99 ms": 10,
    "a commit of 50: p99 ms": 10,
}
# Units, by the end of a figure's name; nanoseconds otherwise.
UNITS = {"ms (wall)": "ms", "posts/s (wall)": "/s", "ms": "ms", "(bytes)": "B"}


def parse():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--only", default=",".join(PARTS), help="parts to measure, separated by commas (default: %(default)s)")
    parser.add_argument("--posts", type=int, default=1_000_000, help="number of posts in the store; 100,000 take half a minute")
    parser.add_argument("--no-results", action="store_true", help="do not append to results.tsv")
    options = parser.parse_args()
    options.only = options.only.split(",")
    unknown = set(options.only) - set(PARTS)
    if unknown:
        parser.error(f"unknown: {', '.join(unknown)}")
    return options


def figures(program, *arguments):
    """Returns the output of a program: each name in order, with all its values."""
    values = {}
    output = subprocess.run([BUILT / "search" / "release" / program, *map(str, arguments)], check=True, capture_output=True, text=True)
    for line in output.stdout.splitlines():
        name, value = line.rsplit("\t", 1)
        values.setdefault(name, []).append(float(value))
    return values


def report_figures(report, output):
    """Reports figures, and the numbers of found posts as notes."""
    for name, values in output.items():
        if name.endswith(("found", "total")):
            report.note(f"{name}: {values[0]:g}")
            continue
        unit = next((unit for end, unit in UNITS.items() if name.endswith(end)), "ns")
        report.add(name, values, unit, next((budget for start, budget in BUDGETS.items() if name.startswith(start)), "-"))


def main():
    options = parse()
    subprocess.run(
        ["swift", "build", "--quiet", "-c", "release", "--static-swift-stdlib", "--package-path", HERE / "search", "--scratch-path",
         BUILT / "search"], check=True)
    mixed = BUILT / "mixed.corpus"
    corpus.ensure_mixed(mixed)
    with open("/dev/null" if options.no_results else RESULTS, "a", encoding="utf-8") as file:
        report = Report(file)
        report.note(f"load before the start: {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores")
        if "matching" in options.only:
            report_figures(report, figures("matching", mixed))
        if "storing" in options.only:
            with tempfile.TemporaryDirectory(prefix="stack-search-") as folder:
                report.note(f"a store of {options.posts} posts, half of them private to another account")
                report_figures(report, figures("storing", mixed, folder, options.posts, "peers"))


if __name__ == "__main__":
    main()
