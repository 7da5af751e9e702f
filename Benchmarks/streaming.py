#!/usr/bin/env python3
"""Measures streaming beside C++ gRPC, Go gRPC and a raw libuv writer in the same run, and appends the figures to results.tsv.

    scripts/setup --python && Benchmarks/setup
    swift build -c release --static-swift-stdlib --product stack-daemon
    examples/python/generate
    .venv/bin/python Benchmarks/streaming.py [--only fanout,latency,memory,stalls,session,resume] [--full] [--grpc-swift]

Benchmarks/README.md explains every figure. Each is printed with its target. A slow figure is not an error, but a lost post ends the run.
"""
import argparse
import os
import pathlib
import resource
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE / "streaming"))

import fanout  # noqa: E402
import latency  # noqa: E402
import memory  # noqa: E402
import resume  # noqa: E402
import session  # noqa: E402
import stalls  # noqa: E402
from budgets import RESULTS, Report  # noqa: E402
from harness import DAEMON, folders  # noqa: E402

PARTS = {"fanout": fanout, "latency": latency, "memory": memory, "stalls": stalls, "session": session, "resume": resume}


class StreamingReport(Report):
    """A report with remarks that are not figures."""

    def note(self, text):
        print(f"# {text}", flush=True)


def parse():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--only", default=",".join(PARTS), help="parts to measure, separated by commas (default: %(default)s)")
    parser.add_argument("--views", default="100,1000,5000", help="numbers of views of the fan-out, ascending")
    parser.add_argument("--transports", default="unix,tcp", help="transports of the fan-out")
    parser.add_argument("--repetitions", type=int, default=3, help="number of repetitions of each measurement of the fan-out")
    # The daemon sends a view at most one frame in 16 ms, and no server should gain from warm caches.
    parser.add_argument("--pause", type=int, default=17, help="ms from a post's arrival at all views to the next, in the fan-out")
    parser.add_argument("--stalls-views", type=int, default=stalls.VIEWS, help="number of views of the run with stalled ones")
    parser.add_argument("--full", action="store_true",
                        help="let views stall for 60 s at a time instead of 4 s, and be away for 1,000,000 changes instead of 100,000")
    parser.add_argument("--grpc-swift", action="store_true", help="measure grpc-swift-2 too; its build takes long")
    parser.add_argument("--no-results", action="store_true", help="do not append to results.tsv")
    options = parser.parse_args()
    options.only = options.only.split(",")
    options.views = [int(views) for views in options.views.split(",")]
    options.transports = options.transports.split(",")
    unknown = set(options.only) - set(PARTS) or set(options.transports) - {"unix", "tcp"}
    if unknown:
        parser.error(f"unknown: {', '.join(unknown)}")
    if not DAEMON.exists():
        parser.error("no release build; run swift build -c release --static-swift-stdlib --product stack-daemon")
    return options


def main():
    options = parse()
    subprocess.run([HERE / "streaming" / "build", *["--grpc-swift"] * options.grpc_swift], check=True)
    most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    with open_results(options) as file, tempfile.TemporaryDirectory(prefix="stack-") as base, folders(base) as make_folder:
        report = StreamingReport(file)
        report.note(f"load before the start: {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores")
        for name in options.only:
            began = time.monotonic()
            PARTS[name].run(report, options, make_folder)
            report.note(f"{name} took {time.monotonic() - began:.0f} s")


def open_results(options):
    """Opens the file that figures are appended to; /dev/null with --no-results."""
    return open("/dev/null" if options.no_results else RESULTS, "a", encoding="utf-8")


if __name__ == "__main__":
    main()
