"""A server: HTTP over TLS on loopback, in a thread of its own."""

import asyncio
import email.utils
import tempfile
import threading

from aiohttp import web

from . import faults as script
from . import routes_accounts, routes_oauth, routes_statuses, routes_timelines  # noqa: F401  (they register their routes)
from .call import IS_OLD, ROUTES, SERVER, Call
from .faults import Faults
from .limits import Limits
from .model import Refused, World
from .oauth import OAuth
from .params import Params
from .shapes import Shapes
from .streams import Streams
from .tls import make_authority

PATIENCE = 30  # seconds to wait for the server's thread


class Server:
    """A running server. `act` changes its world from other threads: `server.act(world.publish, account, "text")`."""

    def __init__(self, flavour, clock=None, port=0, accounts=("ann", "ben"), authority=None):
        self.flavour, self.folder = flavour, tempfile.TemporaryDirectory()
        self.authority, self.tls = authority or make_authority(self.folder.name)
        self.requests = []  # (method, path with query, status) of each request
        self.faults, self.keys = Faults(), {}
        self.loop, self.runner = asyncio.new_event_loop(), None
        self.thread = threading.Thread(target=self.loop.run_forever, daemon=True)
        self.thread.start()
        self.port = asyncio.run_coroutine_threadsafe(self.listen(port), self.loop).result(PATIENCE)
        self.host = f"localhost:{self.port}"
        self.origin, self.stream_url = f"https://{self.host}", f"wss://{self.host}"
        self.world = World(flavour, self.host, clock)
        self.shapes, self.oauth = Shapes(self.world, self.origin), OAuth(self.world)
        self.limits, self.streams = Limits(flavour, self.world.clock), Streams(self.world, self.shapes, self.faults)
        for name in accounts:
            self.world.add_account(name, display_name=name.capitalize())

    async def listen(self, port):
        app = web.Application(middlewares=[self.answer], client_max_size=32 << 20)
        app[SERVER] = self
        for method, path, handler in ROUTES:
            # Rails does not mind a slash at the end, and clients rely on it.
            app.router.add_route(method, path + "{slash:/?}", handler)
        # Streams have paths that no table lists; a GET without one is a WebSocket.
        app.router.add_get("/api/v1/streaming/health", self.health)
        app.router.add_get("/api/v1/streaming{path:.*}", self.stream)
        patience = {"shutdown_timeout": 0}
        self.runner = web.AppRunner(app, access_log=None, **({} if IS_OLD else patience))
        await self.runner.setup()
        site = web.TCPSite(self.runner, "127.0.0.1", port, ssl_context=self.tls, **(patience if IS_OLD else {}))
        await site.start()
        return self.runner.addresses[0][1]

    @staticmethod
    async def health(request):
        return web.Response(text="OK")

    async def stream(self, request):
        return await self.streams.serve(Call(request, Params()))

    @web.middleware
    async def answer(self, request, handler):
        """Counts, dates and, where the script says so, spoils each answer."""
        place, clock = f"{request.method} {request.path}", self.world.clock
        who = request.headers.get("Authorization") or request.remote
        refused, fields = self.limits.count(who)
        before = self.faults.take(place, *script.BEFORE)
        if before:
            response = script.instead(before, request, clock)
        elif refused:
            response = web.json_response({"error": "Too many requests"}, status=429)
        else:
            response = await self.carry_out(request, handler)
        if not response.prepared:
            response.headers.setdefault("Date", email.utils.formatdate(clock.now(), usegmt=True))
            for name, value in fields.items():
                response.headers.setdefault(name, value)
            if after := self.faults.take(place, *script.AFTER):
                response = await script.afterwards(after, request, response, clock)
        self.requests.append((request.method, request.path_qs, response.status))
        return response

    async def carry_out(self, request, handler):
        try:
            return await handler(request)
        except Refused as refusal:
            return web.json_response({"error": refusal.text}, status=refusal.status)
        except web.HTTPException as error:
            return web.json_response({"error": error.reason}, status=error.status)

    def act(self, function, *arguments, **fields):
        """Calls a function on the server's thread, and returns its result."""

        async def call():
            return function(*arguments, **fields)

        return asyncio.run_coroutine_threadsafe(call(), self.loop).result(PATIENCE)

    def account(self, name):
        return self.world.find_account(name)

    def close(self):
        self.act(self.streams.closing)
        asyncio.run_coroutine_threadsafe(self.runner.cleanup(), self.loop).result(PATIENCE)
        self.loop.call_soon_threadsafe(self.loop.stop)
        self.thread.join(PATIENCE)
        self.loop.close()
        self.folder.cleanup()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()
