"""bitlbee-plugin-mastodon against a server: BitlBee speaks IRC on a socket that is its standard input, as under inetd."""

import contextlib
import queue
import re
import socket
import subprocess
import threading
import time

from . import LIMIT, limited

PATIENCE = LIMIT / 4  # seconds to wait for one thing; BitLBee may tell of others for ever, such as a reconnect

SETTINGS = """[settings]
RunMode = Inetd
User = nobody
ConfigDir = {folder}/users
CAfile = {authority}
PluginDir = /usr/lib/bitlbee
"""


class Bitlbee:
    """A running BitlBee with one person, who types lines and waits for others."""

    def __init__(self, server, folder):
        (folder / "users").mkdir()
        (folder / "bitlbee.conf").write_text(SETTINGS.format(folder=folder, authority=server.authority))
        self.socket, theirs = socket.socketpair()
        with theirs:
            self.process = subprocess.Popen(
                limited("/usr/sbin/bitlbee", "-I", "-n", "-c", folder / "bitlbee.conf", "-d", folder / "users"), stdin=theirs,
                stdout=theirs, stderr=subprocess.DEVNULL)
        self.file = self.socket.makefile("rw", encoding="utf-8", errors="replace", newline="\r\n")
        self.lines, self.seen = queue.Queue(), []
        threading.Thread(target=self.read, daemon=True).start()
        self.type("NICK person", "USER person x x :Person")
        self.wait_for(r"Welcome to the (&bitlbee )?gateway|Welcome to the BitlBee")

    def read(self):
        for line in self.file:
            self.lines.put(line.rstrip())

    def type(self, *lines):
        for line in lines:
            self.file.write(line + "\r\n")
        self.file.flush()

    def tell(self, text, to="&bitlbee"):
        self.type(f"PRIVMSG {to} :{text}")

    def wait_for(self, pattern):
        """Returns the match of the first line, of those not yet waited for, that has a pattern."""
        deadline = time.monotonic() + PATIENCE
        while True:
            try:
                self.seen.append(self.lines.get(timeout=max(0, deadline - time.monotonic())))
            except queue.Empty:
                raise AssertionError(f"no {pattern!r} in\n" + "\n".join(self.seen[-30:])) from None
            if match := re.search(pattern, self.seen[-1]):
                return match

    def until(self, condition):
        """Waits until something is so on the server, and returns it."""
        deadline = time.monotonic() + PATIENCE
        while time.monotonic() < deadline:
            if found := condition():
                return found
            with contextlib.suppress(queue.Empty):
                self.seen.append(self.lines.get(timeout=0.1))
        raise AssertionError("\n".join(self.seen[-10:]))

    def close(self):
        with contextlib.suppress(OSError):
            self.type("QUIT")
        self.process.wait()
        self.socket.close()
