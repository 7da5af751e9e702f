"""Gives the calls of one world to a daemon of one build, and keeps what it answers by the names of then."""

import re
import time

import grpc

from final import Final
from permitted import plain
from view import MOVE, View

NAMES = {1000: None, 1001: "ann"}
SCOPES = ["SCOPE_VIEW", "SCOPE_POST"]
PAUSE = 40  # events after which time passes
PAUSE_MILLISECONDS = 20_000
STORED_BY = 0.003  # seconds in which the store takes something, where it has anything to take
PAGE_SIZE = 5  # items of a page, where there are pages: few, so that there are many
NO_VIEW = (1 << 53) - 1
VIEW_NUMBER = re.compile(r"\bview \d+")  # in messages
SETTLED_BY = 0.2  # seconds after which what is not asked yet waits for something that does not come


class Player:
    """One world on one daemon."""

    def __init__(self, daemon, schema, translator):
        self.daemon, self.schema, self.translator = daemon, schema, translator
        self.answers, self.told, self.first, self.views, self.left = [], {}, {}, {}, {}
        self.has_upstream, self.stuck, self.newest = False, set(), 0

    def play(self, record):
        """Plays a world; returns its answers, each as (what was asked, what came)."""
        events = record["events"]
        self.users = sorted({event["user"] for event in events if "user" in event})
        self.has_upstream = any(event.get("request", {}).get("source") for event in events)
        self.daemon.has_upstream = self.has_upstream
        try:
            self.start(record["began"])
            self.make_accounts()
            for index, event in enumerate(events):
                getattr(self, f"do_{event['do']}")(f"event {index}", event)
                if index % PAUSE == PAUSE - 1:
                    self.pause()
            Final(self, events).look()
        finally:
            self.daemon.kill()
        return self.answers

    def start(self, at):
        """Starts the daemon at a time, and sees that it lives at that time: without its clock nothing could be compared."""
        self.daemon.start(at)
        status = self.expect("DaemonService/GetStatus", {})
        if status.get("started_at_ms") != self.daemon.clock.now:
            raise RuntimeError(f"the daemon's clock is not the replay's: it started at {status.get('started_at_ms')}")

    def make_accounts(self):
        """Makes an account for each user but the daemon's own, with a token."""
        for user in self.users:
            name = NAMES.get(user, f"u{user}")
            if name is None:
                continue
            self.expect("AccountService/MakeAccount", {"name": name})
            answer = self.expect("AccountService/IssueToken", {"name": "replay", "scopes": SCOPES, "account": name})
            self.daemon.tokens[user] = answer["token"]

    def expect(self, method, request):
        """Makes a call that has to succeed, as the owner."""
        answer = self.unary(None, method, request)
        if "response" not in answer:
            raise RuntimeError(f"{method} failed: {answer}")
        return answer["response"]

    # Calls.

    def unary(self, user, method, request):
        """Makes a call; the response or the status as values."""
        then, now = self.translator.method(method, request)
        message = self.translator.write(then.input_type, request, now.input_type)
        try:
            response = self.all_pages(user, now, message)
        except grpc.RpcError as error:
            return {"status": self.status(error, then.input_type)}
        return {"response": self.translator.read(then.output_type, response)}

    def all_pages(self, user, method, message):
        """Returns the response of this build to a call with one request; where there are pages, all of them as one."""
        has_pages, kind = "page_token" in method.input_type.fields_by_name, self.schema.make(method.output_type)
        if has_pages:
            message.page_size = PAGE_SIZE
        response = self.daemon.unary(user, method, message, kind)
        while has_pages and response.next_page_token:
            message.page_token = response.next_page_token
            response.ClearField("next_page_token")
            response.MergeFrom(self.daemon.unary(user, method, message, kind))
        return response

    def stream(self, user, method, requests):
        """Makes a call that streams; all responses, and the status."""
        then, now = self.translator.method(method)
        messages = [self.translator.write(then.input_type, request, now.input_type) for request in requests]
        responses = []
        try:
            for response in self.daemon.stream(user, now, iter(messages), self.schema.make(now.output_type)):
                responses.append(self.translator.read(then.output_type, response))
        except grpc.RpcError as error:
            return responses, self.status(error, then.input_type)
        return responses, {"code": "OK"}

    def status(self, error, request):
        """Returns the status of a failed call with such a request as values; its details as text."""
        values = {"code": error.code().name, "message": VIEW_NUMBER.sub("view N", error.details() or "")}
        for key, value in error.trailing_metadata() or ():
            if key == "grpc-status-details-bin":
                values["details"] = self.translator.status_details(value, values["code"], request)
        return self.translator.permitted.compared("Status", values)

    def resolve(self, value):
        """Returns a request in which ids are those that this daemon told."""
        if isinstance(value, dict):
            if "of" in value:
                call, field = value["of"]
                # The number of a view of another daemon may be that of a view here.
                return self.told.get(call, {}).get(field) or (NO_VIEW if field == "view_id" else int(value["was"]))
            return {name: self.resolve(item) for name, item in value.items()}
        return [self.resolve(item) for item in value] if isinstance(value, list) else value

    def note(self, place, asked, answer):
        """Keeps an answer."""
        self.answers.append((place, asked, without_revisions(answer)))

    # Events.

    def do_call(self, place, event):
        """Makes a call with one request."""
        method, asked = event["method"], event["request"]
        if method == MOVE:
            return self.move(place, event)
        request = self.resolve(asked)
        answer = self.unary(event["user"], method, request)
        self.check_revision(method, answer)
        # A command that is repeated may tell less than the first time.
        command = (event["user"], method, request.get("request_id") or event["call"])
        told = {name: value for name, value in plain(answer.get("response", {})).items() if value}
        self.told[event["call"]] = self.first[command] = self.first.get(command, {}) | told
        shown = {name: value for name, value in request.items() if name != "view_id"}
        self.note(place, f"{event['user']} {method} {shown}", answer)
        if self.has_upstream and method.startswith("TimelineService/"):
            self.await_outbox(event["user"])

    def check_revision(self, method, answer):
        """Sees that rows are as new as anything that was told before; of revisions nothing else is compared."""
        revision = answer.get("response", {}).get("revision", 0)
        if method == "ViewService/GetRows" and "response" in answer and revision < self.newest:
            answer["flaw"] = "rows of a revision before one that was told"
        self.newest = max(self.newest, revision)

    def move(self, place, event):
        """Moves the viewport of a view that this record opened."""
        reference = event["request"].get("view_id")
        view = self.views.get(reference["of"][0]) if isinstance(reference, dict) else None
        if view:
            answer = view.move(self.resolve(event["request"].get("viewport", {})))
            self.note(place, f"{event['user']} {MOVE} {view.viewport}", answer)

    def do_import(self, place, event):
        """Imports a file. Progress comes as it comes; the report is compared, with everything that was skipped."""
        responses, status = self.stream(event["user"], event["method"], event["requests"])
        skips = [skip for response in responses for skip in response.get("skips", [])]
        self.note(place, f"{event['user']} {event['method']}", {"status": status, "skips": skips, "report": (responses or [{}])[-1]})

    def do_open(self, place, event):
        """Opens a view, with what its viewer's last one held where the record has that."""
        held = self.left.pop((event["user"], event["viewer"]), None) if event["resumes"] else None
        view = self.views[event["call"]] = View(self, event, held)
        self.told[event["call"]] = plain(view.welcome)
        self.note(place, f"{event['user']} {event['method']} {event['hello']}", {"welcome": view.welcome, "status": view.status})

    def do_frame(self, place, event):
        """Says something on a view."""
        view = self.views.get(event["call"])
        if view and view.status is None:
            view.said(self.resolve(event["frame"]))
            self.note(place, f"{view.user} says {event['frame']}", {"status": view.status, "flaw": view.flaw})

    def do_leave(self, place, event):
        """Ends a view."""
        if view := self.views.pop(event["call"], None):
            view.leave()
            self.gone(place, view)
            self.await_store()

    def gone(self, place, view):
        """Keeps what a view held, for its viewer to come back with."""
        self.note(place, f"{view.user} leaves {view.viewer}", {"status": view.status, "flaw": view.flaw})
        if view.mirror.applied:
            self.left[view.user, view.viewer] = view.mirror

    def do_restart(self, place, event):
        """Ends the daemon in good order, and starts it on the same store."""
        self.daemon.stop(lambda: self.end_views(place))
        self.start(event["at"])

    def end_views(self, place):
        """Reads the ends of all views."""
        for view in self.views.values():
            view.advance(lambda _: False)
            self.gone(place, view)
        self.views = {}

    # Time.

    def pause(self):
        """Lets time pass: timers fire, and what they do is awaited."""
        self.settle_views()
        self.daemon.clock.advance(PAUSE_MILLISECONDS)
        self.await_store()
        self.settle_views()

    def await_store(self):
        """Waits until the store has what the daemon keeps of its own accord: where a view was, what it has seen."""
        before, status = None, self.unary(None, "DaemonService/GetStatus", {})
        while status != before:
            time.sleep(STORED_BY)
            before, status = status, self.unary(None, "DaemonService/GetStatus", {})

    def settle_views(self):
        """Has every view show what there is."""
        for view in self.views.values():
            view.settle()

    def await_outbox(self, user):
        """Waits until the source elsewhere has answered all that it was asked. What it will not be asked is waited for once."""
        before, until = None, 0
        while True:
            entries = self.unary(user, "TimelineService/GetOutbox", {}).get("response", {}).get("entries", [])
            waiting = [entry for entry in entries if entry.get("delivery") == "DELIVERY_PENDING"]
            names = {(user, entry["post_id"], entry["action"]) for entry in waiting if not entry.get("asked")}
            if waiting != before:
                before, until = waiting, time.monotonic() + SETTLED_BY
            if len(names) == len(waiting) and (names <= self.stuck or time.monotonic() > until):
                break
            time.sleep(0.002)
        self.stuck |= names
        self.await_store()


def without_revisions(value):
    """Returns a value without revisions: it is chance which writes are stored together, where a view lay among them."""
    if isinstance(value, dict):
        return {name: without_revisions(item) for name, item in value.items() if not name.endswith("revision")}
    return [without_revisions(item) for item in value] if isinstance(value, list) else value
