"""Accounts and tokens, follows and lists, and the commands of a session: the same scenario with grpcio and with grpclib.

Each library is used through a `Caller`, which calls a method by the names of its service and itself, and reports errors by the name of
their code.
"""

import asyncio
import contextlib

import cases
import grpc
import grpclib.client
import pytest
from google.rpc import error_details_pb2, status_pb2


class Failed(Exception):
    """A call that did not end with OK."""

    def __init__(self, code, message, reason):
        super().__init__(f"{code}: {message}")
        self.code, self.message, self.reason = code, message, reason


def reason_of(details):
    """Returns the ErrorInfo's reason in the details of a status, which grpclib has unpacked; empty for none."""
    for detail in details:
        info = error_details_pb2.ErrorInfo()
        if isinstance(detail, error_details_pb2.ErrorInfo):
            return detail.reason
        if hasattr(detail, "Unpack") and detail.Unpack(info):
            return info.reason
    return ""


class GrpcioCaller:
    """Calls through grpcio."""

    def __init__(self, endpoint, schema):
        self.schema = schema
        self.options = {"metadata": endpoint.metadata, "timeout": cases.DEADLINE}
        self.channel = grpc.insecure_channel(endpoint.target)

    def __call__(self, service, method, request):
        stub = getattr(getattr(self.schema, f"{service}_rpc"), f"{service.capitalize()}ServiceStub")(self.channel)
        try:
            return getattr(stub, method)(request, **self.options)
        except grpc.RpcError as error:
            metadata = dict(error.trailing_metadata())
            status = status_pb2.Status.FromString(metadata.get("grpc-status-details-bin", b""))
            raise Failed(error.code().name, error.details(), reason_of(status.details)) from None

    @contextlib.contextmanager
    def watch(self, request):
        """Yields a function that returns the next frame of a view, and raises Failed once it has ended."""
        stub = self.schema.view_rpc.ViewServiceStub(self.channel)
        call = stub.Watch(request, **self.options)

        def frame():
            try:
                return next(call)
            except grpc.RpcError as error:
                raise Failed(error.code().name, error.details(), "") from None

        yield frame
        call.cancel()

    def close(self):
        self.channel.close()


class GrpclibCaller:
    """Calls through grpclib, on an event loop that runs during each call."""

    def __init__(self, endpoint, schema):
        self.schema = schema
        self.options = {"metadata": dict(endpoint.metadata), "timeout": cases.DEADLINE}
        self.loop = asyncio.new_event_loop()
        where = {"path": endpoint.path} if endpoint.path else {"host": endpoint.host, "port": endpoint.port}
        self.channel = self.loop.run_until_complete(self.connect(where))

    async def connect(self, where):
        return grpclib.client.Channel(**where)

    def run(self, awaitable):
        try:
            return self.loop.run_until_complete(asyncio.wait_for(awaitable, cases.DEADLINE))
        except grpclib.GRPCError as error:
            raise Failed(error.status.name, error.message, reason_of(error.details or [])) from None

    def __call__(self, service, method, request):
        stub = getattr(getattr(self.schema, f"{service}_grpclib"), f"{service.capitalize()}ServiceStub")(self.channel)
        return self.run(getattr(stub, method)(request, **self.options))

    @contextlib.contextmanager
    def watch(self, request):
        stub = self.schema.view_grpclib.ViewServiceStub(self.channel)
        stream = stub.Watch.open(**self.options)
        call = self.run(stream.__aenter__())
        self.run(call.send_message(request, end=True))

        is_open = True

        def frame():
            async def receive():
                message = await call.recv_message()
                if message is None:
                    await call.recv_trailing_metadata()
                return message

            nonlocal is_open
            try:
                return self.run(receive())
            except Failed:
                is_open = False
                raise

        yield frame
        if is_open:
            self.run(call.cancel())
        with contextlib.suppress(asyncio.CancelledError):
            self.run(stream.__aexit__(None, None, None))

    def close(self):
        self.channel.close()
        self.loop.run_until_complete(asyncio.sleep(0))
        self.loop.close()


@pytest.fixture
def daemon(run_daemon):
    """A separate daemon with default options."""
    with run_daemon() as daemon:
        yield daemon


@pytest.fixture(params=[GrpcioCaller, GrpclibCaller], ids=["grpcio", "grpclib"])
def caller(request, daemon, schema):
    """Returns a function that creates callers of one library: as the daemon's user, with a token, or signed out."""
    with contextlib.ExitStack() as stack:

        def caller(token=None, signed_out=False):
            endpoint = daemon.endpoint("unix" if token is None and not signed_out else "tcp")
            if endpoint.host:
                metadata = () if signed_out else (("authorization", f"Bearer {token}"),)
                endpoint = type(endpoint)(None, endpoint.host, endpoint.port, metadata)
            made = request.param(endpoint, schema)
            stack.callback(made.close)
            return made

        yield caller


def fails(code, call, *arguments):
    with pytest.raises(Failed) as raised:
        call(*arguments)
    assert raised.value.code == code
    return raised.value


def hello(schema, **layout):
    request = schema.view.WatchRequest()
    request.hello.layout.width, request.hello.layout.height = 120, 24
    for name, value in layout.items():
        setattr(request.hello.layout, name, value)
    return request


def public(schema, text):
    """Returns a request for a public post."""
    return schema.timeline.ComposeRequest(text=text, visibility=schema.types.VISIBILITY_PUBLIC)


def test_tokens(caller, schema):
    account = schema.account
    owner = caller()
    me = owner("account", "WhoAmI", account.WhoAmIRequest())
    assert set(me.scopes) == {account.SCOPE_VIEW, account.SCOPE_PANES, account.SCOPE_POST, account.SCOPE_ADMIN} and me.account.has_user
    owner("account", "CreateAccount", account.CreateAccountRequest(name="bot"))
    issued = owner("account", "IssueToken", account.IssueTokenRequest(name="test", scopes=[account.SCOPE_VIEW], account="bot"))
    bot = caller(issued.token)
    who = bot("account", "WhoAmI", account.WhoAmIRequest())
    assert (who.account.name, who.account.has_user, list(who.scopes), who.token_id) == ("bot", False, [1], issued.token_id)
    refused = fails("PERMISSION_DENIED", bot, "timeline", "Compose", public(schema, "no"))
    assert refused.reason == "MISSING_SCOPE" and "post" in refused.message
    assert fails("UNAUTHENTICATED", caller("stk_wrong"), "account", "WhoAmI", account.WhoAmIRequest()).reason == "BAD_TOKEN"
    tokens = owner("account", "ListTokens", account.ListTokensRequest(account="bot")).tokens
    assert [(token.token_id, token.name) for token in tokens] == [(issued.token_id, "test")]
    with bot.watch(hello(schema, single_pane=True)) as frame:
        assert frame().welcome.session == "main"
        owner("account", "RevokeToken", account.RevokeTokenRequest(token_id=issued.token_id))
        with pytest.raises(Failed) as raised:
            while True:
                frame()
        assert raised.value.code == "UNAUTHENTICATED"
    fails("UNAUTHENTICATED", bot, "account", "WhoAmI", account.WhoAmIRequest())


def test_signed_out(caller, schema):
    visitor = caller(signed_out=True)
    assert fails("UNAUTHENTICATED", visitor, "daemon", "GetStatus", schema.daemon.GetStatusRequest()).reason == "NO_TOKEN"
    with visitor.watch(hello(schema)) as frame:
        first = frame()
        kinds = [operation.pane_pushed.pane.kind for operation in first.operations if operation.HasField("pane_pushed")]
        assert kinds == [schema.frames.PANE_KIND_LAUNCH]


def test_follows_and_lists(caller, schema):
    account, lists = schema.account, schema.list
    owner = caller()
    assert owner("daemon", "GetStatus", schema.daemon.GetStatusRequest()).follows == schema.types.FOLLOW_POLICY_ASK
    owner("account", "SetFollowPolicy", account.SetFollowPolicyRequest(follows=schema.types.FOLLOW_POLICY_OPEN))
    owner("account", "CreateAccount", account.CreateAccountRequest(name="bot"))
    scopes = [account.SCOPE_VIEW, account.SCOPE_POST]
    bot = caller(owner("account", "IssueToken", account.IssueTokenRequest(name="test", scopes=scopes, account="bot")).token)
    post = bot("timeline", "Compose", public(schema, "from a bot")).post_id

    def rows(**subject):
        request = schema.view.GetRowsRequest(subject=schema.types.Subject(**subject) if subject else None)
        request.layout.width, request.layout.height = 80, 24
        return [row.row.row_id for row in owner("view", "GetRows", request).rows]

    assert rows() == [post]
    owner("list", "Unfollow", lists.UnfollowRequest(author="@bot"))
    assert rows() == [] and not owner("list", "GetProfile", lists.GetProfileRequest(author="@bot")).profile.followed
    made = owner("list", "CreateList", lists.CreateListRequest(name="bots"))
    owner("list", "AddToList", lists.AddToListRequest(list="bots", author="@bot"))
    assert rows(list="bots") == rows(author="@bot") == rows(search="bot") == [post]
    (found,) = owner("list", "ListLists", lists.ListListsRequest()).lists
    assert (found.list_id, found.author_count, found.post_count) == (made.list_id, 1, 1)
    members = owner("list", "ListMembers", lists.ListMembersRequest(list="bots"))
    assert members.list == found and [author.handle for author in members.authors] == ["bot"]
    owner("list", "Follow", lists.FollowRequest(author="@bot"))
    followers = owner("list", "ListFollowers", lists.ListFollowersRequest(author="@bot")).authors
    assert rows() == [post] and len(followers) == 1
    assert "bot" in [author.handle for author in owner("list", "ListFollowing", lists.ListFollowingRequest()).authors]
    fails("ALREADY_EXISTS", owner, "list", "CreateList", lists.CreateListRequest(name="bots"))
    fails("NOT_FOUND", bot, "list", "DeleteList", lists.DeleteListRequest(list="bots"))
    owner("list", "DeleteList", lists.DeleteListRequest(list="bots"))
    assert not owner("list", "ListLists", lists.ListListsRequest()).lists


def test_a_stack(caller, schema):
    stack, subject = schema.stack, schema.types.Subject
    owner = caller()
    post = owner("timeline", "Compose", public(schema, "a subject #otters")).post_id
    author = owner("list", "GetProfile", schema.list.GetProfileRequest()).profile.author.author_id
    opened = owner("stack", "Open", stack.OpenRequest(section=schema.types.SECTION_TIMELINE))
    first = owner("stack", "Push", stack.PushRequest(subject=subject(conversation=str(post))))
    second = owner("stack", "Push", stack.PushRequest(subject=subject(author=str(author))))
    once = stack.PushRequest(subject=subject(search="#otters"), command=stack.SessionCommand(request_id="once"))
    third = owner("stack", "Push", once)
    again = owner("stack", "Push", once)
    assert third == again and len({opened.pane_id, first.pane_id, second.pane_id, third.pane_id}) == 4

    (session,) = owner("stack", "ListSessions", stack.ListSessionsRequest()).sessions
    assert (session.name, len(session.panes), session.revision) == ("main", 4, third.revision)
    popped = owner("stack", "PopTo", stack.PopToRequest(pane_id=first.pane_id))
    stale = stack.SessionCommand(if_revision=third.revision)
    fails("ABORTED", owner, "stack", "Pop", stack.PopRequest(command=stale))
    owner("stack", "Back", stack.BackRequest(command=stack.SessionCommand(if_revision=popped.revision)))
    (session,) = owner("stack", "ListSessions", stack.ListSessionsRequest()).sessions
    assert len(session.panes) == 4
    owner("stack", "Forward", stack.ForwardRequest())
    fails("FAILED_PRECONDITION", owner, "stack", "Forward", stack.ForwardRequest())
    owner("stack", "Back", stack.BackRequest())

    with owner.watch(hello(schema)) as frame:
        view = frame().welcome.view_id
        slide = schema.view.MoveStackRequest
        assert owner("view", "MoveStack", slide(view_id=view, slide=schema.view.SLIDE_DIRECTION_RIGHT)).moved
        left = owner("view", "MoveStack", slide(view_id=view, slide=schema.view.SLIDE_DIRECTION_LEFT))
        assert left.moved and not owner("view", "MoveStack", slide(view_id=view, slide=schema.view.SLIDE_DIRECTION_LEFT)).moved
        shown = owner("view", "MoveStack", slide(view_id=view, reveal_pane=opened.pane_id))
        assert shown.moved and shown.position < left.position
        assert owner("view", "MoveStack", slide(view_id=view, position=left.position)).position == left.position
        end = schema.view.DragEnd(pane_id=0, x=0, direction=schema.view.SLIDE_DIRECTION_RIGHT)
        owner("view", "MoveStack", slide(view_id=view, drag=end))
        fails("FAILED_PRECONDITION", owner, "view", "MoveStack", slide(view_id=view, position=4711))
        fails("INVALID_ARGUMENT", owner, "view", "MoveStack", slide(view_id=view))
        fails("NOT_FOUND", owner, "view", "MoveStack", slide(view_id=view + 1000, position=0))
        (session,) = owner("stack", "ListSessions", stack.ListSessionsRequest()).sessions
        assert session.views == 1

    owner("stack", "RenameSession", stack.RenameSessionRequest(name="work"))
    assert [session.name for session in owner("stack", "ListSessions", stack.ListSessionsRequest()).sessions] == ["work"]
    owner("stack", "DeleteSession", stack.DeleteSessionRequest(command=stack.SessionCommand(session="work")))
    assert not owner("stack", "ListSessions", stack.ListSessionsRequest()).sessions


def test_the_store(caller, schema, tmp_path):
    daemon = schema.daemon
    owner = caller()
    owner("timeline", "Compose", public(schema, "kept"))
    assert not owner("daemon", "CheckIntegrity", daemon.CheckIntegrityRequest()).findings
    path = tmp_path / "copy.db"
    copied = owner("daemon", "Backup", daemon.BackupRequest(path=str(path)))
    assert copied.path == str(path) and copied.bytes == path.stat().st_size and path.stat().st_mode & 0o777 == 0o600
    fails("ALREADY_EXISTS", owner, "daemon", "Backup", daemon.BackupRequest(path=str(path)))
    fails("INVALID_ARGUMENT", owner, "daemon", "Backup", daemon.BackupRequest(path="copy.db"))
    fails("INVALID_ARGUMENT", owner, "daemon", "Backup", daemon.BackupRequest(path=str(tmp_path / "none/copy.db")))
    assert [file.name for file in tmp_path.iterdir()] == ["copy.db"]
