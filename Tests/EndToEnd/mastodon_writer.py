"""A client that writes for an account at a server of Mastodon's kind while everything around it is killed."""

import asyncio
import collections
import random
import threading

from grpclib import GRPCError, Status
from grpclib.exceptions import StreamTerminatedError
from seeding import PATIENCE, call

SHARES = {"post": 8, "reply": 4, "favourite": 5, "edit": 4, "delete": 2}  # of what is done
PAUSE = 0.1  # seconds between two


class Writer(threading.Thread):
    """Posts, replies, favourites, edits and deletes. Each call is repeated under its request ID until it is acknowledged.

    `posts` has the texts of the posts that are to be there in the end, by their IDs here; `favourites` has whether ben's posts are
    favourites, by their numbers at the server.
    """

    def __init__(self, daemon, town, seed):
        super().__init__(daemon=True)
        self.socket, self.town, self.draw, self.name = daemon.socket, town, random.Random(seed), f"w{seed}"
        self.posts, self.favourites, self.done = {}, {}, collections.Counter()
        self.interrupted, self.failure = 0, None
        self.resting, self.rested, self.ended = threading.Event(), threading.Event(), threading.Event()

    def run(self):
        try:
            while not self.ended.wait(PAUSE * self.draw.random()):
                if self.resting.is_set():
                    self.rested.set()
                    continue
                kind = self.draw.choices(list(SHARES), list(SHARES.values()))[0]
                self.done[kind] += getattr(self, kind)()
        except BaseException as error:  # pylint: disable=broad-except
            self.failure = error
            self.rested.set()

    def rest(self):
        """Waits until what has been begun is acknowledged. Nothing more is begun until `go_on`."""
        self.rested.clear()
        self.resting.set()
        assert self.rested.wait(10 * PATIENCE), "the client does not come to an end of what it does"
        if self.failure:
            raise self.failure

    def go_on(self):
        self.resting.clear()

    def call(self, method, **fields):
        """Calls until there is an answer. Returns None if the daemon does not know the post yet."""
        fields["request_id"] = f"{self.name}-{sum(self.done.values())}-{self.draw.randrange(1 << 30)}"
        while True:
            try:
                return call(self.socket, f"TimelineService/{method}", **fields)
            # A call whose connection goes while it is being opened is cancelled.
            except (OSError, StreamTerminatedError, asyncio.CancelledError):
                self.interrupted += 1
                threading.Event().wait(0.02)
            except GRPCError as error:
                if error.status == Status.NOT_FOUND:
                    return None
                if error.status != Status.UNAVAILABLE:
                    raise

    # What is done. Returns whether it was.

    def post(self, **fields):
        text = f"{self.name}: post {len(self.posts)} of ann's"
        answer = self.call("Compose", text=text, visibility="VISIBILITY_PUBLIC", **fields or {"source": "mastodon"})
        if answer:
            self.posts[answer.post_id] = text
        return answer is not None

    def reply(self):
        return self.post(in_reply_to=self.post_of_ben()[1])

    def favourite(self):
        number, name = self.post_of_ben()
        is_on = not self.favourites.get(number, False)
        answer = self.call("Mark", post=name, kind="MARK_KIND_FAVOURITE", unmark=not is_on)
        if answer:
            self.favourites[number] = is_on
        return answer is not None

    def edit(self):
        return self.change("Edit", lambda text: f"{text.partition(';')[0]}; edit {sum(self.done.values())}")

    def delete(self):
        return self.change("Delete", lambda _: None)

    def change(self, method, new):
        """Changes one of the posts that are there. `new` returns its text by the former one; None deletes it."""
        if not (there := [number for number, text in self.posts.items() if text]):
            return False
        number = self.draw.choice(there)
        text = new(self.posts[number])
        answer = self.call(method, post=str(number), **({"text": text} if text else {}))
        if answer:
            self.posts[number] = text
        return answer is not None

    def post_of_ben(self):
        """Returns the number of one of ben's last posts at the server, and its name here."""
        number = self.draw.choice(self.town.of_ben[-30:])
        author = self.town.server.shapes.uri(self.town.server.world.accounts[self.town.ben])
        return number, f"mastodon:{author}/statuses/{number}"
