"""Compares the final state of a world: mirrors, fresh views, and the responses to all queries."""

import base64
import json
import pickle
import re

from view import View

LAYOUT = {"width": 100, "height": 40, "day_lines": True, "clock_size": 3}
SECTIONS = ("TIMELINE", "MENTIONS", "LISTS", "MESSAGES", "PROFILE")
STORE = re.compile(r'\b[0-9a-f]{16}(-\d+")')  # IDs of local posts begin with a number that each store draws
QUESTIONS = [
    ("StackService/ListSessions", {}), ("ListService/GetLists", {}), ("ListService/GetMuted", {}), ("TimelineService/ListDrafts", {}),
    ("ListService/GetProfile", {}), ("ListService/GetFollows", {}), ("ListService/GetFollows", {"followers": True}),
    ("TimelineService/GetOutbox", {}), ("AccountService/WhoAmI", {}), ("DaemonService/GetStatus", {}),
]
OWNERS = [("AccountService/ListAccounts", {}), ("DaemonService/CheckIntegrity", {})]
PAGE = 200
SAME_LOOKS = 2  # required of a view
LATER = 3 * 60 * 60 * 1000  # time added at the last restart, so that relative times change


def without_read_marks(line):
    """Returns a line of an export without the read marks, which exports of 93cdc55 do not have."""
    for post in (line, line.get("original") or {}):
        if "flags" in post:
            post["flags"] = [flag for flag in post["flags"] if flag not in ("read", "unread")]
            if not post["flags"]:
                del post["flags"]
    return line


class Final:
    """The final state of a world on one daemon."""

    def __init__(self, player, events):
        self.player = player
        self.sessions = sorted({(event["user"], event["hello"].get("session", "")) for event in events if event["do"] == "open"})

    def compare_all(self):
        """Records the final state, then again after a restart."""
        self.player.pause()
        for number, view in sorted(self.player.views.items()):
            self.stabilise(view)
            self.record_view(f"the view of call {number}", view)
            self.stabilise(view, {})
            self.record_view(f"the view of call {number}, at the top", view)
        self.compare_fresh("at the end")
        self.player.do_restart("the last restart", {"at": self.player.daemon.clock.now + LATER})
        self.compare_fresh("after a restart")
        for (user, viewer), mirror in sorted(self.player.left.items()):
            hello = {"session": "", "layout": LAYOUT, "client": viewer}
            view = View(self.player, {"user": user, "viewer": viewer, "method": "ViewService/Attach", "hello": hello}, mirror)
            self.stabilise(view, {})
            self.record_view("resuming after a restart", view)
            view.leave()
        self.player.daemon.stop()

    def compare_fresh(self, when):
        """Records fresh views and the responses to all queries."""
        for user, session in self.sessions:
            hello = {"session": session, "layout": LAYOUT, "client": "replay"}
            view = View(self.player, {"user": user, "viewer": "replay", "method": "ViewService/Attach", "hello": hello})
            self.stabilise(view, {})
            self.record_view(f"a fresh view {when}", view)
            view.leave()
        for user in self.player.users:
            for section in SECTIONS:
                self.rows(when, user, {"section": f"SECTION_{section}"})
            for method, request in QUESTIONS + (OWNERS if user == 1000 else []):
                self.player.record(when, f"{user} {method} {request}", self.player.unary(user, method, request))
            responses, status = self.player.stream(user, "TimelineService/Export", [{}])
            text = b"".join(base64.b64decode(response.get("lines", "")) for response in responses)
            lines = [without_read_marks(json.loads(STORE.sub(r"\1", line))) for line in text.decode().splitlines()]
            self.player.record(when, f"{user} exports", {"lines": lines, "status": status})

    def rows(self, when, user, subject):
        """Records all rows of a section, page by page."""
        anchor = {}
        while True:
            request = {"layout": LAYOUT | {"width": 80}, "count": PAGE} | subject | anchor
            answer = self.player.unary(user, "ViewService/GetRows", request)
            self.player.record(when, f"{user} reads {subject} {anchor}", answer)
            response = answer.get("response", {})
            if not response.get("more"):
                return
            last = response["rows"][-1]["row"]
            anchor = {"anchor_row": last["row_id"], "anchor_at_ms": last.get("created_at_ms", 0)}

    def stabilise(self, view, viewport=None):
        """Moves a view until it is stable, since some of its contents are loaded asynchronously."""
        before, same = None, 0
        while same < SAME_LOOKS and view.status is None:
            view.settle(viewport)
            self.player.await_store()
            shown = pickle.dumps(view.mirror.shown())
            same = same + 1 if shown == before else 0
            before = shown

    def record_view(self, when, view):
        """Records the contents of a view."""
        shown = {"mirror": pickle.loads(pickle.dumps(view.mirror.shown())), "status": view.status, "flaw": view.flaw}
        self.player.record(when, f"{view.user} {view.viewer}", shown)
