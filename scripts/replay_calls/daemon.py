"""Runs a stack-daemon of one build as a process, and makes calls to it."""

import mmap
import os
import struct
import subprocess
import sys
from pathlib import Path

import grpc

UPSTREAM = Path(__file__).with_name("upstream.py")
PATIENCE = 30  # timeout of a call in seconds; a daemon that does not respond is reported, and the world continues


class Failed(Exception):
    """The daemon did not start, or did not stop gracefully."""


class Clock:
    """A daemon's wall clock, which stands still until set (clock.c)."""

    def __init__(self, path):
        path.write_bytes(bytes(8))
        with open(path, "r+b") as file:
            self.page = mmap.mmap(file.fileno(), 8)
        self.now = 0

    def set(self, now):
        """Sets the clock, in milliseconds since 1970."""
        self.now = now
        self.page[:] = struct.pack("=q", now * 1_000_000)

    def advance(self, milliseconds):
        """Lets time pass."""
        self.set(self.now + milliseconds)


class Daemon:
    """A process with its own store, and one connection for all accounts, so that calls arrive in order."""

    def __init__(self, program, preload, folder):
        self.program, self.preload, self.folder, self.process = program, preload, Path(folder), None
        self.channel, self.tokens, self.owner, self.has_upstream = None, {}, None, False
        self.clock = Clock(self.folder / "clock")

    def start(self, at):
        """Starts the daemon at a time of its wall clock."""
        self.clock.set(at)
        command = [self.program, "--store", self.folder / "store.db", "--socket", self.folder / "run/daemon.sock"]
        command += ["--listen", "127.0.0.1:0", "--token-file", self.folder / "token", "--upstream-patience", "86400"]
        if self.has_upstream:
            command += ["--upstream", f"far={sys.executable} -S -E {UPSTREAM} {self.folder / 'far'}"]
        environment = os.environ | {"LD_PRELOAD": str(self.preload), "REPLAY_CLOCK": str(self.folder / "clock"), "TZ": "UTC"}
        with open(self.folder / "log", "a", encoding="utf-8") as log:
            self.process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=log, text=True, env=environment)
        lines = []
        while line := self.process.stdout.readline():
            lines.append(line.strip())
            if lines[-1] == "ready":
                break
        else:
            raise Failed(f"{self.program} ended with {self.process.wait()}: {(self.folder / 'log').read_text()[-500:]}")
        target = next(line for line in lines if line.startswith("listening on ")).removeprefix("listening on ")
        self.channel = grpc.insecure_channel(target, options=[("grpc.max_receive_message_length", -1)])
        self.owner = (self.folder / "token").read_text(encoding="utf-8").strip()

    def stop(self, while_ending=lambda: None):
        """Stops the daemon gracefully. Streams end first; `while_ending` reads their ends."""
        self.process.terminate()
        while_ending()
        self.channel.close()
        self.process.stdout.close()
        code = self.process.wait(timeout=PATIENCE)
        if code != 0:
            raise Failed(f"{self.program} ended with {code}: {(self.folder / 'log').read_text()[-500:]}")

    def kill(self):
        """Kills the daemon."""
        if self.channel:
            self.channel.close()
        if self.process and self.process.poll() is None:
            self.process.kill()
            self.process.wait()

    def metadata(self, user):
        """Returns the metadata that identifies the calling account."""
        return (("authorization", f"Bearer {self.tokens.get(user, self.owner)}"),)

    def unary(self, user, method, request, response):
        """Makes a call with one request, and returns its one response."""
        call = self.channel.unary_unary(path(method), lambda message: message.SerializeToString(), response.FromString)
        return call(request, timeout=PATIENCE, metadata=self.metadata(user), wait_for_ready=True)

    def stream(self, user, method, requests, response):
        """Makes a call that streams in both directions, and returns an iterator over its responses."""
        call = self.channel.stream_stream(path(method), lambda message: message.SerializeToString(), response.FromString)
        return call(requests, timeout=2 * PATIENCE, metadata=self.metadata(user), wait_for_ready=True)


def path(method):
    """Returns the path of a method."""
    return f"/{method.containing_service.full_name}/{method.name}"
