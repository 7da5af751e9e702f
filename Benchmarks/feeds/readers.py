"""The readers under test. Each reads all feeds once a round, and says what CPU time and wall time that took."""
import os
import pathlib
import resource
import shutil
import subprocess
import time

import town
from harness import CPU, ROOT, read_line, start, stop

RELEASE = ROOT / ".build" / "release"
PATIENCE = 120
REST = 1.0  # seconds without work after which a round is over
BETWEEN = 61  # seconds between two checks of a feed by hand


def used_by_children():
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


class Reader:
    """A reader in a folder of its own, of the feeds of `kind`."""

    name = ""

    def __init__(self, folder, server, kind):
        self.folder, self.server, self.kind = pathlib.Path(folder), server, kind
        self.folder.mkdir(mode=0o700)
        self.environment = {"PATH": os.environ["PATH"], "HOME": str(folder), "TERM": "xterm", "LANG": "C.UTF-8"}

    def round(self):
        """Reads all feeds; returns CPU seconds and wall seconds."""
        began, before = time.perf_counter(), used_by_children()
        subprocess.run(
            self.command(), env=self.environment, cwd=self.folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=True)
        return used_by_children() - before, time.perf_counter() - began


class Newsboat(Reader):
    name = "newsboat"

    def __init__(self, *arguments):
        super().__init__(*arguments)
        (self.folder / "urls").write_text("".join(f"{url}\n" for url in self.server.urls(self.kind)), encoding="utf-8")
        (self.folder / "config").write_text("reload-threads 4\n", encoding="utf-8")

    def command(self):
        files = [word for option, name in (("-u", "urls"), ("-c", "cache.db"), ("-C", "config"))
                 for word in (option, f"{self.folder}/{name}")]
        return [shutil.which("newsboat"), *files, "-x", "reload"]


class Sfeed(Reader):
    name = "sfeed"

    def __init__(self, *arguments):
        super().__init__(*arguments)
        (self.folder / "etags").mkdir()
        feeds = "\n".join(f"  feed 'f{number}' '{url}'" for number, url in enumerate(self.server.urls(self.kind)))
        # Entity tags as its manual has them.
        (self.folder / "sfeedrc").write_text(f"""
            sfeedpath="{self.folder}/feeds"
            fetch() {{
              etag="{self.folder}/etags/$1"
              curl -L --max-redirs 0 -H "User-Agent:" -f -s -m 15 --etag-save "$etag" --etag-compare "$etag" "$2" 2>/dev/null
            }}
            feeds() {{\n{feeds}\n}}""", encoding="utf-8")

    def command(self):
        return ["sfeed_update", self.folder / "sfeedrc"]


class Stack(Reader):
    """stack-daemon with stack-feeds. A round is over when both have been idle for a second."""

    name = "Stack"

    def __init__(self, *arguments, programs=RELEASE):
        super().__init__(*arguments)
        self.programs, self.store, self.daemon = pathlib.Path(programs), self.folder / "store.db", None
        self.checked = 0  # when the last check ended
        outlines = "".join(f'<outline type="rss" xmlUrl="{url}"/>' for url in self.server.urls(self.kind))
        (self.folder / "feeds.opml").write_text(f'<opml version="2.0"><body>{outlines}</body></opml>', encoding="utf-8")

    def start(self):
        self.daemon = start([self.programs / "stack-daemon", "--socket", self.folder / "socket", "--store", self.store])
        assert read_line(self.daemon) == "ready\n"

    def close(self):
        if self.daemon:
            stop(self.daemon)
        self.daemon = None

    def client(self, *words):
        command = [RELEASE / "stack-client", "--socket", self.folder / "socket", *words]
        return subprocess.run(command, env=self.environment, capture_output=True, text=True, check=True).stdout

    @property
    def connector(self):
        """The process number of stack-feeds; None if it does not run."""
        children = pathlib.Path(f"/proc/{self.daemon.pid}/task/{self.daemon.pid}/children").read_text(encoding="ascii").split()
        return int(children[0]) if children else None

    def used(self):
        return CPU(self.daemon.pid).total + (CPU(self.connector).total if self.connector else 0)

    def settle(self, began, requests):
        """Waits until so many requests are answered and nothing is left to do; returns CPU seconds, and wall seconds until then."""
        last, used, end = time.perf_counter(), self.used(), began + PATIENCE
        while time.perf_counter() < last + REST or len(self.server.requests()) < requests:
            assert time.perf_counter() < end, f"only {len(self.server.requests())} requests"
            time.sleep(0.05)
            now = self.used()
            if now - used > 0.0005:
                last, used = time.perf_counter(), now
        self.checked = time.monotonic()
        return used, last - began

    def first_round(self):
        """Subscribes to all feeds and reads them."""
        self.start()
        began, before = time.perf_counter(), used_by_children()
        self.client("feed", "import", self.folder / "feeds.opml")
        client = used_by_children() - before
        cpu, wall = self.settle(began, town.FEEDS)
        return cpu + client, wall

    def round(self):
        """Has all feeds checked by hand, a minute after the last check at the earliest."""
        time.sleep(max(0, self.checked + BETWEEN - time.monotonic()))
        began, used, before = time.perf_counter(), self.used(), used_by_children()
        self.client("feed", "refresh")
        client = used_by_children() - before
        cpu, wall = self.settle(began, town.FEEDS)
        return cpu - used + client, wall
