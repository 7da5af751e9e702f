#!/usr/bin/env python3
"""Reads the fixtures a second time, independently of the daemon, and writes what an import has to find to expected.tsv.

One line a post: file, number ("3" or, for the original of a repost, "3o"), and the fields named in COLUMNS, separated by tabs,
with line feed, tab and backslash escaped. Run it by hand when fixtures change, and read the difference.
"""
import datetime
import html.parser
import json
import pathlib
import plistlib
import re
import urllib.parse

HERE = pathlib.Path(__file__).resolve().parent
COLUMNS = (
    "file number source id aliases author handle name avatar milliseconds text spans media replies reposts favourites visibility "
    "flags warning language url parent parent_handle"
).split()
EPOCH = datetime.datetime(1970, 1, 1, tzinfo=datetime.timezone.utc)


def milliseconds(moment):
    return (moment - EPOCH) // datetime.timedelta(milliseconds=1)


def twitter_time(text):
    return milliseconds(datetime.datetime.strptime(text, "%a %b %d %H:%M:%S %z %Y"))


def iso_time(text):
    return milliseconds(datetime.datetime.fromisoformat(text.replace("Z", "+00:00")))


def clean(text):
    """SafeText's rules."""
    text = text.replace("\t", " ").replace("\r\n", "\n").replace("\r", "\n").replace("\u2028", "\n").replace("\u2029", "\n")
    return re.sub("[\x00-\x09\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]", "\ufffd", text)


def joined(parts):
    """The cleaned text of (text, kind, target) parts and its spans in bytes."""
    text, spans = "", []
    for part, kind, target in parts:
        start = len(text.encode())
        text += clean(part)
        if kind and part:
            spans.append(f"{kind}:{start}-{len(text.encode())}:{target}")
    return text, ";".join(spans)


# Twitter


def unescaped(text):
    return text.replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&")


def tweet_text(text, entities, media):
    marks = []
    for url in entities.get("urls", []):
        marks.append((url["indices"], "link", url["expanded_url"], url["expanded_url"]))
    for mention in entities.get("user_mentions", []):
        marks.append((mention["indices"], "mention", None, mention["screen_name"]))
    for hashtag in entities.get("hashtags", []):
        marks.append((hashtag["indices"], "hashtag", None, hashtag["text"]))
    for start, end in {tuple(int(i) for i in item["indices"]) for item in entities.get("media", []) + media}:
        marks.append(((start, end), None, "", None))
    parts, position = [], 0
    for (start, end), kind, shown, target in sorted(marks, key=lambda mark: int(mark[0][0])):
        start, end = int(start), int(end)
        if end > len(text):
            continue
        before = unescaped(text[position:start])
        parts.append((before.rstrip(" \n") if kind is None else before, None, None))
        parts.append((unescaped(text[start:end]) if shown is None else shown, kind, target))
        position = end
    parts.append((unescaped(text[position:]), None, None))
    return joined(parts)


def tweet_media(items):
    kinds = {"photo": "image", "video": "video", "animated_gif": "animation"}
    result = []
    for item in items:
        films = [v for v in item.get("video_info", {}).get("variants", []) if v["content_type"] == "video/mp4"]
        url = max(films, key=lambda v: int(v.get("bitrate", 0)))["url"] if films else item["media_url_https"]
        result.append(f"{kinds[item['type']]} {url} {item.get('ext_alt_text') or ''}")
    return ";".join(result)


def tweet(value, owner=None):
    user = value.get("user") or owner
    extended = value.get("extended_tweet", value)
    entities = extended.get("entities", {})
    media = extended.get("extended_entities", {}).get("media", [])
    text, spans = tweet_text(extended.get("full_text") or extended["text"], entities, media)
    flags = [name for name, field in (("favourited", "favorited"), ("reposted", "retweeted"), ("sensitive", "possibly_sensitive"))
             if value.get(field)]
    number = str(value.get("id_str", value.get("id")))
    post = dict(
        source="twitter", id=number, author=user["id_str"], handle=user["screen_name"], name=user["name"],
        avatar=user.get("profile_image_url_https", ""), milliseconds=twitter_time(value["created_at"]), text=text, spans=spans,
        media=tweet_media(media or entities.get("media", [])), replies=value.get("reply_count", 0),
        reposts=value.get("retweet_count", 0), favourites=value.get("favorite_count", 0),
        visibility="followers" if user.get("protected") else "public", flags=" ".join(flags),
        language="" if value.get("lang") == "und" else value.get("lang") or "",
        url=f"https://twitter.com/{user['screen_name']}/status/{number}", parent=value.get("in_reply_to_status_id_str") or "",
        parent_handle=value.get("in_reply_to_screen_name") or "")
    if "retweeted_status" in value:
        return [bare(post), tweet(value["retweeted_status"])[0]]
    return [post]


def bare(post):
    """A repost shows its original, so it has no body of its own."""
    kept = ("source", "id", "aliases", "author", "handle", "name", "avatar", "milliseconds", "visibility")
    return {key: post[key] for key in kept if key in post}


# Mastodon


class Text(html.parser.HTMLParser):
    """The text of the HTML in the fixtures: p, br, a and span only."""

    def __init__(self, people):
        super().__init__(convert_charrefs=True)
        self.people, self.parts, self.link, self.spans = people, [], None, []

    def handle_starttag(self, tag, attributes):
        attributes = dict(attributes)
        if tag == "span":
            self.spans.append((attributes.get("class") or "").split())
        elif tag == "a":
            self.link = [(attributes.get("class") or "").split(), attributes["href"], ""]
        elif tag == "br":
            self.parts.append(("\n", None, None))
        elif tag == "p" and self.parts:
            self.parts.append(("\n\n", None, None))

    def handle_endtag(self, tag):
        if tag == "span" and "ellipsis" in self.spans.pop():
            self.link[2] += "…"
        if tag == "a":
            classes, href, shown = self.link
            self.link = None
            if "hashtag" in classes:
                self.parts.append((shown, "hashtag", shown[1:]))
            elif "mention" in classes:
                self.parts.append((shown, "mention", self.handle_of(href, shown[1:])))
            else:
                self.parts.append((shown, "link", href))

    def handle_of(self, href, shown):
        host = urllib.parse.urlparse(href).netloc
        return self.people.get(href) or self.people.get(f"{shown}@{host}") or shown

    def handle_data(self, data):
        if any("invisible" in classes for classes in self.spans):
            return
        if self.link:
            self.link[2] += data
        else:
            self.parts.append((data, None, None))


def html_text(content, people):
    parser = Text(people)
    parser.feed(content)
    parser.close()
    return joined(parser.parts)


VISIBILITY = {"public": "public", "unlisted": "unlisted", "private": "followers", "direct": "direct"}


def status(value):
    account = value["account"]
    host = urllib.parse.urlparse(account["url"]).netloc
    people = {person["url"]: person["acct"] for person in value["mentions"]}
    ids = {person["id"]: person["acct"] for person in value["mentions"]} | {account["id"]: account["acct"]}
    content, spans = html_text(value["content"], people)
    options = ["○ " + option["title"] for option in (value.get("poll") or {}).get("options", [])]
    content = "\n\n".join(part for part in (content, "\n".join(options)) if part)
    flags = [name for name, field in (
        ("favourited", "favourited"), ("reposted", "reblogged"), ("saved", "bookmarked"), ("sensitive", "sensitive"),
        ("edited", "edited_at")) if value.get(field)]
    kinds = {"gifv": "animation"}
    post = dict(
        source="mastodon", id=value["uri"], aliases=f"{host}#{value['id']}", author=account["uri"], handle=account["acct"],
        name=account["display_name"] or account["acct"], avatar=account["avatar"], milliseconds=iso_time(value["created_at"]),
        text=content, spans=spans,
        media=";".join(f"{kinds.get(m['type'], m['type'])} {m['url']} {m['description'] or ''}" for m in value["media_attachments"]),
        replies=value["replies_count"], reposts=value["reblogs_count"], favourites=value["favourites_count"],
        visibility=VISIBILITY[value["visibility"]], flags=" ".join(flags), warning=value["spoiler_text"],
        language=value["language"] or "", url=value["url"],
        parent=f"{host}#{value['in_reply_to_id']}" if value["in_reply_to_id"] else "",
        parent_handle=ids.get(value["in_reply_to_account_id"], ""))
    if value.get("reblog"):
        return [bare(post), status(value["reblog"])[0]]
    return [post]


def carried(value):
    """The status in an answer's element, if any."""
    if "status" in value:
        return status(value["status"])
    if "last_status" in value:
        return status(value["last_status"])
    return status(value)


def activity(value):
    public = "https://www.w3.org/ns/activitystreams#Public"
    to, cc = value["to"], value["cc"]
    seen = ("public" if public in to else "unlisted" if public in cc
            else "followers" if any(a.endswith("/followers") for a in to + cc) else "direct")
    name = value["actor"].rsplit("/", 1)[1]
    post = dict(source="mastodon", author=value["actor"], handle=name, name=name, visibility=seen)
    note = value["object"]
    if value["type"] == "Announce":
        return [post | dict(id=value["id"], milliseconds=iso_time(value["published"]), text=note, url=note,
                            spans=f"link:0-{len(note)}:{note}")]
    people = {tag["name"][1:]: tag["name"][1:] for tag in note["tag"] if tag["type"] == "Mention"}
    text, spans = html_text(note["content"], people)
    parent = note["inReplyTo"] or ""
    answered = [tag["name"][1:] for tag in note["tag"] if parent.startswith(tag["href"] + "/")] if parent else []
    return [post | dict(
        id=note["id"], milliseconds=iso_time(note["published"]), text=text, spans=spans,
        media=";".join(f"image {a['url']} {a['name'] or ''}" for a in note["attachment"]),
        flags="sensitive" if note["sensitive"] else "", warning=note["summary"] or "", language=next(iter(note["contentMap"])),
        url=note["url"], parent=parent, parent_handle=answered[0] if answered else "")]


# Files


def both_lists(pairs):
    """An object whose repeated list fields are joined: the outbox has `orderedItems` twice."""
    result = {}
    for key, value in pairs:
        result[key] = result[key] + value if isinstance(value, list) and key in result else value
    return result


def elements(path):
    text = path.read_text(encoding="utf-8") if path.suffix != ".plist" else ""
    kind = path.relative_to(HERE).parts[0]
    if kind == "twitter-archive":
        owner = {"id_str": "41", "screen_name": "synthetic", "name": "Synthetic Account"}
        for element in json.loads(text[text.index("["):]):
            yield tweet(element.get("tweet", element), owner)
    elif kind == "twitter-v1":
        values = [json.loads(line) for line in text.split("\n") if line.strip()] if path.suffix == ".jsonl" else json.loads(text)
        for value in values if isinstance(values, list) else [values]:
            yield tweet(value)
    elif kind == "mastodon-archive":
        for value in json.loads(text, object_pairs_hook=both_lists)["orderedItems"]:
            yield activity(value)
    elif path.suffix == ".sse":
        for line in text.split("\n"):
            if line.startswith("data: {"):
                value = json.loads(line[6:])
                if "status" in value or "last_status" in value or "content" in value:
                    yield carried(value)
    elif kind == "mastodon":
        values = json.loads(text)
        for value in values if isinstance(values, list) else [values]:
            yield carried(value)
    elif kind == "plist":
        for value in plistlib.loads(path.read_bytes()):
            moment = value["created_at"].replace(tzinfo=datetime.timezone.utc)
            yield [dict(
                source="twitter", id=str(value["id"]), author="@" + value["screen_name"], handle=value["screen_name"],
                name=value["name"], milliseconds=milliseconds(moment), text=value["text"], reposts=value["retweet_count"],
                visibility="public", flags="favourited" if value["favorited"] else "",
                url=f"https://twitter.com/{value['screen_name']}/status/{value['id']}")]


def importable(path):
    name = path.name
    kind = path.relative_to(HERE).parts[0]
    if kind == "mastodon":
        return not any(part in name for part in ("history", "unauthed", "healthy", "test_timeline_disabled.5", ".DELETE."))
    if kind == "mastodon-archive":
        return name.startswith("outbox")
    return kind in ("twitter-v1", "plist") or kind == "twitter-archive" and name.startswith("tweet")


def escaped(value):
    return str(value).replace("\\", "\\\\").replace("\n", "\\n").replace("\t", "\\t")


def main():
    lines = ["\t".join(COLUMNS)]
    for path in sorted(HERE.rglob("*")):
        if not path.is_file() or path.parent == HERE or not importable(path):
            continue
        for number, posts in enumerate(elements(path), 1):
            for suffix, post in zip(("", "o"), posts):
                post = {"replies": 0, "reposts": 0, "favourites": 0} | post
                post["file"], post["number"] = path.relative_to(HERE).as_posix(), f"{number}{suffix}"
                lines.append("\t".join(escaped(post.get(column, "")) for column in COLUMNS))
    (HERE / "expected.tsv").write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
