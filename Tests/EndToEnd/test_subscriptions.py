"""Feeds as the daemon keeps them: followed, shared, private, told to their program and read by it (docs/UPSTREAM.md)."""

import contextlib
import importlib
import json
import os
import pathlib
import shutil
import signal
import subprocess
import sys

import grpc
import pytest

from conftest import BIN, PATIENCE, ROOT, Guest, wait_until
from test_screen import Screen
from upstream import entries

PROGRAM = pathlib.Path(__file__).with_name("feeds.py")


@pytest.fixture(scope="session")
def stubs():
    subprocess.run([ROOT / "examples/python/generate", sys.executable], check=True)
    sys.path.insert(0, str(ROOT / "examples/python"))
    return [importlib.import_module(f"stack.v1.source_service_{kind}") for kind in ("pb2", "pb2_grpc")]


class Feeds:
    """A daemon with feeds.py, and calls of its SourceService."""

    def __init__(self, place, stubs):
        self.place, self.folder, self.process, (self.messages, self.rpc) = place, place.folder / "feeds", None, stubs
        self.folder.mkdir()
        self.command = [
            BIN / "stack-daemon", "--listen", "127.0.0.1:0", "--upstream", f"feed={sys.executable} {PROGRAM} {self.folder}"]

    @contextlib.contextmanager
    def running(self):
        self.end = 0
        self.process = subprocess.Popen(self.command, env=self.place.environment, stdout=subprocess.PIPE, text=True)
        said = "".join(iter(self.process.stdout.readline, "ready\n"))
        if "listening on " in said:
            self.place.tcp = said.split("listening on ")[1].split()[0]
        self.process.stdout.close()
        channel = grpc.insecure_channel(f"unix:{self.place.socket}")
        self.service = self.rpc.SourceServiceStub(channel)
        try:
            yield self
        finally:
            channel.close()
            self.process.terminate()
            assert self.process.wait(timeout=PATIENCE) == self.end, "the daemon did not stop as it should"

    def kill_daemon(self):
        self.process.kill()
        self.process.wait()
        self.end = -signal.SIGKILL

    def append(self, host, *items):
        with open(self.folder / host, "a", encoding="utf-8") as file:
            file.write("".join(json.dumps(item) + "\n" for item in items))

    def fares(self, host, **fields):
        """Has the program say a status, and replaces the file whole, since it may be read at any time."""
        (self.folder / "new").write_text(json.dumps(fields), "utf-8")
        (self.folder / "new").rename(self.folder / f"{host}.status")

    def add(self, url, **fields):
        return self.service.AddFeed(self.messages.AddFeedRequest(url=url, **fields)).feed

    def told(self, word):
        return [line for line in entries(self.folder, "told") if word in (line.get("tell"), line.get("want"))]

    def kill_program(self):
        children = pathlib.Path(f"/proc/{self.process.pid}/task/{self.process.pid}/children").read_text("ascii").split()
        for child in children:
            with contextlib.suppress(ProcessLookupError):
                os.kill(int(child), signal.SIGKILL)

    def has(self, *texts, person=None):
        def shown():
            return (person or self.place).texts("timeline")[::-1]

        wait_until(lambda: shown() == list(texts), lambda: f"{texts} in {shown()}")


def post(number, text, **fields):
    return {"post": {"id": f"g{number}", "created_at": 1_790_000_000_000 + number, "text": text, **fields}}


@pytest.fixture
def feeds(place, stubs):
    return Feeds(place, stubs)


def test_a_feed_is_an_author_whose_posts_arrive_once(feeds):
    feeds.append("news.example", {"person": {"name": "The News"}}, post(1, "one"), post(2, "two"))
    with feeds.running():
        feed = feeds.add("http://news.example/feed.xml")
        assert (feed.feed_id, feed.url, feed.title) == (1, "http://news.example/feed.xml", "news.example")
        feeds.has("one", "two")
        assert feeds.place.rows("timeline")[0]["author"]["name"] == "The News"
        feeds.kill_program()
        feeds.append("news.example", post(3, "three"))
        feeds.has("one", "two", "three")
        assert feeds.add("http://news.example/feed.xml").feed_id == 1, "the same feed again"
    feeds.append("news.example", post(2, "two, edited"), {"gone": "g1"})
    with feeds.running():
        feeds.has("two, edited", "three")
        assert feeds.place.client("show", "feed:f1/g3", "--json").returncode == 0


def test_a_kill_during_a_removal_loses_nothing_that_is_kept(feeds):
    count, kept = 12_000, 10

    def removed():
        return next(iter(feeds.service.ListSources(feeds.messages.ListSourcesRequest()).sources)).retention.removed_posts

    with feeds.running():
        feeds.add("http://news.example/")
        for batch, start in enumerate(range(0, count, 400), 1):
            feeds.append("news.example", *(post(number, f"post {number}") for number in range(start, start + 400)))
            wait_until(lambda: len([line for line in entries(feeds.folder, "told") if "did" in line]) == batch, "a batch")
        feeds.place.client("save", "feed:f1/g7")
        feeds.place.client("feed", "set", "f1", "--keep", str(kept))
        while removed() == 0:
            pass
        feeds.kill_daemon()
    with feeds.running():
        before = removed()
        assert 0 < before < count - kept - 1, "killed in the middle"
        assert feeds.place.value("integrity") == {"findings": []}
        wait_until(lambda: removed() == count - kept - 1, removed)
        feeds.has("post 7", *(f"post {number}" for number in range(count - kept, count)))
        assert feeds.place.value("integrity") == {"findings": []}


def test_a_reader_of_sources_that_stalls_misses_states_and_never_the_last(feeds):
    hosts, rounds, rest = 50, 40, "x" * 150
    with feeds.running():
        for number in range(hosts):
            feeds.add(f"http://h{number}.example/")
        watch = feeds.service.WatchSources(feeds.messages.WatchSourcesRequest())
        for round in range(rounds):
            for number in range(hosts):
                feeds.fares(f"h{number}.example", state="failing", reason=f"{round} {rest}")
            wait_until(
                lambda: all(source["reason"].startswith(f"{round} ") for source in feeds.place.value("sources")), "a round")
        seen, messages = {}, 0
        while len(seen) < hosts or any(reason != rounds - 1 for reason in seen.values()):
            messages += 1
            for source in next(watch).sources:
                seen[source.feed_id] = int(source.status.reason.split()[0]) if source.status.reason else -1
        assert messages < rounds * hosts / 2, "states were sent that the reader had no room for"
        watch.cancel()


def test_sources_tells_how_a_feed_fares(feeds):
    with feeds.running():
        assert feeds.place.value("sources") == []
        feeds.add("http://news.example/feed.xml", title="My news")
        wait_until(lambda: feeds.place.value("sources")[0]["state"] == "polling", lambda: feeds.place.value("sources"))
        (source,) = feeds.place.value("sources")
        assert (source["source"], source["title"], source["history"]) == ("feed", "My news", ["read"])
        assert feeds.place.client("sources").stdout.strip() == "f1 · My news · polling"


def test_what_is_set_reaches_the_program(feeds):
    with feeds.running():
        feeds.add("http://news.example/feed.xml")
        change = feeds.messages.SetFeedRequest
        for count, what in enumerate(({}, {"interval_minutes": 15}, {"url": "http://moved.example/"}), 1):
            if what:
                feeds.service.SetFeed(change(feed_id=1, **what))
            wait_until(lambda: len(feeds.told("feed")) == count, lambda: feeds.told("feed"))
        assert [line["settings"] for line in feeds.told("feed")] == [{}, {"interval_minutes": 15}, {"interval_minutes": 15}]
        assert [line.get("cursors") for line in feeds.told("feed")] == [{}, None, {}]
        feeds.service.Refresh(feeds.messages.RefreshRequest())
        feeds.service.Refresh(feeds.messages.RefreshRequest(feed_id=1))
        wait_until(lambda: feeds.told("refresh"), "a refresh")
        for wrong in ({"interval_minutes": 14}, {"url": "example.org"}, {}):
            with pytest.raises(grpc.RpcError) as failed:
                feeds.service.SetFeed(change(feed_id=1, **wrong))
            assert failed.value.code() == grpc.StatusCode.INVALID_ARGUMENT, wrong
        with pytest.raises(grpc.RpcError) as failed:
            feeds.service.Refresh(feeds.messages.RefreshRequest(feed_id=7))
        assert failed.value.code() == grpc.StatusCode.NOT_FOUND
        assert len(feeds.told("refresh")) == 1, "once a minute"


def test_unfollowing_is_unsubscribing(feeds):
    feeds.append("news.example", post(1, "one"))
    with feeds.running():
        feeds.add("http://news.example/")
        feeds.has("one")
        feeds.place.client("unfollow", "feed:f1")
        feeds.has()
        wait_until(lambda: feeds.told("gone"), "the program is told")
        feeds.place.client("undo")
        feeds.has("one")
        assert len(feeds.told("feed")) == 2
        feeds.service.RemoveFeed(feeds.messages.RemoveFeedRequest(feed_id=1))
        feeds.has()
        assert feeds.place.value("sources") == []


def test_accounts_share_a_feed_and_a_private_one_is_its_account_s(feeds):
    feeds.append("news.example", post(1, "for all"))
    feeds.append("ann:secret@mine.example", post(2, "for one"))
    with feeds.running():
        feeds.place.client("account", "make", "bea")
        bea = Guest(feeds.place, "bea", "view,panes,post")
        feeds.add("http://news.example/")
        assert feeds.add("http://ann:secret@mine.example/").private
        feeds.has("for all", "for one")
        feeds.has(person=bea)
        service = feeds.rpc.SourceServiceStub(grpc.insecure_channel(feeds.place.tcp))
        token = [("authorization", "Bearer " + pathlib.Path(bea.file).read_text("ascii").strip())]
        assert service.AddFeed(feeds.messages.AddFeedRequest(url="http://news.example/"), metadata=token).feed.feed_id == 1
        feeds.has("for all", person=bea)
        feeds.service.RemoveFeed(feeds.messages.RemoveFeedRequest(feed_id=1))
        feeds.has("for one")
        feeds.append("news.example", post(3, "more"))
        feeds.has("for all", "more", person=bea)
        assert bea.fails("show", "feed:f2/g2", code=3, words="no post")


def test_a_feed_that_moved_keeps_its_number(feeds):
    feeds.append("news.example", post(1, "one"), {"moved": "http://new.example/feed"})
    with feeds.running():
        feeds.add("http://news.example/")
        wait_until(lambda: feeds.place.value("sources")[0]["url"] == "http://new.example/feed", "the new address")
        assert feeds.place.value("sources")[0]["feed"] == "1" or feeds.place.value("sources")[0]["feed"] == 1


def test_the_program_beside_the_daemon_starts_with_the_first_feed(feeds):
    programs = feeds.place.folder / "bin"
    programs.mkdir()
    shutil.copy(BIN / "stack-daemon", programs)
    script = programs / "stack-feeds"
    script.write_text(f"#!/bin/sh\nexec {sys.executable} {PROGRAM} {feeds.folder}\n", "ascii")
    script.chmod(0o755)
    feeds.command = [programs / "stack-daemon"]
    feeds.append("news.example", post(1, "one"))
    with feeds.running():
        assert not (feeds.folder / "told").exists()
        feeds.add("http://news.example/")
        feeds.has("one")
    (feeds.folder / "told").unlink()
    with feeds.running():
        wait_until(lambda: feeds.told("ready"), "the program")
        assert [line["feed"] for line in feeds.told("feed")] == ["f1"]


def test_a_daemon_without_a_program_says_what_is_missing(feeds):
    alone = feeds.folder / "stack-daemon"
    shutil.copy(BIN / "stack-daemon", alone)
    feeds.command = [alone, "--listen", "127.0.0.1:0"]
    with feeds.running():
        with pytest.raises(grpc.RpcError) as failed:
            feeds.add("http://news.example/")
        assert failed.value.code() == grpc.StatusCode.FAILED_PRECONDITION and "stack-feeds" in failed.value.details()


def test_only_who_administers_the_daemon_may_follow_feeds_of_its_network(feeds):
    with feeds.running():
        guest = feeds.place.guest("bob")
        for number, address in enumerate(("127.0.0.1:9", "localhost", "[::1]", "2130706433", "0x7f.2", "printer", "10.0.0.1.", "127.0.0.1\\@example.org"), 1):
            guest.fails("feed", "add", f"http://{address}/feed.xml", code=4, words="has no domain name")
            assert feeds.place.client("feed", "add", f"http://{address}/feed.xml").stdout == f"f{number}\n"
        assert guest.client("feed", "add", "http://news.example:8080/").stdout == "f9\n"
        guest.fails("feed", "set", "f9", "--url", "http://[::1]/", code=4, words="has no domain name")
        guest.fails("feed", "set", "f9", "--url", "http://bob:secret@news.example/", code=1, words="f9 is shared")
        other = feeds.place.guest("eve")
        other.client("feed", "add", "http://news.example:8080/")
        other.fails("feed", "set", "f9", "--url", "http://eve.example/", code=4, words="added by another account")


def test_sources_watch_prints_each_change_across_a_restart(feeds):
    with feeds.running():
        feeds.add("https://a.example/feed")
        watch = feeds.place.start("sources", "--watch", "--jsonl")
        events = (json.loads(line) for line in watch.stdout)

        def until(event, **fields):
            """Takes events until this one; those before it may be states that the source has left meanwhile."""
            return next(seen for seen in events if (seen["event"], {name: seen[name] for name in fields}) == (event, fields))

        until("inserted", url="https://a.example/feed")
        feeds.fares("a.example", state="failing", reason="404")
        until("changed", state="failing", reason="404")
        feeds.add("https://b.example/feed")
        assert until("inserted")["feed"] == "2"
        feeds.append("b.example", {"person": {"name": "Gulls Weekly"}})
        until("changed", title="Gulls Weekly")
    with feeds.running():
        feeds.fares("a.example", state="live")
        until("changed", feed="1", state="live")
        feeds.place.client("feed", "remove", "f2")
        assert until("removed")["title"] == "Gulls Weekly"


def test_the_screen_says_that_a_feed_fails_and_lists_it(feeds):
    with feeds.running():
        feeds.add("https://a.example/feed")
        feeds.fares("a.example", state="failing", reason="404 Not Found")
        screen = Screen(feeds.place)
        screen.sees("1 feed failing")
        screen.press(":", "sources", "Enter")
        screen.sees("404 Not Found")
        screen.press("Escape")
        feeds.fares("a.example", state="polling")
        screen.misses("1 feed failing")
