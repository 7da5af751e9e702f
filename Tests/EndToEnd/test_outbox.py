"""What is done to posts of a source elsewhere: at once here, once there, and back where the source refuses (docs/UPSTREAM.md).

The source is upstream.py, which does what each test has it do.
"""

import contextlib
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
from test_screen import Screen
from upstream import entries

UPSTREAM = pathlib.Path(__file__).with_name("upstream.py")


class Source:
    """The source called fake, and the daemon that it is told by."""

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
            assert self.process.wait(timeout=PATIENCE) == 0, "the daemon does not end in good order"
            self.process.stdout.close()

    def start(self):
        # The address stays, so that guests find the daemon again.
        listen = self.place.address or "127.0.0.1:0"
        self.process = subprocess.Popen(
            [BIN / "stack-daemon", "--listen", listen, "--upstream", f"fake={sys.executable} {UPSTREAM} {self.folder}",
             "--upstream-patience", "0.5"],
            env=self.place.environment, stdout=subprocess.PIPE, text=True)
        said = "".join(iter(self.process.stdout.readline, "ready\n"))
        self.place.address = said.split("listening on ")[1].split()[0]

    def kill(self):
        """As the kernel does it, in the middle of whatever there is."""
        self.process.kill()
        self.process.wait(timeout=PATIENCE)
        self.process.stdout.close()

    def kill_program(self):
        """The program of the source dies, and not the daemon."""
        children = pathlib.Path(f"/proc/{self.process.pid}/task/{self.process.pid}/children").read_text("ascii").split()
        for child in children:
            with contextlib.suppress(ProcessLookupError):
                os.kill(int(child), signal.SIGKILL)

    def rules(self, *rules):
        """What the source does from now on; without any it does what it is told."""
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
        """Who has done what to which post, there."""
        found = set()
        for command in self.done():
            mark = (command["account"], command.get("post"), command["do"].removeprefix("un"))
            if command["do"] in ("favourite", "repost"):
                found.add(mark)
            else:
                found.discard(mark)
        return found

    def settles(self, *people):
        """Until nothing waits any more."""
        for person in people:
            wait_until(lambda: all(entry["delivery"] == "failed" for entry in person.value("outbox")), lambda: person.value("outbox"))


class View:
    """A `watch --jsonl`: the rows that it has now, and all that each was."""

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
        """What became of a row, one event after another; what repeats in these facts is told once."""
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


def test_two_accounts_and_three_views_see_a_post_a_reply_a_repost_toggles_an_undo_and_a_delete(place, source):
    with source.running():
        bea, me = place.guest("bea"), place.name
        mine, hers = View(place), View(bea)
        screen = Screen(place, "attach", "--no-animation", columns=100, lines=40)
        screen.sees("live")

        # A post: at once here for me, for nobody else before the source has it.
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

        # A reply, by the other one; it goes to the source by the name that the source gave.
        source.rules()
        reply = bea.client("-q", "reply", "fake:n1", "@me So it is").stdout.strip()
        mine.has(reply, text="@me So it is", in_reply_to=post)
        source.settles(place, bea)
        assert source.heard("post")[1]["in_reply_to"] == "n1" and source.heard("post")[1]["account"] == "bea"
        screen.sees("So it is")

        # A repost and fast toggles while the source thinks: one thing is asked of the post, whatever is done.
        source.rules({"then": "hold"})
        repost = bea.client("-q", "repost", post).stdout.strip()
        for view in (mine, hers):
            view.has(post, reposts=1)
            view.has(repost, post_id=post, reposts=1)
        source.hears("repost")
        for words in ([], ["--undo"], [], ["--undo"], []):
            place.client("-q", "favourite", post, *words)
        # An undo before the answer: of the toggles, and of the repost.
        bea.client("-q", "favourite", post)
        bea.client("-q", "favourite", post, "--undo")
        bea.client("-q", "repost", post, "--undo")
        for view in (mine, hers):
            view.has(post, reposts=0, favourites=1)
            view.has_not(repost)
        mine.has(post, favourited=True, delivery="pending")
        hers.has(post, favourited=False, delivery="pending", reposted=False)
        assert len({command["id"] for command in source.heard()}) == 3, "nothing but the repost is asked"
        source.release()
        source.settles(place, bea)
        for view in (mine, hers):
            view.has(post, reposts=0, favourites=1, delivery="none")
            # What was shown was whole: the count and the mark came and went together, and never fell below what others had done.
            assert all(row["favourites"] in (0, 1, 2) and row["reposts"] in (0, 1) for _, _, row in view.past if row)
        assert [command["do"] for command in source.done()[2:]] == ["repost", "favourite", "unrepost"]
        assert source.marks() == {(me, "n1", "favourite")}
        screen.sees("1 favourite (you)")
        for _, number, row in mine.past:
            if row and number == post and row["favourited"]:
                assert row["favourites"] >= 1, "a mark without its count"

        # A delete that the source refuses, and one that it takes: the post, its answer and what shows it follow.
        source.rules({"do": "delete", "then": "refuse", "reason": "it is locked", "times": 1})
        place.client("-q", "delete", post, "--yes")
        mine.has(post, delivery="failed", failure="it is locked", favourites=1)
        hers.has(post, delivery="none", failure="", favourites=1)
        screen.sees("failed: it is locked")
        # It goes at once, with the pane that it is the subject of, and is not to be seen while the source thinks.
        place.client("pane", "push", "conversation", post)
        source.rules({"then": "hold"})
        place.client("-q", "retry", post)
        for view in (mine, hers):
            view.has_not(post)
        wait_until(lambda: [pane["kind"] for pane in place.value("pane", "list")] == ["timeline"], "the pane closes")
        assert [entry["action"] for entry in place.value("outbox")] == ["delete"] and place.texts("search", "high") == []
        place.fails("show", post, code=3, words="no post")
        source.release()
        for view in (mine, hers):
            view.has(reply, text="@me So it is")
        screen.misses("High water")
        source.settles(place, bea)
        mine.has(reply, in_reply_to=None)
        assert source.done()[-1]["do"] == "delete"
        assert place.client("integrity").stdout.strip() == "the store is sound"
        screen.press("Q")


def test_what_fails_stays_with_its_reason_until_it_is_tried_again_or_forgotten_by_keys_and_verbs(place, source):
    with source.running():
        bea = place.guest("bea")
        screen = Screen(place, "attach", "--no-animation", columns=100, lines=30)
        screen.sees("live")
        source.rules({"do": "post", "then": "refuse", "reason": "too \x1b[31mrude\nfor us", "times": 2})
        post = place.post("bad words", "--source", "fake")
        # Harmless, and one line.
        screen.sees("failed: too \N{REPLACEMENT CHARACTER}[31mrude for us")
        assert bea.texts("timeline") == [] and bea.value("outbox") == []
        assert place.value("outbox")[0] | {"failure": ""} == {
            "id": post, "source": "fake", "action": "post", "delivery": "failed", "asked": False, "failure": "", "text": "bad words"}
        assert "failed: too" in place.client("timeline").stdout
        screen.press("!")
        screen.sees("Asked again.")
        source.hears("post", 2)
        screen.sees("failed: too")
        screen.press("x")
        screen.sees("Forget what failed?")
        screen.press("n")
        screen.press("!")
        screen.misses("failed: too")
        source.settles(place)
        assert bea.texts("timeline") == ["bad words"] and len(source.done()) == 1
        assert len({command["id"] for command in source.heard("post")}) == 3

        # A mark: the truth comes back with its count.
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

        # A post that is refused and forgotten goes, and is never anybody else's.
        source.rules({"do": "post", "then": "refuse", "reason": "no"})
        gone = place.post("worse words", "--source", "fake")
        screen.sees("failed: no")
        place.client("-q", "discard", gone)
        screen.misses("worse words")
        place.fails("show", gone, code=3, words="no post")
        place.fails("post", "nobody speaks", "--source", "other", code=3, words="no program speaks")
        place.fails("post", "@bea psst", "--source", "fake", "--visibility", "direct", code=1, words="direct")
        local = place.post("of here")
        place.fails("post", "an answer", "--source", "fake", "--reply-to", local, code=1, words="not of fake")
        assert place.client("integrity").stdout.strip() == "the store is sound"
        screen.press("Q")


@pytest.mark.parametrize("seed", range(3))
def test_kills_of_the_daemon_and_of_the_program_lose_nothing_and_do_nothing_twice(place, source, seed):
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
                assert person is bea and answer.returncode == 3, "she does not see what the source has not got"
        if chance.random() < 0.6:
            source.kill()
            source.start()
        elif chance.random() < 0.5:
            source.kill_program()
    source.rules()
    source.release()
    source.settles(*people)
    # Each post is there once, and here once, called as it is called there.
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
        assert row["favourites"] == sum(wanted.get((post, other), False) for other in people), "a count drifts"
        assert row["delivery"] == "none"
    assert place.client("integrity").stdout.strip() == "the store is sound"
    source.process.terminate()
    assert source.process.wait(timeout=PATIENCE) == 0
    source.process.stdout.close()


def test_an_import_brings_nothing_twice_and_counts_stay_right(place, source):
    with source.running():
        post = place.post("High water", "--source", "fake")
        place.client("-q", "favourite", post)
        source.settles(place)
        place.client("-q", "repost", post)
        source.settles(place)
        line = {"source": "fake", "id": "n1", "text": "High water", "author": {"id": "me", "handle": "me", "name": "Me"},
                "created_at": "2026-03-01T12:00:00Z", "counts": {"favourites": 8, "reposts": 3}}
        repost = {"source": "fake", "id": "n3", "author": {"id": "me", "handle": "me", "name": "Me"},
                  "created_at": "2026-03-01T12:01:00Z", "original": line}
        file = place.folder / "echo.jsonl"
        file.write_text("".join(json.dumps(entry) + "\n" for entry in (line, repost)), "utf-8")
        place.client("-q", "import", file)
        rows = place.rows("timeline", "-n", "10")
        assert [row["text"] for row in rows] == ["High water"] * 2 and {row["post_id"] for row in rows} == {post}
        # The source counts what it has said yes to.
        assert all((row["favourites"], row["reposts"], row["favourited"]) == (8, 3, True) for row in rows)
        place.client("-q", "favourite", post, "--undo")
        assert place.rows("show", post)[0]["favourites"] == 7
        source.settles(place)
        assert place.rows("show", post)[0]["favourites"] == 7
        assert place.client("integrity").stdout.strip() == "the store is sound"


def test_a_program_that_is_not_there_or_says_nonsense_is_told_of_and_holds_up_nothing(place):
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
    assert "upstream gone: could not be started: /nowhere/at-all: no such file or directory; it is started again in 0.2 seconds" in said


@pytest.mark.parametrize("words", [["fake"], ["=x"], ["fake="], ["stack=x"], ["a b=x"], ["fake=x", "fake=y"]])
def test_an_upstream_that_cannot_be_is_refused_in_a_line(place, words):
    options = [part for word in words for part in ("--upstream", word)]
    result = subprocess.run([BIN / "stack-daemon", *options], env=place.environment, capture_output=True, text=True, check=False)
    assert result.returncode == 2 and result.stderr.startswith("stack-daemon: --upstream") and result.stderr.count("\n") == 1
