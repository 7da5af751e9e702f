#!/usr/bin/env python3
"""Measures layout beside the best that one could use instead, in the same run, and appends it to results.tsv.

    scripts/setup && Benchmarks/setup
    Benchmarks/layout.py [--only wrap] [--widths 50,79] [--repetitions 5] [--posts FILE.jsonl]

Benchmarks/README.md says what each figure is and how it is come by. Every figure is printed with its target; nothing fails for
being slow. A part is a module in Benchmarks/layout with run(report, options).
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
    parser.add_argument("--only", default=",".join(PARTS), help=f"some of {', '.join(PARTS)}, separated by commas")
    parser.add_argument("--repetitions", type=int, default=5, help="of each measurement")
    parser.add_argument("--widths", default="50,79", help="of lines, in cells, for wrap")
    parser.add_argument("--posts", metavar="FILE", help="JSON Lines whose texts are wrapped too")
    parser.add_argument("--no-results", action="store_true", help="print only, append nothing to results.tsv")
    options = parser.parse_args()
    options.only = options.only.split(",")
    options.widths = [int(width) for width in options.widths.split(",")]
    unknown = set(options.only) - set(PARTS)
    if unknown:
        parser.error(f"not known: {', '.join(unknown)}")
    return options


def main():
    options = parse()
    with open("/dev/null" if options.no_results else RESULTS, "a", encoding="utf-8") as file:
        report = Report(file)
        report.note(f"{os.getloadavg()[0]:.1f} processes wanted to run before this began, on {os.cpu_count()} cores")
        for name in options.only:
            began = time.monotonic()
            PARTS[name].run(report, options)
            report.note(f"{name} took {time.monotonic() - began:.0f} s")


if __name__ == "__main__":
    main()
