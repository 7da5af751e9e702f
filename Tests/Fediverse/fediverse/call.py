"""One request to the API: who makes it, with which parameters, and how it is answered."""

import functools

from aiohttp import web

from . import paging
from .model import Refused
from .oauth import allows
from .params import Params

# Debian 12 has aiohttp 3.8, which has no keys, and the limit of time for its end at the site.
IS_OLD = not hasattr(web, "AppKey")
SERVER = "server" if IS_OLD else web.AppKey("server", object)
ROUTES = []  # (method, path, handler), in the order in which they are tried


def route(method, path, scope=None, needs_account=True):
    """Registers a handler. `scope`: it needs a token with it (a value, or a function of the call), which is an account's if
    `needs_account`."""

    def register(handler):
        @functools.wraps(handler)
        async def serve(request):
            call = await Call.of(request)
            if scope:
                call.require(scope(call) if callable(scope) else scope, needs_account)
            answer = handler(call)
            if hasattr(answer, "__await__"):
                answer = await answer
            return answer if isinstance(answer, web.StreamResponse) else web.json_response(answer)

        ROUTES.append((method, path, serve))
        return handler

    return register


class Call:
    """A request."""

    def __init__(self, request, params):
        self.request, self.params, self.server = request, params, request.app[SERVER]
        self.world, self.shapes, self.faults = self.server.world, self.server.shapes, self.server.faults
        self.place = f"{request.method} {request.path}"
        self.token = self.server.oauth.token(self.bearer() or params.get("access_token"))
        self.viewer = self.token.account if self.token else None

    @classmethod
    async def of(cls, request):
        return cls(request, await Params.of(request))

    def bearer(self):
        scheme, _, value = self.request.headers.get("Authorization", "").partition(" ")
        return value if scheme.lower() == "bearer" else None

    def require(self, scope, needs_account):
        if self.token is None or (needs_account and self.viewer is None):
            raise Refused(*self.world.flavour.unauthorized)
        if not allows(self.token.scopes, scope):
            raise Refused(403, "This action is outside the authorized scopes")

    def __getitem__(self, name):
        return self.request.match_info[name]

    # What a request is about

    def status(self, name="id"):
        """Returns the status of the path if the viewer may see it."""
        status = self.world.statuses.get(self[name])
        if status is None or not self.world.sees(self.viewer, status):
            raise Refused(404, self.world.flavour.not_found)
        return status

    def own_status(self):
        status = self.status()
        if status.account != self.viewer:
            raise Refused(404, self.world.flavour.not_found)
        return status

    def account(self, name="id"):
        return self.world.account(self[name]).id

    def own(self, made, key):
        """Returns one of the viewer's lists, filters or notifications."""
        if key not in made or made[key]["owner"] != self.viewer:
            raise Refused(404, "Record not found")
        return made[key]

    # Answers

    def show(self, status, **options):
        return self.shapes.status(status, self.viewer, **options)

    def show_account(self, identifier):
        return self.shapes.account(identifier)

    def page(self, entries, render, **options):
        """Answers with a page of entries, the newest first, and its Link field."""
        page = paging.cut(entries, self.params, self.world.flavour, **options)
        kept = [(k, v) for k, v in self.request.query.items() if k not in ("max_id", "since_id", "min_id", "access_token")]
        link = paging.link(page, self.server.origin, self.request.path, kept)
        return web.json_response([render(e) for e in page.entries], headers={"Link": link} if link else {})

    def status_page(self, identifiers, **options):
        statuses = self.world.statuses
        return self.page(identifiers, lambda i: self.show(statuses[i]), **{"always_older": True} | options)
