#!/usr/bin/env python3
"""Measures streaming: ours beside C++ gRPC, Go gRPC and a raw libuv writer in the same run, and appends it to results.tsv.

    scripts/setup --python && Benchmarks/setup
    swift build -c release --static-swift-stdlib --product stack-daemon
    examples/python/generate
    .venv/bin/python Benchmarks/streaming.py [--only fanout,latency,memory,stalls,session,resume] [--full] [--grpc-swift]

Benchmarks/README.md says what each figure is and how it is come by. Every figure is printed with its target; nothing fails for
being slow, but a lost post ends it.
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
    """A report that can also say something that is no figure."""

    def note(self, text):
        print(f"# {text}", flush=True)


def parse():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--only", default=",".join(PARTS), help=f"some of {', '.join(PARTS)}, separated by commas")
    parser.add_argument("--views", default="100,1000,5000", help="numbers of views for the fan-out, ascending")
    parser.add_argument("--transports", default="unix,tcp", help="for the fan-out")
    parser.add_argument("--repetitions", type=int, default=3, help="of each measurement of the fan-out")
    # Ours sends a view a frame in 16 ms at most, and nobody is to have warmer caches for being asked again at once.
    parser.add_argument("--pause", type=int, default=17, help="ms from a post that all views have to the next, in the fan-out")
    parser.add_argument("--stalls-views", type=int, default=stalls.VIEWS, help="views of the run with stalled ones")
    parser.add_argument("--full", action="store_true",
                        help="views stall for 60 s at a time instead of 4 s, and are away for 1,000,000 changes instead of 100,000")
    parser.add_argument("--grpc-swift", action="store_true", help="measure grpc-swift-2 too; its build is long")
    parser.add_argument("--no-results", action="store_true", help="print only, append nothing to results.tsv")
    options = parser.parse_args()
    options.only = options.only.split(",")
    options.views = [int(views) for views in options.views.split(",")]
    options.transports = options.transports.split(",")
    unknown = set(options.only) - set(PARTS) or set(options.transports) - {"unix", "tcp"}
    if unknown:
        parser.error(f"not known: {', '.join(unknown)}")
    if not DAEMON.exists():
        parser.error("no release build: swift build -c release --static-swift-stdlib --product stack-daemon")
    return options


def main():
    options = parse()
    subprocess.run([HERE / "streaming" / "build", *["--grpc-swift"] * options.grpc_swift], check=True)
    most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    with open_results(options) as file, tempfile.TemporaryDirectory(prefix="stack-") as base, folders(base) as make_folder:
        report = StreamingReport(file)
        report.note(f"{os.getloadavg()[0]:.1f} processes wanted to run before this began, on {os.cpu_count()} cores")
        for name in options.only:
            began = time.monotonic()
            PARTS[name].run(report, options, make_folder)
            report.note(f"{name} took {time.monotonic() - began:.0f} s")


def open_results(options):
    """Where figures are appended: nowhere, if so asked."""
    return open("/dev/null" if options.no_results else RESULTS, "a", encoding="utf-8")


if __name__ == "__main__":
    main()
