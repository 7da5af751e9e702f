"""python3-mastodon (Mastodon.py) against a server, as its documentation has it: mastodon_py.py ORIGIN

Prints a line for each thing that it did. Debian's Python runs it, which has the library.
"""

import queue
import sys
import threading

import mastodon


def sign_in(origin):
    client_id, secret = mastodon.Mastodon.create_app("Judge", api_base_url=origin)
    api = mastodon.Mastodon(client_id, secret, api_base_url=origin)
    api.log_in("ann@example.org", "ann-secret", scopes=["read", "write", "follow"])
    return api


class Listener(mastodon.StreamListener):
    def __init__(self):
        self.events, self.failures = queue.Queue(), []

    def on_update(self, status):
        self.events.put(("update", status.id))

    def on_notification(self, notification):
        self.events.put(("notification", notification.type))

    def on_delete(self, status_id):
        self.events.put(("delete", status_id))

    def on_status_update(self, status):
        self.events.put(("status.update", status.id))

    def on_abort(self, error):
        self.failures.append(error)


def did(what, holds=True):
    print(f"{'ok' if holds else 'FAILED'} {what}", flush=True)


def write(api):
    made = [api.status_post(f"post {number}") for number in range(7)]
    did("posts", all(s.content for s in made))
    once = [api.status_post("once", idempotency_key="k") for _ in range(2)]
    did("posts once with a key", once[0].id == once[1].id)
    reply = api.status_reply(made[0], "a reply")
    did("replies", reply.in_reply_to_id == made[0].id and [s.id for s in api.status_context(made[0]).descendants] == [reply.id])
    edited = api.status_update(made[1].id, "edited")
    did("edits", "edited" in edited.content and len(api.status_history(made[1].id)) == 2 and api.status_source(made[1].id).text == "edited")
    return made


def page(api):
    first = api.timeline_home(limit=4)
    older = api.fetch_next(first)
    newer = api.fetch_previous(older)
    did("pages down and up by the Link field", [s.id for s in newer] == [s.id for s in first] and len(older) == 4)
    everything = api.fetch_remaining(first)
    did("fetches all pages", len({s.id for s in everything}) == len(everything) == 9)
    did("pages by identifiers", [s.id for s in api.timeline_home(min_id=older[0].id, limit=4)] == [s.id for s in first])


def mark(api, status):
    did("favourites and back", api.status_favourite(status).favourited and not api.status_unfavourite(status).favourited)
    did("reblogs and back", api.status_reblog(status).reblog.id == status.id and not api.status_unreblog(status).reblogged)
    did("bookmarks and back", api.status_bookmark(status).bookmarked and len(api.bookmarks()) == 1
        and not api.status_unbookmark(status).bookmarked)
    api.markers_set(["home"], [status.id])
    did("moves the marker", str(api.markers_get(["home"]).home.last_read_id) == str(status.id))


def stream(api, status, kind):
    listener = Listener()
    threading.Thread(target=getattr(api, f"stream_{kind}"), args=[listener], daemon=True).start()
    # The stream is open when the first post arrives; one that was sent before is not told.
    while True:
        post = api.status_post("live")
        try:
            event = listener.events.get(timeout=1)
            break
        except queue.Empty:
            if listener.failures:
                raise listener.failures[0] from None
    did("streams an update", event[0] == "update")
    api.status_delete(post)
    did("streams a deletion", ("delete", post.id) in [listener.events.get(timeout=10) for _ in range(listener.events.qsize() or 1)])


def rest(api):
    ben = api.account_search("ben")[0]
    did("follows and unfollows", api.account_follow(ben).following and not api.account_unfollow(ben).following)
    did("mutes and blocks", api.account_mute(ben).muting and api.account_block(ben).blocking)
    api.account_unmute(ben), api.account_unblock(ben)
    api.account_follow(ben)
    made = api.list_create("Friends")
    api.list_accounts_add(made, [ben])
    did("keeps lists", [a.id for a in api.list_accounts(made)] == [ben.id])
    did("searches", [a.id for a in api.search("ben").accounts] == [ben.id])
    api.filter_create("goal", ["home"])
    did("keeps filters", len(api.filters()) == 1)
    did("reads conversations", api.conversations() == [])
    did("reads notifications", api.notifications() == [])
    media = api.media_post(b"PNG", mime_type="image/png", description="a dot")
    did("uploads media", api.status_post("picture", media_ids=[media]).media_attachments[0].description == "a dot")


def main(origin):
    api = sign_in(origin)
    did("registers and signs in", api.account_verify_credentials().username == "ann")
    did("reads the instance", "Mastodon" in api.instance().title)
    made = write(api)
    page(api)
    mark(api, made[2])
    stream(api, made[0], "user")
    rest(api)
    deleted = api.status_delete(made[3])
    did("deletes", deleted.text == "post 3" and made[3].id not in [s.id for s in api.timeline_home(limit=40)])
    api.revoke_access_token()
    did("signs out", api.access_token is None)


if __name__ == "__main__":
    main(sys.argv[1])
