"""Fixtures: a daemon and clients in a folder of their own, and terminals to run them in.

Tests never sleep for a fixed time. They poll until a condition holds or a deadline has passed.
"""

import contextlib
import functools
import json
import os
import pathlib
import queue
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time

import pytest
from grpclib import GRPCError, Status
from grpclib.exceptions import StreamTerminatedError
from seeding import call

ROOT = pathlib.Path(__file__).resolve().parents[2]
BIN = pathlib.Path(os.environ.get("STACK_BIN", ROOT / ".build/debug"))
# The tests that take 20 s or more.
LONGEST = {
    "test_each_key_has_its_effect", "test_a_gap_is_filled_from_both_ends_across_a_kill", "test_line_mode_filters_rows",
    "test_the_top_line_never_moves_and_new_posts_are_counted", "test_kills_of_daemon_and_program_lose_and_repeat_nothing",
    "test_random_keys_leave_no_stale_cells_and_the_terminal_is_restored",
    "test_a_kill_during_a_backup_leaves_no_half_file_under_the_name",
}
PATIENCE = 30  # seconds to wait for something that should happen at once

# Child processes inherit ignored signals, and nohup ignores SIGHUP.
signal.signal(signal.SIGHUP, signal.SIG_DFL)


def wait_until(condition, what, pause=0.02):
    """Polls until `condition()` is true, and returns its value. Polls less often in time: a poll runs a program.

    The first poll is followed by `pause` seconds.
    """
    clock, deadline = threading.Event(), time.monotonic() + PATIENCE
    while time.monotonic() < deadline:
        if found := condition():
            return found
        clock.wait(pause)
        pause = min(1.5 * pause, 0.2)
    raise AssertionError(f"timed out waiting for: {what() if callable(what) else what}")


def is_running(process):
    """Returns false for a process that has ended, even if its parent does not know yet."""
    try:
        return pathlib.Path(f"/proc/{process}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


class Events:
    """The events of a running `watch --jsonl`."""

    def __init__(self, process):
        self.process, self.lines = process, queue.Queue()
        threading.Thread(target=self.read, daemon=True).start()

    def read(self):
        for line in self.process.stdout:
            self.lines.put(line)

    def next(self):
        """Returns the next event's kind and the text of its row."""
        try:
            event = json.loads(self.lines.get(timeout=PATIENCE))
        except queue.Empty:
            raise AssertionError("no further event from the watch") from None
        return event["event"], event.get("row", {}).get("text")

    def take(self, count):
        """Returns the next `count` events."""
        return [self.next() for _ in range(count)]


class Terminal:
    """A command in the only window of a tmux server."""

    def __init__(self, place, command, columns=80, lines=24):
        self.place, self.name = place, f"stack-{os.getpid()}-{place.next_number()}"
        # The option comes first, since the window of a command that ends at once would close.
        self.tmux(
            "-f", "/dev/null", "start-server", ";", "set-option", "-g", "remain-on-exit", "on", ";",
            "new-session", "-d", "-x", str(columns), "-y", str(lines), command)

    def tmux(self, *arguments):
        command = ["tmux", "-L", self.name, *arguments]
        return subprocess.run(command, env=self.place.environment, capture_output=True, text=True, check=True).stdout

    def screen(self, *options):
        """Returns the screen, and up to 200 lines of scrollback."""
        return self.tmux("capture-pane", "-p", "-S", "-200", *options)

    def wait_for(self, words):
        wait_until(lambda: words in self.screen(), lambda: f"{words!r} in\n{self.screen()}")

    def wait_for_end(self):
        """Waits until the command has ended. Its output remains."""
        wait_until(lambda: self.tmux("list-panes", "-F", "#{pane_dead}").startswith("1"), self.screen)

    def press(self, *keys):
        # tmux treats a lone ";" as the end of its command.
        self.tmux("send-keys", *("\\;" if key == ";" else key for key in keys))

    def close(self):
        subprocess.run(["tmux", "-L", self.name, "kill-server"], capture_output=True, check=False)

    def resize(self, columns, lines):
        self.tmux("resize-window", "-x", str(columns), "-y", str(lines))

    def picture(self):
        """Returns the lines of the screen once two consecutive captures are equal."""
        looks = [self.tmux("capture-pane", "-p")]

        def rests():
            looks.append(self.tmux("capture-pane", "-p"))
            return looks[-1] == looks[-2]

        wait_until(rests, "a stable screen")
        return looks[-1].splitlines()


class Person:
    """A user of stack-client."""

    options = ()  # options of every call
    address, token_text = None, ""  # where `seeding` finds the daemon, and the token it shows

    def client(self, *arguments, code=0, binary=False, **options):
        """Runs stack-client to its end, and checks its exit code unless `code` is None."""
        if "input" not in options:
            options.setdefault("stdin", subprocess.DEVNULL)
        result = subprocess.run(
            [options.pop("program", BIN / "stack-client"), *self.options, *map(str, arguments)],
            env=options.pop("environment", self.environment), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=not binary,
            timeout=2 * PATIENCE, check=False, **options)
        assert code in (None, result.returncode), f"{arguments} exited with {result.returncode}: {result.stderr}"
        return result

    def fails(self, *arguments, code, words, **options):
        """Runs stack-client, and checks that it exits with `code` and one line on stderr that contains `words`."""
        result = self.client(*arguments, code=code, **options)
        lines = [line for line in result.stderr.splitlines() if "started " not in line]
        assert len(lines) == 1 and lines[0].startswith("stack-client: "), result.stderr
        assert words in lines[0], lines[0]
        return result

    def start(self, *arguments, **options):
        """Starts stack-client, which runs until it ends or the test does."""
        process = subprocess.Popen(
            [BIN / "stack-client", *self.options, *arguments], env=self.environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
            # Processes started in the background may inherit an ignored SIGINT.
            preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL), text=True, **options)

        def end():
            if process.poll() is None:
                process.kill()
            process.communicate()

        self.cleanup.callback(end)
        return process

    def post(self, *words):
        """Writes a post, and returns its ID. A text without options does not need stack-client, if a daemon is running."""
        if len(words) == 1 and words[0].strip("-"):
            with contextlib.suppress(OSError):
                answer = call(self.address, "TimelineService/Compose", self.token_text, text=words[0], visibility="VISIBILITY_PUBLIC")
                return str(answer.post_id)
        return self.client("-q", "post", *words).stdout.strip()

    def rows(self, *words):
        """Returns the rows that a verb prints."""
        return [json.loads(line) for line in self.client(*words, "--jsonl").stdout.splitlines()]

    def texts(self, *words):
        """Returns the texts of the rows that a verb prints."""
        return [row["text"] for row in self.rows(*words)]

    def value(self, *words, **options):
        """Returns the output of a verb with --json."""
        return json.loads(self.client(*words, "--json", **options).stdout)


class Guest(Person):
    """An account that connects over TCP with a token."""

    def __init__(self, place, name, scopes):
        self.place, self.environment, self.cleanup, self.name = place, place.environment, place.cleanup, name
        issued = call(
            place.address, "AccountService/IssueToken", name=f"for {name}", account=name,
            scopes=[f"SCOPE_{scope.upper()}" for scope in scopes.split(",")])
        self.address, self.token, self.token_text = place.tcp, str(issued.token_id), issued.token
        self.file = place.folder / f"{name}.{place.next_number()}.token"
        self.file.touch(mode=0o600)
        self.file.write_text(f"{issued.token}\n", encoding="ascii")
        self.options = ("--connect", place.tcp, "--token-file", self.file)


class Place(Person):
    """A home folder with everything that runs in it."""

    def __init__(self, folder, cleanup):
        self.folder, self.cleanup, self.numbers = pathlib.Path(folder), cleanup, iter(range(10_000))
        self.socket, self.tcp = self.folder / "run/stack/daemon.sock", None
        self.address = self.socket
        self.environment = {
            "PATH": os.environ["PATH"], "HOME": str(self.folder), "TERM": "xterm-256color", "LANG": "C.UTF-8", "TZ": "UTC",
            "HISTFILE": "/dev/null",  # else a shell writes its history while the folder is being removed
            "XDG_RUNTIME_DIR": str(self.folder / "run"), "XDG_STATE_HOME": str(self.folder / "state"),
            "XDG_DATA_HOME": str(self.folder / "data"), "XDG_CONFIG_HOME": str(self.folder / "config"),
        }
        (self.folder / "run").mkdir(mode=0o700)

    def next_number(self):
        return next(self.numbers)

    @property
    def log(self):
        """Returns the log of daemons that clients have started."""
        return self.folder / "state/stack/daemon.log"

    def terminal(self, words, program=BIN / "stack-client", **size):
        """Returns a terminal that runs stack-client, or another program, with these arguments, and stays open afterwards."""
        command = f"{program} {words}"
        if program == BIN / "stack-client" and words.split(" ")[0].isalpha() and not words.startswith("attach"):
            # When a program ends, tmux 3.3 may not wait for its last output, which is still in the kernel.
            command += "; code=$?; sleep 0.1; exit $code"
        terminal = Terminal(self, command, **size)
        self.cleanup.callback(terminal.close)
        return terminal

    @contextlib.contextmanager
    def running(self, *options):
        """Runs a daemon with these options, which also listens on TCP; checks that it stops gracefully."""
        process = subprocess.Popen(
            [BIN / "stack-daemon", "--listen", "127.0.0.1:0", *map(str, options)], env=self.environment, stdout=subprocess.PIPE,
            text=True)
        said = "".join(iter(process.stdout.readline, "ready\n"))
        self.tcp = said.split("listening on ")[1].split()[0]
        try:
            yield self
        finally:
            process.terminate()
            assert process.wait(timeout=PATIENCE) == 0, "the daemon did not stop gracefully"
            process.stdout.close()

    def guest(self, name, scopes="view,panes,post", follows="open"):
        """Creates an account if needed, and a token for it. Unless told otherwise, the accounts of a place follow each other."""
        call(self.address, "AccountService/SetFollowPolicy", follows=f"FOLLOW_POLICY_{follows.upper()}")
        try:
            call(self.address, "AccountService/CreateAccount", name=name)
        except GRPCError as error:
            assert error.status == Status.ALREADY_EXISTS, error
        return Guest(self, name, scopes)

    @functools.cached_property
    def name(self):
        """The name of the account of the user who runs the tests. A daemon must be running."""
        return call(self.address, "AccountService/WhoAmI").account.name

    def stop(self):
        """Stops the daemon that a client has started, if it still runs, and waits until its process has ended."""
        try:
            process = call(self.address, "DaemonService/GetStatus").process_id
        except (OSError, StreamTerminatedError):
            return  # it has ended, or has been killed
        except GRPCError:
            # A daemon with a damaged store does not tell its status.
            self.client("-q", "daemon", "stop")
            return
        os.kill(process, signal.SIGTERM)
        wait_until(lambda: not is_running(process), f"the end of the daemon, process {process}")


def pytest_collection_modifyitems(items):
    """Begins with the tests that take longest, so that no worker is left with one of them at the end."""
    items.sort(key=lambda item: item.originalname not in LONGEST)


@pytest.fixture
def place():
    with contextlib.ExitStack() as cleanup:
        folder = cleanup.enter_context(tempfile.TemporaryDirectory(prefix="stack-e2e-", ignore_cleanup_errors=True))
        made = Place(folder, cleanup)
        cleanup.callback(made.stop)
        yield made


@pytest.fixture(scope="session")
def viewer():
    """Returns the command that runs the full-screen example."""
    subprocess.run([ROOT / "examples/python/generate", sys.executable], check=True)
    return f"{sys.executable} {ROOT / 'examples/python/viewer.py'}"


@pytest.fixture(scope="session", autouse=True)
def programs():
    """Fails early with advice if the programs or tmux are missing."""
    for name in ("stack-client", "stack-daemon"):
        assert (BIN / name).exists(), f"{BIN / name} is missing: run `swift build`, or set STACK_BIN to a folder"
    assert shutil.which("tmux"), "tmux is missing: run `scripts/setup`"
