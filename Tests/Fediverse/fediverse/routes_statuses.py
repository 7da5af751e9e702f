"""Statuses: writing, changing and marking them, and media."""

import mimetypes
import re

from aiohttp import web

from .call import route
from .clock import iso
from .instance import IMAGE_BYTES
from .model import MENTION, VISIBILITIES, Refused
from .shapes import URL


def length(text):
    """Returns the length of a text as Mastodon counts it: a URL is 23 characters, and a mention is its name.
    Code points are counted, not grapheme clusters."""
    return len(MENTION.sub(lambda m: f"@{m[1]}", URL.sub("x" * 23, text)))


@route("POST", "/api/v1/statuses", scope="write:statuses")
def create(call):
    world, server = call.world, call.server
    key = (call.viewer, call.request.headers.get("Idempotency-Key"))
    known = server.keys.get(key)
    if key[1] and known and world.clock.now() < known[1] + world.flavour.idempotency:
        if known[0] not in world.statuses:
            raise Refused(404, world.flavour.not_found)
        return call.show(world.statuses[known[0]])
    fields = status_fields(call)
    identifier = world.publish(call.viewer, **fields)
    if key[1] and world.flavour.idempotency and not call.faults.take(call.place, "key-forgotten"):
        server.keys[key] = (identifier, world.clock.now())
    return call.show(world.statuses[identifier])


def status_fields(call):
    """Returns what a new status is made of, or refuses it."""
    params, world = call.params, call.world
    text, media, poll = params.text("status"), params.all("media_ids"), params.all("poll[options]")
    if not text.strip() and not media:
        raise Refused(422, "Validation failed: Text can't be blank")
    warning = params.text("spoiler_text")
    most = world.flavour.max_characters
    if length(text) + length(warning) > most:
        raise Refused(422, f"Validation failed: Text character limit of {most} exceeded")
    own = [m for m in media if m in world.media and world.media[m]["owner"] == call.viewer]
    if own != media and not world.flavour.drops_files:
        raise Refused(404, "Record not found")
    media = own
    if any(world.media[m]["waits"] for m in media):
        raise Refused(422, "Cannot attach files that have not finished processing. Try again in a moment!")
    parent = params.get("in_reply_to_id")
    if parent and not (parent in world.statuses and world.sees(call.viewer, world.statuses[parent])):
        raise Refused(404, "The post you are trying to reply to does not appear to exist.")
    visibility = params.text("visibility", "public")
    if visibility not in VISIBILITIES and not (visibility == "local" and call.world.flavour.local_posts):
        raise Refused(422, f"'{visibility}' is not a valid visibility")
    app = call.server.oauth.apps[call.token.client_id]
    quote = params.get("quoted_status_id") if world.flavour.quotes else None
    if quote and quote not in world.statuses:
        raise Refused(404, "Record not found")
    return {
        "text": text, "warning": warning, "media": media, "reply_to": parent, "visibility": visibility, "quote": quote,
        "sensitive": params.flag("sensitive") or bool(warning), "language": params.get("language", "en"),
        "application": {"name": app.name, "website": app.website or None}, "poll": make_poll(call, poll) if poll else None,
    }


def make_poll(call, options):
    ends = call.world.clock.now() + call.params.number("poll[expires_in]", 86_400)
    return {
        "id": call.world.ids.make(call.world.clock.now()), "expires_at": iso(ends), "expired": False,
        "multiple": call.params.flag("poll[multiple]"), "votes_count": 0, "voters_count": 0, "voted": True, "own_votes": [],
        "options": [{"title": title, "votes_count": 0} for title in options], "emojis": [],
    }


@route("GET", "/api/v1/statuses", scope="read:statuses")
def many(call):
    names = call.world.flavour.many_by_id
    if not names:
        raise Refused(404, "Not found")
    found = (call.world.statuses.get(identifier) for identifier in call.params.all(*names)[:20])
    return [call.show(status) for status in found if status and call.world.sees(call.viewer, status)]


@route("GET", "/api/v1/statuses/{id}")
def one(call):
    return call.show(call.status())


@route("PUT", "/api/v1/statuses/{id}", scope="write:statuses")
def edit(call):
    if not call.world.flavour.edits:
        raise Refused(404, "Not found")
    status, fields = call.own_status(), status_fields(call)
    call.world.edit(status.id, fields["text"], fields["warning"], fields["sensitive"])
    return call.show(status)


@route("DELETE", "/api/v1/statuses/{id}", scope="write:statuses")
def delete(call):
    status = call.own_status()
    answer = call.show(status, source=call.shapes.kind != "pixelfed")
    call.world.delete(status.id)
    return answer


@route("GET", "/api/v1/statuses/{id}/source", scope="read:statuses")
def source(call):
    if not call.world.flavour.edits:
        raise Refused(404, "Not found")
    status = call.own_status()
    return {"id": status.id, "text": status.text, "spoiler_text": status.warning}


@route("GET", "/api/v1/statuses/{id}/history")
def history(call):
    if not call.world.flavour.edits:
        raise Refused(404, "Not found")
    return call.shapes.history(call.status())


@route("GET", "/api/v1/statuses/{id}/card")
def card(call):
    call.status()
    return {}


@route("GET", "/api/v1/statuses/{id}/context")
def context(call):
    world, status = call.world, call.status()
    above, parent = [], world.statuses.get(status.reply_to)
    while parent:
        above.insert(0, parent)
        parent = world.statuses.get(parent.reply_to)

    def below(identifier):
        for reply in [s for s in world.statuses.values() if s.reply_to == identifier]:
            yield reply
            yield from below(reply.id)

    def seen(statuses):
        return [call.show(s) for s in statuses if world.sees(call.viewer, s)]

    return {"ancestors": seen(above), "descendants": seen(below(status.id))}


@route("GET", "/api/v1/statuses/{id}/{what:reblogged_by|favourited_by}")
def marked_by(call):
    status = call.status()
    if call["what"] == "favourited_by":
        return [call.show_account(a) for a in call.world.subjects("favourite", status.id)]
    return [call.show_account(s.account) for s in call.world.statuses.values() if s.reblog == status.id]


# Marks

MARKS = {"favourite": ("write:favourites", "favourite"), "bookmark": ("write:bookmarks", "bookmark"), "pin": ("write:accounts", "pin"),
         "mute": ("write:mutes", "mute_conversation")}


def mark_scope(call):
    return MARKS[call["what"].removeprefix("un")][0]


@route("POST", "/api/v1/statuses/{id}/{what:favourite|bookmark|pin|mute}", scope=mark_scope)
def mark(call):
    status, world = call.status(), call.world
    if call["what"] == "favourite":
        world.favourite(call.viewer, status.id)
    else:
        world.relate(MARKS[call["what"]][1], call.viewer, mark_target(call, status))
    return call.show(world.original(status.id))


@route("POST", "/api/v1/statuses/{id}/{what:unfavourite|unbookmark|unpin|unmute}", scope=mark_scope)
def unmark(call):
    status, kind = call.status(), MARKS[call["what"].removeprefix("un")][1]
    call.world.unrelate(kind, call.viewer, mark_target(call, status))
    return call.show(call.world.original(status.id))


def mark_target(call, status):
    return call.world.root(status) if call["what"].endswith("mute") else call.world.original(status.id).id


@route("POST", "/api/v1/statuses/{id}/reblog", scope="write:statuses")
def reblog(call):
    status = call.status()
    return call.show(call.world.statuses[call.world.reblog(call.viewer, status.id, call.params.text("visibility", "public"))])


@route("POST", "/api/v1/statuses/{id}/unreblog", scope="write:statuses")
def unreblog(call):
    original = call.world.original(call.status().id)
    call.world.delete(call.world.reblog_by(call.viewer, original.id))
    return call.show(original)


# Media

@route("POST", "/api/{version:v1|v2}/media", scope="write:media")
def upload(call):
    if "file" not in call.params.files:
        raise Refused(422, "Validation failed: File can't be blank")
    name, kind, content = call.params.files["file"]
    # Servers look into the file; its name has to do here for clients that do not say what it is.
    if kind == "application/octet-stream":
        kind = mimetypes.guess_type(name)[0] or kind
    if not re.match("(image|video|audio)/", kind):
        raise Refused(422, f"Validation failed: File content type is invalid ({kind})")
    world, flavour = call.world, call.world.flavour
    if len(content) > IMAGE_BYTES and kind.startswith("image/"):
        raise Refused(422, "Validation failed: File file size must be less than 16 MB")
    rule = call.faults.take(call.place, "media-waits") if flavour.media_later and call["version"] == "v2" else None
    media = {
        "id": world.ids.make(world.clock.now()), "owner": call.viewer, "description": call.params.get("description"),
        "bytes": content, "type": kind, "waits": rule["polls"] if rule else 0,
    }
    world.media[media["id"]] = media
    answer, is_second = call.shapes.attachment(media), call["version"] == "v2"
    if flavour.media_without_url and is_second:
        answer["url"] = None
    return web.json_response(answer, status=202 if media["waits"] or flavour.media_accepted and is_second else 200)


@route("GET", "/api/v1/media/{id}", scope=lambda call: call.world.flavour.media_scope)
def media(call):
    made = call.own(call.world.media, call["id"])
    if made["waits"]:
        made["waits"] -= 1
    return web.json_response(call.shapes.attachment(made), status=206 if made["waits"] else 200)


@route("PUT", "/api/v1/media/{id}", scope="write:media")
def describe(call):
    made = call.own(call.world.media, call["id"])
    made["description"] = call.params.get("description", made["description"])
    return call.shapes.attachment(made)


@route("GET", "/system/media/{id}{rest:.*}")
def file(call):
    made = call.world.media.get(call["id"])
    if made is None:
        raise Refused(404, "Not found")
    return web.Response(body=made["bytes"], content_type=made["type"])
