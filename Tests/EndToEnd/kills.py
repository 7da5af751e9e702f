#!/usr/bin/env python3
"""Kills a real daemon with SIGKILL at random points while clients write to it, and checks what is left.

    Tests/EndToEnd/kills.py [--kills N] [--seed S] [--clients C] [--watches W] [--attacks]

Each client keeps writing with request IDs, and retries commands without a response under the same ID. After each kill a new daemon is
started on the same store. Invariants: every acknowledged post exists once, with the ID returned; no other posts exist; a pane stack
reflects the acknowledged commands, each carried out once; the store's integrity check finds nothing; each watch tells every post once.
With --attacks, those of Benchmarks/abuse.py are made meanwhile, one after the other, on the daemon's TCP port and its socket.

Everything except timing is drawn from the seed.
"""

import argparse
import collections
import json
import os
import pathlib
import random
import shutil
import signal
import socket
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

    def __init__(self, folder, port=None, options=()):
        self.folder = pathlib.Path(folder)
        self.socket = self.folder / "run/daemon.sock"
        self.process, self.port, self.options = None, port, options

    def start(self):
        command = [BIN / "stack-daemon", "--store", self.folder / "store.db", "--socket", self.socket, *self.options]
        if self.port:
            command += ["--listen", f"127.0.0.1:{self.port}", "--token-file", self.folder / "token"]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        for line in self.process.stdout:
            if line == "ready\n":
                return
        raise AssertionError(f"the daemon ended with {self.process.wait(PATIENCE)}")

    def kill(self):
        self.process.send_signal(signal.SIGKILL)
        self.process.wait(PATIENCE)
        self.process.stdout.close()

    def stop(self):
        self.process.terminate()
        assert self.process.wait(PATIENCE) == 0, "the daemon did not stop gracefully"
        self.process.stdout.close()


class Watch(threading.Thread):
    """A `stack-client watch`, which goes on whenever the daemon dies."""

    def __init__(self, socket):
        super().__init__(daemon=True)
        self.told, self.gaps = collections.Counter(), []
        # A client without a daemon beside it starts none.
        command = [socket.parent.parent / "alone/stack-client", "--socket", socket, "-q", "watch", "--jsonl", "-n", "200"]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)

    def run(self):
        for line in self.process.stdout:
            event = json.loads(line)
            if event["event"] == "inserted":
                self.told[event["row"]["text"].strip()] += 1
            elif event["event"] == "gap":
                self.gaps.append((int(event["older"]), int(event["newer"])))

    def due(self, posts):
        """Returns the texts of the posts that are to be told: those of no gap, which has more than 1,000."""
        texts = set(posts)
        for older, newer in list(self.gaps):
            left_out = {text for text, number in posts.items() if older < number < newer}
            assert len(left_out) > 1000, f"a watch left only {len(left_out)} posts out"
            texts -= left_out
        return texts

    def check(self, posts):
        """Waits for the last post, stops, and checks what was told of the posts, which are given by text."""
        deadline = time.monotonic() + PATIENCE
        while self.due(posts) - set(self.told) and time.monotonic() < deadline:
            time.sleep(0.05)
        assert self.process.poll() is None, f"a watch ended by itself with {self.process.returncode}"
        self.process.terminate()
        self.join(PATIENCE)
        texts = self.due(posts)
        missing, again = texts - set(self.told), [text for text, count in self.told.items() if count > 1]
        assert not missing and not again, f"of {len(texts)} posts a watch did not tell {len(missing)}, and told {len(again)} again"


class Attacks(threading.Thread):
    """The attacks of Benchmarks/abuse.py, one after the other, until stopped."""

    def __init__(self, daemon):
        super().__init__(daemon=True)
        self.target, self.ended, self.made = daemon, threading.Event(), []
        self.tokens = [self.token(f"account{number}") for number in range(5)]

    def client(self, *words):
        command = [BIN / "stack-client", "--socket", self.target.socket, *words]
        return subprocess.run(command, check=True, capture_output=True, text=True).stdout

    def token(self, account):
        self.client("account", "make", account)
        return self.client("token", "issue", "attack", "--scope", "view", "--account", account).split()[-1]

    def run(self):
        program = ROOT / "Benchmarks/abuse/attacks.py"
        while not self.ended.is_set():
            for name in ("unread answers", "unended requests", "resets", "measuring", "live searches", "layouts", "honest rows"):
                command = [sys.executable, program, name, "5", self.target.socket, str(self.target.port), *self.tokens]
                done = subprocess.run(command, capture_output=True, text=True)
                self.made.append(f"{name}: {json.loads(done.stdout)['did'] if done.returncode == 0 else done.stderr[-300:]}")
                if self.ended.is_set():
                    break


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


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def run(kills, seed, clients=8, watches=0, attacks=False):
    """Kills the daemon this often; returns the numbers of stored and acknowledged posts, or raises AssertionError."""
    draw = random.Random(seed)
    with tempfile.TemporaryDirectory(prefix="stack-kills-", ignore_cleanup_errors=True) as folder:
        daemon = Daemon(folder, free_port() if attacks else None)
        writers = [Client(number, daemon.socket, seed) for number in range(clients)]
        daemon.start()
        (daemon.folder / "alone").mkdir()
        shutil.copy(BIN / "stack-client", daemon.folder / "alone")
        viewers = [Watch(daemon.socket) for _ in range(watches)]
        attacker = Attacks(daemon) if attacks else None
        for thread in [*viewers, *writers, *([attacker] if attacker else [])]:
            thread.start()
        # A watch that finds no daemon at its start ends, as it should.
        deadline = time.monotonic() + PATIENCE
        while not all(viewer.told for viewer in viewers) and time.monotonic() < deadline:
            time.sleep(0.01)
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
            if attacker:
                attacker.ended.set()
                attacker.join(PATIENCE)
                print("\n".join(attacker.made), flush=True)
            for writer in writers:
                writer.join(PATIENCE)
            failed = sys.exc_info()[0] is not None or any(writer.failure or writer.is_alive() for writer in writers)
            if failed:
                daemon.kill()
        failures = [writer.failure for writer in writers if writer.failure]
        assert not failures, failures
        try:
            stored = check(writers, daemon.socket)
            posts = dict(exported(daemon.socket))
            for viewer in viewers:
                viewer.check(posts)
            assert not findings(daemon.socket), findings(daemon.socket)
            return stored, sum(len(writer.posts) for writer in writers)
        finally:
            for viewer in viewers:
                viewer.process.kill()
            daemon.stop()


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--kills", type=int, default=50)
    parser.add_argument("--seed", type=int, default=random.randrange(1 << 30))
    parser.add_argument("--clients", type=int, default=8)
    parser.add_argument("--watches", type=int, default=4)
    parser.add_argument("--attacks", action="store_true")
    options = parser.parse_args()
    print(f"seed {options.seed}", flush=True)
    with tempfile.TemporaryDirectory(prefix="stack-stubs-") as folder:
        stubs(folder)
        stored, answered = run(options.kills, options.seed, options.clients, options.watches, options.attacks)
    print(f"{options.kills} kills: all {answered} acknowledged posts exist; {stored} posts stored, each once; the store is sound")


if __name__ == "__main__":
    main()
