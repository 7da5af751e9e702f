#!/usr/bin/env python3
"""Measures layout beside the best alternatives in the same run, and appends the figures to results.tsv.

    scripts/setup && Benchmarks/setup
    Benchmarks/layout.py [--only wrap] [--widths 50,79] [--repetitions 5] [--posts FILE.jsonl]

Benchmarks/README.md explains every figure. Each is printed with its target; a slow one is not an error. A part is a module in
Benchmarks/layout with run(report, options).
"""
import argparse
import os
import pathlib
import sys
import time

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE / "layout"))

import index  # noqa: E402
import resize  # noqa: E402
import ticks  # noqa: E402
import wrap  # noqa: E402
from report import RESULTS, Report  # noqa: E402

PARTS = {"wrap": wrap, "index": index, "resize": resize, "ticks": ticks}


def parse():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--only", default=",".join(PARTS), help="parts to measure, separated by commas (default: %(default)s)")
    parser.add_argument("--repetitions", type=int, default=5, help="number of repetitions of each measurement")
    parser.add_argument("--widths", default="50,79", help="widths of lines for wrap, in cells")
    parser.add_argument("--posts", metavar="FILE", help="JSON Lines file whose texts are wrapped too")
    parser.add_argument("--no-results", action="store_true", help="do not append to results.tsv")
    options = parser.parse_args()
    options.only = options.only.split(",")
    options.widths = [int(width) for width in options.widths.split(",")]
    unknown = set(options.only) - set(PARTS)
    if unknown:
        parser.error(f"unknown: {', '.join(unknown)}")
    return options


def main():
    options = parse()
    with open("/dev/null" if options.no_results else RESULTS, "a", encoding="utf-8") as file:
        report = Report(file)
        report.note(f"load before the start: {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores")
        for name in options.only:
            began = time.monotonic()
            PARTS[name].run(report, options)
            report.note(f"{name} took {time.monotonic() - began:.0f} s")


if __name__ == "__main__":
    main()
