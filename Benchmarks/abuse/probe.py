"""Another client: reads 20 rows and composes a post that it waits for, over and over; prints the times of both.

    probe.py SOCKET SECONDS

Prints a line of JSON: {"rows": [ms, ...], "frames": [ms, ...], "failures": N}.
"""
import json
import pathlib
import sys
import threading
import time

sys.path.append(str(pathlib.Path(__file__).resolve().parent.parent / "streaming"))

from requests import HELLO, LAYOUT, TEXT, frames_pb2, grpc, timeline_service_pb2, timeline_service_pb2_grpc  # noqa: E402
from requests import types_pb2, view_service_pb2, view_service_pb2_grpc  # noqa: E402

PATIENCE = 30  # seconds for a call; a slower one is a failure
PAUSE = 0.01  # seconds between calls


def rows(channel, end, found):
    """Reads rows until `end`."""
    views = view_service_pb2_grpc.ViewServiceStub(channel)
    request = view_service_pb2.GetRowsRequest(layout=LAYOUT, count=20)
    while time.monotonic() < end:
        began = time.perf_counter()
        try:
            views.GetRows(request, timeout=PATIENCE)
            found["rows"].append(1e3 * (time.perf_counter() - began))
        except grpc.RpcError:
            found["failures"] += 1
        time.sleep(PAUSE)


def frames(channel, end, found):
    """Composes posts until `end`, and waits for the frame of each on a view of its own."""
    hello = frames_pb2.Hello()
    hello.CopyFrom(HELLO)
    hello.session = "probe"
    request = timeline_service_pb2.ComposeRequest(text=TEXT, visibility=types_pb2.VISIBILITY_PUBLIC)
    timeline = timeline_service_pb2_grpc.TimelineServiceStub(channel)
    view = view_service_pb2_grpc.ViewServiceStub(channel).Watch(view_service_pb2.WatchRequest(hello=hello))
    arrived = threading.Semaphore(0)

    def read():
        try:
            for frame in view:
                for operation in frame.operations:
                    for _ in operation.rows_inserted.rows:
                        arrived.release()
        except grpc.RpcError:
            pass

    threading.Thread(target=read, daemon=True).start()
    arrived.acquire(timeout=PATIENCE)
    time.sleep(0.2)
    while time.monotonic() < end:
        while arrived.acquire(blocking=False):
            pass
        began = time.perf_counter()
        try:
            timeline.Compose(request, timeout=PATIENCE)
            if arrived.acquire(timeout=PATIENCE):
                found["frames"].append(1e3 * (time.perf_counter() - began))
            else:
                found["failures"] += 1
        except grpc.RpcError:
            found["failures"] += 1
        time.sleep(2 * PAUSE)
    view.cancel()


def main():
    found, end = {"rows": [], "frames": [], "failures": 0}, time.monotonic() + float(sys.argv[2])
    with grpc.insecure_channel(f"unix:{sys.argv[1]}") as channel:
        threads = [threading.Thread(target=work, args=(channel, end, found)) for work in (rows, frames)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    print(json.dumps(found))


if __name__ == "__main__":
    main()
