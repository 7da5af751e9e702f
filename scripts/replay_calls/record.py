"""Turns what the simulation wrote down into records: a world a line, its calls by the names of 93cdc55.

An event is one of
    {"do": "call", "call": 7, "user": 1000, "method": "TimelineService/Compose", "request": {...}}
    {"do": "import", ...}     a call with "requests", all that the client sent
    {"do": "open", ...}       a view, with "hello", the "viewer" it is of, and whether it "resumes"
    {"do": "frame", "call": 3, "frame": {"viewport": {...}}}    what a view's client said later
    {"do": "leave", "call": 3}
    {"do": "restart", "at": 1700000005000}                      the daemon ended, and starts at this instant

An id that an earlier answer told is not recorded as a number, but as {"of": [CALL, FIELD], "was": NUMBER}: the daemon that the calls are
given to has told an id of its own.
"""

from extras import Extras
from permitted import Permitted
from schema import Translator

VIEWS = ("ViewService/Attach", "ViewService/Watch")
IMPORT = "TimelineService/Import"
# The fields of answers that tell an id, and the fields of requests that name one; a field names ids of one space only.
TOLD = {"post_id": "post", "repost_id": "post", "view_id": "view"}
NAMING = {"post": "post", "posts": "post", "conversation": "post", "in_reply_to": "post", "anchor_row": "post", "view_id": "view"}
MAXIMUM_RESTARTS = 2


class Recorder:
    """Reads the lines of one world."""

    def __init__(self, schema, seed):
        self.schema, self.seed, self.events, self.calls, self.ids = schema, seed, [], {}, {}
        self.translator = Translator(schema, schema, Permitted())
        self.extras, self.starts, self.began = Extras(seed), 0, None

    def line(self, words):
        """Takes one line: the wall clock, the kind of event, and what belongs to it."""
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
        """Notes that a daemon has started. Later ones are replayed as a restart, as far as there are few of them."""
        self.starts += 1
        self.began = self.began or at
        if 1 < self.starts <= 1 + MAXIMUM_RESTARTS:
            self.events.append({"do": "restart", "at": at})

    def send(self, number, call, data):
        """Notes a message of a client's."""
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
        """Notes what the client of a view said; acknowledgements are the player's own."""
        if is_first:
            hello = request["hello"]
            resumes = hello.pop("resume", None) is not None
            hello.pop("viewport", None)
            self.events.append(event | {"do": "open", "hello": hello, "viewer": hello["client"], "resumes": resumes})
        elif "ack" not in request:
            self.events.append({"do": "frame", "call": event["call"], "frame": request})

    def answer(self, number, call, data):
        """Learns the ids that an answer told."""
        method = self.schema.methods[call["method"]]
        values = self.translator.read(method.output_type, self.schema.make(method.output_type).FromString(data))
        for name, value in (values | values.get("welcome", {})).items():
            if space := TOLD.get(name):
                self.ids.setdefault((space, value), [number, name])

    def leave(self, number, call):
        """Notes the end of a call, which for a view is an event."""
        del self.calls[number]
        if call["method"] in VIEWS and call["sent"]:
            self.events.append({"do": "leave", "call": number})

    def seen_posts(self):
        """Returns what names the posts that answers told of."""
        return [{"of": of, "was": value} for (space, value), of in self.ids.items() if space == "post"]

    def named(self, value, space=None):
        """Returns a request in which ids are what told them."""
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
