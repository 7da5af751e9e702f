"""Verbs of line mode with a real daemon, in pipes and in a terminal."""

import json
import os
import re
import signal
import subprocess

from conftest import BIN, ROOT, Events, wait_until

EXAMPLES = ROOT / "examples/timeline.jsonl"


def rows(text):
    return [json.loads(line) for line in text.splitlines()]


def started_watch(place, *words):
    """Starts a watch, and waits for an existing post, so that its first frame has arrived."""
    place.post("the beginning")
    watch = place.start("watch", "--jsonl", "-n", "1", *words)
    events = Events(watch)
    assert events.next() == ("inserted", "the beginning")
    return watch, events


def test_the_first_verb_starts_a_daemon_and_reports_it(place):
    result = place.client("timeline")
    assert result.stdout == ""
    assert re.fullmatch(r"stack-client: started .*stack-daemon; its log is .*daemon\.log\n", result.stderr)
    assert place.client("timeline").stderr == ""
    assert (place.socket.stat().st_mode & 0o777, place.socket.parent.stat().st_mode & 0o777) == (0o600, 0o700)


def test_many_first_clients_start_one_daemon(place):
    clients = [place.start("timeline") for _ in range(8)]
    said = [client.communicate()[1] for client in clients]
    assert [client.returncode for client in clients] == [0] * 8, said
    assert sum("started" in text for text in said) == 1, said


def test_a_text_may_begin_with_a_dash(place):
    texts = ["-hello", "-dash2", "-- what a day", "with -h in the middle"]
    for text in texts:
        assert place.client("-q", "post", text).stdout.strip().isdigit(), text
    place.client("-q", "post", "--", "-h")
    assert place.texts("timeline") == ["-h", *texts[::-1]]
    place.client("list", "make", "-harbour")
    assert [found["name"] for found in place.value("lists")] == ["-harbour"]
    assert place.texts("search", "-hello", "dash2") == ["-dash2"]
    for slip in ("--visiblity", "-v"):
        place.fails("post", slip, "direct", "a secret", code=2, words="put -- before")
    assert "USAGE" in place.client("post", "a", "-h").stdout and len(place.texts("timeline")) == 5


def test_a_watch_prints_all_older_posts_within_its_window(place):
    _, events = started_watch(place)
    words = place.start("watch", "-n", "1")
    assert any("the beginning" in line for line in words.stdout), "the watch has begun"
    # More posts than a view's window, but no more than the daemon stores in one batch.
    lines = [
        json.dumps({"source": "t", "id": str(index), "created_at": f"2001-01-01T{index // 60:02}:{index % 60:02}:00Z",
                    "author": {"id": "a", "handle": "a", "name": "A"}, "text": f"old {index}"})
        for index in range(400)
    ]
    place.client("import", "jsonl", "-", input="\n".join(lines))
    assert sorted(events.take(400)) == sorted(("inserted", f"old {index}") for index in range(400))
    told = (line.strip() for line in words.stdout if line.startswith("old ") or "Some posts were skipped" in line)
    assert sorted(next(told) for _ in range(400)) == sorted(f"old {index}" for index in range(400))


def test_a_watch_mentions_older_posts_beyond_its_window(place):
    place.client("import", "-q", EXAMPLES)
    watch = place.start("watch", "-n", "1")
    assert watch.stdout.readline()
    lines = [
        json.dumps({"source": "t", "id": str(index), "created_at": f"2001-01-01T{index // 60:02}:{index % 60:02}:00Z",
                    "author": {"id": "a", "handle": "a", "name": "A"}, "text": f"old {index}"})
        for index in range(1300, 0, -1)
    ]
    place.client("import", "jsonl", "-", input="\n".join(lines))
    assert any(line == "── Older posts were added further down.\n" for line in watch.stdout)


def test_post_prints_the_id_for_show_and_replies(place):
    number = place.post("Hello, harbour")
    assert number.isdigit()
    assert "Hello, harbour\n" in place.client("show", number).stdout
    reply = place.client("post", "Hello", "back", "--reply-to", number).stdout.strip()
    place.client("post", "-", input="from a pipe\n\n")
    texts = [row["text"] for row in rows(place.client("timeline", "--jsonl").stdout)]
    assert texts == ["from a pipe", "Hello back", "Hello, harbour"]
    thread = rows(place.client("thread", reply, "--jsonl").stdout)
    assert [row["text"] for row in thread] == ["Hello, harbour", "Hello back"]
    assert json.loads(place.client("post", "x", "--json").stdout)["id"].isdigit()


def test_a_new_post_appears_in_a_watching_terminal(place):
    place.post("old")
    terminal = place.terminal("watch -n 1")
    terminal.wait_for("old")
    place.post("news from elsewhere")
    terminal.wait_for("news from elsewhere")
    assert terminal.screen().count("news from elsewhere") == 1


def test_a_watch_survives_a_restart_and_prints_each_post_once(place):
    watch, events = started_watch(place)
    place.post("one")
    assert events.next() == ("inserted", "one")
    place.client("daemon", "stop")
    place.client("status", code=5)
    place.client("daemon", "start")
    place.post("two")
    place.post("three")
    assert events.take(2) == [("inserted", "two"), ("inserted", "three")]
    assert [row["text"] for row in rows(place.client("timeline", "--jsonl").stdout)] == [
        "three", "two", "one", "the beginning"]
    watch.kill()
    said = watch.stderr.read()
    assert said.count("waiting for it to return") == 1 and said.count("reconnected") == 1, said


def test_a_killed_daemon_loses_no_acknowledged_posts(place):
    _, events = started_watch(place)
    numbers = [place.post(f"post {index}") for index in range(5)]
    subprocess.run(["kill", "-KILL", str(json.loads(place.client("status", "--json").stdout)["process_id"])], check=True)
    wait_until(lambda: place.client("status", code=None).returncode == 5, "the daemon to end")
    assert [row["id"] for row in rows(place.client("timeline", "-n", "5", "--jsonl").stdout)] == numbers[::-1]
    place.post("after")
    told = [("inserted", f"post {index}") for index in range(5)] + [("inserted", "after")]
    assert events.take(6) == told


def test_a_watch_prints_a_whole_burst(place):
    _, events = started_watch(place)
    lines = [
        json.dumps({"source": "t", "id": str(index), "created_at": f"2999-01-01T{index // 60:02}:{index % 60:02}:00Z",
                    "author": {"id": "a", "handle": "a", "name": "A"}, "text": f"burst {index}"})
        for index in range(600)
    ]
    place.client("import", "-", input="\n".join(lines))
    assert events.take(600) == [("inserted", f"burst {index}") for index in range(600)]


def test_import_export_and_import_again(place):
    report = json.loads(place.client("import", str(EXAMPLES), "--json").stdout)
    assert (report["read"], report["new"], report["skipped"], report["whole"]) == (200, 200, 0, True)
    assert place.client("import", "jsonl", str(EXAMPLES)).stdout.startswith("200 read, 0 new, 0 changed, 200 same, 0 skipped")
    first = place.client("export").stdout
    assert len(first.splitlines()) == 200
    again = place.client("import", "jsonl", "-", input=first)
    assert again.stdout.startswith("200 read, 0 new, 0 changed, 200 same, 0 skipped")
    assert place.client("export").stdout == first


def test_long_posts_survive_export_and_import(place):
    count = 12 if os.environ.get("STACK_TESTS") else 7
    lines = [
        json.dumps({"source": "t", "id": str(index), "created_at": f"2024-01-01T00:00:{index:02}Z",
                    "author": {"id": "a", "handle": "a", "name": "A"}, "text": "word " * 30_000, "native": {"x": "y" * 500_000}})
        for index in range(count)
    ]
    place.client("import", "jsonl", "-", input="\n".join(lines))
    out = place.client("export").stdout
    assert len(out.splitlines()) == count and len(out) > count * 650_000
    assert place.client("import", "jsonl", "-", input=out).stdout.startswith(f"{count} read, 0 new, 0 changed, {count} same")
    assert len(rows(place.client("timeline", "-n", str(count), "--jsonl").stdout)) == count


def test_paging_returns_every_post_once_in_both_orders(place):
    place.client("import", str(EXAMPLES), "-q")
    numbers = [f"more {index}" for index in range(3)]
    for text in numbers:
        place.post(text)
    everything = rows(place.client("timeline", "-n", "100000", "--jsonl").stdout)
    assert len(everything) == 203 and len({row["id"] for row in everything}) == 203
    assert everything == sorted(everything, key=lambda row: (row["created_at"], int(row["id"])), reverse=True)
    backwards = rows(place.client("timeline", "-n", "100000", "--jsonl", "--reverse").stdout)
    assert [row["id"] for row in backwards] == [row["id"] for row in everything][::-1]
    middle = everything[100]["id"]
    below = rows(place.client("timeline", "-n", "5", "--before", middle, "--jsonl").stdout)
    assert [row["id"] for row in below] == [row["id"] for row in everything[101:106]]
    above = rows(place.client("timeline", "--since", middle, "--jsonl").stdout)
    assert [row["id"] for row in above] == [row["id"] for row in everything[:100]]
    assert len(rows(place.client("timeline", "--since", "1h", "--jsonl").stdout)) == 3
    assert place.client("timeline", "-n", "0").stdout == ""


def test_a_terminal_shows_the_newest_post_last_at_its_width(place):
    place.client("import", str(EXAMPLES), "-q")
    for columns in (40, 80, 120):
        terminal = place.terminal("timeline", columns=columns)
        terminal.wait_for_end()
        lines = terminal.screen().split("Pane is dead")[0].splitlines()
        newest = rows(place.client("timeline", "-n", "1", "--jsonl").stdout)[0]
        shown = [line for line in lines if line.strip()]
        assert shown[-1].startswith(newest["id"]), shown
        plain = place.client("timeline", "-n", "1", "--width", str(columns)).stdout.splitlines()
        assert [line for line in plain if line] == shown[-len([line for line in plain if line]):]


def test_colour_is_used_in_terminals_and_on_request(place):
    place.post("see #harbour")
    assert "\x1b" not in place.client("timeline").stdout
    assert "\x1b[35m#harbour\x1b[0m" in place.client("timeline", "--color", "always").stdout
    terminal = place.terminal("timeline")
    terminal.wait_for("#harbour")
    assert "\x1b[35m#harbour" in terminal.screen("-e")
    place.environment["NO_COLOR"] = "1"
    terminal = place.terminal("timeline")
    terminal.wait_for("#harbour")
    assert "\x1b[" not in terminal.screen("-e").split("Pane is dead")[0]


def test_control_characters_in_a_post_are_not_printed(place):
    place.client("post", "-", input="a\x1b[31mb\x07c\u202ed\u009b2Je\x1b]0;title\x07")
    for words in (["timeline"], ["timeline", "--plain"], ["timeline", "--json"], ["show", "1"], ["--color", "always", "show", "1"]):
        output = place.client(*words, binary=True).stdout.decode()
        bare = re.sub(r"\x1b\[[0-9;]*m", "", output) if "always" in words else output
        assert not re.search("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]", bare), output


def test_a_closed_pipe_ends_the_client_silently(place):
    place.client("import", str(EXAMPLES), "-q")
    for verb in ("export", "timeline -n 1000", "timeline -n 1000 --json"):
        script = f"set -o pipefail; {BIN}/stack-client {verb} | head -n 1"
        result = subprocess.run(
            ["bash", "-c", script], env=place.environment, capture_output=True, text=True, timeout=60, check=False)
        assert result.returncode in (0, 141) and result.stderr == "" and len(result.stdout.splitlines()) == 1
    place.post("before")
    watch = place.start("watch", "--jsonl", "-n", "1")
    assert "before" in watch.stdout.readline()
    watch.stdout.close()
    place.post("nobody listens")
    assert watch.wait(timeout=30) == 141
    assert watch.stderr.read() == ""


def test_ctrl_c_ends_a_watch(place):
    watch, _ = started_watch(place)
    watch.send_signal(signal.SIGINT)
    assert watch.wait(timeout=30) in (130, -signal.SIGINT)


def test_ctrl_c_in_an_import_reports_the_stored_posts(place):
    place.client("daemon", "start", "-q")
    importing = place.start("import", "jsonl", "-", stdin=subprocess.PIPE)
    line = EXAMPLES.read_text().splitlines()
    importing.stdin.write("\n".join(line[:150]) + "\n")
    importing.stdin.flush()
    wait_until(lambda: json.loads(place.client("status", "--json").stdout)["connections"] >= 2, "the import to begin")
    # Standard input stays open: without Ctrl-C the import would wait for more.
    importing.send_signal(signal.SIGINT)
    output, said = importing.communicate(timeout=30)
    assert importing.returncode == 130, said
    assert said == ""
    count = int(re.match(r"interrupted: (\d+) read, (\d+) new", output)[2])
    assert json.loads(place.client("status", "--json").stdout)["posts"] == count
    assert place.client("import", "jsonl", str(EXAMPLES)).stdout.startswith(f"200 read, {200 - count} new")


def test_an_import_reports_stored_posts_if_the_daemon_dies(place):
    place.client("daemon", "start", "-q")
    many = place.folder / "many.jsonl"
    many.write_text("".join(
        json.dumps({"source": "t", "id": str(index), "created_at": "2024-01-01T00:00:00Z",
                    "author": {"id": "a", "handle": "a", "name": "A"}, "text": "word " * 40}) + "\n" for index in range(40_000)))
    importing = place.start("import", "jsonl", many)
    wait_until(lambda: place.value("status")["posts"] > 0, "stored posts")
    subprocess.run(["kill", "-KILL", str(place.value("status")["process_id"])], check=True)
    _, said = importing.communicate(timeout=30)
    assert importing.returncode == 5
    assert re.search(r"; it had (stored [0-9,]+ posts? or more|not reported any stored posts); importing again continues\n$", said), said


def test_an_import_reports_the_detected_format(place):
    archive = ROOT / "Tests/Fixtures/twitter-archive/data"
    assert "(twitter-archive)" in place.client("import", archive / "account.js", archive / "tweets.js").stdout
    assert place.client("import", EXAMPLES).stdout.startswith("200 read, 200 new, 0 changed, 0 same, 0 skipped (jsonl)")
    tweets = place.folder / "tweets.json"
    tweets.write_text(json.dumps([{"id_str": "77", "created_at": "Sun Mar 03 12:00:00 +0000 2024", "text": "hello",
                                   "user": {"id_str": "7", "screen_name": "ann", "name": "Ann"}}]))
    assert place.value("import", "plist", tweets)["format"] == "twitter-v1", "the detected format overrides the given one"
    place.fails("import", "/dev/null", code=1, words="/dev/null")


def test_an_archive_without_an_owner_is_partly_imported(place):
    posts = ROOT / "Tests/Fixtures/mastodon-archive/outbox_plain.synthetic.json"
    result = place.fails("import", posts, "--me", code=7, words="imported, but not as yours")
    assert "actor.json" in result.stderr and "#0" not in result.stdout and "skipped :" not in result.stdout
    error = json.loads(place.client("import", posts, "--me", "--json", code=7).stderr.splitlines()[-1])["error"]
    assert error["code"] == "partly_done" and error["hint"].startswith("import them again with account.js")


def test_status_and_version_in_all_formats(place):
    place.post("x")
    status = json.loads(place.client("status", "--json").stdout)
    assert status["posts"] == 1 and status["socket"] == str(place.socket)
    lines = place.client("status").stdout.splitlines()
    assert lines[0].startswith("daemon       ") and f"process {status['process_id']}" in lines[0]
    assert place.client("status", "--plain").stdout.split("\t")[:3] == [
        status["daemon_version"], str(status["process_id"]), status["socket"]]
    assert re.fullmatch(r"\d+\.\d+\.\d+\t\d+\.\d+\.\d+\n", place.client("version", "--plain").stdout)
    assert re.fullmatch(r"stack-client \d+\.\d+\.\d+\nstack-daemon \d+\.\d+\.\d+\n", place.client("version").stdout)
