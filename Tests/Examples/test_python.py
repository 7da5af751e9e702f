"""Runs the clients of examples/python against a real daemon: they print the same as stack-client and survive a restart."""

import contextlib
import importlib
import io
import json
import os
import pathlib
import queue
import subprocess
import sys
import tempfile
import threading
import types
import unittest
from unittest import mock

ROOT = pathlib.Path(__file__).resolve().parents[2]
BIN = ROOT / ".build" / "debug"
WIDTH = "60"
PATIENCE = 20  # seconds to wait for something that should happen at once


class Lines:
    """Collects the lines that a process prints, so that a test can wait for one."""

    def __init__(self, stream):
        self.queue = queue.Queue()
        threading.Thread(target=self.pump, args=(stream,), daemon=True).start()

    def pump(self, stream):
        for line in stream:
            self.queue.put(line.rstrip("\n"))

    def wait_for(self, words):
        """Discards lines up to and including one that contains `words`; raises queue.Empty if there is none in time."""
        while words not in self.queue.get(timeout=PATIENCE):
            pass


class PythonExample(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        subprocess.run([ROOT / "examples/python/generate", sys.executable], check=True)

    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.socket = os.path.join(self.folder.name, "daemon.sock")
        # None of the user's files are read or written: home and every folder of the XDG specification belong to the test.
        self.environment = dict(os.environ, TZ="UTC", HOME=self.folder.name, XDG_RUNTIME_DIR=self.folder.name)
        for name in ("XDG_DATA_HOME", "XDG_STATE_HOME", "XDG_CONFIG_HOME", "XDG_CACHE_HOME"):
            self.environment[name] = os.path.join(self.folder.name, name)
        self.start_daemon()
        self.addCleanup(lambda: self.stop_daemon())
        self.client("import", "auto", str(ROOT / "examples/timeline.jsonl"))

    def start_daemon(self):
        store = os.path.join(self.folder.name, "store.sqlite")
        self.daemon = subprocess.Popen(
            [BIN / "stack-daemon", "--socket", self.socket, "--store", store], env=self.environment, stderr=subprocess.DEVNULL)
        waiting = threading.Event()
        for _ in range(PATIENCE * 20):
            if os.path.exists(self.socket) and self.client("status", check=False).returncode == 0:
                return
            self.assertIsNone(self.daemon.poll(), "the daemon exited before it listened")
            waiting.wait(0.05)
        self.fail("the daemon is not listening")

    def stop_daemon(self):
        self.daemon.terminate()
        self.assertEqual(self.daemon.wait(timeout=PATIENCE), 0)

    def client(self, *arguments, check=True, **options):
        return subprocess.run(
            [BIN / "stack-client", "--socket", self.socket, "--width", WIDTH, *arguments],
            env=self.environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, check=check, **options)

    def example(self, *arguments):
        return [sys.executable, ROOT / "examples/python/timeline.py", "--socket", self.socket, "--width", WIDTH, *arguments]

    def test_timeline_prints_the_same_rows_lines_and_labels_as_stack_client(self):
        rows = [json.loads(line) for line in self.client("--jsonl", "timeline", "-n", "200").stdout.splitlines()]
        self.assertEqual(len(rows), 200)
        rows.sort(key=lambda row: (row["created_at"], int(row["id"])))
        shown = subprocess.run(self.example("--count", "200"), env=self.environment, capture_output=True, text=True, check=True)
        self.assertEqual(shown.stdout.split("\n"), [line for row in rows for line in self.expected_lines(row)] + [""])

    def expected_lines(self, row):
        """Yields the lines that the example should print for a row of stack-client's JSON."""
        if row["reposted_by"]:
            yield "reposted by {name} @{handle}".format(**row["reposted_by"])
        yield "{name} @{handle}".format(**row["author"]) + f" · {row['label']}"
        if row["content_warning"]:
            yield f"[warning: {row['content_warning']}]"
        else:
            text = row["text"].encode()
            for start, end in zip([0, *row["line_ends"]], row["line_ends"] if text else []):
                yield text[start:end].decode().rstrip(" \n")
        for media in row["media"]:
            yield f"[{media['kind']}: {media['alt'] or 'no description'}]"
        yield ""

    def test_timeline_prints_new_posts_at_once_even_after_a_restart_of_the_daemon(self):
        process = subprocess.Popen(
            self.example("--count", "1", "--follow"), env=self.environment, stdout=subprocess.PIPE, text=True)
        # Cleanups run in reverse order: the pipe is closed after the process has exited, when the pump has read all of it.
        self.addCleanup(process.stdout.close)
        self.addCleanup(process.wait)
        self.addCleanup(process.kill)
        lines = Lines(process.stdout)
        lines.wait_for("Otter.")
        self.client("post", "Hello from another terminal")
        lines.wait_for("Hello from another terminal")
        self.stop_daemon()
        self.start_daemon()
        self.client("post", "Hello again")
        lines.wait_for("Hello again")
        self.client("import", "jsonl", "-", input='{"id": "1", "author": "a", "created_at": "2999-01-01T00:00:00Z", "text": "Far off"}')
        lines.wait_for("Far off")
        self.client("post", "Hello below it")
        lines.wait_for("Hello below it")

    def test_viewer_accepts_keys_before_the_first_frame(self):
        events, silent_stub = queue.SimpleQueue(), types.SimpleNamespace(Attach=lambda frames: iter(()))
        for key in "jk":
            events.put(("key", key))
        with mock.patch("os.get_terminal_size", return_value=os.terminal_size((80, 24))):
            with contextlib.redirect_stdout(io.StringIO()):
                self.assertIsNone(self.module("viewer").view(silent_stub, "main", events))

    def test_the_default_socket_is_the_one_the_client_uses(self):
        address = self.module("address")
        for named, runtime, path in [
            ("", "/run/user/7", "/run/user/7/stack/daemon.sock"), ("", "relative", f"/tmp/stack-{os.geteuid()}/daemon.sock"),
            ("", "", f"/tmp/stack-{os.geteuid()}/daemon.sock"), ("/run/team/daemon.sock", "/run/user/7", "/run/team/daemon.sock"),
        ]:
            with mock.patch.dict(os.environ, STACK_SOCKET=named, XDG_RUNTIME_DIR=runtime):
                self.assertEqual(address.daemon_socket(), path)

    def module(self, name):
        """Returns one of the examples as a module."""
        with mock.patch.object(sys, "path", [str(ROOT / "examples/python"), *sys.path]):
            return importlib.import_module(name)

    def test_timeline_without_a_daemon_fails_with_one_line(self):
        self.stop_daemon()
        result = subprocess.run(self.example(), env=self.environment, capture_output=True, text=True)
        self.assertEqual(result.returncode, 1)
        self.assertEqual(len(result.stderr.splitlines()), 1, result.stderr)
        self.start_daemon()


if __name__ == "__main__":
    unittest.main()
