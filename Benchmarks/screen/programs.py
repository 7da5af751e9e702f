"""The programs under test: how each imports its posts and starts, and the keys for the same actions."""
import os
import pathlib
import re
import shutil
import subprocess
import sys
import time

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "streaming"))

import posts  # noqa: E402
from harness import ROOT, read_line, start, stop  # noqa: E402
from terminal import Terminal  # noqa: E402

RELEASE = ROOT / ".build" / "release"
ENTER, REDRAW, PAGE_DOWN = b"\r", b"\x0c", b"\x1b[6~"


class Program:
    """A program with `count` posts in its own folder."""

    name = ""
    # Names of keys, and the bytes to send. In the order of measure_keys, every key must change the screen.
    keys = {}

    def __init__(self, folder, count):
        self.folder, self.count = pathlib.Path(folder), count
        self.environment = {
            "PATH": os.environ["PATH"], "HOME": str(folder), "XDG_RUNTIME_DIR": str(folder), "TERM": "xterm-256color",
            "COLORTERM": "truecolor", "LANG": "C.UTF-8"}

    def fill(self):
        """Imports the posts and returns the seconds that it took."""
        began = time.perf_counter()
        self.import_posts()
        return time.perf_counter() - began

    def open(self):
        """Starts the program on a terminal; returns the terminal and the seconds until it showed a post."""
        terminal = Terminal(self.command(), self.environment, self.folder)
        try:
            return terminal, self.first_post(terminal) - terminal.began
        except BaseException:
            terminal.end()
            raise

    def first_post(self, terminal):
        return terminal.wait_for(posts.TITLE)

    def prepare(self, terminal):
        """Moves the focus to the posts."""

    def close(self):
        """Stops the processes that run beside the terminals."""


class Stack(Program):
    """stack-client with a running daemon."""

    name = "stack-client"
    keys = {"j": b"j", "k": b"k", "PgDn": PAGE_DOWN, "G": b"G", "g": b"g", "Enter": ENTER, "q": b"q"}

    def __init__(self, folder, count, programs=RELEASE):
        super().__init__(folder, count)
        self.programs = pathlib.Path(programs).resolve()
        self.socket = f"{folder}/daemon.sock"
        self.daemon = None
        self.session, self.animates = "main", False
        # The newest post's text is complete once its last word is on the screen.
        self.last_word = re.compile(posts.last_word(count - 1).encode())

    def start_daemon(self):
        self.close()
        self.daemon = start([self.programs / "stack-daemon", "--socket", self.socket, "--store", f"{self.folder}/store.db"])
        assert read_line(self.daemon) == "ready\n"

    def import_posts(self):
        self.start_daemon()
        subprocess.run(
            [self.programs / "stack-client", "import", "jsonl", f"{self.folder}/posts.jsonl", "-q", "--socket", self.socket],
            check=True, env=self.environment, stdout=subprocess.DEVNULL)

    def fill(self):
        posts.write_lines(f"{self.folder}/posts.jsonl", self.count)
        seconds = super().fill()
        os.remove(f"{self.folder}/posts.jsonl")
        return seconds

    def command(self):
        command = [self.programs / "stack-client", "attach", "--socket", self.socket, "--session", self.session]
        return command if self.animates else [*command, "--no-animation"]

    def first_post(self, terminal):
        return terminal.wait_for(self.last_word)

    def close(self):
        if self.daemon:
            stop(self.daemon)
        self.daemon = None


class Newsboat(Program):
    """newsboat with a fetched feed. It shows its list of feeds first, and Enter opens the feed."""

    name = "newsboat"
    keys = {"j": b"j", "k": b"k", "PgDn": PAGE_DOWN, "G": b"\x1bOF", "g": b"\x1bOH", "Enter": ENTER, "q": b"q"}

    def command(self, *words):
        files = [word for option, name in (("-u", "urls"), ("-c", "cache.db"), ("-C", "config"))
                 for word in (option, f"{self.folder}/{name}")]
        return [shutil.which("newsboat"), *files, *words]

    def import_posts(self):
        subprocess.run(
            self.command("-x", "reload"), check=True, cwd=self.folder, env=self.environment, stdout=subprocess.DEVNULL)

    def fill(self):
        posts.write_rss(f"{self.folder}/feed.xml", self.count)
        (self.folder / "urls").write_text(f"file://{self.folder}/feed.xml\n", encoding="utf-8")
        (self.folder / "config").touch()
        return super().fill()

    def first_post(self, terminal):
        self.listed = terminal.wait_for(re.compile(rb"Posts"))
        terminal.write(ENTER)
        return super().first_post(terminal)


class Sfeed(Program):
    """sfeed_curses with one file of posts. Enter would start a browser, and q ends the program."""

    name = "sfeed_curses"
    keys = {"j": b"j", "k": b"k", "PgDn": PAGE_DOWN, "G": b"G", "g": b"g"}

    def command(self):
        return [shutil.which("sfeed_curses"), f"{self.folder}/posts"]

    def import_posts(self):
        posts.write_tsv(f"{self.folder}/posts", self.count)

    def prepare(self, terminal):
        terminal.write(b"l")  # Moves from the list of feeds to the posts.
        terminal.wait_until_quiet(0.1)
