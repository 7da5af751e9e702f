"""Commands on posts of a remote source: applied at once, sent exactly once, and reverted if refused (docs/UPSTREAM.md).

The source is upstream.py, which each test scripts.
"""

import contextlib
import datetime
import json
import os
import pathlib
import random
import signal
import subprocess
import sys
import threading

import pytest

from conftest import BIN, PATIENCE, wait_until
from seeding import call
from test_screen import Screen
from upstream import entries

UPSTREAM = pathlib.Path(__file__).with_name("upstream.py")
FAILED = 2  # DELIVERY_FAILED


class Source:
    """The source `fake`, and its daemon."""

    def __init__(self, place):
        self.place, self.folder, self.process = place, place.folder / "fake", None
        self.folder.mkdir()

    @contextlib.contextmanager
    def running(self):
        self.start()
        try:
            yield self
        finally:
            self.process.terminate()
            assert self.process.wait(timeout=PATIENCE) == 0, "the daemon did not stop gracefully"
            self.process.stdout.close()

    def start(self):
        # Keeps the address, so that guests can reconnect.
        listen = self.place.tcp or "127.0.0.1:0"
        self.process = subprocess.Popen(
            [BIN / "stack-daemon", "--listen", listen, "--upstream", f"fake={sys.executable} {UPSTREAM} {self.folder}",
             "--upstream-patience", "0.5"],
            env=self.place.environment, stdout=subprocess.PIPE, text=True)
        said = "".join(iter(self.process.stdout.readline, "ready\n"))
        self.place.tcp = said.split("listening on ")[1].split()[0]

    def kill(self):
        """Kills the daemon."""
        self.process.kill()
        self.process.wait(timeout=PATIENCE)
        self.process.stdout.close()

    def kill_program(self):
        """Kills the upstream program, but not the daemon."""
        children = pathlib.Path(f"/proc/{self.process.pid}/task/{self.process.pid}/children").read_text("ascii").split()
        for child in children:
            with contextlib.suppress(ProcessLookupError):
                os.kill(int(child), signal.SIGKILL)

    def rules(self, *rules):
        """Replaces the source's rules; without rules it carries out all commands."""
        (self.folder / "release").unlink(missing_ok=True)
        (self.folder / "used").unlink(missing_ok=True)
        (self.folder / "new").write_text("".join(json.dumps(rule) + "\n" for rule in rules), "utf-8")
        (self.folder / "new").rename(self.folder / "rules")

    def release(self):
        (self.folder / "release").touch()

    def heard(self, action=None):
        return [command for command in entries(self.folder, "heard") if action in (None, command["do"])]

    def done(self):
        return [entry["command"] for entry in entries(self.folder, "done")]

    def hears(self, action, count=1):
        wait_until(lambda: len(self.heard(action)) >= count, lambda: f"{count} x {action} in {self.heard()}")

    def marks(self):
        """Returns the source's marks as (account, post, kind)."""
        found = set()
        for command in self.done():
            mark = (command["account"], command.get("post"), command["do"].removeprefix("un"))
            if command["do"] in ("favourite", "repost"):
                found.add(mark)
            else:
                found.discard(mark)
        return found

    def wait_until_sent(self, *people):
        """Waits until no command is pending."""
        def outbox(person):
            return call(person.address, "TimelineService/ListOutbox", person.token_text).entries

        for person in people:
            wait_until(lambda: all(entry.delivery == FAILED for entry in outbox(person)), lambda: outbox(person))


class View:
    """A `watch --jsonl`, with its present rows and all their past versions."""

    def __init__(self, person):
        self.rows, self.past = {}, []
        self.process = person.start("watch", "--jsonl", "-n", "50")
        threading.Thread(target=self.read, daemon=True).start()

    def read(self):
        for line in self.process.stdout:
            event = json.loads(line)
            number = event["row"]["id"] if "row" in event else event.get("id")
            self.past.append((event["event"], number, event.get("row")))
            if event["event"] == "removed":
                self.rows.pop(number, None)
            elif "row" in event:
                self.rows[number] = event["row"]

    def has(self, number, **facts):
        def is_so():
            row = self.rows.get(number)
            return row is not None and all(row[key] == value for key, value in facts.items())

        wait_until(is_so, lambda: f"{facts} in {self.rows.get(number)}")

    def has_not(self, number):
        wait_until(lambda: number not in self.rows, lambda: self.rows[number])

    def story(self, number, *keys):
        """Returns the events of a row with some of its fields; events without a change of these are left out."""
        told = []
        for event, row_number, row in list(self.past):
            if row_number == number:
                facts = (event, *(row[key] for key in keys)) if row else (event,)
                if not told or told[-1][1:] != facts[1:] or not row:
                    told.append(facts)
        return told


@pytest.fixture
def source(place):
    return Source(place)


def test_two_accounts_and_three_views_see_every_change(place, source):
    with source.running():
        bea, me = place.guest("bea"), place.name
        mine, hers = View(place), View(bea)
        screen = Screen(place, "attach", "--no-animation", columns=100, lines=40)
        screen.sees("live")

        # A post appears at once for its author, and for others only once the source has it.
        source.rules({"then": "hold"})
        post = place.post("High water", "--source", "fake")
        mine.has(post, delivery="pending", text="High water")
        screen.sees("pending")
        source.hears("post")
        assert post not in hers.rows and bea.texts("timeline") == []
        bea.fails("show", post, code=3, words="no post")
        source.release()
        hers.has(post, delivery="none", text="High water")
        mine.has(post, delivery="none", permalink="https://fake.example/n1")
        screen.misses("pending")
        assert mine.story(post, "delivery") == [("inserted", "pending"), ("changed", "none")]
        assert [event for event, *_ in hers.story(post, "delivery")] == ["inserted"]

        # A reply of the other account. It is sent with the native ID of the parent.
        source.rules()
        reply = bea.client("-q", "reply", "fake:n1", "@me So it is").stdout.strip()
        mine.has(reply, text="@me So it is", in_reply_to=post)
        source.wait_until_sent(place, bea)
        # The first post may have been sent again while it was held.
        sent = source.heard("post")[-1]
        assert sent["in_reply_to"] == "n1" and sent["account"] == "bea"
        screen.sees("So it is")

        # A repost and fast toggles while the source is busy: only one command per post is in flight.
        source.rules({"then": "hold"})
        repost = bea.client("-q", "repost", post).stdout.strip()
        for view in (mine, hers):
            view.has(post, reposts=1)
            view.has(repost, post_id=post, reposts=1)
        source.hears("repost")
        for words in ([], ["--undo"], [], ["--undo"], []):
            place.client("-q", "favourite", post, *words)
        # Toggles and the repost are undone before the response arrives.
        bea.client("-q", "favourite", post)
        bea.client("-q", "favourite", post, "--undo")
        bea.client("-q", "repost", post, "--undo")
        for view in (mine, hers):
            view.has(post, reposts=0, favourites=1)
            view.has_not(repost)
        mine.has(post, favourited=True, delivery="pending")
        hers.has(post, favourited=False, delivery="pending", reposted=False)
        assert len({command["id"] for command in source.heard()}) == 3, "only the repost has been sent"
        source.release()
        source.wait_until_sent(place, bea)
        for view in (mine, hers):
            view.has(post, reposts=0, favourites=1, delivery="none")
            # Counts and marks always changed together, and never fell below those of other accounts.
            assert all(row["favourites"] in (0, 1, 2) and row["reposts"] in (0, 1) for _, _, row in view.past if row)
        assert [command["do"] for command in source.done()[2:]] == ["repost", "favourite", "unrepost"]
        assert source.marks() == {(me, "n1", "favourite")}
        screen.sees("1 favourite (you)")
        for _, number, row in mine.past:
            if row and number == post and row["favourited"]:
                assert row["favourites"] >= 1, "a mark without its count"

        # A delete that the source refuses, then one that it accepts: views, the reply and panes follow.
        source.rules({"do": "delete", "then": "refuse", "reason": "it is locked", "times": 1})
        place.client("-q", "delete", post, "--yes")
        mine.has(post, delivery="failed", failure="it is locked", favourites=1)
        hers.has(post, delivery="none", failure="", favourites=1)
        screen.sees("failed: it is locked")
        # The post disappears at once with its pane, while the source is busy.
        place.client("pane", "push", "conversation", post)
        source.rules({"then": "hold"})
        place.client("-q", "retry", post)
        for view in (mine, hers):
            view.has_not(post)
        wait_until(lambda: [pane["kind"] for pane in place.value("pane", "list")] == ["timeline"], "the pane to close")
        assert [entry["action"] for entry in place.value("outbox")] == ["delete"] and place.texts("search", "high") == []
        place.fails("show", post, code=3, words="no post")
        source.release()
        for view in (mine, hers):
            view.has(reply, text="@me So it is")
        screen.misses("High water")
        source.wait_until_sent(place, bea)
        mine.has(reply, in_reply_to=None)
        assert source.done()[-1]["do"] == "delete"
        assert place.client("integrity").stdout.strip() == "the store is sound"
        screen.press("Q")


def test_a_failed_command_stays_with_its_reason_until_retried_or_discarded(place, source):
    with source.running():
        bea = place.guest("bea")
        screen = Screen(place, "attach", "--no-animation", columns=100, lines=30)
        screen.sees("live")
        source.rules({"do": "post", "then": "refuse", "reason": "too \x1b[31mrude\nfor us", "times": 2})
        post = place.post("bad words", "--source", "fake")
        # The reason is on one line, without control characters.
        screen.sees("failed: too \N{REPLACEMENT CHARACTER}[31mrude for us")
        assert bea.texts("timeline") == [] and bea.value("outbox") == []
        assert place.value("outbox")[0] | {"failure": ""} == {
            "id": post, "source": "fake", "action": "post", "delivery": "failed", "asked": False, "failure": "", "text": "bad words",
            "postponed_reason": "", "next_at": ""}
        assert "failed: too" in place.client("timeline").stdout
        screen.press("!")
        screen.sees("Retrying.")
        source.hears("post", 2)
        screen.sees("failed: too")
        screen.press("x")
        screen.sees("Discard the failed action?")
        screen.press("n")
        screen.press("!")
        screen.misses("failed: too")
        source.wait_until_sent(place)
        assert bea.texts("timeline") == ["bad words"] and len(source.done()) == 1
        assert len({command["id"] for command in source.heard("post")}) == 3

        # A refused mark is reverted with its count.
        source.rules({"do": "favourite", "then": "refuse", "reason": "not you"})
        screen.press("f")
        screen.sees("failed: not you")
        screen.misses("1 favourite")
        row = place.rows("show", post)[0]
        assert (row["favourited"], row["favourites"], row["delivery"], row["failure"]) == (False, 0, "failed", "not you")
        assert bea.rows("show", post)[0]["delivery"] == "none"
        bea.fails("retry", post, code=1, words="has failed")
        screen.press("x", "y")
        screen.misses("failed")
        place.fails("discard", post, code=1, words="has failed")

        # A refused and discarded post disappears, and was never visible to others.
        source.rules({"do": "post", "then": "refuse", "reason": "no"})
        gone = place.post("worse words", "--source", "fake")
        screen.sees("failed: no")
        place.client("-q", "discard", gone)
        screen.misses("worse words")
        place.fails("show", gone, code=3, words="no post")
        place.fails("post", "nobody speaks", "--source", "other", code=3, words="no upstream program")
        place.fails("post", "@bea psst", "--source", "fake", "--visibility", "direct", code=1, words="direct")
        local = place.post("of here")
        place.fails("post", "an answer", "--source", "fake", "--reply-to", local, code=1, words="not from fake")
        assert place.client("integrity").stdout.strip() == "the store is sound"
        screen.press("Q")


def test_what_a_source_puts_off_for_ever_says_why_and_can_be_given_up(place, source):
    with source.running():
        source.rules({"then": "later", "reason": "too busy, sorry"})
        post = place.post("patience", "--source", "fake")
        source.hears("post")
        entry = wait_until(lambda: [entry for entry in place.value("outbox") if entry["postponed_reason"]], "the source's reason")[0]
        assert (entry["id"], entry["postponed_reason"], entry["asked"]) == (post, "too busy, sorry", True)
        assert datetime.datetime.fromisoformat(entry["next_at"]) > datetime.datetime.now(datetime.UTC) - datetime.timedelta(seconds=5)
        assert "postponed: too busy, sorry, asked again at 20" in place.client("outbox").stdout
        place.fails("discard", post, code=1, words="has failed")
        # Deleting hides the post but leaves two wishes; both can still be given up.
        place.client("-q", "delete", post, "--yes")
        assert len(place.value("outbox")) == 2
        place.client("-q", "discard", post, "--pending")
        assert place.value("outbox") == [] and place.texts("timeline") == []

        # The same by key: a favourite returns to what the source has.
        source.rules({"do": "favourite", "then": "later"})
        post = place.post("High water", "--source", "fake")
        source.wait_until_sent(place)
        screen = Screen(place, "attach", "--no-animation", columns=100, lines=30)
        screen.sees("High water")
        screen.press("f")
        screen.sees("1 favourite")
        source.hears("favourite")
        heard = len(source.heard("favourite"))
        screen.press("x")
        screen.sees("Give up what waits for the source?")
        screen.press("y")
        screen.misses("1 favourite")
        row = place.rows("show", post)[0]
        assert (row["favourited"], row["favourites"], row["delivery"]) == (False, 0, "none") and place.value("outbox") == []
        assert len(source.heard("favourite")) <= heard + 1, "it is not asked again"
        assert place.client("integrity").stdout.strip() == "the store is sound"
        screen.press("Q")


@pytest.mark.parametrize("seed", range(3 if os.environ.get("STACK_TESTS") else 1))
def test_kills_of_daemon_and_program_lose_and_repeat_nothing(place, source, seed):
    chance = random.Random(seed)
    source.rules()
    with contextlib.suppress(FileNotFoundError):
        source.start()
    bea = place.guest("bea")
    people, posts, wanted = (place, bea), [], {}
    for step in range(14):
        source.rules(*chance.choices(
            [{"then": "twice", "times": 2}, {"then": "silent", "times": 2}, {"then": "die", "times": 1}, {"then": "die-after", "times": 1},
             {"then": "later", "times": 1}, {"then": "hold", "times": 3}], k=3))
        posts.append(place.post(f"post {step}", "--source", "fake"))
        for _ in range(3):
            post, person = chance.choice(posts), chance.choice(people)
            is_on = chance.random() < 0.6
            answer = person.client("-q", "favourite", post, *([] if is_on else ["--undo"]), code=None)
            if answer.returncode == 0:
                wanted[(post, person)] = is_on
            else:
                assert person is bea and answer.returncode == 3, "a pending post is visible only to its author"
        if chance.random() < 0.6:
            source.kill()
            source.start()
        elif chance.random() < 0.5:
            source.kill_program()
    source.rules()
    source.release()
    source.wait_until_sent(*people)
    # Source and daemon have each post once, under the same native ID.
    texts = [command["text"] for command in source.done() if command["do"] == "post"]
    assert sorted(texts) == sorted(f"post {step}" for step in range(14))
    names = {entry["command"]["text"]: entry["answer"]["native_id"] for entry in entries(source.folder, "done")
             if entry["command"]["do"] == "post"}
    rows = {row["text"]: row for row in bea.rows("timeline", "-n", "100")}
    assert sorted(rows) == sorted(texts)
    me, marks = place.name, source.marks()
    for (post, person), is_on in wanted.items():
        row = person.rows("show", post)[0]
        who = me if person is place else "bea"
        assert row["favourited"] == is_on == ((who, names[row["text"]], "favourite") in marks), (row, who)
        assert row["favourites"] == sum(wanted.get((post, other), False) for other in people), "wrong count"
        assert row["delivery"] == "none"
    assert place.client("integrity").stdout.strip() == "the store is sound"
    source.process.terminate()
    assert source.process.wait(timeout=PATIENCE) == 0
    source.process.stdout.close()


def test_an_import_duplicates_nothing_and_keeps_counts_right(place, source):
    with source.running():
        post = place.post("High water", "--source", "fake")
        place.client("-q", "favourite", post)
        source.wait_until_sent(place)
        place.client("-q", "repost", post)
        source.wait_until_sent(place)
        line = {"source": "fake", "id": "n1", "text": "High water", "author": {"id": "me", "handle": "me", "name": "Me"},
                "created_at": "2026-03-01T12:00:00Z", "counts": {"favourites": 8, "reposts": 3}}
        repost = {"source": "fake", "id": "n3", "author": {"id": "me", "handle": "me", "name": "Me"},
                  "created_at": "2026-03-01T12:01:00Z", "original": line}
        file = place.folder / "echo.jsonl"
        file.write_text("".join(json.dumps(entry) + "\n" for entry in (line, repost)), "utf-8")
        place.client("-q", "import", file)
        rows = place.rows("timeline", "-n", "10")
        assert [row["text"] for row in rows] == ["High water"] * 2 and {row["post_id"] for row in rows} == {post}
        # The source's counts include accepted marks.
        assert all((row["favourites"], row["reposts"], row["favourited"]) == (8, 3, True) for row in rows)
        place.client("-q", "favourite", post, "--undo")
        assert place.rows("show", post)[0]["favourites"] == 7
        source.wait_until_sent(place)
        assert place.rows("show", post)[0]["favourites"] == 7
        assert place.client("integrity").stdout.strip() == "the store is sound"


def test_a_missing_or_misbehaving_program_is_logged_and_blocks_nothing(place):
    process = subprocess.Popen(
        [BIN / "stack-daemon", "--upstream", "gone=/nowhere/at-all", "--upstream", "odd=/bin/sh -c yes", "--upstream", "mute=/bin/cat"],
        env=place.environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    try:
        "".join(iter(process.stdout.readline, "ready\n"))
        place.post("of here")
        waiting = place.post("elsewhere", "--source", "gone")
        assert place.rows("show", waiting)[0]["delivery"] == "pending"
        place.client("-q", "delete", waiting, "--yes")
        assert place.texts("timeline") == ["of here"] and place.value("outbox") == []
    finally:
        process.terminate()
        said = process.communicate(timeout=PATIENCE)[1]
    assert process.returncode == 0
    assert "upstream gone: could not be started: /nowhere/at-all: no such file or directory; restarting in 0.2 seconds" in said


@pytest.mark.parametrize("words", [["fake"], ["=x"], ["fake="], ["stack=x"], ["a b=x"], ["fake=x", "fake=y"]])
def test_an_invalid_upstream_option_is_refused(place, words):
    options = [part for word in words for part in ("--upstream", word)]
    result = subprocess.run([BIN / "stack-daemon", *options], env=place.environment, capture_output=True, text=True, check=False)
    assert result.returncode == 2 and result.stderr.startswith("stack-daemon: --upstream") and result.stderr.count("\n") == 1
