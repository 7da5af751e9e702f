"""Two screens on one session: what is done on one is seen on both at once, and each scrolls by itself."""

import re

from conftest import wait_until
from test_screen import CLOCK, Screen, posts


def kinds(place, *words):
    return [pane["kind"] for pane in place.value("pane", "list", *words)]


def test_panes_are_opened_and_closed_on_both_and_each_scrolls_by_itself(place):
    with place.running(*CLOCK):
        posts(place, 40)
        first, second = (Screen(place, "attach", "--no-animation", columns=columns, lines=30) for columns in (80, 130))
        for screen in (first, second):
            screen.sees("post 39")
            screen.sees("live")

        def places():
            """What stands where. The selection is the session's: its mark, in the border, and its row, pinned to the lowest lines."""
            return [line.replace("┃", "│") for line in second.at_rest()[:20]]

        before = places()
        first.press("C-e", "C-e", "C-d", "C-d")
        first.misses("post 39")
        first.sees("post 31")
        assert places() == before, "the other one stays where it is"
        # Commands are the session's: whoever gives them.
        first.press("Enter")
        for screen in (first, second):
            screen.sees("Conversation")
        second.press("a")
        for screen in (first, second):
            screen.sees("40 posts")
        assert kinds(place) == ["timeline", "conversation", "profile"]
        first.press("q")
        wait_until(lambda: kinds(place) == ["timeline", "conversation"], "closed")
        second.misses("40 posts")
        second.press("[")
        for screen in (first, second):
            screen.sees("40 posts")
        place.client("pane", "drop")
        for screen in (first, second):
            screen.misses("Conversation")
        assert kinds(place) == ["timeline"]
        # Scrolled by itself, after all that too; but the row that the other one selects, which is the session's, is pinned to its edge.
        second.press("g")
        second.sees("post 38")
        first.sees("post 31")
        first.misses("post 38")


def test_a_selection_is_the_sessions_and_so_is_what_is_written_and_deleted(place):
    with place.running(*CLOCK):
        posts(place, 3)
        mine = place.post("for the harbour")
        first, second = (Screen(place, "attach", "--no-animation", columns=columns, lines=30) for columns in (80, 100))
        for screen in (first, second):
            screen.sees("for the harbour")
            screen.sees("live")

        def selected(screen):
            return re.findall(r"┃.*(post \d\d|harbour)", screen.text())[:1]

        first.press("j", "j")
        wait_until(lambda: selected(first) == ["post 02"], first.text)
        wait_until(lambda: selected(second) == ["post 02"], second.text)
        second.press("k")
        wait_until(lambda: selected(first) == selected(second) == ["harbour"], first.text)
        second.press("d")
        second.sees("Delete this post?")
        first.misses("Delete this post?")
        second.press("y")
        for screen in (first, second):
            screen.misses("for the harbour")
        assert mine not in [row["id"] for row in place.rows("timeline")]
        # One that is left leaves the other, and one that comes sees what the other sees.
        first.press("Q")
        first.wait_for_end()
        third = Screen(place, columns=100, lines=30)
        third.sees("post 02")
        wait_until(lambda: selected(third) == selected(second), lambda: third.text() + second.text())
