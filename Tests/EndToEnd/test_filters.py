"""Panes that are limited: live, in every view, and by words that line mode takes too."""

import pytest

from conftest import ROOT
from test_screen import CLOCK, Screen, posts


@pytest.fixture
def harbour(place):
    place.client("import", "-q", ROOT / "examples/timeline.jsonl")
    return place


def test_line_mode_prints_what_passes(harbour):
    everything = harbour.rows("timeline", "-n", "300")
    ids = lambda rows: [row["id"] for row in rows]
    for words, passes in [
        ("-is:repost", lambda row: not row["reposted_by"]), ("is:repost", lambda row: row["reposted_by"]),
        ("otter -is:repost", lambda row: row in harbour.rows("search", "otter", "-n", "300")),
    ]:
        assert ids(harbour.rows("timeline", "-n", "300", "--filter", words)) == ids(row for row in everything if passes(row)), words
    assert ids(harbour.rows("search", "otter", "--filter", "from:bertil")) == ids(harbour.rows("search", "otter", "from:bertil"))
    first = harbour.rows("timeline", "--filter", "-is:repost", "-n", "5")
    assert ids(harbour.rows("timeline", "--filter", "-is:repost", "-n", "3", "--before", first[1]["id"])) == ids(first[2:])
    harbour.fails("timeline", "--filter", "is:blue", code=1, words="is:repost")
    harbour.fails("search", "otter", "--filter", "is:unread", code=1, words="how far they are read")
    harbour.fails("messages", "--filter", "otter", code=1, words="limited")


def test_a_pane_is_limited_by_a_key_and_lives(place):
    with place.running(*CLOCK):
        posts(place, 20)
        first, second = (Screen(place, "attach", "--no-animation", columns=80, lines=30) for _ in range(2))
        for screen in (first, second):
            screen.sees("post 19")
        first.press("&", "1", "2", "Enter")
        for screen in (first, second):
            screen.sees("& 12")
            screen.misses("post 19")
            screen.sees("post 12")
        place.post("and 12 more")
        place.post("and 13 more")
        for screen in (first, second):
            screen.sees("and 12 more")
            screen.misses("and 13 more")
        assert place.value("pane", "list")[0]["filter"] == "12"
        second.press("\\\\")
        for screen in (first, second):
            screen.sees("and 13 more")
        place.client("pane", "filter", "-12")
        for screen in (first, second):
            screen.misses("and 12 more")
        place.client("pane", "back")
        for screen in (first, second):
            screen.sees("and 12 more")
