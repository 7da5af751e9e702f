"""Two screens of one session: changes appear on both at once, and each scrolls independently."""

import re

from conftest import wait_until
from test_screen import CLOCK, Screen, posts


def kinds(place, *words):
    return [pane["kind"] for pane in place.value("pane", "list", *words)]


def test_panes_are_shared_but_scrolling_is_independent(place):
    with place.running(*CLOCK):
        posts(place, 40)
        first, second = (Screen(place, "attach", "--no-animation", columns=columns, lines=30) for columns in (80, 130))
        for screen in (first, second):
            screen.sees("post 39")
            screen.sees("live")

        def places():
            """Returns the positions of rows without the shared selection: its mark at the left, and its row pinned to the last lines."""
            return [line.replace("┃", " ") for line in second.at_rest()[:20]]

        before = places()
        first.press("C-e", "C-e", "C-d", "C-d")
        first.misses("post 39")
        first.sees("post 31")
        assert places() == before, "the other screen does not move"
        # Commands apply to the session, from whichever screen.
        first.press("Enter")
        for screen in (first, second):
            screen.sees("Conversation")
        second.press("a")
        for screen in (first, second):
            screen.sees("40 posts")
        assert kinds(place) == ["timeline", "conversation", "profile"]
        views = place.value("session", "list")[0]["view_ids"]
        assert len(views) == 2 and f"views {', '.join(views)}" in place.client("session", "list").stdout
        assert all("position" in place.value("pane", "slide", "left", "--view", view) for view in views)
        first.press("q")
        wait_until(lambda: kinds(place) == ["timeline", "conversation"], "the pane to close")
        second.misses("40 posts")
        second.press("[")
        for screen in (first, second):
            screen.sees("40 posts")
        place.client("pane", "drop")
        for screen in (first, second):
            screen.misses("Conversation")
        assert kinds(place) == ["timeline"]
        # Scrolling is still independent, but the session's selected row is pinned to the edge.
        second.press("g")
        second.sees("post 38")
        first.sees("post 31")
        first.misses("post 38")


def test_the_selection_and_deletions_are_shared(place):
    with place.running(*CLOCK):
        posts(place, 3)
        mine = place.post("for the harbour")
        first, second = (Screen(place, "attach", "--no-animation", columns=columns, lines=30) for columns in (80, 100))
        for screen in (first, second):
            screen.sees("for the harbour")
            screen.sees("live")

        def selected(screen):
            return re.findall(r"┃.*(post \d\d|harbour)", screen.text())[:1]

        first.press("j")
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
        # Quitting one screen leaves the other, and a new one sees the same.
        first.press("Q")
        first.wait_for_end()
        third = Screen(place, columns=100, lines=30)
        third.sees("post 02")
        wait_until(lambda: selected(third) == selected(second), lambda: third.text() + second.text())


def test_a_direct_message_rings_the_bell_and_runs_a_command(place):
    with place.running():
        ann = place.guest("ann")
        told = place.folder / "told"
        settings = place.folder / "config/stack/client.toml"
        settings.parent.mkdir(parents=True, exist_ok=True)
        settings.write_text(f'[notify]\ncommand = ["sh", "-c", "echo $1 >> {told}", "sh"]\n')
        screen = Screen(place, "attach", "--no-animation")
        screen.sees("live")
        rung = place.folder / "rung"
        screen.terminal.tmux("set-hook", "-g", "alert-bell", f"run-shell 'touch {rung}'")
        ann.post("--visibility", "direct", f"@{place.name} are you there?")
        wait_until(lambda: told.exists() and told.read_text() == "1 new message\n", screen.text)
        wait_until(rung.exists, "the bell")
