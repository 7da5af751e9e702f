"""Measures the bytes of a session of scrolling, posting and ticking as frames, as whole screens and as a JSON event stream."""
import contextlib
import json
import time

import grpc
from google.protobuf import json_format

import requests
from harness import Daemon
from mirror import Mirror
from requests import frames_pb2, timeline_service_pb2, types_pb2

LAYOUT = types_pb2.Layout(width=100, height=40, time_style=types_pb2.TIME_STYLE_VERY_SHORT)
STEPS, TICKS, POSTS = 300, 8, 40
HTTP2_HEAD, GRPC_HEAD = 9, 5  # of a DATA frame; of a message
EVENT_STREAM = len("data: \n\n")
WORDS = "the timeline shows what people wrote while nobody looked and every post has its own place in it".split()


class Player:
    """A view that scrolls, and the bytes of its frames in each of the three forms."""

    def __init__(self, channel):
        self.mirror, self.generation = Mirror(), 0
        self.bytes = {"frames": 0, "screens": 0, "JSON events": 0, "up": 0}
        self.frames = 0
        self.say = self.sender()
        views = requests.view_service_pb2_grpc.ViewServiceStub(channel)
        self.timeline = requests.timeline_service_pb2_grpc.TimelineServiceStub(channel)
        self.stream = views.Attach(self.say.messages(), timeout=170)
        self.send(frames_pb2.ClientFrame(hello=frames_pb2.Hello(session="session", layout=LAYOUT)))
        self.receive_frame()

    @staticmethod
    def sender():
        import queue

        class Sender(queue.SimpleQueue):
            def messages(self):
                return iter(self.get, None)

        return Sender()

    def send(self, message):
        self.bytes["up"] += message.ByteSize() + HTTP2_HEAD + GRPC_HEAD
        self.say.put(message)

    def receive_frame(self):
        """Applies, acknowledges and counts the next frame."""
        frame = next(self.stream)
        self.mirror.apply(frame)
        self.send(frames_pb2.ClientFrame(ack=frames_pb2.Ack(frame=frame.number)))
        self.frames += 1
        self.bytes["frames"] += frame.ByteSize() + HTTP2_HEAD + GRPC_HEAD
        self.bytes["screens"] += self.mirror.screen(LAYOUT.height).ByteSize() + HTTP2_HEAD + GRPC_HEAD
        for operation in frame.operations:
            event = json_format.MessageToDict(operation, preserving_proto_field_name=True)
            text = json.dumps(event, ensure_ascii=False, separators=(",", ":"))
            self.bytes["JSON events"] += len(text.encode()) + EVENT_STREAM + HTTP2_HEAD
        return frame

    def scroll(self, rows):
        """Moves down the timeline by `rows` rows (up if negative) and waits for the frame that answers."""
        self.generation += 1
        viewport = self.mirror.move(rows)
        viewport.generation = self.generation
        self.send(frames_pb2.ClientFrame(viewport=viewport))
        while self.receive_frame().viewport_generation != self.generation:
            pass

    def post(self, number):
        """Posts as another program would, and waits for the frame with the post."""
        text = f"{number}: " + " ".join(WORDS[(number * 7 + word) % len(WORDS)] for word in range(8 + number % 20))
        request = timeline_service_pb2.ComposeRequest(text=text, visibility=types_pb2.VISIBILITY_PUBLIC)
        revision = self.timeline.Compose(request, timeout=20).revision
        while self.mirror.revision < revision:
            self.receive_frame()

    def tick(self):
        """Waits for the next change of a label."""
        while not any(operation.HasField("times_refreshed") for operation in self.receive_frame().operations):
            pass


def posts(count):
    """Returns posts as JSON Lines, seven minutes apart, the newest a minute old."""
    now, lines = int(time.time()), []
    for number in range(count):
        words = " ".join(WORDS[(number * 5 + word) % len(WORDS)] for word in range(15 + number % 25))
        when = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(now - 60 - 420 * (count - number)))
        author = {"id": str(number % 50), "handle": f"u{number % 50}"}
        lines.append(json.dumps({"source": "bench", "id": str(number), "created_at": when, "author": author, "text": words}) + "\n")
    return "".join(lines).encode()


def play(player):
    """Scrolls down row by row, pages back and forth and scrolls up again while posts arrive; then stays at the top while the labels of
    new posts tick."""
    for step in range(STEPS - TICKS):
        if step % 7 == 3 and step // 7 < POSTS:
            player.post(step)
        elif step < 150:
            player.scroll(1)
        elif step < 200:
            player.scroll(6 if step % 3 else -6)
        else:
            player.scroll(-3)
    for _ in range(TICKS):
        player.tick()


def run(report, options, make_folder):
    del options
    with contextlib.ExitStack() as stack:
        daemon = Daemon("Attach", "unix", make_folder(), stack, requests, acknowledges=True)
        channel = stack.enter_context(grpc.insecure_channel(f"unix:{daemon.path}"))
        requests.fill(channel, posts(1000))
        player = Player(channel)
        play(player)
        player.send(frames_pb2.ClientFrame(bye=frames_pb2.Bye()))
        player.say.put(None)
        title = f"a session of {STEPS} steps in {player.frames} frames"
        ours = player.bytes["frames"]
        report.add(f"{title}: bytes to the client", [ours / 1000], "KB", "-")
        report.add("  bytes from the client, its acknowledgements among them", [player.bytes["up"] / 1000], "KB", "-")
        for form in ("screens", "JSON events"):
            report.add(f"  as {form}", [player.bytes[form] / 1000], "KB", "-")
            report.add(f"  ours / {form}", [ours / player.bytes[form]], "x", "-")
