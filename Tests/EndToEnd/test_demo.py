"""`scripts/run`, with the programs that are built already."""

import json
import subprocess

from conftest import BIN, PATIENCE, ROOT, wait_until
from webservers import answers
from test_screen import Screen


def demo(place, *words, name="stack-demo"):
    """Runs the program that the demo leaves for calling its client."""
    return subprocess.run([place.folder / f"run/{name}/stack", *words], env=place.environment, capture_output=True, text=True, timeout=PATIENCE)


def test_a_feed_of_the_town_gains_a_post_while_one_looks(place):
    place.cleanup.callback(demo, place, "daemon", "stop")
    screen = Screen(place, program=f"{ROOT}/scripts/run --bin {BIN}", lines=50)
    screen.sees("The sea brings everything back.")
    screen.sees("Lost: one tuba")
    screen.sees("Now boarding at the east pier.")
    screen.sees("Ferry to run on time on Thursday")
    screen.press("Q")
    screen.sees("The daemon keeps running.")
    port = int(demo(place, "feed", "list", "--jsonl").stdout.split("http://127.0.0.1:")[1].split("/")[0])
    assert answers(port, "127.0.0.1")
    demo(place, "daemon", "stop")
    wait_until(lambda: not answers(port, "127.0.0.1"), "the feed's server to end")


def test_in_a_pipe_the_demo_prints_the_example(place):
    place.cleanup.callback(demo, place, "daemon", "stop")
    ran = subprocess.run([ROOT / "scripts/run", "--bin", BIN], env=place.environment, capture_output=True, text=True, timeout=2 * PATIENCE)
    assert ran.returncode == 0 and "Otter." in ran.stdout, ran.stderr
    assert "Gazette" not in ran.stdout and demo(place, "feed", "list", "--jsonl").stdout == ""


def town(place, *words):
    """The same of the demo with a Mastodon server."""
    return demo(place, *words, name="stack-demo-fediverse")


def test_a_mastodon_timeline_fills_and_gains_a_post_while_one_looks(place):
    place.cleanup.callback(town, place, "daemon", "stop")
    screen = Screen(place, program=f"{ROOT}/scripts/run --fediverse --bin {BIN}", columns=140, lines=50)
    screen.sees("The sea brings everything back.")
    screen.sees("Now boarding at the east pier.")
    screen.press("Q")
    screen.sees("The daemon keeps running.")
    screen.sees("stack logout ann@localhost:")
    [login] = [json.loads(line) for line in town(place, "sources", "--jsonl").stdout.splitlines()]
    port = int(login["login"].removeprefix("ann@localhost:"))
    assert login["state"] == "live" and answers(port, "127.0.0.1")
    town(place, "daemon", "stop")
    wait_until(lambda: not answers(port, "127.0.0.1"), "the server to end")


def test_in_a_pipe_the_demo_prints_what_the_mastodon_server_has(place):
    place.cleanup.callback(town, place, "daemon", "stop")
    words = [ROOT / "scripts/run", "--fediverse", "--bin", BIN]
    ran = subprocess.run(words, env=place.environment, capture_output=True, text=True, timeout=2 * PATIENCE)
    assert ran.returncode == 0 and "Otter." in ran.stdout and "signed in as ann@localhost:" in ran.stderr, ran.stderr
