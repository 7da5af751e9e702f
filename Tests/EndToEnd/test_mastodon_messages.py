"""Direct conversations of a login, with the real stack-mastodon and the server of Tests/Fediverse over TLS."""

import pytest
from conftest import wait_until
from test_mastodon import AKKOMA, GOTOSOCIAL, MASTODON_4_2, MASTODON_4_5, open_town, sign_in, wait_for_posts
from test_mastodon_writing import nothing_waits


@pytest.mark.parametrize("flavour", [MASTODON_4_5, MASTODON_4_2, GOTOSOCIAL, AKKOMA], ids=lambda flavour: flavour.name)
def test_direct_posts_are_conversations(place, flavour):
    with open_town(flavour) as town, place.running(*town.options()):
        world, act = town.server.world, town.server.act
        town.write(1)
        act(world.publish, town.ben, "@ann early", visibility="direct")
        town.server.world.clock.advance(1)
        act(world.publish, town.ann, "@ben so it is", visibility="direct")
        sign_in(place, town)
        wait_until(lambda: place.texts("messages") == ["@ben so it is"], lambda: place.texts("messages"))
        [row] = place.rows("messages")
        conversation = str(row["direct"])
        assert place.texts("messages", conversation) == ["@ben so it is", "@ann early"]
        # What is written here goes there, for the same people.
        place.client("post", "--source", "mastodon", "--visibility", "direct", "@ben from here")
        nothing_waits(place)
        [made] = [status for status in world.statuses.values() if status.text == "@ben from here"]
        assert made.visibility == "direct" and made.mentions == [town.ben]
        [first, *_] = place.rows("mentions")
        town.server.world.clock.advance(1)
        place.client("reply", first["id"], "--visibility", "direct", "@ben and a reply")
        nothing_waits(place)
        [reply] = [status for status in world.statuses.values() if status.text == "@ben and a reply"]
        assert reply.visibility == "direct" and world.statuses[reply.reply_to].text == "@ann early"
        act(world.publish, town.ben, "@ann and back", visibility="direct")
        wait_until(lambda: "@ann and back" in place.texts("messages", conversation), lambda: place.texts("messages"))
        assert sorted(place.texts("messages", conversation)) == sorted(
            ["@ann early", "@ben so it is", "@ben from here", "@ben and a reply", "@ann and back"])
        place.fails("post", "--source", "mastodon", "--visibility", "direct", "to nobody", code=1, words="recipient")


def test_a_post_for_its_server_alone_is_no_message_and_so_is_a_reply(place):
    with open_town(AKKOMA) as town, place.running(*town.options()):
        town.server.act(town.server.world.publish, town.ben, "Post 1", visibility="local")
        sign_in(place, town)
        wait_for_posts(place, [1])
        assert place.rows("messages") == []
        [row] = place.rows("timeline")
        place.client("reply", row["id"], "--source", "mastodon", "--visibility", "followers", "Here too")
        nothing_waits(place)
        assert [s.visibility for s in town.server.world.statuses.values() if s.text == "Here too"] == ["local"]
        assert place.rows("messages") == []
