"""Laws of the model: what a home timeline is, who sees what, and what pages return. No sockets."""

import random

import pytest
from fediverse import paging
from fediverse.clock import Clock, Identifiers
from fediverse.flavours import AKKOMA, FLAVOURS, GOTOSOCIAL, MASTODON_4_5, PIXELFED
from fediverse.model import VISIBILITIES, World
from fediverse.params import Params

flavours = pytest.mark.parametrize("flavour", FLAVOURS.values(), ids=FLAVOURS)


class Town:
    """A world of four accounts, one of them remote, in which things happen at random. A reader keeps a copy of ann's home timeline by
    what the stream tells, and reads it anew after each change of whom she follows, mutes or blocks."""

    def __init__(self, flavour, seed):
        self.random, self.clock = random.Random(seed), Clock(lambda: 1_795_000_000.0)
        self.world = World(flavour, "social.example", self.clock)
        self.people = [self.world.add_account(name) for name in ("ann", "ben", "cleo")]
        self.people.append(self.world.add_account("dan", "far.example"))
        self.ann, self.copy, self.told = self.people[0], set(), []
        self.world.listen = self.hear

    def hear(self, channel, event, value):
        self.told.append((channel, event, value))
        if channel == ("user", self.ann) and event == "update":
            assert value.id not in self.copy, "an update was told twice"
            self.copy.add(value.id)
        elif channel == ("user", self.ann) and event == "delete":
            self.copy.discard(value)

    def step(self):
        world, people, pick = self.world, self.people, self.random.choice
        subject, other = self.random.sample(people, 2)
        statuses = list(world.statuses)
        visible = [i for i in statuses if world.sees(subject, world.statuses[i])]
        self.clock.advance(self.random.choice((0, 0.001, 3)))
        match self.random.randrange(12):
            case 0 if not world.has("block", other, subject):
                world.follow(subject, other)
            case 1:
                world.unfollow(subject, other)
            case 2:
                world.unrelate("mute", subject, other) or world.mute(subject, other)
            case 3 if self.random.random() < 0.3:
                world.unrelate("block", subject, other) or world.block(subject, other)
            case 4 if statuses:
                world.delete(pick(statuses))
            case 5 if visible:
                target = world.original(pick(visible))
                if target.visibility in ("public", "unlisted"):
                    world.reblog(subject, target.id)
            case 6 if visible:
                world.publish(subject, "a reply", reply_to=pick(visible))
            case _:
                text = self.random.choice(("words", "@ben hello", "to @ann and @dan@far.example", "a #tag"))
                late = self.clock.now() - 3600 if self.random.random() < 0.2 else None
                world.publish(subject, text, visibility=pick(VISIBILITIES), written=late)
        return world


def may_read(world, viewer, status):
    """Who may read a post, written down once more and differently: a set of readers for each visibility."""
    people, author = set(world.accounts), status.account
    blocked = {p for p in people if {(p, author), (author, p)} & set(world.relations["block"])}
    followers = {one for one, other in world.relations["follow"] if other == author}
    readers = {"public": people, "unlisted": people, "private": followers | set(status.mentions), "direct": set(status.mentions)}
    allowed = (readers[status.visibility] - blocked) | {author}
    if status.reblog and viewer != author:
        return viewer in allowed and may_read(world, viewer, world.statuses[status.reblog])
    return viewer in allowed


@flavours
@pytest.mark.parametrize("seed", range(6))
def test_a_reader_of_the_stream_has_the_home_timeline(flavour, seed):
    town = Town(flavour, seed)
    for _ in range(120):
        relations = [dict(town.world.relations[kind]) for kind in ("follow", "mute", "block")]
        world = town.step()
        if relations != [world.relations[kind] for kind in ("follow", "mute", "block")]:
            town.copy = set(world.home(town.ann))
        # A deletion takes the replies to it into the timeline, which no stream tells.
        assert town.copy <= set(world.home(town.ann))
        orphans = set(world.home(town.ann)) - town.copy
        assert all(world.statuses[i].reply_to not in world.statuses and world.statuses[i].reply_to for i in orphans)
        town.copy |= orphans


@flavours
def test_nobody_sees_what_is_not_theirs(flavour):
    for seed in range(6):
        town = Town(flavour, seed)
        for _ in range(120):
            world = town.step()
        for status in world.statuses.values():
            for viewer in town.people:
                assert world.sees(viewer, status) == may_read(world, viewer, status), (seed, viewer, status)
                if world.in_home(viewer, status):
                    assert may_read(world, viewer, status)
        told = [(channel, value) for channel, event, value in town.told if event == "update"]
        assert all(value.visibility == "public" for channel, value in told if channel[0] == "public")


def test_a_home_timeline_is_what_those_whom_one_follows_wrote():
    world = World(MASTODON_4_5, "social.example", Clock(lambda: 0))
    ann, ben, cleo = (world.add_account(name) for name in ("ann", "ben", "cleo"))
    world.follow(ann, ben)
    own, bens, cleos = world.publish(ann, "own"), world.publish(ben, "of ben"), world.publish(cleo, "of cleo")
    to_ann, to_cleo = world.publish(ben, "to ann", reply_to=own), world.publish(ben, "to cleo", reply_to=cleos)
    to_self, reblog = world.publish(ben, "goes on", reply_to=bens), world.reblog(ben, cleos)
    secret, other = world.publish(ben, "@ann psst", visibility="direct"), world.publish(ben, "@cleo psst", visibility="direct")
    assert world.home(ann) == [secret, reblog, to_self, to_ann, bens, own]
    assert to_cleo not in world.home(ann) and other not in world.home(ann)
    world.follow(ann, cleo)
    assert world.home(ann) == [secret, reblog, to_self, to_cleo, to_ann, cleos, bens, own]
    world.mute(ann, cleo)
    assert reblog not in world.home(ann)
    world.home_limit = 2
    assert world.home(ann) == [secret, to_self]


@flavours
def test_a_remote_post_that_arrives_late(flavour):
    world = World(flavour, "social.example", Clock(lambda: 1_795_000_000.0))
    ann, dan = world.add_account("ann"), world.add_account("dan", "far.example")
    world.follow(ann, dan)
    first = world.publish(dan, "first")
    late = world.publish(dan, "late", written=world.clock.now() - 3600)
    assert world.home(ann) == ([first, late] if flavour.dates_ids_by_writing else [late, first])


@pytest.mark.parametrize("flavour", [MASTODON_4_5, GOTOSOCIAL], ids=lambda f: f.name)
def test_whom_a_stream_tells_of_a_deletion(flavour):
    told = []
    world = World(flavour, "social.example", Clock(lambda: 0))
    ann, ben = world.add_account("ann"), world.add_account("ben")
    gone = world.publish(ben, "not for ann")
    world.listen = lambda channel, event, value: told.append((channel, event, value))
    world.delete(gone)
    assert ((("user", ann), "delete", gone) in told) == flavour.deletes_to_all
    assert (("user", ben), "delete", gone) in told


def test_leaving_is_told_as_a_deletion_only_where_servers_do_so():
    for tells in (False, True):
        told = []
        world = World(MASTODON_4_5, "social.example", Clock(lambda: 0))
        ann, ben = world.add_account("ann"), world.add_account("ben")
        world.follow(ann, ben)
        left = world.publish(ben, "still there")
        world.listen = lambda channel, event, value: told.append((channel, event, value))
        world.unfollow(ann, ben, tell_streams=tells)
        assert told == ([(("user", ann), "delete", left)] if tells else [])
        assert left in world.statuses


def test_identifiers_grow_with_time_and_are_never_the_same():
    for flavour in FLAVOURS.values():
        made, ids = [], Identifiers(flavour.ids)
        for second in (1_795_000_000.0, 1_795_000_000.0, 1_795_000_000.001, 1_895_000_000.0):
            made.append(ids.make(second))
        assert sorted(set(made), key=Identifiers.order) == made


# Pages

def params(**values):
    made = Params()
    for name, value in values.items():
        made.add(name, str(value))
    return made


ENTRIES = [str(number) for number in range(120, 19, -1)]


@flavours
def test_max_id_walks_down_without_a_hole(flavour):
    seen, cursor = [], {}
    while page := paging.cut(ENTRIES, params(limit=17, **cursor), flavour, always_older=True).entries:
        seen += page
        cursor = {"max_id": page[-1]}
    assert seen == ENTRIES


@flavours
def test_min_id_walks_up_without_a_hole_except_where_it_skips(flavour):
    seen, cursor = ["20"], "20"
    while page := paging.cut(ENTRIES, params(limit=17, min_id=cursor), flavour).entries:
        seen += page[::-1]
        cursor = page[0]
    assert seen == ENTRIES[::-1] if not flavour.min_id_skips else seen == ["20", *ENTRIES[16::-1]]


def test_since_id_returns_the_newest_and_skips():
    assert paging.cut(ENTRIES, params(since_id="20", limit=2), MASTODON_4_5).entries == ["120", "119"]
    assert paging.cut(ENTRIES, params(min_id="20", limit=2), MASTODON_4_5).entries == ["22", "21"]
    assert paging.cut(ENTRIES, params(min_id="20", limit=2), PIXELFED).entries == ["120", "119"]
    assert paging.cut(ENTRIES, params(max_id="23", min_id="20"), MASTODON_4_5).entries == ["22", "21"]


def test_limits_of_pages():
    assert len(paging.cut(ENTRIES, params(limit=1000), MASTODON_4_5).entries) == 40
    assert len(paging.cut(ENTRIES, params(limit=1000), GOTOSOCIAL).entries) == 80
    assert len(paging.cut(ENTRIES, params(limit="many"), AKKOMA).entries) == 20


def test_links_of_pages():
    page = paging.cut(ENTRIES, params(limit=2), MASTODON_4_5)
    assert paging.link(page, "https://social.example", "/home", [("limit", "2")]) == (
        '<https://social.example/home?limit=2&max_id=119>; rel="next", <https://social.example/home?limit=2&min_id=120>; rel="prev"')
    last = paging.cut(["3"], params(), MASTODON_4_5, always_older=True)
    assert (last.older, last.newer) == ("3", "3")
    assert paging.cut(["3"], params(), PIXELFED, always_older=True).older is None
    assert paging.link(paging.cut([], params(), MASTODON_4_5), "", "", []) is None
