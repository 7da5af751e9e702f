"""Registration, sign-in and what a server says of itself."""

import base64
import html
import urllib.parse

from aiohttp import web

from . import instance, oauth
from .call import route
from .model import Refused

FIELDS = ("client_id", "redirect_uri", "response_type", "scope", "state", "code_challenge", "code_challenge_method", "force_login")


def failed(error):
    return web.json_response(error.body() if error.error in oauth.DESCRIPTIONS or error.description != error.error
                             else {"error": error.error}, status=error.status, headers={"Cache-Control": "no-store"})


def basic(request):
    """Returns the client's identifier and secret from HTTP Basic, or None."""
    scheme, _, value = request.headers.get("Authorization", "").partition(" ")
    if scheme.lower() != "basic":
        return None
    client_id, _, secret = base64.b64decode(value).decode().partition(":")
    return urllib.parse.unquote(client_id), urllib.parse.unquote(secret)


@route("POST", "/api/v1/apps")
def register(call):
    params = call.params
    redirects = [line for value in params.all("redirect_uris") for line in value.split()]
    try:
        scopes = params.text("scopes", "read").split()
        app = call.server.oauth.register(params.text("client_name"), redirects, scopes, params.get("website"))
    except oauth.OAuthError as error:
        return web.json_response({"error": error.error}, status=error.status)
    entity = {
        "id": app.id, "name": app.name, "website": app.website, "redirect_uri": "\n".join(app.redirects), "client_id": app.client_id,
        "client_secret": app.secret, "vapid_key": "BCk-QqERU0q",
    }
    if call.world.flavour.redirect_list:
        entity |= {"redirect_uris": app.redirects, "scopes": app.scopes, "client_secret_expires_at": 0}
    return entity


@route("GET", "/api/v1/apps/verify_credentials", scope="read", needs_account=False)
def verify_app(call):
    app = call.server.oauth.apps[call.token.client_id]
    return {"id": app.id, "name": app.name, "website": app.website, "scopes": app.scopes, "redirect_uris": app.redirects}


@route("GET", "/oauth/authorize")
def ask(call):
    """A form in which a person signs in and approves."""
    try:
        app, _, scopes = call.server.oauth.check_request(call.params)
    except oauth.OAuthError as error:
        # Doorkeeper shows its page of errors, whatever the error, as if it were none.
        return page(error.description, 200)
    hidden = "".join(
        f'<input type="hidden" name="{name}" value="{html.escape(call.params.text(name))}">' for name in FIELDS if name in call.params)
    return web.Response(content_type="text/html", text=(
        f"<!DOCTYPE html><title>Authorize</title><h1>{html.escape(app.name)} wants {html.escape(' '.join(scopes))}</h1>"
        f'<form method="post">{hidden}<input name="username"><input name="password" type="password">'
        '<button name="answer" value="yes">Authorize</button><button name="answer" value="no">Deny</button></form>'))


@route("POST", "/oauth/authorize")
def decide(call):
    params, server = call.params, call.server
    try:
        server.oauth.check_request(params)
        account = server.oauth.sign_in(params.text("username"), params.text("password"))
        if account is None:
            return page("Invalid name or password", 401)
        if params.get("answer") != "yes":
            raise oauth.OAuthError("access_denied", redirects=True)
        code = server.oauth.grant(params, account)
    except oauth.OAuthError as error:
        return refuse(call, error)
    return send_back(call, {"code": code})


def refuse(call, error):
    return send_back(call, error.body()) if error.redirects else page(error.description, error.status)


def page(text, status):
    return web.Response(text=f"<!DOCTYPE html><p>{html.escape(text)}", status=status, content_type="text/html")


def send_back(call, fields):
    """Redirects to the client, or shows the code if there is nowhere to redirect to."""
    redirect = call.params.text("redirect_uri")
    if redirect == oauth.OUT_OF_BAND:
        if "code" not in fields:
            return page(fields["error_description"], 400)
        return web.Response(status=302, headers={"Location": f"/oauth/authorize/native?code={fields['code']}"})
    if "state" in call.params:
        fields = fields | {"state": call.params.text("state")}
    joint = "&" if "?" in redirect else "?"
    return web.Response(status=302, headers={"Location": redirect + joint + urllib.parse.urlencode(fields)})


@route("GET", "/oauth/authorize/native")
def native(call):
    code = html.escape(call.params.text("code"))
    return web.Response(text=f'<!DOCTYPE html><input class="oauth-code" readonly value="{code}">', content_type="text/html")


@route("POST", "/oauth/token")
def token(call):
    try:
        answer = call.server.oauth.exchange(call.params, basic(call.request))
    except oauth.OAuthError as error:
        return failed(error)
    return web.json_response(answer, headers={"Cache-Control": "no-store", "Pragma": "no-cache"})


@route("POST", "/oauth/revoke")
def revoke(call):
    token = call.server.oauth.token(call.params.get("token"))
    try:
        call.server.oauth.revoke(call.params, basic(call.request))
    except oauth.OAuthError as error:
        return failed(error)
    if token:
        call.server.streams.closing(token.account)
    return {}


@route("GET", "/.well-known/oauth-authorization-server")
def metadata(call):
    if not call.world.flavour.oauth_metadata:
        raise Refused(404, "Not found")
    return instance.oauth_metadata(call.server.origin, oauth.SCOPES, call.world.flavour.pkce)


@route("GET", "/api/v1/instance")
def instance_v1(call):
    return instance.instance_v1(call.shapes, call.server.stream_url)


@route("GET", "/api/v2/instance")
def instance_v2(call):
    if not call.world.flavour.instance_v2:
        raise Refused(404, "Not found")
    return instance.instance_v2(call.shapes, call.server.stream_url)


@route("GET", "/.well-known/webfinger")
def webfinger(call):
    name, _, host = call.params.text("resource").removeprefix("acct:").partition("@")
    identifier = call.world.find_account(name, host or None)
    if identifier is None or call.world.accounts[identifier].host:
        raise Refused(404, "Not found")
    return web.json_response(instance.webfinger(call.shapes, call.world.accounts[identifier]), content_type="application/jrd+json")


@route("GET", "/.well-known/host-meta")
def host_meta(call):
    return web.Response(text=instance.host_meta(call.server.origin), content_type="application/xrd+xml")


@route("GET", "/.well-known/nodeinfo")
def nodeinfo(call):
    return {"links": [{"rel": "http://nodeinfo.diaspora.software/ns/schema/2.0", "href": f"{call.server.origin}/nodeinfo/2.0"}]}


@route("GET", "/nodeinfo/2.0")
def nodeinfo_2(call):
    flavour = call.world.flavour
    return {
        "version": "2.0", "software": {"name": call.shapes.kind, "version": flavour.version}, "protocols": ["activitypub"],
        "services": {"inbound": [], "outbound": []}, "openRegistrations": False, "metadata": {},
        "usage": {"users": {"total": len(call.world.local_accounts())}, "localPosts": len(call.world.statuses)},
    }
