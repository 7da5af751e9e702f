"""Cases of OAuth, asked of any server. Each returns in a few words what the server answered."""

import contextlib
import json
import urllib.parse

from oauth_site import LOOPBACK, OUT_OF_BAND, STATE, Forms

WITH_PORT = "http://127.0.0.1:49152/callback"
# RFC 7636, appendix B.
VERIFIER = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"
PKCE = {"code_challenge": "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM", "code_challenge_method": "S256"}


def at_token(answer):
    status, _, body = answer
    with contextlib.suppress(ValueError):
        said = json.loads(body)
        return "a token" if "access_token" in said else f"{status} {said['error']}" if "error" in said else f"{status}"
    return str(status)


def at_authorize(answer):
    status, location, body = answer
    if not location:
        return "the code on a page" if Forms.code(body) else f"a page ({status})"
    parts = urllib.parse.urlsplit(location)
    said = dict(urllib.parse.parse_qsl(parts.query))
    if "native" in parts.path:
        return "the code on a page"
    if "code" not in said:
        return f"redirect: {said.get('error', 'nothing')}"
    return "redirect: code" if said.get("state") == STATE else f"redirect: code, state {said.get('state')!r}"


CASES = {}


def case(title):
    def register(function):
        CASES[title] = function
        return function

    return register


@case("PKCE: the right verifier")
def _(site):
    return at_token(site.exchange(site.code(**PKCE), code_verifier=VERIFIER))


@case("PKCE: a wrong verifier")
def _(site):
    return at_token(site.exchange(site.code(**PKCE), code_verifier=VERIFIER[::-1]))


@case("PKCE: no verifier")
def _(site):
    return at_token(site.exchange(site.code(**PKCE)))


@case("PKCE: after a wrong verifier, the right one")
def _(site):
    code = site.code(**PKCE)
    site.exchange(code, code_verifier=VERIFIER[::-1])
    return at_token(site.exchange(code, code_verifier=VERIFIER))


@case("PKCE: a verifier, but there was no challenge")
def _(site):
    return at_token(site.exchange(site.code(), code_verifier=VERIFIER))


@case("PKCE: an unknown method")
def _(site):
    return at_authorize(site.authorize(code_challenge=VERIFIER, code_challenge_method="S1"))


@case("without PKCE")
def _(site):
    return at_token(site.exchange(site.code()))


@case("the client in HTTP Basic")
def _(site):
    return at_token(site.exchange(site.code(), basic=True))


@case("loopback with another port")
def _(site):
    return at_authorize(site.authorize(redirect_uri=WITH_PORT))


@case("loopback with another port, and exchanged with it")
def _(site):
    return at_token(site.exchange(site.code(redirect_uri=WITH_PORT), redirect_uri=WITH_PORT))


@case("loopback with another path")
def _(site):
    return at_authorize(site.authorize(redirect_uri=LOOPBACK + "/more"))


@case("loopback by name")
def _(site):
    return at_authorize(site.authorize(redirect_uri="http://localhost/callback"))


@case("exchanged with another redirect")
def _(site):
    return at_token(site.exchange(site.code(), redirect_uri=WITH_PORT))


@case("exchanged without a redirect")
def _(site):
    return at_token(site.exchange(site.code(), redirect_uri=None))


@case("out of band")
def _(site):
    return at_authorize(site.authorize(redirect_uri=OUT_OF_BAND))


@case("out of band: the code that is shown")
def _(site):
    return at_token(site.exchange(site.code(redirect_uri=OUT_OF_BAND), redirect_uri=OUT_OF_BAND))


@case("a state with spaces, & and umlauts comes back as it was")
def _(site):
    return at_authorize(site.authorize())


@case("without a state")
def _(site):
    return at_authorize(site.authorize(state=None))


@case("a code twice")
def _(site):
    code = site.code()
    site.exchange(code)
    return at_token(site.exchange(code))


@case("the token after its code came twice")
def _(site):
    code = site.code()
    token = json.loads(site.exchange(code)[2])["access_token"]
    site.exchange(code)
    return site.works(token)


@case("a code late")
def _(site):
    code = site.code()
    site.make_late()
    return at_token(site.exchange(code))


@case("a code of another client")
def _(site):
    return at_token(site.exchange(site.code(), client_id=site.other_client_id, client_secret=site.other_secret))


@case("a code that never was")
def _(site):
    return at_token(site.exchange("nothing"))


@case("no code")
def _(site):
    return at_token(site.exchange(None))


@case("a wrong client secret")
def _(site):
    return at_token(site.exchange(site.code(), client_secret="wrong"))


@case("an unknown client at the token endpoint")
def _(site):
    return at_token(site.exchange(site.code(), client_id="unknown"))


@case("an unknown client at the authorization endpoint")
def _(site):
    return at_authorize(site.authorize(client_id="unknown"))


@case("a scope that the client may not have")
def _(site):
    return at_authorize(site.authorize(scope="read follow"))


@case("another response type")
def _(site):
    return at_authorize(site.authorize(response_type="token"))


@case("another grant type")
def _(site):
    return at_token(site.exchange("nothing", grant_type="magic"))


@case("the person says no")
def _(site):
    # With these scopes: Doorkeeper does not ask a second time for those that a client has.
    return at_authorize(site.authorize("no", scope="read write"))


@case("a token works")
def _(site):
    return site.works(site.token())


@case("a revoked token")
def _(site):
    token = site.token()
    return f"{site.revoke(token)[0]}, then it {site.works(token)}"


@case("revoked twice")
def _(site):
    token = site.token()
    site.revoke(token)
    return at_token(site.revoke(token))


@case("an unknown token revoked")
def _(site):
    return at_token(site.revoke("nothing"))


@case("revoked with a wrong client secret")
def _(site):
    token = site.token()
    return f"{at_token(site.revoke(token, client_secret='wrong'))}, then it {site.works(token)}"


@case("revoked by another client")
def _(site):
    token = site.token()
    answer = at_token(site.revoke(token, client_id=site.other_client_id, client_secret=site.other_secret))
    return f"{answer}, then it {site.works(token)}"


def answers(site):
    """Runs all cases. Returns what each answered, in order."""
    return {title: run(site) for title, run in CASES.items()}
