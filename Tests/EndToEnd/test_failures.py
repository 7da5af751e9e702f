"""User errors: each gives one clear line and the documented exit code, and the daemon keeps working."""

import grp
import json
import os
import random
import re
import pathlib
import shutil
import subprocess
from concurrent import futures

import grpc
import pytest

from conftest import BIN, ROOT, Events, Place

EXAMPLES = ROOT / "examples/timeline.jsonl"


def check_working(place):
    """Checks that the daemon still stores and shows posts."""
    number = place.post("still here")
    assert "still here" in place.client("show", number).stdout


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("frobnicate", "unknown verb 'frobnicate'"), ("help frobnicate", "unknown verb 'frobnicate'"), ("timelin", "did you mean 'timeline'?"), ("timeline -n many", "many"),
        ("timeline --width 0", "1 to 10000"), ("timeline --plain --width 7 --color x", "x"), ("show", "id"),
        ("show not-a-post", "is not a post"), ("post x --reply-to :", "is not a post"),
        ("timeline --since someday", "neither a post nor a time"), ("import", "file"), ("post", "empty"),
        ("status --color pink", "pink"), ("export --plain", "JSON Lines"),
        ("count --unread profile", "timeline, mentions and messages"), ("count --unread lists", "timeline, mentions and messages"),
        ("count --unread search", "is not one of timeline"), ("count search", "is not one of timeline"),
    ])
def test_an_invalid_command_line(place, line, words):
    place.fails(*line.split(), code=2, words=words)
    error = json.loads(place.client("--json", *line.split(), code=2).stderr)["error"]
    assert error["code"] == "usage" and error["message"]
    assert not place.socket.exists(), "no daemon is started for it"


def test_an_export_supports_only_json_lines(place):
    assert "JSON Lines" in json.loads(place.client("export", "--json", code=2).stderr)["error"]["message"]
    assert place.client("export", "--jsonl").stdout == ""


def test_a_help_that_cannot_be_written_has_failed(place):
    with open("/dev/full", "w") as full:
        result = subprocess.run([BIN / "stack-client", "--help"], env=place.environment, stdout=full, stderr=subprocess.PIPE, text=True)
    assert (result.returncode, result.stderr) == (1, "stack-client: cannot write the output: no space left on device\n")


class Silent(grpc.GenericRpcHandler):
    """Answers each call with bytes that are the same for all of them."""

    def __init__(self, answer):
        self.answer = answer

    def service(self, handler_call_details):
        if handler_call_details.method.endswith("/Attach"):
            return grpc.stream_stream_rpc_method_handler(lambda requests, context: iter([self.answer]))
        return grpc.unary_unary_rpc_method_handler(lambda request, context: self.answer)


@pytest.mark.parametrize(
    ("answer", "line", "words"),
    [
        (b"\xff", "attach", "not a message of type ServerFrame"), (b"\xff", "post hello", "not a message of type ComposeResponse"),
        (b"", "post hello", "it names no post"), (b"", "list make x", "it names no list"), (b"", "token issue x", "it holds no token"),
        (b"", "whoami", "it names no account"), (b"", "account make x", "it names no account"),
        (b"", "account limit 500", "it names no account"), (b"", "details 42", "it names no post"),
    ])
def test_a_response_that_makes_no_sense(place, answer, line, words):
    place.socket.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    server = grpc.server(futures.ThreadPoolExecutor(1))
    server.add_generic_rpc_handlers([Silent(answer)])
    server.add_insecure_port(f"unix:{place.socket}")
    server.start()
    place.cleanup.callback(server.stop, None)
    if line == "attach":
        # tmux 3.3 does not always learn how a program has ended.
        terminal = place.terminal(f"{line}; echo code $?", columns=200)
        terminal.wait_for(words)
        terminal.wait_for("code 8")
    else:
        place.fails(*line.split(), code=8, words=words)


def test_no_daemon(place):
    place.fails("status", code=5, words="no daemon is running at")
    assert json.loads(place.client("status", "--json", code=5).stderr)["error"]["code"] == "unreachable"
    assert "no daemon is running" in place.client("daemon", "stop").stderr


def test_no_daemon_and_no_program_to_start(place):
    alone = place.folder / "stack-client"
    shutil.copy(BIN / "stack-client", alone)
    place.fails("timeline", program=alone, code=5, words="stack-daemon was not found")


def test_a_daemon_that_cannot_start_gives_the_reason(place):
    (place.folder / "data/stack/store.db").mkdir(parents=True)
    result = place.fails("timeline", code=5, words="the daemon exited at once")
    assert "daemon.log" in result.stderr and "started" not in result.stderr, "the daemon is not running"
    assert "stack-daemon: " not in result.stderr
    assert all(re.match(r"20\d\d-\d\d-\d\dT\d\d:\d\d:\d\dZ stack-daemon: ", line) for line in place.log.read_text().splitlines())
    (place.folder / "data/stack/store.db").rmdir()
    check_working(place)


@pytest.mark.parametrize("words", [["show", "999999"], ["show", "nowhere:1"], ["conversation", "999999"],
                                   ["timeline", "--before", "999999"], ["timeline", "--since", "nowhere:1"],
                                   ["post", "x", "--reply-to", "999999"]])
def test_a_missing_post(place, words):
    place.fails(*words, code=3, words=words[-1].split(":")[-1])
    error = json.loads(place.client(*words, "--json", code=3).stderr)["error"]
    assert "; " not in error["message"]
    check_working(place)


def test_invalid_texts(place):
    place.client("daemon", "start", "-q")
    place.fails("post", " \n ", code=2, words="empty")
    place.client("account", "limit", "10000")
    place.fails("post", "-", code=1, words="longer than 10000 bytes", input="x" * 10_001)
    place.client("post", "-", input="x" * 10_000)
    place.client("post", "-", binary=True, input=b"not \xff UTF-8")
    check_working(place)


def test_files_that_cannot_be_imported(place):
    place.client("daemon", "start", "-q")
    place.fails("import", "/nowhere/tweets.js", code=3, words="there is no file /nowhere/tweets.js")
    place.fails("import", str(place.folder), code=3, words="contains no archive")
    for name, content in [("noise", random.Random(5).randbytes(5000)), ("empty", b""), ("page.html", b"<html><body>hello</body></html>"),
                          ("half.json", b'[{"id": 1, "text": "x"'), ("colon", b":" + random.Random(6).randbytes(5000).replace(b"\0", b" "))]:
        path = place.folder / name
        path.write_bytes(content)
        place.fails("import", str(path), code=1, words=name)
    (place.folder / "braces").write_bytes(b"{" + random.Random(5).randbytes(5000))
    result = place.client("import", place.folder / "braces", code=1)
    assert " skipped " in result.stdout and result.stderr.endswith("braces could be imported\n")
    check_working(place)


@pytest.mark.skipif(os.geteuid() == 0 and not shutil.which("setpriv"), reason="root may read every file, and setpriv is missing")
def test_an_unreadable_file(place):
    secret = place.folder / "secret.json"
    secret.write_text("[]")
    secret.chmod(0)
    place.client("daemon", "start", "-q")
    command = [BIN / "stack-client", "import", str(secret)]
    if os.geteuid() == 0:
        # Drops the capabilities that override permissions.
        command = ["setpriv", "--bounding-set=-dac_override,-dac_read_search", "--inh-caps=-all", *command]
    result = subprocess.run(command, env=place.environment, capture_output=True, text=True, timeout=60, check=False)
    assert (result.returncode, result.stderr) == (4, f"stack-client: cannot read {secret}: permission denied\n")
    check_working(place)


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can change the owner of a folder")
def test_a_daemon_of_another_user_is_not_started(place):
    place.socket.parent.mkdir(mode=0o750)
    os.chown(place.socket.parent, 65534, -1)
    for verb in ("timeline", "status"):
        place.fails(verb, code=5, words="ask that user to start it")


def test_a_shared_daemon_is_started_for_its_group(place):
    place.socket.parent.mkdir(mode=0o750)
    place.socket.parent.chmod(0o750)
    group = grp.getgrgid(place.socket.parent.stat().st_gid).gr_name
    for verb in ("timeline", "status"):
        result = place.fails(verb, code=5, words=f"`stack-client daemon start --group {group}`")
        assert "chmod" not in result.stderr
    place.client("daemon", "start", "--group", group, "-q")
    check_working(place)


@pytest.mark.skipif(os.geteuid() != 0 or not shutil.which("setpriv"), reason="only root can become another user")
def test_a_socket_of_another_user(place):
    place.client("daemon", "start", "-q")
    result = subprocess.run(
        ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", BIN / "stack-client", "--socket", str(place.socket), "status"],
        env=place.environment, capture_output=True, text=True, timeout=60, check=False)
    if "No such file" in result.stderr or "Permission denied" in result.stderr:
        pytest.skip("the programs are in a folder that another user may not enter")
    assert result.returncode == 4, result.stderr
    assert len(result.stderr.splitlines()) == 1 and "another user" in result.stderr
    check_working(place)


def test_a_strict_import_reports_skipped_items(place):
    path = place.folder / "some.jsonl"
    path.write_text(EXAMPLES.read_text() + "not json\n" * 12)
    lenient = place.client("import", "jsonl", str(path))
    assert "12 skipped" in lenient.stdout and "and 2 more" in lenient.stdout
    strict = place.client("import", "jsonl", str(path), "--strict", "-q", code=7)
    assert strict.stderr.splitlines() == ["stack-client: 12 items or files were skipped"]
    (place.folder / "noise.html").write_text("<html></html>")
    place.fails("import", EXAMPLES, place.folder / "noise.html", "--strict", "-q", code=7, words="1 item or file was skipped")


def test_a_dry_run_stores_nothing(place):
    assert place.client("import", "--dry-run", str(EXAMPLES)).stdout == (
        "200 read, 0 skipped (jsonl); dry run: nothing was stored or compared with existing posts\n")
    assert json.loads(place.client("status", "--json").stdout)["posts"] == 0


def remount(folder, how):
    subprocess.run(["mount", "-o", f"remount,{how}", folder], check=True)


def test_a_read_only_store(place: Place, small_disk):
    place.post("before")
    place.client("-q", "daemon", "stop")
    remount(small_disk, "ro")
    words = f"the store {small_disk}/stack/store.db cannot be written; check the permissions of the file and of its folder"
    for verb in (["post", "x"], ["list", "make", "harbour"], ["pane", "push", "search", "x"], ["token", "issue", "bot"]):
        assert place.fails(*verb, code=1, words=words).stderr.splitlines()[-1] == f"stack-client: {words}"
    assert json.loads(place.client("post", "x", "--json", code=1).stderr)["error"] == {"code": "failure", "message": words, "hint": ""}
    for verb in (["timeline"], ["search", "before"], ["export"]):
        assert "before" in place.client(*verb).stdout, verb
    assert place.value("count") == {"count": 1} == place.value("count", "--unread")


def test_a_watch_waits_for_a_read_only_store(place: Place, small_disk):
    with place.running():
        pass
    remount(small_disk, "ro")
    with place.running():
        # The store has no accounts yet, and none can be created.
        watch = place.start("watch", "--jsonl")
        assert "cannot be written" in watch.stderr.readline()
        assert "cannot be written" in place.client("timeline", code=1).stderr
    assert "waiting for it to return" in watch.stderr.readline()
    remount(small_disk, "rw")
    with place.running():
        assert watch.stderr.readline() == "stack-client: reconnected\n", "each message is printed once"
        place.post("now it can be")
        assert Events(watch).next() == ("inserted", "now it can be")
        watch.kill()


@pytest.fixture
def small_disk(place):
    """Mounts a file system of 3 MiB for the daemon's data."""
    folder = pathlib.Path("/tmp") / f"stack-small-{os.getpid()}"
    folder.mkdir()
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=3m,mode=0700", "tmpfs", folder], capture_output=True, text=True, check=False)
    if mounted.returncode != 0:
        folder.rmdir()
        pytest.skip(f"cannot mount a tmpfs: {mounted.stderr.strip()}")
    place.environment["XDG_DATA_HOME"] = str(folder)
    yield folder
    place.client("-q", "daemon", "stop")
    subprocess.run(["umount", folder], check=True)
    folder.rmdir()


def fill(filler):
    """Writes a file until the disk is full."""
    with open(filler, "wb", buffering=0) as file:
        try:
            while True:
                file.write(bytes(4096))
        except OSError:
            pass


def test_counting_and_watching_need_no_disk_space(place: Place, small_disk):
    place.post("before")
    fill(small_disk / "filler")
    assert [place.value("count", *words) for words in ([], ["--unread"], ["profile"])] == [{"count": 1}] * 3
    for section in ("mentions", "messages", "lists"):
        assert place.value("count", section) == {"count": 0}, section
    watch = place.start("watch", "search", "before", "--jsonl", "-n", "1")
    assert Events(watch).next() == ("inserted", "before")
    assert place.value("session", "list") == []
    (small_disk / "filler").unlink()


def test_a_full_disk(place: Place, small_disk):
    first = place.post("before")
    place.client("account", "limit", "10000")
    filler = small_disk / "filler"
    fill(filler)
    place.fails("post", "x" * 9000, code=1, words="no space left")
    for words in (["list", "make", "x" * 60], ["account", "make", "bot"], ["token", "issue", "bot"], ["backup", small_disk / "copy"],
                  ["pane", "push", "search", "x" * 250]):
        place.fails(*words, code=1, words="no space left")
    assert not (small_disk / "copy").exists()
    assert "before" in place.client("show", first).stdout
    for words in (["timeline"], ["search", "before"], ["profile"], ["conversation", first], ["export"]):
        assert "before" in place.client(*words).stdout, words
    assert place.value("lists") == [] == place.value("token") and len(place.value("account")) == 1
    assert [pane["kind"] for pane in place.value("pane", "list")] == ["timeline"]
    filler.unlink()
    check_working(place)
