"""Four readers from Debian and stack-feeds, each asked what it finds in the same documents.

Each function returns, by path, the items of each document that the reader could read, in the document's order. An item has `id`,
`title`, `link` and `date` (seconds since 1970); None stands for nothing.
"""

import contextlib
import datetime
import html
import json
import os
import pathlib
import re
import sqlite3
import subprocess
import sys
import time

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "EndToEnd"))

from feeding import connector  # noqa: E402

SECONDS = 300  # for one reader


def piped(command, lines):
    """Returns the value that a program prints for each line of its input."""
    text = "".join(f"{line}\n" for line in lines)
    result = subprocess.run(command, input=text, capture_output=True, text=True, timeout=SECONDS, check=True)
    values = [json.loads(line) for line in result.stdout.splitlines()]
    assert len(values) == len(lines), f"{command} ended early: {result.stderr[-500:]}"
    return values


def xml_feed(documents, _):
    values = piped(["perl", HERE / "xml_feed.pl"], [document.file for document in documents])
    return {document.path: items for document, items in zip(documents, values) if items is not None}


def simplepie(documents, _):
    values = piped(["php", HERE / "simplepie.php"], [document.url for document in documents])
    return {document.path: items for document, items in zip(documents, values) if items is not None}


def sfeed(documents, _):
    """Reads sfeed's lines (sfeed(5)): time, title, link, content, its type, id, author and more."""
    found = {}
    for document in documents:
        lines = subprocess.run(["sfeed", document.url], input=document.file.read_bytes(), capture_output=True, check=True).stdout
        items = []
        for line in lines.decode("utf-8", "replace").split("\n")[:-1]:
            at, title, link, _, _, name, *_ = line.split("\t")
            items.append({"id": name, "title": title, "link": link, "date": int(at) if at else None})
        # It has no other way to say that a document is not a feed.
        if items:
            found[document.path] = items
    return found


def newsboat(documents, folder):
    """Reads newsboat's caches, in which the last item of a document comes first. Each document has a cache of its own, since newsboat
    takes items with the same identifier for one, whatever their feeds."""
    began = int(time.time())
    (folder / "config").touch()
    found = {}
    for document in documents:
        # In memory, since newsboat syncs its cache several times.
        urls, cache = folder / "urls", pathlib.Path(f"/dev/shm/stack-newsboat-{os.getpid()}.db")
        urls.write_text(f"{document.url}\n", encoding="utf-8")
        command = ["newsboat", "-u", urls, "-c", cache, "-C", folder / "config", "-x", "reload"]
        subprocess.run(command, stdout=subprocess.DEVNULL, timeout=SECONDS, check=True)
        with contextlib.closing(sqlite3.connect(cache)) as store:
            rows = store.execute("SELECT guid, title, url, pubDate FROM rss_item ORDER BY id DESC").fetchall()
        # An item without a date has the time of its fetching.
        items = [{"id": name, "title": title, "link": link, "date": date if date < began else None} for name, title, link, date in rows]
        cache.unlink()
        if items:
            found[document.path] = items
    return found


def stack(documents, _):
    """Reads what stack-feeds tells the daemon. The title is the text's first paragraph; an identifier is told as a hash."""
    began = int(time.time()) - 60
    found = {}
    with connector() as feeds:
        for document in documents:
            feeds.feed(document.path, document.url)
        feeds.ready()
        feeds.checked(*(document.path for document in documents))
        for (path, name), post in feeds.posts.items():
            date = int(datetime.datetime.fromisoformat(post["created_at"]).timestamp())
            # An item without a date is dated as first seen, or some seconds before.
            item = {"id": name, "title": post["text"], "link": post.get("url"), "date": date if date < began else None}
            found.setdefault(path, []).append(item)
    return found


OTHERS = {"XML::Feed": xml_feed, "SimplePie": simplepie, "newsboat": newsboat, "sfeed": sfeed}

# MARK: Comparing


def words(text):
    """Returns a title without markup, references and runs of white space, which readers treat differently."""
    return " ".join(re.sub(r"<[^<>]*>", " ", html.unescape(html.unescape(text or ""))).split())


def hashed(name):
    """Returns the identifier of the post that stack-feeds makes of an item: FNV-1a (Fowler, Noll, Vo), folded to 48 bits."""
    value = 0xCBF29CE484222325
    for byte in name.encode():
        value = (value ^ byte) * 0x100000001B3 % 2**64
    value = value * 0x100000001B3 % 2**64
    return f"{(value ^ value >> 48) % 2**48:x}"


# Of each fact, its value in an item, and whether our item agrees with a value that others have. A post always has an identifier, and
# its text need not begin with a title.
FACTS = {
    "id": (lambda item: item["id"] or None, lambda item, said: said is None or item["id"] == hashed(said)),
    "title": (lambda item: words(item["title"]) or None, lambda item, said: said is None or words(item["title"]).startswith(said)),
    "link": (lambda item: item["link"] or None, lambda item, said: (item["link"] or None) == said),
    "date": (lambda item: item["date"], lambda item, said: item["date"] == said),
}


def majority(values):
    """Returns a value that three of four readers have, as a list of it; an empty list if there is none."""
    return next(([value] for value in values if values.count(value) >= 3), [])


def differences(ours, others):
    """Returns where at least three of four readers agree and stack-feeds does not: path and fact, what they say and what it says;
    and the number of values that were compared."""
    found, compared = [], 0
    for path in sorted(set().union(ours, *others)):
        items, all_items = ours.get(path, []), [reader.get(path, []) for reader in others]
        count = majority([len(items) for items in all_items])
        compared += len(count)
        if count and len(items) != count[0]:
            found.append((path, "items", count[0], len(items)))
        elif count:
            readings = [reading for reading in all_items if len(reading) == count[0]]
            for place, item in enumerate(items):
                for fact, (value, agrees) in FACTS.items():
                    for said in majority([value(reading[place]) for reading in readings]):
                        compared += 1
                        if not agrees(item, said):
                            found.append((path, fact, said, value(item)))
    return found, compared
