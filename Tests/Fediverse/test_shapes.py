"""Each entity has the fields and types of the recordings of a real Mastodon (Tests/Fixtures/mastodon)."""

import json
import pathlib

import pytest
from client import Client
from fediverse.flavours import FLAVOURS, MASTODON_4_2, MASTODON_4_5

RECORDINGS = pathlib.Path(__file__).resolve().parents[1] / "Fixtures/mastodon"
# What tells an entity from others, by the names of its fields; the first that fits.
KINDS = {
    "notification": {"type", "account", "created_at"},
    "conversation": {"unread", "last_status"},
    "status": {"account", "uri", "visibility"},
    "version": {"content", "account", "created_at"},
    "account": {"username", "display_name"},
    "mention": {"username", "acct"},
    "attachment": {"preview_url", "blurhash"},
    "poll": {"options", "voters_count"},
    "option": {"title", "votes_count"},
    "application": {"name", "website"},
    "quote": {"state", "quoted_status"},
    "approval": {"automatic", "manual"},
    "tag": {"name", "url"},
    "error": {"error"},
}
# The recordings are of a version after 4.5. What that has more, and what 4.5 has more than 4.2.
AFTER_4_5 = {
    "account": {
        "avatar_description", "header_description", "show_media", "show_media_replies", "show_featured", "feature_approval",
    },
    "status": {"tagged_collections"},
}
AFTER_4_2 = {
    "account": {"indexable", "hide_collections"}, "status": {"quote", "quotes_count", "quote_approval"}, "notification": {"group_key"},
}


def fields_of(value, found=None):
    """Collects, for each kind of entity in some JSON, the fields with the types of their values, and how often each was there."""
    found = {} if found is None else found
    if isinstance(value, list):
        for one in value:
            fields_of(one, found)
    elif isinstance(value, dict):
        kind = next((kind for kind, names in KINDS.items() if names <= value.keys()), None)
        if kind:
            seen = found.setdefault(kind, {"count": 0, "fields": {}})
            seen["count"] += 1
            for name, inner in value.items():
                field = seen["fields"].setdefault(name, {"count": 0, "types": set()})
                field["count"] += 1
                field["types"].add(type(inner).__name__)
        for inner in value.values():
            fields_of(inner, found)
    return found


@pytest.fixture(scope="module")
def recorded():
    found = {}
    for path in sorted(RECORDINGS.glob("rest/*.json")):
        fields_of(json.loads(path.read_text("utf-8")), found)
    for path in sorted(RECORDINGS.glob("streams/*.sse")):
        for line in path.read_text("utf-8").splitlines():
            if line.startswith("data: {"):
                fields_of(json.loads(line[6:]), found)
    return found


def everything(server):
    """Asks a server for every kind of entity, and returns all that it answered."""
    ann, ben = Client.of(server, "ann"), Client.of(server, "ben")
    world, people = server.world, [server.account(name) for name in ("ann", "ben")]
    server.act(world.follow, *people)
    first = ben.publish("@ann see https://example.org/page #Tag")
    answers = [ann.post(f"/api/v1/statuses/{first}/{what}").json for what in ("favourite", "bookmark", "reblog")]
    boundary = "frontier"
    body = (f'--{boundary}\r\nContent-Disposition: form-data; name="file"; filename="a.png"\r\nContent-Type: image/png\r\n\r\nPNG\r\n'
            f"--{boundary}--\r\n").encode()
    media = ann.ask("POST", "/api/v2/media", fields={"Content-Type": f"multipart/form-data; boundary={boundary}"}, body=body).json
    picture = ann.publish("with a picture", **{"media_ids[]": media["id"]})
    reply = ann.publish("@ben a reply", in_reply_to_id=first, quoted_status_id=first)
    ann.publish("choose", **{"poll[options][]": ["one", "two"], "poll[expires_in]": 3600})
    secret = ben.publish("@ann psst", visibility="direct")
    if server.flavour.edits:
        answers.append(ann.ask("PUT", f"/api/v1/statuses/{reply}", {"status": "@ben a better reply"}).json)
        answers.append(ann.get(f"/api/v1/statuses/{reply}/history").json)
    for path in ("timelines/home", "timelines/public", "timelines/tag/tag", "notifications", "conversations", "bookmarks", "favourites",
                 f"accounts/{people[0]}/statuses", f"statuses/{first}/context", "accounts/verify_credentials"):
        answers.append(ann.get(f"/api/v1/{path}").json)
    answers.append(ann.post(f"/api/v1/conversations/{secret}/read").json)
    answers.append(ann.get("/api/v1/statuses/none").json)
    answers.append(ann.ask("DELETE", f"/api/v1/statuses/{picture}").json)
    for client in (ann, ben):
        client.close()
    return answers


@pytest.mark.parametrize("flavour", [MASTODON_4_2, MASTODON_4_5], ids=lambda f: f.name)
def test_mastodon_answers_as_it_was_recorded(start, recorded, flavour):
    ours = fields_of(everything(start(flavour)))
    assert set(ours) - {"quote", "approval"} == set(recorded) - {"quote", "approval"}
    for kind, seen in ours.items():
        real = recorded[kind]
        left_out = AFTER_4_5.get(kind, set()) | (AFTER_4_2.get(kind, set()) if flavour is MASTODON_4_2 else set())
        # verify_credentials adds fields that no recording has.
        more = {"source", "role"} if kind == "account" else set()
        always = {name for name, field in real["fields"].items() if field["count"] == real["count"]} - left_out
        assert always <= seen["fields"].keys() <= real["fields"].keys() - left_out | more, kind
        for name, field in seen["fields"].items():
            types = real["fields"].get(name, {}).get("types", set())
            if types - {"NoneType"}:
                assert field["types"] <= types | {"NoneType"}, (kind, name)


@pytest.mark.parametrize("name", FLAVOURS)
def test_every_server_has_what_every_client_needs(start, name):
    ours = fields_of(everything(start(FLAVOURS[name])))
    status = {
        "id", "created_at", "in_reply_to_id", "sensitive", "spoiler_text", "visibility", "uri", "url", "account", "reblog", "content",
        "media_attachments", "mentions", "tags", "emojis", "favourited", "reblogged", "favourites_count", "replies_count",
    }
    account = {"id", "username", "acct", "display_name", "locked", "bot", "created_at", "note", "url", "avatar", "followers_count"}
    assert status <= ours["status"]["fields"].keys()
    assert account <= ours["account"]["fields"].keys()
    assert ("pleroma" in ours["status"]["fields"]) == (name == "akkoma")
    assert ("interaction_policy" in ours["status"]["fields"]) == (name == "gotosocial")


def test_a_difference_to_the_recordings_is_found():
    """The comparison itself: a field of another type, and one that is missing."""
    one, other = fields_of({"username": "a", "acct": "a", "id": 1}), fields_of({"username": "a", "acct": "a", "url": "x"})
    assert one["mention"]["fields"].keys() != other["mention"]["fields"].keys()
    assert fields_of({"error": "x"}) != fields_of({"error": 1})
