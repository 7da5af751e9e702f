"""A plain HTTP client of the tests: Python's http.client, one connection kept open."""

import http.client
import json
import re
import ssl
import urllib.parse

CALLBACK = "http://127.0.0.1/callback"
OUT_OF_BAND = "urn:ietf:wg:oauth:2.0:oob"


class Answer:
    """A response whose body has been read."""

    def __init__(self, response):
        self.status, self.fields, self.body = response.status, response.headers, response.read()

    @property
    def json(self):
        return json.loads(self.body)

    @property
    def links(self):
        """The parameters of the links of the Link field, by relation."""
        found = re.findall(r'<([^>]*)>; rel="(\w+)"', self.fields.get("Link", ""))
        return {relation: dict(urllib.parse.parse_qsl(urllib.parse.urlsplit(url).query)) for url, relation in found}


class Client:
    """Speaks to a server, with a token if there is one."""

    def __init__(self, server, token=None):
        self.server, self.token = server, token
        self.tls = ssl.create_default_context(cafile=server.authority)
        self.connection = None

    @classmethod
    def of(cls, server, name, scopes="read write follow"):
        """A client of an account, with a token that is made without OAuth's detours."""
        app = server.oauth.register("Tests", [OUT_OF_BAND], scopes.split())
        return cls(server, server.oauth.issue(app, server.account(name), scopes.split())["access_token"])

    def ask(self, method, path, params=None, fields=None, body=None):
        """Sends a request: parameters go into the query of a GET and into the form of others."""
        fields = dict(fields or {})
        if self.token:
            fields.setdefault("Authorization", f"Bearer {self.token}")
        encoded = urllib.parse.urlencode(params or {}, doseq=True)
        if encoded and method == "GET":
            path += "?" + encoded
        elif body is None:
            body = encoded or None
            fields.setdefault("Content-Type", "application/x-www-form-urlencoded")
        if self.connection is None:
            self.connection = http.client.HTTPSConnection("localhost", self.server.port, context=self.tls, timeout=30)
        try:
            self.connection.request(method, path, body, fields)
            return Answer(self.connection.getresponse())
        except (OSError, http.client.HTTPException):
            self.close()
            raise

    def get(self, path, **params):
        return self.ask("GET", path, params)

    def post(self, path, **params):
        return self.ask("POST", path, params)

    def close(self):
        if self.connection:
            self.connection.close()
            self.connection = None

    def publish(self, text, **params):
        """Publishes a status and returns its identifier."""
        answer = self.post("/api/v1/statuses", status=text, **params)
        assert answer.status == 200, answer.body
        return answer.json["id"]

    def home(self, **params):
        """Returns the texts of a page of the home timeline."""
        return [re.sub("<[^>]*>", "", status["content"]) for status in self.get("/api/v1/timelines/home", **params).json]
