"""What README.md tells people to type works as it stands there."""

import json
import os
import re
import shutil
import signal
import socket
import subprocess

import pytest

from conftest import BIN, PATIENCE, ROOT, wait_until

README = (ROOT / "README.md").read_text("utf-8")


def block(heading):
    """The first lines for a shell that come after these words."""
    return re.search(r"```sh\n(.*?)```", README[README.index(heading):], re.DOTALL)[1]


def shell(place, lines, **options):
    """A shell that does them, in a folder of the test's own, in which somebody's archive lies."""
    for name in ("account.js", "tweets.js"):
        shutil.copy(ROOT / "Tests/Fixtures/twitter-archive/data" / name, place.folder)
    environment = place.environment | {"PATH": f"{BIN}:{place.environment['PATH']}"}
    return subprocess.Popen(
        ["bash", "-e", "-o", "pipefail", "-c", lines], cwd=place.folder, env=environment, stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True, **options)


USE = [line for line in block("## Use it").splitlines() if line.startswith("stack-client ") and "stack-client watch " not in line]


def test_the_lines_that_everybody_types(place):
    assert len(USE) >= 7, USE
    place.client("-q", "import", "jsonl", ROOT / "examples/timeline.jsonl")
    for line in USE:
        typed = shell(place, line)
        _, said = typed.communicate(timeout=2 * PATIENCE)
        assert typed.returncode == 0, f"{line}: {said}"
    assert "Hello, harbour" in (place.folder / "everything.jsonl").read_text("utf-8")


@pytest.mark.skipif(not shutil.which("jq"), reason="there is no jq")
def test_the_bot_answers_also_where_a_daemon_ran_before(place):
    place.post("whoever came so far has a daemon")
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    lines = block("**As a bot.**")
    assert "127.0.0.1:7825" in lines
    bot = shell(place, lines.replace(":7825", f":{port}"))

    def watches():
        # Its daemon goes and comes meanwhile.
        status = place.client("status", "--json", code=None)
        return bot.poll() is not None or status.returncode == 0 and json.loads(status.stdout)["views"]

    try:
        wait_until(watches, "the bot watches")
        assert bot.poll() is None, bot.stderr.read()
        place.post("@tide when is high water?")
        wait_until(lambda: any(text.startswith("High water at ") for text in place.texts("mentions")), "the bot answers")
    finally:
        os.killpg(bot.pid, signal.SIGKILL)
        bot.communicate()


def test_a_daemon_that_runs_is_not_told_where_to_listen(place):
    place.client("daemon", "start", "-q")
    place.fails("daemon", "start", "--listen", "127.0.0.1:0", code=1, words="`stack-client daemon stop` ends it")
    place.client("daemon", "stop")
    place.fails("daemon", "start", "--listen", "nowhere", code=2, words="HOST:PORT")
    place.fails("daemon", "start", "--listen", "192.0.2.1:7825", code=5, words="beyond this machine")
    place.fails("daemon", "start", "--group", "no-such-group", code=5, words="no-such-group")
