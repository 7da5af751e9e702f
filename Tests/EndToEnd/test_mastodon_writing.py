"""Writing by a login at a server of Mastodon's kind, with the real stack-mastodon and the server of Tests/Fediverse over TLS."""

import contextlib

import pytest
from conftest import wait_until
from test_mastodon import AKKOMA, MASTODON_4_2, MASTODON_4_5, PIXELFED, open_town, sign_in, state, wait_for_posts

from fediverse.flavours import GOTOSOCIAL


def texts(town):
    """Returns what ann has at the server, the oldest first."""
    own = [status for status in town.server.world.statuses.values() if status.account == town.ann and not status.reblog]
    return [status.text for status in sorted(own, key=lambda status: status.created)]


def nothing_waits(place):
    wait_until(lambda: place.value("outbox") == [], lambda: place.value("outbox"))


@contextlib.contextmanager
def signed_in(place, flavour=MASTODON_4_5):
    """A town with a post by ben, to which ann is signed in. Yields it and the post's name here."""
    with open_town(flavour) as town, place.running(*town.options()):
        town.write(1)
        sign_in(place, town)
        wait_for_posts(place, [1])
        [row] = place.rows("timeline")
        yield town, row["id"]


@pytest.mark.parametrize("flavour", [MASTODON_4_5, MASTODON_4_2, GOTOSOCIAL, AKKOMA, PIXELFED], ids=lambda flavour: flavour.name)
def test_what_is_done_here_is_done_there(place, flavour):
    with signed_in(place, flavour) as (town, post):
        world = town.server.world
        [there] = world.statuses.values()
        place.client("favourite", post)
        place.client("repost", post)
        place.client("reply", post, "So it is")
        place.client("post", "--source", "mastodon", "Hello there")
        nothing_waits(place)
        assert town.server.act(world.has, "favourite", town.ann, there.id)
        assert sorted(texts(town)) == ["Hello there", "So it is"]
        [reply] = [status for status in world.statuses.values() if status.text == "So it is"]
        assert reply.reply_to == there.id and town.server.act(world.reblog_by, town.ann, there.id)
        # The server's own word of them comes back, and is the same posts.
        wait_until(lambda: state(place) in (["live"], ["polling"]), lambda: place.value("sources"))
        shown = [text for text in place.texts("timeline") if text in texts(town)]
        assert sorted(shown) == sorted(texts(town))
        [mine] = [row for row in place.rows("timeline") if row["text"] == "Hello there"]
        place.client("delete", mine["id"], "--yes")
        place.client("favourite", post, "--undo")
        nothing_waits(place)
        assert texts(town) == ["So it is"] and not town.server.act(world.has, "favourite", town.ann, there.id)


@pytest.mark.parametrize("flavour", [MASTODON_4_5, GOTOSOCIAL, PIXELFED], ids=lambda flavour: flavour.name)
@pytest.mark.parametrize("fault", ["lost-answer", "cut-after", "not-json"])
def test_a_post_whose_answer_is_lost_is_found_and_not_made_twice(place, flavour, fault):
    with signed_in(place, flavour) as (town, post):
        town.server.faults.add(fault, "POST /api/v1/statuses", times=1)
        town.server.faults.add("key-forgotten", "POST /api/v1/statuses", times=1)
        place.client("reply", post, "Once & <only> once")
        nothing_waits(place)
        assert texts(town) == ["Once & <only> once"]


@pytest.mark.parametrize("flavour", [MASTODON_4_5, GOTOSOCIAL, AKKOMA, PIXELFED], ids=lambda flavour: flavour.name)
def test_bookmarks_are_saved_posts_where_that_is_asked_for(place, flavour):
    with open_town(flavour) as town, place.running(*town.options()):
        world = town.server.world
        kept = [town.write(1) for _ in range(3)]
        for status in kept[:2]:
            town.server.act(world.relate, "bookmark", town.ann, status)
        sign_in(place, town)
        wait_for_posts(place, [3, 2, 1])
        third = place.rows("timeline")[0]["id"]
        place.client("save", third)
        assert place.value("outbox") == [] and place.texts("saved") == ["Post 3"] and not town.server.act(world.has, "bookmark", town.ann, kept[2])
        sign_in(place, town, "--bookmarks")
        wait_until(lambda: sorted(place.texts("saved")) == ["Post 1", "Post 2", "Post 3"], lambda: place.texts("saved"))
        place.client("save", third, "--undo")
        place.client("save", third)
        nothing_waits(place)
        assert town.server.act(world.has, "bookmark", town.ann, kept[2])
        place.client("save", third, "--undo")
        nothing_waits(place)
        assert not town.server.act(world.has, "bookmark", town.ann, kept[2])


def test_a_server_that_is_down_is_waited_for(place):
    with signed_in(place) as (town, post):
        town.go()
        wait_until(lambda: state(place) == ["waiting"], lambda: place.value("sources"))
        place.client("reply", post, "When you are back")
        place.client("favourite", post)
        wait_until(lambda: any(entry.get("postponed_reason") for entry in place.value("outbox")), lambda: place.value("outbox"))
        assert texts(town) == []
        town.come_back()
        nothing_waits(place)
        assert texts(town) == ["When you are back"]


def test_a_restart_of_the_daemon_between_doing_and_answering(place):
    with open_town() as town:
        with place.running(*town.options()):
            town.write(1)
            sign_in(place, town)
            wait_for_posts(place, [1])
            [row] = place.rows("timeline")
            town.go()
            wait_until(lambda: state(place) == ["waiting"], lambda: place.value("sources"))
            place.client("reply", row["id"], "Once")
        town.come_back()
        town.server.faults.add("lost-answer", "POST /api/v1/statuses", times=1)
        with place.running(*town.options()):
            nothing_waits(place)
            assert texts(town) == ["Once"]


def test_what_the_server_refuses_is_undone_with_its_words(place):
    with signed_in(place) as (town, post):
        town.server.faults.add("answer", "POST /api/v1/statuses/*/favourite", status=422, json={"error": "Not \u001b[31mtoday"})
        place.client("favourite", post)
        wait_until(lambda: any("today" in str(entry) for entry in place.value("outbox")), lambda: place.value("outbox"))
        assert "\u001b" not in str(place.value("outbox")) and "\\u001b" not in place.client("outbox", "--json").stdout


@pytest.mark.parametrize("flavour", [MASTODON_4_5, MASTODON_4_2, GOTOSOCIAL, AKKOMA], ids=lambda flavour: flavour.name)
def test_an_edit_and_a_content_warning_arrive_there(place, flavour):
    with signed_in(place, flavour) as (town, _):
        place.client("post", "--source", "mastodon", "--warning", "the sea", "--language", "de", "Salt")
        nothing_waits(place)
        [there] = [status for status in town.server.world.statuses.values() if status.account == town.ann]
        assert (there.text, there.warning, there.language) == ("Salt", "the sea", "de")
        [mine] = [row for row in place.rows("timeline") if row["text"] == "Salt"]
        assert mine["content_warning"] == "the sea"
        town.server.faults.add("lost-answer", "PUT /api/v1/statuses/*", times=1)
        place.client("edit", mine["id"], "Salt and wind")
        nothing_waits(place)
        assert texts(town) == ["Salt and wind"] and (there.warning, there.language) == ("the sea", "de")
        assert place.texts("timeline").count("Salt and wind") == 1


def test_an_edit_that_the_server_refuses_is_undone_and_can_be_tried_again(place):
    with signed_in(place) as (town, _):
        place.client("post", "--source", "mastodon", "Salt")
        nothing_waits(place)
        [mine] = [row for row in place.rows("timeline") if row["text"] == "Salt"]
        town.server.faults.add("answer", "PUT /api/v1/statuses/*", status=422, json={"error": "Too late"}, times=1)
        place.client("edit", mine["id"], "Salt and wind")
        wait_until(lambda: any("Too late" in str(entry) for entry in place.value("outbox")), lambda: place.value("outbox"))
        assert "Salt" in place.texts("timeline") and texts(town) == ["Salt"]
        place.client("retry", mine["id"])
        nothing_waits(place)
        assert texts(town) == ["Salt and wind"] and "Salt and wind" in place.texts("timeline")


def test_an_edit_at_a_server_without_edits_is_undone(place):
    with signed_in(place, PIXELFED) as (town, _):
        place.client("post", "--source", "mastodon", "Salt")
        nothing_waits(place)
        [mine] = [row for row in place.rows("timeline") if row["text"] == "Salt"]
        place.client("edit", mine["id"], "Salt and wind")
        wait_until(lambda: any("cannot change posts" in str(entry) for entry in place.value("outbox")), lambda: place.value("outbox"))
        assert "Salt" in place.texts("timeline") and texts(town) == ["Salt"]
