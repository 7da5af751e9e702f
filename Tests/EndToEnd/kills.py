#!/usr/bin/env python3
"""Kills a real daemon with SIGKILL at random points while clients write to it, and looks what is left.

    Tests/EndToEnd/kills.py [--kills N] [--seed S] [--clients C]

Each client goes on writing under names of its own for its commands, and asks again under the same name for what was not answered. After
each kill a new daemon is started on the same store. What has to hold: every post that was answered is there, once, with the number that was
told; nothing is there that nobody asked for; a pane stack is what the commands made that were answered, each done once however often
it was asked for; the store finds nothing wrong with itself.

Everything is drawn from the seed but the moments, which are the machine's own.
"""

import argparse
import json
import os
import pathlib
import random
import signal
import subprocess
import sys
import tempfile
import threading
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
BIN = pathlib.Path(os.environ.get("STACK_BIN", ROOT / ".build/debug"))
PATIENCE = 30  # seconds until a thing that should come at once is taken as lost
DEADLINE = 5  # seconds for one command


def stubs(folder):
    """The messages and stubs of Proto/stack/v1, generated into `folder`."""
    files = sorted(str(path.relative_to(ROOT / "Proto")) for path in (ROOT / "Proto/stack/v1").glob("*.proto"))
    subprocess.run(
        [sys.executable, "-m", "grpc_tools.protoc", f"-I{ROOT / 'Proto'}", f"--python_out={folder}", f"--grpc_python_out={folder}",
         *files], check=True)
    sys.path.insert(0, str(folder))


class Daemon:
    """stack-daemon on one store, started again and again."""

    def __init__(self, folder):
        self.folder = pathlib.Path(folder)
        self.socket = self.folder / "run/daemon.sock"
        self.process = None

    def start(self):
        command = [BIN / "stack-daemon", "--store", self.folder / "store.db", "--socket", self.socket]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        line = self.process.stdout.readline().strip()
        assert line == "ready", f"the daemon says {line!r} and not that it is ready"

    def kill(self):
        self.process.send_signal(signal.SIGKILL)
        self.process.wait(PATIENCE)
        self.process.stdout.close()

    def stop(self):
        self.process.terminate()
        assert self.process.wait(PATIENCE) == 0, "the daemon did not end in good order"
        self.process.stdout.close()


class Client(threading.Thread):
    """Writes one post after another, and pushes and pops panes of a session of its own, until it is told to stop."""

    def __init__(self, number, socket, seed):
        super().__init__(daemon=True)
        self.number, self.random, self.target = number, random.Random(seed * 1000 + number), f"unix:{socket}"
        self.posts = {}  # text -> number told
        self.asked = set()  # texts of posts that were asked for
        self.depth = 1  # panes the session has
        self.ended, self.failure, self.commands, self.attempts = threading.Event(), None, 0, 0

    def run(self):
        try:
            while not self.ended.is_set():
                self.commands += 1
                kind = self.random.random()
                if kind < 0.8 or not self.posts:
                    self.post(f"{self.number}.{self.commands} " + "word " * self.random.randrange(20))
                elif kind < 0.9 and self.depth < 10:
                    self.stack("Push", 1)
                elif self.depth > 1:
                    self.stack("Pop", -1)
        except Exception as error:  # pylint: disable=broad-except
            self.failure = error

    def command(self, call):
        """Calls until there is an answer; nil if the client is to end first."""
        import grpc  # pylint: disable=import-outside-toplevel

        self.attempts = 0
        while not self.ended.is_set():
            self.attempts += 1
            try:
                with grpc.insecure_channel(self.target, [("grpc.enable_retries", 0)]) as channel:
                    return call(channel)
            except grpc.RpcError as error:
                retried = (grpc.StatusCode.UNAVAILABLE, grpc.StatusCode.DEADLINE_EXCEEDED)
                if error.code() not in retried:  # pylint: disable=no-member
                    raise
                self.ended.wait(0.01)
        return None

    def post(self, text):
        from stack.v1 import timeline_service_pb2 as messages  # pylint: disable=import-outside-toplevel
        from stack.v1 import timeline_service_pb2_grpc as services  # pylint: disable=import-outside-toplevel
        from stack.v1 import types_pb2  # pylint: disable=import-outside-toplevel

        request = messages.ComposeRequest(
            request_id=f"{self.number}-{self.commands}", text=text, visibility=types_pb2.VISIBILITY_PUBLIC)
        self.asked.add(text.strip())
        answer = self.command(lambda channel: services.TimelineServiceStub(channel).Compose(request, timeout=DEADLINE))
        if answer:
            self.posts[text.strip()] = answer.post_id

    def stack(self, name, change):
        from stack.v1 import stack_service_pb2 as messages  # pylint: disable=import-outside-toplevel
        from stack.v1 import stack_service_pb2_grpc as services  # pylint: disable=import-outside-toplevel
        from stack.v1 import types_pb2  # pylint: disable=import-outside-toplevel

        command = messages.SessionCommand(session=f"client-{self.number}", request_id=f"s{self.number}-{self.commands}")
        subject = types_pb2.Subject(conversation=str(self.random.choice(list(self.posts.values()))))
        request = messages.PushRequest(command=command, subject=subject)
        if name == "Pop":
            request = messages.PopRequest(command=command)
        answer = self.command(lambda channel: getattr(services.StackServiceStub(channel), name)(request, timeout=DEADLINE))
        if not answer:
            return
        depth, expected = self.look(), self.depth + change
        assert depth in (expected, None), f"{name} was answered; the session has {depth} panes and not {expected}"
        self.depth = expected

    def look(self):
        """The number of panes of the session, as a view shows it."""
        from stack.v1 import frames_pb2, types_pb2, view_service_pb2  # pylint: disable=import-outside-toplevel
        from stack.v1 import view_service_pb2_grpc  # pylint: disable=import-outside-toplevel

        layout = types_pb2.Layout(width=80, height=24)
        hello = frames_pb2.Hello(session=f"client-{self.number}", layout=layout)

        def first(channel):
            watch = view_service_pb2_grpc.ViewServiceStub(channel).Watch(view_service_pb2.WatchRequest(hello=hello), timeout=DEADLINE)
            frame = next(iter(watch))
            watch.cancel()
            return sum(operation.HasField("pane_pushed") for operation in frame.operations)

        return self.command(first)


def exported(socket):
    """Text and number of every post, as the store has it."""
    import grpc  # pylint: disable=import-outside-toplevel
    from stack.v1 import timeline_service_pb2 as messages  # pylint: disable=import-outside-toplevel
    from stack.v1 import timeline_service_pb2_grpc as services  # pylint: disable=import-outside-toplevel

    with grpc.insecure_channel(f"unix:{socket}") as channel:
        stream = services.TimelineServiceStub(channel).Export(messages.ExportRequest(), timeout=PATIENCE)
        lines = b"".join(part.lines for part in stream)
    return [(post["text"].strip(), int(post["id"].rsplit("-", 1)[1])) for post in map(json.loads, lines.splitlines())]


def check(clients, socket):
    """Fails where a promise was broken."""
    stored = exported(socket)
    texts = dict(stored)
    assert len(texts) == len(stored), "a post is stored twice"
    for client in clients:
        for text, number in list(client.posts.items()):
            assert texts.get(text) == number, f"post {number} ({text!r}) was answered and is not there: {texts.get(text)}"
    asked = set().union(*(client.asked for client in clients))
    assert set(texts) <= asked, f"nobody asked for {set(texts) - asked}"
    return len(stored)


def findings(socket):
    """What the store says of itself."""
    import grpc  # pylint: disable=import-outside-toplevel
    from stack.v1 import daemon_service_pb2 as messages  # pylint: disable=import-outside-toplevel
    from stack.v1 import daemon_service_pb2_grpc as services  # pylint: disable=import-outside-toplevel

    with grpc.insecure_channel(f"unix:{socket}") as channel:
        stub = services.DaemonServiceStub(channel)
        return list(stub.CheckIntegrity(messages.CheckIntegrityRequest(), timeout=PATIENCE).findings)


def run(kills, seed, clients=8):
    """Kills the daemon so often, and returns what was stored; an AssertionError says what went wrong."""
    draw = random.Random(seed)
    with tempfile.TemporaryDirectory(prefix="stack-kills-", ignore_cleanup_errors=True) as folder:
        daemon = Daemon(folder)
        writers = [Client(number, daemon.socket, seed) for number in range(clients)]
        daemon.start()
        for writer in writers:
            writer.start()
        try:
            for kill in range(kills):
                # Some while it starts, some while it writes.
                time.sleep(draw.choice([0, 0.01, 0.1, 0.3, 0.5]) * draw.random())
                daemon.kill()
                daemon.start()
                if kill % 10 == 9:
                    assert not findings(daemon.socket), findings(daemon.socket)
                failures = [writer.failure for writer in writers if writer.failure]
                assert not failures, failures
            before = sum(len(writer.posts) for writer in writers)
            deadline = time.monotonic() + PATIENCE
            while sum(len(writer.posts) for writer in writers) < before + clients and time.monotonic() < deadline:
                time.sleep(0.01)
        finally:
            for writer in writers:
                writer.ended.set()
            for writer in writers:
                writer.join(PATIENCE)
            failed = sys.exc_info()[0] is not None or any(writer.failure or writer.is_alive() for writer in writers)
            if failed:
                daemon.kill()
        failures = [writer.failure for writer in writers if writer.failure]
        assert not failures, failures
        try:
            stored = check(writers, daemon.socket)
            assert not findings(daemon.socket), findings(daemon.socket)
            return stored, sum(len(writer.posts) for writer in writers)
        finally:
            daemon.stop()


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--kills", type=int, default=50)
    parser.add_argument("--seed", type=int, default=random.randrange(1 << 30))
    parser.add_argument("--clients", type=int, default=8)
    options = parser.parse_args()
    print(f"seed {options.seed}", flush=True)
    with tempfile.TemporaryDirectory(prefix="stack-stubs-") as folder:
        stubs(folder)
        stored, answered = run(options.kills, options.seed, options.clients)
    print(f"{options.kills} kills: {answered} posts answered, all of them there; {stored} stored, each once; nothing wrong with the store")


if __name__ == "__main__":
    main()
