"""Streams: WebSocket as the `websockets` library reads it, and server-sent events byte for byte."""

import http.client
import json
import pathlib
import ssl

import pytest
from client import Client
from fediverse.flavours import AKKOMA, GOTOSOCIAL, MASTODON_4_2, MASTODON_4_5, PIXELFED
from websockets.exceptions import InvalidStatus
from websockets.sync.client import connect

RECORDED = pathlib.Path(__file__).resolve().parents[1] / "Fixtures/mastodon/streams"


class Events:
    """The server-sent events of a path."""

    def __init__(self, client, path):
        context = ssl.create_default_context(cafile=client.server.authority)
        self.connection = http.client.HTTPSConnection("localhost", client.server.port, context=context, timeout=30)
        self.connection.request("GET", path, headers={"Authorization": f"Bearer {client.token}"})
        self.response = self.connection.getresponse()

    def lines(self, count):
        return [self.response.readline() for _ in range(count)]

    def close(self):
        self.connection.close()


def socket(client, path="/api/v1/streaming", **options):
    tls = ssl.create_default_context(cafile=client.server.authority)
    fields = {"Authorization": f"Bearer {client.token}"} if "subprotocols" not in options and "access_token" not in path else {}
    return connect(f"wss://localhost:{client.server.port}{path}", ssl=tls, additional_headers=fields, proxy=None, **options)


def wait_for_streams(server, count, channels=1):
    """Asks the server until so many streams are open, each with so many channels."""
    for _ in range(20_000):
        seen = server.act(lambda: [len(c.channels) for c in server.streams.open])
        if len(seen) == count and all(n == channels for n in seen):
            return
    raise AssertionError(f"streams that are open, with so many channels: {seen}")


def test_a_socket_tells_what_happens_in_order(server, ann):
    ben = server.account("ben")
    server.act(server.world.follow, server.account("ann"), ben)
    with socket(ann, "/api/v1/streaming?stream=user") as stream:
        wait_for_streams(server, 1)
        status = server.act(server.world.publish, ben, "@ann hello")
        server.act(server.world.edit, status, "@ann hello!")
        server.act(server.world.delete, status)
        events = [json.loads(stream.recv(30)) for _ in range(4)]
    assert [(e["stream"], e["event"]) for e in events] == [
        (["user"], "update"), (["user"], "notification"), (["user"], "status.update"), (["user"], "delete")]
    assert json.loads(events[0]["payload"])["content"].endswith("hello</p>")
    assert json.loads(events[1]["payload"])["type"] == "mention"
    assert events[3]["payload"] == status
    ann.close()


def test_a_socket_subscribes_and_unsubscribes(server, ann):
    ann_id, ben = server.account("ann"), server.account("ben")
    made = ann.post("/api/v1/lists", title="Friends").json["id"]
    server.act(server.world.follow, ann_id, ben)
    ann.ask("POST", f"/api/v1/lists/{made}/accounts", {"account_ids[]": ben})
    with socket(ann) as stream:
        for channel in ({"stream": "direct"}, {"stream": "list", "list": made}, {"stream": "hashtag", "tag": "News"}):
            stream.send(json.dumps({"type": "subscribe", **channel}))
        wait_for_streams(server, 1, channels=3)
        server.act(server.world.publish, ben, "some #news")
        server.act(server.world.publish, ben, "@ann psst", visibility="direct")
        events = [json.loads(stream.recv(30)) for _ in range(4)]
        assert [e["stream"] for e in events] == [["list", made], ["hashtag", "News"], ["list", made], ["direct"]]
        stream.send(json.dumps({"type": "unsubscribe", "stream": "list", "list": made}))
        stream.send(json.dumps({"type": "subscribe", "stream": "nothing"}))
        assert json.loads(stream.recv(30)) == {"error": "Unknown stream type", "status": 400}
        server.act(server.world.publish, ben, "more #news")
        assert json.loads(stream.recv(30))["stream"] == ["hashtag", "News"]


@pytest.mark.parametrize("flavour", [MASTODON_4_5, GOTOSOCIAL, AKKOMA], ids=lambda f: f.name)
def test_where_a_socket_takes_the_token(start, flavour):
    ann = Client.of(start(flavour), "ann")
    with socket(ann, subprotocols=[ann.token]) as stream:
        assert stream.subprotocol == ann.token
    with socket(ann, f"/api/v1/streaming?access_token={ann.token}"):
        pass
    if flavour is not AKKOMA:
        with socket(ann):
            pass
    else:
        with pytest.raises(InvalidStatus) as refused:
            socket(ann)
        assert refused.value.response.status_code == 401


def test_filters_changed_has_no_payload(server, ann):
    with socket(ann, "/api/v1/streaming?stream=user") as stream:
        wait_for_streams(server, 1)
        ann.post("/api/v2/filters", title="Sport", **{"context[]": "home"})
        assert json.loads(stream.recv(30)) == {"stream": ["user"], "event": "filters_changed"}


def test_a_revoked_token_ends_its_streams(server, ann):
    app = next(iter(server.oauth.apps.values()))
    with socket(ann, "/api/v1/streaming?stream=user") as stream:
        wait_for_streams(server, 1)
        ann.post("/oauth/revoke", token=ann.token, client_id=app.client_id, client_secret=app.secret)
        with pytest.raises(Exception) as ended:
            stream.recv(30)
        assert type(ended.value).__name__ == "ConnectionClosedOK"


@pytest.mark.parametrize("flavour", [MASTODON_4_2, MASTODON_4_5], ids=lambda f: f.name)
def test_server_sent_events_are_written_as_they_were_recorded(start, flavour):
    server = start(flavour)
    ann = Client.of(server, "ann")
    events = Events(ann, "/api/v1/streaming/user")
    wait_for_streams(server, 1)
    status = server.act(server.world.publish, server.account("ann"), "words")
    server.act(server.world.delete, status)
    ann.post("/api/v2/filters", title="Sport", **{"context[]": "home"})
    server.act(server.streams.thump)
    first, event, data, *rest = events.lines(11)
    recorded = (RECORDED / "test_stream_user_direct.11.sse").read_bytes().splitlines(keepends=True)
    assert [first, event] == recorded[:2] == [b":)\n", b"event: update\n"]
    assert json.loads(data.removeprefix(b"data: "))["id"] == status
    assert rest == [
        b"\n", b"event: delete\n", b"data: %s\n" % status.encode(), b"\n", b"event: filters_changed\n", b"data: undefined\n", b"\n",
        b":thump\n"]
    assert {b"event: delete\n", b":thump\n", b"data: 117440836281096378\n"} <= set(recorded)
    assert events.response.getheader("Content-Type") == "text/event-stream"
    events.close()


@pytest.mark.parametrize("flavour", [GOTOSOCIAL, AKKOMA, PIXELFED], ids=lambda f: f.name)
def test_only_mastodon_has_server_sent_events(start, flavour):
    assert Client.of(start(flavour), "ann").get("/api/v1/streaming/user").status == 404


def test_pixelfed_has_no_streams(start):
    with pytest.raises(InvalidStatus):
        socket(Client.of(start(PIXELFED), "ann"))


def test_a_stream_needs_a_token_of_its_scope(server):
    assert Client(server).get("/api/v1/streaming/user").json == {"error": "Missing access token"}
    assert Client(server, "wrong").get("/api/v1/streaming/user").status == 401
    assert Client.of(server, "ann", "write").get("/api/v1/streaming/user").status == 401
    assert Client(server).get("/api/v1/streaming/health").body == (RECORDED / "test_stream_healthy.2.sse").read_bytes()
