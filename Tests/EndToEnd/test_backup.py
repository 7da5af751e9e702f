"""A copy of the store has its name only when it is complete, and never a name that the store uses."""

import json
import shutil
import sqlite3
import subprocess

from conftest import BIN, PATIENCE, wait_until

POSTS = 20_000


def import_posts(place):
    lines = (
        json.dumps({"id": str(number), "author": "bea", "created_at": 1_700_000_000_000 + number, "text": f"w{number} " + "otter " * 20})
        for number in range(POSTS))
    (place.folder / "posts.jsonl").write_text("\n".join(lines), encoding="utf-8")
    place.client("-q", "import", "jsonl", place.folder / "posts.jsonl")


def start_daemon(place):
    daemon = subprocess.Popen([BIN / "stack-daemon"], env=place.environment, stdout=subprocess.PIPE, text=True)
    assert daemon.stdout.readline() == "ready\n"
    return daemon


def size(path):
    """Returns the size of a file; -1 if there is none."""
    try:
        return path.stat().st_size
    except FileNotFoundError:
        return -1


def check_copy(path):
    """Checks that the file is a whole store without an epoch."""
    store = sqlite3.connect(f"file:{path}?mode=ro", uri=True)
    assert store.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
    assert store.execute("SELECT count(*), (SELECT epoch FROM meta) FROM posts").fetchone() == (POSTS, 0)
    store.close()


def test_a_kill_during_a_backup_leaves_no_half_file_under_the_name(place):
    import_posts(place)
    place.client("-q", "daemon", "stop")
    copy, partial, cut = place.folder / "copy.db", place.folder / "copy.db.partial", 0
    # Without a stack-daemon beside it, this client starts none when its daemon has been killed.
    alone = place.folder / "stack-client"
    shutil.copy(BIN / "stack-client", alone)
    for round in range(4):
        daemon = start_daemon(place)
        backup = subprocess.Popen(
            [alone, "backup", copy], env=place.environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        # Each round kills it later, from the first byte on.
        wait_until(lambda: copy.exists() or size(partial) >= round << 20, "the copy to begin")
        daemon.kill()
        daemon.wait(timeout=PATIENCE)
        daemon.stdout.close()
        backup.wait(timeout=PATIENCE)
        if copy.exists():
            check_copy(copy)
            copy.unlink()
        else:
            cut += 1
    assert cut > 0, "no kill came during a copy"
    with place.running():
        partial.write_bytes(b"left by a kill")
        place.client("backup", copy)
        check_copy(copy)
        assert [path.name for path in place.folder.glob("copy*")] == ["copy.db"]


def test_names_of_the_store_are_no_place_for_a_backup(place):
    with place.running():
        number = place.post("still here")
        store = place.folder / "data/stack/store.db"
        (place.folder / "link").symlink_to(store.parent)
        for suffix in ("", "-journal", "-wal", "-shm", ".lock"):
            for folder in (store.parent, place.folder / "link", store.parent / "../stack"):
                place.fails("backup", f"{folder}/store.db{suffix}", code=1, words="uses that name itself; choose another path")
        assert "still here" in place.client("show", number).stdout
        assert place.client("integrity").stdout == "the store is sound\n"


def test_a_lock_file_that_is_a_link_is_refused_and_its_target_stays(place):
    precious, store = place.folder / "precious", place.folder / "other/store.db"
    precious.write_text("words", encoding="utf-8")
    store.parent.mkdir(mode=0o700)
    for lock in (store.parent / "store.db.lock", store.parent / "daemon.sock.lock"):
        lock.symlink_to(precious)
        command = [BIN / "stack-daemon", "--store", store, "--socket", store.parent / "daemon.sock"]
        refused = subprocess.run(command, env=place.environment, capture_output=True, text=True, timeout=PATIENCE, check=False)
        assert refused.returncode == 1 and f"the lock file {lock} is not a regular file" in refused.stderr, refused.stderr
        assert precious.read_text(encoding="utf-8") == "words"
        lock.unlink()
