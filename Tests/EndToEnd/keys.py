#!/usr/bin/env python3
"""Sends random input to the full screen: keys, partial keys, pastes, resizes and kills, drawn from a seed.

    Tests/EndToEnd/keys.py [--seconds N | --steps N] [--seed S] [--verbose]

After each step, once all processes are idle, Ctrl-L redraws the screen, which must change neither a cell nor the cursor's position. The
program must not crash or leak memory, must reconnect to a daemon that was killed, and must restore the terminal whenever it is stopped, quit
or ended by a signal.

Everything except timing is drawn from the seed. Each step depends only on the seed and its number, so the same seed and number of steps
repeat a failure.
"""

import argparse
import contextlib
import json
import os
import pathlib
import random
import re
import signal
import subprocess
import sys
import tempfile
import threading
import time

import looks
from conftest import BIN, PATIENCE, Place, wait_until

CLOCK = "frozen:2026-03-01T12:00:00Z"
QUIET = 0.08  # seconds without activity that count as idle: longer than an Escape waits for a following byte
MODES = "alternate_on=0 cursor_flag=1 wrap_flag=1 mouse_any_flag=0 keypad_flag=0 keypad_cursor_flag=0"
MEMORY_GROWTH = 24 << 20  # bytes allowed for a paste of 100 KB and a screen of 500 x 200
CLEAR = b"\x1b[2J"

CONTROLS = {f"C-{chr(96 + code)}": bytes([code]) for code in range(1, 27) if code not in (3, 26)}
ARROWS = {"Up": "A", "Down": "B", "Right": "C", "Left": "D", "Home": "H", "End": "F"}
KEYS = {
    **{key: key.encode() for key in "jjjjjjjjkkkkgGJKFDZltaoOmyYhX[],;+_=z123456789S{}()cr:/?@#d -n\\Mx.NAuR&"},
    **CONTROLS,
    **{name: f"\x1b[{letter}".encode() for name, letter in ARROWS.items()},
    **{f"{name} of keypads": f"\x1bO{letter}".encode() for name, letter in ARROWS.items()},
    **{f"{names}-{name}": f"\x1b[1;{number}{letter}".encode() for names, number in (("C", 5), ("S", 2), ("M", 3)) for name, letter in ARROWS.items()},
    **{f"M-{key}": f"\x1b{key}".encode() for key in "123456bferuEx<>"},
    **{f"C-{digit}": f"\x1b[27;5;{48 + digit}~".encode() for digit in range(1, 7)},
    "Enter": b"\r", "Tab": b"\t", "S-Tab": b"\x1b[Z", "Backspace": b"\x7f", "M-Enter": b"\x1b\r", "PgDn": b"\x1b[6~", "PgUp": b"\x1b[5~",
    "Delete": b"\x1b[3~", "F1": b"\x1bOP", "F5": b"\x1b[15~", "focus": b"\x1b[I", "no focus": b"\x1b[O", "q": b"q", "Esc": b"\x1b",
    "an answer": b"\x1b[12;40R", "another": b"\x1b[?2026;2$y",
}
FREQUENT = ["j", "k", "Enter", "Esc", "q", "h", "l", " ", "g", "G", "J", "t", "a"]
TEXTS = [
    "otter", "漁師の 仕様", "👩‍👩‍👧 🏳️‍🌈 1️⃣", "שלום עולם", "مرحبا بالعالم", "नमस्ते दुनिया क्षि", "e\u0301a\u0308 \u0301", "from:bertil", "#harbour @ann",
    "long " * 30, "x" * 200, "\u200b\u200d\ufeff", "ｗｉｄｅ ﾊﾝｸ", "list-make ", "session ", "theme light", "theme dark", "theme high-contrast", "search otter",
    "date 2026-02-01", "width 30", "author ann", "zoom", "3d",
]
HALVES = [
    b"\x1b[1;5A", b"\x1b[<0;10;10M", b"\x1bOA", b"\x1b[200~never\x1b[201~", "漁".encode(), "👩‍👩‍👧".encode(), b"\x1b[27;5;49~", b"\x1b]0;no\x07", b"\x1bP1$r\x1b\\",
    b"\x1b[M !!", b"\x1b[?62;1c", b"\x1b[[A", b"\x1b[3$",
]
SIZES = [(20, 5), (19, 4), (1, 1), (40, 12), (59, 20), (80, 24), (81, 25), (120, 40), (160, 50), (200, 60), (500, 200)]
PASTES = ["Qdy\x1b[Aqqq\x03\x03", "two\nlines", "\x1b]52;c;eHg=\x07\x1bc\x1b[?1049l", "漁師\t👩‍👩‍👧\r\n" * 20, "\x1b[201~j", "", "\x00\x01\x7f\x80"]


def sample_posts():
    """Yields posts as JSON Lines, by several authors, with texts of many scripts, threads, warnings, links and pictures."""
    people = [("ann", "Ann"), ("bertil", "Bertil 🦦"), ("haruka", "遥 春香"), ("noa", "נועה ברקת"), ("zahra", "زهراء"), ("asha", "आशा")]
    for number in range(90):
        handle, name = people[number % len(people)]
        text = f"{number}: {TEXTS[number % 11]} and so on, for more than a line of a pane of fifty-eight cells #harbour"
        post = {"source": "keys", "id": str(number), "created_at": f"2026-02-{1 + number // 4:02}T{number % 24:02}:00:00Z",
                "author": {"id": handle, "handle": handle, "name": name}, "text": text + (" https://example.org/漁" if number % 7 == 0 else "")}
        if number % 5 == 4:
            post |= {"in_reply_to": str(number - 3), "in_reply_to_handle": people[(number - 3) % len(people)][0]}
        if number % 13 == 6:
            post["content_warning"] = "otters 🦦"
        if number % 11 == 3:
            post["media"] = [{"kind": "image", "url": "https://example.org/a.png", "alt": "a cat, 猫"}]
        yield json.dumps(post)


class Daemon:
    """A stack-daemon that is stopped and restarted."""

    def __init__(self, place):
        self.place, self.process = place, None

    def start(self):
        """Starts the daemon, unless it is running."""
        if self.process:
            return
        self.process = subprocess.Popen(
            [BIN / "stack-daemon", "--clock", CLOCK], env=self.place.environment, stdout=subprocess.PIPE, text=True)
        for line in self.process.stdout:
            if line == "ready\n":
                return
        raise AssertionError("the daemon did not start")

    def end(self, number):
        """Ends the daemon with a signal."""
        if not self.process:
            return
        self.process.send_signal(number)
        code = self.process.wait(PATIENCE)
        self.process.stdout.close()
        self.process = None
        assert number == signal.SIGKILL or code == 0, f"the daemon exited with {code}"

    def check(self):
        """Checks that the daemon has not exited by itself."""
        assert self.process is None or self.process.poll() is None, f"the daemon exited by itself with {self.process.returncode}"


class Player:
    """A user of the screen who checks it after each step."""

    def __init__(self, place, seed, verbose=False):
        self.place, self.seed, self.verbose = place, seed, verbose
        self.daemon, self.done, self.launches, self.late = Daemon(place), [], 0, 0
        self.checks, self.memory, self.peak, self.process, self.seen, self.resting = 0, [], 0, None, 0, threading.Event()
        self.orders, self.report, self.output = (place.folder / name for name in ("orders", "report", "output"))
        os.mkfifo(self.orders)
        self.report.touch()
        editor, browser = place.folder / "editor", place.folder / "browser"
        editor.write_text('#!/bin/sh\nprintf "%s" "written elsewhere 漁師" >> "$1"\n', encoding="utf-8")
        browser.write_text("#!/bin/sh\nexit 0\n", encoding="utf-8")
        for program in (editor, browser):
            program.chmod(0o700)
        place.environment.update(EDITOR=str(editor), BROWSER=str(browser))
        place.environment.pop("VISUAL", None)
        self.options = place.folder / "client"
        self.terminal, self.is_held, self.is_interrupted, self.event = None, False, False, None

    # The program

    def open(self):
        """Starts a daemon with posts, and the program in a terminal."""
        self.daemon.start()
        posts = self.place.folder / "posts.jsonl"
        posts.write_text("\n".join(sample_posts()), encoding="utf-8")
        self.place.client("-q", "import", posts, "--source", "keys")
        helper = pathlib.Path(__file__).with_name("job.py")
        self.terminal = self.place.terminal(
            f"{helper} {self.orders} {self.report} {self.options}", program=sys.executable, columns=120, lines=40)
        self.terminal.tmux("pipe-pane", f"exec cat >> {self.output}", ";", "set-option", "-g", "default-terminal", "tmux-256color", ";",
                           "set-option", "-s", "escape-time", "0")
        self.server = int(self.terminal.tmux("display-message", "-p", "#{pid}"))
        self.launch()

    def order(self, words):
        with open(self.orders, "w", encoding="utf-8") as pipe:
            pipe.write(words + "\n")

    def launch(self):
        """Starts the program with random options."""
        self.daemon.start()
        draw = random.Random(f"{self.seed}/launch {self.launches}")
        self.launches += 1
        words = ["attach", *draw.choice([["--no-animation"], ["--no-animation"], []]), *draw.choice([[], [], ["--mouse"], ["--ascii"]])]
        colors = draw.choice(["COLORTERM=truecolor", "COLORTERM=", "NO_COLOR=1"])
        self.options.write_text(f"#!/bin/sh\nexec env {colors} {BIN / 'stack-client'} {' '.join(words)}\n", encoding="utf-8")
        self.options.chmod(0o700)
        self.log(f"start {colors} {' '.join(words)}")
        self.memory = []
        with contextlib.suppress(FileNotFoundError):
            os.truncate(self.output, 0)
        self.order("run")
        wait_until(self.is_running, "the program to start")
        wait_until(lambda: CLEAR in self.written() or not self.is_running(), "the first picture")

    def is_running(self):
        self.read_report()
        return self.process is not None

    def read_report(self):
        """Reads new lines of the report; returns the line of a stop or exit that has not been handled, or None."""
        lines = self.report.read_text(encoding="utf-8").splitlines()
        new, self.seen = lines[self.seen:], len(lines)
        for line in new:
            match line.split(maxsplit=2):
                case ["started", number]:
                    self.process, self.event = int(number), None
                case ["stopped", *_]:
                    self.event = line
                case ["ended", code, modes]:
                    self.event, self.process = line, None
                    assert code == "0" or code == "130" and self.is_interrupted, f"the program exited with {code}"
                    self.is_interrupted = False
                    assert modes == "same", f"the program did not restore the terminal's {modes}"
        return self.event

    # The screen

    def written(self):
        """Returns the program's output since the file was last truncated."""
        with contextlib.suppress(FileNotFoundError):
            return self.output.read_bytes()
        return b""

    def wait(self, seconds):
        self.resting.wait(seconds)

    def working(self):
        return looks.family(self.server) + ([self.daemon.process.pid] if self.daemon.process else [])

    def wait_until_idle(self):
        """Waits until the program, the daemon, tmux and their children are idle."""
        deadline, since, last = time.monotonic() + PATIENCE, time.monotonic(), None
        while time.monotonic() - since < QUIET:
            processes = self.working()
            now = looks.activity(processes)
            if now is not None:
                # tmux wakes up by itself now and then.
                now = {task: done for task, done in now.items() if task != str(self.server)}, len(self.written())
            if now is None or now != last:
                since, last = time.monotonic(), now
            assert time.monotonic() < deadline, "the processes never became idle"
            self.wait(0.01)

    def capture(self):
        """Returns the cursor's position and the cells."""
        captured = self.terminal.tmux(
            "display-message", "-p", "#{?cursor_flag,#{cursor_x} #{cursor_y},hidden}", ";", "capture-pane", "-e", "-p", "-N")
        cursor, _, rest = captured.rstrip("\n").partition("\n")
        return cursor, looks.cells(rest)

    def modes(self):
        names = [part.split("=")[0] for part in MODES.split()]
        return self.terminal.tmux("display-message", "-p", " ".join(f"{name}=#{{{name}}}" for name in names)).strip()

    def read_bytes(self):
        """Returns the number of bytes that the program has read from anywhere; -1 if it has ended."""
        with contextlib.suppress(OSError):
            return int(pathlib.Path(f"/proc/{self.process}/io").read_text(encoding="utf-8").split()[1])
        return -1

    def resume_or_restart(self):
        """Waits until idle, with the program in the terminal: resumes it if stopped, and restarts it if ended."""
        while True:
            self.wait_until_idle()
            event = self.read_report()
            if not event:
                return
            if event.startswith("stopped") and not self.is_held:
                assert event == "stopped same", f"the stopped program did not restore the terminal's {event.removeprefix('stopped ')}"
                assert self.modes() == MODES, f"the stopped program left {self.modes()}"
            if event.startswith("stopped"):
                self.is_held, self.event = False, None
                self.log("fg")
                self.order("fg")
            else:
                assert self.modes() == MODES, f"the program ended and left {self.modes()}"
                self.launch()

    def check(self):
        """Redraws the screen, and checks that this changes nothing."""
        for _ in range(20):
            self.resume_or_restart()
            self.daemon.check()
            began = time.monotonic()
            # From here on, all output is recorded, even while the screen is captured.
            os.truncate(self.output, 0)
            read = self.read_bytes()
            before = self.capture()
            self.send(b"\x0c")
            wait_until(lambda: CLEAR in self.written() or self.read_report(), "Ctrl-L to redraw the screen")
            self.wait_until_idle()
            early = self.written().partition(CLEAR)[0]
            after, more = self.capture(), self.read_bytes() - read
            # Tries again if a frame arrived in between, or a message timed out.
            if self.is_running() and more == 1 and len(early) < 64 and not re.search(rb"\x1b\[\d+;\d+H", early):
                break
            self.late += 1
        else:
            raise AssertionError("the screen never came to rest")
        self.checks += 1
        self.check_memory()
        found = looks.differences(before[1], after[1])
        if not found and self.is_cursor_same(before, after):
            return
        # A message in the last line ends with the next key, and so with the one that redraws.
        last = len(before[1]) - 1
        if not looks.differences(before[1][:last], after[1][:last]) and self.is_cursor_same(before, after):
            return
        raise AssertionError("\n".join([f"a redraw changes the screen; cursor {before[0]}, then {after[0]}", *found[:40]]))

    @staticmethod
    def is_cursor_same(before, after):
        """Returns whether the cursor has not moved; in a line with a joiner its column does not count (looks.is_same)."""
        if before[0] == after[0] or "hidden" in (before[0], after[0]):
            return before[0] == after[0]
        lines = [int(look[0].split()[1]) for look in (before, after)]
        rows = [row for look in (before, after) for row in look[1][lines[0] : lines[0] + 1]]
        return lines[0] == lines[1] and looks.JOINER in "".join(looks.text(rows))

    def check_memory(self):
        try:
            pages = int(pathlib.Path(f"/proc/{self.process}/statm").read_text(encoding="utf-8").split()[1])
        except OSError:
            return  # it has just ended
        self.memory.append(pages * os.sysconf("SC_PAGE_SIZE"))
        self.peak = max(self.peak, self.memory[-1])
        early = max(self.memory[:20])
        assert self.memory[-1] <= early + MEMORY_GROWTH, f"memory has grown from {early >> 20} to {self.memory[-1] >> 20} MiB"

    # Steps

    def log(self, words):
        self.done.append(words)
        if self.verbose:
            print(f"{len(self.done)}: {words}", flush=True)

    def send(self, data):
        """Types raw bytes."""
        for start in range(0, len(data), 500):
            self.terminal.tmux("send-keys", "-H", *(f"{byte:02x}" for byte in data[start : start + 500]))

    def press(self, names):
        self.log("keys " + " ".join("Space" if name == " " else name for name in names))
        self.send(b"".join(KEYS[name] for name in names))

    def step(self, number):
        """Performs a step, drawn from the seed and its number."""
        draw = random.Random(f"{self.seed}/{number}")
        kinds = {
            self.some_keys: 50, self.some_text: 12, self.halves: 7, self.garbage: 4, self.mouse: 6, self.resize: 6, self.storm: 2,
            self.paste: 4, self.big_paste: 1, self.use_another_client: 7, self.end_daemon: 3, self.suspend: 2, self.leave: 2,
        }
        draw.choices(list(kinds), list(kinds.values()))[0](draw)
        # The daemon has been down for a while.
        if self.daemon.process is None and draw.random() < 0.5:
            self.restart_daemon()

    def some_keys(self, draw):
        self.press([draw.choice(FREQUENT if draw.random() < 0.6 else list(KEYS)) for _ in range(draw.randint(1, 6))])

    def some_text(self, draw):
        """Types a text into a post, the command line, a search or a prompt, and may leave it."""
        opening, text = draw.choice(["c", "c", "r", ":", ":", "/", "?", "@", "#", "D"]), draw.choice(TEXTS)
        edits = [draw.choice(list(KEYS)) for _ in range(draw.randint(0, 4))]
        end = draw.choice(["Esc", "Enter", "C-s", "M-Enter", "M-e", "C-g", ""])
        self.log(f"{opening} {text!r} {' '.join(edits)} {end}")
        self.send(opening.encode() + text.encode() + b"".join(KEYS[name] for name in edits))
        if end:
            self.send(KEYS[end] if end in KEYS else {"M-e": b"\x1be"}[end])

    def halves(self, draw):
        """Types a sequence in two parts, which may be separated by a pause."""
        data = draw.choice(HALVES)
        cut, pause = draw.randint(1, len(data) - 1), draw.choice([0, 0.02, 0.07])
        self.log(f"{data[:cut]!r} {pause} s {data[cut:]!r}")
        self.send(data[:cut])
        self.wait(pause)
        self.send(data[cut:])

    def garbage(self, draw):
        alphabet = draw.choice([range(256), range(32), range(128, 256), b"\x1b[O;0123456789<?$~MmABRcyuI"])
        data = bytes(draw.choice(alphabet) for _ in range(draw.randint(1, 40))).replace(b"\x1b[200~", b"")
        self.log(f"garbage {data!r}")
        self.send(data)

    def mouse(self, draw):
        events = []
        for _ in range(draw.randint(1, 4)):
            column, line, kind = draw.randint(0, 130), draw.randint(0, 45), draw.choice([0, 0, 2, 32, 35, 64, 65, 128, 999])
            events.append(f"\x1b[<{kind};{column};{line}{draw.choice('MMm')}")
        self.log(f"mouse {events}")
        self.send("".join(events).encode())

    def resize(self, draw):
        size = draw.choice(SIZES) if draw.random() < 0.5 else (draw.randint(20, 240), draw.randint(5, 70))
        self.log(f"size {size}")
        self.terminal.resize(*size)

    def storm(self, draw):
        sizes = [(draw.randint(15, 250), draw.randint(3, 80)) for _ in range(draw.randint(3, 15))]
        self.log(f"sizes {sizes}")
        words = []
        for columns, lines in sizes:
            words += ["resize-window", "-x", str(columns), "-y", str(lines), ";"]
        self.terminal.tmux(*words[:-1])

    def put(self, text):
        """Pastes a text with bracketed paste, as a terminal does."""
        file = self.place.folder / "paste"
        file.write_bytes(text.encode("utf-8", "surrogateescape"))
        self.terminal.tmux("load-buffer", str(file), ";", "paste-buffer", "-p", "-r")

    def paste(self, draw):
        text, opening = draw.choice(PASTES + TEXTS), draw.choice(["", "", "c", ":"])
        self.log(f"{opening} paste {text!r}")
        self.send(opening.encode())
        if text:
            self.put(text)

    def big_paste(self, draw):
        text, opening = draw.choice(["word ", "漁師", "\x1b[A", "line\n", "x"]), draw.choice(["", "c", ":"])
        self.log(f"{opening} paste 100 KB of {text!r}")
        self.send(opening.encode())
        self.put(text * (100_000 // len(text.encode())))

    def use_another_client(self, draw):
        """Runs a command of another client on the timeline or the session while keys are pressed."""
        words = draw.choice([
            ("post", draw.choice(TEXTS)), ("post", f"{draw.random()} otter #harbour"), ("pane", "open", draw.choice(["timeline", "mentions", "profile"])),
            ("pane", "push", "author", "@ann"), ("pane", "push", "search", "otter"), ("pane", "pop"), ("pane", "back"), ("pane", "forward"),
            ("pane", "drop"), ("follow", "@noa"), ("unfollow", "@noa"), ("list", "make", f"list {draw.randint(0, 10**6)}"),
        ])
        keys = [draw.choice(FREQUENT) for _ in range(draw.randint(0, 5))]
        self.log(f"another client: {' '.join(words)}; meanwhile:")
        other = None
        if self.daemon.process:
            other = subprocess.Popen(
                [BIN / "stack-client", "-q", *words], env=self.place.environment, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL)
        self.press(keys)
        if other:
            other.wait(PATIENCE)

    def end_daemon(self, draw):
        number, soon = draw.choice([signal.SIGTERM, signal.SIGKILL]), draw.random() < 0.5
        keys = [draw.choice(FREQUENT) for _ in range(draw.randint(0, 5))]
        self.log(f"the daemon ends with {number.name}")
        self.daemon.end(number)
        self.press(keys)
        if soon:
            self.restart_daemon()

    def restart_daemon(self):
        """Restarts the daemon, and checks that the screen reconnects by itself."""
        self.log("the daemon starts")
        self.daemon.start()
        if self.is_running():
            wait_until(lambda: self.is_connected() or self.read_report(), "the screen to reconnect")

    def is_connected(self):
        """Returns whether a view is open, or the program is stopped."""
        with contextlib.suppress(OSError):
            if pathlib.Path(f"/proc/{self.process}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()[0] == "T":
                return True
        return self.place.value("status")["views"] > 0

    def suspend(self, draw):
        how = draw.choice(["C-z", "SIGTSTP", "SIGSTOP"])
        self.log(f"suspend by {how}")
        if how == "C-z":
            self.send(b"\x1a")
        elif self.is_running():
            # The program cannot restore the terminal on SIGSTOP.
            self.is_held = how == "SIGSTOP"
            os.kill(self.process, getattr(signal, how))
        # The terminal may be resized meanwhile.
        if draw.random() < 0.5:
            self.resize(draw)

    def leave(self, draw):
        how = draw.choice(["Q", "C-c C-c", ":quit", "TERM", "HUP", "INT"])
        self.log(f"leave by {how}")
        self.leave_by(how)

    def leave_by(self, how):
        match how:
            case "Q":
                self.send(b"\x1b")
                self.wait(0.06)
                self.send(b"Q")
            case "C-c C-c":
                self.send(b"\x03\x03\x03")
            case ":quit":
                self.send(b"\x1b")
                self.wait(0.06)
                self.send(b":quit\r")
            case _:
                if self.is_running():
                    self.is_interrupted = how == "INT"
                    os.kill(self.process, getattr(signal, f"SIG{how}"))

    # The end

    def finish(self, draw):
        """Quits in some way, and checks that a prompt works afterwards."""
        self.resume_or_restart()
        how = draw.choice(["Q", "C-c C-c", "TERM"])
        self.log(f"at the end, leave by {how}")

        def has_ended():
            if self.is_running():
                self.leave_by(how)
                self.wait_until_idle()
            return not self.is_running()

        wait_until(has_ended, "the program to end")
        assert self.modes() == MODES, f"the program ended and left {self.modes()}"
        self.order("echo")
        self.wait_until_idle()
        self.put("a prompt works\r")
        words = "echo a prompt works"
        wait_until(lambda: words in self.report.read_text(encoding="utf-8"), lambda: f"{words!r}, got {self.report.read_text('utf-8')!r}")
        self.order("end")


def run(seed, seconds=None, steps=None, verbose=False):
    """Runs for this long or this many steps, and returns a summary; an AssertionError has the command that repeats the failure."""
    began, number = time.monotonic(), 0
    with contextlib.ExitStack() as cleanup:
        folder = cleanup.enter_context(tempfile.TemporaryDirectory(prefix="stack-keys-", ignore_cleanup_errors=True))
        player = Player(Place(folder, cleanup), seed, verbose)
        cleanup.callback(lambda: player.daemon.end(signal.SIGKILL))
        try:
            player.open()
            player.check()
            while number < steps if steps else time.monotonic() - began < seconds:
                player.step(number)
                number += 1
                player.check()
            player.daemon.start()
            player.finish(random.Random(f"{seed}/end"))
        except (AssertionError, OSError, subprocess.SubprocessError) as error:
            said = player.terminal.screen() if player.terminal else ""
            raise AssertionError("\n".join([
                f"{type(error).__name__}: {error}", "the last steps:", *(f"  {words}" for words in player.done[-16:]), "the screen:", said,
                f"repeat with: .venv/bin/python Tests/EndToEnd/keys.py --seed {seed} --steps {number}"])) from error
        memory = player.peak >> 20
        return (f"{number} steps, {player.checks} redraws without changes, {player.launches} starts, at most {memory} MiB; "
                f"{player.late} captures repeated")


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--seconds", type=float, default=120)
    parser.add_argument("--steps", type=int)
    parser.add_argument("--seed", type=int, default=random.randrange(1 << 30))
    parser.add_argument("--verbose", action="store_true", help="print each step")
    options = parser.parse_args()
    print(f"seed {options.seed}", flush=True)
    print(run(options.seed, options.seconds, options.steps, options.verbose))


if __name__ == "__main__":
    main()
