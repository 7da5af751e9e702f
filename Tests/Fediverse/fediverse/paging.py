"""Pages of a list by max_id, since_id, min_id and limit, and their Link fields."""

import dataclasses
import urllib.parse

from .clock import Identifiers


@dataclasses.dataclass
class Page:
    """Some entries, the newest first, and the cursors of their Link field (None: the link is left out)."""

    entries: list
    older: str | None
    newer: str | None


def cut(entries, params, flavour, cursor=lambda entry: entry, default=20, most=None, always_older=False):
    """Returns a page of `entries`, which are the newest first; `cursor` returns an entry's own.

    `max_id` and `since_id` bound the newest entries; `min_id` asks for those directly above it (unless `min_id_skips`). `always_older`:
    timelines have a `next` link on each page that is not empty, other lists only on full ones.
    """
    order = Identifiers.order
    limit = max(1, min(params.number("limit", default), most or flavour.page_most))
    above, below, start = params.get("since_id"), params.get("max_id"), params.get("min_id")
    if start and flavour.min_id_skips:
        above, start = start, None
    rest = [e for e in entries if not below or order(cursor(e)) < order(below)]
    if start:
        rest = [e for e in rest if order(cursor(e)) > order(start)][-limit:]
    else:
        rest = [e for e in rest if not above or order(cursor(e)) > order(above)][:limit]
    if not rest:
        return Page([], None, None)
    has_older = len(rest) == limit or (always_older and flavour.link_at_end)
    return Page(rest, cursor(rest[-1]) if has_older else None, cursor(rest[0]))


def link(page, origin, path, kept):
    """Returns the value of the Link field of a page, or None. `kept` are the parameters that its links repeat."""
    parts = []
    for relation, name, value in (("next", "max_id", page.older), ("prev", "min_id", page.newer)):
        if value is not None:
            query = urllib.parse.urlencode([*kept, (name, value)])
            parts.append(f'<{origin}{path}?{query}>; rel="{relation}"')
    return ", ".join(parts) or None
