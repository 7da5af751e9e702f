"""OAuth as Doorkeeper does it: each case of oauth_cases.py is answered here as oauth_answers.tsv records it.

`STACK_TESTS=all` asks Doorkeeper and django-oauth-toolkit the same, and compares them with their columns.
"""

import contextlib
import csv
import json
import os
import pathlib
import shutil
import subprocess
import tempfile

import pytest
from client import CALLBACK, Client
from fediverse import oauth
from fediverse.flavours import AKKOMA, FLAVOURS, GOTOSOCIAL, MASTODON_4_2, MASTODON_4_5, PIXELFED
from oauth_cases import CASES, PKCE, VERIFIER, answers, at_authorize, at_token
from oauth_site import LOOPBACK, OUT_OF_BAND, Site

HERE = pathlib.Path(__file__).resolve().parent
TABLE = HERE / "oauth_answers.tsv"
COMMANDS = {"Doorkeeper": ["ruby", "doorkeeper.rb"], "Django": ["/usr/bin/python3", "django.py"]}


def our_site(server):
    apps = [server.oauth.register(name, [LOOPBACK, OUT_OF_BAND], ["read", "write"]) for name in ("Tests", "Others")]
    return Site(
        server.origin, apps[0].client_id, apps[0].secret, apps[1].client_id, apps[1].secret,
        make_late=lambda: server.act(server.world.clock.advance, oauth.CODE_LIFE + 1), protected="/api/v1/accounts/verify_credentials",
        person={"username": "ann", "password": "ann-secret"}, denial={"answer": "no"}, authorities=server.authority)


@contextlib.contextmanager
def other_site(name):
    """Runs one of the other servers."""
    with tempfile.TemporaryDirectory() as folder:
        program, script = COMMANDS[name]
        process = subprocess.Popen(
            [program, HERE / "oauth_servers" / script, folder], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
            stderr=(pathlib.Path(folder) / "errors").open("w"))
        try:
            line = process.stdout.readline()
            assert line, (pathlib.Path(folder) / "errors").read_text()
            said = json.loads(line)
            (client, secret), (other, other_secret) = said["clients"]
            site = Site(
                f"http://127.0.0.1:{said['port']}", client, secret, other, other_secret, make_late=None, protected="/me",
                suffix="/" if name == "Django" else "")
            site.make_late = lambda: site.ask("/late", {})
            yield site
        finally:
            process.stdin.close()
            process.wait(30)
            process.stdout.close()


def table():
    """Returns the recorded answers: {case: {server: answer}}."""
    with TABLE.open(encoding="utf-8", newline="") as file:
        return {row["case"]: row for row in csv.DictReader(file, delimiter="\t")}


def record(column, found):
    rows = table() if TABLE.exists() else {}
    rows = {title: rows.get(title, {"case": title, "here": "", "Doorkeeper": "", "Django": ""}) | {column: found[title]} for title in CASES}
    with TABLE.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, ["case", "here", "Doorkeeper", "Django"], delimiter="\t", lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows.values())


def compare(column, found):
    if os.environ.get("STACK_GOLDENS"):
        record(column, found)
    assert found == {title: row[column] for title, row in table().items()}


def test_we_answer_each_case_as_recorded(server):
    compare("here", answers(our_site(server)))


@pytest.mark.skipif(os.environ.get("STACK_TESTS") != "all", reason="only in scripts/test --all fediverse")
@pytest.mark.parametrize("name", COMMANDS)
def test_other_servers_answer_each_case_as_recorded(name):
    assert shutil.which(COMMANDS[name][0]), f"{name} is not installed: scripts/setup --fediverse"
    with other_site(name) as site:
        compare(name, answers(site))


def test_we_answer_as_doorkeeper_does():
    differences = {title for title, row in table().items() if row["here"] != row["Doorkeeper"]}
    assert differences == set()


@pytest.mark.parametrize("flavour", FLAVOURS.values(), ids=FLAVOURS)
def test_who_checks_the_verifier(start, flavour):
    site = our_site(start(flavour))
    answer = at_token(site.exchange(site.code(**PKCE), code_verifier=VERIFIER[::-1]))
    assert answer == ("400 invalid_grant" if flavour in (MASTODON_4_5, PIXELFED) else "a token")


def test_the_verifier_of_rfc_7636():
    assert oauth.challenge(VERIFIER) == "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM"


@pytest.mark.parametrize("flavour", FLAVOURS.values(), ids=FLAVOURS)
def test_registration(start, flavour):
    client = Client(start(flavour))
    redirects = f"{OUT_OF_BAND}\nhttp://127.0.0.1/\nhttp://127.0.0.1:49152/"
    app = client.post("/api/v1/apps", client_name="Tests", redirect_uris=redirects, scopes="read write:statuses").json
    assert app["redirect_uri"] == redirects and app["client_id"] and app["client_secret"]
    assert ("redirect_uris" in app) == (flavour is MASTODON_4_5)
    refused = client.post("/api/v1/apps", client_name="Tests", redirect_uris="no address", scopes="read")
    assert (refused.status, list(refused.json)) == (422, ["error"])
    assert client.post("/api/v1/apps", client_name="Tests", redirect_uris=CALLBACK, scopes="magic").status == 422
    several = {"client_name": "Tests", "redirect_uris[]": [CALLBACK, OUT_OF_BAND]}
    assert client.ask("POST", "/api/v1/apps", several).json["redirect_uri"] == f"{CALLBACK}\n{OUT_OF_BAND}"


def test_a_token_has_its_scopes_only(server):
    reader = Client.of(server, "ann", "read:statuses write:favourites")
    assert reader.get("/api/v1/timelines/home").status == 200
    refused = reader.post("/api/v1/statuses", status="no")
    assert (refused.status, refused.json) == (403, {"error": "This action is outside the authorized scopes"})
    status = server.act(server.world.publish, server.account("ben"), "words")
    assert reader.post(f"/api/v1/statuses/{status}/favourite").status == 200
    assert reader.post(f"/api/v1/statuses/{status}/bookmark").status == 403


def test_which_answers_say_when_a_token_expires(start):
    for flavour in (MASTODON_4_2, GOTOSOCIAL, AKKOMA, PIXELFED):
        site = our_site(start(flavour))
        said = json.loads(site.exchange(site.code())[2])
        assert ("expires_in" in said, "refresh_token" in said) == (flavour in (AKKOMA, PIXELFED),) * 2


def test_metadata(start):
    said = Client(start(MASTODON_4_5)).get("/.well-known/oauth-authorization-server").json
    assert said["code_challenge_methods_supported"] == ["S256"] and "write:statuses" in said["scopes_supported"]
    assert "code_challenge_methods_supported" not in Client(start(GOTOSOCIAL)).get("/.well-known/oauth-authorization-server").json
    assert Client(start(MASTODON_4_2)).get("/.well-known/oauth-authorization-server").status == 404


def test_signing_in_with_a_wrong_password(server):
    site = our_site(server)
    site.person["password"] = "wrong"
    assert at_authorize(site.authorize()) == "a page (401)"


def test_other_grants(server):
    site = our_site(server)
    assert at_token(site.exchange(None, grant_type="client_credentials", redirect_uri=None)) == "a token"
    person = {"username": "ann@example.org", "password": "ann-secret"}
    assert at_token(site.exchange(None, grant_type="password", **person)) == "a token"
    assert at_token(site.exchange(None, grant_type="password", **person | {"password": "x"})) == "400 invalid_grant"
