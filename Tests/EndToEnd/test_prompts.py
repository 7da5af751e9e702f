"""Prompts, notices, completion and finding in the full screen, as a new user meets them."""

import json

import pytest
from conftest import wait_until
from test_screen import CLOCK, Screen, posts

SIZES = [(80, 24), (120, 40), (200, 50)]


def thread(place, count=30):
    """Imports posts of which each tenth has a reply."""
    author = {"id": "1", "handle": "ann", "name": "Ann"}
    lines = []
    for number in range(count):
        post = {"id": str(number), "created_at": f"2026-02-28T{number // 60 + 10:02}:{number % 60:02}:00Z", "author": author, "text": f"filler {number:03}"}
        lines.append(json.dumps(post))
    (place.folder / "posts.jsonl").write_text("\n".join(lines), encoding="utf-8")
    place.client("-q", "import", place.folder / "posts.jsonl")


@pytest.mark.parametrize(("columns", "lines"), SIZES)
def test_a_list_is_read_with_its_details_beside_it(place, columns, lines):
    with place.running(*CLOCK):
        posts(place, 12)
        screen = Screen(place, "attach", "--no-animation", columns=columns, lines=lines)
        screen.sees("post 11")
        screen.press("g")
        screen.selects("┃")
        for number in range(10, 6, -1):
            screen.press("J")
            wait_until(lambda number=number: f"post {number:02}" in "".join(line for line in screen.lines() if "┃" in line), screen.text)
            screen.sees("▸Timeline")
        if columns < 100:
            assert [pane["kind"] for pane in place.value("pane", "list")] == ["timeline"]
        else:
            wait_until(lambda: place.value("pane", "list")[-1]["kind"] == "conversation", screen.text)
            wait_until(lambda: screen.text().count("post 07") == 2, screen.text)
            assert len(place.value("pane", "list")) == 2
            screen.press("K")
            wait_until(lambda: screen.text().count("post 08") == 2, screen.text)


@pytest.mark.parametrize(("columns", "lines"), SIZES)
def test_a_refused_line_stays_with_the_reason(place, columns, lines):
    with place.running(*CLOCK):
        posts(place, 3)
        screen = Screen(place, "attach", "--no-animation", columns=columns, lines=lines)
        screen.sees("post 02")
        for keys, text, reason in (
            ("/", "lang:de", "nknown key"), ("&", "is:odd", "Unknown state is:odd"), ("D", "someday", "Not a time: 'someday'"),
            ("@", "nobody", "@nobody"), (":", "follow nobody", "@nobody"), (":", "theme blue", "Unknown theme 'blue'"), (":", "block", "type block AUTHOR"),
            (":", "import /no/such/file", "There is no file /no/such/file"), ("|", "no-such-program -x", "Cannot start no-such-program"),
        ):
            screen.press(keys)
            screen.sees("esc closes")
            screen.type(text)
            screen.press("Enter")
            screen.sees(reason)
            screen.sees(text)
            screen.sees("esc closes")
            screen.press("Escape")
            screen.misses("esc closes")
            screen.press(keys)
            screen.sees("esc closes")
            screen.press("Up")
            screen.sees(text)
            screen.press("Escape")
            screen.misses("esc closes")


def test_dates_as_people_write_them(place):
    with place.running(*CLOCK):
        lines = [json.dumps({"id": str(year), "created_at": f"{year}-06-15T12:00:00Z", "text": f"of {year}", "author": {"id": "1", "handle": "a", "name": "A"}})
                 for year in range(2000, 2026)]
        (place.folder / "posts.jsonl").write_text("\n".join(lines), encoding="utf-8")
        place.client("-q", "import", place.folder / "posts.jsonl")
        screen = Screen(place, "attach", "--no-animation")
        screen.sees("of 2025")
        for words, selected in (("2005", "of 2005"), ("2010-06", "of 2010"), ("jun 15 2003", "of 2003"), ("15 june 2020", "of 2020"), ("yesterday", "of 2025")):
            screen.press("D")
            screen.sees("Go to date")
            screen.type(words)
            screen.press("Enter")
            wait_until(lambda selected=selected: selected in "".join(line for line in screen.lines() if "┃" in line), screen.text)
        assert place.texts("timeline", "--since", "2024-01") == ["of 2025", "of 2024"]
        assert place.texts("timeline", "--before", "2002-01", "-n", "9") == ["of 2001", "of 2000"]
        assert place.texts("timeline", "--before", "jun 15 2002", "--since", "2001-01") == ["of 2001"]


def test_escape_never_leaves_and_the_question_says_how(place):
    with place.running(*CLOCK):
        posts(place, 3)
        screen = Screen(place, "attach", "--no-animation", columns=80, lines=24)
        screen.sees("post 02")
        screen.press("j", "Enter")
        screen.sees("▸Conversation")
        for _ in range(4):
            screen.press("Escape")
            screen.at_rest()
        screen.sees("▸Conversation")
        screen.press("q")
        screen.sees("▸Timeline")
        screen.press("Escape")
        screen.at_rest()
        screen.sees("▸Timeline")
        screen.press("q")
        screen.sees("Quit Stack?")
        screen.sees("enter quit")
        screen.sees("esc stay")
        screen.press("Escape")
        screen.misses("Quit Stack?")
        screen.press("q")
        screen.sees("Quit Stack?")
        screen.press("Enter")
        screen.wait_for_end()


def test_a_text_that_is_too_long_says_so_in_its_box(place):
    with place.running(*CLOCK):
        screen = Screen(place, "attach", "--no-animation", columns=80, lines=24)
        screen.sees("No posts yet.")
        screen.press("c")
        screen.type("https://example.org/" + "x" * 80 + " " + "y" * 276)
        screen.sees("300/280")
        screen.press("C-s")
        screen.sees("Too long by 20: 300 of 280 characters.")
        screen.press(*["BSpace"] * 20)
        screen.sees("280/280")
        screen.misses("Too long")
        screen.press("C-s")
        wait_until(lambda: len(place.texts("timeline")) == 1, screen.text)


def test_the_command_line_scrolls_and_completes(place):
    with place.running(*CLOCK):
        place.client("-q", "list", "make", "harbour")
        posts(place, 2)
        (place.folder / "archive").mkdir()
        (place.folder / "archive" / "posts.jsonl").write_text('{"id": "1", "text": "from a file", "created_at": "2026-02-01T10:00:00Z", "author": {"id": "7", "handle": "cleo", "name": "Cleo"}}\n')
        screen = Screen(place, "attach", "--no-animation", columns=80, lines=24)
        screen.sees("post 01")
        screen.press(":")
        screen.sees("1 of ")
        screen.press(*["Down"] * 12)
        screen.sees("13 of ")
        assert sum("│ ▸ " in line for line in screen.lines()) == 1, screen.text()
        screen.press("Escape")
        screen.press(":")
        screen.type("list har")
        screen.sees("▸ harbour")
        screen.press("Tab")
        screen.sees(":list harbour")
        screen.press("Enter")
        screen.sees("No posts in this list yet.")
        screen.press("q", ":")
        screen.type(f"import {place.folder}/arch")
        screen.sees("archive/")
        screen.press("Tab")
        screen.sees("▸ posts.jsonl")
        screen.type("po")
        screen.press("Tab")
        screen.sees("archive/posts.jsonl")
        screen.press("Enter")
        screen.sees("from a file")
        screen.press(":")
        screen.type("author cl")
        screen.sees("▸ @cleo")
        screen.press("Tab", "Enter")
        screen.sees("Cleo")


def test_found_words_stand_out_and_a_pane_is_titled_with_what_was_typed(place):
    with place.running(*CLOCK):
        thread(place, 400)
        place.post("A Café by the quay")
        screen = Screen(place, "attach", "--no-animation")
        screen.sees("by the quay")
        screen.press("/")
        screen.type("Quay CAFE")
        screen.press("Enter")
        screen.sees("▸Quay CAFE")
        wait_until(lambda: "Café" in "".join(found(screen)), screen.text)
        assert found(screen) == ["Café", "quay"]
        screen.press("q", "C-f")
        screen.sees("Find in this pane")
        screen.type("filler 007")
        screen.press("Enter")
        wait_until(lambda: "filler 007" in "".join(line for line in screen.lines() if "┃" in line), screen.text)
        wait_until(lambda: found(screen) == ["filler", "007"], lambda: str(found(screen)))
        screen.press(">")
        screen.sees("Not found below this post")
        screen.press("Escape")
        wait_until(lambda: found(screen) == [], screen.text)


def found(screen):
    """Returns the words in the style of found words, in the dark theme."""
    words, style = [], "48;2;92;74;18"
    for part in screen.terminal.tmux("capture-pane", "-p", "-e").split("\x1b["):
        codes, _, text = part.partition("m")
        if style in codes or "48;5;58" in codes:
            words.append(text.split("\x1b")[0])
    return [word for word in words if word.strip()]


def test_a_direct_message_is_written_from_the_screen_and_answered_in_its_conversation(place):
    with place.running(*CLOCK):
        ann = place.guest("ann")
        bob = place.guest("bob")
        place.client("follow", "@ann")
        screen = Screen(place, "attach", "--no-animation", columns=80, lines=24)
        screen.sees("No posts yet.")
        screen.press("W")
        screen.sees("New direct message")
        screen.sees("Only you and the people it names with @ can see this.")
        screen.type("an")
        screen.sees("@ann")
        screen.press("Tab")
        screen.type("a secret")
        screen.press("C-s")
        wait_until(lambda: "@ann a secret" in ann.texts("messages"), screen.text)
        assert bob.texts("search", "secret") == []
        screen.press("M-4")
        screen.sees("a secret")
        screen.press("j", "Enter")
        screen.sees("▸@")
        screen.press("c")
        screen.sees("Only the people of this conversation can see this.")
        screen.type("and more")
        screen.press("C-s")
        wait_until(lambda: any("and more" in text for text in ann.texts("messages")), screen.text)
        assert bob.texts("search", "more") == []
