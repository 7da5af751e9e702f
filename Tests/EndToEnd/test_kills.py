"""Kills of the daemon lose and repeat nothing: neither posts that were acknowledged nor those of feeds and Mastodon timelines."""

import os

import feed_kills
import kills
import mastodon_kills

IS_LONG = bool(os.environ.get("STACK_TESTS"))


def test_kills_lose_no_acknowledged_posts(tmp_path):
    kills.stubs(tmp_path)
    stored, answered = kills.run(50 if IS_LONG else 10, seed=20111017, watches=2)
    assert stored >= answered > 0


def test_kills_of_connector_and_daemon_lose_and_repeat_no_post_of_a_feed():
    posts, requests = feed_kills.run(100 if IS_LONG else 5, seed=20111018)
    assert posts > 0 and requests > 0


def test_kills_of_connector_and_daemon_lose_and_repeat_no_post_of_a_mastodon_timeline():
    tally = mastodon_kills.run(200 if IS_LONG else 16, seed=20111019)
    assert tally.posts > 0 and tally.done
