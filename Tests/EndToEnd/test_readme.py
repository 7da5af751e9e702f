"""The commands in README.md and docs/RECIPES.md work as written."""

import json
import os
import re
import shutil
import signal
import socket
import subprocess

import pytest

from conftest import BIN, PATIENCE, ROOT, wait_until

def block(document, heading):
    """Returns the first shell block below a heading of a document."""
    text = (ROOT / document).read_text("utf-8")
    return re.search(r"```sh\n(.*?)```", text[text.index(heading):], re.DOTALL)[1]


def shell(place, lines, **options):
    """Starts a shell that runs these lines, in the test's folder, with an archive in it."""
    for name in ("account.js", "tweets.js"):
        shutil.copy(ROOT / "Tests/Fixtures/twitter-archive/data" / name, place.folder)
    environment = place.environment | {"PATH": f"{BIN}:{place.environment['PATH']}"}
    return subprocess.Popen(
        ["bash", "-e", "-o", "pipefail", "-c", lines], cwd=place.folder, env=environment, stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True, **options)


USE = [line for line in block("README.md", "## Use it").splitlines() if line.startswith("stack-client ") and "stack-client watch " not in line]


def test_the_commands_of_the_readme(place):
    assert len(USE) >= 7, USE
    place.client("-q", "import", "jsonl", ROOT / "examples/timeline.jsonl")
    for line in USE:
        typed = shell(place, line)
        _, said = typed.communicate(timeout=2 * PATIENCE)
        assert typed.returncode == 0, f"{line}: {said}"
    assert "Hello, harbour" in (place.folder / "everything.jsonl").read_text("utf-8")


def test_the_bot_replies_even_if_a_daemon_ran_before(place):
    place.post("whoever came so far has a daemon")
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    lines = block("docs/RECIPES.md", "## Write a bot")
    assert "127.0.0.1:7825" in lines
    bot = shell(place, lines.replace(":7825", f":{port}"))

    def watches():
        # The daemon restarts meanwhile.
        status = place.client("status", "--json", code=None)
        return bot.poll() is not None or status.returncode == 0 and json.loads(status.stdout)["views"]

    try:
        wait_until(watches, "the bot to watch")
        assert bot.poll() is None, bot.stderr.read()
        place.post("@tide when is high water?")
        wait_until(lambda: any(text.startswith("High water at ") for text in place.texts("mentions")), "the bot to reply")
    finally:
        os.killpg(bot.pid, signal.SIGKILL)
        bot.communicate()


def test_a_running_daemon_cannot_change_its_address(place):
    place.client("daemon", "start", "-q")
    place.fails("daemon", "start", "--listen", "127.0.0.1:0", code=1, words="`stack-client daemon stop` stops it")
    place.client("daemon", "stop")
    place.fails("daemon", "start", "--listen", "nowhere", code=2, words="HOST:PORT")
    place.fails("daemon", "start", "--listen", "192.0.2.1:7825", code=5, words="other machines would need TLS")
    place.fails("daemon", "start", "--group", "no-such-group", code=5, words="no-such-group")
