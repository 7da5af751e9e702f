#!/usr/bin/env python3
"""Measures opening sections of a large store and writing posts, and appends the figures to results.tsv.

    scripts/setup --python && Benchmarks/setup && Benchmarks/streaming/build
    swift build -c release --static-swift-stdlib --product stack-daemon
    examples/python/generate
    .venv/bin/python Benchmarks/sections.py [--posts 1000000] [--only open,write,undo]

Benchmarks/README.md explains every figure. The views are made with grpcio, and the times include its own cost; a call that does nothing is
measured for comparison. The peer is SQLite itself, called in the same process: a plain table with the index or full-text table that the
query needs, without daemon, network, visibility or layout.
"""
import argparse
import contextlib
import json
import pathlib
import queue
import random
import sqlite3
import sys
import tempfile
import threading
import time

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE / "streaming"))

import requests  # noqa: E402
from harness import Daemon, Load, folders, start, stop, read_line, DAEMON  # noqa: E402
from report import RESULTS, Report  # noqa: E402
from requests import frames_pb2, grpc, stack_service_pb2, stack_service_pb2_grpc, types_pb2, view_service_pb2_grpc  # noqa: E402
from stack.v1 import account_service_pb2, account_service_pb2_grpc, list_service_pb2, list_service_pb2_grpc  # noqa: E402
from stack.v1 import timeline_service_pb2, timeline_service_pb2_grpc  # noqa: E402

WORDS = "the timeline shows what people wrote while nobody looked and every post has its own place in it".split()
COMMON, AUTHORS, TRIES, WRITERS = "timeline", 500, 7, 50
LAYOUT = types_pb2.Layout(width=120, height=40)


def texts(count):
    """Yields texts of about 150 bytes: one in fifty mentions u7, one in ten has a tag, one in twenty a link, and half of them have the
    common word. The daemon finds mentions, tags and links itself."""
    draw = random.Random(7)
    for number in range(count):
        words = [word for word in draw.choices(WORDS, k=24) if word != COMMON]
        if number % 2:
            words[3] = COMMON
        if number % 50 == 0:
            words[0] = "@u7"
        if number % 10 == 1:
            words.append(f"#tag{number % 97}")
        if number % 20 == 3:
            words.append(f"https://example.org/{number}")
        yield number, " ".join(words)


def lines(count):
    """Yields the posts as JSON Lines, a minute apart, oldest first."""
    for number, text in texts(count):
        post = {"source": "bench", "id": str(number), "created_at": 1_500_000_000_000 + number * 60_000,
                "author": {"id": str(number % AUTHORS), "handle": f"u{number % AUTHORS}"}, "text": text}
        yield json.dumps(post).encode() + b"\n"


def upload(channel, files, **header):
    """Imports files, each a name and pieces of bytes."""

    def parts():
        yield timeline_service_pb2.ImportRequest(header=timeline_service_pb2.ImportHeader(**header))
        for name, pieces in files:
            yield timeline_service_pb2.ImportRequest(file=timeline_service_pb2.ImportFile(name=name))
            held = b""
            for piece in pieces:
                held += piece
                if len(held) > 500_000:
                    yield timeline_service_pb2.ImportRequest(chunk=held)
                    held = b""
            yield timeline_service_pb2.ImportRequest(chunk=held)

    *_, last = timeline_service_pb2_grpc.TimelineServiceStub(channel).Import(parts(), timeout=3600)
    assert last.done and last.skipped == 0, f"the import failed: {last}"


class View:
    """An Attach view that records when panes first show rows."""

    def __init__(self, channel, hello):
        self.out = queue.SimpleQueue()
        self.out.put(frames_pb2.ClientFrame(hello=hello))
        self.stream = view_service_pb2_grpc.ViewServiceStub(channel).Attach(iter(self.out.get, None))
        self.kinds, self.shown, self.changed = {}, {}, threading.Condition()
        threading.Thread(target=self.read, daemon=True).start()

    def read(self):
        with contextlib.suppress(grpc.RpcError):
            for frame in self.stream:
                at = time.perf_counter()
                self.out.put(frames_pb2.ClientFrame(ack=frames_pb2.Ack(frame=frame.number)))
                with self.changed:
                    for operation in frame.operations:
                        if operation.HasField("pane_pushed"):
                            self.kinds[operation.pane_pushed.pane.pane_id] = operation.pane_pushed.pane.kind
                        if operation.HasField("rows_inserted"):
                            self.shown.setdefault(operation.rows_inserted.pane_id, at)
                    self.changed.notify_all()

    def first_rows(self, kind):
        """Waits until a pane of a kind shows a row; returns the time of the first."""
        with self.changed:
            found = self.changed.wait_for(
                lambda: [at for pane, at in self.shown.items() if self.kinds[pane] == kind], timeout=20)
        assert found, f"no pane of kind {kind} shows a row: {self.kinds}, {self.shown}"
        return min(found)

    def close(self):
        self.out.put(frames_pb2.ClientFrame(bye=frames_pb2.Bye()))
        self.out.put(None)


def seconds_to_open(channel, kind, command):
    """Returns the seconds from a command to the first frame with rows of the pane it opens, in a view of a new session."""
    session = f"open-{time.monotonic_ns()}"
    view = View(channel, frames_pb2.Hello(session=session, layout=LAYOUT))
    view.first_rows(frames_pb2.PANE_KIND_TIMELINE)
    time.sleep(0.05)  # No user presses a key within 16 ms of a frame, and the daemon would delay a frame so soon after the last.
    began = time.perf_counter()
    command(stack_service_pb2.SessionCommand(session=session))
    seconds = view.first_rows(kind) - began
    view.close()
    return seconds


def again(folder, stack):
    """Starts a daemon on the store in `folder` and returns a channel to it."""
    process = start([DAEMON, "--socket", f"{folder}/socket", "--store", f"{folder}/store.db", "--token-file", f"{folder}/token"])
    stack.callback(stop, process)
    assert read_line(process) == "ready\n"
    return stack.enter_context(grpc.insecure_channel(f"unix:{folder}/socket"))


def fill(folder, count):
    """Fills a store with posts, an identity, a list and direct conversations; returns the seconds of the import."""
    with contextlib.ExitStack() as stack:
        channel = again(folder, stack)
        account = b'window.YTD.account.part0 = [{"account":{"accountId":"7","username":"u7","accountDisplayName":"u7"}}]'
        tweets = (b'window.YTD.tweets.part0 = [{"tweet":{"id_str":"900000001","created_at":"Wed Oct 10 20:19:24 +0000 2018",'
                  b'"full_text":"me"}}]')
        upload(channel, [("account.js", [account]), ("tweets.js", [tweets])], format="twitter-archive", source="bench", is_me=True)
        began = time.perf_counter()
        upload(channel, [("posts.jsonl", lines(count))], format="jsonl")
        seconds = time.perf_counter() - began
        lists = list_service_pb2_grpc.ListServiceStub(channel)
        lists.CreateList(list_service_pb2.CreateListRequest(name="friends"))
        for author in range(10, 20):
            lists.AddToList(list_service_pb2.AddToListRequest(list="friends", author=f"bench:{author}"))
        accounts = account_service_pb2_grpc.AccountServiceStub(channel)
        posts = timeline_service_pb2_grpc.TimelineServiceStub(channel)
        for number in range(100):
            accounts.CreateAccount(account_service_pb2.CreateAccountRequest(name=f"guest{number}")) if number < 20 else None
            posts.Compose(timeline_service_pb2.ComposeRequest(
                text=f"@guest{number % 20} a word", visibility=types_pb2.VISIBILITY_DIRECT))
        return seconds


def measure_opening(report, options, folder, spare):
    times = {}
    for _ in range(TRIES):
        with contextlib.ExitStack() as stack:
            channel = again(folder, stack)
            who_am_i = channel.unary_unary("/stack.v1.AccountService/WhoAmI")
            for _ in range(20):
                began = time.perf_counter()
                who_am_i(b"", wait_for_ready=True)
                nothing = time.perf_counter() - began
            times.setdefault("a call that does nothing", []).append(nothing)
            began = time.perf_counter()
            view = View(channel, frames_pb2.Hello(session="first", layout=LAYOUT))
            times.setdefault("Timeline", []).append(view.first_rows(frames_pb2.PANE_KIND_TIMELINE) - began)
            view.close()
            stub = stack_service_pb2_grpc.StackServiceStub(channel)

            def section(number, query="", stub=stub):
                return lambda command: stub.Open(stack_service_pb2.OpenRequest(command=command, section=number, query=query))

            def push(stub=stub, **subject):
                return lambda command: stub.Push(stack_service_pb2.PushRequest(command=command, subject=types_pb2.Subject(**subject)))

            for name, kind, command in [
                ("Mentions", frames_pb2.PANE_KIND_MENTIONS, section(types_pb2.SECTION_MENTIONS)),
                ("Lists", frames_pb2.PANE_KIND_LISTS, section(types_pb2.SECTION_LISTS)),
                ("Messages", frames_pb2.PANE_KIND_MESSAGES, section(types_pb2.SECTION_MESSAGES)),
                ("Profile", frames_pb2.PANE_KIND_PROFILE, section(types_pb2.SECTION_PROFILE)),
                ("an author", frames_pb2.PANE_KIND_PROFILE, push(author="bench:3")),
                ("a list", frames_pb2.PANE_KIND_LIST, push(list="friends")),
                ("a search for a rare tag", frames_pb2.PANE_KIND_SEARCH, push(search="#tag11 from:u21")),
                ("a search for a common word", frames_pb2.PANE_KIND_SEARCH, section(types_pb2.SECTION_SEARCH, COMMON)),
            ]:
                times.setdefault(name, []).append(seconds_to_open(channel, kind, command))
    for name, values in times.items():
        budget = "-" if name.startswith("a call") else 50 if "search" in name else 20
        title = name if budget == "-" else f"to the first frame of {name}"
        report.add(f"{options.posts:,} posts: {title}", [1e3 * value for value in values], "ms", budget)
    peer(report, options, spare)


def peer(report, options, folder):
    """Measures the same pages in SQLite."""
    with contextlib.closing(sqlite3.connect(f"{folder}/plain.db")) as store:
        store.executescript("""
            PRAGMA journal_mode = WAL;
            CREATE TABLE posts (id INTEGER PRIMARY KEY, author INTEGER, at INTEGER, text TEXT);
            CREATE VIRTUAL TABLE words USING fts5 (text, content = 'posts', content_rowid = 'id');""")
        store.executemany("INSERT INTO posts VALUES (?, ?, ?, ?)", (
            (number + 1, number % AUTHORS, number * 60_000, text) for number, text in texts(options.posts)))
        store.executescript("""
            CREATE INDEX by_time ON posts (at, id); CREATE INDEX by_author ON posts (author, at, id);
            INSERT INTO words (words) VALUES ('rebuild');""")
        for name, query, budget in [
            ("the newest 400", "SELECT * FROM posts ORDER BY at DESC, id DESC LIMIT 400", "-"),
            ("an author's", "SELECT * FROM posts WHERE author = 3 ORDER BY at DESC, id DESC LIMIT 400", "-"),
            ("a common word", f"SELECT * FROM words JOIN posts ON posts.id = words.rowid WHERE words MATCH '{COMMON}' "
                              "ORDER BY words.rowid DESC LIMIT 400", "-"),
            ("a common word, LIKE", f"SELECT * FROM posts WHERE text LIKE '%{COMMON}%' ORDER BY at DESC, id DESC LIMIT 400", "-"),
        ]:
            values = []
            for _ in range(TRIES):
                began = time.perf_counter()
                assert len(store.execute(query).fetchall()) > 100
                values.append(1e3 * (time.perf_counter() - began))
            report.add(f"  SQLite alone: {name}", values, "ms", budget)


@contextlib.contextmanager
def plain(folder):
    """Yields a store with a plain table of posts and the index of a timeline."""
    with contextlib.closing(sqlite3.connect(f"{folder}/plain.db", isolation_level=None)) as store:
        store.executescript("""
            PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;
            CREATE TABLE posts (id INTEGER PRIMARY KEY, author INTEGER, at INTEGER, text TEXT);
            CREATE INDEX by_time ON posts (at, id);""")
        yield store


def measure_writing(report, options, folder, spare):
    for count, rate in ((1, 0), (WRITERS, 0), (WRITERS, 5000)):
        with contextlib.ExitStack() as stack:
            daemon = Daemon("Watch", "unix", folder, stack, requests)
            load = Load(daemon, stack, daemon.folder)
            load.do("write", count, 1, rate)
            load.do("reset")
            load.do("write", count, options.seconds, rate)
            counts = load.do("report")
            assert counts["refused"] == 0, counts
            answers = counts["answers"]
            writers = "one client" if count == 1 else f"{count} clients"
            pace = f", {rate:,} a second asked for" if rate else ""
            report.add(f"{options.posts:,} posts, and more a second from {writers}{pace}, each waits until its post is safe",
                       [answers["count"] / options.seconds], "/s", 5000 if count == WRITERS else "-")
            report.add("  p99 of the answer", [answers["p99"]], "ms", 10 if rate else "-")
            report.add("  p50", [answers["p50"]], "ms", "-")
    with plain(spare) as store:
        written, end = 0, time.monotonic() + options.seconds
        while time.monotonic() < end:
            store.execute("INSERT INTO posts (author, at, text) VALUES (1, ?, ?)", (written, requests.TEXT))
            written += 1
        report.add("  SQLite alone: commits of one post a second", [written / options.seconds], "/s", "-")


def measure_undoing(report, options, folder, spare):
    """Measures changes, undo and redo, one call after the other, and for comparison a commit of one row."""
    with contextlib.ExitStack() as stack:
        posts = timeline_service_pb2_grpc.TimelineServiceStub(again(folder, stack))
        ids = [str(posts.Compose(timeline_service_pb2.ComposeRequest(
            text=f"undo {number}", visibility=types_pb2.VISIBILITY_PUBLIC)).post_id) for number in range(100)]

        def measure(name, calls):
            values = []
            for method, request in calls:
                began = time.perf_counter()
                method(request)
                values.append(1e3 * (time.perf_counter() - began))
            report.add(f"{options.posts:,} posts, one client: {name}", values, "ms", "-")

        undo, redo = timeline_service_pb2.UndoRequest(), timeline_service_pb2.UndoRequest(redo=True)
        mark = [(posts.Mark, timeline_service_pb2.MarkRequest(post=post, kind=types_pb2.MARK_KIND_FAVOURITE)) for post in ids]
        read = timeline_service_pb2.MarkReadRequest(posts=ids, read_mark=types_pb2.READ_MARK_READ)
        delete = [(posts.Delete, timeline_service_pb2.DeleteRequest(post=post)) for post in ids]
        for name, calls in [("a favourite", mark), ("a deletion", delete)]:
            measure(name, calls)
            measure(f"{name} taken back", [(posts.Undo, undo)] * len(ids))
            measure(f"{name} done again", [(posts.Undo, redo)] * len(ids))
            measure(f"{name} taken back once more", [(posts.Undo, undo)] * len(ids))
        measure("100 posts marked as read, taken back, done again", [(posts.MarkRead, read), (posts.Undo, undo), (posts.Undo, redo)])
    with plain(spare) as store:
        values = []
        for number in range(100):
            began = time.perf_counter()
            store.execute("INSERT INTO posts (author, at, text) VALUES (1, ?, ?)", (number, requests.TEXT))
            values.append(1e3 * (time.perf_counter() - began))
        report.add("  SQLite alone: a commit of one post", values, "ms", "-")


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--posts", type=int, default=1_000_000, help="number of posts in the store (%(default)s)")
    parser.add_argument("--seconds", type=int, default=10, help="length of each measurement of writing")
    parser.add_argument("--only", default="open,write,undo", help="parts to measure, separated by commas (default: %(default)s)")
    parser.add_argument("--no-results", action="store_true", help="do not append to results.tsv")
    options = parser.parse_args()
    parts = {"open": measure_opening, "write": measure_writing, "undo": measure_undoing}
    with contextlib.ExitStack() as stack:
        base = stack.enter_context(tempfile.TemporaryDirectory(prefix="stack-"))
        make_folder = stack.enter_context(folders(base))
        file = stack.enter_context(open("/dev/null" if options.no_results else RESULTS, "a", encoding="utf-8"))
        report = Report(file)
        folder = make_folder()
        report.add(f"import of {options.posts:,} posts, searchable and in every list", [fill(folder, options.posts)], "s", "-")
        for name in options.only.split(","):
            parts[name](report, options, folder, make_folder())


if __name__ == "__main__":
    main()
