"""What waits to be read, by key; and posts that are given to commands."""

import json

from conftest import wait_until
from test_screen import CLOCK, Screen


def test_unread_posts_are_gone_through_from_the_oldest_and_a_refresh_shows_them_all(place):
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
        screen.sees("Nothing is unread.")
        screen.press("G")
        screen.sees("old 00")
        place.post("the last one")
        screen.sees("▲ 1 new")
        screen.press(".")
        screen.sees("1 new post.")
        screen.sees("the last one")
        screen.misses("▲")


def test_a_post_is_given_to_a_command_and_the_screen_comes_back(place):
    with place.running(*CLOCK):
        number = place.post("a post for a program")
        screen = Screen(place, "attach", "--no-animation", columns=80, lines=24)
        screen.sees("a post for a program")
        file = place.folder / "taken it.json"
        screen.press("|")
        screen.sees("Pipe to")
        screen.type(f"tee '{file}'")
        screen.press("Enter")
        screen.sees("tee has it.")
        screen.sees("a post for a program")
        row = json.loads(file.read_text(encoding="utf-8"))
        assert (row["id"], row["text"]) == (number, "a post for a program")
        for command, words in [("false", "false ended with status 1."), ("no-such-program", "no-such-program cannot be started")]:
            screen.press("|")
            screen.sees("Pipe to")
            screen.type(command)
            screen.press("Enter")
            screen.sees(words)
        assert not list((place.folder / "run").glob("stack-item*")), "what was given is not left behind"
        screen.press("Q")
        screen.wait_for_end()
