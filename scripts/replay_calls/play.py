"""Sends the calls of a world to a daemon of one build, and records its responses under the names of 93cdc55."""

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
STORED_BY = 0.003  # seconds in which the store completes a pending write
PAGE_SIZE = 5  # items per page: few, so that there are many pages
NO_VIEW = (1 << 53) - 1
VIEW_NUMBER = re.compile(r"\bview \d+")  # in messages
SETTLED_BY = 0.2  # seconds after which an unsent command is considered stuck


class Player:
    """A replay of a world on one daemon."""

    def __init__(self, daemon, schema, translator):
        self.daemon, self.schema, self.translator = daemon, schema, translator
        self.answers, self.told, self.first, self.views, self.left = [], {}, {}, {}, {}
        self.has_upstream, self.stuck, self.newest = False, set(), 0

    def play(self, record):
        """Replays a world; returns its answers, each as (place, request, answer)."""
        events = record["events"]
        self.users = sorted({event["user"] for event in events if "user" in event})
        self.has_upstream = any(event.get("request", {}).get("source") for event in events)
        self.daemon.has_upstream = self.has_upstream
        try:
            self.start(record["began"])
            self.let_follow()
            self.make_accounts()
            for index, event in enumerate(events):
                getattr(self, f"do_{event['do']}")(f"event {index}", event)
                if index % PAUSE == PAUSE - 1:
                    self.pause()
            Final(self, events).compare_all()
        finally:
            self.daemon.kill()
        return self.answers

    def start(self, at):
        """Starts the daemon at a time, and checks that it uses the replay's clock."""
        self.daemon.start(at)
        status = self.expect("DaemonService/GetStatus", {})
        if status.get("started_at_ms") != self.daemon.clock.now:
            raise RuntimeError(f"the daemon does not use the replay's clock: it started at {status.get('started_at_ms')}")

    def let_follow(self):
        """Has accounts follow each other from the start, as those of 93cdc55 always did. It changes no revision."""
        if method := self.schema.methods.get("AccountService/SetFollowPolicy"):
            request = self.schema.make(method.input_type)(follows="FOLLOW_POLICY_OPEN")
            self.daemon.unary(None, method, request, self.schema.make(method.output_type))

    def make_accounts(self):
        """Creates an account and a token for each user but the daemon's own."""
        for user in self.users:
            name = NAMES.get(user, f"u{user}")
            if name is None:
                continue
            self.expect("AccountService/MakeAccount", {"name": name})
            answer = self.expect(
                "AccountService/IssueToken", {"name": "replay", "scopes": SCOPES, "account": name}, self.allow_panes)
            self.daemon.tokens[user] = answer["token"]

    @staticmethod
    def allow_panes(message):
        """Adds the scope for pane commands, which 93cdc55 does not have, if this build has it."""
        scopes = message.DESCRIPTOR.fields_by_name["scopes"].enum_type.values_by_name
        if "SCOPE_PANES" in scopes:
            message.scopes.append(scopes["SCOPE_PANES"].number)

    def expect(self, method, request, complete=None):
        """Makes a call as the owner, which must succeed."""
        answer = self.unary(None, method, request, complete)
        if "response" not in answer:
            raise RuntimeError(f"{method} failed: {answer}")
        return answer["response"]

    # Calls.

    def unary(self, user, method, request, complete=None):
        """Makes a call; returns the response or the status as values. `complete` may add to the message of this build."""
        then, now = self.translator.method(method, request)
        message = self.translator.write(then.input_type, request, now.input_type)
        if complete:
            complete(message)
        try:
            response = self.all_pages(user, now, message)
        except grpc.RpcError as error:
            return {"status": self.status(error, then.input_type)}
        return {"response": self.translator.read(then.output_type, response)}

    def all_pages(self, user, method, message):
        """Makes a call with one request; returns the response of this build, with all pages merged."""
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
        """Makes a streaming call; returns all responses and the status."""
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
        """Returns the status of a failed call as values, with its details as text."""
        values = {"code": error.code().name, "message": VIEW_NUMBER.sub("view N", error.details() or "")}
        for key, value in error.trailing_metadata() or ():
            if key == "grpc-status-details-bin":
                values["details"] = self.translator.status_details(value, values["code"], request)
        return self.translator.permitted.compared("Status", values)

    def resolve(self, value):
        """Returns a request with the IDs that this daemon has returned."""
        if isinstance(value, dict):
            if "of" in value:
                call, field = value["of"]
                # A view ID of another daemon might match a view of this one.
                return self.told.get(call, {}).get(field) or (NO_VIEW if field == "view_id" else int(value["was"]))
            return {name: self.resolve(item) for name, item in value.items()}
        return [self.resolve(item) for item in value] if isinstance(value, list) else value

    def record(self, place, asked, answer):
        """Records an answer."""
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
        # The response to a repeated command may be less complete than the first one.
        command = (event["user"], method, request.get("request_id") or event["call"])
        told = {name: value for name, value in plain(answer.get("response", {})).items() if value}
        self.told[event["call"]] = self.first[command] = self.first.get(command, {}) | told
        shown = {name: value for name, value in request.items() if name != "view_id"}
        self.record(place, f"{event['user']} {method} {shown}", answer)
        if self.has_upstream and method.startswith("TimelineService/"):
            self.await_outbox(event["user"])

    def check_revision(self, method, answer):
        """Checks that rows are at least as new as any earlier response. Nothing else of revisions is compared."""
        revision = answer.get("response", {}).get("revision", 0)
        if method == "ViewService/GetRows" and "response" in answer and revision < self.newest:
            answer["flaw"] = "rows of a revision before one already received"
        self.newest = max(self.newest, revision)

    def move(self, place, event):
        """Moves the viewport of a view that this record opened."""
        reference = event["request"].get("view_id")
        view = self.views.get(reference["of"][0]) if isinstance(reference, dict) else None
        if view:
            answer = view.move(self.resolve(event["request"].get("viewport", {})))
            self.record(place, f"{event['user']} {MOVE} {view.viewport}", answer)

    def do_import(self, place, event):
        """Imports a file. Compares the report and all skipped items, but not the progress."""
        responses, status = self.stream(event["user"], event["method"], event["requests"])
        skips = [skip for response in responses for skip in response.get("skips", [])]
        self.record(place, f"{event['user']} {event['method']}", {"status": status, "skips": skips, "report": (responses or [{}])[-1]})

    def do_open(self, place, event):
        """Opens a view, resuming the viewer's last one if the record does so."""
        held = self.left.pop((event["user"], event["viewer"]), None) if event["resumes"] else None
        view = self.views[event["call"]] = View(self, event, held)
        self.told[event["call"]] = plain(view.welcome)
        self.record(place, f"{event['user']} {event['method']} {event['hello']}", {"welcome": view.welcome, "status": view.status})

    def do_frame(self, place, event):
        """Sends a frame on a view."""
        view = self.views.get(event["call"])
        if view and view.status is None:
            view.send_frame(self.resolve(event["frame"]))
            self.record(place, f"{view.user} says {event['frame']}", {"status": view.status, "flaw": view.flaw})

    def do_leave(self, place, event):
        """Closes a view."""
        if view := self.views.pop(event["call"], None):
            view.leave()
            self.record_end(place, view)
            self.await_store()

    def record_end(self, place, view):
        """Records the end of a view, and keeps its mirror for its viewer to resume."""
        self.record(place, f"{view.user} leaves {view.viewer}", {"status": view.status, "flaw": view.flaw})
        if view.mirror.applied:
            self.left[view.user, view.viewer] = view.mirror

    def do_restart(self, place, event):
        """Stops the daemon gracefully, and restarts it on the same store."""
        self.daemon.stop(lambda: self.end_views(place))
        self.start(event["at"])

    def end_views(self, place):
        """Reads all views to their ends."""
        for view in self.views.values():
            view.advance(lambda _: False)
            self.record_end(place, view)
        self.views = {}
        # 93cdc55 gave the IDs of a daemon's views again after a restart; now they match no view.
        for told in self.told.values():
            if "view_id" in told:
                told["view_id"] = NO_VIEW

    # Time.

    def pause(self):
        """Lets time pass, and waits for the effects of timers."""
        self.settle_views()
        self.daemon.clock.advance(PAUSE_MILLISECONDS)
        self.await_store()
        self.settle_views()

    def await_store(self):
        """Waits until the store has written the daemon's own records: positions of views, and seen posts."""
        before, status = None, self.unary(None, "DaemonService/GetStatus", {})
        while status != before:
            time.sleep(STORED_BY)
            before, status = status, self.unary(None, "DaemonService/GetStatus", {})

    def settle_views(self):
        """Brings every view up to date."""
        for view in self.views.values():
            view.settle()

    def await_outbox(self, user):
        """Waits until the remote source has responded to all commands. Waits only once for commands that will not be sent."""
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
    """Returns a value without revisions, which depend on the batches of writes."""
    if isinstance(value, dict):
        return {name: without_revisions(item) for name, item in value.items() if not name.endswith("revision")}
    return [without_revisions(item) for item in value] if isinstance(value, list) else value
