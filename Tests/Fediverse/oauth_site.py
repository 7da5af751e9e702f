"""A small client of OAuth, with the browser of a person who signs in.

A `Site` says where a server's endpoints are, and which client is registered there: with the redirects `LOOPBACK` (without a port) and
`OUT_OF_BAND`, and the scopes `read` and `write`.
"""

import base64
import dataclasses
import html.parser
import http.cookiejar
import json
import ssl
import urllib.error
import urllib.parse
import urllib.request

LOOPBACK = "http://127.0.0.1/callback"
OUT_OF_BAND = "urn:ietf:wg:oauth:2.0:oob"
STATE = "a b&c=d/ü"


@dataclasses.dataclass
class Site:
    """A server. `person`: fields that sign a person in on its form; `make_late` ages all codes beyond their life."""

    origin: str
    client_id: str
    secret: str
    other_client_id: str
    other_secret: str
    make_late: object
    protected: str  # a path that answers 200 to a token with `read`
    person: dict = dataclasses.field(default_factory=dict)
    denial: dict = dataclasses.field(default_factory=dict)  # fields of the form that say no
    authorities: str | None = None
    suffix: str = ""  # Django's paths end in a slash

    def __post_init__(self):
        tls = ssl.create_default_context(cafile=self.authorities) if self.authorities else ssl.create_default_context()
        self.opener = urllib.request.build_opener(
            Stay, urllib.request.ProxyHandler({}), urllib.request.HTTPSHandler(context=tls),
            urllib.request.HTTPCookieProcessor(http.cookiejar.CookieJar()))

    def ask(self, url, form=None, fields=None):
        """Returns (status, location, body) of a request."""
        body = None if form is None else urllib.parse.urlencode(form).encode()
        request = urllib.request.Request(urllib.parse.urljoin(self.origin, url), body, fields or {})
        try:
            with self.opener.open(request, timeout=30) as answer:
                return answer.status, answer.headers.get("Location"), answer.read().decode()
        except urllib.error.HTTPError as error:
            with error:
                return error.code, error.headers.get("Location"), error.read().decode()

    def authorize(self, answer="yes", **changes):
        """Asks for a code as a browser does: the form is shown, filled in and sent."""
        query = {
            "client_id": self.client_id, "redirect_uri": LOOPBACK, "response_type": "code", "scope": "read", "state": STATE, **changes,
        }
        query = {name: value for name, value in query.items() if value is not None}
        path = f"/oauth/authorize{self.suffix}"
        status, location, body = self.ask(f"{path}?{urllib.parse.urlencode(query)}")
        if status != 200:
            return status, location, body
        forms = Forms.of(body)
        # A page with several forms has one to approve and one to deny.
        form = next((f for f in forms if ("_method" in f["fields"]) == (answer == "no")), forms[0]) if forms else None
        if form is None:
            return status, location, body
        fields = form["fields"] | self.person | (self.denial if answer == "no" else form["buttons"])
        return self.ask(form["action"] or path, fields)

    def code(self, **changes):
        """Returns a code, wherever it is shown."""
        status, location, body = self.authorize(**changes)
        if location and "native" in location:
            status, _, body = self.ask(location)
        elif location:
            return dict(urllib.parse.parse_qsl(urllib.parse.urlsplit(location).query)).get("code")
        return Forms.code(body)

    def exchange(self, code, basic=False, **changes):
        form = {
            "grant_type": "authorization_code", "code": code, "redirect_uri": LOOPBACK, "client_id": self.client_id,
            "client_secret": self.secret, **changes,
        }
        fields = {}
        if basic:
            pair = f"{form.pop('client_id')}:{form.pop('client_secret')}"
            fields["Authorization"] = "Basic " + base64.b64encode(pair.encode()).decode()
        form = {name: value for name, value in form.items() if value is not None}
        return self.ask(f"/oauth/token{self.suffix}", form, fields)

    def token(self, **changes):
        return json.loads(self.exchange(self.code(**changes))[2])["access_token"]

    def revoke(self, token, **changes):
        form = {"token": token, "client_id": self.client_id, "client_secret": self.secret, **changes}
        return self.ask(f"/oauth/revoke{'_token' if self.suffix else ''}{self.suffix}", form)

    def works(self, token):
        status = self.ask(self.protected, fields={"Authorization": f"Bearer {token}"})[0]
        return "works" if status == 200 else f"is refused ({status})"


class Stay(urllib.request.HTTPRedirectHandler):
    """Follows no redirect."""

    def redirect_request(self, *_):
        return None


class Forms(html.parser.HTMLParser):
    """The forms of a page: where they go, their fields, and their first button."""

    def __init__(self):
        super().__init__()
        self.forms, self.shown, self.in_code = [], "", False

    @classmethod
    def of(cls, page):
        parser = cls()
        parser.feed(page)
        return parser.forms

    @classmethod
    def code(cls, page):
        """Returns the code that a page shows, in a field or as text."""
        parser = cls()
        parser.feed(page)
        return parser.shown or None

    def handle_starttag(self, tag, attributes):
        values = dict(attributes)
        self.in_code = tag == "code"
        if tag == "form":
            self.forms.append({"action": values.get("action"), "fields": {}, "buttons": {}})
        elif tag == "input" and values.get("class") == "oauth-code":
            self.shown = values["value"]
        elif self.forms and tag in ("input", "button") and values.get("name"):
            is_button = tag == "button" or values.get("type") == "submit"
            form = self.forms[-1]
            if not is_button:
                form["fields"][values["name"]] = values.get("value", "")
            elif not form["buttons"]:
                form["buttons"] = {values["name"]: values.get("value", "")}

    def handle_data(self, data):
        self.shown += data.strip() if self.in_code else ""
