"""Logins at a server of Mastodon's kind that come and go."""

import json

from conftest import BIN, wait_until
from test_mastodon import numbers, open_town, sign_in, wait_for_posts


def tokens(place):
    """The tokens on the disk, by the names of their logins."""
    return json.loads((place.folder / "state/stack/sources/mastodon/secrets.json").read_text()).get("tokens", {})


def live_tokens(town):
    return [token for token in town.server.oauth.tokens.values() if token.account and not token.revoked]


def test_logout_works_while_the_program_is_missing_which_hears_of_it_later(place):
    with open_town() as town:
        with place.running(*town.options()):
            town.write(2)
            sign_in(place, town)
            wait_for_posts(place, [2, 1])
        with place.running("--upstream", "mastodon=/nonexistent/stack-mastodon"):
            said = place.client("logout", f"ann@{town.server.host}").stderr
            assert "the server did not confirm it" in said
            assert [source["login"] for source in place.value("sources")] == ["mastodon"], "its program alone, which fails"
            assert numbers(place) == [2, 1]
        with place.running(*town.options()):
            wait_until(lambda: not tokens(place) and not live_tokens(town), lambda: tokens(place))


def test_after_forget_a_login_starts_anew(place):
    with open_town() as town, place.running(*town.options()):
        town.write(3)
        sign_in(place, town)
        wait_for_posts(place, [3, 2, 1])
        place.client("forget", "source:mastodon", "--yes")
        wait_for_posts(place, [3, 2, 1])


def test_signing_in_again_revokes_the_former_token(place):
    with open_town() as town, place.running(*town.options()):
        sign_in(place, town)
        [first] = live_tokens(town)
        sign_in(place, town)
        wait_until(lambda: len(live_tokens(town)) == 1 and live_tokens(town) != [first], lambda: live_tokens(town))
        town.write(1)
        wait_for_posts(place, [1])
