"""Several accounts on one daemon: identity, permissions and privacy."""

import json
import resource
import signal
import stat

import pytest

from conftest import Events, wait_until


@pytest.fixture
def team(place):
    """Runs a daemon with three accounts: the test's user, and ann and bob, who connect over TCP."""
    with place.running():
        yield place, place.guest("ann"), place.guest("bob")


def test_a_token_determines_the_account(team):
    place, ann, _ = team
    me = place.value("whoami")
    assert me["scopes"] == ["view", "panes", "post", "admin"] and me["token_id"] is None and me["user_id"] is not None
    assert ann.value("whoami") | {"id": ""} == {
        "id": "", "name": "ann", "user_id": None, "post_limit": 280, "scopes": ["view", "panes", "post"], "token_id": ann.token}
    assert {account["name"] for account in place.value("account", "list")} == {me["name"], "ann", "bob"}
    place.fails("account", "make", "ann", code=1, words="ann")
    place.fails("account", "make", "two words", code=1, words="letters")


def test_a_direct_post_is_visible_only_to_those_it_names(team):
    place, ann, bob = team
    number = place.post("--visibility", "direct", "@ann the otter key is under the mat #secret")
    reply = ann.post("thanks", "--reply-to", number)
    conversation = ann.rows("messages")[0]["direct"]
    assert ann.texts("messages") == ["thanks"] and place.texts("messages") == ["thanks"]
    whole = ["thanks", "@ann the otter key is under the mat #secret"]
    assert ann.texts("messages", conversation) == whole == place.texts("messages", conversation)
    assert ann.texts("conversation", reply) == whole[::-1]
    assert ann.rows("show", number)[0]["visibility"] == "direct"
    assert [row["id"] for row in ann.rows("search", "otter")] == [number]
    assert [row["id"] for row in ann.rows("mentions")] == [number]
    assert number in [row["id"] for row in ann.rows("profile", f"@{place.name}")[1:]]
    assert "under the mat" in ann.client("export").stdout

    for words in (["timeline"], ["mentions"], ["messages"], ["search", "otter"], ["search", "#secret"], ["export"],
                  ["profile", f"@{place.name}"], ["profile", "@ann"], ["timeline", "-n", "100", "--plain"]):
        said = bob.client(*words).stdout
        assert "under the mat" not in said and "thanks" not in said, words
    for words in (["show", number], ["conversation", number], ["messages", conversation], ["post", "hm", "--reply-to", number],
                  ["timeline", "--before", number], ["pane", "push", "conversation", number], ["delete", number, "--yes"],
                  ["pane", "push", "direct", conversation], ["read-position", "timeline", number]):
        bob.fails(*words, code=3, words="")
    profile = bob.value("profile", f"@{place.name}")
    assert (profile["profile"]["posts"], profile["posts"]) == (0, [])
    assert bob.value("count") == bob.value("count", "--unread", "mentions") == {"count": 0}
    assert ann.value("count", "--unread", "mentions") == {"count": 1} == ann.value("count", "mentions")


def test_an_account_is_followed_by_those_whom_it_approves(place):
    with place.running():
        assert place.value("status")["follows"] == "ask" and "ask" in place.client("status").stdout
        ann, bob = place.guest("ann", follows="ask"), place.guest("bob", follows="ask")
        assert bob.value("follows") == [] == ann.value("followers")
        ann.post("--visibility", "followers", "only for those I know")
        assert bob.client("follow", "@ann").stdout == "Asked @ann to follow.\n"
        assert bob.value("follow", "@ann")["pending"] and bob.texts("timeline") == []
        assert [request["handle"] for request in ann.value("followers", "requests")] == ["bob"]
        (row,) = ann.rows("mentions")
        assert row["kind"] == "notice" and row["author"]["handle"] == "bob" and "followers approve @bob" in row["text"]
        assert "@bob asks to follow you" in ann.client("mentions").stdout
        ann.client("followers", "approve", "@bob")
        assert ann.rows("mentions") == [] == ann.value("followers", "requests")
        assert bob.texts("timeline") == ["only for those I know"]
        assert [author["handle"] for author in ann.value("followers")] == ["bob"]
        ann.client("followers", "remove", "bob")
        assert bob.texts("timeline") == []
        ann.fails("followers", "approve", "@bob", code=1, words="has not asked")
        bob.client("follow", "@ann")
        ann.client("followers", "refuse", "@bob")
        assert ann.rows("mentions") == [] and bob.texts("timeline") == []
        ann.fails("account", "follows", "open", code=4, words="admin")
        assert place.value("account", "follows", "open") == {"follows": "open"} == ann.value("account", "follows")
        assert not bob.value("follow", "@ann")["pending"]
        assert bob.texts("timeline") == ["only for those I know"]


def test_a_request_appears_on_the_full_screen_and_goes_when_it_is_answered(place):
    with place.running():
        ann, bob = place.guest("ann", follows="ask"), place.guest("bob", follows="ask")
        screen = place.terminal(f"{' '.join(map(str, ann.options))} attach")
        screen.wait_for("Timeline")
        bob.client("follow", "@ann")
        screen.press("M-2")
        screen.wait_for("@bob asks to follow you")
        screen.press(":", *"approve", "Space", *"bob", "Enter")
        screen.wait_for("bob follows you now.")
        wait_until(lambda: "asks to follow" not in screen.screen(), "the row of the request to go")


def test_followers_only_posts_are_visible_to_present_followers(team):
    place, ann, bob = team
    assert {author["handle"] for author in bob.value("follows")} >= {"ann", place.name}
    bob.client("unfollow", "ann")
    number = ann.post("--visibility", "followers", "only for those who follow")
    assert place.texts("timeline") == ["only for those who follow"]
    bob.fails("show", number, code=3, words=number)
    assert bob.rows("timeline") == []
    bob.client("follow", "@ann")
    assert bob.texts("timeline") == ["only for those who follow"]
    assert "bob" in [author["handle"] for author in bob.value("follows", "@ann", "--followers")]
    assert ann.value("profile", "bob")["profile"]["follows_me"]


def test_a_direct_post_must_name_a_local_account(team):
    place, _, _ = team
    place.fails("post", "--visibility", "direct", "to whom it may concern", code=1, words="@")
    place.fails("post", "--visibility", "direct", "@nobody psst", code=1, words="nobody")
    assert place.rows("timeline") == []


def test_an_import_in_the_name_of_a_colleague_is_not_taken_for_theirs(team):
    _, ann, bob = team
    real = ann.post("I stay at the harbour")
    forged = json.dumps({"source": "twitter", "id": "7", "text": "I resign from the harbour", "created_at": "2026-03-01T12:00:00Z",
                         "author": {"handle": "ANN", "name": "ann"}})
    bob.client("-q", "import", "jsonl", "-", input=forged)
    assert ann.texts("search", "resign") == [] and bob.texts("search", "resign") == ["I resign from the harbour"]
    assert bob.value("import", "jsonl", "-", "--publish", input=forged)["changed"] == 1
    row = ann.rows("search", "resign")[0]
    assert (row["author"]["source"], row["author"]["namesake"]) == ("twitter", True)
    assert "@ANN (from twitter)" in ann.client("search", "resign").stdout
    assert ann.client("search", "resign", "--plain").stdout.rstrip("\n").split("\t")[-1] == "twitter"
    assert [row["id"] for row in bob.rows("search", "harbour from:ann")] == [real]
    assert bob.rows("show", real)[0]["author"]["namesake"] is False


def test_scopes_limit_a_token(team):
    place, _, _ = team
    reader = place.guest("ann", "view")
    assert reader.value("whoami")["scopes"] == ["view"]
    assert reader.rows("timeline") == []
    for words in (["post", "x"], ["follow", "@bob"], ["list", "make", "x"], ["import", "jsonl", "-"]):
        reader.fails(*words, code=4, words="post")
    for words in (["integrity"], ["backup", "/tmp/never"], ["account", "list"], ["token", "issue", "more", "--scope", "admin"]):
        reader.fails(*words, code=4, words="admin")
    for words in (["pane", "open", "mentions"], ["pane", "drop"], ["session", "delete", "main", "--yes"], ["session", "rename", "main", "x"],
                  ["read-position", "timeline", place.post("to be read")]):
        reader.fails(*words, code=4, words="panes")
    assert "panes   change panes and sessions" in place.client("help", "token", "issue").stdout
    keeper = place.guest("ann", "view,admin")
    assert keeper.value("integrity") == {"findings": []}
    assert "ann" in [account["name"] for account in keeper.value("account", "list")]


def test_a_script_posts_with_a_token_that_cannot_read(team):
    place, _, _ = team
    place.client("account", "make", "deploy")
    script = place.guest("deploy", "post")
    number = script.client("post", "-", input="version 12 is out\n").stdout.strip()
    assert place.rows("show", number)[0]["text"] == "version 12 is out"
    script.client("edit", number, "version 13 is out")
    answer = script.client("-q", "post", "-", "--reply-to", number, input="and stays\n").stdout.strip()
    for words in (
        ["timeline"], ["mentions"], ["messages"], ["lists"], ["profile"], ["search", "version"], ["conversation", number], ["show", number],
        ["watch"], ["watch", "mentions"], ["count"], ["count", "--unread", "mentions"], ["measure", "x"], ["export"], ["status"], ["follows"],
        ["list", "show", "x"], ["pane", "list"], ["session", "list"],
    ):
        failed = script.fails(*words, code=4, words="view")
        assert failed.stdout == "", words
    script.fails("pane", "open", "mentions", code=4, words="panes")
    script.client("delete", answer, "--yes")
    # On the socket the kernel identifies the user, so a local script needs no token.
    place.client("post", "-", input="from a script of mine\n")
    assert place.texts("timeline", "-n", "1") == ["from a script of mine"]


def test_a_revoked_token_ends_its_calls_and_is_refused(team):
    place, ann, _ = team
    place.post("before")
    watch = ann.start("watch", "--jsonl", "-n", "1")
    assert Events(watch).next() == ("inserted", "before")
    assert [token["id"] for token in place.value("token", "list", "--account", "ann")] == [ann.token]
    place.client("token", "revoke", ann.token)
    assert watch.wait(timeout=30) == 4
    assert "token" in watch.stderr.read()
    ann.fails("timeline", code=4, words="token")
    assert place.value("token", "list", "--account", "ann") == []
    place.fails("token", "revoke", ann.token, code=3, words=f"there is no token {ann.token}; `stack-client token list` shows yours")
    place.fails("token", "list", "--account", "nobody", code=3, words="nobody; `stack-client account list` shows them")
    place.fails("session", "delete", "nowhere", "--yes", code=3, words="nowhere; `stack-client session list` shows them")
    place.fails("pane", "pop-to", "99", code=3, words="there is no pane 99; `stack-client pane list` shows them")
    place.fails("list", "show", "x; y", code=3, words="x; y; `stack-client lists` shows yours")


def test_an_unauthenticated_client_gets_one_message(team):
    place, _, _ = team
    place.post("not for unauthenticated")
    for words in ("timeline", "watch", "whoami", "status", "post x", "pane"):
        said = place.fails("--connect", place.tcp, *words.split(), code=4, words="token")
        assert said.stdout == "" and said.stderr.count("give a token") == 1
    own = place.client("--version").stdout
    version = place.client("--connect", place.tcp, "version")
    assert version.stdout == own and "unknown daemon version" in version.stderr
    error = json.loads(place.client("--connect", place.tcp, "timeline", "--json", code=4).stderr)["error"]
    assert error["code"] == "refused" and error["hint"]


def test_a_token_comes_from_a_private_file_or_the_environment(team):
    place, ann, _ = team
    assert stat.S_IMODE(ann.file.stat().st_mode) == 0o600
    environment = place.environment | {"STACK_CONNECT": place.tcp, "STACK_TOKEN": ann.file.read_text().strip()}
    assert json.loads(place.client("whoami", "--json", environment=environment).stdout)["name"] == "ann"
    link = place.folder / "link"
    link.symlink_to(ann.file)
    assert place.value("--connect", place.tcp, "--token-file", link, "whoami")["name"] == "ann"
    for mode in (0o640, 0o604, 0o644):
        ann.file.chmod(mode)
        ann.fails("whoami", code=4, words="chmod 600")
        place.fails("--connect", place.tcp, "--token-file", link, "whoami", code=4, words="chmod 600")
    place.fails("--connect", place.tcp, "--token-file", "/nowhere", "whoami", code=3, words="/nowhere")
    place.fails("--token-file", ann.file, "whoami", code=2, words="--connect")
    ann.file.write_text("not a token\n")
    ann.file.chmod(0o600)
    ann.fails("whoami", code=4, words="token")
    place.fails("token", "issue", "again", "--to", ann.file, code=1, words="no token was issued")
    assert len(place.value("token", "list", "--account", "ann")) == 1 and place.value("token", "list") == []


def test_a_token_that_cannot_be_written_is_not_issued(place):
    file = place.folder / "bot.token"

    def write_nothing():
        # Ignoring the signal makes a write beyond the limit fail, as on a full disk.
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))

    place.client("daemon", "start", "-q")
    place.fails("token", "issue", "bot", "--to", file, code=1, words="no token was issued", preexec_fn=write_nothing)
    assert not file.exists() and place.value("token", "list") == []
    place.fails("token", "issue", "bot", "--account", "nobody", "--to", file, code=3, words="nobody")
    assert not file.exists(), "no file without a token is left"
    place.fails("token", "issue", "bot", "--to", "/nowhere/bot.token", code=1, words="cannot create /nowhere/bot.token")
    assert place.value("token", "list") == []
    place.client("token", "issue", "bot", "--to", file)
    assert file.stat().st_mode & 0o777 == 0o600 and len(file.read_text().strip()) == 68


def test_a_token_is_not_sent_to_another_machine(place):
    file = place.folder / "a.token"
    file.write_text("stk_secret\n")
    file.chmod(0o600)
    # An address for documentation (RFC 5737), which is refused before anything is sent.
    place.fails("--connect", "192.0.2.2:7999", "--token-file", file, "status", code=4, words="ssh -N -L 7999:127.0.0.1:7999 192.0.2.2")
    environment = place.environment | {"STACK_CONNECT": "192.0.2.2:7999", "STACK_TOKEN": "stk_secret"}
    place.fails("watch", code=4, words="TLS", environment=environment)


def test_no_daemon_listens_on_tcp(place):
    place.fails("--connect", "127.0.0.1:9", "timeline", code=5, words="no daemon is running at 127.0.0.1:9")
    assert not place.socket.exists(), "no daemon is started for it"


def test_a_bot_watches_mentions(team):
    place, ann, _ = team
    ann.client("pane", "open", "timeline")
    watch = ann.start("watch", "mentions", "--jsonl")
    events = Events(watch)
    wait_until(lambda: place.value("status")["views"], "the watch to begin")
    place.post("nothing for her")
    number = place.post("@ann what is the tide?")
    assert events.next() == ("inserted", "@ann what is the tide?")
    answer = ann.post("two otters", "--reply-to", number)
    assert [row["id"] for row in place.rows("mentions")] == [answer]
    assert place.value("count", "--unread", "mentions") == {"count": 1}
