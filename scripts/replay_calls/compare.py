"""What differs between two performances of a world."""

import re

SHOWN = 200  # characters of a value that are printed
# The player numbers its moves, and moves again while a frame says that more follows: how often is its own business.
MOVES = re.compile(r",? ?'generation': \d+")


def differences(then, now, path=""):
    """Yields (path, then, now) for each value that differs.

    What has a "~" before its name is not compared. What has a "?" may be there where nothing that has one was there then.
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
    """Stands for what one side does not have."""

    def __repr__(self):
        """Returns the words that are printed."""
        return "(nothing)"


MISSING = Missing()


def compare(then, now):
    """Compares the answers of two performances, each (place, asked, answer); returns lines for people."""
    lines = []
    for (place, asked, one), (now_place, now_asked, other) in zip(then, now):
        if (place, MOVES.sub("", asked)) != (now_place, MOVES.sub("", now_asked)):
            lines.append(f"{place}: {shorten(asked)}\n    now {now_place}: {shorten(now_asked)}")
        for path, before, after in differences(one, other):
            lines.append(f"{place}: {shorten(asked)}\n    {path}\n      then {shorten(before)}\n      now  {shorten(after)}")
    if len(then) != len(now):
        lines.append(f"{len(then)} answers then, {len(now)} now")
    return lines


def count_rows(value):
    """Returns how many rows are in an answer."""
    if isinstance(value, dict):
        return sum(len(item) if name == "rows" else count_rows(item) for name, item in value.items())
    return sum(map(count_rows, value)) if isinstance(value, list) else 0


def shorten(value):
    """Returns a value as text, cut to what one reads."""
    text = value if isinstance(value, str) else repr(value)
    return text if len(text) <= SHOWN else f"{text[:SHOWN]}… ({len(text)} characters)"
