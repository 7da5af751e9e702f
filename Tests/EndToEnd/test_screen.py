"""The full screen in tmux: its contents, its keys, and that it always restores the terminal."""

import contextlib
import os
import pathlib
import signal
import socket
import threading
import unicodedata

import pytest
from conftest import BIN, wait_until

CLOCK = ("--clock", "frozen:2026-03-01T12:00:00Z")


class Screen:
    """A stack-client in the full screen of a terminal."""

    def __init__(self, place, *words, columns=120, lines=40, shell=False, program=BIN / "stack-client"):
        self.words = " ".join(map(str, (program, *words)))
        # With `shell`, a shell with job control, for tests of the terminal's state before and after.
        self.terminal = place.terminal(
            "--norc --noprofile -i" if shell else " ".join(map(str, words)), program="bash" if shell else program,
            columns=columns, lines=lines)
        self.resize, self.picture, self.wait_for_end = self.terminal.resize, self.terminal.picture, self.terminal.wait_for_end

    def lines(self):
        return self.terminal.tmux("capture-pane", "-p").splitlines()

    def text(self):
        return "\n".join(self.lines())

    def sees(self, words):
        wait_until(lambda: words in self.text(), lambda: f"{words!r} in\n{self.text()}")

    def misses(self, words):
        wait_until(lambda: words not in self.text(), lambda: f"no {words!r} in\n{self.text()}")

    def at_rest(self):
        """Returns all lines but the last, which may have a message, once the clock is hidden and the screen has been stable for a while."""
        looks = []

        def rests():
            looks.append(self.lines()[:-1])
            return not any("⠀" < sign <= "⣿" for line in looks[-1] for sign in line) and looks[-4:] == looks[-1:] * 4

        wait_until(rests, lambda: f"a stable screen:\n{self.text()}", pause=0.15)
        return looks[-1]

    def rests_as(self, before):
        wait_until(lambda: self.picture()[:-1] == before, lambda: "\n".join(["as before:", *before, "now:", *self.picture()]))

    def stops(self, times):
        """Waits until the shell has reported this many stops, earlier ones included; only then does it read input."""
        wait_until(lambda: self.text().count("Stopped") == times, lambda: f"{times} x Stopped in\n{self.text()}")

    def press(self, *keys):
        self.terminal.press(*keys)

    def type(self, text):
        self.terminal.tmux("send-keys", "-l", text)

    def selected(self):
        """Returns the first line with a selection mark."""
        return next((line for line in self.lines() if "┃" in line), "")

    def selects(self, words):
        wait_until(lambda: words in self.selected(), lambda: f"{words!r} selected in\n{self.text()}")

    def modes(self):
        """Returns the terminal modes that programs change, as tmux reports them."""
        names = ("alternate_on", "cursor_flag", "wrap_flag", "mouse_any_flag", "keypad_flag", "keypad_cursor_flag")
        return self.terminal.tmux("display-message", "-p", " ".join(f"{name}=#{{{name}}}" for name in names)).strip()

    def process(self):
        """Returns the process of the stack-client that the terminal's shell runs."""
        shell = int(self.terminal.tmux("display-message", "-p", "#{pane_pid}"))

        def find():
            for folder in pathlib.Path("/proc").glob("[0-9]*"):
                try:
                    state = (folder / "stat").read_text(encoding="utf-8").rpartition(")")[2].split()
                    if int(state[1]) == shell and (folder / "comm").read_text(encoding="utf-8").strip() == "stack-client":
                        return int(folder.name)
                except OSError:
                    continue
            return None

        return wait_until(find, "a stack-client of the shell")


def posts(place, count=30):
    """Writes posts of another account, numbered upwards, and returns their IDs."""
    ann = place.guest("ann")
    return [ann.post(f"post {index:02}, which is so long that it takes a second line in a pane of 58 cells") for index in range(count)]


def test_posts_are_shown_selected_opened_and_closed(place):
    with place.running(*CLOCK):
        posts(place)
        screen = Screen(place)
        screen.sees("post 29")
        screen.sees("Mentions")
        screen.press("j")
        screen.selects("Today" if "Today" in screen.selected() else "ann")
        for _ in range(11):
            screen.press("j")
        screen.sees("post 18")
        screen.misses("post 29")
        screen.press("k", "g")
        screen.sees("post 29")
        screen.press("G")
        screen.sees("post 00")
        screen.press("Enter")
        screen.sees("Conversation · 1 ")
        assert [pane["kind"] for pane in place.value("pane", "list")] == ["timeline", "conversation"]
        screen.press("a")
        wait_until(lambda: [pane["kind"] for pane in place.value("pane", "list")] == ["timeline", "conversation", "profile"], "an author")
        screen.press("q")
        wait_until(lambda: len(place.value("pane", "list")) == 2, "the author's pane closed")
        screen.press("q")
        screen.misses("Conversation")
        screen.press("]")
        screen.misses("Connecting")
        # Closing the last pane asks for confirmation.
        wait_until(lambda: len(place.value("pane", "list")) == 1, "only the root")
        screen.press("q")
        screen.sees("Quit Stack?")
        screen.press("n")
        screen.misses("Quit Stack?")
        screen.press("Q")
        screen.wait_for_end()
        # tmux 3.3 may miss the end of its child until another one ends.
        screen.terminal.tmux("run-shell", "true")
        wait_until(lambda: screen.terminal.tmux("display-message", "-p", "#{pane_dead_status}").strip() == "0", "exit status 0")


@pytest.mark.parametrize("columns, lines", [(40, 20), (80, 24), (120, 40), (200, 60)])
def test_the_screen_fits_the_terminal_after_any_resize(place, columns, lines):
    with place.running(*CLOCK):
        posts(place)
        place.post("漁師 👩‍👩‍👧 שלום नमस्ते: more than ASCII, so that columns could slip, in two lines of text at least")
        screen = Screen(place, columns=columns, lines=lines)
        screen.sees("漁師")
        before = screen.at_rest()
        assert len(before) == lines - 1
        for size in ((80, 24), (40, 12), (200, 50), (120, 40), (columns, lines)):
            screen.resize(*size)
        screen.rests_as(before)


def test_a_screen_that_is_too_small_shows_a_message_and_recovers(place):
    with place.running(*CLOCK):
        posts(place, 3)
        screen = Screen(place, columns=80, lines=24)
        screen.sees("post 02")
        screen.resize(19, 4)
        screen.sees("Needs 20x5")
        screen.resize(80, 24)
        screen.sees("post 02")


@pytest.mark.parametrize("name", ["TERM", "HUP", "INT", "QUIT", "SEGV", "ABRT", "ILL", "TRAP"])
def test_the_terminal_is_restored_when_a_signal_ends_the_program(place, name):
    with place.running(*CLOCK):
        posts(place, 3)
        screen = Screen(place, shell=True, columns=80, lines=24)
        screen.type("PS1='ready> '; ulimit -c 0\n")
        screen.sees("ready>")
        before = screen.modes()
        screen.type(f"cd {place.folder}; stty -g > before; clear; echo kept; {screen.words} attach --mouse\n")
        screen.sees("post 02")
        assert "alternate_on=1" in screen.modes() and "mouse_any_flag=1" in screen.modes()
        os.kill(screen.process(), getattr(signal, f"SIG{name}"))
        screen.sees("kept")
        # The expected text must differ from the typed one, which is echoed before it runs.
        screen.type("stty -g > after; echo both' 'written\n")
        screen.sees("both written")
        wait_until(lambda: screen.modes() == before, lambda: f"{before} instead of {screen.modes()}")
        assert (place.folder / "before").read_text() == (place.folder / "after").read_text()


def test_the_program_stops_and_continues_as_a_job(place):
    with place.running(*CLOCK):
        posts(place)
        screen = Screen(place, shell=True, columns=80, lines=24)
        screen.type(f"PS1='ready> '; {screen.words}\n")
        screen.sees("post 29")
        for _ in range(8):
            screen.press("j")
        screen.misses("post 29")
        before = screen.at_rest()
        screen.press("C-z")
        screen.stops(1)
        assert "alternate_on=0" in screen.modes() and "cursor_flag=1" in screen.modes()
        screen.type("echo the shell' 'works\n")
        screen.sees("the shell works")
        screen.resize(80, 20)
        screen.resize(80, 24)
        screen.type("fg\n")
        screen.rests_as(before)
        screen.press("k")
        wait_until(lambda: screen.picture()[:-1] != before, "a reaction to the key")
        # An Escape sent together with Ctrl-Z must not combine with the first key afterwards.
        screen.terminal.tmux("send-keys", "-H", "1a", "1b")
        screen.stops(2)
        screen.type("fg\n")
        screen.misses("Stopped")
        screen.press("c")
        screen.sees("New post")
        screen.press("Escape")
        screen.misses("New post")
        # Stopped and continued from outside, while the shell writes.
        process = screen.process()
        os.kill(process, signal.SIGTSTP)
        screen.stops(3)
        screen.type("fg\n")
        screen.misses("Stopped")
        screen.sees("post")


def test_a_restart_of_the_daemon_is_reported_and_the_position_is_kept(place):
    with place.running(*CLOCK):
        posts(place)
        screen = Screen(place, "attach", "--no-animation", columns=80, lines=24)
        screen.sees("post 29")
        for _ in range(12):
            screen.press("j")
        screen.press("Enter")
        screen.sees("Conversation")
        screen.press("h")
        screen.sees("▸Timeline")
        screen.sees("Mentions")
        before = screen.at_rest()
    screen.sees("offline since")
    # Loaded rows can still be read.
    screen.press("k", "j")
    with place.running(*CLOCK):
        screen.misses("offline")
        screen.sees("live")
        screen.rests_as(before)
        place.post("news from the pier")
        screen.press("g")
        screen.sees("news from the pier")


def test_two_screens_share_a_session(place):
    with place.running(*CLOCK):
        numbers = posts(place, 5)
        first, second = Screen(place, columns=80, lines=24), Screen(place, columns=100, lines=30)
        first.sees("post 04")
        second.sees("post 04")
        first.press("j", "j", "Enter")
        first.sees("Conversation")
        second.sees("Conversation")
        place.client("delete", numbers[0], "--yes", code=None)
        place.post("for both of them")
        second.press("q")
        first.misses("Conversation")
        for screen in (first, second):
            screen.sees("for both of them")
        work = Screen(place, "attach", "--session", "work", columns=80, lines=24)
        work.sees("for both of them")
        work.press("Enter")
        work.sees("Conversation")
        assert len(place.value("pane", "list", "--session", "work")) == 2
        assert len(place.value("pane", "list")) == 1


def test_posts_are_written_replied_to_edited_and_deleted(place):
    editor = place.folder / "editor"
    editor.write_text('#!/bin/sh\nprintf "%s" "written elsewhere" > "$1"\n')
    editor.chmod(0o700)
    place.environment["EDITOR"] = str(editor)
    with place.running(*CLOCK):
        posts(place, 3)
        screen = Screen(place)
        screen.sees("post 02")
        screen.press("c")
        screen.type("Hello, harbour q")
        screen.sees("Hello, harbour q")
        screen.press("C-s")
        wait_until(lambda: "Hello, harbour q" in place.texts("timeline"), screen.text)
        screen.sees("Posted.")
        screen.press("g", "j", "j", "r")
        screen.sees("@ann")
        screen.type("indeed")
        screen.press("C-s")
        wait_until(lambda: any("@ann" in text and "indeed" in text for text in place.texts("timeline")), screen.text)
        screen.press("C")
        screen.sees("written elsewhere")
        assert "written elsewhere" not in place.texts("timeline"), "quitting an editor sends nothing"
        screen.press("C-s")
        wait_until(lambda: "written elsewhere" in place.texts("timeline"), screen.text)
        screen.press("g")
        screen.selects("@")
        screen.press("e")
        screen.sees("Edit post")
        screen.type(" and changed")
        screen.press("C-s")
        wait_until(lambda: "written elsewhere and changed" in place.texts("timeline"), screen.text)
        screen.sees("Post edited.")
        screen.sees("written elsewhere and changed")
        screen.press("d")
        screen.sees("Delete this post?")
        screen.press("y")
        wait_until(lambda: not any("written elsewhere" in text for text in place.texts("timeline")), screen.text)


def test_every_other_key_has_a_visible_effect(place):
    with place.running(*CLOCK):
        numbers = posts(place, 20)
        ann = place.guest("ann")
        ann.post("a question to nobody", "--reply-to", numbers[-1])
        ann.post("look: https://one.example and https://two.example, says @ann of #sea")
        screen = Screen(place, "attach", "--no-animation", columns=140, lines=40)
        screen.sees("a question to nobody")
        screen.press("g")
        screen.selects("ann")
        for keys, words in (
            (["o"], "Links"), (["Escape"], "q close"), (["#"], "▸#sea"), (["q"], "▸Timeline"), (["@"], "People"), (["Escape"], "q close"),
            (["v"], "no web page"), (["m"], "No attachments"), (["Z"], "Nothing is hidden"), (["Y"], "Text copied"), (["y"], "This post has no address"),
            (["{"], "not a reply"), (["("], "Only conversations"), (["F"], "follow"), (["F"], "Follow off"),
            (["M"], "mouse"), (["M"], "Mouse off"), (["D"], "2015-11-03"), (["Escape"], "q close"), (["/"], "phrases"),
            (["Escape"], "q close"), (["S"], "main (current)"), (["Escape"], "q close"), (["9"], "There is only one pane"),
            (["?"], "Find:"), (["Escape"], "q close"), ([":"], "search QUERY"), (["Escape"], "q close"), (["C-c"], "again to quit"),
        ):
            screen.press(*keys)
            screen.sees(words)
        # Keys for two panes.
        screen.press("j", "j")
        wait_until(lambda: "post 19" in "".join(line for line in screen.lines() if "┃" in line), screen.text)
        screen.press("t")
        screen.sees("▸Conversation")
        screen.press("(")
        screen.sees("hidden")
        screen.press(")")
        screen.misses("reply hidden")
        screen.press("Tab")
        screen.sees("▸Timeline")
        screen.press("2")
        screen.sees("▸Conversation")
        screen.press("h")
        screen.sees("▸Timeline")
        screen.press("J")
        screen.sees("post 18")
        wait_until(lambda: "▸Timeline" in screen.text() and place.value("pane", "list")[-1]["kind"] == "conversation", screen.text)
        before = screen.at_rest()
        screen.press("+")
        wait_until(lambda: screen.at_rest() != before, screen.text)
        screen.press("=")
        screen.rests_as(before)
        screen.press("z")
        wait_until(lambda: screen.at_rest() != before, screen.text)
        screen.press("z")
        screen.rests_as(before)
        # The preview, which may stand beside the panes, is called "Conversation · preview".
        screen.press("X")
        screen.misses("▸Conversation")
        screen.press("[")
        screen.sees("▸Conversation")
        screen.press("]")
        screen.misses("▸Conversation")
        for number, words in ((2, "No mentions yet"), (3, "No lists yet"), (4, "No messages yet"), (5, "No posts"), (6, "Search all posts")):
            screen.press(f"M-{number}")
            screen.sees(words)
        screen.press("/")
        screen.type("question")
        screen.press("Enter")
        screen.sees("a question to nobody")
        screen.press("M-1")
        screen.sees("post 19")
        screen.press("Space")
        screen.misses("post 19")
        screen.press("-")
        screen.sees("post 19")
        screen.press("C-d", "C-d")
        screen.misses("a question to nobody")
        screen.press("C-u", "C-u", "C-e", "C-y", "End", "Home")
        screen.sees("a question to nobody")


def test_pasted_text_is_never_a_key(place):
    with place.running(*CLOCK):
        posts(place, 3)
        screen = Screen(place)
        screen.sees("post 02")
        screen.terminal.tmux("set-buffer", "Qd\x1b[Ay\n")
        screen.terminal.tmux("paste-buffer", "-p")
        screen.sees("Nothing to paste into")
        screen.press("c")
        screen.terminal.tmux("set-buffer", "two lines\nof text")
        screen.terminal.tmux("paste-buffer", "-p")
        screen.sees("of text")
        screen.press("C-s")
        wait_until(lambda: "two lines\nof text" in place.texts("timeline"), screen.text)


def test_the_first_five_minutes(place):
    (place.folder / "posts.jsonl").write_text('{"id": "1", "text": "from a file", "created_at": "2026-02-01T10:00:00Z", "author": {"id": "7", "handle": "cleo", "name": "Cleo"}}\n')
    screen = Screen(place, columns=80, lines=24)
    screen.sees("No posts yet.")
    screen.press(":")
    screen.type(f"import {place.folder}/posts.jsonl")
    screen.press("Enter")
    # The import runs as a separate program, whose output comes first.
    screen.sees("Imported:")
    screen.sees("from a file")
    screen.press("c")
    screen.sees("New post")
    screen.type("my first post")
    screen.press("C-s")
    wait_until(lambda: "my first post" in place.texts("timeline"), screen.text)
    screen.sees("Posted.")
    screen.sees("my first post")
    screen.sees("q close")
    screen.press("Q")
    screen.wait_for_end()


def test_the_mouse_selects_and_opens_and_scrolls(place):
    with place.running(*CLOCK):
        posts(place)
        screen = Screen(place, "attach", "--mouse", columns=120, lines=40)
        screen.sees("post 29")

        def mouse(button, column, line, kind="M"):
            screen.terminal.tmux("send-keys", "-l", f"\x1b[<{button};{column};{line}{kind}")

        row = next(index for index, line in enumerate(screen.lines()) if "post 28" in line)
        mouse(0, 40, row + 1)
        mouse(0, 40, row + 1, "m")
        screen.selects("ann")
        mouse(0, 40, row + 1)
        screen.sees("Conversation")
        mouse(65, 10, 10)
        screen.misses("post 29")
        mentions = next(index for index, line in enumerate(screen.lines()) if "@" in line[:4])
        mouse(0, 2, mentions + 1)
        screen.sees("No mentions yet")


def cells(line):
    """Returns the character in each cell of a line; "" after a wide one."""
    found = []
    for sign in line:
        if unicodedata.combining(sign):
            continue
        found += [sign, ""] if unicodedata.east_asian_width(sign) in "WF" else [sign]
    return found


@pytest.mark.parametrize("columns", [120, 121, 122, 123])
def test_boxes_cut_wide_characters(place, columns):
    """Borders of a box cover the first or second half of wide characters; nothing is shifted or left behind."""
    with place.running(*CLOCK):
        ann = place.guest("ann")
        for _ in range(12):
            ann.post("漁師の港" * 14)
        screen = Screen(place, "attach", "--no-animation", columns=columns, lines=24)
        screen.sees("漁師の港漁師")
        screen.press("Enter")
        screen.sees("▸Conversation")
        before = screen.at_rest()
        left = columns - 80  # over the pane at the right edge, and half of the pane beside it
        for open_it, words in ((":", "tab completes"), ("c", "New post"), ("/", "enter searches")):
            screen.press(open_it)
            screen.sees(words)
            lines = [cells(line.ljust(columns)) for line in screen.lines()]
            box = [line for line in lines if line[left] in "│╭╰" and line[left + 79] in "│╮╯"]
            top, bottom = (next(index for index, line in enumerate(lines) if line[left] == sign) for sign in "╭╰")
            assert len(box) == bottom - top + 1, "\n".join(screen.lines())
            seen = screen.picture()[:-1]
            screen.press("C-l")
            screen.rests_as(seen)
            screen.press("Escape")
            screen.rests_as(before)
        screen.press("Q")
        screen.wait_for_end()


@pytest.mark.parametrize("width", [56, 57, 58])
def test_the_clock_cuts_wide_characters(place, width):
    """The clock covers the first or second half of wide characters; the border behind it stays in its column."""
    with place.running(*CLOCK):
        ann = place.guest("ann")
        for _ in range(12):
            ann.post("漁師の港" * 26)
        screen = Screen(place, "attach", "--no-animation", columns=100, lines=24)
        screen.sees("漁師の港漁師")
        screen.press(":")
        screen.type(f"width {width}")
        screen.press("Enter")

        seen = []

        def is_straight(has_clock):
            """Returns whether all rows end in the same column and the clock's visibility is as given."""
            seen[:] = screen.lines()
            ends = {len(cells(line.rstrip())) for line in seen[2:-1] if line.rstrip()[-1:] in ("│", "┤")}
            return any("⠀" < sign <= "⣿" for sign in "".join(seen)) == has_clock and ends == {22 + width}

        wait_until(lambda: is_straight(has_clock=False), lambda: "\n".join(seen))
        screen.press("C-e")
        wait_until(lambda: is_straight(has_clock=True), lambda: "\n".join(seen))
        screen.press("Q")
        screen.wait_for_end()


class Delay:
    """A proxy of the daemon's socket that can be paused."""

    def __init__(self, place):
        self.path, self.target, self.goes = place.folder / "slow.sock", place.socket, threading.Event()
        self.goes.set()
        self.listener = socket.socket(socket.AF_UNIX)
        self.listener.bind(str(self.path))
        self.listener.listen()
        threading.Thread(target=self.accept, daemon=True).start()
        place.cleanup.callback(self.listener.close)

    def accept(self):
        while True:
            try:
                client = self.listener.accept()[0]
            except OSError:
                return
            daemon = socket.socket(socket.AF_UNIX)
            try:
                daemon.connect(str(self.target))
            except OSError:
                client.close()
                continue
            for source, target in ((client, daemon), (daemon, client)):
                threading.Thread(target=self.carry, args=(source, target), daemon=True).start()

    def carry(self, source, target):
        with contextlib.suppress(OSError):
            while data := source.recv(65536):
                self.goes.wait()
                target.sendall(data)
            target.shutdown(socket.SHUT_WR)


def test_scrolling_does_not_wait_for_the_daemon(place):
    with place.running(*CLOCK):
        posts(place, 60)
        delay = Delay(place)
        screen = Screen(place, "attach", "--socket", delay.path, columns=80, lines=24)
        screen.sees("post 59")
        screen.sees("q close")
        delay.goes.clear()
        for _ in range(7):
            screen.press("j")
        screen.selects("ann")
        screen.sees("post 53")
        screen.misses("post 58")
        # The proxy continues: the session receives the changes, and more rows arrive.
        delay.goes.set()
        for _ in range(30):
            screen.press("j")
        screen.sees("post 23")
        # Another screen of the session has the same row selected.
        other = Screen(place, columns=80, lines=24)
        other.selects("ann")


def test_without_a_terminal_posts_are_printed(place):
    with place.running(*CLOCK):
        posts(place, 2)
        assert "post 01" in place.client().stdout
        place.fails("attach", code=2, words="the full screen needs a terminal")
