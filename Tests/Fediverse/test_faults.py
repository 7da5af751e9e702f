"""Each fault occurs where the script says so, as a plain HTTP client sees it."""

import email.utils
import gzip
import http.client
import json
import ssl

import pytest
from client import Client
from conftest import NOW
from fediverse.faults import FAULTS
from test_streams import Events, socket, wait_for_streams
from websockets.exceptions import ConnectionClosedError, InvalidStatus

HOME = "GET /api/v1/timelines/home"
POST = "POST /api/v1/statuses"
SHOWN = {}  # fault -> test


def shows(name):
    """Marks the test of a fault: it has to occur in it."""

    def register(test):
        def run(server, ann):
            test(server, ann)
            assert name in {happened for happened, _ in server.faults.happened}

        run.__name__ = f"test_{name.replace('-', '_')}"
        SHOWN[name] = run
        globals()[run.__name__] = run
        return run

    return register


def test_every_fault_has_a_test():
    assert SHOWN.keys() == FAULTS.keys()


def texts(ann):
    return [s["content"] for s in ann.get(f"/api/v1/accounts/{ann.server.account('ann')}/statuses").json]


# Instead of an answer

@shows("answer")
def _(server, ann):
    server.faults.add("answer", POST, times=1, status=503)
    server.faults.add("answer", HOME, times=1, status=410, json={"error": "gone"}, fields={"Retry-After": "7"})
    assert ann.post("/api/v1/statuses", status="words").status == 503
    assert texts(ann) == []
    gone = ann.get("/api/v1/timelines/home")
    assert (gone.status, gone.json, gone.fields["Retry-After"]) == (410, {"error": "gone"}, "7")
    assert ann.get("/api/v1/timelines/home").status == 200


@shows("rate-limited")
def _(server, ann):
    expected = {
        "iso": ("X-RateLimit-Reset", "2026-11-18T11:08:40.000Z"), "unix": ("X-RateLimit-Reset", str(int(NOW) + 120)),
        "seconds": ("Retry-After", "120"), "date": ("Retry-After", email.utils.formatdate(NOW + 120, usegmt=True)),
    }
    for form, (name, value) in expected.items():
        server.faults.add("rate-limited", HOME, times=1, form=form, after=120)
        refused = ann.get("/api/v1/timelines/home")
        assert (refused.status, refused.fields[name]) == (429, value)


@shows("redirect")
def _(server, ann):
    server.faults.add("redirect", HOME, times=1, status=307, to="https://elsewhere.example")
    answer = ann.get("/api/v1/timelines/home", limit=5)
    assert (answer.status, answer.fields["Location"]) == (307, "https://elsewhere.example/api/v1/timelines/home?limit=5")


@shows("cut-before")
def _(server, ann):
    server.faults.add("cut-before", POST, times=1)
    with pytest.raises((OSError, http.client.HTTPException)):
        ann.post("/api/v1/statuses", status="words")
    assert texts(ann) == []


@shows("building")
def _(server, ann):
    ann.publish("words")
    server.faults.add("building", HOME, times=2)
    assert [ann.get("/api/v1/timelines/home").status for _ in range(3)] == [206, 206, 200]


# After it was done

@shows("lost-answer")
def _(server, ann):
    server.faults.add("lost-answer", POST, times=1)
    answer = ann.post("/api/v1/statuses", status="words")
    assert answer.status == 504 and b"<html>" in answer.body
    assert texts(ann) == ["<p>words</p>"]


@shows("cut-after")
def _(server, ann):
    server.faults.add("cut-after", POST, times=1)
    with pytest.raises((OSError, http.client.HTTPException)):
        ann.post("/api/v1/statuses", status="words")
    assert texts(ann) == ["<p>words</p>"]


@shows("not-json")
def _(server, ann):
    server.faults.add("not-json", HOME, times=1)
    answer = ann.get("/api/v1/timelines/home")
    assert (answer.status, answer.fields.get_content_type()) == (200, "text/html")
    with pytest.raises(ValueError):
        answer.json


@shows("short-body")
def _(server, ann):
    server.faults.add("short-body", "GET /api/v1/instance", times=1)
    with pytest.raises((OSError, http.client.IncompleteRead)):
        ann.get("/api/v1/instance")
    assert ann.get("/api/v1/instance").status == 200


@shows("one-byte")
def _(server, ann):
    server.faults.add("one-byte", "GET /api/v1/markers", times=1)
    context = ssl.create_default_context(cafile=server.authority)
    connection = http.client.HTTPSConnection("localhost", server.port, context=context)
    connection.request("GET", "/api/v1/markers", headers={"Authorization": f"Bearer {ann.token}"})
    response = connection.getresponse()
    assert (response.getheader("Transfer-Encoding"), response.read1(), response.read()) == ("chunked", b"{", b"}")
    connection.close()


@shows("huge")
def _(server, ann):
    server.faults.add("huge", HOME, times=1, bytes=1 << 20)
    answer = ann.get("/api/v1/timelines/home")
    assert len(answer.body) > 1 << 20 and answer.json == []


@shows("bomb")
def _(server, ann):
    server.faults.add("bomb", HOME, times=1, bytes=1 << 20)
    answer = ann.get("/api/v1/timelines/home")
    assert answer.fields["Content-Encoding"] == "gzip" and len(answer.body) < 1 << 12
    assert len(gzip.decompress(answer.body)) > 1 << 20


@shows("wrong-date")
def _(server, ann):
    server.faults.add("wrong-date", HOME, times=1, seconds=-5400)
    for offset in (-5400, 0):
        date = email.utils.parsedate_to_datetime(ann.get("/api/v1/timelines/home").fields["Date"])
        assert date.timestamp() == NOW + offset


@shows("link-missing")
def _(server, ann):
    ann.publish("words")
    server.faults.add("link-missing", HOME, times=1)
    assert ["Link" in ann.get("/api/v1/timelines/home").fields for _ in range(2)] == [False, True]


@shows("link-elsewhere")
def _(server, ann):
    ann.publish("words")
    server.faults.add("link-elsewhere", HOME, times=1, to="https://elsewhere.example")
    link = ann.get("/api/v1/timelines/home").fields["Link"]
    assert link.count("<https://elsewhere.example/api/v1/timelines/home?") == 2 and server.host not in link


@shows("link-repeats")
def _(server, ann):
    made = ann.publish("words")
    server.faults.add("link-repeats", HOME, times=1)
    assert ann.get("/api/v1/timelines/home", max_id=made + "9").links == {"next": {"max_id": made + "9"}}


# In what the server does

@shows("key-forgotten")
def _(server, ann):
    server.faults.add("key-forgotten", POST, times=1)
    fields = {"Idempotency-Key": "k"}
    made = [ann.ask("POST", "/api/v1/statuses", {"status": "words"}, fields).json["id"] for _ in range(3)]
    assert made[0] != made[1] == made[2]


@shows("short-memory")
def _(server, ann):
    made = [ann.publish(f"{n}") for n in range(5)]
    server.faults.add("short-memory", HOME, keep=3)
    assert [s["id"] for s in ann.get("/api/v1/timelines/home").json] == made[:1:-1]
    assert ann.get("/api/v1/timelines/home", max_id=made[2]).json == []
    assert ann.get(f"/api/v1/statuses/{made[0]}").status == 200


@shows("delete-on-leaving")
def _(server, ann):
    ben = server.account("ben")
    server.act(server.world.follow, server.account("ann"), ben)
    status = server.act(server.world.publish, ben, "words")
    server.faults.add("delete-on-leaving", f"POST /api/v1/accounts/{ben}/unfollow")
    with socket(ann, "/api/v1/streaming?stream=user") as stream:
        wait_for_streams(server, 1)
        ann.post(f"/api/v1/accounts/{ben}/unfollow")
        assert json.loads(stream.recv(30)) == {"stream": ["user"], "event": "delete", "payload": status}
    assert ann.get(f"/api/v1/statuses/{status}").status == 200


@shows("marker-conflict")
def _(server, ann):
    server.faults.add("marker-conflict", "POST /api/v1/markers", times=1)
    assert [ann.ask("POST", "/api/v1/markers", {"home[last_read_id]": "1"}).status for _ in range(2)] == [409, 200]


@shows("media-waits")
def _(server, ann):
    server.faults.add("media-waits", "POST /api/v2/media", times=1, polls=2)
    body = b'--x\r\nContent-Disposition: form-data; name="file"; filename="a.png"\r\nContent-Type: image/png\r\n\r\nPNG\r\n--x--\r\n'
    uploaded = ann.ask("POST", "/api/v2/media", fields={"Content-Type": "multipart/form-data; boundary=x"}, body=body)
    assert (uploaded.status, uploaded.json["url"]) == (202, None)
    media = uploaded.json["id"]
    assert ann.post("/api/v1/statuses", **{"media_ids[]": media}).status == 422
    assert [ann.get(f"/api/v1/media/{media}").status for _ in range(2)] == [206, 200]
    assert ann.post("/api/v1/statuses", **{"media_ids[]": media}).status == 200


# In streams

@shows("stream-refused")
def _(server, ann):
    server.faults.add("stream-refused", "stream /api/v1/streaming", bearer_only=True, status=401)
    with pytest.raises(InvalidStatus) as refused:
        socket(ann)
    assert refused.value.response.status_code == 401
    with socket(ann, subprotocols=[ann.token]):
        pass


@shows("stream-cut")
def _(server, ann):
    server.faults.add("stream-cut", "stream user")
    with socket(ann, "/api/v1/streaming?stream=user") as stream:
        wait_for_streams(server, 1)
        server.act(server.world.publish, server.account("ann"), "words")
        with pytest.raises(ConnectionClosedError):
            stream.recv(30)


@shows("stream-silent")
def _(server, ann):
    events = Events(ann, "/api/v1/streaming/user")
    wait_for_streams(server, 1)
    server.faults.add("stream-silent", times=1)
    server.act(server.streams.thump)
    server.act(server.streams.thump)
    server.act(server.world.publish, server.account("ann"), "words")
    assert events.lines(3) == [b":)\n", b":thump\n", b"event: update\n"]
    events.close()


def told(server, ann, count, statuses=("one", "two")):
    """Publishes statuses and returns what a WebSocket is told: (event, payload) for each of `count` messages."""
    with socket(ann, "/api/v1/streaming?stream=user") as stream:
        wait_for_streams(server, 1)
        for text in statuses:
            server.act(server.world.publish, server.account("ann"), text)
        messages = [json.loads(stream.recv(30)) for _ in range(count)]
    return [(m["event"], m["payload"]) for m in messages]


@shows("event-lost")
def _(server, ann):
    server.faults.add("event-lost", "stream user", times=1)
    [(event, payload)] = told(server, ann, 1)
    assert event == "update" and "two" in payload


@shows("event-twice")
def _(server, ann):
    server.faults.add("event-twice", "stream user", times=1)
    first, again, second = told(server, ann, 3)
    assert first == again != second


@shows("event-unknown")
def _(server, ann):
    server.faults.add("event-unknown", "stream user", times=1)
    assert [event for event, _ in told(server, ann, 3)] == ["something.new", "update", "update"]


@shows("event-garbled")
def _(server, ann):
    server.faults.add("event-garbled", "stream user", times=1)
    (_, garbled), (_, whole) = told(server, ann, 2)
    with pytest.raises(ValueError):
        json.loads(garbled)
    assert "two" in json.loads(whole)["content"]


@shows("event-huge")
def _(server, ann):
    server.faults.add("event-huge", "stream user", times=1, bytes=100_000)
    [(_, payload), _] = told(server, ann, 2)
    assert len(payload) > 100_000 and "one" in json.loads(payload)["content"]


@shows("event-split")
def _(server, ann):
    server.faults.add("event-split", "stream user", times=1, ends="\r")
    events = Events(ann, "/api/v1/streaming/user")
    wait_for_streams(server, 1)
    status = server.act(server.world.publish, server.account("ann"), "words")
    server.act(server.world.delete, status)
    text = b"".join(events.lines(3))
    assert text.startswith(b":)\nevent: update\rdata: {") and text.endswith(b"}\r\revent: delete\ndata: " + status.encode() + b"\n")
    events.close()
