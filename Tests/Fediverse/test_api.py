"""What each server does with a request, as a plain HTTP client sees it."""

import email.utils
import json

import pytest
from client import Client
from conftest import NOW
from fediverse.flavours import AKKOMA, GOTOSOCIAL, MASTODON_4_2, MASTODON_4_5, PIXELFED
from fediverse.instance import IMAGE_BYTES

MULTIPART = "multipart/form-data; boundary=frontier"
PICTURE = (b'--frontier\r\nContent-Disposition: form-data; name="file"; filename="a.png"\r\nContent-Type: image/png\r\n\r\nPNG\r\n'
           b'--frontier\r\nContent-Disposition: form-data; name="description"\r\n\r\na dot\r\n--frontier--\r\n')


def test_posting_editing_and_deleting(any_server):
    ann = Client.of(any_server, "ann")
    status = ann.publish("first", spoiler_text="careful", visibility="unlisted")
    shown = ann.get(f"/api/v1/statuses/{status}").json
    assert (shown["spoiler_text"], shown["visibility"], shown["sensitive"]) == ("careful", "unlisted", True)
    edited = ann.ask("PUT", f"/api/v1/statuses/{status}", {"status": "second"})
    if any_server.flavour.edits:
        assert "second" in edited.json["content"] and edited.json["edited_at"]
        history = ann.get(f"/api/v1/statuses/{status}/history").json
        assert [("first" in v["content"], "second" in v["content"]) for v in history] == [(True, False), (False, True)]
        assert ann.get(f"/api/v1/statuses/{status}/source").json == {"id": status, "text": "second", "spoiler_text": ""}
    else:
        assert edited.status == 404
    gone = ann.ask("DELETE", f"/api/v1/statuses/{status}").json
    assert gone["id"] == status and (any_server.flavour is PIXELFED or gone["text"] in ("first", "second"))
    missing = ann.get(f"/api/v1/statuses/{status}")
    assert (missing.status, missing.json) == (404, {"error": any_server.flavour.not_found})
    assert ann.ask("DELETE", f"/api/v1/statuses/{status}").status == 404


def test_what_an_idempotency_key_does(any_server):
    ann = Client.of(any_server, "ann")

    def post(key):
        return ann.ask("POST", "/api/v1/statuses", {"status": "once"}, {"Idempotency-Key": key}).json["id"]

    first = post("k1")
    lifetime = any_server.flavour.idempotency
    assert (post("k1") == first) == (lifetime > 0)
    assert post("k2") != first
    any_server.act(any_server.world.clock.advance, lifetime + 1)
    assert post("k1") != first


def test_what_a_server_refuses(any_server):
    ann, most = Client.of(any_server, "ann"), any_server.flavour.max_characters
    for status, params in ((422, {"status": " "}), (422, {"status": "x" * (most + 1)}), (404, {"status": "x", "in_reply_to_id": "nothing"}),
                           (404, {"status": "x", "media_ids[]": "nothing"}), (422, {"status": "x", "visibility": "secret"})):
        answer = ann.post("/api/v1/statuses", **params)
        if "media_ids[]" in params and any_server.flavour.drops_files:
            assert answer.status == 200 and answer.json["media_attachments"] == []
            continue
        assert (answer.status, list(answer.json)) == (status, ["error"]), params
    # A URL counts as 23 characters, and a mention as its name.
    assert ann.post("/api/v1/statuses", status="x" * (most - 30) + " https://example.org/" + "y" * 100).status == 200
    assert ann.post("/api/v1/statuses", status="x" * (most - 6) + " @ben@far.example.org").status == 200
    ben = Client.of(any_server, "ben")
    theirs = ben.publish("of ben")
    assert ann.ask("DELETE", f"/api/v1/statuses/{theirs}").status == 404
    secret = ben.publish("for nobody", visibility="direct")
    assert ann.get(f"/api/v1/statuses/{secret}").status == 404
    unauthorized = any_server.flavour.unauthorized
    for token in (None, "wrong"):
        answer = Client(any_server, token).get("/api/v1/timelines/home")
        assert (answer.status, answer.json["error"]) == unauthorized
    assert ann.get("/api/v1/nothing").status == 404
    assert ann.ask("POST", "/api/v1/statuses", body="{", fields={"Content-Type": "application/json"}).status == 400


def test_pages_of_the_home_timeline(any_server):
    ann, world = Client.of(any_server, "ann"), any_server.world
    made = [any_server.act(world.publish, any_server.account("ann"), f"post {n}") for n in range(7)]

    def page(**params):
        return ann.get("/api/v1/timelines/home", limit=3, **params)

    first = page()
    assert [s["id"] for s in first.json] == made[:3:-1]
    assert first.links == {"next": {"limit": "3", "max_id": made[4]}, "prev": {"limit": "3", "min_id": made[6]}}
    assert [s["id"] for s in page(max_id=made[4]).json] == made[3:0:-1]
    above = made[:3:-1] if any_server.flavour is PIXELFED else made[3:0:-1]
    assert [s["id"] for s in page(min_id=made[0]).json] == above
    assert [s["id"] for s in page(since_id=made[0]).json] == made[:3:-1]
    last = page(max_id=made[1])
    assert ("next" in last.links) == any_server.flavour.link_at_end
    assert page(max_id=made[0]).json == [] and "Link" not in page(max_id=made[0]).fields


def test_marks_and_back(any_server):
    ann, ben = Client.of(any_server, "ann"), Client.of(any_server, "ben")
    status = ben.publish("words")
    for what, flag in (("favourite", "favourited"), ("bookmark", "bookmarked")):
        for _ in range(2):
            assert ann.post(f"/api/v1/statuses/{status}/{what}").json[flag]
        assert not ann.post(f"/api/v1/statuses/{status}/un{what}").json[flag]
        assert not ann.post(f"/api/v1/statuses/{status}/un{what}").json[flag]
    for _ in range(2):
        reblog = ann.post(f"/api/v1/statuses/{status}/reblog").json
        assert reblog["reblog"]["id"] == status and reblog["reblog"]["reblogged"] and reblog["reblog"]["reblogs_count"] == 1
    undone = ann.post(f"/api/v1/statuses/{status}/unreblog").json
    assert (undone["id"], undone["reblogged"], undone["reblogs_count"]) == (status, False, 0)
    assert [n["type"] for n in ben.get("/api/v1/notifications").json] == ["reblog", "favourite"]


def test_favourites_are_pages_by_their_own_cursors(server, ann):
    made = [server.act(server.world.publish, server.account("ben"), f"{n}") for n in range(3)]
    for status in (made[1], made[0], made[2]):
        ann.post(f"/api/v1/statuses/{status}/favourite")
    first = ann.get("/api/v1/favourites", limit=2)
    assert [s["id"] for s in first.json] == [made[2], made[0]]
    cursor = first.links["next"]["max_id"]
    assert cursor not in made
    assert [s["id"] for s in ann.get("/api/v1/favourites", limit=2, max_id=cursor).json] == [made[1]]


def test_a_conversation(any_server):
    ann, ben = Client.of(any_server, "ann"), Client.of(any_server, "ben")
    root = ann.publish("root")
    reply = ben.publish("@ann reply", in_reply_to_id=root)
    deeper = ann.publish("@ben deeper", in_reply_to_id=reply)
    other = ben.publish("@ann other", in_reply_to_id=root)
    context = ann.get(f"/api/v1/statuses/{reply}/context").json
    assert [s["id"] for s in context["ancestors"]] == [root] and [s["id"] for s in context["descendants"]] == [deeper]
    assert [s["id"] for s in ann.get(f"/api/v1/statuses/{root}/context").json["descendants"]] == [reply, deeper, other]
    secret = ben.publish("@ann psst", visibility="direct")
    [conversation] = ann.get("/api/v1/conversations").json
    assert conversation["unread"] and conversation["last_status"]["id"] == secret
    assert not ann.post(f"/api/v1/conversations/{conversation['id']}/read").json["unread"]
    ann.ask("DELETE", f"/api/v1/conversations/{conversation['id']}")
    assert ann.get("/api/v1/conversations").json == []


def test_following_muting_and_blocking(any_server):
    ann, ben = Client.of(any_server, "ann"), Client.of(any_server, "ben")
    ben_id, ann_id = any_server.account("ben"), any_server.account("ann")
    assert ann.post(f"/api/v1/accounts/{ben_id}/follow").json["following"]
    ben.publish("words")
    assert ann.home() == ["words"]
    assert ann.post(f"/api/v1/accounts/{ben_id}/mute").json["muting"] and ann.home() == []
    assert [a["id"] for a in ann.get("/api/v1/mutes").json] == [ben_id]
    assert not ann.post(f"/api/v1/accounts/{ben_id}/unmute").json["muting"] and ann.home() == ["words"]
    assert not ann.post(f"/api/v1/accounts/{ben_id}/unfollow").json["following"] and ann.home() == []
    assert ann.post(f"/api/v1/accounts/{ben_id}/block").json["blocking"]
    assert ben.post(f"/api/v1/accounts/{ann_id}/follow").status == 403
    assert not ann.post(f"/api/v1/accounts/{ben_id}/unblock").json["blocking"]
    any_server.world.accounts[ben_id].locked = True
    assert ann.post(f"/api/v1/accounts/{ben_id}/follow").json["requested"]
    assert [a["id"] for a in ben.get("/api/v1/follow_requests").json] == [ann_id]
    assert ben.post(f"/api/v1/follow_requests/{ann_id}/authorize").json["followed_by"]
    [relation] = ann.get("/api/v1/accounts/relationships", **{"id[]": ben_id}).json
    assert relation["following"] and not relation["requested"]


def test_markers(any_server):
    ann = Client.of(any_server, "ann")
    assert ann.get("/api/v1/markers", **{"timeline[]": "home"}).json == {}
    body = json.dumps({"home": {"last_read_id": "12"}})
    moved = ann.ask("POST", "/api/v1/markers", body=body, fields={"Content-Type": "application/json"}).json
    assert (moved["home"]["last_read_id"], moved["home"]["version"]) == ("12", 1)
    assert ann.ask("POST", "/api/v1/markers", {"home[last_read_id]": "13"}).json["home"]["version"] == 2
    assert ann.get("/api/v1/markers", **{"timeline[]": ["home", "notifications"]}).json["home"]["last_read_id"] == "13"


def test_lists(server, ann):
    ben = server.account("ben")
    made = ann.post("/api/v1/lists", title="Friends").json
    assert ann.ask("POST", f"/api/v1/lists/{made['id']}/accounts", {"account_ids[]": ben}).status == 404
    ann.post(f"/api/v1/accounts/{ben}/follow")
    ann.ask("POST", f"/api/v1/lists/{made['id']}/accounts", {"account_ids[]": ben})
    status = server.act(server.world.publish, ben, "for the list")
    ann.publish("not for it")
    assert [s["id"] for s in ann.get(f"/api/v1/timelines/list/{made['id']}").json] == [status]
    assert [a["id"] for a in ann.get(f"/api/v1/lists/{made['id']}/accounts").json] == [ben]
    ann.ask("DELETE", f"/api/v1/lists/{made['id']}/accounts", {"account_ids[]": ben})
    assert ann.get(f"/api/v1/timelines/list/{made['id']}").json == []
    assert ann.ask("PUT", f"/api/v1/lists/{made['id']}", {"title": "Foes"}).json["title"] == "Foes"
    ann.ask("DELETE", f"/api/v1/lists/{made['id']}")
    assert ann.get("/api/v1/lists").json == []


def test_notifications(server, ann):
    ben = Client.of(server, "ben")
    status = ann.publish("words")
    ben.post(f"/api/v1/statuses/{status}/favourite")
    mention = ben.publish("@ann hello")
    ben.post(f"/api/v1/accounts/{server.account('ann')}/follow")
    assert [n["type"] for n in ann.get("/api/v1/notifications").json] == ["follow", "mention", "favourite"]
    [note] = ann.get("/api/v1/notifications", **{"types[]": "mention"}).json
    assert note["status"]["id"] == mention and ann.get(f"/api/v1/notifications/{note['id']}").json == note
    assert [n["type"] for n in ann.get("/api/v1/notifications", **{"exclude_types[]": ["follow", "mention"]}).json] == ["favourite"]
    ann.post(f"/api/v1/notifications/{note['id']}/dismiss")
    assert len(ann.get("/api/v1/notifications").json) == 2
    ann.post("/api/v1/notifications/clear")
    assert ann.get("/api/v1/notifications").json == []


def test_search(server, ann):
    status = ann.publish("a needle in #Hay")
    found = ann.get("/api/v2/search", q="needle").json
    assert [s["id"] for s in found["statuses"]] == [status] and found["accounts"] == []
    shown = ann.get(f"/api/v1/statuses/{status}").json
    assert [s["id"] for s in ann.get("/api/v2/search", q=shown["url"], resolve="true").json["statuses"]] == [status]
    assert [a["username"] for a in ann.get("/api/v2/search", q="@ben", type="accounts").json["accounts"]] == ["ben"]
    assert [t["name"] for t in ann.get("/api/v2/search", q="#ha").json["hashtags"]] == ["hay"]


def test_which_servers_give_several_statuses_at_once(any_server):
    ann = Client.of(any_server, "ann")
    made = [ann.publish(f"{n}") for n in range(2)]
    answer = ann.get("/api/v1/statuses", **{"id[]": [*made, "nothing"]})
    if any_server.flavour in (MASTODON_4_5, AKKOMA):
        assert [s["id"] for s in answer.json] == made
    else:
        assert answer.status == 404


def test_media(any_server):
    ann = Client.of(any_server, "ann")
    uploaded = ann.ask("POST", "/api/v2/media", fields={"Content-Type": MULTIPART}, body=PICTURE)
    assert uploaded.status == (202 if any_server.flavour in (AKKOMA, PIXELFED) else 200) and uploaded.json["description"] == "a dot"
    assert (uploaded.json["url"] is None) == (any_server.flavour is PIXELFED)
    media = uploaded.json["id"]
    asked = ann.get(f"/api/v1/media/{media}")
    assert asked.status == 200 and asked.json["url"].endswith(media)
    assert ann.ask("PUT", f"/api/v1/media/{media}", {"description": "a spot"}).json["description"] == "a spot"
    status = ann.publish("", **{"media_ids[]": media})
    assert [m["id"] for m in ann.get(f"/api/v1/statuses/{status}").json["media_attachments"]] == [media]
    assert ann.get(f"/system/media/{media}").body == b"PNG"
    text = PICTURE.replace(b"image/png", b"text/plain")
    assert ann.ask("POST", "/api/v2/media", fields={"Content-Type": MULTIPART}, body=text).status == 422
    large = PICTURE.replace(b"PNG", b"P" * (IMAGE_BYTES + 1))
    assert ann.ask("POST", "/api/v2/media", fields={"Content-Type": MULTIPART}, body=large).status == 422


def test_filters(any_server):
    ann = Client.of(any_server, "ann")
    made = ann.ask("POST", "/api/v2/filters", {"title": "Sport", "context[]": "home", "filter_action": "hide",
                                               "keywords_attributes[][keyword]": "goal"})
    old = ann.ask("POST", "/api/v1/filters", {"phrase": "match", "context[]": "home"})
    version = any_server.flavour.filters
    assert (made.status, old.status) == (200 if version == 2 else 404, 200 if version else 404)
    if version == 2:
        status = ann.publish("What a goal")
        [found] = ann.get(f"/api/v1/statuses/{status}").json["filtered"]
        assert (found["filter"]["filter_action"], found["keyword_matches"]) == ("hide", ["goal"])
        ann.ask("DELETE", f"/api/v2/filters/{made.json['id']}")
        assert ann.get(f"/api/v1/statuses/{status}").json["filtered"] == []


def test_what_a_server_says_of_itself(any_server):
    client, flavour = Client(any_server), any_server.flavour
    old = client.get("/api/v1/instance").json
    assert (old["uri"], old["version"]) == (any_server.host, flavour.version)
    new = client.get("/api/v2/instance")
    assert new.status == (404 if flavour is AKKOMA else 200)
    if flavour is AKKOMA:
        assert old["max_toot_chars"] == 5000 and "configuration" not in old
    else:
        assert new.json["configuration"]["statuses"]["max_characters"] == flavour.max_characters
        assert new.json.get("api_versions") == ({"mastodon": 7} if flavour is MASTODON_4_5 else None)
    streams = old["urls"]["streaming_api"]
    assert streams == ("" if flavour is PIXELFED else any_server.stream_url)
    finger = client.get("/.well-known/webfinger", resource=f"acct:ann@{any_server.host}").json
    assert finger["subject"] == f"acct:ann@{any_server.host}"
    assert any_server.origin in client.get("/.well-known/host-meta").body.decode()
    own = Client.of(any_server, "ann").get("/api/v1/accounts/verify_credentials").json
    assert own["username"] == "ann" and ("uri" in own) == flavour.name.startswith("mastodon")


FIELDS = {
    MASTODON_4_2: "2026-11-18T11:10:00.000Z", MASTODON_4_5: "2026-11-18T11:10:00.000Z", GOTOSOCIAL: "2026-11-18T11:10:00.000Z",
    AKKOMA: None, PIXELFED: None,
}


def test_rate_limits(any_server):
    flavour = any_server.flavour
    any_server.limits.most = 2
    ann = Client.of(any_server, "ann")
    first = ann.get("/api/v1/timelines/home")
    assert first.fields.get("X-RateLimit-Remaining") == ("1" if flavour.limit_fields else None)
    assert first.fields.get("X-RateLimit-Reset") == FIELDS[flavour]
    ann.get("/api/v1/timelines/home")
    refused = ann.get("/api/v1/timelines/home")
    end = NOW // 300 * 300 + 300
    assert refused.status == 429 and refused.fields["X-RateLimit-Remaining"] == "0"
    assert refused.fields["X-RateLimit-Reset"] == (str(int(end)) if flavour is PIXELFED else "2026-11-18T11:10:00.000Z")
    assert refused.fields.get("Retry-After") == (str(int(end - NOW)) if flavour is PIXELFED else None)
    assert Client.of(any_server, "ben").get("/api/v1/timelines/home").status == 200
    any_server.act(any_server.world.clock.advance, 300)
    assert ann.get("/api/v1/timelines/home").status == 200


def test_the_date_is_the_servers(server, ann):
    assert email.utils.parsedate_to_datetime(ann.get("/api/v1/instance").fields["Date"]).timestamp() == NOW
    server.act(server.world.clock.advance, -7200)
    assert email.utils.parsedate_to_datetime(ann.get("/api/v1/instance").fields["Date"]).timestamp() == NOW - 7200
