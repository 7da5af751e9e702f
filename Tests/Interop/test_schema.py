"""Guarantees of the schema for every client: numbers below 2^53, pages of lists, required fields, and unknown frames."""

import contextlib
import json
import os
import queue

import cases
import grpc
import pytest
from google.rpc import error_details_pb2
from grpc_status import rpc_status

LARGEST = 1 << 53  # above every integer that a JSON number holds exactly
UNKNOWN_FRAME = bytes([0x7A, 3, 0x0A, 1, 0x61])  # a ClientFrame with field 15, which is not assigned yet
MUTED = 2_600 if os.environ.get("STACK_TESTS") else 1_400
MEBIBYTE = 1 << 20
# Every List* method, with the fields of its request, and the field of its response with the items.
LISTS = {
    "ListAccounts": ("account", {}, "accounts"),
    "ListPeople": ("account", {}, "people"),
    "ListTokens": ("account", {}, "tokens"),
    "ListDrafts": ("timeline", {}, "drafts"),
    "ListOutbox": ("timeline", {}, "entries"),
    "ListImports": ("timeline", {}, "imports"),
    "ListSessions": ("stack", {}, "sessions"),
    "ListFollowing": ("list", {}, "authors"),
    "ListFollowers": ("list", {}, "authors"),
    "ListFollowRequests": ("list", {}, "requests"),
    "ListLists": ("list", {}, "lists"),
    "ListMembers": ("list", {"list": "harbour"}, "authors"),
    "ListMuted": ("list", {}, "items"),
    "ListSources": ("source", {}, "sources"),
}


class Failed(Exception):
    """A call that did not end with OK: its code, its reason and the invalid fields."""

    def __init__(self, error):
        super().__init__(error.details())
        self.code, self.reason, self.fields = error.code().name, "", []
        status = rpc_status.from_call(error)
        for detail in status.details if status else ():
            info, bad = error_details_pb2.ErrorInfo(), error_details_pb2.BadRequest()
            if detail.Unpack(info):
                self.reason = info.reason
            if detail.Unpack(bad):
                self.fields += [violation.field for violation in bad.field_violations]

    def summary(self):
        return self.code, self.reason, self.fields


def check_numbers(message):
    """Checks that every number of a message, except those that use all bits, is below 2^53."""
    for field, value in message.ListFields():
        values = value if field.is_repeated else [value]
        if field.type == field.TYPE_MESSAGE:
            for each in values:
                check_numbers(each)
        elif field.type in (field.TYPE_UINT64, field.TYPE_SINT64, field.TYPE_INT64):
            assert all(abs(each) < LARGEST for each in values), f"{message.DESCRIPTOR.name}.{field.name}: {value}"


class Client:
    """Calls methods by name, and checks the numbers of each response."""

    def __init__(self, target, schema, token=None):
        self.schema, self.channel = schema, grpc.insecure_channel(target)
        self.metadata = [("authorization", f"Bearer {token}")] if token else []

    def method(self, service, name):
        """Returns the stub's method and its request type."""
        stub = getattr(getattr(self.schema, f"{service}_rpc"), f"{service.capitalize()}ServiceStub")(self.channel)
        return getattr(stub, name), getattr(getattr(self.schema, service), f"{name}Request")

    def __call__(self, service, name, /, **fields):
        method, request = self.method(service, name)
        try:
            response = method(request(**fields), timeout=cases.DEADLINE, metadata=self.metadata)
        except grpc.RpcError as error:
            raise Failed(error) from None
        check_numbers(response)
        return response

    def fails(self, service, name, /, **fields):
        """Returns the failure of a call."""
        with pytest.raises(Failed) as raised:
            self(service, name, **fields)
        return raised.value.summary()

    def all(self, service, name, items, /, **fields):
        """Returns every item of a list, and the responses that contained them."""
        pages, token = [], ""
        while not pages or token:
            pages.append(self(service, name, page_token=token, **fields))
            token = pages[-1].next_page_token
        return [item for page in pages for item in getattr(page, items)], pages

    def write(self, text, **fields):
        """Writes a public post and returns its ID."""
        return self("timeline", "Compose", text=text, visibility=self.schema.types.VISIBILITY_PUBLIC, **fields).post_id

    def rows(self, **fields):
        """Returns rows in the width of a terminal."""
        return self("view", "GetRows", layout=self.schema.types.Layout(width=80, height=24), **fields)

    def subject(self, **kind):
        return self.schema.types.Subject(**kind)

    def hello(self, **fields):
        return self.schema.frames.Hello(layout=self.schema.types.Layout(width=80, height=24), **fields)

    @contextlib.contextmanager
    def watch(self, **fields):
        """Yields a function that returns the next frame of a view."""
        request = self.schema.view.WatchRequest(hello=self.hello(**fields))
        call = self.schema.view_rpc.ViewServiceStub(self.channel).Watch(request, timeout=cases.DEADLINE)

        def frame():
            found = next(call)
            check_numbers(found)
            return found

        yield frame
        call.cancel()

    @contextlib.contextmanager
    def attach(self):
        """Opens a view with raw bytes: yields a function that sends bytes, and the frames."""
        sent = queue.SimpleQueue()
        call = self.channel.stream_stream("/stack.v1.ViewService/Attach", None, self.schema.frames.ServerFrame.FromString)
        yield sent.put, call(iter(sent.get, None), timeout=cases.DEADLINE)
        sent.put(None)

    def import_posts(self, lines):
        """Imports posts, given as objects of JSON Lines."""
        messages = self.schema.timeline
        text = b"".join(json.dumps(line).encode() + b"\n" for line in lines)
        parts = [messages.ImportRequest(header=messages.ImportHeader(format="jsonl")),
                 messages.ImportRequest(file=messages.ImportFile(name="posts.jsonl", size=len(text)))]
        parts += [messages.ImportRequest(chunk=text[at:at + 65_536]) for at in range(0, len(text), 65_536)]
        *_, report = self.schema.timeline_rpc.TimelineServiceStub(self.channel).Import(iter(parts), timeout=cases.DEADLINE)
        check_numbers(report)
        assert report.done and report.skipped == 0, report


@pytest.fixture(scope="module")
def own_daemon(run_daemon):
    """A daemon with upstream programs that read everything and never reply."""
    with run_daemon("--upstream", "far=/usr/bin/wc -l", "--upstream", "feed=/usr/bin/wc -l") as daemon:
        yield daemon


@pytest.fixture(scope="module")
def target(own_daemon):
    return f"unix:{own_daemon.path}"


@pytest.fixture
def client(target, schema):
    made = Client(target, schema)
    yield made
    made.channel.close()


def author(number, **fields):
    """Returns a post by an author of the source `many`."""
    person = {"id": f"a{number}", "handle": f"h{number:04}"} | fields
    return {"source": "many", "id": str(number), "created_at": 1_700_000_000_000 + number * 60_000, "author": person, "text": f"post {number}"}


@pytest.fixture(scope="module")
def full(own_daemon, target, schema):
    """A client of a daemon with some items in every list."""
    client = Client(target, schema)
    for first in (0, 4, 8):
        client.import_posts(author(number) for number in range(first, first + 4))
    # Accounts made while the policy is open follow the client's; later ones have to ask.
    client("account", "SetFollowPolicy", follows=schema.types.FOLLOW_POLICY_OPEN)
    for name in ("ann", "bea", "cat"):
        client("account", "CreateAccount", name=name)
        client("account", "IssueToken", name=name, scopes=[schema.account.SCOPE_VIEW])
        client("timeline", "SaveDraft", request_id=name, text=f"for {name}")
        client("list", "CreateList", name=f"{name}s")
        client.write(f"to {name}", source="far")
    client("account", "SetFollowPolicy", follows=schema.types.FOLLOW_POLICY_ASK)
    own = client("account", "WhoAmI").account.name
    for name in ("dan", "eve", "fay"):
        client("account", "CreateAccount", name=name)
        token = client("account", "IssueToken", name="ask", account=name, scopes=[schema.account.SCOPE_POST]).token
        asking = Client(f"{own_daemon.host}:{own_daemon.port}", schema, token)
        assert asking("list", "Follow", author=f"@{own}").pending
        asking.channel.close()
    client("list", "CreateList", name="harbour")
    for number in range(4):
        client("list", "AddToList", list="harbour", author=f"many:a{number}")
        client("list", "Follow", author=f"many:a{number}")
        client("list", "Mute", author=f"many:a{4 + number}")
        client("list", "Block", author=f"many:a{8 + number}")
        client("list", "MuteWord", word=f"word{number}")
        client("source", "AddFeed", url=f"https://example.org/{number}.xml")
        client("stack", "Open", section=schema.types.SECTION_MENTIONS, command=schema.stack.SessionCommand(session=f"desk {number}"))
    # Entries change until the source has been asked for all of them.
    while not all(entry.asked for entry in client("timeline", "ListOutbox").entries):
        pass
    yield client
    client.channel.close()


# Lists.


def test_every_list_is_covered(schema):
    services = [getattr(schema, name).DESCRIPTOR.services_by_name.values() for name in ("account", "daemon", "list", "source", "stack", "timeline", "view")]
    methods = {method.name for found in services for service in found for method in service.methods}
    assert {name for name in methods if name.startswith("List")} == set(LISTS)


@pytest.mark.parametrize("name", LISTS)
def test_pages_of_one_have_each_item_once_and_in_order(full, name):
    service, fields, items = LISTS[name]
    whole, pages = full.all(service, name, items, **fields)
    assert len(whole) > 2 and len(pages) == 1
    found, pages = full.all(service, name, items, page_size=1, **fields)
    assert found == whole and all(len(getattr(page, items)) <= 1 for page in pages)
    # A size above the limit means the limit.
    assert full.all(service, name, items, page_size=4_000_000_000, **fields)[0] == whole


@pytest.mark.parametrize("name", LISTS)
def test_a_foreign_page_token_is_refused(full, name):
    service, fields, _ = LISTS[name]
    other = "ListAccounts" if name != "ListAccounts" else "ListMuted"
    token = full(LISTS[other][0], other, page_size=1, **LISTS[other][1]).next_page_token
    for wrong in (token, "?", "x" * 200):
        assert full.fails(service, name, page_token=wrong, **fields) == ("INVALID_ARGUMENT", "INVALID_FIELD", ["page_token"])


def test_muted_items_are_sorted_by_kind(full):
    items, _ = full.all("list", "ListMuted", "items", page_size=5)
    assert [item.WhichOneof("kind") for item in items] == ["author"] * 4 + ["blocked_author"] * 4 + ["word"] * 4
    assert [item.author.handle for item in items[:4]] == ["h0004", "h0005", "h0006", "h0007"]
    assert [item.word for item in items[8:]] == ["word0", "word1", "word2", "word3"]


def test_changes_between_two_pages_affect_no_other_items(full):
    first = full("list", "ListMembers", list="harbour", page_size=2)
    full("list", "RemoveFromList", list="harbour", author="many:a1")  # the last of that page
    full("list", "AddToList", list="harbour", author="many:a11")
    second = full("list", "ListMembers", list="harbour", page_token=first.next_page_token)
    full("list", "RemoveFromList", list="harbour", author="many:a11")
    full("list", "AddToList", list="harbour", author="many:a1")
    assert [each.handle for each in [*first.authors, *second.authors]] == ["h0000", "h0001", "h0002", "h0003", "h0011"]
    assert second.list.name == "harbour" and not second.next_page_token


def test_thousands_of_authors_with_long_avatar_urls_can_be_listed(run_daemon, schema):
    with run_daemon() as daemon:
        client = Client(f"unix:{daemon.path}", schema)
        address = "https://example.org/" + "a" * 2_000
        client.import_posts(author(number, avatar=address) for number in range(MUTED))
        mute, request = client.method("list", "Mute")
        calls = [mute.future(request(author=f"many:a{number}"), timeout=cases.DEADLINE) for number in range(MUTED)]
        assert all(call.result().changed for call in calls)
        items, pages = client.all("list", "ListMuted", "items")
        assert [item.author.handle for item in items] == [f"h{number:04}" for number in range(MUTED)]
        assert all(item.author.avatar_url == address for item in items)
        assert len(pages) > MUTED // 650 and all(page.ByteSize() < 1.25 * MEBIBYTE and len(page.items) <= 1_000 for page in pages)
        client.channel.close()


# Required fields.


def test_a_post_needs_a_visibility(client, schema):
    def posts():
        return [row.row.row_id for row in client.rows(subject=client.subject(section=schema.types.SECTION_PROFILE)).rows]

    before = posts()
    assert client.fails("timeline", "Compose", text="for whom?") == ("INVALID_ARGUMENT", "INVALID_FIELD", ["visibility"])
    assert posts() == before
    number = client.write("for everybody")
    (row,) = client.rows(subject=client.subject(post=str(number))).rows
    assert row.row.visibility == schema.types.VISIBILITY_PUBLIC


def test_invalid_subjects_are_refused(client, schema):
    push = schema.stack.PushRequest
    wrong = ("INVALID_ARGUMENT", "INVALID_FIELD")
    assert client.fails("stack", "Push") == (*wrong, ["subject"])
    assert client.fails("stack", "Push", subject=client.subject(section=schema.types.SECTION_LISTS)) == (*wrong, ["subject"])
    assert client.fails("stack", "Push", subject=client.subject(post="1")) == (*wrong, ["subject"])
    assert client.fails("stack", "Replace", push=push()) == (*wrong, ["push.subject"])
    bad = client.subject(search="long is:nonsense")
    assert client.fails("view", "GetRows", layout=schema.types.Layout(width=80, height=24), subject=bad) == (*wrong, ["subject.search"])


def test_missing_objects_have_a_reason_and_no_field(client):
    layout = client.schema.types.Layout(width=80, height=24)
    gone = ("NOT_FOUND", "NO_SUCH_OBJECT", [])
    assert client.fails("view", "GetRows", layout=layout, anchor_row=4_711_000) == gone
    assert client.fails("view", "GetRows", layout=layout, filter="is:unread", session="nobody opened this") == gone
    for subject in ({"post": "4711000"}, {"conversation": "x"}, {"author": "@nobody"}, {"list": "none"}, {"direct": 4_711_000}):
        assert client.fails("view", "GetRows", layout=layout, subject=client.subject(**subject)) == gone


def test_a_repeated_repost_returns_the_first_one(client, schema):
    post = str(client.write("worth saying twice"))
    again = {"post": post, "kind": schema.types.MARK_KIND_REPOST, "request_id": "one repost"}
    first = client("timeline", "Mark", **again)
    second = client("timeline", "Mark", **again)
    assert first.changed and first.repost_id and (second.changed, second.repost_id) == (False, first.repost_id)
    client("timeline", "Mark", post=post, kind=schema.types.MARK_KIND_REPOST, unmark=True)
    third = client("timeline", "Mark", **again)
    assert (third.changed, third.repost_id) == (False, 0)


def test_an_untouched_session_has_a_revision(client, schema):
    with client.watch(session="untouched") as frame:
        revision = frame().session_revision
        assert revision > 0
        stale = schema.stack.SessionCommand(session="untouched", if_revision=revision + 1_000_000)
        assert client.fails("stack", "Open", command=stale, section=schema.types.SECTION_MENTIONS)[0] == "ABORTED"
        command = schema.stack.SessionCommand(session="untouched", if_revision=revision)
        client("stack", "Open", command=command, section=schema.types.SECTION_MENTIONS)


# Views.


def test_view_ids_differ_after_a_restart(schema, run_on, tmp_path):
    numbers = []
    for _ in range(2):
        with run_on(tmp_path / "store.db") as daemon:
            client = Client(f"unix:{daemon.path}", schema)
            for _ in range(2):
                with client.watch() as frame:
                    numbers.append(frame().welcome.view_id)
            # An ID of the previous run moves no view.
            if len(numbers) == 4:
                viewport = schema.frames.Viewport(generation=1)
                assert client.fails("view", "MoveViewport", view_id=numbers[0], viewport=viewport)[:2] == ("NOT_FOUND", "NO_SUCH_OBJECT")
            client.channel.close()
    assert len(set(numbers)) == 4 and all(0 < number < LARGEST for number in numbers)


@pytest.mark.parametrize("unknown", [UNKNOWN_FRAME, b""], ids=["unknown", "empty"])
def test_an_unknown_frame_is_skipped_after_hello(client, schema, unknown):
    with client.attach() as (send, frames):
        send(schema.frames.ClientFrame(hello=client.hello(subject=client.subject(section=schema.types.SECTION_TIMELINE))).SerializeToString())
        first = next(frames)
        assert first.number == 1 and first.HasField("welcome")
        send(unknown)
        send(schema.frames.ClientFrame(ack=schema.frames.Ack(frame=1)).SerializeToString())
        send(schema.frames.ClientFrame(viewport=schema.frames.Viewport(generation=7)).SerializeToString())
        for frame in frames:
            send(schema.frames.ClientFrame(ack=schema.frames.Ack(frame=frame.number)).SerializeToString())
            if frame.viewport_generation == 7:
                break
        send(schema.frames.ClientFrame(bye=schema.frames.Bye()).SerializeToString())
        assert not [frame for frame in frames if frame.HasField("welcome")]
        assert frames.code() is grpc.StatusCode.OK


@pytest.mark.parametrize("unknown", [UNKNOWN_FRAME, b""], ids=["unknown", "empty"])
def test_a_stream_that_begins_with_an_unknown_frame_fails(client, unknown):
    with client.attach() as (send, frames):
        send(unknown)
        with pytest.raises(grpc.RpcError) as raised:
            next(frames)
        assert raised.value.code() is grpc.StatusCode.FAILED_PRECONDITION
