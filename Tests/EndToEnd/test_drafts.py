"""Drafts of posts that are being written in the full screen."""

import os
import signal

from conftest import wait_until
from test_screen import CLOCK, Screen, posts


def test_drafts_survive_a_kill_and_can_be_posted_in_line_mode(place):
    with place.running(*CLOCK):
        numbers = posts(place, 3)
        screen = Screen(place)
        screen.sees("post 02")
        screen.press("c")
        screen.type("half a thought")
        screen.sees(" 14/280 ")
        wait_until(lambda: [draft["text"] for draft in place.value("drafts")] == ["half a thought"], screen.text)
        screen.press("Escape")
        screen.misses("New post")
        screen.press("g", "r")
        screen.sees("Reply")
        screen.type("an answer")
        wait_until(lambda: any(draft["text"].endswith("an answer") for draft in place.value("drafts")), screen.text)
        os.kill(int(screen.terminal.tmux("list-panes", "-F", "#{pane_pid}")), signal.SIGKILL)
        drafts = place.value("drafts")
        assert [(draft["kind"], draft["post_id"]) for draft in drafts] == [("reply", numbers[-1]), ("post", None)]
        again = Screen(place)
        again.sees("post 02")
        again.press("c")
        again.sees("half a thought")
        again.press("Escape")
        again.misses("New post")
        again.press("g", "r")
        again.sees("an answer")
        again.press("Escape")
        again.misses("Reply")
        number = place.client("-q", "post", "--draft", drafts[0]["id"]).stdout.strip()
        row = place.rows("show", number)[0]
        assert row["text"].endswith("an answer") and row["in_reply_to"] == numbers[-1]
        assert [draft["text"] for draft in place.value("drafts")] == ["half a thought"]
        assert place.client("drafts", "show", drafts[1]["id"]).stdout == "half a thought\n"
        place.client("drafts", "delete", drafts[1]["id"], "--yes")
        assert place.value("drafts") == []
        place.fails("post", "--draft", drafts[1]["id"], code=3, words="there is no draft")
