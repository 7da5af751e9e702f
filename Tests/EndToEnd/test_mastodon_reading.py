"""Reading positions and conversations of a login, with the real stack-mastodon and the server of Tests/Fediverse over TLS."""

import os
import subprocess

import pytest
from conftest import ROOT, wait_until
from test_mastodon import AKKOMA, GOTOSOCIAL, MASTODON_4_2, MASTODON_4_5, open_town, sign_in, wait_for_posts

JUDGE = ROOT / "Tests/Fediverse/judges/marker.py"


def marker(town, timeline="home"):
    """Returns the identifier up to which ann has read a timeline at the server."""
    return town.server.act(lambda: town.server.world.markers.get(town.ann, {}).get(timeline, {}).get("last_read_id"))


def python_mastodon(town, *arguments):
    """Has Debian's python3-mastodon read or move the marker."""
    return subprocess.run(
        ["/usr/bin/python3", JUDGE, town.server.origin, *arguments], env={**os.environ, "REQUESTS_CA_BUNDLE": str(town.server.authority), "NO_PROXY": "*"},
        capture_output=True, text=True, timeout=120, check=True).stdout.strip()


def identifiers(town):
    """Returns the server's identifiers of ben's posts, the oldest first."""
    return [status.id for status in sorted(town.server.world.statuses.values(), key=lambda s: s.created) if status.account == town.ben]


def rows(place):
    """Returns the daemon's identifiers of posts by their text."""
    return {row["text"]: row["id"] for row in place.rows("timeline", "-n", "2000") if row["kind"] == "post"}


def read_up_to(place):
    """Returns how many posts are read in the session main."""
    return 10 - len(place.rows("timeline", "--filter", "is:unread"))


@pytest.mark.parametrize("flavour", [MASTODON_4_5, MASTODON_4_2, GOTOSOCIAL, AKKOMA], ids=lambda flavour: flavour.name)
def test_reading_positions_go_both_ways(place, flavour):
    with open_town(flavour) as town, place.running(*town.options()):
        town.write(10)
        there = identifiers(town)
        town.server.act(lambda: town.server.world.markers.update({town.ann: {"home": {"last_read_id": there[3], "version": 1}}}))
        sign_in(place, town)
        wait_for_posts(place, list(range(10, 0, -1)))
        wait_until(lambda: read_up_to(place) == 4, lambda: read_up_to(place))
        place.client("read-position", "timeline", rows(place)["Post 7"])
        wait_until(lambda: marker(town) == there[6], lambda: marker(town))
        place.fails("read-position", "timeline", rows(place)["Post 2"], code=1, words="")


def test_the_marker_of_notifications_moves_past_notices(place):
    with open_town() as town, place.running(*town.options()):
        world, act = town.server.world, town.server.act
        own = town.write(1, town.ann)
        town.write(1, town.ben, "@ann: {}")
        carl = act(world.add_account, "carl")
        for account in (town.ben, carl):
            town.server.world.clock.advance(60)
            act(world.favourite, account, own)
        sign_in(place, town)
        wait_until(lambda: len(place.rows("mentions")) == 2, lambda: place.texts("mentions"))
        [notice, mention] = place.rows("mentions")
        assert notice["text"].startswith("carl and Ben favourited")
        place.client("read-position", "mentions", notice["id"])
        wait_until(lambda: marker(town, "notifications") == list(world.notifications)[-1], lambda: marker(town, "notifications"))


def test_python_mastodon_moves_the_marker_and_it_arrives_here(place):
    if not os.path.exists("/usr/lib/python3/dist-packages/mastodon"):
        pytest.skip("python3-mastodon is not there: scripts/setup --python")
    with open_town() as town, place.running(*town.options()):
        town.write(10)
        there = identifiers(town)
        sign_in(place, town)
        wait_for_posts(place, list(range(10, 0, -1)))
        place.client("read-position", "timeline", rows(place)["Post 2"])
        wait_until(lambda: marker(town) == there[1], lambda: marker(town))
        assert python_mastodon(town, there[4]) == there[4]
        # A view that is opened has the server asked.
        watch = place.start("watch", "--jsonl")
        wait_until(lambda: read_up_to(place) == 5, lambda: read_up_to(place))
        watch.kill()
        place.client("read-position", "timeline", rows(place)["Post 9"])
        wait_until(lambda: marker(town) == there[8], lambda: marker(town))
        assert python_mastodon(town) == there[8]


def test_an_opened_conversation_is_fetched_and_is_in_no_timeline(place):
    with open_town() as town, place.running(*town.options()):
        world = town.server.world
        carl = town.server.act(world.add_account, "carl")
        root = town.write(1)
        below = town.server.act(world.publish, carl, "Below", reply_to=root)
        town.server.act(world.publish, carl, "Deeper", reply_to=below)
        sign_in(place, town)
        wait_for_posts(place, [1])
        [row] = place.rows("timeline")
        assert place.texts("conversation", row["id"]) == ["Post 1"]
        screen = place.terminal("attach")
        screen.wait_for("Post 1")
        screen.press("Enter")
        screen.wait_for("Deeper")
        assert place.texts("conversation", row["id"]) == ["Post 1", "Below", "Deeper"]
        assert place.texts("timeline") == ["Post 1"]


@pytest.mark.parametrize("flavour", [MASTODON_4_5, GOTOSOCIAL, AKKOMA], ids=lambda flavour: flavour.name)
def test_a_search_there_and_an_author_bring_what_is_not_here(place, flavour):
    with open_town(flavour) as town, place.running(*town.options()):
        world, act = town.server.world, town.server.act
        town.write(1)
        eve = act(world.add_account, "eve")
        otter = act(world.publish, eve, "An otter at sea")
        sign_in(place, town)
        wait_for_posts(place, [1])
        address = act(lambda: town.server.shapes.status(world.statuses[otter], town.ann)["uri"])
        assert place.texts("search", "otter") == []
        # Servers of Mastodon find others' posts by their address; what is found here then has the words.
        place.client("fetch", "search", "mastodon", address)
        assert place.texts("search", "otter") == ["An otter at sea"]
        # The person who is found is the author of these posts, though not every server says by what address.
        place.client("fetch", "search", "mastodon", "@eve")
        act(world.publish, eve, "Another otter")
        place.client("fetch", "author", "@eve")
        assert place.texts("search", "--there", "mastodon", "otter") == ["Another otter", "An otter at sea"]
        assert place.texts("timeline") == ["Post 1"]
        place.fails("search", "--there", "nowhere", "otter", code=3, words="no such")
        # What is here is found also while the server is away.
        town.go()
        assert place.texts("search", "--there", "mastodon", "otter") == ["Another otter", "An otter at sea"]
