"""Measures a view that was away during many changes: the time from its hello to the first frame, and the frame's size."""
import contextlib
import pathlib
import queue
import subprocess
import time

import grpc

import requests
from harness import ROOT, Daemon, percentile
from mirror import Mirror
from requests import frames_pb2

BEFORE = 1000  # posts before the view closed
TRIES = 50


class View:
    """An Attach view, opened with a hello."""

    def __init__(self, channel, hello):
        self.out = queue.SimpleQueue()
        self.out.put(frames_pb2.ClientFrame(hello=hello))
        began = time.perf_counter()
        self.stream = requests.view_service_pb2_grpc.ViewServiceStub(channel).Attach(iter(self.out.get, None), timeout=60)
        self.first = next(self.stream)
        self.seconds = time.perf_counter() - began

    def read_frames(self, mirror):
        """Applies the first frame and those that follow at once."""
        frame = self.first
        mirror.apply(frame)
        while frame.more:
            self.send(ack=frames_pb2.Ack(frame=frame.number))
            frame = next(self.stream)
            mirror.apply(frame)

    def send(self, **fields):
        self.out.put(frames_pb2.ClientFrame(**fields))

    def close(self):
        self.send(bye=frames_pb2.Bye())
        self.out.put(None)
        for _ in self.stream:
            pass


def hello(**more):
    return frames_pb2.Hello(session="away", layout=requests.LAYOUT, **more)


def run(report, options, make_folder):
    changes = 1_000_000 if options.full else 100_000
    with contextlib.ExitStack() as stack:
        folder = make_folder()
        daemon = Daemon("Attach", "unix", folder, stack, requests, acknowledges=True)
        channel = stack.enter_context(grpc.insecure_channel(f"unix:{daemon.path}"))
        posts = pathlib.Path(folder) / "posts.jsonl"
        # The oldest are imported first; all later ones are newer and appear above the rows that the view holds.
        subprocess.run([ROOT / "Benchmarks" / "make-posts.py", posts, str(BEFORE + changes)], check=True)
        with open(posts, "rb") as file:
            requests.fill(channel, b"".join(next(file) for _ in range(BEFORE)))
            held = {"at the top": view_at(channel, None), "at a row": view_at(channel, 40)}
            new = requests.fill(channel, file.read())
        assert new == changes, f"{new} of {changes} posts are new"
        report.note(f"away for {changes} new posts, {daemon.memory()[0] / 1024:.0f} MB resident")
        measure(report, channel, "no resume", hello())
        for where, (mirror, viewport) in held.items():
            measure(report, channel, f"resumes {where}", hello(resume=mirror.resume(), viewport=viewport), mirror)


def view_at(channel, rows):
    """Opens and closes a view `rows` rows down; returns its mirror and viewport."""
    viewport = None
    if rows is not None:
        request = requests.view_service_pb2.GetRowsRequest(layout=requests.LAYOUT, count=rows)
        anchor = requests.view_service_pb2_grpc.ViewServiceStub(channel).GetRows(request, timeout=20).rows[-1].row.row_id
        viewport = frames_pb2.Viewport(anchor_row=anchor)
    mirror, view = Mirror(), View(channel, hello(viewport=viewport))
    view.read_frames(mirror)
    view.close()
    return mirror, viewport


def measure(report, channel, title, opening, mirror=None):
    """Opens a view repeatedly, and reports the time and size of its first frame."""
    views = []
    for number in range(TRIES):
        views.append(View(channel, opening))
        if number == 0 and mirror is not None:
            views[0].read_frames(mirror)
        views[-1].close()
    first = views[0].first
    milliseconds = [1000 * view.seconds for view in views]
    reason = frames_pb2.ResetReason.Name(first.reset_reason).removeprefix("RESET_REASON_")
    report.add(f"a view {title}: hello to first frame", milliseconds, "ms", 5)
    report.add("  p99", [percentile(milliseconds, 0.99)], "ms", "-")
    report.add(f"  its bytes (reset {reason})", [first.ByteSize()], "B", "-")
