"""A program on a pseudo-terminal of its own: what it writes is timed as it comes, and what it asks is answered at once."""
import fcntl
import os
import re
import select
import signal
import struct
import termios
import time
import unicodedata

COLUMNS, LINES = 120, 40
# Where the cursor is (CPR), what the terminal is (DA1), whether it knows a mode (DECRQM).
QUESTION = re.compile(rb"\x1b\[6n|\x1b\[0?c|\x1b\[\?(\d+)\$p")
MOVE = re.compile(rb"\x1b\[(\d+);(\d+)H")
LONGEST_QUESTION = 256
SYNCHRONIZED = b"2026"


def cells(text):
    """Cells of a text as xterm counts them: the sum of its code points."""
    return sum(
        0 if unicodedata.category(scalar) in ("Mn", "Me", "Cf") else 2 if unicodedata.east_asian_width(scalar) in "WF" else 1
        for scalar in text)


class Answers:
    """What a terminal says when it is asked: a cursor that stands where the text since the last move has led, VT220 with colours,
    and that of the modes in question it knows synchronised output only."""

    def __init__(self):
        self.seen = b""

    def to(self, data):
        """Answers what is asked in the bytes that come next, which may begin or end within a question."""
        self.seen += data
        answers, end = b"", 0
        for question in QUESTION.finditer(self.seen):
            answers += self.answer(question)
            end = question.end()
        self.seen = self.seen[end:][-LONGEST_QUESTION:]
        return answers

    def answer(self, question):
        if question[0] == b"\x1b[6n":
            *_, move = [None, *MOVE.finditer(self.seen, 0, question.start())]
            line, column = (int(move[1]), int(move[2])) if move else (1, 1)
            text = self.seen[move.end() if move else 0 : question.start()].decode(errors="replace")
            return f"\x1b[{line};{column + cells(text)}R".encode()
        if question[1]:
            return b"\x1b[?%s;%d$y" % (question[1], 2 if question[1] == SYNCHRONIZED else 0)
        return b"\x1b[?62;22c"


class Terminal:
    """Runs a program until it is ended. Times are those of `time.perf_counter`."""

    def __init__(self, command, environment, folder):
        self.master, slave = os.openpty()
        fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", LINES, COLUMNS, 0, 0))
        self.answers = Answers()
        self.has_ended = False
        self.began = time.perf_counter()
        # It dies with this process too: then nobody holds its terminal any more.
        self.pid = os.fork()
        if self.pid == 0:
            try:
                os.close(self.master)
                os.login_tty(slave)
                os.chdir(folder)
                os.execve(command[0], [str(word) for word in command], environment)
            except OSError as error:
                os.write(2, f"{command[0]}: {error}\n".encode())
            finally:
                os._exit(127)
        os.close(slave)

    def read(self, seconds):
        """What comes within so many seconds, and when; nothing (b"") where nothing does."""
        if self.has_ended or not select.select([self.master], [], [], max(0, seconds))[0]:
            return b"", time.perf_counter()
        try:
            data = os.read(self.master, 1 << 16)
        except OSError:  # EIO: nobody has the terminal open any more.
            data = b""
        at = time.perf_counter()
        if not data:
            self.has_ended = True
        if answer := self.answers.to(data):
            os.write(self.master, answer)
        return data, at

    def wait_for(self, pattern, seconds=60):
        """When a pattern had come whole."""
        held, end = b"", time.perf_counter() + seconds
        while (now := time.perf_counter()) < end and not self.has_ended:
            data, at = self.read(end - now)
            held += data
            if pattern.search(held):
                return at
            held = held[-(1 << 16):]
        raise TimeoutError(f"no {pattern.pattern!r} on the screen; the last of it: {held[-2000:]!r}")

    def settle(self, quiet, seconds=60):
        """Reads until nothing has come for so long. Says how many bytes came, and when the last of them did."""
        count, last, end = 0, None, time.perf_counter() + seconds
        while True:
            data, at = self.read(quiet)
            if not data:
                return count, last
            count, last = count + len(data), at
            if at > end:
                raise TimeoutError("the screen does not come to rest")

    def write(self, keys):
        os.write(self.master, keys)

    def press(self, key, quiet, patience=0.5):
        """Seconds from a key to the first byte after it and to the last, and the number of bytes; None where nothing came."""
        began = time.perf_counter()
        self.write(key)
        data, first = self.read(patience)
        if not data:
            return None
        count, last = self.settle(quiet)
        return first - began, (last or first) - began, len(data) + count

    def end(self):
        """Asks the program to end, and waits until it has."""
        if self.pid is None:
            return
        os.kill(self.pid, signal.SIGTERM)
        end = time.perf_counter() + 10
        while os.waitpid(self.pid, os.WNOHANG)[0] == 0:
            self.read(0.002)
            if self.has_ended:
                time.sleep(0.002)
            if time.perf_counter() > end:
                os.kill(self.pid, signal.SIGKILL)
                os.waitpid(self.pid, 0)
                break
        self.pid = None
        os.close(self.master)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.end()
