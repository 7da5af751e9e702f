"""Finds the differences between two replays of a world."""

import re

SHOWN = 200  # characters printed of a value
# The player numbers its moves, and repeats them while a frame announces more. The number of repetitions is not compared.
MOVES = re.compile(r",? ?'generation': \d+")


def differences(then, now, path=""):
    """Yields (path, then, now) for each value that differs.

    Names that begin with "~" are not compared. Names that begin with "?" may be added now if no such name existed then.
    """
    if isinstance(then, dict) and isinstance(now, dict):
        may_be_filled = not any(name.startswith("?") for name in then)
        for name in dict.fromkeys([*then, *now]):
            if name.startswith("~") or may_be_filled and name.startswith("?"):
                continue
            yield from differences(then.get(name, MISSING), now.get(name, MISSING), f"{path}.{name}" if path else str(name))
    elif isinstance(then, list) and isinstance(now, list):
        for index in range(max(len(then), len(now))):
            items = [values[index] if index < len(values) else MISSING for values in (then, now)]
            yield from differences(*items, f"{path}[{index}]")
    elif then != now or type(then) is not type(now):
        yield path, then, now


class Missing:
    """A placeholder for a value that one side lacks."""

    def __repr__(self):
        """Returns the text to print."""
        return "(nothing)"


MISSING = Missing()


def compare(then, now):
    """Compares the answers of two replays, each (place, request, answer); returns readable lines."""
    lines = []
    for (place, asked, one), (now_place, now_asked, other) in zip(then, now):
        if (place, MOVES.sub("", asked)) != (now_place, MOVES.sub("", now_asked)):
            lines.append(f"{place}: {shorten(asked)}\n    now {now_place}: {shorten(now_asked)}")
        for path, before, after in differences(one, other):
            lines.append(f"{place}: {shorten(asked)}\n    {path}\n      then {shorten(before)}\n      now  {shorten(after)}")
    if len(then) != len(now):
        lines.append(f"{len(then)} responses then, {len(now)} now")
    return lines


def count_rows(value):
    """Returns the number of rows in an answer."""
    if isinstance(value, dict):
        return sum(len(item) if name == "rows" else count_rows(item) for name, item in value.items())
    return sum(map(count_rows, value)) if isinstance(value, list) else 0


def shorten(value):
    """Returns a value as text, truncated."""
    text = value if isinstance(value, str) else repr(value)
    return text if len(text) <= SHOWN else f"{text[:SHOWN]}… ({len(text)} characters)"
