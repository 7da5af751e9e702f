"""Runs a program on its own pseudo-terminal, times its output and answers its queries at once."""
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
# Queries of the cursor's position (CPR), the terminal's attributes (DA1) and a mode (DECRQM).
QUERY = re.compile(rb"\x1b\[6n|\x1b\[0?c|\x1b\[\?(\d+)\$p")
MOVE = re.compile(rb"\x1b\[(\d+);(\d+)H")
LONGEST_QUERY = 256
SYNCHRONIZED = b"2026"


def cells(text):
    """Returns the width of a text in cells as xterm counts it: the sum over its code points."""
    return sum(
        0 if unicodedata.category(scalar) in ("Mn", "Me", "Cf") else 2 if unicodedata.east_asian_width(scalar) in "WF" else 1
        for scalar in text)


class QueryResponder:
    """Answers a program's queries as a terminal would: the cursor is at the end of the text since its last move, the terminal is a VT220
    with colours, and synchronised output is the only supported mode."""

    def __init__(self):
        self.seen = b""

    def respond(self, data):
        """Returns the replies to all queries in the next bytes, which may begin or end within a query."""
        self.seen += data
        replies, end = b"", 0
        for query in QUERY.finditer(self.seen):
            replies += self.reply(query)
            end = query.end()
        self.seen = self.seen[end:][-LONGEST_QUERY:]
        return replies

    def reply(self, query):
        if query[0] == b"\x1b[6n":
            *_, move = [None, *MOVE.finditer(self.seen, 0, query.start())]
            line, column = (int(move[1]), int(move[2])) if move else (1, 1)
            text = self.seen[move.end() if move else 0 : query.start()].decode(errors="replace")
            return f"\x1b[{line};{column + cells(text)}R".encode()
        if query[1]:
            return b"\x1b[?%s;%d$y" % (query[1], 2 if query[1] == SYNCHRONIZED else 0)
        return b"\x1b[?62;22c"


class Terminal:
    """A program on a pseudo-terminal. Times are those of `time.perf_counter`."""

    def __init__(self, command, environment, folder):
        self.master, slave = os.openpty()
        fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", LINES, COLUMNS, 0, 0))
        self.responder = QueryResponder()
        self.has_ended = False
        self.began = time.perf_counter()
        # The child also dies with this process, which holds the other end of its terminal.
        self.pid = os.fork()
        if self.pid == 0:
            try:
                os.close(self.master)
                os.login_tty(slave)
                os.chdir(folder)
                os.execve(command[0], [str(argument) for argument in command], environment)
            except OSError as error:
                os.write(2, f"{command[0]}: {error}\n".encode())
            finally:
                os._exit(127)
        os.close(slave)

    def read(self, seconds):
        """Returns the output of the next `seconds` and its time; b"" if there is none."""
        if self.has_ended or not select.select([self.master], [], [], max(0, seconds))[0]:
            return b"", time.perf_counter()
        try:
            data = os.read(self.master, 1 << 16)
        except OSError:  # EIO: no process has the terminal open any more.
            data = b""
        at = time.perf_counter()
        if not data:
            self.has_ended = True
        if reply := self.responder.respond(data):
            os.write(self.master, reply)
        return data, at

    def wait_for(self, pattern, seconds=60):
        """Reads until the output matches a pattern; returns the time of the match."""
        held, end = b"", time.perf_counter() + seconds
        while (now := time.perf_counter()) < end and not self.has_ended:
            data, at = self.read(end - now)
            held += data
            if pattern.search(held):
                return at
            held = held[-(1 << 16):]
        raise TimeoutError(f"no {pattern.pattern!r} on the screen; last output: {held[-2000:]!r}")

    def wait_until_quiet(self, quiet, seconds=60):
        """Reads until there is no output for `quiet` seconds. Returns the number of bytes and the time of the last ones."""
        count, last, end = 0, None, time.perf_counter() + seconds
        while True:
            data, at = self.read(quiet)
            if not data:
                return count, last
            count, last = count + len(data), at
            if at > end:
                raise TimeoutError("the output does not stop")

    def write(self, keys):
        os.write(self.master, keys)

    def press(self, key, quiet, patience=0.5):
        """Presses a key; returns the seconds to the first and to the last byte after it and the number of bytes, or None without output."""
        began = time.perf_counter()
        self.write(key)
        data, first = self.read(patience)
        if not data:
            return None
        count, last = self.wait_until_quiet(quiet)
        return first - began, (last or first) - began, len(data) + count

    def end(self):
        """Terminates the program and waits for it; kills it after ten seconds."""
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
