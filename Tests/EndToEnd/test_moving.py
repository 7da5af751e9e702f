"""The reading position in the middle of a changing timeline, with the real daemon and screen."""

import json
import os
import random
import re
import sys

import kills
import pytest
from conftest import wait_until
from test_screen import CLOCK, Screen

WORD = re.compile(r"w\d{4}\w")


def line_of(number, text=None):
    """Returns a post for an import, newer than all local posts."""
    at = f"2026-03-01T{13 + number // 3600 % 10:02}:{number // 60 % 60:02}:{number % 60:02}Z"
    return json.dumps({"id": f"i{number}", "author": "bea", "created_at": at, "text": text or f"import {number}"})


def bring(place, lines):
    (place.folder / "more.jsonl").write_text("\n".join(lines), encoding="utf-8")
    place.client("-q", "import", "jsonl", place.folder / "more.jsonl", "--source", "moving")


@pytest.fixture(scope="module")
def services(tmp_path_factory):
    """Generates stubs of the protocol."""
    if "stack.v1.timeline_service_pb2" not in sys.modules:
        kills.stubs(tmp_path_factory.mktemp("stubs"))
    from stack.v1 import timeline_service_pb2 as messages  # pylint: disable=import-outside-toplevel
    from stack.v1 import timeline_service_pb2_grpc as stubs  # pylint: disable=import-outside-toplevel
    from stack.v1 import types_pb2  # pylint: disable=import-outside-toplevel

    return messages, stubs, types_pb2.VISIBILITY_PUBLIC


def test_the_top_line_never_moves_and_new_posts_are_counted(place, services):
    import grpc  # pylint: disable=import-outside-toplevel

    messages, stubs, public = services
    chance = random.Random(8)
    with place.running(*CLOCK), grpc.insecure_channel(f"unix:{place.socket}") as channel:
        calls = stubs.TimelineServiceStub(channel)
        texts = [" ".join(f"w{number:04}{sign}" for sign in "abcdefghijklmnopqrstuvwxyz") for number in range(1_600)]
        asked = [calls.Compose.future(messages.ComposeRequest(text=text, visibility=public)) for text in texts]
        ids = {number: call.result().post_id for number, call in enumerate(asked)}
        screen = Screen(place, "attach", "--no-animation", columns=100, lines=30)
        screen.sees("w1599a")
        # Moves to the middle, with the first visible row selected and partly above the screen.
        for _ in range(60):
            screen.press("Space")
        screen.at_rest()
        screen.press("j", "k")
        screen.at_rest()
        for _ in range(8):
            if WORD.search(screen.at_rest()[1]) and "a " not in WORD.search(screen.lines()[1])[0] + " ":
                break
            screen.press("C-e")
        first = screen.at_rest()[1]
        word = WORD.search(first)[0]
        # The daemon may have stored the posts in another order than they were sent.
        order = sorted(ids, key=ids.get)
        middle = order.index(int(word[1:5]))
        assert 100 < middle < 1_500, first
        # Deletes any rows except the selected one and its neighbours.
        gone = chance.sample(order[:middle - 12] + order[middle + 13:], 1_000)
        came, deleted, edited, size = 0, 0, 0, (100, 30)
        rounds = 50 if os.environ.get("STACK_TESTS") else 12
        for step in range(rounds):
            bring(place, [line_of(number) for number in range(came, came + 200)] + [
                line_of(number, f"changed {number} " + "and longer than before " * chance.randrange(8))
                for number in (chance.sample(range(came), 2) if came else [])])
            edited, came = edited + (2 if came else 0), came + 200
            going = [calls.Delete.future(messages.DeleteRequest(post=str(ids.pop(number)))) for number in gone[deleted:deleted + 20]]
            for call in going:
                call.result()
            deleted += 20
            wait_until(lambda: f"▲ {came} new" in screen.lines()[0], screen.text)
            assert word in screen.lines()[1], f"{word} after {step} in\n{screen.text()}"
            size = (chance.randrange(84, 200), chance.randrange(12, 50))
            screen.resize(*size)
            wait_until(lambda: word in screen.lines()[1] and len(screen.lines()) == size[1], lambda: f"{word} at {size} in\n{screen.text()}")
            assert word in screen.picture()[1], f"{word} after {step} at {size} in\n{screen.text()}"
        assert (came, deleted, edited) == (200 * rounds, 20 * rounds, 2 * (rounds - 1))
        screen.resize(100, 30)
        wait_until(lambda: screen.at_rest()[1] == first, lambda: f"the original top line {first!r} in\n{screen.text()}")
        # Every post appears once, in the list and on the screen.
        rows = place.texts("timeline", "-n", "20000")
        assert sorted(text.split()[1] for text in rows if text[0] in "ic") == sorted(map(str, range(came)))
        left = [int(text[1:5]) for text in rows if text[0] == "w"]
        assert left == sorted(ids, key=ids.get, reverse=True)
        seen = []
        for _ in range(12):
            for line in screen.at_rest():
                seen += [int(found[1:5]) for found in WORD.findall(line) if found[5] == "a" and int(found[1:5]) not in seen]
            screen.press("Space")
        assert len(seen) > 40 and seen == [number for number in left[left.index(seen[0]):] if ids[number] >= ids[seen[-1]]]
        screen.press("g")
        screen.misses("▲")


def test_posts_that_arrive_above_the_selected_one_leave_it_on_its_line(place):
    with place.running(*CLOCK):
        bring(place, [line_of(number, f"post {number:03}") for number in range(0, 400, 20)])
        screen = Screen(place, "attach", "--no-animation", columns=80, lines=24)
        screen.sees("post 380")

        def selected(words):
            """Returns the line of the screen on which a post is selected; None if it is not."""
            return next((number for number, line in enumerate(screen.lines()) if "┃" in line and words in line), None)

        screen.press("j", "j", "j")
        before = wait_until(lambda: selected("post 320"), "the selection")
        screen.at_rest()
        # A source brings posts late that belong between the first one and the selected one.
        bring(place, [line_of(number, f"late {number}") for number in range(361, 380)])
        screen.sees("late 361")
        assert selected("post 320") == before
        screen.press("j")
        wait_until(lambda: selected("post 300"), "the next post")
