"""What can go wrong, by name, on a script.

A rule says which fault occurs where and how often: `faults.add("lost-answer", "POST /api/v1/statuses", times=2)`, or as a line of a file,
`{"then": "lost-answer", "at": "POST /api/v1/statuses", "times": 2}`. A place is a method and a path, or `stream CHANNEL`; `*` stands for
any characters. Rules are looked at in order. `happened` lists what occurred.
"""

import asyncio
import email.utils
import fnmatch
import gzip
import json

from aiohttp import web

from .clock import iso

# Each fault with its parameters, and what a client sees of it.
FAULTS = {
    # Instead of an answer: nothing was done.
    "answer": "`status`, with `json` or `text` and `fields`",
    "rate-limited": "429; `form`: iso, unix, seconds or date says when to come back, `after` in how many seconds",
    "redirect": "`status` 302, 307 or 308 to `to`, a URL or an origin for the same path",
    "cut-before": "the connection is closed without an answer",
    "building": "206 and an empty list: the server is still making the home timeline",
    # After it was done.
    "lost-answer": "504 with a page of HTML, though it was done",
    "cut-after": "the connection is closed without an answer, though it was done",
    "not-json": "200 with a page of HTML",
    "short-body": "the body ends in its middle",
    "one-byte": "the body comes in chunks of one byte",
    "huge": "JSON behind `bytes` of white space",
    "bomb": "the same, compressed by gzip",
    "wrong-date": "the Date field is `seconds` off",
    "link-missing": "there is no Link field",
    "link-elsewhere": "the Link field leads to `to`, another origin",
    "link-repeats": "the Link field leads to the same page",
    # In what the server does.
    "key-forgotten": "an Idempotency-Key is not remembered",
    "short-memory": "the home timeline keeps `keep` posts",
    "delete-on-leaving": "streams tell of `delete` for posts that leave a home timeline though they exist",
    "marker-conflict": "409: a marker was changed by two at once",
    "media-waits": "an upload is ready after `polls` questions",
    # In streams.
    "stream-refused": "`status` in place of a stream; `bearer_only`: only if the token is in Authorization",
    "stream-cut": "the connection is closed without a farewell, before the event",
    "stream-silent": "thumps are not sent",
    "event-lost": "an event is not sent",
    "event-twice": "an event is sent twice",
    "event-unknown": "an unknown event is sent before it",
    "event-garbled": "the payload is not JSON",
    "event-huge": "the payload is `bytes` long",
    "event-split": "its characters come one at a time, with line ends of `ends` (server-sent events)",
}
PAGE = "<!DOCTYPE html>\n<html><head><title>We're sorry</title></head><body><h1>Something went wrong</h1></body></html>\n"


class Faults:
    """The script of a server."""

    def __init__(self):
        self.rules, self.happened = [], []

    def add(self, name, at="*", times=1_000_000, **values):
        if name not in FAULTS:
            raise ValueError(f"no such fault: {name}")
        self.rules.append({"then": name, "at": at, "times": times, **values})

    def read(self, path):
        for line in path.read_text("utf-8").splitlines():
            rule = json.loads(line)
            self.add(rule.pop("then"), **rule)

    def clear(self):
        self.rules = []

    def take(self, place, *names):
        """Returns the first rule for a place that has one of these names, and counts it; None if there is none."""
        for rule in self.rules:
            if rule["then"] in names and rule["times"] > 0 and fnmatch.fnmatchcase(place, rule["at"]):
                rule["times"] -= 1
                self.happened.append((rule["then"], place))
                return rule
        return None


BEFORE = ("answer", "rate-limited", "redirect", "cut-before", "building")
AFTER = (
    "lost-answer", "cut-after", "not-json", "short-body", "one-byte", "huge", "bomb", "wrong-date", "link-missing", "link-elsewhere",
    "link-repeats",
)


def close(request):
    """Closes the connection of a request without an answer."""
    if request.transport:
        request.transport.abort()
    raise asyncio.CancelledError


def instead(rule, request, clock):
    """Returns the answer to a request that is not carried out."""
    match rule["then"]:
        case "answer" if "json" in rule:
            return web.json_response(rule["json"], status=rule["status"], headers=rule.get("fields"))
        case "answer":
            text = rule.get("text", PAGE)
            return web.Response(text=text, status=rule["status"], headers=rule.get("fields"), content_type="text/html")
        case "rate-limited":
            return web.json_response({"error": "Too many requests"}, status=429, headers=rest_fields(rule, clock))
        case "redirect":
            to = rule["to"] if rule["to"].count("/") > 2 else rule["to"] + request.path_qs
            return web.Response(status=rule.get("status", 302), headers={"Location": to})
        case "building":
            return web.json_response([], status=206)
        case "cut-before":
            close(request)


def rest_fields(rule, clock):
    after = rule.get("after", 300)
    moment = clock.now() + after
    limits = {"X-RateLimit-Limit": "300", "X-RateLimit-Remaining": "0"}
    match rule.get("form", "iso"):
        case "iso":
            return limits | {"X-RateLimit-Reset": iso(moment)}
        case "unix":
            return limits | {"X-RateLimit-Reset": str(int(moment))}
        case "seconds":
            return {"Retry-After": str(after)}
        case "date":
            return {"Retry-After": email.utils.formatdate(moment, usegmt=True)}


async def afterwards(rule, request, response, clock):
    """Returns what becomes of the answer to a request that was carried out."""
    name = rule["then"]
    match name:
        case "cut-after":
            close(request)
        case "lost-answer":
            return web.Response(text=PAGE, status=504, content_type="text/html")
        case "not-json":
            return web.Response(text=PAGE, content_type="text/html")
        case "huge" | "bomb":
            body = b" " * rule.get("bytes", 9 << 20) + (response.body or b"")
            fields = {"Content-Encoding": "gzip"} if name == "bomb" else {}
            body = gzip.compress(body) if name == "bomb" else body
            return web.Response(body=body, headers=fields, content_type="application/json")
        case "wrong-date":
            response.headers["Date"] = email.utils.formatdate(clock.now() + rule["seconds"], usegmt=True)
        case "link-missing":
            response.headers.pop("Link", None)
        case "link-elsewhere":
            origin = f"https://{request.host}"
            response.headers["Link"] = response.headers.get("Link", "").replace(origin, rule["to"])
        case "link-repeats":
            response.headers["Link"] = f'<https://{request.host}{request.path_qs}>; rel="next"'
        case "one-byte" | "short-body":
            return await written(name, request, response)
    return response


async def written(name, request, response):
    """Writes a response in pieces."""
    body = response.body or b""
    stream = web.StreamResponse(status=response.status, headers=response.headers)
    stream.headers.pop("Content-Length", None)
    if name == "short-body":
        stream.content_length = len(body)
        await stream.prepare(request)
        await stream.write(body[: len(body) // 2])
        close(request)
    await stream.prepare(request)
    for index in range(len(body)):
        await stream.write(body[index : index + 1])
    await stream.write_eof()
    return stream
