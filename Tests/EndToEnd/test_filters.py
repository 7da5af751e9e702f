"""Filters of panes: live, in every view, and with the syntax of line mode."""

import json
import re

import pytest

from conftest import BIN, ROOT
from test_screen import CLOCK, Screen, posts


@pytest.fixture
def harbour(place):
    place.client("import", "-q", ROOT / "examples/timeline.jsonl")
    return place


def test_line_mode_filters_rows(harbour):
    everything = harbour.rows("timeline", "-n", "300")
    ids = lambda rows: [row["id"] for row in rows]
    otters = harbour.rows("search", "otter", "-n", "300")
    for words, passes in [
        ("-is:repost", lambda row: not row["reposted_by"]), ("is:repost", lambda row: row["reposted_by"]),
        ("otter -is:repost", lambda row: row in otters),
    ]:
        assert ids(harbour.rows("timeline", "-n", "300", "--filter", words)) == ids(row for row in everything if passes(row)), words
    assert ids(harbour.rows("search", "otter", "--filter", "from:bertil")) == ids(harbour.rows("search", "otter", "from:bertil"))
    first = harbour.rows("timeline", "--filter", "-is:repost", "-n", "5")
    assert ids(harbour.rows("timeline", "--filter", "-is:repost", "-n", "3", "--before", first[1]["id"])) == ids(first[2:])
    found = harbour.rows("timeline", "-n", "300", "--filter", r"/\bÓtt.R(s|'s)?\b/ -is:repost")
    assert found and ids(found) == ids(row for row in everything if re.search(r"(?i)\bott.r(s|'s)?\b", row["text"]) and not row["reposted_by"])
    shell = f"""'{BIN}/stack-client' timeline -n 300 --jsonl --filter '-/otter|"|\\/ /' --filter '-/(\\w+) .*[$"!]/ -is:repost'"""
    result = harbour.client("-c", shell, program="sh")
    words = [json.loads(line)["text"] for line in result.stdout.splitlines()]
    assert words == [row["text"] for row in everything if not re.search(r'(?s)\w+ .*[$"!]', row["text"]) and not row["reposted_by"]]
    harbour.fails("timeline", "--filter", "/a(b/", code=2, words="invalid pattern /a(b/: character 2: unclosed (")
    harbour.fails("timeline", "--filter", "/usr", code=2, words="/usr has no closing slash")
    harbour.fails("timeline", "--filter", r"/(a)\1/", code=2, words=r"backreference \1 is not supported")
    harbour.fails("timeline", "--filter", "is:blue", code=2, words="is:repost")
    harbour.fails("search", "otter", "--filter", "is:unread", code=2, words="no reading position")
    harbour.fails("messages", "--filter", "otter", code=2, words="can be filtered")


def test_a_pane_is_filtered_by_key_and_stays_live(place):
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


def test_a_pane_is_filtered_by_a_pattern(place):
    with place.running(*CLOCK):
        posts(place, 20)
        screen = Screen(place, "attach", "--no-animation", columns=80, lines=30)
        screen.sees("post 19")
        screen.press("&", *"/^PO.T 1[24],/", "Enter")
        screen.sees("& /^po.t 1[24],/")
        screen.sees("post 12")
        screen.misses("post 13")
        place.post("Pöst 14, another one")
        place.post("and post 14, too")
        screen.sees("another one")
        screen.misses("too")
        place.client("pane", "filter", "-/^post|one$/", "-is:repost")
        screen.sees("and post 14, too")
        screen.misses("another one")
        assert place.value("pane", "list")[0]["filter"] == "-is:repost -/^post|one$/"
        assert place.texts("timeline", "--filter", "-/^post|one$/ -is:repost") == ["and post 14, too"]
        place.fails("pane", "filter", "/[z-a]/", code=2, words="character 2: invalid range [z-a]")
        screen.press("&", "C-u", *"/x", "Enter")
        screen.sees("/x has no closing slash")
