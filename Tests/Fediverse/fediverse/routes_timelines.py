"""Timelines, lists, markers, notifications, conversations and search."""

from .call import route
from .clock import Identifiers, iso
from .model import Refused


@route("GET", "/api/v1/timelines/home", scope="read:statuses")
def home(call):
    identifiers = call.world.home(call.viewer)
    rule = call.faults.take(call.place, "short-memory")
    return call.status_page(identifiers[: rule["keep"]] if rule else identifiers)


@route("GET", "/api/v1/timelines/public")
def public(call):
    local, remote = call.params.flag("local"), call.params.flag("remote")
    accounts = call.world.accounts

    def belongs(status):
        is_local = accounts[status.account].host is None
        return not (local and not is_local) and not (remote and is_local)

    return call.status_page(public_statuses(call, belongs))


@route("GET", "/api/v1/timelines/tag/{tag}")
def tag(call):
    return call.status_page(public_statuses(call, lambda s: call["tag"].lower() in call.world.tags(s)))


def public_statuses(call, belongs):
    world = call.world
    return world.newest_first(
        s.id for s in world.statuses.values()
        if s.visibility == "public" and s.reblog is None and belongs(s) and world.sees(call.viewer, s))


@route("GET", "/api/v1/timelines/list/{id}", scope="read:lists")
def list_timeline(call):
    members = call.own(call.world.lists, call["id"])["members"]
    return call.status_page([i for i in call.world.home(call.viewer) if call.world.statuses[i].account in members])


# Favourites and bookmarks are pages by when they were marked: their cursors are no identifiers of statuses.

@route("GET", "/api/v1/{what:favourites|bookmarks}", scope=lambda call: f"read:{call['what']}")
def marked(call):
    kind, world = call["what"].removesuffix("s"), call.world
    marks = [(key, target) for (one, target), key in world.relations[kind].items() if one == call.viewer]
    marks.sort(key=lambda m: Identifiers.order(m[0]), reverse=True)
    return call.page(marks, lambda m: call.show(world.statuses[m[1]]), cursor=lambda m: m[0])


# Lists

def show_list(made):
    return {"id": made["id"], "title": made["title"], "replies_policy": made["policy"], "exclusive": False}


@route("GET", "/api/v1/lists", scope="read:lists")
def lists(call):
    return [show_list(made) for made in call.world.lists.values() if made["owner"] == call.viewer]


@route("POST", "/api/v1/lists", scope="write:lists")
def make_list(call):
    world = call.world
    if not call.params.text("title"):
        raise Refused(422, "Validation failed: Title can't be blank")
    made = {"id": world.ids.make(world.clock.now()), "owner": call.viewer, "title": call.params.text("title"),
            "policy": call.params.text("replies_policy", "list"), "members": []}
    world.lists[made["id"]] = made
    return show_list(made)


@route("GET", "/api/v1/lists/{id}", scope="read:lists")
def one_list(call):
    return show_list(call.own(call.world.lists, call["id"]))


@route("PUT", "/api/v1/lists/{id}", scope="write:lists")
def rename_list(call):
    made = call.own(call.world.lists, call["id"])
    made["title"] = call.params.text("title", made["title"])
    return show_list(made)


@route("DELETE", "/api/v1/lists/{id}", scope="write:lists")
def delete_list(call):
    call.own(call.world.lists, call["id"])
    del call.world.lists[call["id"]]
    return {}


@route("GET", "/api/v1/lists/{id}/accounts", scope="read:lists")
def members(call):
    return [call.show_account(a) for a in call.own(call.world.lists, call["id"])["members"]]


@route("POST", "/api/v1/lists/{id}/accounts", scope="write:lists")
def add_members(call):
    made = call.own(call.world.lists, call["id"])
    for account in call.params.all("account_ids"):
        if not call.world.has("follow", call.viewer, account):
            raise Refused(404, "Record not found")
        if account in made["members"]:
            raise Refused(422, "Validation failed: Account is already on this list")
        made["members"].append(account)
    return {}


@route("DELETE", "/api/v1/lists/{id}/accounts", scope="write:lists")
def remove_members(call):
    made = call.own(call.world.lists, call["id"])
    made["members"] = [a for a in made["members"] if a not in call.params.all("account_ids")]
    return {}


# Markers

@route("GET", "/api/v1/markers", scope="read:statuses")
def markers(call):
    made = call.world.markers.get(call.viewer, {})
    return {name: made[name] for name in call.params.all("timeline") if name in made}


@route("POST", "/api/v1/markers", scope="write:statuses")
def move_markers(call):
    if call.faults.take(call.place, "marker-conflict"):
        raise Refused(409, "Conflict during update, please try again")
    made, moved = call.world.markers.setdefault(call.viewer, {}), {}
    for name in ("home", "notifications"):
        if last := call.params.get(f"{name}[last_read_id]"):
            version = made[name]["version"] + 1 if name in made else 1
            moved[name] = {"last_read_id": last, "version": version, "updated_at": iso(call.world.clock.now())}
    made |= moved
    return moved


# Notifications

@route("GET", "/api/v1/notifications", scope="read:notifications")
def notifications(call):
    wanted, unwanted = call.params.all("types"), call.params.all("exclude_types")
    notes = [n for n in call.world.notifications.values() if n["owner"] == call.viewer]
    notes = [n for n in notes if (not wanted or n["type"] in wanted) and n["type"] not in unwanted]
    if by := call.params.get("account_id"):
        notes = [n for n in notes if n["by"] == by]
    notes.sort(key=lambda n: Identifiers.order(n["id"]), reverse=True)
    return call.page(notes, lambda n: call.shapes.notification(n, call.viewer), cursor=lambda n: n["id"], always_older=True)


@route("GET", "/api/v1/notifications/{id}", scope="read:notifications")
def notification(call):
    return call.shapes.notification(call.own(call.world.notifications, call["id"]), call.viewer)


@route("POST", "/api/v1/notifications/clear", scope="write:notifications")
def clear(call):
    call.world.notifications = {k: n for k, n in call.world.notifications.items() if n["owner"] != call.viewer}
    return {}


@route("POST", "/api/v1/notifications/{id}/dismiss", scope="write:notifications")
def dismiss(call):
    call.own(call.world.notifications, call["id"])
    del call.world.notifications[call["id"]]
    return {}


# Conversations

def conversations_of(call):
    """Returns (root, last status) of each conversation of the viewer, the newest first."""
    world, last = call.world, {}
    for status in world.statuses.values():
        if status.visibility == "direct" and call.viewer in (status.account, *status.mentions):
            last[world.root(status)] = status
    shown = [(root, s) for root, s in last.items() if (call.viewer, root) not in world.hidden_conversations]
    return sorted(shown, key=lambda c: Identifiers.order(c[1].id), reverse=True)


@route("GET", "/api/v1/conversations", scope="read:statuses")
def conversations(call):
    return call.page(conversations_of(call), lambda c: call.shapes.conversation(call.viewer, *c), cursor=lambda c: c[1].id)


@route("POST", "/api/v1/conversations/{id}/read", scope="write:conversations")
def read(call):
    root, last = conversation(call)
    call.world.read_conversations.add((call.viewer, root))
    return call.shapes.conversation(call.viewer, root, last)


@route("DELETE", "/api/v1/conversations/{id}", scope="write:conversations")
def hide(call):
    call.world.hidden_conversations.add((call.viewer, conversation(call)[0]))
    return {}


def conversation(call):
    for root, last in conversations_of(call):
        if root == call["id"]:
            return root, last
    raise Refused(404, "Record not found")


# Search

@route("GET", "/api/v2/search", scope="read:search")
def search(call):
    world, wanted, kind = call.world, call.params.text("q").strip(), call.params.get("type")
    limit = call.params.number("limit", 20)
    name, _, host = wanted.lstrip("@").partition("@")
    accounts = [a.id for a in world.accounts.values() if name.lower() in a.name.lower() and host in ("", a.host or world.host)]
    accounts += [a.id for a in world.accounts.values() if wanted in (call.shapes.uri(a), call.shapes.url(a))]
    statuses = []
    for status in world.statuses.values():
        shown = call.show(status)
        is_own = status.account == call.viewer and wanted.lower() in status.text.lower()
        if world.sees(call.viewer, status) and (wanted in (shown["url"], shown["uri"]) or is_own):
            statuses.append(shown)
    tags = sorted({t for s in world.statuses.values() for t in world.tags(s) if t.startswith(wanted.lstrip("#").lower())})
    found = {
        "accounts": [call.show_account(a) for a in accounts[:limit]], "statuses": statuses[:limit],
        "hashtags": [{"name": t, "url": f"{call.server.origin}/tags/{t}", "history": []} for t in tags[:limit]],
    }
    return {name: entries if kind in (None, name) else [] for name, entries in found.items()}
