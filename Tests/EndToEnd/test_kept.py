"""What was saved, who is here, and imports that are taken back: each verb with a real daemon, and the whole screen in a terminal."""

import json

import pytest

from conftest import ROOT, wait_until
from test_screen import Screen

EXAMPLES = ROOT / "examples/timeline.jsonl"


@pytest.fixture
def pair(place):
    """Runs a daemon with two accounts: the test's user, and bea."""
    with place.running():
        yield place, place.guest("bea")


def test_what_was_saved_and_favourited_has_a_place(pair):
    place, bea = pair
    place.client("import", "-q", EXAMPLES)
    first, second = (row["id"] for row in place.rows("search", "otter", "-n", "2"))
    place.client("save", first)
    place.client("favourite", second)
    assert [row["id"] for row in place.rows("saved")] == [first] == [row["id"] for row in place.rows("search", "is:saved", "otter")]
    assert [row["id"] for row in place.rows("timeline", "--filter", "is:saved", "-n", "300")] == [first]
    assert second in [row["id"] for row in place.rows("favourites", "-n", "300")]
    assert bea.rows("saved") == [] == bea.rows("favourites")
    place.fails("search", "is:blue", code=2, words="use is:saved or is:favourited")

    screen = Screen(place, "attach", "--no-animation", columns=120, lines=40)
    screen.sees("live")
    screen.press("'")
    screen.sees("▸Saved posts")
    # Live: what is saved elsewhere enters, and leaves when it is taken back.
    place.client("save", second)
    words = place.rows("show", second)[0]["text"].split()[:3]
    screen.sees(" ".join(words))
    place.client("save", first, "--undo")
    assert [row["id"] for row in place.rows("saved")] == [second]
    screen.press("Q")


def test_an_import_is_taken_back_by_who_brought_it(pair):
    place, bea = pair
    line = {"source": "old", "author": "ann", "created_at": "2999-01-01T00:00:00Z"}
    file = place.folder / "junk.jsonl"
    file.write_text("".join(json.dumps(line | {"id": str(n), "text": f"junk {n}"}) + "\n" for n in range(450)), "utf-8")
    said = json.loads(place.client("import", "--publish", "--json", file).stdout)
    number = str(said["import_id"])
    assert [(run["id"], run["file"], run["new"]) for run in place.value("imports")] == [(number, "junk.jsonl", 450)]
    assert bea.value("imports") == []
    kept = place.rows("search", "junk", "-n", "1")[0]["id"]
    bea.client("save", kept)
    place.fails("import", "--undo", "last", code=2, words="There is no terminal to ask on; add --yes")
    bea.fails("import", "--undo", number, "--yes", code=3, words=f"there is no import {number}")
    assert "449 posts removed; 1 kept" in place.client("import", "--undo", "last", "--yes").stdout
    assert [row["id"] for row in place.rows("timeline")] == [kept] and place.value("imports") == []
    # An administrator removes it for all.
    bea.fails("forget", "source:old", "--everyone", "--yes", code=4, words="scope admin")
    assert place.value("forget", "source:old", "--everyone", "--yes") | {"revision": 0} == {"removed": 1, "kept": 0, "revision": 0}
    assert bea.rows("saved") == [] and place.rows("timeline") == []
    place.fails("forget", "source:nowhere", "--yes", code=3, words="there are no posts of source nowhere")
    place.fails("forget", "source:stack", "--yes", code=1, words="were written here")
    place.fails("forget", "everything", "--yes", code=2, words="write source:NAME or import:NUMBER")
    assert place.client("integrity").stdout == "the store is sound\n"


def test_a_terminal_asks_before_an_import_is_taken_back(place):
    file = place.folder / "one.jsonl"
    file.write_text('{"text":"junk","author":"ann","created_at":1}\n', "utf-8")
    place.client("import", "-q", file)
    terminal = place.terminal("import --undo last")
    terminal.wait_for("take back import 1 (one.jsonl, 1 post)? This cannot be undone. [y/N]")
    terminal.press("y", "Enter")
    terminal.wait_for("1 post removed")
    terminal.wait_for_end()
    assert place.rows("timeline") == []


@pytest.mark.parametrize("size", [(80, 24), (120, 40), (200, 50)])
def test_people_and_drafts_are_listed_and_opened_on_the_whole_screen(pair, size):
    place, bea = pair
    bea.client("account", "name", "Bea", "of", "the", "harbour")
    bea.client("account", "about", "I count gulls.")
    people = {person["handle"]: person for person in place.value("people")}
    assert people["bea"]["name"] == "Bea of the harbour" and people["bea"]["about"] == "I count gulls." and people[place.name]["me"]
    bea.post("hello from the harbour")
    assert "Bea of the harbour @bea" in place.client("timeline").stdout
    assert "I count gulls." in place.client("profile", "@bea", "-n", "1").stdout
    assert bea.client("account", "about").stdout.count("gulls") == 0
    bea.fails("account", "name", "x" * 201, code=1, words="the name is longer than 200 bytes")

    screen = Screen(place, "attach", "--no-animation", columns=size[0], lines=size[1])
    screen.sees("hello from the harbour")
    screen.press("c")
    screen.sees("New post")
    screen.type("half a thought")
    wait_until(lambda: [draft["text"] for draft in place.value("drafts")] == ["half a thought"], "the whole draft")
    screen.press("Escape")
    # A letter that follows at once would make Esc an alt.
    screen.misses("esc keeps a draft")
    command(screen, "drafts")
    screen.sees("Drafts")
    screen.press("Enter")
    screen.sees("New post")
    screen.sees("thought")
    screen.press("Escape")
    # A letter that follows at once would make Esc an alt.
    screen.misses("esc keeps a draft")
    command(screen, "people")
    screen.sees("People")
    screen.sees("Bea of the harbour @bea")
    screen.press("q")
    command(screen, "imports")
    screen.sees("No imports to take back.")
    screen.press("Q")


def command(screen, name):
    """Runs a command by its name."""
    screen.press(":", *name, "Enter")


def test_a_mention_of_no_one_is_pointed_out_but_blocks_no_pipe(pair):
    place, bea = pair
    said = place.client("post", "hello @bae and @bea")
    assert "there is no @bae here" in said.stderr and place.texts("timeline", "-n", "1") == ["hello @bae and @bea"]
    assert place.client("post", "hello @bea, mail x@y.org").stderr == ""
    terminal = place.terminal("post 'psst @bae'")
    terminal.wait_for("there is no @bae here. Post anyway? [y/N]")
    terminal.press("n", "Enter")
    terminal.wait_for("cancelled")
    terminal.wait_for_end()
    assert place.texts("search", "psst") == []
