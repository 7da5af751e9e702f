"""Requests of the benchmarks to stack-daemon, encoded with the stubs of examples/python."""
import itertools
import pathlib
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
# Last, because the examples have a module named mirror too.
sys.path.append(str(ROOT / "examples" / "python"))

import grpc  # noqa: E402
from stack.v1 import frames_pb2, stack_service_pb2, stack_service_pb2_grpc, timeline_service_pb2  # noqa: E402, F401
from stack.v1 import timeline_service_pb2_grpc, types_pb2, view_service_pb2, view_service_pb2_grpc  # noqa: E402, F401

# The load client reads and stamps posts of this form. 128 bytes are typical of a post.
MARK = "stack-bench " + "0" * 10 + " " + "0" * 19 + " "
TEXT = (MARK + "An otter floated past the pier this morning, asleep on its back, and nobody in the harbour dared to say a word.")[:128]

# Full times never change, so that every frame shows a post and no frame a label.
LAYOUT = types_pb2.Layout(width=80, height=24, single_pane=True, time_style=types_pb2.TIME_STYLE_LONG)
HELLO = frames_pb2.Hello(session="bench", layout=LAYOUT, client="benchmark")
COMPOSE = timeline_service_pb2.ComposeRequest(text=TEXT, visibility=types_pb2.VISIBILITY_PUBLIC)

watch = view_service_pb2.WatchRequest(hello=HELLO).SerializeToString()
attach = frames_pb2.ClientFrame(hello=HELLO).SerializeToString()
compose = COMPOSE.SerializeToString()


def fill(channel, lines):
    """Imports the bytes of a JSON Lines file and returns the number of new posts."""
    parts = [timeline_service_pb2.ImportRequest(header=timeline_service_pb2.ImportHeader(format="jsonl")),
             timeline_service_pb2.ImportRequest(file=timeline_service_pb2.ImportFile(name="posts.jsonl", size=len(lines)))]
    chunks = (timeline_service_pb2.ImportRequest(chunk=lines[at:at + 65536]) for at in range(0, len(lines), 65536))
    *_, last = timeline_service_pb2_grpc.TimelineServiceStub(channel).Import(itertools.chain(parts, chunks), timeout=600)
    assert last.done and last.skipped == 0, f"the import failed: {last}"
    return last.new_posts


def frame_of_one_post(path):
    """Returns the bytes of the frame that the daemon on socket `path` sends to a view for one new post."""
    with grpc.insecure_channel(f"unix:{path}") as channel:
        stream = channel.unary_stream("/stack.v1.ViewService/Watch", lambda message: message, lambda message: message)(watch, timeout=20)
        next(stream)
        timeline_service_pb2_grpc.TimelineServiceStub(channel).Compose(COMPOSE, timeout=20)
        payload = next(stream)
        stream.cancel()
    frame = frames_pb2.ServerFrame.FromString(payload)
    rows = [row.row.text for operation in frame.operations for row in operation.rows_inserted.rows]
    assert rows == [TEXT], f"unexpected frame for one post: {frame}"
    return payload
