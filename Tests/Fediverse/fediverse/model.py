"""The state of a server as plain values, and the laws that say who sees what.

Nothing here knows HTTP. `listen` receives what streams are made of: (channel, event, value), where a channel is ("user", account),
("direct", account), ("list", list), ("public",), ("public:local",) or ("hashtag", name), and a value is a status, a notification, an
identifier or None.
"""

import dataclasses
import re

from .clock import Clock, Identifiers

MENTION = re.compile(r"(?<![\w/@])@(\w+)(?:@([\w.:-]+\w))?")
TAG = re.compile(r"(?<![\w/#&])#(\w*[^\W\d]\w*)")
VISIBILITIES = ("public", "unlisted", "private", "direct")  # and `local` (Flavour.local_posts)
RELATIONS = ("follow", "request", "mute", "block", "favourite", "bookmark", "pin", "mute_conversation")


class Refused(Exception):
    """A request that the server answers with an error: an HTTP status and a text for people."""

    def __init__(self, status, text):
        super().__init__(text)
        self.status, self.text = status, text


@dataclasses.dataclass
class Account:
    id: str
    name: str
    host: str | None  # None: an account of this server
    created: float
    password: str = ""
    display_name: str = ""
    note: str = ""
    locked: bool = False
    bot: bool = False


@dataclasses.dataclass
class Status:
    id: str
    account: str
    created: float
    text: str = ""
    visibility: str = "public"
    reply_to: str | None = None
    reblog: str | None = None
    quote: str | None = None
    warning: str = ""
    sensitive: bool = False
    language: str | None = "en"
    media: list = dataclasses.field(default_factory=list)
    poll: dict | None = None
    application: dict | None = None
    mentions: list = dataclasses.field(default_factory=list)
    edits: list = dataclasses.field(default_factory=list)  # earlier versions: (created, text, warning, sensitive)
    edited: float | None = None


class World:
    """Accounts, statuses, and what accounts did with them."""

    def __init__(self, flavour, host, clock=None):
        self.flavour, self.host, self.clock = flavour, host, clock or Clock()
        self.ids = Identifiers(flavour.ids)
        self.accounts, self.statuses, self.media = {}, {}, {}
        self.relations = {kind: {} for kind in RELATIONS}  # (subject, object) -> identifier, in order
        self.notifications, self.read_conversations, self.hidden_conversations = {}, set(), set()
        self.lists, self.filters, self.markers = {}, {}, {}
        self.home_limit = flavour.home_limit
        self.listen = lambda channel, event, value: None

    # Accounts and their relations

    def add_account(self, name, host=None, **fields):
        now = self.clock.now()
        account = Account(self.ids.make(now), name, host, now, password=f"{name}-secret", **fields)
        self.accounts[account.id] = account
        return account.id

    def find_account(self, name, host=None):
        host = None if host in ("", self.host) else host
        return next((a.id for a in self.accounts.values() if (a.name.lower(), a.host) == (name.lower(), host)), None)

    def has(self, kind, subject, target):
        return (subject, target) in self.relations[kind]

    def relate(self, kind, subject, target):
        """Sets a relation, and returns whether it is new."""
        if self.has(kind, subject, target):
            return False
        self.relations[kind][subject, target] = self.ids.make(self.clock.now())
        return True

    def unrelate(self, kind, subject, target):
        return self.relations[kind].pop((subject, target), None) is not None

    def targets(self, kind, subject):
        return [target for (one, target) in self.relations[kind] if one == subject]

    def subjects(self, kind, target):
        return [one for (one, other) in self.relations[kind] if other == target]

    def follow(self, subject, target):
        account = self.account(target)
        if self.has("block", target, subject):
            raise Refused(403, "This action is not allowed")
        if account.locked and account.host is None:
            if self.relate("request", subject, target):
                self.notify(target, "follow_request", subject)
        elif self.relate("follow", subject, target):
            self.notify(target, "follow", subject)

    def unfollow(self, subject, target, tell_streams=False):
        before = self.home(subject)
        self.unrelate("follow", subject, target)
        self.unrelate("request", subject, target)
        self.tell_of_leaving(subject, before, tell_streams)

    def mute(self, subject, target, tell_streams=False):
        before = self.home(subject)
        self.relate("mute", subject, target)
        self.tell_of_leaving(subject, before, tell_streams)

    def block(self, subject, target, tell_streams=False):
        before = self.home(subject)
        self.relate("block", subject, target)
        for one, other in ((subject, target), (target, subject)):
            self.unrelate("follow", one, other)
            self.unrelate("request", one, other)
        self.tell_of_leaving(subject, before, tell_streams)

    def tell_of_leaving(self, subject, before, tell_streams):
        """Sends `delete` for posts that left a home timeline though they exist, as some servers do."""
        if tell_streams:
            after = set(self.home(subject))
            for status in before:
                if status not in after:
                    self.listen(("user", subject), "delete", status)

    # Statuses

    def account(self, identifier):
        if identifier not in self.accounts:
            raise Refused(404, "Record not found")
        return self.accounts[identifier]

    def publish(self, account, text="", written=None, **fields):
        """Publishes a status. `written` is when a remote one was written, if it arrives late."""
        now = self.clock.now()
        created = now if written is None else written
        identifier = self.ids.make(created if self.flavour.dates_ids_by_writing else now)
        status = Status(identifier, account, created, text, mentions=self.mentioned(text), **fields)
        self.statuses[status.id] = status
        self.deliver(status)
        return status.id

    def mentioned(self, text):
        found = (self.find_account(name, host) for name, host in MENTION.findall(text))
        return list(dict.fromkeys(identifier for identifier in found if identifier))

    def reblog(self, account, target, visibility="public"):
        original = self.original(target)
        if original.visibility == "direct" or (original.visibility == "private" and original.account != account):
            raise Refused(403, "This action is not allowed")
        existing = self.reblog_by(account, original.id)
        if existing:
            return existing
        identifier = self.publish(account, reblog=original.id, visibility=visibility, language=None)
        self.notify(original.account, "reblog", account, original.id)
        return identifier

    def reblog_by(self, account, target):
        return next((s.id for s in self.statuses.values() if s.account == account and s.reblog == target), None)

    def original(self, identifier):
        status = self.statuses[identifier]
        return self.statuses[status.reblog] if status.reblog else status

    def edit(self, identifier, text, warning="", sensitive=False):
        status = self.statuses[identifier]
        status.edits.append((status.edited or status.created, status.text, status.warning, status.sensitive))
        status.text, status.warning, status.sensitive = text, warning, sensitive
        status.edited, status.mentions = self.clock.now(), self.mentioned(text)
        for owner in self.local_accounts():
            if self.in_home(owner, status):
                self.listen(("user", owner), "status.update", status)
            if self.has("favourite", owner, identifier) or self.reblog_by(owner, identifier):
                self.notify(owner, "update", status.account, identifier)
        self.tell_public(status, "status.update", status)

    def delete(self, identifier):
        """Deletes a status and its reblogs. A missing one is no error."""
        status = self.statuses.get(identifier)
        if status is None:
            return
        for reblog in [s.id for s in self.statuses.values() if s.reblog == identifier]:
            self.delete(reblog)
        owners = [o for o in self.local_accounts() if self.flavour.deletes_to_all or self.in_home(o, status)]
        del self.statuses[identifier]
        for kind in ("favourite", "bookmark", "pin"):
            for subject in self.subjects(kind, identifier):
                self.unrelate(kind, subject, identifier)
        self.notifications = {k: n for k, n in self.notifications.items() if n["status"] != identifier}
        for owner in owners:
            self.listen(("user", owner), "delete", identifier)
        self.tell_public(status, "delete", identifier)

    def favourite(self, account, target):
        original = self.original(target)
        if self.relate("favourite", account, original.id):
            self.notify(original.account, "favourite", account, original.id)

    # Who sees what

    def local_accounts(self):
        return [account.id for account in self.accounts.values() if account.host is None]

    def sees(self, viewer, status):
        """Returns whether an account (None: the public) may see a status at all."""
        if viewer == status.account:
            return True
        if viewer and (self.has("block", viewer, status.account) or self.has("block", status.account, viewer)):
            return False
        if status.visibility in ("public", "unlisted"):
            return status.reblog is None or self.sees(viewer, self.statuses[status.reblog])
        if viewer is None:
            return False
        if status.visibility == "local":
            return self.accounts[viewer].host is None
        return viewer in status.mentions or (status.visibility == "private" and self.has("follow", viewer, status.account))

    def in_home(self, viewer, status):
        """Returns whether a status belongs to a home timeline: by its author or a followed account, visible, not muted, and no
        reply to someone whom the viewer does not follow."""
        if status.account != viewer and not self.has("follow", viewer, status.account):
            return False
        authors = [status.account] + ([self.statuses[status.reblog].account] if status.reblog else [])
        if any(self.has(kind, viewer, author) for author in authors for kind in ("mute", "block")) or not self.sees(viewer, status):
            return False
        parent = self.statuses.get(status.reply_to)
        if parent is None or status.account == viewer:
            return True
        return parent.account in (viewer, status.account) or self.has("follow", viewer, parent.account)

    def home(self, viewer):
        """Returns the identifiers of a home timeline, the newest first, as far as the server keeps them."""
        return self.newest_first(s.id for s in self.statuses.values() if self.in_home(viewer, s))[: self.home_limit]

    def newest_first(self, identifiers):
        return sorted(identifiers, key=Identifiers.order, reverse=True)

    # What a new status sets going

    def deliver(self, status):
        for owner in self.local_accounts():
            if self.in_home(owner, status):
                self.listen(("user", owner), "update", status)
                for key, made in self.lists.items():
                    if made["owner"] == owner and status.account in made["members"]:
                        self.listen(("list", key), "update", status)
            if owner in status.mentions and owner != status.account:
                self.notify(owner, "mention", status.account, status.id)
            if self.flavour.quotes and status.quote in self.statuses and self.statuses[status.quote].account == owner:
                self.notify(owner, "quote", status.account, status.id)
            if status.visibility == "direct" and (owner in status.mentions or owner == status.account):
                self.read_conversations.discard((owner, self.root(status)))
                self.hidden_conversations.discard((owner, self.root(status)))
                self.listen(("direct", owner), "conversation", status)
        self.tell_public(status, "update", status)

    def tell_public(self, status, event, value):
        if status.visibility != "public" or status.reblog:
            return
        self.listen(("public",), event, value)
        if self.accounts[status.account].host is None:
            self.listen(("public:local",), event, value)
        for tag in self.tags(status):
            self.listen(("hashtag", tag), event, value)

    def tags(self, status):
        return list(dict.fromkeys(tag.lower() for tag in TAG.findall(status.text)))

    def notify(self, owner, kind, by, status=None):
        if owner == by or owner not in self.accounts or self.accounts[owner].host is not None:
            return
        if any(self.has(relation, owner, by) for relation in ("mute", "block")):
            return
        identifier = self.ids.make(self.clock.now())
        notification = {
            "id": identifier, "owner": owner, "type": kind, "by": by, "status": status, "created": self.clock.now(),
        }
        self.notifications[identifier] = notification
        self.listen(("user", owner), "notification", notification)

    def root(self, status):
        """Returns the first status of a conversation that is still there."""
        while status.reply_to in self.statuses:
            status = self.statuses[status.reply_to]
        return status.id
