"""Kills stack-mastodon and its daemon with SIGKILL at random points while the server gains posts, and checks what is left.

Each round ben writes posts, stack-mastodon is killed, and then the daemon is. In the end every post stands in ann's timeline once, in
order, no gap is left, and the store's integrity check finds nothing. Everything except timing is drawn from the seed.
"""

import json
import pathlib
import random
import subprocess
import tempfile
import time

from feed_kills import PAUSES, client, kill_connector, timeline, wait_until
from kills import BIN, PATIENCE, Daemon
from test_mastodon import AKKOMA, MASTODON_4_5, Town

MOST = 12  # posts of a round; a server keeps 800, so nothing may be forgotten before it is read


def sign_in(daemon, town):
    words = [BIN / "stack-client", "--socket", daemon.socket, "login", "--code", f"ann@{town.server.host}"]
    login = subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    _, said = login.communicate(town.approve(login.stdout.readline().strip()) + "\n", timeout=PATIENCE)
    assert login.returncode == 0, said


def run(rounds, seed):
    """Kills each of the two this often, at servers of two kinds in turn; returns the number of posts, or raises AssertionError."""
    draw = random.Random(seed)
    return sum(run_at(flavour, rounds // 2, draw) for flavour in (MASTODON_4_5, AKKOMA))


def run_at(flavour, rounds, draw):
    town = Town(flavour)
    with tempfile.TemporaryDirectory(prefix="stack-kills-", ignore_cleanup_errors=True) as folder, town.server:
        secrets = pathlib.Path(folder) / "secrets"
        program = f"mastodon={BIN / 'stack-mastodon'} --ca {town.server.authority} --folder {secrets}"
        daemon = Daemon(folder, options=("--upstream", program))
        daemon.start()
        sign_in(daemon, town)
        for _ in range(rounds):
            town.write(draw.randrange(1, MOST))
            kill_connector(daemon, draw)
            town.write(draw.randrange(1, MOST))
            time.sleep(draw.choice(PAUSES) * draw.random())
            daemon.kill()
            daemon.start()
        try:
            check(daemon, town)
        finally:
            daemon.stop()
    return town.written


def check(daemon, town):
    expected = [f"Post {number}" for number in range(town.written, 0, -1)]
    wait_until(lambda: len(timeline(daemon)) >= len(expected), lambda: f"{len(expected)} posts in {timeline(daemon)}")
    wait_until(lambda: is_at_rest(daemon), lambda: client(daemon, "sources"))
    assert timeline(daemon) == expected
    assert client(daemon, "integrity").strip() == "the store is sound"


def is_at_rest(daemon):
    [login] = [json.loads(line) for line in client(daemon, "sources", "--jsonl").splitlines()]
    return login["state"] in ("live", "polling")
