"""What was answered is there, whenever the daemon is killed."""

import kills


def test_fifty_kills_at_random_points_lose_nothing_and_leave_nothing_half_done(tmp_path):
    kills.stubs(tmp_path)
    stored, answered = kills.run(50, seed=20111017)
    assert stored >= answered > 0
