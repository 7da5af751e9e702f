"""Muting and blocking: hidden posts leave every view at once and can return, and the other account is not notified."""

import pytest

from conftest import Events, wait_until


@pytest.fixture
def team(place):
    with place.running():
        yield place, place.guest("ann"), place.guest("bob")


def test_a_muted_author_leaves_every_view_and_returns(team):
    place, ann, bob = team
    kept = [ann.post(f"from ann {number}") for number in range(3)]
    gone = [bob.post(f"from bob {number} @{place.name}") for number in range(3)]
    place.client("list", "make", "both")
    place.client("list", "add", "both", "@ann", "@bob")
    views = [Events(place.start("watch", *words, "-n", "10", "--jsonl")) for words in (["timeline"], ["search", "from"], ["mentions"])]
    for view, count in zip(views, (6, 6, 3)):
        assert len(view.take(count)) == count
    assert place.value("mute", "@bob")["changed"]
    assert not place.value("mute", "@bob")["changed"]
    for view in views:
        assert view.take(3) == [("removed", None)] * 3
    ids = lambda *words: [row["id"] for row in place.rows(*words)]
    assert ids("timeline") == ids("search", "from") == kept[::-1] and ids("mentions") == []
    assert [post["id"] for post in place.value("list", "show", "both")["posts"]] == kept[::-1]
    assert place.value("count", "--unread", "mentions") == {"count": 0}
    said = place.value("profile", "@bob")
    assert len(said["posts"]) == 3 and said["profile"]["muted"] and said["profile"]["posts"] == 3
    assert ids("show", gone[0]) == ids("conversation", gone[0]) == [gone[0]]
    # The muted account does not notice.
    profile = bob.value("profile", f"@{place.name}")["profile"]
    assert not profile["muted"] and not profile["blocked"] and profile["follows_me"]
    assert ids("timeline") == kept[::-1]
    bob.post("and one more")
    assert [author["handle"] for author in place.value("muted")["muted"]] == ["bob"]
    assert place.value("unmute", "@bob")["changed"]
    for view, count in zip(views, (4, 3, 3)):
        # Rows that the view had before come back; those that were out of its window are new to it.
        assert {event for event, _ in view.take(count)} <= {"inserted", "restored"}
    assert len(ids("timeline")) == 7 and len(ids("mentions")) == 3


def test_a_mute_survives_a_restart(place):
    with place.running():
        place.post("an otter of mine")
        place.client("mute-word", "Otter")
    with place.running():
        assert place.value("muted") == {"muted": [], "blocked": [], "words": ["otter"], "conversations": []}
        assert place.texts("timeline") == ["an otter of mine"], "own posts are never hidden"


def test_a_muted_word_hides_posts_except_from_searches(team):
    place, ann, _ = team
    ann.post("An OTTER! #harbour")
    ann.post("a boat")
    assert place.value("mute-word", "otter")["changed"] and not place.value("mute-word", "Otter")["changed"]
    assert place.texts("timeline") == ["a boat"]
    assert place.texts("search", "otter") == ["An OTTER! #harbour"]
    place.client("unmute-word", "otter")
    place.client("mute-word", "#harbour")
    assert place.texts("timeline") == ["a boat"]
    assert place.value("muted")["words"] == ["#harbour"]
    assert "#harbour" in place.client("muted").stdout
    place.client("unmute-word", "#harbour")
    assert len(place.texts("timeline")) == 2
    place.fails("mute-word", "!?", code=1, words="word")
    place.fails("mute-word", "otter", "#lunch", code=1, words="a phrase cannot contain a tag: mute #lunch by itself")
    assert "muted the phrase “otter of the year”" in place.client("mute-word", "otter", "of", "the", "year").stderr
    assert place.value("muted")["words"] == ['"otter of the year"']
    assert "“otter” is not muted" in place.client("unmute-word", "otter").stderr
    assert place.client("unmute-word", "otter of the year").stderr == "" and place.value("muted")["words"] == []


def test_a_block_separates_both_without_notice(team):
    place, ann, bob = team
    ann.post("for all")
    bob.post("@ann hello")
    assert ann.value("block", "@bob") | {"revision": 0} == {"changed": True, "unfollowed": True, "revision": 0}
    ann.post("--visibility", "followers", "for those who are left")
    assert ann.texts("timeline") == ["for those who are left", "for all"] and ann.texts("mentions") == []
    assert bob.texts("timeline") == ["@ann hello"]
    bob.fails("follow", "@ann", code=4, words="cannot be followed")
    ann.fails("follow", "@bob", code=1, words="unblock")
    assert ann.value("profile", "@bob")["profile"]["blocked"]
    assert not bob.value("profile", "@ann")["profile"]["blocked"]
    bob.post("@ann are you there")
    assert ann.texts("mentions") == [] and ann.value("count", "--unread", "mentions") == {"count": 0}
    bob.post("--visibility", "direct", "@ann psst")
    assert ann.texts("messages") == [] and ann.value("count", "--unread", "messages") == {"count": 0}
    assert ann.texts("search", "psst") == [] and bob.texts("messages") == ["@ann psst"]
    assert ann.value("unblock", "@bob")["changed"]
    assert len(ann.texts("mentions")) == 3 and ann.texts("messages") == ["@ann psst"]
    assert ann.value("count", "--unread", "messages") == {"count": 1}
    bob.client("follow", "@ann")
    assert "for those who are left" in bob.texts("timeline")
    ann.fails("block", "@ann", code=1, words="cannot mute or block yourself")


def test_a_muted_conversation_keeps_its_shown_posts(team):
    place, ann, bob = team
    question = bob.post("what is for lunch?")
    view = Events(place.start("watch", "timeline", "-n", "1", "--jsonl"))
    assert len(view.take(1)) == 1
    assert place.value("mute-conversation", question)["changed"]
    assert not place.value("mute-conversation", question)["changed"]
    answer = ann.value("reply", question, f"soup, @{place.name}")["id"]
    other = ann.post("something else")
    wait_until(lambda: place.texts("timeline") == ["something else", "what is for lunch?"], "the timeline without the reply")
    assert place.texts("mentions") == [] and place.value("count", "--unread", "mentions") == {"count": 0}
    rows = place.rows("conversation", question)
    assert [row["id"] for row in rows] == [question, answer] and all(row["conversation_muted"] for row in rows)
    assert [row["id"] for row in ann.rows("timeline")] == [other, answer, question]
    said = place.value("muted")["conversations"]
    assert [(item["post_id"], item["author"], item["text"]) for item in said] == [(question, "bob", "what is for lunch?")]
    assert "what is for lunch?" in place.client("muted").stdout
    place.client("undo")
    assert len(place.texts("timeline")) == 3 and len(place.texts("mentions")) == 1
    place.client("redo")
    assert len(place.texts("timeline")) == 2
    assert place.value("mute-conversation", answer, "--undo")["changed"]
    assert len(place.texts("timeline")) == 3 and place.value("muted")["conversations"] == []
