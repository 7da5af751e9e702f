#!/usr/bin/env python3
"""Measures searching: which open searches find a post, what the index of words costs, and how long a page of hits takes.

    scripts/setup && Benchmarks/search.py [--posts 1000000] [--only matching] [--no-results]

Benchmarks/README.md says what each figure is. Everything is made by `Benchmarks/search` out of the daemon's own sources, and appended
to results.tsv; nothing fails for being slow.
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
# What is aimed at, by the beginning of a figure's name.
BUDGETS = {
    "a post, asked by 1,000 open searches": 5_000, "a common word": 50, "a word that others have": 50, "a commit of 1: p99 ms": 10,
    "a commit of 50: p99 ms": 10,
}
# By the end of the name; nanoseconds otherwise.
UNITS = {"ms (wall)": "ms", "posts/s (wall)": "/s", "ms": "ms", "(bytes)": "B"}


def parse():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--only", default=",".join(PARTS), help=f"some of {', '.join(PARTS)}, separated by commas")
    parser.add_argument("--posts", type=int, default=1_000_000, help="in the store; 100,000 take half a minute")
    parser.add_argument("--no-results", action="store_true", help="print only, append nothing to results.tsv")
    options = parser.parse_args()
    options.only = options.only.split(",")
    unknown = set(options.only) - set(PARTS)
    if unknown:
        parser.error(f"not known: {', '.join(unknown)}")
    return options


def figures(program, *arguments):
    """What a program tells, name by name in its order, each with all its values."""
    told = {}
    output = subprocess.run([BUILT / "search" / "release" / program, *map(str, arguments)], check=True, capture_output=True, text=True)
    for line in output.stdout.splitlines():
        name, value = line.rsplit("\t", 1)
        told.setdefault(name, []).append(float(value))
    return told


def tell(report, told):
    """Reports figures; how many posts were found is no figure."""
    for name, values in told.items():
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
        report.note(f"{os.getloadavg()[0]:.1f} processes wanted to run before this began, on {os.cpu_count()} cores")
        if "matching" in options.only:
            tell(report, figures("matching", mixed))
        if "storing" in options.only:
            with tempfile.TemporaryDirectory(prefix="stack-search-") as folder:
                report.note(f"a store of {options.posts} posts, half of them private to somebody else")
                tell(report, figures("storing", mixed, folder, options.posts, "peers"))


if __name__ == "__main__":
    main()
