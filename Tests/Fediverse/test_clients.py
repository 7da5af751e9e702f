"""Real clients judge the server: Debian's toot and Mastodon.py, unchanged and over TLS. README.md says what each did.

`STACK_TESTS=all` adds mastodon.el, bitlbee-mastodon and Mastodon::Client for Perl.
"""

import os
import pathlib
import subprocess
import urllib.parse

import pytest
from client import Client
from fediverse.clock import Clock
from fediverse.flavours import MASTODON_4_2, MASTODON_4_5
from fediverse.server import Server
from judges import limited
from judges.bitlbee import Bitlbee
from judges.toot import Toot
from test_oauth import our_site
from test_streams import wait_for_streams

JUDGES = pathlib.Path(__file__).resolve().parent / "judges"
everyone = pytest.mark.skipif(os.environ.get("STACK_TESTS") != "all", reason="only in scripts/test --all fediverse")


@pytest.fixture
def live(authority):
    """Starts a server whose clock goes on: clients look at their own."""
    servers = []

    def run(flavour=MASTODON_4_5, port=0):
        servers.append(Server(flavour, clock=Clock(), port=port, authority=authority))
        return servers[-1]

    yield run
    for server in servers:
        server.close()


def installed(*paths):
    for path in paths:
        if not pathlib.Path(path).exists():
            pytest.skip(f"{path} is not there: scripts/setup --python or --fediverse")


def code_of(server, url):
    """Signs ann in on the page at a URL, and returns the code that it shows."""
    site, query = our_site(server), dict(urllib.parse.parse_qsl(urllib.parse.urlsplit(url).query))
    return site.code(**{"state": None, **query})


def newest(server):
    return server.act(lambda: server.world.newest_first(server.world.statuses)[0])


def test_toot(live, tmp_path):
    """The main path: each command starts a Python, so the rest is for the long run."""
    installed("/usr/bin/toot")
    server = live()
    toot, world, ann = Toot(server, tmp_path), server.world, server.account("ann")
    assert "Successfully logged in" in toot.sign_in(lambda url: code_of(server, url))
    for number in range(3):
        server.act(world.publish, ann, f"post {number}")
    assert "Toot posted" in toot("post", "typed")
    typed = newest(server)
    pages = toot.read_all("timeline", "-c", "2")
    assert [text in pages for text in ("post 0", "post 1", "post 2", "typed")] == [True] * 4 and "Continue?" in pages
    toot("favourite", typed), toot("reblog", typed), toot("bookmark", typed)
    assert world.has("favourite", ann, typed) and world.has("bookmark", ann, typed) and world.reblog_by(ann, typed)
    toot("delete", typed)
    assert typed not in world.statuses
    assert {status for _, _, status in server.requests} <= {200, 302}


@everyone
def test_all_that_toot_can_do(live, tmp_path):
    server = live()
    toot, world, ann = Toot(server, tmp_path), server.world, server.account("ann")
    toot.sign_in(lambda url: code_of(server, url))
    assert "ann" in toot("whoami") and "Mastodon" in toot("instance", server.host)
    first = server.act(world.publish, ann, "first")
    for what in ("favourite", "bookmark", "pin"):
        toot(what, first)
        assert world.has(what, ann, first)
        toot(f"un{what}", first)
        assert not world.has(what, ann, first)
    toot("reblog", first), toot("unreblog", first)
    assert not world.reblog_by(ann, first)
    picture = tmp_path / "a.png"
    picture.write_bytes(b"PNG")
    toot("post", "-m", str(picture), "-d", "a dot", "-r", first, "-v", "unlisted", "-p", "careful", "a reply")
    reply = world.statuses[newest(server)]
    assert (reply.reply_to, reply.visibility, reply.warning, len(reply.media)) == (first, "unlisted", "careful", 1)
    assert "a reply" in toot("thread", first)
    toot("follow", "ben")
    assert world.has("follow", ann, server.account("ben")) and "ben" in toot("following", "ann")
    toot("mute", "ben"), toot("unmute", "ben"), toot("block", "ben"), toot("unblock", "ben")
    toot("unfollow", "ben")
    assert not any(world.has(kind, ann, server.account("ben")) for kind in ("follow", "mute", "block"))
    server.act(world.publish, server.account("ben"), "@ann hello")
    assert "hello" in toot("notifications") and "ben" in toot("search", "ben")
    toot("logout", f"ann@{server.host}")
    assert {status for _, _, status in server.requests} <= {200, 302}


def run_judge(command, server, **fields):
    done = subprocess.run(limited(*command), capture_output=True, text=True, check=False, **fields)
    lines = [line for line in done.stdout.splitlines() if line.startswith(("ok ", "FAILED "))]
    asked = "\n".join(map(str, server.requests[-10:]))
    assert done.returncode == 0 and lines and all(line.startswith("ok ") for line in lines), f"{done.stdout}\n{done.stderr}\n{asked}"
    return lines


def test_a_client_that_hangs_is_ended_with_what_it_started():
    done = subprocess.run(limited("sh", "-c", "sleep 1000 & sleep 1000", seconds=0.1), capture_output=True, check=False)
    assert done.returncode == 124


@pytest.mark.parametrize("flavour", [MASTODON_4_5, pytest.param(MASTODON_4_2, marks=everyone)], ids=lambda f: f.name)
def test_mastodon_py(live, flavour):
    installed("/usr/lib/python3/dist-packages/mastodon/__init__.py")
    server = live(flavour)
    environment = {**os.environ, "REQUESTS_CA_BUNDLE": str(server.authority), "NO_PROXY": "*"}
    assert len(run_judge(["/usr/bin/python3", JUDGES / "mastodon_py.py", server.origin], server, env=environment)) == 25
    assert not [r for r in server.requests if r[2] not in (200, 202)]


@pytest.fixture
def code_command(live, tmp_path):
    """A program that prints the code which the page at a URL shows; returns it with the server."""
    server = live()
    site = our_site(server)
    script = tmp_path / "code.py"
    script.write_text(
        f"import sys, urllib.parse\nsys.path.insert(0, {str(JUDGES.parent)!r})\nfrom oauth_site import Site\n"
        f"site = Site({server.origin!r}, '', '', '', '', None, '', person={site.person!r}, authorities={str(server.authority)!r})\n"
        "query = dict(urllib.parse.parse_qsl(urllib.parse.urlsplit(sys.argv[1]).query))\n"
        "print(site.code(**{'state': None, **query}))\n")
    return server, ["/usr/bin/python3", str(script)]


@everyone
def test_mastodon_client_for_perl(live):
    server = live()
    environment = {**os.environ, "SSL_CERT_FILE": str(server.authority), "NO_PROXY": "*"}
    command = ["perl", JUDGES / "mastodon_client.pl", server.origin, Client.of(server, "ann").token]
    assert len(run_judge(command, server, env=environment)) == 12


@everyone
def test_mastodon_el(code_command, tmp_path):
    server, command = code_command
    (tmp_path / ".emacs.d").mkdir()
    environment = {**os.environ, "HOME": str(tmp_path), "NO_PROXY": "*"}
    judge = ["emacs", "--batch", "-l", JUDGES / "mastodon_el.el", server.origin, server.authority, *command]
    assert len(run_judge(judge, server, env=environment, stdin=subprocess.DEVNULL)) == 12


@everyone
def test_bitlbee(live, tmp_path):
    """Its OAuth forgets the port, so the server has the usual one, which only root may open."""
    installed("/usr/lib/bitlbee/mastodon.so")
    server = live(port=443)
    world, ann, ben = server.world, server.account("ann"), server.account("ben")
    server.act(world.follow, ann, ben)
    first = server.act(world.publish, ben, "from the past")
    bitlbee = Bitlbee(server, tmp_path)
    try:
        bitlbee.tell("account add mastodon ann")
        bitlbee.tell(f"account mastodon set base_url {server.origin}")
        bitlbee.tell("account mastodon set name town")
        bitlbee.tell("account mastodon on")
        url = bitlbee.wait_for(r"to authenticate: (https://\S+)")[1]
        bitlbee.tell(code_of(server, url), to="mastodon_oauth")
        bitlbee.wait_for("PRIVMSG #\\S+ :.*from the past")
        wait_for_streams(server, 1)
        server.act(world.publish, ben, "and now")
        bitlbee.wait_for("PRIVMSG #\\S+ :.*and now")
        bitlbee.tell("post typed here", to="#town")
        bitlbee.until(lambda: any(s.text == "typed here" for s in list(world.statuses.values())))
        bitlbee.tell("fav ben", to="#town")
        bitlbee.until(lambda: any(one == ann for one, _ in list(world.relations["favourite"])))
        bitlbee.tell("boost 00", to="#town")
        bitlbee.until(lambda: world.reblog_by(ann, first))
        bitlbee.tell("undo", to="#town")
        bitlbee.until(lambda: not world.reblog_by(ann, first))
    finally:
        bitlbee.close()
