"""The keys of panes, and what the screen shows after each (docs/KEYS.md)."""

import json

from seeding import call
from test_screen import CLOCK, Screen

# Keys pressed first, in the timeline with its first row selected; the tested keys; a visible text; a text no longer visible. Keys without
# a place (None) are pressed where those above have led, which saves a start of the client.
TABLE = [
    ("", "j", "┃     answer 2", "┃     a link"),
    (None, "k", "┃     a link", "┃     answer 2"),
    (None, "Down", "┃     answer 2", "┃     a link"),
    (None, "Up", "┃     a link", "┃     answer 2"),
    (None, "G", "┃     filler 00", "a link"),
    (None, "g", "┃     a link", "filler 00"),
    (None, "End", "┃     filler 00", "a link"),
    (None, "Home", "┃     a link", "filler 00"),
    (None, "Space", "filler 1", "a link"),
    ("", "PgDn", "filler 1", "a link"),
    ("Space -", "-", "a link", ""),
    ("Space PgUp", "PgUp", "a link", ""),
    ("", "C-d", "filler 2", "a link"),
    (None, "C-u", "a link", ""),
    ("", "C-e C-e C-e", "answer 2", "a link"),
    (None, "C-y C-y C-y", "a link", ""),
    ("", "J", "▸Timeline", "▸Conversation"),
    ("J J", "K", "▸Timeline", "▸Conversation"),
    ("", "F", "Follow on.", ""),
    ("", "n", "No newer unread", ""),
    ("", "p", "No earlier unread", ""),
    ("G", ".", "┃     a link", "filler 00"),
    ("G", "R", "┃     a link", "filler 00"),
    ("", "D", "Go to", ""),
    ("j j j", "Z", "the hidden words", "[warning"),
    ("", "Enter", "▸Conversation", ""),
    ("", "l", "▸Conversation", ""),
    ("", "Right", "▸Conversation", ""),
    ("", "t", "▸Conversation", ""),
    ("", "a", "@ann · ", ""),
    ("", "@", "Author", ""),
    ("", "#", "Hashtag", ""),
    ("", "o", "https://example.org/one", ""),
    ("", "m", "a cat", ""),
    ("", "e", "Edit post", ""),
    (None, "x C-s", "can only edit your own posts", ""),
    # Marks persist from one entry to the next.
    ("", "f", "1 favourite (you)", ""),
    (None, "f", "", "favourite"),
    (None, "f f f", "1 favourite (you)", ""),
    (None, "b", "1 repost (you) · 1 favourite (you)", ""),
    (None, "b", "", "repost"),
    (None, "s", "1 favourite (you) · saved", ""),
    (None, "s", "", "saved"),
    (None, "u", "Undone: unsaving a post of @ann · ctrl-r", ""),
    (None, "u", "Undone: saving a post of @ann · ctrl-r", ""),
    (None, "C-r", "Redone: saving a post of @ann.", ""),
    (None, "u", "Undone: saving a post of @ann · ctrl-r", "saved"),
    ("", "y", "opied", ""),
    ("", "Y", "opied", ""),
    ("", "|", "Pipe to", ""),
    ("", "/", "Search", ""),
    ("j Enter G", "{", "┃     root post", ""),
    ("j j Enter", "}", "┃", ""),
    ("j Enter", "h", "▸Timeline", "▸Conversation"),
    ("j Enter", "Left", "▸Timeline", "▸Conversation"),
    ("Enter", "q", "▸Timeline", "Conversation"),
    ("Enter", "Escape", "▸Conversation", ""),
    ("Enter", "BSpace", "▸Timeline", "Conversation"),
    ("", "q", "Quit Stack?", ""),
    ("Enter", "Tab", "▸Timeline", "▸Conversation"),
    ("Enter", "BTab", "▸Timeline", "▸Conversation"),
    ("Enter", "1", "▸Timeline", "▸Conversation"),
    ("Enter 1", "2", "▸Conversation", "▸Timeline"),
    ("Enter a", "X", "▸Timeline", "Conversation"),
    ("Enter q", "[", "▸Conversation", ""),
    ("Enter q [", "]", "▸Timeline", "Conversation"),
    ("", "M-2", "▸Mentions", "Timeline · "),
    (None, "M-1", "▸Timeline", ""),
    (None, "M-3", "▸Lists", ""),
    (None, "M-4", "▸Messages", ""),
    (None, "M-5", "0 followers", ""),
    (None, "M-6", "▸Search", ""),
    ("", "S", "Sessions", ""),
    ("", "c", "New post", ""),
    ("", "W", "New direct message", ""),
    ("", "C-f", "Find in this pane", ""),
    ("", "w", "w does nothing here; ? shows the keys.", ""),
    ("", "r", "@ann", ""),
    ("", "d", "Delete this post?", ""),
    ("", ":", "author", ""),
    ("", "C-p", "author", ""),
    ("", "?", "Next post", ""),
    ("", "M", "Mouse on", ""),
    ("", "C-c", "Press Ctrl-C again to quit.", ""),
    ("", "C-l", "┃     a link", ""),
]


def sample():
    author = {"id": "1", "handle": "ann", "name": "Ann"}
    special = [
        {"text": "root post"}, {"text": "the hidden words", "content_warning": "otters"}, {"text": "answer 1", "in_reply_to": "100"},
        {"text": "answer 2", "in_reply_to": "100"},
        {"text": "a link https://example.org/one", "media": [{"kind": "image", "url": "https://example.org/a.png", "alt": "a cat"}],
         "url": "https://example.org/p"},
    ]
    for number, post in enumerate([{"text": f"filler {number:02}"} for number in range(30)] + special):
        name = str(70 + number)
        yield json.dumps({"id": name, "created_at": f"2026-02-28T{number // 60 + 10:02}:{number % 60:02}:00Z", "author": author, **post})


def attached(place, last):
    """Closes the last screen, and returns one that shows the timeline with its first row selected."""
    if last:
        call(place.socket, "StackService/Open", section="SECTION_TIMELINE")
        last.terminal.close()
    screen = Screen(place, "attach", "--no-animation", columns=136, lines=40)
    screen.sees("live")
    screen.press("g")
    screen.sees("┃     a link")
    return screen


def test_each_key_has_its_effect(place):
    failures = []
    with place.running(*CLOCK):
        (place.folder / "posts.jsonl").write_text("\n".join(sample()), encoding="utf-8")
        place.client("-q", "import", place.folder / "posts.jsonl")
        screen = None
        for before, key, seen, gone in TABLE:
            try:
                if before is not None:
                    screen = attached(place, screen)
                    for name in before.split():
                        screen.press(name)
                        screen.picture()
                screen.press(*key.split())
                if seen:
                    screen.sees(seen)
                if gone:
                    screen.misses(gone)
            except AssertionError as error:
                failures.append(f"{before!r}, then {key!r}: {error}")
    assert not failures, "\n".join(failures)

