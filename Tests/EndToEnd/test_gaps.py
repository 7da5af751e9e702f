"""A day of posts with a gap, which is filled from both ends, across a restart."""

import contextlib
import json
import signal
import subprocess

from conftest import BIN, PATIENCE, Events, wait_until
from test_screen import CLOCK, Screen

MINUTES = 10  # from one post of the day to the next
DAY = 24 * 60 // MINUTES


def at(number):
    minute = number * MINUTES
    return f"2026-02-28T{minute // 60:02}:{minute % 60:02}:00Z"


def post(number):
    return json.dumps({"id": f"p{number}", "author": "bea", "created_at": at(number), "text": f"p{number:03} " + "some words " * 9})


def between(kind, older, newer, **more):
    return json.dumps({kind: {"older": at(older), "newer": at(newer), **more}})


def bring(place, *lines, **options):
    (place.folder / "day.jsonl").write_text("\n".join(lines) + "\n", encoding="utf-8")
    return place.client("import", "jsonl", place.folder / "day.jsonl", "--source", "elsewhere", **options)


@contextlib.contextmanager
def running_until_killed(place):
    process = subprocess.Popen([BIN / "stack-daemon", *CLOCK], env=place.environment, stdout=subprocess.PIPE, text=True)
    for line in iter(process.stdout.readline, "ready\n"):
        assert line
    yield
    process.send_signal(signal.SIGKILL)
    process.wait(PATIENCE)
    process.stdout.close()


def gaps(place):
    return [row for row in place.rows("timeline", "-n", "1000") if row["kind"] == "gap"]


def numbers(place):
    return [int(text[1:4]) if text.startswith("p") else None for text in place.texts("timeline", "-n", "1000")]


def line_of(screen, words):
    return next((number for number, line in enumerate(screen.lines()) if words in line), None)


def test_a_gap_is_filled_from_both_ends_across_a_kill(place):
    with running_until_killed(place):
        bring(place, *map(post, range(0, 37)), *map(post, range(108, DAY)), between("gap", 36, 108))
        assert numbers(place) == [*range(DAY - 1, 107, -1), None, *range(36, -1, -1)]
        [gap] = gaps(place)
        assert (gap["older"], gap["newer"], gap["missing"]) == (at(36), at(108), None)
        printed = place.client("timeline", "-n", "1000", "--reverse").stdout
        assert "Posts from elsewhere are missing here." in printed and "── Yesterday 6:00" in printed
        screen = Screen(place, "attach", "--no-animation", columns=80, lines=24)
        screen.sees("p143")
        # Scrolls until the gap is at the top, partly hidden, with the post below it selected.
        screen.press(*["j"] * 30)
        for _ in range(20):
            if any("┃" in line and "p036" in line for line in screen.at_rest()):
                break
            screen.press("j")
        for _ in range(30):
            if "missing here" in screen.at_rest()[1]:
                break
            screen.press("C-e")
        assert "missing here" in screen.lines()[1], screen.text()
        place_of_next = line_of(screen, "p036")
        assert place_of_next is not None, screen.text()

        # From below: the gap scrolls off at the top, and the selected post stays in place.
        bring(place, *map(post, range(37, 50)), between("complete", 36, 50))
        wait_until(lambda: gaps(place)[0]["older"].startswith(at(50)[:-1]), "a smaller gap")
        screen.sees("Timeline · 87")
        screen.at_rest()
        assert line_of(screen, "p036") == place_of_next, screen.text()
        # From above.
        bring(place, *map(post, range(90, 108)), between("complete", 89, 108))
        assert [gap["newer"][:19] for gap in gaps(place)] == [at(89)[:-1]]
        screen.at_rest()
        assert line_of(screen, "p036") == place_of_next, screen.text()
        # A fill that is interrupted by a kill: exactly the filled part is reported as complete.
        half = subprocess.Popen(
            [BIN / "stack-client", "-q", "import", "jsonl", "-", "--source", "elsewhere"], env=place.environment, stdin=subprocess.PIPE,
            stderr=subprocess.DEVNULL, text=True)
        place.cleanup.callback(half.kill)
        lines = [line for number in range(50, 60) for line in (post(number), between("complete", number - 1, number + 1))]
        # Appends many known posts, since the client sends data only in large pieces.
        half.stdin.write("\n".join(lines + [*map(post, range(60, 65))] + [*map(post, range(37))] * 40) + "\n")
        half.stdin.flush()
        wait_until(lambda: gaps(place)[0]["older"][:19] >= at(51)[:-1], "the fill to begin")
    half.kill()
    half.communicate()
    with place.running(*CLOCK):
        [gap] = gaps(place)
        there = numbers(place)
        older = next(number for number in range(50, 61) if gap["older"].startswith(at(number)[:-1]))
        assert set(range(0, older)) <= set(there) and gap["newer"].startswith(at(89)[:-1])
        screen.sees("live")
        screen.at_rest()
        assert line_of(screen, "p036") == place_of_next, screen.text()
        # Importing again continues. The rest is filled from both ends at once.
        bring(place, *map(post, range(50, 90)), between("complete", 49, 90))
        assert numbers(place) == [*range(DAY - 1, -1, -1)] and gaps(place) == []
        screen.at_rest()
        assert line_of(screen, "p036") == place_of_next, screen.text()
        # Every post appears once, from the reader's position upwards.
        seen = []
        for _ in range(8):
            for line in reversed(screen.at_rest()):
                for number in range(DAY):
                    if f"p{number:03} " in line and number not in seen:
                        seen.append(number)
            screen.press("-")
        assert seen == list(range(seen[0], seen[-1] + 1)) and len(seen) > 20


def test_a_gap_is_not_a_post_and_can_be_exported(place):
    with place.running(*CLOCK):
        bring(place, post(1))
        events = Events(place.start("watch", "--jsonl", "-n", "1"))
        assert events.next()[0] == "inserted"
        bring(place, post(5), between("gap", 1, 5, missing=30))
        assert sorted(event for event, _ in events.take(2)) == ["gap", "inserted"]
        screen = Screen(place, "attach", "--no-animation", columns=80, lines=30)
        screen.sees("About 30 posts from elsewhere are missing here.")
        screen.press("j")
        screen.selects("Yesterday 12:10")
        for key in ("f", "b", "s", "d", "t", "a"):
            screen.press(key)
            screen.sees("This is a gap, not a post.")
        screen.press("Enter")
        screen.sees("Period: ")
        screen.press("Escape")
        exported = place.client("export").stdout.splitlines()
        assert json.loads(exported[-1]) == {
            "gap": {"source": "elsewhere", "newer": at(5), "older": at(1), "missing": 30}}
        assert not any('"gap"' in line for line in place.client("export", "--public-only").stdout.splitlines())
        # Importing one's own export changes nothing.
        (place.folder / "all.jsonl").write_text("\n".join(exported) + "\n", encoding="utf-8")
        place.client("import", "jsonl", place.folder / "all.jsonl")
        assert [gap["missing"] for gap in gaps(place)] == [30]
        # Other accounts do not see the gap, though the posts around it are public.
        otto = place.guest("otto")
        otto.client("follow", "elsewhere:@bea")
        assert [row["kind"] for row in otto.rows("timeline")] == ["post", "post"]
        assert not any('"gap"' in line for line in otto.client("export").stdout.splitlines())
        # An empty fill removes it.
        bring(place, between("complete", 1, 5))
        screen.misses("missing here")
        assert gaps(place) == []
        report = bring(place, between("gap", 5, 1), post(7))
        assert "empty gap" in report.stdout + report.stderr
