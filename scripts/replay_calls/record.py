"""Converts the simulation's output into records: a line per world, with its calls under the names of 93cdc55.

Events:
    {"do": "call", "call": 7, "user": 1000, "method": "TimelineService/Compose", "request": {...}}
    {"do": "import", ...}     a call with "requests", all of the client's messages
    {"do": "open", ...}       a new view, with "hello", its "viewer", and whether it "resumes"
    {"do": "frame", "call": 3, "frame": {"viewport": {...}}}    a later message of a view's client
    {"do": "leave", "call": 3}
    {"do": "restart", "at": 1700000005000}                      the daemon restarts at this time

An ID from an earlier response is recorded as {"of": [CALL, FIELD], "was": NUMBER}, since the daemon in a replay returns IDs of its
own.
"""

from extras import Extras
from permitted import Permitted
from schema import Translator

VIEWS = ("ViewService/Attach", "ViewService/Watch")
IMPORT = "TimelineService/Import"
# Fields of responses that return an ID, and fields of requests that name one. Each field uses a single ID space.
TOLD = {"post_id": "post", "repost_id": "post", "view_id": "view"}
NAMING = {"post": "post", "posts": "post", "conversation": "post", "in_reply_to": "post", "anchor_row": "post", "view_id": "view"}
MAXIMUM_RESTARTS = 2


class Recorder:
    """Parses the lines of a world."""

    def __init__(self, schema, seed):
        self.schema, self.seed, self.events, self.calls, self.ids = schema, seed, [], {}, {}
        self.translator = Translator(schema, schema, Permitted())
        self.extras, self.starts, self.began = Extras(seed), 0, None

    def line(self, words):
        """Parses a line: the wall clock, the kind of event, and its data."""
        at, kind, rest = int(words[0]), words[1], words[2:]
        if kind == "daemon":
            self.daemon(at)
        elif kind == "start":
            self.calls[int(rest[0])] = {"user": int(rest[1]), "method": rest[2].removeprefix(f"/{self.schema.package}."), "sent": 0}
        elif call := self.calls.get(int(rest[0])):
            if kind in ("leave", "end"):
                self.leave(int(rest[0]), call)
            else:
                getattr(self, kind)(int(rest[0]), call, bytes.fromhex(rest[1] if len(rest) > 1 else ""))

    def daemon(self, at):
        """Records the start of a daemon. Later starts become restarts, up to a limit."""
        self.starts += 1
        self.began = self.began or at
        if 1 < self.starts <= 1 + MAXIMUM_RESTARTS:
            self.events.append({"do": "restart", "at": at})

    def send(self, number, call, data):
        """Records a client's message."""
        method = self.schema.methods[call["method"]]
        message = self.schema.make(method.input_type).FromString(data)
        request = self.named(self.translator.read(method.input_type, message))
        call["sent"] += 1
        event = {"call": number, "user": call["user"], "method": call["method"]}
        if call["method"] in VIEWS:
            self.view(event, request, call["sent"] == 1)
        elif call["method"] == IMPORT:
            if call["sent"] == 1:
                self.events.append(event | {"do": "import", "requests": []})
                call["requests"] = self.events[-1]["requests"]
            call["requests"].append(request)
        else:
            self.events.append(event | {"do": "call", "request": request})
            self.events += self.extras.after(event | {"request": request}, self.seen_posts())

    def view(self, event, request, is_first):
        """Records a message of a view's client. The player sends its own acknowledgements."""
        if is_first:
            hello = request["hello"]
            resumes = hello.pop("resume", None) is not None
            hello.pop("viewport", None)
            self.events.append(event | {"do": "open", "hello": hello, "viewer": hello["client"], "resumes": resumes})
        elif "ack" not in request:
            self.events.append({"do": "frame", "call": event["call"], "frame": request})

    def answer(self, number, call, data):
        """Records the IDs in a response."""
        method = self.schema.methods[call["method"]]
        values = self.translator.read(method.output_type, self.schema.make(method.output_type).FromString(data))
        for name, value in (values | values.get("welcome", {})).items():
            if space := TOLD.get(name):
                self.ids.setdefault((space, value), [number, name])

    def leave(self, number, call):
        """Records the end of a call, which for a view is an event."""
        del self.calls[number]
        if call["method"] in VIEWS and call["sent"]:
            self.events.append({"do": "leave", "call": number})

    def seen_posts(self):
        """Returns references to the posts known from responses."""
        return [{"of": of, "was": value} for (space, value), of in self.ids.items() if space == "post"]

    def named(self, value, space=None):
        """Returns a request with IDs replaced by references to their responses."""
        if isinstance(value, dict):
            return {name: self.named(item, NAMING.get(name)) for name, item in value.items()}
        if isinstance(value, list):
            return [self.named(item, space) for item in value]
        number = int(value) if space and str(value).isdecimal() else None
        of = self.ids.get((space, number))
        return {"of": of, "was": value} if of else value

    def world(self):
        """Returns the record."""
        return {"world": self.seed, "began": self.began, "events": self.events}


def records(lines, schema):
    """Yields the record of each world in the output of the recording simulation."""
    recorder = None
    for line in lines:
        words = line.split()
        if words and words[0] == "world" and len(words) == 2:
            if recorder:
                yield recorder.world()
            recorder = Recorder(schema, int(words[1]))
        elif recorder and len(words) > 2 and words[0].isdecimal() and words[1] in ("daemon", "start", "send", "answer", "leave", "end"):
            recorder.line(words)
    if recorder:
        yield recorder.world()
