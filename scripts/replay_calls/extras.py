"""Adds calls to the recorded ones, since the simulation's clients use only fifteen of the daemon's methods.

The calls are drawn from the world's seed, so they are the same in every run. They are part of the record.
"""

import random

SHARE = 0.35  # extra calls per recorded one
LAYOUT = {"width": 72, "height": 30}
WORDS = ["otter", "harbour", "tide", "#books", "long", "writes", "言", "keeps"]
SESSIONS = ["", "desk"]
AUTHORS = ["@ann", "@ann", "1", "1", "2", "2", "3", "@u1500", "@u2000", "@keeper", "@nobody"]
LISTS = ["tides", "tides", "tides", "harbours", "Boats", "no such list"]
SECTIONS = ["TIMELINE", "MENTIONS", "LISTS", "MESSAGES", "PROFILE", "SEARCH"]
ZONES = ["", "Europe/Berlin", "Asia/Tokyo"]
STYLES = ["TIME_STYLE_WORDS", "TIME_STYLE_SHORT", "TIME_STYLE_LONG"]


class Extras:
    """The extra calls of one world."""

    def __init__(self, seed):
        self.random, self.made, self.calls, self.drafts = random.Random(f"extras {seed}"), 0, 0, []

    def after(self, event, posts):
        """Returns the extra calls after a recorded one, by the same user; `posts` are those known from responses."""
        if self.random.random() >= SHARE:
            return []
        self.made += 1
        made = self.random.choice(self.kinds(posts))()
        return [self.call(event["user"], *call) for call in (made if isinstance(made, list) else [made])]

    def call(self, user, method, request):
        """Returns a call as an event."""
        self.calls += 1
        if method == "TimelineService/SaveDraft":
            self.drafts.append({"of": [-self.calls, "draft_id"], "was": 1})
        return {"do": "call", "call": -self.calls, "user": user, "method": method, "request": request}

    def kinds(self, posts):
        """Returns the functions that make calls, repeated by their weight."""
        kinds = [self.draft, self.follow, self.lists, self.mute, self.ask, self.measure, self.write]
        kinds += [self.stack, self.stack, self.rows, self.rows, self.rows]
        if posts:
            self.post = self.random.choice(posts)
            kinds += [self.push, self.select, self.collapse, self.replace, self.read, self.direct, self.around]
        return kinds

    def pick(self, *choices):
        """Draws one of the choices."""
        return self.random.choice(choices)

    def author(self):
        """Draws an author, who may or may not exist."""
        return self.pick(*AUTHORS)

    def header(self):
        """Draws the header of a session command."""
        return {"session": self.pick(*SESSIONS), "request_id": f"extra {self.made}"}

    def draft(self):
        """Saves, lists or deletes drafts."""
        kind = self.pick("SaveDraft", "SaveDraft", "SaveDraft", "ListDrafts", "DeleteDraft")
        text = " ".join(self.random.choices(WORDS, k=self.random.randrange(6)))
        request = {"SaveDraft": {"request_id": f"draft {self.random.randrange(5)}", "text": text}, "ListDrafts": {},
                   "DeleteDraft": {"draft_id": self.pick(*self.drafts) if self.drafts else 1}}
        return f"TimelineService/{kind}", request[kind]

    def follow(self):
        """Follows or unfollows an author, or lists follows."""
        kind = self.pick("Follow", "Follow", "Unfollow", "GetProfile", "GetFollows")
        return f"ListService/{kind}", {"author": self.author()} | ({"followers": self.pick(True, False)} if kind == "GetFollows" else {})

    def lists(self):
        """Creates, changes or reads lists."""
        kind = self.pick("MakeList", "MakeList", "AddToList", "RemoveFromList", "RenameList", "DeleteList", "GetLists", "GetLists")
        name = self.pick(*LISTS)
        if kind == "MakeList":
            members = [("ListService/AddToList", {"list": name, "author": self.author()}) for _ in range(2)]
            return [("ListService/MakeList", {"name": name}), *members]
        request = {"GetLists": {"list": self.pick("", name)}, "DeleteList": {"list": name},
                   "RenameList": {"list": name, "name": self.pick("Ships", "tides")}}
        return f"ListService/{kind}", request.get(kind, {"list": name, "author": self.author()})

    def mute(self):
        """Mutes or blocks authors or words, or removes that, which is more likely."""
        kind = self.pick("Mute", "Unmute", "Unmute", "Block", "Unblock", "Unblock", "MuteWord", "UnmuteWord", "GetMuted")
        if kind == "GetMuted":
            return "ListService/GetMuted", {}
        return f"ListService/{kind}", {"word": self.pick(*WORDS)} if kind.endswith("Word") else {"author": self.author()}

    def stack(self):
        """Commands the panes of a session."""
        kind = self.pick("Open", "Open", "Back", "Forward", "DropAll", "ResizePane", "SetFilter", "Push", "PopTo", "Pop")
        request = {"command": self.header()}
        if kind == "Open":
            request |= {"section": f"SECTION_{self.pick(*SECTIONS)}", "query": self.pick("", "otter")}
            if not request["section"].endswith("SEARCH"):
                del request["query"]
        elif kind == "ResizePane":
            request |= {"width": self.random.randrange(20, 90)}
        elif kind == "SetFilter":
            request |= {"filter": self.pick("", "otter", "has:link", "is:unread", "from:ann", "bad:filter")}
        elif kind == "Push":
            request |= self.pick({"author": self.author()}, {"search": self.pick(*WORDS)}, {"list": "tides"})
        elif kind == "PopTo":
            request |= {"pane_id": self.random.randrange(1, 4)}
        return f"StackService/{kind}", request

    def layout(self):
        """Draws a layout."""
        return LAYOUT | {"width": self.random.randrange(20, 160), "time_zone": self.pick(*ZONES), "time_style": self.pick(*STYLES),
                         "locale": self.pick("", "de", "ja"), "day_lines": self.pick(True, False)}

    def rows(self):
        """Reads rows of a random subject."""
        subject = self.pick(
            {"section": "SECTION_TIMELINE"}, {"section": f"SECTION_{self.pick(*SECTIONS)}"}, {"author": self.author()}, {"list": "tides"},
            {"search": f"{self.pick(*WORDS)} {self.pick('', 'from:ann', 'is:favourited', 'writes')}".strip()})
        direction = self.pick("DIRECTION_OLDER", "DIRECTION_NEWER")
        more = self.pick({}, {"filter": self.pick("is:unread", "otter", "-tide")})
        return "ViewService/GetRows", subject | more | {"layout": self.layout(), "direction": direction, "count": self.random.randrange(60)}

    def ask(self):
        """Makes a general query, an undo or a redo."""
        return self.pick(
            ("StackService/ListSessions", {}), ("DaemonService/GetStatus", {}), ("TimelineService/GetOutbox", {}),
            ("AccountService/WhoAmI", {}), ("TimelineService/Undo", {"request_id": f"undo {self.made}"}),
            ("TimelineService/Undo", {"request_id": f"redo {self.made}", "redo": True}))

    def measure(self):
        """Measures a text."""
        text = " ".join(self.random.choices([*WORDS, "https://example.org/a", "👩‍👩‍👧", "仕様です。", "\n"], k=self.random.randrange(1, 40)))
        return "ViewService/Measure", {"text": text, "layout": self.layout(), "width": self.random.randrange(1, 90)}

    def write(self):
        """Writes a post that names others, with a random visibility."""
        text = f"{self.author()} {' '.join(self.random.choices(WORDS, k=4))} {self.author()} {self.made}"
        visibility = self.pick("PUBLIC", "UNLISTED", "FOLLOWERS", "DIRECT")
        return "TimelineService/Compose", {"text": text, "visibility": f"VISIBILITY_{visibility}"}

    # Calls about a post.

    def push(self):
        """Opens the post's conversation."""
        return "StackService/Push", {"command": self.header(), "conversation": self.post, "width": self.pick(0, 40)}

    def opened(self, *calls):
        """Returns consecutive calls that command one session."""
        session = self.pick(*SESSIONS)
        return [(method, {"command": {"session": session}} | request) for method, request in calls]

    def select(self):
        """Selects the post in the timeline, then leaves or filters the pane."""
        return self.opened(
            ("StackService/Open", {"section": "SECTION_TIMELINE"}), ("StackService/Select", {"row_id": self.post}),
            self.pick(("StackService/Back", {}), ("StackService/DropAll", {}), ("StackService/SetFilter", {"filter": "writes"})))

    def collapse(self):
        """Collapses or expands the replies below the post in its conversation."""
        return self.opened(
            ("StackService/Push", {"conversation": self.post}),
            ("StackService/Collapse", {"row_id": self.post, "collapsed": self.pick(True, True, False)}))

    def replace(self):
        """Replaces the post's conversation by a profile."""
        (method, push), = self.opened(("StackService/Replace", {"author": self.author()}))
        return [("StackService/Push", {"command": push["command"], "conversation": self.post}), (method, {"push": push})]

    def read(self):
        """Sets the reading position of a section to the post."""
        return "StackService/SetReadingPosition", {"command": self.header(), "section": "SECTION_TIMELINE", "row_id": self.post}

    def direct(self):
        """Writes a direct or followers-only reply to the post."""
        request = {"text": f"{self.author()} only you, {self.made}", "in_reply_to": self.post}
        return "TimelineService/Compose", request | {"visibility": self.pick("VISIBILITY_DIRECT", "VISIBILITY_FOLLOWERS")}

    def around(self):
        """Reads the post's conversation, the post alone, or the rows below it."""
        subject = self.pick({"conversation": self.post}, {"post": self.post}, {"section": "SECTION_TIMELINE", "anchor_row": self.post})
        return "ViewService/GetRows", subject | {"layout": self.layout(), "count": 50}
