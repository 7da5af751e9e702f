"""The client in examples/python, run against a real daemon: it shows what stack-client shows, and goes on after a restart."""

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
PATIENCE = 20  # seconds until a thing that should come at once is taken as lost


class Lines:
    """The lines a process prints, to be waited for."""

    def __init__(self, stream):
        self.queue = queue.Queue()
        threading.Thread(target=self.pump, args=(stream,), daemon=True).start()

    def pump(self, stream):
        for line in stream:
            self.queue.put(line.rstrip("\n"))

    def wait_for(self, words):
        """Takes lines up to one that contains `words`; raises queue.Empty where none comes."""
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
        # No place of the user's is read or written: home and all folders of the XDG specification are the test's own.
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
            self.assertIsNone(self.daemon.poll(), "the daemon ended before it listened")
            waiting.wait(0.05)
        self.fail("the daemon does not listen")

    def stop_daemon(self):
        self.daemon.terminate()
        self.assertEqual(self.daemon.wait(timeout=PATIENCE), 0)

    def client(self, *arguments, check=True):
        return subprocess.run(
            [BIN / "stack-client", "--socket", self.socket, "--width", WIDTH, *arguments],
            env=self.environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, check=check)

    def example(self, *arguments):
        return [sys.executable, ROOT / "examples/python/timeline.py", "--socket", self.socket, "--width", WIDTH, *arguments]

    def test_it_shows_the_rows_lines_and_labels_that_stack_client_shows(self):
        rows = [json.loads(line) for line in self.client("--jsonl", "timeline", "-n", "200").stdout.splitlines()]
        self.assertEqual(len(rows), 200)
        rows.sort(key=lambda row: (row["created_at"], int(row["id"])))
        shown = subprocess.run(self.example("--count", "200"), env=self.environment, capture_output=True, text=True, check=True)
        self.assertEqual(shown.stdout.split("\n"), [line for row in rows for line in self.painted(row)] + [""])

    def painted(self, row):
        """What the example should print for a row, told from stack-client's JSON."""
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

    def test_it_shows_at_once_what_is_posted_elsewhere_also_after_the_daemon_was_restarted(self):
        process = subprocess.Popen(
            self.example("--count", "1", "--follow"), env=self.environment, stdout=subprocess.PIPE, text=True)
        # In the reverse order: the pump reads to the end of the pipe, which comes with the end of the process.
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

    def test_the_screen_takes_keys_before_it_has_anything_to_show(self):
        events, nothing_yet = queue.SimpleQueue(), types.SimpleNamespace(Attach=lambda said: iter(()))
        for key in "jk":
            events.put(("key", key))
        with mock.patch("os.get_terminal_size", return_value=os.terminal_size((80, 24))):
            with contextlib.redirect_stdout(io.StringIO()):
                self.assertIsNone(self.module("viewer").view(nothing_yet, "main", events))

    def test_they_look_for_the_daemon_where_it_listens(self):
        address = self.module("address")
        for runtime, path in [
            ("/run/user/7", "/run/user/7/stack/daemon.sock"), ("relative", f"/tmp/stack-{os.geteuid()}/daemon.sock"),
            ("", f"/tmp/stack-{os.geteuid()}/daemon.sock"),
        ]:
            with mock.patch.dict(os.environ, XDG_RUNTIME_DIR=runtime):
                self.assertEqual(address.daemon_socket(), path)

    def module(self, name):
        """One of the examples as a module."""
        with mock.patch.object(sys, "path", [str(ROOT / "examples/python"), *sys.path]):
            return importlib.import_module(name)

    def test_without_a_daemon_it_says_so_in_one_line(self):
        self.stop_daemon()
        ended = subprocess.run(self.example(), env=self.environment, capture_output=True, text=True)
        self.assertEqual(ended.returncode, 1)
        self.assertEqual(len(ended.stderr.splitlines()), 1, ended.stderr)
        self.start_daemon()


if __name__ == "__main__":
    unittest.main()
