"""The full screen in xterm on a virtual X server, with real keys and xterm's own dump of the screen."""

import html
import os
import re
import shutil
import subprocess
import time

import pytest
from conftest import BIN, PATIENCE, wait_until
from test_screen import CLOCK, posts

PROGRAMS = ("Xvfb", "xterm", "xdotool")
pytestmark = pytest.mark.skipif(
    not all(map(shutil.which, PROGRAMS)), reason="xterm is missing: `apt-get install xterm xvfb xdotool`, as scripts/setup tries")
# The key that makes xterm dump its screen.
PRINT = "F12"


class XTerm:
    """An xterm with a program on its own X server."""

    def __init__(self, place, command, columns=80, lines=24):
        self.folder = place.folder / "xterm"
        self.folder.mkdir()
        reading, writing = os.pipe()
        server = subprocess.Popen(
            ["Xvfb", "-displayfd", str(writing), "-screen", "0", "1600x1000x24", "-nolisten", "tcp", "-noreset"], pass_fds=[writing],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(writing)
        place.cleanup.callback(self.end, server)
        with open(reading, encoding="ascii") as pipe:
            display = pipe.readline().strip()
        self.environment = {**place.environment, "DISPLAY": f":{display}"}
        self.process = subprocess.Popen(
            ["xterm", "-u8", "-fn", "fixed", "-geometry", f"{columns}x{lines}+0+0", "-xrm",
             f"*VT100.translations: #override <Key>{PRINT}: dump-html()", "-e", "sh", "-c", command],
            env=self.environment, cwd=self.folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        place.cleanup.callback(self.end, self.process)
        # Without a window manager, keys go to the window under the pointer.
        self.do("mousemove", "40", "40")

    @staticmethod
    def end(process):
        process.terminate()
        process.wait(PATIENCE)

    def do(self, *words):
        subprocess.run(["xdotool", *words], env=self.environment, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    def press(self, *keys):
        self.do("key", "--delay", "20", *keys)

    def type(self, text):
        self.do("type", "--delay", "20", text)

    def text(self):
        """Returns the screen's text from xterm's HTML dump, once the dump is complete."""
        for old in self.folder.glob("*.xhtml"):
            old.unlink()
        pressed = [0.0]

        def page():
            # Keys pressed before the window exists are lost.
            if time.monotonic() > pressed[0] + 2:
                self.press(PRINT)
                pressed[0] = time.monotonic()
            written = next((file.read_text("utf-8", "replace") for file in self.folder.glob("*.xhtml")), "")
            return written if "</html>" in written else None

        lines = re.search("<pre>(.*)</pre>", wait_until(page, "xterm's dump of the screen"), re.DOTALL)[1]
        return html.unescape(re.sub("<[^>]*>", "", lines)).replace("\N{NO-BREAK SPACE}", " ")

    def sees(self, words):
        wait_until(lambda: words in self.text(), lambda: f"{words!r} in\n{self.text()}")

    def misses(self, words):
        wait_until(lambda: words not in self.text(), lambda: f"no {words!r} in\n{self.text()}")


def test_the_screen_and_keys_in_xterm_and_its_restoration(place):
    with place.running(*CLOCK):
        posts(place, 20)
        place.post("漁師 e\u0301 café │ in two columns each")
        xterm = XTerm(
            place, f"echo kept; stty -g > before; {BIN / 'stack-client'} attach --no-animation; stty -g > after; echo ended; read line; "
            "echo heard $line; read line", columns=100, lines=30)
        xterm.sees("漁師")
        xterm.sees("Mentions")
        text = xterm.text()
        assert "kept" not in text, "the alternate screen is used"
        lines = text.splitlines()
        # A CJK character takes two columns.
        border = {len(line) + sum(0x2E80 <= ord(sign) <= 0x9FFF for sign in line) - sum(ord(sign) == 0x301 for sign in line)
                  for line in map(str.rstrip, lines) if line.endswith("│")}
        assert len(border) == 1, text
        xterm.press("j", "j", "Return")
        xterm.sees("Conversation")
        xterm.press("Down", "Up", "Tab", "q")
        xterm.misses("Conversation")
        xterm.press("c")
        xterm.sees("New post")
        xterm.type("from xterm")
        xterm.sees("from xterm")
        xterm.press("ctrl+s")
        wait_until(lambda: "from xterm" in place.texts("timeline"), xterm.text)
        xterm.press("ctrl+l")
        xterm.sees("from xterm")
        xterm.press("shift+q")
        xterm.sees("ended")
        assert "kept" in xterm.text() and "Mentions" not in xterm.text()
        xterm.type("a word")
        xterm.press("Return")
        xterm.sees("heard a word")
        assert (xterm.folder / "before").read_text() == (xterm.folder / "after").read_text()
