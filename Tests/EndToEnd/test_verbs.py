"""Each verb with --json and a real daemon; the output matches the documentation."""

import contextlib
import json
import signal
import sqlite3
import subprocess

import pytest

from conftest import BIN, ROOT, Events, wait_until

EXAMPLES = ROOT / "examples/timeline.jsonl"


@pytest.fixture
def harbour(place):
    """Returns a place whose daemon has the example timeline."""
    place.client("import", "-q", EXAMPLES)
    return place


def test_reading_verbs_share_options_and_rows(harbour):
    everything = harbour.rows("timeline", "-n", "300")
    mine = [row for row in everything if row["author"]["handle"] == "haruka"]
    for words in (["profile", "@haruka"], ["profile", "haruka"], ["profile", mine[0]["author"]["id"]]):
        said = harbour.value(*words, "-n", "300")
        assert [row["id"] for row in said["posts"] if not row["reposted_by"]] == [row["id"] for row in mine]
        assert said["profile"]["handle"] == "haruka" and said["profile"]["posts"] == len(said["posts"])
    found = harbour.rows("search", "otter", "-n", "300")
    assert found and all("otter" in row["text"].lower() for row in found)
    assert harbour.rows("search", "otter", "-n", "2") == found[:2]
    assert harbour.rows("search", "otter", "-n", "2", "--before", found[1]["id"]) == found[2:4]
    assert harbour.rows("search", "otter", "--since", found[2]["id"]) == found[:2]
    assert harbour.rows("search", "otter", "-n", "300", "--reverse") == found[::-1]
    assert harbour.rows("search", "otter", "from:bertil") == [row for row in found if row["author"]["handle"] == "bertil"]
    assert harbour.client("search", "otter", "-n", "1", "--plain").stdout.split("\t")[0] == found[0]["id"]
    assert found[0]["id"] in harbour.client("search", "otter", "-n", "1", "--width", "40").stdout
    assert harbour.rows("search", "nothingofthekind") == []
    for query in ("after:yesterday", "from:"):
        harbour.fails("search", query, code=2, words=query.split(":")[0])
        harbour.fails("watch", "search", query, code=2, words=query.split(":")[0])
    left = [row["text"] for row in found if "bertil" not in row["author"]["handle"]]
    assert 0 < len(left) < len(found) and harbour.texts("search", "otter", "-from:bertil", "-n300") == left
    harbour.fails("profile", "@nobody-at-all", code=3, words="nobody-at-all")


def test_a_conversation_is_a_tree(place):
    root = place.post("a question")
    first = place.client("-q", "reply", root, "an answer").stdout.strip()
    place.post("another answer", "--reply-to", root)
    place.post("an answer to the answer", "--reply-to", first)
    tree = [(row["depth"], row["text"]) for row in place.rows("conversation", root)]
    assert tree == [(0, "a question"), (1, "an answer"), (2, "an answer to the answer"), (1, "another answer")]
    lines = place.client("conversation", root).stdout.splitlines()
    assert "a question" in lines and "  an answer" in lines and "    an answer to the answer" in lines
    assert lines[-2].startswith("  ") and [line.strip() for line in lines if "this post" in line] == [f"{root} · this post · 2 replies"]
    leaf = place.rows("conversation", root)[2]["id"]
    whole = place.rows("conversation", leaf)
    assert [(row["depth"], row["text"]) for row in whole] == tree, "a reply is shown with its siblings"
    assert [row["id"] for row in whole if row["asked"]] == [leaf]
    assert f"    {leaf} · this post" in place.client("conversation", leaf).stdout
    lines = place.client("conversation", root, "--width", 20).stdout.splitlines()
    assert " an answer" in lines and "  an answer to the" in lines, "levels are narrower on a narrow screen"


def test_a_long_thread_is_printed_completely_and_once(place):
    def line(index, parent):
        return json.dumps({
            "source": "t", "id": str(index), "created_at": f"2024-01-01T00:{index // 60:02}:{index % 60:02}Z",
            "author": {"id": "a", "handle": "a", "name": "A"}, "text": f"number {index}"} | parent)

    lines = [line(index, {"in_reply_to": "0"} if index else {}) for index in range(450)]
    place.client("import", "jsonl", "-", input="\n".join(lines))
    assert place.texts("conversation", "t:0") == [f"number {index}" for index in range(450)]


def test_lists_are_created_filled_renamed_and_deleted(harbour):
    made = harbour.value("list", "make", "harbour people")
    assert made["list_id"] and made["revision"]
    harbour.client("list", "add", "harbour people", "@haruka", "bertil")
    assert harbour.value("lists")[0] | {"post_count": 0} == {
        "id": made["list_id"], "name": "harbour people", "author_count": 2, "post_count": 0}
    shown = harbour.value("list", "show", made["list_id"], "-n", "5")
    assert [author["handle"] for author in shown["list"]["authors"]] == ["bertil", "haruka"]
    assert {row["author"]["handle"] for row in shown["posts"]} <= {"bertil", "haruka"} and len(shown["posts"]) == 5
    lines = harbour.client("list", "show", "harbour people", "-n", "1").stdout.splitlines()
    assert lines[0].startswith("harbour people · ") and lines[1].startswith("  ")
    harbour.client("list", "remove", "harbour people", "bertil")
    harbour.client("list", "rename", "harbour people", "port")
    assert [(found["name"], found["author_count"]) for found in harbour.value("list", "list")] == [("port", 1)]
    harbour.fails("list", "make", "port", code=1, words="port")
    harbour.fails("list", "show", "harbour people", code=3, words="harbour people")
    harbour.fails("list", "add", "port", "@nobody-at-all", code=3, words="nobody-at-all")
    harbour.fails("list", "delete", "port", code=2, words="delete list port? There is no terminal to ask on; add --yes")
    harbour.client("list", "delete", "port", "--yes")
    assert harbour.value("list") == [] == harbour.rows("lists")


def test_follows_fill_the_timeline(harbour):
    before = harbour.value("count")["count"]
    assert harbour.value("follow", "@bertil")["revision"]
    assert [author["handle"] for author in harbour.value("follows")] == ["bertil"]
    assert harbour.value("profile", "bertil")["profile"]["followed"]
    assert harbour.value("count")["count"] == before
    harbour.client("unfollow", "@bertil")
    assert harbour.value("follows") == []


def test_panes_and_sessions(harbour):
    number = harbour.rows("search", "otter", "-n", "1")[0]["id"]

    def kinds(*words):
        return [pane["kind"] for pane in harbour.value("pane", "list", *words)]

    harbour.client("pane", "open", "mentions")
    pushed = harbour.value("pane", "push", "conversation", number)
    author = harbour.value("pane", "push", "author", "@bertil", "--pane-width", "40")
    assert kinds() == ["mentions", "conversation", "profile"] and author["pane_id"] != pushed["pane_id"]
    assert harbour.value("pane", "pop")["pane_id"] == author["pane_id"] and kinds() == ["mentions", "conversation"]
    harbour.client("pane", "back")
    assert kinds() == ["mentions", "conversation", "profile"]
    harbour.client("pane", "replace", "search", "the", "otter")
    assert harbour.value("pane")[-1]["query"] == "otter the"
    harbour.client("pane", "pop-to", pushed["pane_id"])
    assert kinds() == ["mentions", "conversation"]
    harbour.client("pane", "select", number)
    assert harbour.value("pane")[-1]["selected_row"] == number
    harbour.client("pane", "resize", pushed["pane_id"], "70")
    harbour.client("pane", "collapse", number)
    harbour.client("pane", "expand", number)
    harbour.client("pane", "unfold", number)
    harbour.client("pane", "fold", number)
    harbour.client("pane", "drop")
    assert kinds() == ["mentions"]
    harbour.client("pane", "back")
    assert kinds() == ["mentions", "conversation"]
    harbour.client("pane", "forward")
    assert kinds() == ["mentions"]
    harbour.fails("pane", "forward", code=1, words="")
    harbour.fails("pane", "pop", code=1, words="")
    harbour.fails("pane", "push", "conversation", "999999", code=3, words="999999")
    harbour.fails("pane", "pop-to", "999999", code=3, words="999999")
    harbour.fails("pane", "slide", "left", "--view", "999999", code=3, words="999999")

    harbour.client("pane", "open", "search", "otter", "--session", "work")
    sessions = {session["name"]: session for session in harbour.value("session", "list")}
    assert {"main", "work"} <= set(sessions) and kinds("--session", "work") == ["search"]
    stale = sessions["work"]["revision"]
    harbour.client("pane", "push", "author", "@bertil", "--session", "work", "--if-revision", stale)
    harbour.fails("pane", "pop", "--session", "work", "--if-revision", stale, code=1, words="")
    harbour.client("session", "rename", "work", "desk")
    assert kinds("--session", "desk") == ["search", "profile"]
    harbour.fails("session", "rename", "desk", "main", code=1, words="main")
    harbour.fails("pane", "list", "--session", "work", code=3, words="work")
    harbour.fails("session", "delete", "desk", code=2, words="add --yes")
    harbour.client("session", "delete", "desk", "--yes")
    harbour.fails("session", "delete", "desk", "-y", code=3, words="desk")
    assert "desk" not in [session["name"] for session in harbour.value("session", "list")]


def test_a_reading_position_moves_forward_only(harbour):
    newer, older = (row["id"] for row in harbour.rows("timeline", "-n", "2"))
    first = harbour.value("read-position", "timeline", older, "--line", "1")["revision"]
    second = harbour.value("read-position", "timeline", newer, "--if-revision", first)["revision"]
    assert int(second) > int(first)
    harbour.fails("read-position", "timeline", older, code=1, words="")
    harbour.fails("read-position", "timeline", newer, "--if-revision", first, code=1, words="")


def test_only_own_posts_can_be_deleted(harbour):
    number = harbour.post("a slip of the finger")
    harbour.fails("delete", number, code=2, words="delete this post? There is no terminal to ask on; add --yes")
    assert harbour.value("delete", number, "--yes")["revision"]
    harbour.fails("show", number, code=3, words=number)
    harbour.fails("delete", number, "--yes", code=3, words=number)
    harbour.fails("delete", harbour.rows("timeline", "-n", "1")[0]["id"], "--yes", code=4, words="")


def test_only_own_posts_can_be_edited(harbour):
    number = harbour.post("a first squiggle, @haruka")
    assert harbour.value("edit", number, "a", "second", "-squoggle")["revision"]
    row = harbour.rows("timeline", "-n", "1")[0]
    assert row["text"] == "a second -squoggle" and row["edited"] and row["id"] == number
    assert harbour.rows("search", "squiggle") == [] and [found["id"] for found in harbour.rows("search", "squoggle")] == [number]
    harbour.client("edit", number, "-", input="from a pipe\n")
    assert harbour.rows("timeline", "-n", "1")[0]["text"] == "from a pipe"
    assert "edited" in harbour.client("timeline", "-n", "1").stdout
    another = harbour.rows("search", "otter", "-n", "1")[0]["id"]
    harbour.fails("edit", another, "mine", code=4, words="you can only edit your own posts")
    harbour.fails("edit", "999999", "mine", code=3, words="999999")
    harbour.fails("edit", number, "  ", code=2, words="empty")
    harbour.fails("edit", number, "--editor", code=2, words="terminal")


def test_a_text_is_written_in_an_editor(place):
    editor = place.folder / "editor"
    editor.write_text('#!/bin/sh\nprintf " and more" >> "$1"\nexit "$(cat ' + str(place.folder / "status") + ')"\n')
    editor.chmod(0o700)
    place.environment["EDITOR"] = str(editor)
    (place.folder / "status").write_text("0")
    number = place.post("a thought")
    place.terminal(f"edit {number} --editor").wait_for_end()
    assert place.texts("timeline") == ["a thought\n and more"]
    (place.folder / "status").write_text("3")
    failed = place.terminal("post --editor", columns=200)
    failed.wait_for("exited with status 3; your text is in")
    failed.wait_for_end()
    assert f"your text is in {place.folder}/run/stack-post-" in failed.screen() and len(place.texts("timeline")) == 1
    files = list((place.folder / "run").glob("stack-post-*.txt"))
    assert [file.read_text() for file in files] == [" and more"]


def test_a_refused_text_from_an_editor_stays_in_its_file(place):
    editor = place.folder / "editor"
    editor.write_text('#!/bin/sh\nprintf "%0300d" 0 > "$1"\n')
    editor.chmod(0o700)
    place.environment["EDITOR"] = str(editor)
    refused = place.terminal("post --editor", columns=200)
    refused.wait_for("too long by 20: 300 of 280 characters")
    refused.wait_for(f"your text is in {place.folder}/run/stack-post-")
    assert [file.read_text() for file in (place.folder / "run").glob("stack-post-*.txt")] == ["0" * 300]


def test_the_post_limit_of_an_account(place):
    place.fails("post", "漁" * 141, code=1, words="too long by 2: 282 of 280 characters")
    assert place.value("measure", "漁" * 141)["remaining"] == -2
    assert place.value("account", "limit", "300")["post_limit"] == 300
    place.post("漁" * 141)
    assert place.value("whoami")["post_limit"] == 300
    place.fails("account", "limit", "0", code=2, words="1 to 10000")
    assert place.value("account", "limit", "default")["post_limit"] == 280


def test_favourites_reposts_and_saves_can_be_removed(harbour):
    number = harbour.post("worth keeping")
    said = harbour.value("favourite", number)
    assert said["changed"] is True and said["repost_id"] is None and int(said["revision"])
    assert harbour.value("fav", number)["changed"] is False
    harbour.client("save", number)
    repost = harbour.client("repost", number).stdout.strip()
    row = harbour.rows("show", number)[0]
    assert (row["favourites"], row["favourited"], row["reposts"], row["reposted"], row["saved"]) == (1, True, 1, True, True)
    assert harbour.rows("timeline", "-n", "1")[0]["id"] == repost
    for verb in ("favourite", "boost", "save"):
        assert harbour.value(verb, number, "--undo")["changed"] is True
    row = harbour.rows("show", number)[0]
    assert (row["favourites"], row["favourited"], row["reposts"], row["reposted"], row["saved"]) == (0, False, 0, False, False)
    harbour.fails("show", repost, code=3, words=repost)
    harbour.fails("favourite", "99999", code=3, words="99999")


def test_undo_and_redo(harbour):
    number = harbour.post("said too soon")
    harbour.client("delete", number, "--yes")
    assert harbour.client("undo").stdout == f"Undone: deleting post {number}\n"
    assert harbour.rows("timeline", "-n", "1")[0]["id"] == number
    said = harbour.value("undo")
    assert (said["what"], said["post_id"]) == (f"writing post {number}", number) and said["redoable"] == 2
    harbour.fails("show", number, code=3, words=number)
    assert harbour.client("redo").stdout == f"Redone: writing post {number}\n"
    assert harbour.rows("show", number)[0]["text"] == "said too soon"
    harbour.client("save", number)
    harbour.fails("redo", code=1, words="there is nothing to redo")


def test_a_terminal_asks_before_deleting(place):
    number = place.post("think twice")
    terminal = place.terminal(f"delete {number}")
    terminal.wait_for("delete this post? [y/N]")
    assert "think twice" in terminal.screen()
    terminal.press("Enter")
    terminal.wait_for("cancelled")
    terminal.wait_for_end()
    assert place.texts("timeline") == ["think twice"]
    terminal = place.terminal(f"delete {number}")
    terminal.wait_for("[y/N]")
    terminal.press("y", "Enter")
    terminal.wait_for_end()
    assert place.rows("timeline") == []


def test_counting_marks_nothing_as_read(harbour):
    assert harbour.value("count") == {"count": 200}
    assert harbour.client("count", "profile").stdout == "0\n"
    before = harbour.value("count", "--unread")
    assert harbour.value("count", "--unread") == before
    harbour.post("one more")
    assert harbour.value("count") == {"count": 201} and harbour.value("count", "profile") == {"count": 1}
    assert harbour.value("count", "lists") == {"count": 0} == harbour.value("count", "messages")


@pytest.mark.parametrize("end", [signal.SIGINT, signal.SIGHUP, signal.SIGKILL])
def test_a_watch_of_a_search_leaves_nothing_behind(place, end):
    place.post("an otter")
    watch = place.start("watch", "search", "otter", "--jsonl", "-n", "1")
    events = Events(watch)
    assert events.next() == ("inserted", "an otter")
    place.post("a gull")
    number = place.post("the other otter")
    assert events.next() == ("inserted", "the other otter")
    place.client("delete", number, "--yes")
    assert events.next()[0] == "removed"
    assert place.value("session", "list") == []
    watch.send_signal(end)
    assert watch.wait(timeout=30) == -end
    wait_until(lambda: place.value("status")["views"] == 0, "the view to end with its watch")
    assert place.value("session", "list") == []


def test_integrity_and_backup(harbour):
    harbour.post("in the copy")
    assert harbour.client("integrity").stdout == "the store is sound\n"
    copy = harbour.folder / "copy.db"
    said = harbour.value("backup", "copy.db", cwd=harbour.folder)
    assert (said["path"], said["bytes"]) == (str(copy), copy.stat().st_size)
    assert copy.stat().st_mode & 0o077 == 0
    harbour.fails("backup", copy, code=1, words="copy.db")
    harbour.fails("backup", "/nowhere/copy.db", code=1, words="/nowhere")
    everything = harbour.client("export").stdout
    harbour.post("not in the copy")
    socket = harbour.folder / "other/daemon.sock"
    other = subprocess.Popen(
        [BIN / "stack-daemon", "--store", copy, "--socket", socket], env=harbour.environment, stdout=subprocess.PIPE, text=True)
    try:
        assert other.stdout.readline() == "ready\n"
        assert harbour.client("--socket", socket, "export").stdout == everything
        assert harbour.client("--socket", socket, "integrity").stdout == "the store is sound\n"
        epochs = {harbour.value(*words, "status")["epoch"] for words in ([], ["--socket", socket])}
        assert len(epochs) == 2, "a copy has its own epoch"
    finally:
        other.terminate()
        assert other.wait(timeout=30) == 0
        other.stdout.close()


def test_a_damaged_store_is_reported(harbour):
    harbour.client("daemon", "stop")
    with contextlib.closing(sqlite3.connect(harbour.folder / "data/stack/store.db")) as store, store:
        store.execute("PRAGMA foreign_keys = OFF")
        store.execute("DELETE FROM posts WHERE id = 7")
    result = harbour.client("integrity", code=1)
    assert result.stdout and "the store is damaged" in result.stderr
    assert json.loads(harbour.client("integrity", "--json", code=1).stdout)["findings"] == result.stdout.splitlines()


def test_a_shorter_name_and_completion_for_bash(harbour):
    """An interactive bash takes what `shell-setup` prints: `stack` is the client, and Tab completes both names."""
    setup = harbour.client("shell-setup", "bash").stdout

    def completing(*words):
        line = " ".join(words)
        return (f'COMP_WORDS=({line}); COMP_CWORD={len(words) - 1}; COMP_LINE="{line}"; COMP_POINT={len(line)}; COMPREPLY=()\n'
                f'_stack-client stack "{words[-1]}" "{words[-2]}"; printf "%s\\n" "${{COMPREPLY[*]}}"\n')

    script = f"{setup}\nstack version\ncomplete -p | cut -d' ' -f 6-\n" + completing("stack", "time") + completing("stack", "count", "me")
    path = f"{BIN}:{harbour.environment['PATH']}"
    said = subprocess.run(
        ["bash", "--norc", "-i"], input=script, env={**harbour.environment, "PATH": path, "PS1": ""}, capture_output=True, text=True,
        timeout=30, start_new_session=True).stdout.splitlines()
    assert said[0].startswith("stack-client ") and sorted(said[2:4]) == ["stack", "stack-client"], said
    assert [line.strip() for line in said[4:]] == ["timeline", "mentions messages"], said
    harbour.fails("shell-setup", "tcsh", code=2, words="'tcsh' is not one of bash, zsh or fish")
    harbour.fails("shell-setup", "--name", "a b", code=2, words="cannot be an alias")
    (home := dict(harbour.environment)).update(SHELL="/usr/bin/tcsh")
    result = subprocess.run([BIN / "stack-client", "shell-setup"], env=home, capture_output=True, text=True)
    assert (result.returncode, "there is no setup for /usr/bin/tcsh" in result.stderr) == (2, True)
