"""The linear mode for screen readers: text without positioning, each item once, with the same keys."""

from conftest import BIN, wait_until
from test_screen import CLOCK, Screen, posts


def linear(place, *words, **options):
    return Screen(place, "attach", "--linear", *words, **options)


def test_rows_are_printed_once_when_reached(place):
    with place.running(*CLOCK):
        posts(place, 5)
        screen = linear(place)
        screen.sees("Pane 1 of 1: Timeline, 5 rows.")
        screen.sees("post 04, which is so long")
        screen.press("j", "j")
        wait_until(lambda: "post 02" in screen.text(), lambda: screen.text())
        screen.press("Enter")
        screen.sees("Pane 2 of 2: Conversation, 1 row.")
        said = screen.text()
        assert said.count("post 04") == 1, "printed rows are not repeated"
        screen.press("q")
        wait_until(lambda: screen.text().count("Pane 1 of 1") == 2, lambda: screen.text())
        place.guest("ann").post("something that comes meanwhile")
        screen.sees("something that comes meanwhile")
        screen.press("c")
        screen.sees("New post:")
        screen.type("Ahoy")
        screen.sees("Ahoy")
        screen.press("C-s")
        wait_until(lambda: place.value("count") == {"count": 7}, "the new post")
        screen.press("Q")
        screen.wait_for_end()


def test_nothing_but_text_reaches_the_terminal(place, tmp_path):
    """Captures all output, which must contain no escapes except those for bracketed paste."""
    with place.running(*CLOCK):
        posts(place, 3)
        caught = tmp_path / "caught"
        terminal = place.terminal(f"-q -f -c '{BIN / 'stack-client'} attach --linear' {caught}", program="script", columns=80, lines=24)
        wait_until(lambda: b"post 02" in caught.read_bytes() if caught.exists() else False, "the first row")
        terminal.press("j")
        wait_until(lambda: b"post 01" in caught.read_bytes(), "the second row")
        terminal.press("?")
        wait_until(lambda: b"Keys:" in caught.read_bytes(), "the keys")
        terminal.press("Enter")
        terminal.press("Q")
        terminal.wait_for_end()
        text = caught.read_bytes().replace(b"\x1b[?2004h", b"").replace(b"\x1b[?2004l", b"")
        assert b"\x1b" not in text
