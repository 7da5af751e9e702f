"""Connectors: programs that bring posts by protocol 2 of docs/UPSTREAM.md. The example follows a file of lines."""

import contextlib
import json
import os
import pathlib
import random
import re
import resource
import signal
import subprocess
import sys

import pytest

from conftest import BIN, PATIENCE, ROOT, wait_until

FOLLOWER = ROOT / "examples/follow_lines.py"


class Follower:
    """A daemon with the example as the connector of source `lines`."""

    def __init__(self, place):
        self.place, self.file, self.process = place, place.folder / "news.txt", None
        self.log = place.folder / "daemon.log"

    @contextlib.contextmanager
    def running(self):
        self.start()
        try:
            yield self
        finally:
            self.process.terminate()
            assert self.process.wait(timeout=PATIENCE) == 0, "the daemon did not stop gracefully"

    def start(self):
        with open(self.log, "a", encoding="utf-8") as log:
            self.process = subprocess.Popen(
                [BIN / "stack-daemon", "--upstream", f"lines={sys.executable} {FOLLOWER} {self.file}"],
                env=self.place.environment, stdout=subprocess.PIPE, stderr=log, text=True,
                # A file above its limit is an error then, and no signal.
                restore_signals=False)
        assert self.process.stdout.readline() == "ready\n"
        self.process.stdout.close()

    def kill(self):
        self.process.kill()
        self.process.wait(timeout=PATIENCE)

    def kill_program(self):
        children = pathlib.Path(f"/proc/{self.process.pid}/task/{self.process.pid}/children").read_text("ascii").split()
        for child in children:
            with contextlib.suppress(ProcessLookupError):
                os.kill(int(child), signal.SIGKILL)

    def append(self, *lines):
        with open(self.file, "a", encoding="utf-8") as file:
            file.write("".join(f"{line}\n" for line in lines))

    def has(self, texts):
        """Waits until the timeline has exactly these texts, oldest first."""
        def shown():
            return self.place.texts("timeline", "-n", "500")[::-1]

        wait_until(lambda: shown() == texts, lambda: f"{texts} in {shown()}")


@pytest.fixture
def follower(place):
    return Follower(place)


def test_each_line_of_a_file_becomes_a_post_once(follower):
    follower.append("one", "two")
    with follower.running():
        follower.has(["one", "two"])
        follower.append("three", "")
        follower.has(["one", "two", "three"])
        follower.kill_program()
        follower.append("four")
        follower.has(["one", "two", "three", "four"])
    follower.append("five")
    with follower.running():
        follower.has(["one", "two", "three", "four", "five"])
        row = follower.place.rows("timeline")[0]
        assert (row["text"], row["author"]["handle"]) == ("five", "lines")


def test_a_client_sees_a_line_that_is_appended(follower):
    follower.append("one")
    with follower.running():
        follower.has(["one"])
        watch = follower.place.start("watch", "--jsonl", "-n", "1")
        seen = (json.loads(line)["row"]["text"] for line in watch.stdout if '"row"' in line)
        assert next(seen) == "one"
        follower.append("Otter at the ferry.")
        assert next(seen) == "Otter at the ferry."


def test_kills_of_the_program_and_of_the_daemon_neither_lose_nor_repeat_a_line(follower):
    chosen, expected = random.Random(20), []
    follower.start()
    for number in range(60):
        expected.append(f"line {number}")
        follower.append(expected[-1])
        if chosen.random() < 0.15:
            follower.kill_program()
        if chosen.random() < 0.08:
            follower.kill()
            follower.start()
    with contextlib.ExitStack() as stack:
        stack.callback(lambda: follower.kill())
        follower.has(expected)


def test_what_a_connector_cannot_do_stays_here(follower):
    follower.append("one")
    with follower.running():
        follower.has(["one"])
        place = follower.place
        post = place.rows("timeline")[0]["id"]
        place.client("favourite", post)
        place.client("reply", post, "Here.")
        assert place.value("outbox") == []
        place.fails("post", "--source", "lines", "There.", code=1, words="the source lines takes no posts")


def test_a_long_file_comes_in_batches(follower):
    texts = [f"line {number}" for number in range(2_000)]
    follower.append(*texts)
    with follower.running():
        wait_until(lambda: follower.place.texts("timeline", "-n", "1") == texts[-1:], "the last line")
        assert follower.place.texts("timeline", "-n", "2500")[::-1] == texts


def test_the_document_has_the_conversation_of_the_example(follower):
    """The lines in docs/UPSTREAM.md that a program writes are lines that the daemon takes."""
    text = (ROOT / "docs/UPSTREAM.md").read_text("utf-8")
    lines = re.findall(r'^> (\{.*\})$', text.split("### Hello")[0], re.MULTILINE)
    script = follower.place.folder / "said.py"
    answers = follower.place.folder / "answers"
    script.write_text(
        "import sys\n"
        f"hello, *rest = {lines!r}\n"
        "print(hello, flush=True)\n"
        "for line in sys.stdin:\n"
        f"    print(line, end='', file=open({str(answers)!r}, 'a'), flush=True)\n"
        "    if '\"ready\"' in line:\n"
        "        print(*rest, sep='\\n', flush=True)\n", "utf-8")
    process = subprocess.Popen(
        [BIN / "stack-daemon", "--upstream", f"lines={sys.executable} {script}"], env=follower.place.environment,
        stdout=subprocess.PIPE, text=True)
    try:
        assert process.stdout.readline() == "ready\n"
        wait_until(lambda: follower.place.texts("timeline") == ["Hello"], "the post of the document")
        wait_until(lambda: '"did"' in answers.read_text("utf-8"), "the answer")
    finally:
        process.terminate()
        process.wait(timeout=PATIENCE)
        process.stdout.close()
    said = [json.loads(line) for line in answers.read_text("utf-8").splitlines()]
    assert [line["tell"] for line in said if "tell" in line] == ["login", "ready"]
    assert [line["did"] for line in said if "did" in line] == ["1"]


STUBBORN = """
import os, signal, sys, time
signal.signal(signal.SIGTERM, signal.SIG_IGN)
print(os.getpid(), file=open(sys.argv[1], "a"), flush=True)
if "lines" in sys.argv[2:]:
    print("no line\\n" * 200, end="", flush=True)
time.sleep(1_000)
"""


def state(pid):
    """Returns the state of a process, as in ps; empty if there is none."""
    with contextlib.suppress(FileNotFoundError, ProcessLookupError):
        return pathlib.Path(f"/proc/{pid}/stat").read_text("ascii").rsplit(")", 1)[1].split()[0]
    return ""


@contextlib.contextmanager
def stubborn(place, *options):
    """A daemon with a connector that ignores SIGTERM; yields a function that returns the connector's processes."""
    script, pids = place.folder / "stubborn.py", place.folder / "pids"
    script.write_text(STUBBORN, "utf-8")
    pids.touch()
    with place.running("--upstream", f"x={sys.executable} {script} {pids} {' '.join(options)}".rstrip()):
        yield lambda: [int(line) for line in pids.read_text("ascii").splitlines()]


def test_a_program_that_is_ended_is_neither_a_zombie_nor_left_behind(place):
    with stubborn(place, "lines") as started:
        wait_until(lambda: len(started()) >= 3, "three starts of a program that breaks rules")
        first = started()[0]
        wait_until(lambda: not state(first), lambda: f"{first} is {state(first)}")
    assert not any(state(pid) for pid in started())


def test_a_program_does_not_outlive_the_daemon(place):
    with stubborn(place) as started:
        wait_until(started, "the start of the program")
        (pid,) = started()
    assert not state(pid)


def test_a_program_that_never_says_hello_is_listed_for_administrators(place):
    with place.running("--upstream", "x=/bin/false"):
        def fails():
            sources = place.value("sources")
            return [(source["source"], source["state"]) for source in sources] == [("x", "failing")] and sources[0]["reason"]
        wait_until(fails, lambda: place.value("sources"))
        assert "status 1" in place.value("sources")[0]["reason"]
        assert place.guest("bea").value("sources") == []


def test_a_store_that_cannot_be_written_is_said_once_until_it_is_over(follower):
    follower.append("one")
    with follower.running():
        follower.has(["one"])
        size = max(file.stat().st_size for file in (follower.place.folder / "data/stack").iterdir())
        limits = resource.prlimit(follower.process.pid, resource.RLIMIT_FSIZE, (size + 4_096, resource.RLIM_INFINITY))
        follower.append(*(f"{number} " + "x" * 10_000 for number in range(100)))
        def source():
            return follower.place.value("sources")[0]
        wait_until(lambda: source()["state"] == "failing", lambda: source())
        assert "cannot be stored" in source()["reason"]
        resource.prlimit(follower.process.pid, resource.RLIMIT_FSIZE, limits)
        wait_until(lambda: source()["state"] != "failing", lambda: source())
        wait_until(lambda: len(follower.place.texts("timeline", "-n", "200")) == 101, "all lines")
    log = follower.log.read_text("utf-8")
    assert log.count("cannot be stored") == 1 == log.count("is stored again"), log
