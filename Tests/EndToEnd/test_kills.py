"""Acknowledged posts survive kills of the daemon, and watches tell each of them once."""

import os

import kills


def test_kills_lose_no_acknowledged_posts(tmp_path):
    kills.stubs(tmp_path)
    stored, answered = kills.run(50 if os.environ.get("STACK_TESTS") else 10, seed=20111017, watches=2)
    assert stored >= answered > 0
