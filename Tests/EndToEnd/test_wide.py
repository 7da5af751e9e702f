"""Screens of several sizes: the focused pane after a resize, folded posts, and the preview of wide screens."""

from conftest import wait_until
from test_screen import CLOCK, Screen

SIZES = [(80, 24), (120, 40), (200, 50)]


def is_whole(screen, mark, words, columns):
    """Returns true if the pane with `mark` in its title lies on the screen with all of its 58 columns, and shows `words`."""
    lines = screen.lines()
    left = lines[0].find(mark)
    return 0 <= left <= columns - 58 and any(words in line[left : left + 58] for line in lines)


def test_the_focused_pane_is_whole_after_any_resize(place):
    with place.running(*CLOCK):
        posts = [place.post(f"post {index}") for index in range(5)]
        for post in posts[:3]:
            place.client("pane", "push", "conversation", post)
        screen = Screen(place, columns=200, lines=50)
        screen.sees("post 0")
        for pane in (1, 2, 3, 4):
            screen.press(str(pane))
            for size in [*SIZES, (100, 30), (80, 24), (200, 50)]:
                screen.resize(*size)
                mark, words = ("▸Timeline", "post 4") if pane == 1 else ("▸Conversation", f"post {pane - 2}")
                wait_until(
                    lambda mark=mark, words=words, columns=size[0]: is_whole(screen, mark, words, columns),
                    lambda mark=mark, size=size: f"{mark} whole at {size} in\n{screen.text()}")


def test_a_long_post_is_folded_until_z_and_whole_for_programs(place):
    with place.running(*CLOCK):
        place.client("account", "limit", "10000")
        long = place.post("\n".join(f"line {index}" for index in range(1, 281)))
        place.post("\n" * 200 + "below many lines")
        screen = Screen(place, columns=120, lines=40)
        screen.sees("… 260 more lines")
        assert "line 20 " in screen.text() and "line 21 " not in screen.text()
        assert sum("below many lines" in line for line in screen.lines()[:6]) == 1, "200 line feeds are one line"
        screen.press("j", "Z")
        screen.misses("more lines")
        screen.sees("line 21 ")
        other = Screen(place, columns=80, lines=24)
        other.sees("line 1 ")
        other.press("Space")
        other.sees("line 21 ")
        other.press("g", "j", "Z")
        other.sees("… 260 more lines")
        screen.sees("… 260 more lines")
        terminal = place.terminal("timeline", columns=80, lines=60)
        terminal.wait_for("… 260 more lines")
        for words in (("timeline",), ("show", long)):
            assert "line 280" in place.client(*words).stdout and "more lines" not in place.client(*words).stdout
        shown = place.terminal(f"show {long}", columns=80, lines=60)
        shown.wait_for("line 280")


def test_a_wide_screen_previews_the_selected_conversation(place):
    with place.running(*CLOCK):
        first = place.post("the first post")
        place.client("reply", first, "an answer to it")
        place.post("another post")
        screen = Screen(place, columns=160, lines=40)
        screen.sees("Conversation · preview")
        screen.press("j", "j")
        screen.sees("an answer to it")
        wait_until(lambda: screen.text().count("the first post") == 2, lambda: f"the conversation in\n{screen.text()}")
        assert [pane["kind"] for pane in place.value("pane", "list")] == ["timeline"], "it is no pane"
        screen.press("P")
        screen.misses("· preview")
        screen.press("Q")
        screen.wait_for_end()
        again = Screen(place, columns=200, lines=50)
        again.sees("the first post")
        again.misses("· preview")
        again.press("P")
        again.sees("Conversation · preview")
        again.press("Enter")
        wait_until(
            lambda: [pane["kind"] for pane in place.value("pane", "list")] == ["timeline", "conversation"], "a pane of its own")
        again.resize(120, 40)
        again.misses("· preview")
