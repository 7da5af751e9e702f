"""Unread posts, and piping posts to commands."""

import json

from conftest import wait_until
from test_screen import CLOCK, Screen


def test_unread_posts_are_visited_from_the_oldest_and_a_refresh_shows_all(place):
    with place.running(*CLOCK):
        for number in range(20):
            place.post(f"old {number:02}")
        screen = Screen(place, "attach", "--no-animation", columns=80, lines=24)
        screen.sees("old 19")
        screen.press("G")
        screen.sees("old 00")
        for number in range(8):
            place.post(f"new {number:02}")
        screen.sees("▲ 8 new")
        screen.press("n")
        screen.selects("new 00" if "new" in screen.selected() else "")
        wait_until(lambda: any("┃" in line and "new 00" in line for line in screen.lines()), screen.text)
        for number in range(1, 8):
            screen.press("n")
            wait_until(lambda wanted=f"new {number:02}": any("┃" in line and wanted in line for line in screen.lines()), screen.text)
        screen.misses("▲")
        screen.press("n")
        screen.sees("No newer unread posts.")
        screen.press("G")
        screen.sees("old 00")
        place.post("the last one")
        screen.sees("▲ 1 new")
        screen.press(".")
        screen.sees("1 new post.")
        screen.sees("the last one")
        screen.misses("▲")


def selects(screen, words):
    wait_until(lambda: any("┃" in line and words in line for line in screen.lines()), screen.text)


def test_posts_are_marked_unread_and_read_by_key_and_undone(place):
    with place.running(*CLOCK):
        numbers = [place.post(f"post {number:02}") for number in range(12)]
        screen = Screen(place, "attach", "--no-animation", columns=80, lines=24)
        screen.sees("post 11")
        screen.press("j", "N")
        screen.sees("● unread")
        screen.sees("Post marked as unread · u")
        assert place.rows("timeline", "--filter", "is:unread") and place.rows("timeline", "--filter", "is:unread")[0]["id"] == numbers[10]
        screen.press("j", "j", "N")
        wait_until(lambda: screen.text().count("● unread") == 2, screen.text)
        # n goes up from the last post, skipping read ones, and p goes back.
        screen.press("G", "n")
        selects(screen, "post 08")
        screen.press("n")
        selects(screen, "post 10")
        screen.press("p")
        selects(screen, "post 08")
        screen.press("g", "A")
        screen.sees("2 posts marked as read · u")
        screen.misses("● unread")
        screen.press("u")
        screen.sees("Undone: marking 2 posts as read · ctrl-r")
        wait_until(lambda: screen.text().count("● unread") == 2, screen.text)
        screen.press("Q")
        screen.wait_for_end()


def test_line_mode_marks_posts_and_prints_unread_ones(place):
    with place.running(*CLOCK):
        numbers = [place.post(f"post {number}") for number in range(30)]

        def unread(*options):
            return {row["id"] for row in place.rows("timeline", "-n", "100", "--filter", "is:unread", *options)}

        assert unread() == set(numbers), "all posts are unread at first"
        screen = Screen(place, "attach", "--no-animation", columns=80, lines=24)
        screen.sees("post 29")
        # The top of the timeline is on the screen, so all of it counts as read.
        wait_until(lambda: unread() == set(), "visible posts to become read")
        screen.press("Q")
        screen.wait_for_end()
        assert unread() == set(), "read marks outlive the screen"
        assert "2 posts marked as unread" in place.client("mark", "unread", numbers[3], numbers[7]).stdout
        assert unread() == {numbers[3], numbers[7]}
        new = place.post("one more")
        assert unread() == {numbers[3], numbers[7], new}
        assert json.loads(place.client("--json", "mark", "read", new).stdout)["changed"] == 1
        assert unread() == {numbers[3], numbers[7]}
        assert "unread" in place.client("show", numbers[3]).stdout
        assert "2 posts marked as read" in place.client("mark", "read", "--all").stdout
        assert unread() == set()
        assert "marking 2 posts as read" in place.client("undo").stdout
        assert unread() == {numbers[3], numbers[7]}
        assert "marking 2 posts as read" in place.client("redo").stdout
        assert unread() == set()
        for words in (["read"], ["read", "--all", numbers[0]], ["unread"], ["read", "--all", "--section", "messages"], ["read", "no post"]):
            assert place.client("mark", *words, code=2).stderr, words
        place.fails("mark", "read", numbers[0], "999999", code=3, words="there is no post 999999")
        place.fails("search", "post", "--filter", "is:unread", code=2, words="is:unread works only in the timeline")


def test_a_post_is_piped_to_a_command_and_the_screen_returns(place):
    with place.running(*CLOCK):
        number = place.post("a post for a program")
        screen = Screen(place, "attach", "--no-animation", columns=80, lines=24)
        screen.sees("a post for a program")
        file = place.folder / "taken it.json"
        screen.press("|")
        screen.sees("Pipe to")
        screen.type(f"tee '{file}'")
        screen.press("Enter")
        screen.sees("Sent to tee.")
        screen.sees("a post for a program")
        row = json.loads(file.read_text(encoding="utf-8"))
        assert (row["id"], row["text"]) == (number, "a post for a program")
        for command, words in [("false", "false exited with status 1."), ("no-such-program", "Cannot start no-such-program")]:
            screen.press("|")
            screen.sees("Pipe to")
            screen.type(command)
            screen.press("Enter")
            screen.sees(words)
        # A program that does not start leaves its prompt open.
        screen.press("Escape")
        screen.misses("Pipe to")
        assert not list((place.folder / "run").glob("stack-item*")), "temporary files are removed"
        screen.press("Q")
        screen.wait_for_end()
