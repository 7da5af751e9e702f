#!/usr/bin/env python3
"""Kills a real daemon with SIGKILL at random points while clients write to it, and checks what is left.

    Tests/EndToEnd/kills.py [--kills N] [--seed S] [--clients C]

Each client keeps writing with request IDs, and retries commands without a response under the same ID. After each kill a new daemon is
started on the same store. Invariants: every acknowledged post exists once, with the ID returned; no other posts exist; a pane stack
reflects the acknowledged commands, each carried out once; the store's integrity check finds nothing.

Everything except timing is drawn from the seed.
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
PATIENCE = 30  # seconds to wait for something that should happen at once
DEADLINE = 5  # seconds for a command


def stubs(folder):
    """Generates the messages and stubs of Proto/stack/v1 into `folder`."""
    files = sorted(str(path.relative_to(ROOT / "Proto")) for path in (ROOT / "Proto/stack/v1").glob("*.proto"))
    subprocess.run(
        [sys.executable, "-m", "grpc_tools.protoc", f"-I{ROOT / 'Proto'}", f"--python_out={folder}", f"--grpc_python_out={folder}",
         *files], check=True)
    sys.path.insert(0, str(folder))


class Daemon:
    """A stack-daemon that is repeatedly started on one store."""

    def __init__(self, folder):
        self.folder = pathlib.Path(folder)
        self.socket = self.folder / "run/daemon.sock"
        self.process = None

    def start(self):
        command = [BIN / "stack-daemon", "--store", self.folder / "store.db", "--socket", self.socket]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        line = self.process.stdout.readline().strip()
        assert line == "ready", f"the daemon printed {line!r} instead of ready"

    def kill(self):
        self.process.send_signal(signal.SIGKILL)
        self.process.wait(PATIENCE)
        self.process.stdout.close()

    def stop(self):
        self.process.terminate()
        assert self.process.wait(PATIENCE) == 0, "the daemon did not stop gracefully"
        self.process.stdout.close()


class Client(threading.Thread):
    """A client that writes posts, and pushes and pops panes of its own session, until stopped."""

    def __init__(self, number, socket, seed):
        super().__init__(daemon=True)
        self.number, self.random, self.target = number, random.Random(seed * 1000 + number), f"unix:{socket}"
        self.posts = {}  # text -> acknowledged ID
        self.sent = set()  # texts of all posts sent
        self.depth = 1  # panes of the session
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
        """Calls until there is a response; returns None if the client is stopped first."""
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
        self.sent.add(text.strip())
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
        depth, expected = self.pane_count(), self.depth + change
        assert depth in (expected, None), f"after {name} the session has {depth} panes instead of {expected}"
        self.depth = expected

    def pane_count(self):
        """Returns the number of panes that a view of the session shows."""
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
    """Returns the text and ID of every stored post."""
    import grpc  # pylint: disable=import-outside-toplevel
    from stack.v1 import timeline_service_pb2 as messages  # pylint: disable=import-outside-toplevel
    from stack.v1 import timeline_service_pb2_grpc as services  # pylint: disable=import-outside-toplevel

    with grpc.insecure_channel(f"unix:{socket}") as channel:
        stream = services.TimelineServiceStub(channel).Export(messages.ExportRequest(), timeout=PATIENCE)
        lines = b"".join(part.lines for part in stream)
    return [(post["text"].strip(), int(post["id"].rsplit("-", 1)[1])) for post in map(json.loads, lines.splitlines())]


def check(clients, socket):
    """Checks the invariants of posts, and returns their number."""
    stored = exported(socket)
    texts = dict(stored)
    assert len(texts) == len(stored), "a post is stored twice"
    for client in clients:
        for text, number in list(client.posts.items()):
            assert texts.get(text) == number, f"post {number} ({text!r}) was acknowledged, but the store has {texts.get(text)}"
    sent = set().union(*(client.sent for client in clients))
    assert set(texts) <= sent, f"no client sent {set(texts) - sent}"
    return len(stored)


def findings(socket):
    """Returns the findings of the integrity check."""
    import grpc  # pylint: disable=import-outside-toplevel
    from stack.v1 import daemon_service_pb2 as messages  # pylint: disable=import-outside-toplevel
    from stack.v1 import daemon_service_pb2_grpc as services  # pylint: disable=import-outside-toplevel

    with grpc.insecure_channel(f"unix:{socket}") as channel:
        stub = services.DaemonServiceStub(channel)
        return list(stub.CheckIntegrity(messages.CheckIntegrityRequest(), timeout=PATIENCE).findings)


def run(kills, seed, clients=8):
    """Kills the daemon this often; returns the numbers of stored and acknowledged posts, or raises AssertionError."""
    draw = random.Random(seed)
    with tempfile.TemporaryDirectory(prefix="stack-kills-", ignore_cleanup_errors=True) as folder:
        daemon = Daemon(folder)
        writers = [Client(number, daemon.socket, seed) for number in range(clients)]
        daemon.start()
        for writer in writers:
            writer.start()
        try:
            for kill in range(kills):
                # Some kills come during startup, others during writes.
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
    print(f"{options.kills} kills: all {answered} acknowledged posts exist; {stored} posts stored, each once; the store is sound")


if __name__ == "__main__":
    main()
