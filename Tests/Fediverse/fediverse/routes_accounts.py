"""Accounts, their relations, filters and settings."""

from .call import route
from .clock import Identifiers, iso
from .model import Refused


@route("GET", "/api/v1/accounts/verify_credentials", scope="read:accounts")
def verify(call):
    return call.shapes.own_account(call.viewer)


@route("PATCH", "/api/v1/accounts/update_credentials", scope="write:accounts")
def update(call):
    account = call.world.accounts[call.viewer]
    account.display_name = call.params.text("display_name", account.display_name)
    account.note = call.params.text("note", account.note)
    account.locked = call.params.flag("locked") if "locked" in call.params else account.locked
    return call.shapes.own_account(call.viewer)


@route("GET", "/api/v1/accounts/relationships", scope="read:follows")
def relationships(call):
    return [call.shapes.relationship(call.viewer, other) for other in call.params.all("id") if other in call.world.accounts]


@route("GET", "/api/v1/accounts/lookup")
def lookup(call):
    name, _, host = call.params.text("acct").lstrip("@").partition("@")
    identifier = call.world.find_account(name, host or None)
    if identifier is None:
        raise Refused(404, "Record not found")
    return call.show_account(identifier)


@route("GET", "/api/v1/accounts/search", scope="read:accounts")
def search(call):
    name, _, host = call.params.text("q").lstrip("@").partition("@")
    found = [a.id for a in call.world.accounts.values() if name.lower() in a.name.lower() and host in ("", a.host or call.world.host)]
    if call.params.flag("following"):
        found = [a for a in found if call.world.has("follow", call.viewer, a)]
    return [call.show_account(a) for a in found[: call.params.number("limit", 40)]]


@route("GET", "/api/v1/accounts/{id}")
def one(call):
    return call.show_account(call.account())


@route("GET", "/api/v1/accounts/{id}/statuses")
def statuses(call):
    world, params, account = call.world, call.params, call.account()

    def belongs(status):
        is_left_out = (
            (params.flag("exclude_reblogs") and status.reblog) or (params.flag("exclude_replies") and status.reply_to)
            or (params.flag("only_media") and not status.media) or (params.flag("pinned") and not world.has("pin", account, status.id))
            or (params.get("tagged") and params.text("tagged").lower() not in world.tags(status)))
        return status.account == account and status.visibility != "direct" and world.sees(call.viewer, status) and not is_left_out

    return call.status_page(world.newest_first(s.id for s in world.statuses.values() if belongs(s)), always_older=False)


@route("GET", "/api/v1/accounts/{id}/{what:followers|following}", scope="read:accounts")
def related(call):
    account, world = call.account(), call.world
    return account_page(call, [
        (key, one if call["what"] == "followers" else other) for (one, other), key in world.relations["follow"].items()
        if account == (other if call["what"] == "followers" else one)])


def relation_scope(call):
    kind = call["what"].removeprefix("un").removesuffix("_requests").rstrip("s")
    return f"{'read' if call.request.method == 'GET' else 'write'}:{kind}s"


@route("GET", "/api/v1/{what:mutes|blocks|follow_requests}", scope=relation_scope)
def own_relations(call):
    relations = call.world.relations
    if call["what"] == "follow_requests":
        return account_page(call, [(key, one) for (one, other), key in relations["request"].items() if other == call.viewer])
    kind = call["what"].removesuffix("s")
    return account_page(call, [(key, other) for (one, other), key in relations[kind].items() if one == call.viewer])


def account_page(call, keyed):
    """Answers with a page of accounts by when the relation began."""
    keyed.sort(key=lambda k: Identifiers.order(k[0]), reverse=True)
    return call.page(keyed, lambda k: call.show_account(k[1]), cursor=lambda k: k[0], default=40, most=80)


@route("POST", "/api/v1/accounts/{id}/{what:follow|unfollow|mute|unmute|block|unblock}", scope=relation_scope)
def relate(call):
    world, other, subject = call.world, call.account(), call.viewer
    if other == subject:
        raise Refused(403, "This action is not allowed")
    match call["what"]:
        case "follow":
            world.follow(subject, other)
        case "unfollow" | "mute" | "block":
            tells = call.faults.take(call.place, "delete-on-leaving") is not None
            getattr(world, call["what"])(subject, other, tell_streams=tells)
        case "unmute" | "unblock":
            world.unrelate(call["what"].removeprefix("un"), subject, other)
    return call.shapes.relationship(subject, other)


@route("POST", "/api/v1/follow_requests/{id}/{what:authorize|reject}", scope="write:follows")
def decide(call):
    world, other = call.world, call.account()
    if not world.unrelate("request", other, call.viewer):
        raise Refused(404, "Record not found")
    if call["what"] == "authorize":
        world.relate("follow", other, call.viewer)
        world.notify(call.viewer, "follow", other)
    return call.shapes.relationship(call.viewer, other)


# Filters

def changed(call):
    call.world.listen(("user", call.viewer), "filters_changed", None)


def need_filters(call, version):
    if call.world.flavour.filters < version:
        raise Refused(404, "Not found")


@route("GET", "/api/v2/filters", scope="read:filters")
def filters(call):
    if call.world.flavour.filters:
        need_filters(call, 2)
    return [call.shapes.filter(made) for made in call.world.filters.values() if made["owner"] == call.viewer]


@route("POST", "/api/v2/filters", scope="write:filters")
def make_filter(call):
    need_filters(call, 2)
    world, params = call.world, call.params
    words = params.all("keywords_attributes[keyword]", "keywords_attributes[][keyword]")
    words += [k["keyword"] for k in params.all("keywords_attributes") if isinstance(k, dict)]
    return call.shapes.filter(add_filter(call, params.text("title"), params.text("filter_action", "warn"), words, world))


def add_filter(call, title, action, words, world):
    if not title or not call.params.all("context"):
        raise Refused(422, "Validation failed: Title can't be blank, Context can't be blank")
    ends = call.params.get("expires_in")
    made = {
        "id": world.ids.make(world.clock.now()), "owner": call.viewer, "title": title, "context": call.params.all("context"),
        "expires_at": iso(world.clock.now() + int(ends)) if ends else None, "filter_action": action,
        "keywords": [{"id": world.ids.make(world.clock.now()), "keyword": word, "whole_word": False} for word in words],
    }
    world.filters[made["id"]] = made
    changed(call)
    return made


@route("GET", "/api/v2/filters/{id}", scope="read:filters")
def one_filter(call):
    need_filters(call, 2)
    return call.shapes.filter(call.own(call.world.filters, call["id"]))


@route("DELETE", "/api/{version:v1|v2}/filters/{id}", scope="write:filters")
def delete_filter(call):
    call.own(call.world.filters, call["id"])
    del call.world.filters[call["id"]]
    changed(call)
    return {}


def show_v1(made):
    word = made["keywords"][0]["keyword"] if made["keywords"] else made["title"]
    return {
        "id": made["id"], "phrase": word, "context": made["context"], "whole_word": False, "expires_at": made["expires_at"],
        "irreversible": made["filter_action"] == "hide",
    }


@route("GET", "/api/v1/filters", scope="read:filters")
def filters_v1(call):
    return [show_v1(made) for made in call.world.filters.values() if made["owner"] == call.viewer]


@route("POST", "/api/v1/filters", scope="write:filters")
def make_filter_v1(call):
    need_filters(call, 1)
    phrase, action = call.params.text("phrase"), "hide" if call.params.flag("irreversible") else "warn"
    return show_v1(add_filter(call, phrase, action, [phrase], call.world))


# What clients ask for at their start

@route("GET", "/api/v1/preferences", scope="read:accounts")
def preferences(call):
    return {
        "posting:default:visibility": "public", "posting:default:sensitive": False, "posting:default:language": None,
        "reading:expand:media": "default", "reading:expand:spoilers": False,
    }


@route("GET", "/api/v1/{what:custom_emojis|announcements|followed_tags|endorsements|suggestions|domain_blocks|instance/peers}")
def nothing(call):
    return []


@route("GET", "/api/v1/trends/{what:tags|statuses|links}")
def no_trends(call):
    return []
