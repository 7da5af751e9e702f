"""Streams: WebSocket with subscriptions, and server-sent events."""

import asyncio
import contextlib
import json

from aiohttp import WSMsgType, web

from .oauth import allows

THUMP = 15  # seconds without an event after which a thump is sent
PATHS = {
    "user": "user", "user/notification": "user:notification", "public": "public", "public/local": "public:local", "direct": "direct",
    "hashtag": "hashtag", "list": "list",
}


class Connection:
    """An open stream. What it has to send waits in `queue`: (names of the channel, event, payload)."""

    def __init__(self, account, scopes):
        self.account, self.scopes, self.channels, self.queue = account, scopes, {}, asyncio.Queue()

    def subscribe(self, name, tag="", key=""):
        """Subscribes to a channel, and returns whether there is one."""
        match name:
            case "user" | "direct":
                channel, names = (name, self.account), [name]
            case "user:notification":
                channel, names = ("notifications", self.account), [name]
            case "public" | "public:local":
                channel, names = (name,), [name]
            case "hashtag" if tag:
                channel, names = (name, tag.lower()), [name, tag]
            case "list" if key:
                channel, names = (name, key), [name, key]
            case _:
                return False
        self.channels[channel] = names
        return True

    def unsubscribe(self, name, tag="", key=""):
        for channel in [c for c, names in self.channels.items() if names == [n for n in (name, tag or key) if n]]:
            del self.channels[channel]


class Streams:
    """All open streams of a server. The world tells it what happens."""

    def __init__(self, world, shapes, faults):
        self.world, self.shapes, self.faults, self.open = world, shapes, faults, []
        world.listen = self.tell

    def tell(self, channel, event, value):
        """Queues an event for each connection that has the channel."""
        for connection in self.open:
            wanted = [channel] + ([("notifications", channel[1])] if event == "notification" else [])
            for one in wanted:
                if one in connection.channels:
                    payload = self.payload(connection.account, event, value)
                    connection.queue.put_nowait((connection.channels[one], event, payload))

    def payload(self, viewer, event, value):
        match event:
            case "update" | "status.update":
                return json.dumps(self.shapes.status(value, viewer))
            case "notification":
                return json.dumps(self.shapes.notification(value, viewer))
            case "conversation":
                return json.dumps(self.shapes.conversation(viewer, self.world.root(value), value))
            case _:
                return value

    def thump(self):
        """Sends a thump on every server-sent stream."""
        for connection in self.open:
            connection.queue.put_nowait((None, "thump", None))

    def closing(self, account=None):
        """Ends the streams of an account (None: all), as when its token is revoked."""
        for connection in self.open:
            if account in (None, connection.account):
                connection.queue.put_nowait((None, "close", None))

    # Both kinds

    async def serve(self, call):
        """Answers a request for a stream."""
        request, flavour = call.request, call.world.flavour
        is_socket = request.headers.get("Upgrade", "").lower() == "websocket"
        if ("websocket" if is_socket else "sse") not in flavour.streams:
            return web.json_response({"error": "Not found"}, status=404)
        bearer, protocol = call.bearer(), request.headers.get("Sec-WebSocket-Protocol")
        refused = self.faults.take(f"stream {request.path}", "stream-refused")
        if refused and not (refused.get("bearer_only") and protocol):
            return web.Response(status=refused.get("status", 401))
        value = (bearer if flavour.stream_bearer or not is_socket else None) or request.query.get("access_token") or protocol
        token = call.server.oauth.token(value)
        if token is None or not (allows(token.scopes, "read:statuses") or allows(token.scopes, "read:notifications")):
            reason = "Missing access token" if not value else "Invalid access token"
            return web.json_response({"error": reason}, status=401)
        connection = Connection(token.account, token.scopes)
        query = request.query
        if is_socket:
            if query.get("stream"):
                connection.subscribe(query["stream"], query.get("tag", ""), query.get("list", ""))
            return await self.serve_socket(connection, request, [protocol] if protocol else [])
        name = PATHS.get(request.path.removeprefix("/api/v1/streaming/").rstrip("/"))
        if not connection.subscribe(name, query.get("tag", ""), query.get("list", "")):
            return web.json_response({"error": "Unknown channel requested"}, status=400)
        return await self.serve_events(connection, request)

    async def events(self, connection, request):
        """Yields what a connection has to send, as the script has it, until it is to be closed."""
        while True:
            try:
                names, event, payload = await asyncio.wait_for(connection.queue.get(), THUMP)
            except TimeoutError:
                names, event, payload = None, "thump", None
            if event == "close":
                return
            if event == "thump" and self.faults.take("stream thump", "stream-silent"):
                continue
            place = f"stream {names[0]}" if names else "stream thump"
            rule = self.faults.take(place, "stream-cut", "event-lost", "event-twice", "event-unknown", "event-garbled", "event-huge",
                                    "event-split") or {"then": ""}
            match rule["then"]:
                case "stream-cut":
                    request.transport.abort()
                    return
                case "event-lost":
                    continue
                case "event-twice":
                    yield names, event, payload, rule
                case "event-unknown":
                    yield names, "something.new", '{"id": 1}', rule
                case "event-garbled":
                    payload = payload[: len(payload) // 2]
                case "event-huge":
                    payload = " " * rule["bytes"] + payload
            yield names, event, payload, rule

    # WebSocket (RFC 6455)

    async def serve_socket(self, connection, request, protocols):
        socket = web.WebSocketResponse(protocols=protocols, heartbeat=30)
        await socket.prepare(request)
        self.open.append(connection)
        sender = asyncio.create_task(self.send_socket(connection, request, socket))
        try:
            async for message in socket:
                if message.type == WSMsgType.TEXT:
                    await self.hear(connection, socket, message.data)
        finally:
            self.open.remove(connection)
            sender.cancel()
        return socket

    async def hear(self, connection, socket, text):
        try:
            wish = json.loads(text)
        except ValueError:
            return
        channel = (wish.get("stream", ""), wish.get("tag", ""), wish.get("list", ""))
        if wish.get("type") == "unsubscribe":
            connection.unsubscribe(*channel)
        elif wish.get("type") == "subscribe" and not connection.subscribe(*channel):
            await socket.send_json({"error": "Unknown stream type", "status": 400})

    async def send_socket(self, connection, request, socket):
        with contextlib.suppress(ConnectionError):
            async for names, event, payload, _ in self.events(connection, request):
                if event != "thump":
                    fields = {"stream": names, "event": event}
                    await socket.send_json(fields if payload is None else fields | {"payload": payload})
            await socket.close()

    # Server-sent events (HTML standard, section 9.2)

    async def serve_events(self, connection, request):
        response = web.StreamResponse(headers={"Content-Type": "text/event-stream", "Cache-Control": "no-store"})
        await response.prepare(request)
        await response.write(b":)\n")
        self.open.append(connection)
        try:
            async for _, event, payload, rule in self.events(connection, request):
                # An event without a payload is the word `undefined`, as JavaScript writes it. Each line is a chunk, as in Mastodon.
                lines = [":thump\n"] if event == "thump" else [
                    f"event: {event}\n", f"data: {'undefined' if payload is None else payload}\n\n"]
                if rule["then"] == "event-split":
                    lines = "".join(lines).replace("\n", rule.get("ends", "\n"))
                for line in lines:
                    await response.write(line.encode())
        except ConnectionError:
            pass
        finally:
            self.open.remove(connection)
        return response
