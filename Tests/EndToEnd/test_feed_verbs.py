"""`stack-client feed` with the real stack-feeds and a server of feeds on loopback."""

import contextlib
import http.server
import shutil
import socket
import subprocess
import threading

import pytest
from conftest import PATIENCE, wait_until
from test_readme import block, shell

ITEM = "<item><guid>{0}</guid><title>Title {0}</title><link>http://ferry.example/{0}</link><description>Text {0}</description></item>"


class Town:
    """A server of one feed, `/feed.xml`; everything else is a web page, of which `/home` offers it."""

    def __init__(self):
        self.items, self.asked = [1, 2], 0
        town = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                town.asked += 1
                if self.path == "/feed.xml":
                    items = "".join(ITEM.format(number) for number in reversed(town.items))
                    body = f'<rss version="2.0"><channel><title>Ferry news</title>{items}</channel></rss>'
                else:
                    link = "<link rel=alternate type=application/rss+xml href=feed.xml>" if self.path == "/home" else ""
                    body = f"<!doctype html><html><head><meta charset=utf-8>{link}</head><body>Hello</body></html>"
                self.send_response(200)
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body.encode())

            def log_message(self, *_):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.address = f"http://127.0.0.1:{self.server.server_port}"

    @contextlib.contextmanager
    def open(self):
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        try:
            yield self
        finally:
            self.server.shutdown()
            self.server.server_close()


def test_the_recipes_of_a_feed_reader(place):
    """Each line of docs/RECIPES.md works, with a feed on loopback in place of example.org's."""
    with Town().open() as town, place.running():
        feed = f"{town.address}/feed.xml"
        (place.folder / "feeds.opml").write_text(f'<opml version="2.0"><body><outline text="Sea"><outline xmlUrl="{feed}"/></outline></body></opml>')
        printed = {}
        for line in block("docs/RECIPES.md", "## As a feed reader").replace("https://example.org/news.xml", feed).splitlines():
            line = line.replace("from:example.org", "from:127.0.0.1").replace("harbour", "title")
            typed = shell(place, line)
            printed[line.split("#")[0].strip()], said = typed.communicate(timeout=2 * PATIENCE)
            assert typed.returncode == 0, f"{line}: {said}"
        assert len(printed) >= 11 and printed[f"stack-client feed add {feed}"] == "f1\n"
        assert "1 feed" in printed["stack-client feed import feeds.opml"] and place.value("lists")[0]["name"] == "Sea"
        for line in ("stack-client search 'title from:127.0.0.1'", "stack-client profile feed:f1 --filter title"):
            assert "Title 1" in printed[line] and "Title 2" in printed[line], line


def test_the_feed_of_a_page_is_found(place):
    with Town().open() as town, place.running():
        place.client("feed", "add", f"{town.address}/home")
        wait_until(lambda: len(place.rows("timeline")) == 2, lambda: place.client("feed", "why", "f1").stdout)
        assert place.value("feed")[0]["url"] == f"{town.address}/feed.xml"
        assert f"a web page, which offers the feed {town.address}/feed.xml" in place.client("feed", "why", "f1").stdout


def test_a_feed_is_added_read_changed_and_removed(place):
    with Town().open() as town, place.running():
        assert place.value("feed") == []
        address = f"{town.address}/feed.xml"
        assert place.client("feed", "add", address).stdout == "f1\n" == place.client("feed", "add", address).stdout
        wait_until(lambda: len(place.rows("timeline")) == 2, lambda: place.client("feed", "why", "f1").stdout)
        texts = place.texts("timeline")
        assert any("Title 2" in text and "Text 2" in text for text in texts)
        wait_until(lambda: place.value("feed")[0]["title"] == "Ferry news", "the feed's own title")
        why = place.client("feed", "why", "ferry news").stdout
        assert address in why and "2 new" in why, why
        place.client("feed", "rename", "1", "The ferry")
        place.client("feed", "set", address, "--every", "30m", "--again", "yes")
        (feed,) = place.value("feed", "list")
        assert (feed["title"], feed["interval_minutes"], feed["lifts_edited"]) == ("The ferry", 30, True)
        assert "every 30 minutes" in place.client("feed", "why", "f1").stdout
        assert "asked for what is new" in place.client("feed", "refresh").stderr
        place.client("feed", "remove", "the ferry")
        assert place.value("feed") == [] and len(place.rows("search", "Title")) == 2, "its posts stay"


def test_an_administrator_changes_a_feed_that_only_others_follow(place):
    with Town().open() as town, place.running():
        ann, bea = place.guest("ann", scopes="view,panes,post,admin"), place.guest("bea")
        ann.client("feed", "add", f"{town.address}/feed.xml")
        bea.fails("feed", "rename", "f1", "Mine", code=3, words="there is no feed f1")
        place.client("feed", "rename", "f1", "The ferry")
        place.client("feed", "set", "1", "--every", "30m")
        place.fails("feed", "rename", "the ferry", "x", code=3, words="you follow no feed 'the ferry'")
        (feed,) = ann.value("feed")
        assert (feed["title"], feed["interval_minutes"]) == ("The ferry", 30)


def test_what_is_no_feed_and_who_names_none_gets_words(place):
    with Town().open() as town, place.running():
        place.client("feed", "add", f"{town.address}/page", "--title", "A page")
        wait_until(lambda: place.value("feed")[0]["state"] in ("failing", "waiting"), lambda: place.value("feed"))
        assert "web page" in place.client("feed", "why", "a page").stdout
        place.fails("feed", "why", "f9", code=3, words="you follow no feed 'f9'")
        place.fails("feed", "set", "f1", code=2, words="nothing to change")
        place.fails("feed", "set", "f1", "--every", "5m", code=2, words="15m to 7d")
        place.fails("feed", "add", "gopher://ferry.example", code=1, words="http")


def test_a_file_is_a_feed_for_who_administers_the_daemon(place):
    path = place.folder / "notes.xml"
    words = " ".join(f"word{number}" for number in range(1500))
    item = f"<item><guid>1</guid><title>Long</title><description>{words}</description></item>"
    path.write_text(f'<rss version="2.0"><channel><title>Notes</title>{item}</channel></rss>', encoding="utf-8")
    with place.running():
        place.guest("bea").fails("feed", "add", path.as_uri(), code=4, words="is a file of the daemon's machine")
        place.client("feed", "add", path.as_uri())
        wait_until(lambda: len(place.rows("timeline")) == 1, lambda: place.client("feed", "why", "f1").stdout)
        wait_until(lambda: place.value("feed")[0]["title"] == "Notes", "the feed's own title")
        row, = place.rows("timeline")
        assert row["text"] == f"Long\n\n{words}", "the post has the whole text"
        exported = place.client("feed", "export").stdout
        place.client("feed", "remove", "f1")
        assert place.value("feed", "import", "-", input=exported)["read"] == 1
        assert [feed["url"] for feed in place.value("feed")] == [path.as_uri()]


def test_opml_and_urls_of_newsboat_are_imported_and_exported(place):
    with Town().open() as town, place.running():
        opml = place.folder / "feeds.opml"
        opml.write_text(
            f'<opml version="2.0"><body><outline text="Harbour"><outline text="Ferry &amp; co" category="sea" xmlUrl="{town.address}/feed.xml"/>'
            '</outline></body></opml>', encoding="utf-8")
        done = {"feeds": 1, "failed": 0, "read": 1, "unreadable": 0, "marked_read": 0}
        assert place.value("feed", "import", opml) == done
        assert [made["author_count"] for made in place.value("lists")] == [1], "folders are lists from the first import on"
        assert place.value("feed", "import", opml) == done
        assert len(place.rows("timeline")) == 2, "an import ends when the feeds have been read"
        place.client("feed", "rename", "f1", "My ferry")
        place.client("feed", "import", opml)
        assert [feed["title"] for feed in place.value("feed")] == ["My ferry"], "what is there stays as it is"
        wait_until(lambda: len(place.rows("list", "show", "Harbour")) > 0, lambda: place.client("feed", "why", "f1").stdout)
        exported = place.client("feed", "export").stdout
        assert f'xmlUrl="{town.address}/feed.xml" category="sea"/>' in exported and "Harbour" in exported
        (place.folder / "urls").write_text(f'{town.address}/feed.xml\n{town.address}/page "two words" "~A page"\n', encoding="utf-8")
        assert "1 cannot be read" in place.client("feed", "import", place.folder / "urls").stdout
        assert [feed["title"] for feed in place.value("feed")] == ["My ferry", "A page"]
        place.fails("feed", "import", place.folder / "none", code=3, words="there is no file")
        place.client("feed", "import", "-", input="<html/>", code=1)
        # Standard input that is a socket, as a parent's pipe may be, cannot be opened by a path.
        ours, theirs = socket.socketpair()
        with ours, theirs:
            ours.sendall(f"{town.address}/third".encode())
            ours.shutdown(socket.SHUT_WR)
            assert place.value("feed", "import", "-", "--no-wait", stdin=theirs)["feeds"] == 1


def test_what_newsboat_has_read_is_read(place):
    program = shutil.which("newsboat")
    if not program:
        pytest.skip("newsboat is not installed")
    folder = place.folder / ".newsboat"
    folder.mkdir()
    with Town().open() as town, place.running():
        town.items = list(range(1, 7))
        (folder / "urls").write_text(f'{town.address}/feed.xml town "the sea"\n"query:New:unread = \\"yes\\""\nexec:~/feed.sh\n', encoding="utf-8")
        run = lambda *words: subprocess.run([program, *words], env=place.environment, check=True, timeout=PATIENCE, stdout=subprocess.DEVNULL)
        run("-x", "reload")
        (place.folder / "read").write_text("2\n4\n5\n", encoding="utf-8")
        run("-I", place.folder / "read")
        imported = place.client("feed", "import", "--from", "newsboat")
        assert "3 posts marked as read" in imported.stdout
        assert "a query" in imported.stderr and "runs no programs" in imported.stderr
        assert sorted(lists["name"] for lists in place.value("list")) == ["the sea", "town"]
        unread = {row["text"].split("\n")[0] for row in place.rows("timeline") if row["read_mark"] != "read"}
        assert unread == {"Title 1", "Title 3", "Title 6"}
        assert place.value("feed", "import", "--from", "newsboat", folder)["marked_read"] == 0
        place.fails("feed", "import", "--from", "newsboat", place.folder / "none", code=3, words="there is no file")
        place.fails("feed", "import", code=2, words="give a file")


def test_old_posts_go_and_what_people_have_a_part_in_stays(place):
    with Town().open() as town, place.running():
        town.items = list(range(1, 7))
        place.client("feed", "add", f"{town.address}/feed.xml")
        wait_until(lambda: len(place.rows("timeline")) == 6, lambda: place.client("feed", "why", "f1").stdout)
        oldest = place.rows("timeline")[-1]["id"]
        place.client("save", oldest)
        assert place.value("store")["kept"] == [] and "limit" in place.client("store").stdout
        place.client("feed", "set", "f1", "--keep", "2")
        wait_until(lambda: len(place.rows("timeline")) == 3, lambda: place.texts("timeline"))
        assert place.rows("timeline")[-1]["id"] == oldest
        (feed,) = place.value("feed")
        assert (feed["keep"], feed["own_keep"], feed["removed_posts"]) == ("2", True, 3)
        assert "keeps 2 posts, 3 posts removed" in place.client("feed", "why", "f1").stdout
        # Posts that went do not come again with the next check of the feed.
        town.items.append(7)
        place.client("feed", "set", "f1", "--keep", "auto")
        status = place.value("store", "keep", "feed", "90d")
        assert status["kept"] == ["feed 90d"] and status["removed_posts"] == 3
        assert place.value("feed")[0]["keep"] == "90d"
        assert place.value("store", "limit", "2 GB")["limit_bytes"] == 2_000_000_000
        assert place.value("store", "limit", "none")["limit_bytes"] == 0
        place.fails("store", "limit", "1MB", code=1, words="at least 16 MiB")
        place.fails("store", "limit", "much", code=2, words="2GB")
        place.fails("store", "keep", "stack", "90d", code=1, words="what was written here")
        place.fails("store", "keep", "nowhere", "90d", code=3, words="no posts of source nowhere")
        place.fails("store", "keep", "feed", "soon", code=2, words="90d or 10000")
        place.fails("feed", "set", "f1", "--keep", "0", code=2, words="neither days nor posts")
        ann = place.guest("ann")
        ann.fails("store", code=4, words="admin")
