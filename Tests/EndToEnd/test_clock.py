"""A daemon with --clock."""

import json
import subprocess

from conftest import BIN, wait_until


def start(place, clock):
    """Starts a daemon with this clock, and waits until it responds."""
    process = subprocess.Popen([BIN / "stack-daemon", "--clock", clock], env=place.environment, stdout=subprocess.DEVNULL)
    place.cleanup.callback(process.wait)
    place.cleanup.callback(process.terminate)
    wait_until(lambda: place.client("status", code=None).returncode == 0, "a daemon")
    return process


def rows(place):
    output = place.client("timeline", "--json").stdout
    return json.loads(output)


def test_a_frozen_clock_gives_fixed_labels(place):
    start(place, "frozen:2026-03-01T12:00:00Z")
    archive = place.folder / "posts.jsonl"
    posts = [("1", "2026-03-01T11:55:00Z"), ("2", "2026-02-27T12:00:00Z"), ("3", "2025-12-24T18:00:00Z")]
    archive.write_text(
        "".join(json.dumps({"id": id, "author": {"handle": "ann"}, "created_at": at, "text": id}) + "\n" for id, at in posts))
    place.client("import", str(archive))
    place.post("now then")
    assert [row["label"] for row in rows(place)] == ["now", "5m", "2d", "Dec 24, 2025"]
    assert rows(place)[0]["created_at"].startswith("2026-03-01T12:00:00")


def test_labels_follow_the_locale_and_style(place):
    start(place, "frozen:2026-03-01T12:00:00Z")
    archive = place.folder / "posts.jsonl"
    archive.write_text(json.dumps(
        {"id": "1", "author": {"handle": "ann"}, "created_at": "2026-03-01T10:00:00Z", "text": "hello"}) + "\n")
    place.client("import", str(archive))

    def label(*options, **environment):
        arguments = ["timeline", "--times", "words", *options]
        return place.client(*arguments, environment={**place.environment, **environment})

    assert "about 2 hours ago" in label().stdout
    assert "vor 2 Stunden" in label("--locale", "de").stdout
    assert "2 часа назад" in label(LANG="ru_RU.UTF-8").stdout
    assert "about 2 hours ago" in label("--json", LANG="ru_RU.UTF-8").stdout, "--json is always in English"
    missing = label("--locale", "tlh")
    assert "about 2 hours ago" in missing.stdout and missing.stderr.count("unknown locale 'tlh'") == 1
    assert "Sunday, March 1, 2026 at 10:00:00 AM" in label("--times", "long").stdout


def test_a_clock_with_a_start_time_runs(place):
    start(place, "from:2019-12-31T23:59:58Z")
    place.post("a new decade")
    assert rows(place)[0]["created_at"] < "2020"
    wait_until(lambda: place.post("is it?") and rows(place)[0]["created_at"] > "2020", "the new decade")


def test_an_invalid_clock_is_refused(place):
    result = subprocess.run(
        [BIN / "stack-daemon", "--clock", "noon"], env=place.environment, capture_output=True, text=True, check=False)
    assert result.returncode == 2 and "--clock noon is not system, frozen:INSTANT" in result.stderr
