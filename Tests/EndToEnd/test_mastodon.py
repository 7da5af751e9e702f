"""A login at a server of Mastodon's kind, with the real stack-mastodon and the server of Tests/Fediverse over TLS."""

import contextlib
import os
import pathlib
import pwd
import re
import ssl
import subprocess
import sys
import time
import urllib.error
import urllib.parse
import urllib.request

import pytest
from conftest import BIN, ROOT, wait_until

sys.path.append(str(ROOT / "Tests/Fediverse"))

from fediverse.clock import Clock  # noqa: E402
from fediverse.flavours import AKKOMA, GOTOSOCIAL, MASTODON_4_2, MASTODON_4_5, PIXELFED  # noqa: E402
from fediverse.server import Server  # noqa: E402

DAY = 86_400


class Town:
    """A server where ann follows ben. Its clock began a day ago, unless another is given, and goes on by a step with each post."""

    def __init__(self, flavour, clock=None, step=1):
        clock = clock or Clock(lambda start=time.time() - DAY: start)
        self.server, self.written, self.step = Server(flavour, clock=clock), 0, step
        self.ann, self.ben = self.server.account("ann"), self.server.account("ben")
        self.server.act(self.server.world.follow, self.ann, self.ben)

    def write(self, count, author=None, text="Post {}"):
        """Publishes posts by ben. Returns the identifier of the last."""
        for _ in range(count):
            self.written += 1
            self.server.world.clock.advance(self.step)
            last = self.server.act(self.server.world.publish, author or self.ben, text.format(self.written))
        return last

    def approve(self, url):
        """Signs ann in on the page at `url`, and returns the code that is shown."""
        return self.visit(url).split('value="')[1].split('"')[0]

    def visit(self, url):
        """Signs ann in on the page at `url`, and returns the page to which her browser is sent."""
        context = ssl.create_default_context(cafile=self.server.authority)
        query = dict(urllib.parse.parse_qsl(urllib.parse.urlsplit(url).query))
        form = urllib.parse.urlencode(query | {"username": "ann", "password": "ann-secret", "answer": "yes"}).encode()
        with urllib.request.urlopen(f"{self.server.origin}/oauth/authorize", form, context=context) as answer:
            return answer.read().decode()

    def go(self):
        """The server is down: streams end, and nothing is answered."""
        self.server.faults.add("stream-refused", status=503)
        self.server.faults.add("answer", status=503)
        self.server.act(self.server.streams.closing)

    def come_back(self):
        self.server.faults.clear()

    def options(self):
        return ("--upstream", f"mastodon={BIN / 'stack-mastodon'} --ca {self.server.authority}")


@contextlib.contextmanager
def open_town(flavour=MASTODON_4_5):
    town = Town(flavour)
    with town.server:
        yield town


def sign_in(place, town, *options):
    """Signs ann in. Returns the code."""
    login = place.start("login", "--code", f"ann@{town.server.host}", *options, stdin=-1)
    code = town.approve(login.stdout.readline().strip())
    _, said = login.communicate(code + "\n", timeout=60)
    assert login.returncode == 0, said
    assert f"signed in as ann@{town.server.host}" in said
    return code


def numbers(place):
    return [int(row["text"].removeprefix("Post ")) for row in place.rows("timeline", "-n", "2000") if row["kind"] == "post"]


def gaps(place):
    return [row for row in place.rows("timeline", "-n", "2000") if row["kind"] == "gap"]


def state(place):
    return [login["state"] for login in place.value("sources") if login["source"] == "mastodon"]


def wait_for_posts(place, expected):
    wait_until(lambda: numbers(place) == expected, lambda: f"{numbers(place)}; {place.value('sources')}")


@pytest.mark.parametrize("flavour", [MASTODON_4_5, MASTODON_4_2, GOTOSOCIAL, AKKOMA, PIXELFED], ids=lambda flavour: flavour.name)
def test_a_login_fills_the_timeline(place, flavour):
    with open_town(flavour) as town, place.running(*town.options()):
        town.write(100)
        sign_in(place, town)
        wait_for_posts(place, list(range(100, 0, -1)))
        assert gaps(place) == [] and len(state(place)) == 1


def test_posts_arrive_by_the_stream_and_go_by_it(place):
    with open_town() as town, place.running(*town.options()):
        town.write(3)
        sign_in(place, town)
        wait_until(lambda: state(place) == ["live"], lambda: place.value("sources"))
        last = town.write(1)
        wait_for_posts(place, [4, 3, 2, 1])
        town.server.act(town.server.world.edit, last, "Post 40")
        wait_for_posts(place, [40, 3, 2, 1])
        town.server.act(town.server.world.delete, last)
        wait_for_posts(place, [3, 2, 1])
        town.write(1, text="@ann: {}")
        wait_until(lambda: len(place.rows("mentions")) == 1, "the mention")
        own = town.write(1, town.ann)
        town.server.act(town.server.world.publish, town.ben, "As ann said.", quote=own)
        wait_until(lambda: len(place.rows("mentions")) == 2, "the quote")


def test_an_absence_is_read_up_and_what_the_server_forgot_is_a_gap(place):
    with open_town() as town, place.running(*town.options()):
        town.write(50)
        sign_in(place, town)
        wait_for_posts(place, list(range(50, 0, -1)))
        town.go()
        wait_until(lambda: state(place) == ["waiting"], lambda: place.value("sources"))
        # The server keeps 800 posts of a home timeline.
        town.write(900)
        town.come_back()
        wait_for_posts(place, [*range(950, 150, -1), *range(50, 0, -1)])
        [gap] = gaps(place)
        rows = [row["kind"] for row in place.rows("timeline", "-n", "2000")]
        assert rows.index("gap") == 800 and gap["lost"] is True


def test_a_restart_goes_on_where_it_was(place):
    with open_town() as town:
        with place.running(*town.options()):
            town.write(10)
            sign_in(place, town)
            wait_for_posts(place, list(range(10, 0, -1)))
        town.write(70)
        with place.running(*town.options()):
            wait_for_posts(place, list(range(80, 0, -1)))
            assert gaps(place) == []


def test_secrets_are_in_one_private_file_only(place):
    with open_town() as town, place.running(*town.options()):
        town.write(1)
        code = sign_in(place, town)
        wait_for_posts(place, [1])
        [token] = [value for value, token in town.server.oauth.tokens.items() if token.account]
        [application] = [app.secret for app in town.server.oauth.apps.values()]
        place.client("backup", place.folder / "copy.db")
        (place.folder / "export.jsonl").write_text(place.client("export").stdout, encoding="utf-8")
        for secret in (code, token, application):
            holding = [path for path in place.folder.rglob("*") if path.is_file() and secret.encode() in path.read_bytes()]
            file = place.folder / "state/stack/sources/mastodon/secrets.json"
            assert holding == ([] if secret == code else [file])
            for command in pathlib.Path("/proc").glob("[0-9]*/cmdline"):
                with contextlib.suppress(OSError):
                    assert secret.encode() not in command.read_bytes()
        assert file.stat().st_mode & 0o777 == 0o600 and file.parent.stat().st_mode & 0o777 == 0o700
        place.client("logout", f"ann@{town.server.host}")
        assert token not in file.read_text() and town.server.oauth.token(token) is None
        assert numbers(place) == [1] and place.value("sources") == []


def test_a_token_that_a_command_prints_is_on_no_disk_of_ours(place, tmp_path):
    with open_town() as town:
        oauth = town.server.oauth
        app = oauth.register("Mine", ["urn:ietf:wg:oauth:2.0:oob"], ["read", "write"])
        token = town.server.act(oauth.issue, app, town.ann, ["read", "write"])["access_token"]
        (tmp_path / "token").write_text(f"{token}\nlogin: ann\n")
        login = f"ann@{town.server.host}"
        with place.running(*town.options()):
            town.write(1)
            place.fails("login", login, "--secret-command", "/bin/false", code=1, words="the command '/bin/false' ended with status 1")
            words = "only an administrator may have a command run"
            place.guest("bea").fails("login", login, "--secret-command", "/bin/true", code=4, words=words)
            said = place.client("login", login, "--secret-command", f"cat {tmp_path / 'token'}")
            assert f"signed in as {login}" in said.stderr and said.stdout == ""
            wait_for_posts(place, [1])
        town.write(1)
        with place.running(*town.options()):
            wait_for_posts(place, [2, 1])
            file = place.folder / "state/stack/sources/mastodon/secrets.json"
            assert f"cat {tmp_path / 'token'}" in file.read_text()
            assert [path for path in place.folder.rglob("*") if path.is_file() and token.encode() in path.read_bytes()] == []
            for command in pathlib.Path("/proc").glob("[0-9]*/cmdline"):
                with contextlib.suppress(OSError):
                    assert token.encode() not in command.read_bytes()
            place.client("logout", login)
            assert place.value("sources") == [] and town.server.oauth.token(token) is not None, "it is not ours to revoke"


def test_the_browser_brings_the_code_by_itself(place):
    with open_town() as town, place.running(*town.options()):
        town.write(1)
        login = place.start("login", f"ann@{town.server.host}", stdin=-1)
        page = login.stdout.readline().strip()
        [redirect] = urllib.parse.parse_qs(urllib.parse.urlsplit(page).query)["redirect_uri"]
        # Other pages in a browser can make requests, too.
        for path in ("", "favicon.ico", "?code=x", "?code=x&state=other"):
            with pytest.raises(urllib.error.HTTPError, match="404"):
                urllib.request.urlopen(redirect + path)
        assert "return to the terminal" in town.visit(page)
        _, said = login.communicate(timeout=60)
        assert login.returncode == 0 and f"signed in as ann@{town.server.host}" in said
        wait_for_posts(place, [1])
        with pytest.raises(urllib.error.URLError, match="refused"):
            urllib.request.urlopen(redirect)


@pytest.mark.parametrize("flavour", [MASTODON_4_5, GOTOSOCIAL, AKKOMA, PIXELFED], ids=lambda flavour: flavour.name)
def test_who_signs_in_is_the_author_of_their_posts_there(place, flavour):
    with open_town(flavour) as town, place.running(*town.options()):
        town.write(1, town.ann)
        sign_in(place, town)
        wait_for_posts(place, [1])
        assert place.texts("search", f"from:{pwd.getpwuid(os.getuid()).pw_name}") == ["Post 1"]


def test_a_login_that_only_reads_asks_for_nothing_else(place):
    with open_town() as town, place.running(*town.options()):
        login = place.start("login", "--read-only", "--code", f"ann@{town.server.host}", stdin=-1)
        code = town.approve(login.stdout.readline().strip())
        _, said = login.communicate(code + "\n", timeout=60)
        [scopes] = [token.scopes for token in town.server.oauth.tokens.values() if token.account]
        assert login.returncode == 0 and scopes and all(scope.startswith("read") for scope in scopes), said


def test_a_login_is_forgotten_with_its_posts(place):
    with open_town() as town, place.running(*town.options()):
        town.write(3)
        sign_in(place, town)
        wait_for_posts(place, [3, 2, 1])
        place.client("logout", f"ann@{town.server.host}", "--forget", "--yes")
        assert numbers(place) == [] and place.value("sources") == []
        sign_in(place, town)
        wait_for_posts(place, [3, 2, 1])


def test_what_is_refused_is_said(place):
    with open_town() as town, place.running(*town.options()):
        place.fails("login", "http://social.example", code=1, words="not a server", input="")
        place.fails("logout", "ann@nowhere", code=3, words="there is no login ann@nowhere")
        login = place.start("login", "--code", town.server.host, stdin=-1)
        code = town.approve(login.stdout.readline().strip())
        _, said = login.communicate(f"wrong{code}\n", timeout=60)
        assert login.returncode == 1 and "authorization grant is invalid" in said and code not in said
        assert place.value("sources") == []


def test_lines_in_the_log_have_times(place):
    words = [BIN / "stack-mastodon", "--folder", place.folder / "secrets"]
    said = subprocess.run(words, input=b"nonsense\n", capture_output=True, timeout=60).stderr.decode()
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ stack-mastodon: a line of the daemon cannot be read; ignored\n", said)
