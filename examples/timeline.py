#!/usr/bin/env python3
"""Makes examples/timeline.jsonl from examples/timeline.txt, whose first lines describe its syntax.

examples/timeline.py            writes the file
examples/timeline.py --check    exits 1 if the file is out of date or the text breaks a rule
"""

import hashlib
import json
import re
import sys
from dataclasses import dataclass, field
from pathlib import Path

HERE = Path(__file__).resolve().parent
TEXT, LINES = HERE / "timeline.txt", HERE / "timeline.jsonl"
YEAR, SITE, SOURCE = 2026, "https://example.org", "example"

# A link ends before punctuation that belongs to the sentence. \w is Unicode's, so Greek and Thai hashtags match;
# a combining vowel sign belongs to the word before it.
MARK = re.compile(r"(?P<link>https?://[^\s<>\"]*[^\s<>\".,;:!?)])|(?<![\w@#])(?:@(?P<mention>\w+)|#(?P<hashtag>\w+))")


@dataclass
class Person:
    """An author."""

    handle: str
    name: str
    language: str


@dataclass
class Post:
    """One post of the text."""

    number: int
    time: str
    author: Person
    language: str
    label: str = ""
    reply_to: str = ""
    reposts: str = ""
    warning: str = ""
    media: list = field(default_factory=list)
    text: str = ""
    replied: int = 0
    reposted: int = 0

    @property
    def native_id(self):
        return f"{SITE}/posts/{self.number}"

    @property
    def favourites(self):
        """Returns a plausible number, the same on every run; posts with replies and reposts get more."""
        chance = hashlib.sha256(self.native_id.encode()).digest()[0]
        return chance % 9 + 3 * self.replied + 17 * self.reposted


def parse(text):
    """Returns (people by handle, posts in order, posts by label); raises ValueError with the number of a wrong line."""
    people, posts, labels = {}, [], {}
    for number, line in enumerate(text.split("\n"), 1):
        try:
            if line.startswith("--- "):
                posts.append(heading(line, len(posts) + 1, people, labels))
            elif posts:
                body(line, posts[-1])
            elif line.startswith("person "):
                handle, name, language = (part.strip() for part in line[7:].split("|"))
                people[handle] = Person(handle, name, language)
            elif line and not line.startswith("#"):
                raise ValueError("expected a person, a post or a comment")
        except (ValueError, KeyError) as error:
            raise ValueError(f"{TEXT.name}:{number}: {error}") from error
    for post in posts:
        post.text = post.text.strip("\n")
        if post.reply_to:
            labels[post.reply_to].replied += 1
        if post.reposts:
            labels[post.reposts].reposted += 1
    return people, posts, labels


def heading(line, number, people, labels):
    """Returns the post that a line "--- TIME AUTHOR …" starts."""
    _, day, clock, handle, *rest = line.split()
    post = Post(number, f"{YEAR}-{day}T{clock}:00Z", people[handle], people[handle].language)
    for word in rest:
        if word.startswith("="):
            post.label = word[1:]
        elif word.startswith("re:"):
            post.reply_to = word[3:]
        elif word.startswith("repost:"):
            post.reposts = word[7:]
        elif word.startswith("lang:"):
            post.language = word[5:]
        else:
            raise ValueError(f"unknown word {word} in a heading")
    for name in filter(None, (post.reply_to, post.reposts)):
        if name not in labels:
            raise ValueError(f"no earlier post has the label {name}")
    if post.label in labels:
        raise ValueError(f"two posts have the label {post.label}")
    if post.label:
        labels[post.label] = post
    return post


def body(line, post):
    """Adds a line below the heading to the post."""
    kind, _, rest = line.partition(":")
    if kind == "cw" and not post.text:
        post.warning = rest.strip()
    elif kind in ("image", "video", "audio"):
        url, alt = (part.strip() for part in rest.split("|"))
        post.media.append({"kind": kind, "url": url, "alt": alt})
    else:
        post.text += line + "\n"


def spans(text, people):
    """Yields the mentions, hashtags and links of a text, each with its half-open range in UTF-8 bytes."""
    for match in MARK.finditer(text):
        kind = match.lastgroup
        target = match.group(kind)
        if kind == "mention" and target not in people:
            raise ValueError(f"no person has the handle @{target}")
        start, end = (len(text[:offset].encode()) for offset in match.span())
        yield {"kind": kind, "start": start, "end": end, "target": target}


def author(person):
    """Returns the JSON object of an author."""
    return {
        "id": f"{SITE}/people/{person.handle}",
        "handle": person.handle,
        "name": person.name,
        "avatar": f"{SITE}/people/{person.handle}.png",
    }


def line_of(post, people, labels):
    """Returns a post as an object of the JSON Lines format (docs/JSONLINES.md); empty members are omitted."""
    record = {"source": SOURCE, "id": post.native_id, "created_at": post.time, "author": author(post.author)}
    if post.reposts:
        return record | {"original": line_of(labels[post.reposts], people, labels), "visibility": "public"}
    parent = labels.get(post.reply_to)
    counts = {"replies": post.replied, "reposts": post.reposted, "favourites": post.favourites}
    record |= {
        "text": post.text,
        "spans": list(spans(post.text, people)),
        "media": post.media,
        "counts": {name: count for name, count in counts.items() if count},
        "visibility": "public",
        "content_warning": post.warning,
        "language": post.language,
        "url": post.native_id,
        "in_reply_to": parent.native_id if parent else "",
        "in_reply_to_handle": parent.author.handle if parent else "",
    }
    return {key: value for key, value in record.items() if value not in ("", [], {})}


def faults(posts):
    """Yields the rules that the posts as a whole break."""
    if len(posts) != 200:
        yield f"{len(posts)} posts instead of 200"
    for before, post in zip(posts, posts[1:]):
        if post.time < before.time:
            yield f"post {post.number} of {post.time} follows one of {before.time}"
    for post in posts:
        if bool(post.text) == bool(post.reposts):
            yield f"post {post.number} of {post.time} must have either a text or repost:"
        if len(post.text) > 500:
            yield f"post {post.number} of {post.time} has {len(post.text)} characters, more than 500"


def main(arguments):
    """Writes or checks the file; returns the exit code."""
    if arguments not in ([], ["--check"]):
        print(__doc__.strip(), file=sys.stderr)
        return 0 if arguments in (["-h"], ["--help"]) else 2
    try:
        people, posts, labels = parse(TEXT.read_text(encoding="utf-8"))
        records = [line_of(post, people, labels) for post in posts]
    except ValueError as error:
        print(error, file=sys.stderr)
        return 1
    wrong = list(faults(posts))
    lines = "".join(json.dumps(record, ensure_ascii=False, separators=(",", ":")) + "\n" for record in records)
    if arguments and (not LINES.exists() or LINES.read_text(encoding="utf-8") != lines):
        wrong.append(f"{LINES.name} is out of date: run examples/timeline.py")
    for fault in wrong:
        print(fault, file=sys.stderr)
    if not wrong and not arguments:
        LINES.write_text(lines, encoding="utf-8")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
