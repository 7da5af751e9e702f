"""OAuth 2.0 as Doorkeeper does it, which Mastodon uses (oauth_answers.tsv).

RFC 6749 (authorization code, client credentials, password), RFC 7009 (revocation), RFC 7636 (PKCE), RFC 8252 (loopback redirects).
"""

import base64
import dataclasses
import hashlib
import ipaddress
import urllib.parse

OUT_OF_BAND = "urn:ietf:wg:oauth:2.0:oob"
CODE_LIFE = 600  # seconds
KINDS = ("accounts", "blocks", "bookmarks", "conversations", "favourites", "filters", "follows", "lists", "media", "mutes",
         "notifications", "reports", "search", "statuses")
SCOPES = ["read", "write", "follow", "push", "profile", *(f"{half}:{kind}" for half in ("read", "write") for kind in KINDS)]
DESCRIPTIONS = {
    "invalid_client": "Client authentication failed due to unknown client, no client authentication included, or unsupported "
                      "authentication method.",
    "invalid_grant": "The provided authorization grant is invalid, expired, revoked, does not match the redirection URI used in the "
                     "authorization request, or was issued to another client.",
    "invalid_scope": "The requested scope is invalid, unknown, or malformed.",
    "access_denied": "The resource owner or authorization server denied the request.",
    "unsupported_grant_type": "The authorization grant type is not supported by the authorization server.",
    "unsupported_response_type": "The authorization server does not support this response type.",
    "unauthorized_client": "You are not authorized to revoke this token",
    "invalid_redirect_uri": "The requested redirect uri is malformed or doesn't match client redirect URI.",
    "invalid_code_challenge_method": "The code challenge method must be S256.",
    "invalid_token": "The access token is invalid",
}


class OAuthError(Exception):
    """An error of RFC 6749, section 5.2 or 4.1.2.1. `redirects`: it is told by a redirect, not on a page."""

    def __init__(self, error, status=400, description=None, redirects=False):
        super().__init__(error)
        self.error, self.status, self.redirects = error, status, redirects
        self.description = description or DESCRIPTIONS.get(error, error)

    def body(self):
        return {"error": self.error, "error_description": self.description}


@dataclasses.dataclass
class App:
    id: str
    name: str
    website: str | None
    redirects: list
    scopes: list
    client_id: str
    secret: str


@dataclasses.dataclass
class Code:
    client_id: str
    account: str
    redirect: str
    scopes: list
    made: float
    challenge: str | None
    used: bool = False


@dataclasses.dataclass
class Token:
    value: str
    client_id: str
    account: str | None  # None: of the app itself
    scopes: list
    made: float
    revoked: bool = False


class OAuth:
    """Apps, codes and tokens. Secrets are counted, so that tests are repeatable: they are no secrets."""

    def __init__(self, world):
        self.world, self.flavour = world, world.flavour
        self.apps, self.codes, self.tokens, self.made = {}, {}, {}, 0

    def secret(self, kind):
        self.made += 1
        return base64.urlsafe_b64encode(hashlib.sha256(f"{kind} {self.made}".encode()).digest()).decode().rstrip("=")

    def register(self, name, redirects, scopes, website=None):
        if not name:
            raise OAuthError("Validation failed: Application name can't be blank", 422)
        if not redirects or not all(is_redirect(uri) for uri in redirects):
            raise OAuthError("Validation failed: Redirect URI must be an absolute URI.", 422)
        if not set(scopes) <= set(SCOPES):
            raise OAuthError("Validation failed: Scopes doesn't match configured on the server.", 422)
        app = App(str(len(self.apps) + 1), name, website, redirects, scopes, self.secret("client"), self.secret("secret"))
        self.apps[app.client_id] = app
        return app

    # The authorization endpoint

    def check_request(self, params):
        """Returns (app, redirect, scopes) of a valid authorization request."""
        app, redirect = self.apps.get(params.get("client_id")), params.get("redirect_uri", "")
        if app is None:
            raise OAuthError("invalid_client", 401)
        if not any(matches(redirect, registered) for registered in app.redirects):
            raise OAuthError("invalid_redirect_uri")
        if params.get("response_type") != "code":
            raise OAuthError("unsupported_response_type", redirects=True)
        scopes = params.text("scope").split() or ["read"]
        if not set(scopes) <= set(app.scopes):
            raise OAuthError("invalid_scope", redirects=True)
        if self.flavour.pkce and "code_challenge" in params and params.get("code_challenge_method") != "S256":
            raise OAuthError("invalid_code_challenge_method", redirects=True)
        return app, redirect, scopes

    def grant(self, params, account):
        """Makes a code for a request that the account approved."""
        app, redirect, scopes = self.check_request(params)
        code = self.secret("code")
        self.codes[code] = Code(app.client_id, account, redirect, scopes, self.world.clock.now(), params.get("code_challenge"))
        return code

    # The token endpoint

    def exchange(self, params, basic=None):
        grant_type = params.get("grant_type")
        if grant_type is None:
            raise OAuthError("invalid_request", description="Missing required parameter: grant_type.")
        if grant_type not in ("authorization_code", "client_credentials", "password"):
            raise OAuthError("unsupported_grant_type")
        app = self.authenticate(params, basic)
        if grant_type == "authorization_code":
            return self.redeem(app, params)
        scopes = params.text("scope").split() or ["read"]
        if not set(scopes) <= set(app.scopes):
            raise OAuthError("invalid_scope")
        account = None
        if grant_type == "password":
            account = self.sign_in(params.text("username"), params.text("password"))
            if account is None:
                raise OAuthError("invalid_grant")
        return self.issue(app, account, scopes)

    def authenticate(self, params, basic):
        client_id, secret = basic or (params.get("client_id"), params.get("client_secret"))
        app = self.apps.get(client_id)
        if app is None or app.secret != secret:
            raise OAuthError("invalid_client", 401)
        return app

    def redeem(self, app, params):
        code, verifier = self.codes.get(params.get("code")), params.get("code_verifier")
        needed = ["code", "redirect_uri"] + (["code_verifier"] if self.flavour.pkce and code and code.challenge else [])
        for name in needed:
            if name not in params:
                raise OAuthError("invalid_request", description=f"Missing required parameter: {name}.")
        if code is None or code.client_id != app.client_id or code.used or self.world.clock.now() > code.made + CODE_LIFE:
            raise OAuthError("invalid_grant")
        if not matches(params.get("redirect_uri"), code.redirect):
            raise OAuthError("invalid_grant")
        # A verifier without a challenge is refused too.
        if self.flavour.pkce and verifier is not None and challenge(verifier) != code.challenge:
            raise OAuthError("invalid_grant")
        code.used = True
        return self.issue(app, code.account, code.scopes)

    def issue(self, app, account, scopes):
        token = Token(self.secret("token"), app.client_id, account, scopes, self.world.clock.now())
        self.tokens[token.value] = token
        answer = {"access_token": token.value, "token_type": "Bearer", "scope": " ".join(scopes), "created_at": int(token.made)}
        if self.flavour.token_expires:
            answer |= {"expires_in": self.flavour.token_expires, "refresh_token": self.secret("refresh")}
        return answer

    def revoke(self, params, basic=None):
        """Revokes a token. An unknown one, or one that was revoked, is no error (RFC 7009, section 2.2)."""
        token = self.tokens.get(params.get("token"))
        try:
            app = self.authenticate(params, basic)
        except OAuthError:
            raise OAuthError("unauthorized_client", 403) from None
        if token and token.client_id != app.client_id:
            raise OAuthError("unauthorized_client", 403)
        if token:
            token.revoked = True

    def sign_in(self, name, password):
        """Returns an account by its name, or by an address that begins with it, and its password."""
        account = self.world.accounts.get(self.world.find_account(name.split("@")[0]))
        return account.id if account and account.password == password else None

    def token(self, value):
        token = self.tokens.get(value)
        return token if token and not token.revoked else None


def allows(scopes, wanted):
    """Returns whether scopes include one: `read:accounts` is part of `read`, and some of both are part of `follow`."""
    half, _, kind = wanted.partition(":")
    return wanted in scopes or half in scopes or ("follow" in scopes and kind in ("follows", "mutes", "blocks"))


def challenge(verifier):
    """RFC 7636, section 4.2: S256."""
    return base64.urlsafe_b64encode(hashlib.sha256(verifier.encode()).digest()).decode().rstrip("=")


def is_redirect(uri):
    parts = urllib.parse.urlsplit(uri)
    return uri == OUT_OF_BAND or bool(parts.scheme and (parts.netloc or parts.path) and not parts.fragment)


def matches(uri, registered):
    """Returns whether a redirect URI is a registered one; at a loopback address the port may differ (RFC 8252, section 7.3)."""
    if uri == registered:
        return True
    one, other = urllib.parse.urlsplit(uri), urllib.parse.urlsplit(registered)
    if not (is_loopback(one.hostname) and is_loopback(other.hostname)):
        return False
    return (one.scheme, one.hostname, one.path, one.query) == (other.scheme, other.hostname, other.path, other.query)


def is_loopback(host):
    try:
        return ipaddress.ip_address(host or "").is_loopback
    except ValueError:
        return False
