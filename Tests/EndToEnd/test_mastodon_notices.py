"""Notices of what others did, with the real stack-mastodon and the server of Tests/Fediverse over TLS."""

import pytest
from conftest import wait_until
from test_mastodon import AKKOMA, GOTOSOCIAL, MASTODON_4_2, MASTODON_4_5, PIXELFED, open_town, sign_in, state, wait_for_posts


@pytest.mark.parametrize("flavour", [MASTODON_4_5, MASTODON_4_2, GOTOSOCIAL, AKKOMA, PIXELFED], ids=lambda flavour: flavour.name)
def test_notices_say_who_and_what(place, flavour):
    with open_town(flavour) as town, place.running(*town.options()):
        world, act = town.server.world, town.server.act
        carl = act(world.add_account, "carl")
        own = town.write(1, town.ann)
        act(world.favourite, town.ben, own)
        town.write(1, carl, "@ann: {}")
        sign_in(place, town)
        wait_for_posts(place, [1])
        wait_until(lambda: len(place.rows("mentions")) == 2, lambda: place.texts("mentions"))
        assert place.texts("mentions", "--filter", "is:notice") == ["Ben favourited your post:\n“Post 1”"]
        assert place.texts("mentions", "--filter", "-is:notice") == ["@ann: 2"]
        if flavour.streams:
            wait_until(lambda: state(place) == ["live"], lambda: place.value("sources"))
            town.server.world.clock.advance(60)
            act(world.favourite, carl, own)
            act(world.reblog, carl, own)
            act(world.follow, carl, town.ann)
            wait_until(lambda: len(place.rows("mentions")) == 4, lambda: place.texts("mentions"))
            texts = place.texts("mentions", "--filter", "is:notice")
            assert sorted(texts) == [
                "carl and Ben favourited your post:\n“Post 1”", "carl followed you", "carl reposted your post:\n“Post 1”"]
        assert place.value("count", "--unread", "mentions")["count"] == 1
        # Nobody else sees them, and they are in no timeline.
        assert all(not row.get("notice") for row in place.rows("timeline"))
        [first, *_] = place.rows("mentions", "--filter", "is:notice")
        assert first["notice"] is True and first["author"]["handle"] == town.server.host
