"""Entities as each server writes them."""

import html
import re

from .clock import iso
from .model import MENTION, TAG

URL = re.compile(r"https?://[^\s<]+")
# Fields of Mastodon that the others do not have, and those that came after 4.2.
MASTODON_ACCOUNT = ("uri", "indexable", "hide_collections", "noindex", "roles")
MASTODON_AFTER_4_2 = ("indexable", "hide_collections", "quote", "quotes_count", "quote_approval", "group_key")


class Shapes:
    """Renders values of a world for a viewer (an account's identifier, or None)."""

    def __init__(self, world, origin):
        self.world, self.origin, self.flavour = world, origin, world.flavour
        self.kind = world.flavour.name.split("-")[0]

    # Accounts

    def acct(self, account):
        return account.name if account.host is None else f"{account.name}@{account.host}"

    def base(self, account):
        return self.origin if account.host is None else f"https://{account.host}"

    def url(self, account):
        path = {"akkoma": "users/", "pixelfed": ""}.get(self.kind, "@") if account.host is None else "@"
        return f"{self.base(account)}/{path}{account.name}"

    def uri(self, account):
        path = f"ap/users/{account.id}" if self.flavour.name == "mastodon-4.5" and account.host is None else f"users/{account.name}"
        return f"{self.base(account)}/{path}"

    def account(self, identifier):
        world, account = self.world, self.world.account(identifier)
        own = [s for s in world.statuses.values() if s.account == identifier]
        last = iso(max((s.created for s in own), default=0))
        created = iso(account.created)
        missing = f"{self.origin}/headers/original/missing.png"
        entity = {
            "id": account.id, "username": account.name, "acct": self.acct(account), "display_name": account.display_name,
            "locked": account.locked, "bot": account.bot, "discoverable": True, "indexable": False, "group": False,
            "created_at": created[:10] + "T00:00:00.000Z" if self.kind == "mastodon" else created,
            "note": self.paragraph(account.note) if account.note else "", "url": self.url(account), "uri": self.uri(account),
            "avatar": f"{self.origin}/avatars/original/missing.png", "avatar_static": f"{self.origin}/avatars/original/missing.png",
            "header": missing, "header_static": missing,
            "followers_count": len(world.subjects("follow", identifier)), "following_count": len(world.targets("follow", identifier)),
            "statuses_count": len(own), "last_status_at": last[:10] if own else None, "hide_collections": None, "noindex": False,
            "emojis": [], "roles": [], "fields": [],
        }
        if account.host is not None:
            del entity["noindex"], entity["roles"]
        match self.kind:
            case "gotosocial":
                drop(entity, *MASTODON_ACCOUNT)
                entity |= {"enable_rss": True} if account.host is None else {}
            case "akkoma":
                drop(entity, *MASTODON_ACCOUNT, "discoverable", "group")
                entity |= {
                    "source": {"note": account.note, "sensitive": False, "fields": [], "pleroma": {"actor_type": "Person"}},
                    "fqn": f"{account.name}@{account.host or self.world.host}",
                    "akkoma": {"instance": None, "status_ttl_days": None, "permit_followback": False},
                    "pleroma": {"ap_id": self.uri(account), "also_known_as": [], "is_confirmed": True, "tags": [], "relationship": {}},
                }
            case "pixelfed":
                drop(entity, *MASTODON_ACCOUNT, "discoverable", "group")
                entity |= {"local": account.host is None, "note_text": account.note, "is_admin": False}
        return self.of_version(entity)

    def own_account(self, identifier):
        """Returns what verify_credentials answers."""
        account, entity = self.world.account(identifier), self.account(identifier)
        entity["source"] = entity.get("source", {}) | {
            "privacy": "public", "sensitive": False, "language": None, "note": account.note, "fields": [],
            "follow_requests_count": len(self.world.subjects("request", identifier)),
        }
        if self.kind == "mastodon":
            entity["source"] |= {"hide_collections": None, "discoverable": True, "indexable": False}
            entity["source"] |= {"attribution_domains": [], "quote_policy": "public"} if self.flavour.quotes else {}
        if self.kind in ("mastodon", "gotosocial"):
            entity["role"] = {"id": "-99", "name": "", "permissions": "65536", "color": "", "highlighted": False}
        return entity

    def relationship(self, viewer, other):
        has = self.world.has
        return {
            "id": other, "following": has("follow", viewer, other), "showing_reblogs": has("follow", viewer, other), "notifying": False,
            "languages": None, "followed_by": has("follow", other, viewer), "blocking": has("block", viewer, other),
            "blocked_by": has("block", other, viewer), "muting": has("mute", viewer, other),
            "muting_notifications": has("mute", viewer, other), "requested": has("request", viewer, other),
            "requested_by": has("request", other, viewer), "domain_blocking": False, "endorsed": False, "note": "",
        }

    def of_version(self, entity):
        """Leaves out what Mastodon had not yet in 4.2, and what no other server has."""
        return entity if self.flavour.quotes else drop(entity, *MASTODON_AFTER_4_2)

    # Statuses

    def paragraph(self, text):
        body = self.linked(text).replace("\n\n", "</p><p>").replace("\n", "<br />")
        return f"<p>{body}</p>" if self.flavour.paragraph else body.replace("</p><p>", "<br /><br />")

    def linked(self, text):
        """Returns a text as HTML, with links of mentions, hashtags and URLs."""

        def mention(found):
            identifier = self.world.find_account(found[1], found[2])
            if identifier is None:
                return found[0]
            url = self.url(self.world.accounts[identifier])
            return f'<span class="h-card" translate="no"><a href="{url}" class="u-url mention">@<span>{found[1]}</span></a></span>'

        def url(found):
            shown = re.sub("^https?://", "", found[0])
            return (
                f'<a href="{found[0]}" target="_blank" rel="nofollow noopener" translate="no"><span class="invisible">'
                f'{found[0][: -len(shown)]}</span><span class="">{shown}</span><span class="invisible"></span></a>'
            )

        def tag(found):
            return f'<a href="{self.origin}/tags/{found[1].lower()}" class="mention hashtag" rel="tag">#<span>{found[1]}</span></a>'

        links = re.compile(f"(?P<url>{URL.pattern})|(?P<mention>{MENTION.pattern})|(?P<tag>{TAG.pattern})")
        escaped = html.escape(text, quote=False).replace("'", "&#39;")
        return links.sub(
            lambda m: url(m) if m["url"] else mention(MENTION.match(escaped, m.start())) if m["mention"]
            else tag(TAG.match(escaped, m.start())), escaped)

    def status(self, status, viewer=None, source=False):
        """Returns a status; `source`: with `text` in place of `content`, as the answer to a deletion."""
        world, author = self.world, self.world.accounts[status.account]
        base = self.base(author)
        path = "" if status.reblog is None else "/activity"
        target = world.original(status.id).id if status.id in world.statuses else status.id
        flags = {
            "favourited": world.has("favourite", viewer, target), "reblogged": world.reblog_by(viewer, target) is not None,
            "muted": world.has("mute_conversation", viewer, world.root(status)), "bookmarked": world.has("bookmark", viewer, target),
        }
        if viewer == status.account and status.reblog is None and status.visibility != "direct":
            flags["pinned"] = world.has("pin", viewer, status.id)
        parent = world.statuses.get(status.reply_to)
        entity = {
            "id": status.id, "created_at": iso(status.created), "in_reply_to_id": status.reply_to,
            "in_reply_to_account_id": parent and parent.account, "sensitive": status.sensitive, "spoiler_text": status.warning,
            "visibility": status.visibility, "language": status.language, "uri": f"{self.uri(author)}/statuses/{status.id}{path}",
            "url": f"{base}/@{author.name}/{status.id}{path}",
            "replies_count": sum(s.reply_to == status.id for s in world.statuses.values()),
            "reblogs_count": sum(s.reblog == status.id for s in world.statuses.values()),
            "favourites_count": len(world.subjects("favourite", status.id)),
            "quotes_count": sum(s.quote == status.id for s in world.statuses.values()),
            "edited_at": status.edited and iso(status.edited), **(flags if viewer else {}),
            "content": self.paragraph(status.text) if status.reblog is None else "",
            "filtered": self.filtered(status, viewer) if viewer else [],
            "reblog": self.status(world.statuses[status.reblog], viewer) if status.reblog else None,
            "application": status.application, "account": self.account(status.account),
            "media_attachments": [self.attachment(world.media[m]) for m in status.media],
            "mentions": [self.mention(world.accounts[m]) for m in status.mentions],
            "tags": [{"name": tag, "url": f"{self.origin}/tags/{tag}"} for tag in world.tags(status)], "emojis": [],
            "quote": self.quote(status, viewer), "card": None, "poll": status.poll,
            "quote_approval": {"automatic": ["public"], "manual": [], "current_user": "automatic"},
        }
        if source:
            entity["text"] = status.text
            del entity["content"]
        if not viewer:
            del entity["filtered"]
        return self.of_kind(self.of_version(entity), status)

    def of_kind(self, entity, status):
        match self.kind:
            case "gotosocial":
                policy = {"always": ["public", "me"], "with_approval": [], "automatic_approval": ["public", "me"], "manual_approval": []}
                entity |= {"text": status.text, "content_type": "text/plain"}
                entity["interaction_policy"] = {name: policy for name in ("can_favourite", "can_reply", "can_reblog")}
            case "akkoma":
                drop(entity, "filtered")
                entity |= {
                    "url": f"{self.origin}/notice/{status.id}", "quote_id": None, "quote": None, "emoji_reactions": [],
                    "akkoma": {"source": None, "in_reply_to_apid": None, "quote_apid": None},
                    "pleroma": {"local": True, "content": {"text/plain": status.text}, "thread_muted": False, "pinned_at": None},
                }
            case "pixelfed":
                drop(entity, "filtered", "edited_at", "pinned")
                entity |= {"shortcode": status.id[-8:], "_v": 1, "pf_type": "photo" if status.media else "text", "taggedPeople": []}
        return entity

    def quote(self, status, viewer):
        if status.quote is None:
            return None
        quoted = self.world.statuses.get(status.quote)
        if quoted is None:
            return {"state": "deleted", "quoted_status": None}
        return {"state": "accepted", "quoted_status": self.status(quoted, viewer)}

    def mention(self, account):
        return {"id": account.id, "username": account.name, "url": self.url(account), "acct": self.acct(account)}

    def attachment(self, media):
        address = f"{self.origin}/system/media/{media['id']}"
        size = {"width": 1, "height": 1, "size": "1x1", "aspect": 1.0}
        return {
            "id": media["id"], "type": "image", "url": address if media["waits"] == 0 else None, "preview_url": f"{address}/small",
            "remote_url": None, "preview_remote_url": None, "text_url": None, "meta": {"original": size, "small": size},
            "description": media["description"], "blurhash": "UGC~-#M{0JfkNFofR%M{IURj%Mt7E0oM%MR*",
        }

    def filtered(self, status, viewer):
        """Returns the filters of an account that a status matches."""
        text = f"{status.warning}\n{status.text}".lower()
        found = []
        for made in self.world.filters.values():
            words = [k["keyword"] for k in made["keywords"] if k["keyword"].lower() in text]
            if made["owner"] == viewer and words:
                found.append({"filter": self.filter(made, whole=False), "keyword_matches": words, "status_matches": None})
        return found

    def filter(self, made, whole=True):
        entity = {name: made[name] for name in ("id", "title", "context", "expires_at", "filter_action")}
        return entity | ({"keywords": made["keywords"], "statuses": []} if whole else {})

    def history(self, status):
        versions = [*status.edits, (status.edited or status.created, status.text, status.warning, status.sensitive)]
        return [
            {"content": self.paragraph(text), "spoiler_text": warning, "sensitive": sensitive, "created_at": iso(created),
             "account": self.account(status.account), "media_attachments": [self.attachment(self.world.media[m]) for m in status.media],
             "emojis": []}
            for created, text, warning, sensitive in versions
        ]

    # The rest

    def notification(self, note, viewer):
        entity = {
            "id": note["id"], "type": note["type"], "created_at": iso(note["created"]), "group_key": f"ungrouped-{note['id']}",
            "account": self.account(note["by"]),
        }
        status = self.world.statuses.get(note["status"])
        entity |= {"status": self.status(status, viewer)} if status else {}
        if self.kind == "akkoma":
            entity["pleroma"] = {"is_seen": False, "is_muted": False}
        return self.of_version(entity)

    def conversation(self, viewer, root, last):
        people = [p for p in (last.account, *last.mentions) if p != viewer]
        return {
            "id": root, "unread": (viewer, root) not in self.world.read_conversations and last.account != viewer,
            "accounts": [self.account(p) for p in dict.fromkeys(people)], "last_status": self.status(last, viewer),
        }


def drop(entity, *names):
    for name in names:
        entity.pop(name, None)
    return entity
