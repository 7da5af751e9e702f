"""The full screen on a bare pseudoterminal, with the test as the terminal."""

import contextlib
import fcntl
import os
import pty
import re
import select
import signal
import struct
import sys
import termios
import time

import pytest
from conftest import BIN, PATIENCE, wait_until
from test_screen import CLOCK, posts

LEAVE = b"\x1b[?1049l"


class Bare:
    """A stack-client on a pseudoterminal of 80 x 24."""

    def __init__(self, place, *words, answers=b"", program=BIN / "stack-client", **variables):
        self.said, self.answers = b"", answers
        self.pid, self.file = pty.fork()
        if self.pid == 0:
            os.execve(program, [str(program), *map(str, words)], {**place.environment, **variables})
        self.client = self.pid
        fcntl.ioctl(self.file, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
        place.cleanup.callback(self.close)

    def read(self):
        """Reads available output; returns False if there is none."""
        if not select.select([self.file], [], [], 0.05)[0]:
            return False
        with contextlib.suppress(OSError):
            data = os.read(self.file, 65536)
            self.said += data
            # A query of the attributes ends each round of queries.
            if b"\x1b[c" in data and self.answers:
                os.write(self.file, self.answers)
            return bool(data)
        return False

    def sees(self, words):
        wait_until(lambda: self.read() is not None and words in self.said, lambda: f"{words!r} in {self.said[-2000:]!r}")

    def ends(self):
        """Waits for the program to end without reading its output, and returns its exit status."""
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            pid, status = os.waitpid(self.pid, os.WNOHANG)
            if pid:
                self.pid = 0
                return os.waitstatus_to_exitcode(status)
            select.select([], [], [], 0.05)
        raise AssertionError("the program did not end")

    def has_echo(self):
        flags = termios.tcgetattr(self.file)[3]
        return bool(flags & termios.ECHO) and bool(flags & termios.ICANON)

    def close(self):
        if self.pid:
            os.kill(self.pid, signal.SIGKILL)
            os.waitpid(self.pid, 0)
        with contextlib.suppress(OSError):
            os.close(self.file)


def test_a_terminal_that_reads_nothing_does_not_block_the_end(place):
    with place.running(*CLOCK):
        posts(place, 20)
        bare = Bare(place)
        bare.sees(b"post 19")
        assert not bare.has_echo()
        # Each key gives a picture that is not read; only the last one counts, and memory does not grow.
        for _ in range(400):
            os.write(bare.file, b"jk")
        for index in range(20):
            place.post(f"news {index} " + "word " * 50)
        wait_until(lambda: select.select([], [bare.file], [], 0)[1], "the keys to be read")
        os.kill(bare.pid, signal.SIGTERM)
        assert bare.ends() == 0
        assert bare.has_echo()


def test_a_dumb_terminal_gets_lines(place):
    with place.running(*CLOCK):
        posts(place, 2)
        bare = Bare(place, TERM="dumb")
        bare.sees(b"post 01")
        assert bare.ends() == 0
        assert b"\x1b[" not in bare.said


# Runs a program in a process group of its own on the terminal, as a shell does, but never continues one that has stopped.
PARENT = """
import os, signal, sys
signal.signal(signal.SIGTTOU, signal.SIG_IGN)
child = os.fork()
if child == 0:
    os.setpgid(0, 0)
    os.tcsetpgrp(0, os.getpid())
    signal.signal(signal.SIGTTOU, signal.SIG_DFL)
    os.execv(sys.argv[2], sys.argv[2:])
open(sys.argv[1], "w").write(str(child))
os._exit(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
"""


class WithParent(Bare):
    """A stack-client whose parent is in its session, so that it can be stopped, but does not continue it."""

    def __init__(self, place, *words):
        file = place.folder / "pid"
        super().__init__(place, "-c", PARENT, file, BIN / "stack-client", *words, program=sys.executable)
        wait_until(lambda: file.exists() and file.read_text(), "the program to start")
        self.client = int(file.read_text())


@pytest.mark.parametrize("kind", [Bare, WithParent])
def test_requests_to_stop_that_are_followed_by_one_to_continue_leave_the_program_running(place, kind):
    with place.running(*CLOCK):
        posts(place, 3)
        # The leader of a session is an orphaned process group: nothing can stop it but SIGSTOP.
        bare = kind(place)
        bare.sees(b"post 02")
        for _ in range(30):
            os.kill(bare.client, signal.SIGTSTP)
            os.kill(bare.client, signal.SIGCONT)
        os.write(bare.file, b"jk?jkQ")
        assert bare.ends() == 0


def test_an_external_sigint_ends_the_program(place):
    with place.running(*CLOCK):
        posts(place, 2)
        bare = Bare(place)
        bare.sees(b"post 01")
        os.kill(bare.pid, signal.SIGINT)
        assert bare.ends() == 130


def test_a_closed_terminal_ends_the_program(place):
    with place.running(*CLOCK):
        posts(place, 3)
        bare = Bare(place)
        bare.sees(b"post 02")
        os.close(bare.file)
        bare.ends()


@pytest.mark.parametrize("words, variables", [(("attach", "--color", "never"), {}), ((), {"NO_COLOR": "1"})])
def test_colour_can_be_turned_off(place, words, variables):
    with place.running(*CLOCK):
        posts(place, 3)
        bare = Bare(place, *words, **variables)
        bare.sees(b"post 02")
        os.write(bare.file, b"j")
        bare.sees("┃".encode())
        for codes in re.findall(rb"\x1b\[([0-9;]*)m", bare.said):
            assert not set(codes.split(b";")) & {b"38", b"48", *(b"%d" % code for code in (*range(30, 38), *range(90, 98), *range(40, 48)))}, codes


def test_ascii_frames(place):
    with place.running(*CLOCK):
        posts(place, 3)
        bare = Bare(place, "attach", "--ascii")
        bare.sees(b"post 02")
        os.write(bare.file, b"jjQ")
        bare.sees(LEAVE)
        # Excludes the test strings that the program prints to measure the terminal.
        drawn = bare.said[bare.said.index(b"post 02") - 500:]
        assert bare.said.isascii() or drawn.isascii()


@pytest.mark.parametrize(
    "widths, wraps",
    [((6, 4, 2, 1, 1, 1, 2), True), ((2, 2, 2, 2, 2, 1, 2), False), ((2, 2, 2, 2, 2, 1, 1), False)],
)
def test_a_terminal_reports_widths_and_synchronized_output(place, widths, wraps):
    answers = "".join(f"\x1b[2;{width + 1}R" for width in widths) + "\x1b[?2026;2$y\x1b[?2027;0$y\x1b[?62;22c"
    with place.running(*CLOCK):
        # 8 families take 48 or 16 cells, so that with the words they do not fit, or fit, into a line of 50.
        place.post("👩‍👩‍👧" * 8 + " of otters")
        bare = Bare(place, answers=answers.encode())
        bare.sees(b"of otters")
        bare.sees(b"\x1b[?2026l")
        assert b"\x1b[?2026h" in bare.said
        assert ("👧 of".encode() not in bare.said) == wraps
        os.write(bare.file, b"Q")
        bare.sees(LEAVE)


def test_keys_typed_during_terminal_queries_are_not_lost(place):
    with place.running(*CLOCK):
        posts(place, 3)
        bare = Bare(place)
        bare.sees(b"\x1b[c")
        os.write(bare.file, b":theme")
        bare.sees(b"Change the theme")
