#!/usr/bin/env python3
"""Times a reader's calls (the newest 20 rows, laid out) while another client imports posts.

    Benchmarks/read-while-importing.py SOCKET CLIENT POSTS.jsonl

CLIENT is the built stack-client. Prints posts a second, the reader's p50, p99 and maximum in milliseconds, and what a reader of
the idle daemon sees beside it. The reader is grpcio, whose own share is in every figure.
"""
import pathlib
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "examples" / "python"))

import grpc  # noqa: E402
from stack.v1 import types_pb2, view_service_pb2, view_service_pb2_grpc  # noqa: E402


def percentile(times, share):
    return sorted(times)[min(len(times) - 1, int(share * len(times)))] * 1000


def main():
    socket, client, posts = sys.argv[1:4]
    views = view_service_pb2_grpc.ViewServiceStub(grpc.insecure_channel(f"unix:{socket}"))
    layout = types_pb2.Layout(width=80, height=24, single_pane=True)
    request = view_service_pb2.GetRowsRequest(layout=layout, count=20)

    def read():
        start = time.perf_counter()
        views.GetRows(request)
        return time.perf_counter() - start

    read()
    idle = [read() for _ in range(500)]
    start = time.perf_counter()
    importer = subprocess.Popen([client, "--socket", socket, "import", "jsonl", posts, "-q"])
    busy = []
    while importer.poll() is None:
        busy.append(read())
        time.sleep(0.005)
    seconds = time.perf_counter() - start
    print(f"import: {seconds:.1f} s")
    for name, times in (("idle", idle), ("importing", busy)):
        figures = ", ".join(f"p{int(s * 100)} {percentile(times, s):.2f} ms" for s in (0.5, 0.99))
        print(f"{name}: {len(times)} reads, {figures}, max {max(times) * 1000:.1f} ms")
    sys.exit(importer.returncode)


if __name__ == "__main__":
    main()
