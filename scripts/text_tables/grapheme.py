"""Implements extended grapheme clusters (UAX #29, Unicode 15.0) as a state machine over Grapheme_Cluster_Break."""

from typing import NamedTuple

REGIONAL_INDICATOR = "Regional_Indicator"
BREAKING = ("CR", "LF", "Control")


def grapheme_class(properties, code_point):
    """Returns Grapheme_Cluster_Break, with a class of its own for Extended_Pictographic, which only code points of class XX have."""
    value = properties.grapheme_break[code_point]
    return "Pictograph" if value == "XX" and properties.pictographic[code_point] else value


class State(NamedTuple):
    last: str  # the last class
    pictograph: str = ""  # "open" after Pictograph Extend*, "joined" after a ZWJ that follows
    odd: bool = False  # True after an odd number of regional indicators


START = State("start")


def step(state, cls):
    """Returns whether a cluster begins before a code point of class `cls`, and the state after it."""
    pictograph = ""
    if cls == "Pictograph":
        pictograph = "open"
    elif state.pictograph == "open":
        pictograph = {"Extend": "open", "ZWJ": "joined"}.get(cls, "")
    odd = cls == REGIONAL_INDICATOR and not (state.last == REGIONAL_INDICATOR and state.odd)
    return begins(state, cls), State(cls, pictograph, odd)


def begins(state, cls):
    """Applies rules GB1 to GB999 in order."""
    last = state.last
    if last == "start":
        return True  # GB1
    if last == "CR" and cls == "LF":
        return False  # GB3
    if last in BREAKING or cls in BREAKING:
        return True  # GB4, GB5
    if last == "L" and cls in ("L", "V", "LV", "LVT"):
        return False  # GB6
    if last in ("LV", "V") and cls in ("V", "T") or last in ("LVT", "T") and cls == "T":
        return False  # GB7, GB8
    if cls in ("Extend", "ZWJ", "SpacingMark") or last == "Prepend":
        return False  # GB9, GB9a, GB9b
    if state.pictograph == "joined" and cls == "Pictograph":
        return False  # GB11
    if last == cls == REGIONAL_INDICATOR and state.odd:
        return False  # GB12, GB13
    return True  # GB999
