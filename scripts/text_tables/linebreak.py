"""Implements line breaking (UAX #14, Unicode 15.0) as a state machine over line-breaking classes.

Numbers follow the regular expression of section 8.2, example 7, as the published LineBreakTest.txt does.
"""

from typing import NamedTuple

# Outcomes before a code point. LOOK: a break, unless the next class other than CM and ZWJ is NU.
NO, MAY, MUST, LOOK = range(4)

CLASSES = (
    "AL BA BB B2 BK CB CL CM CP CPw CR EB EM EX GL H2 H3 HL HY ID IDu IN IS JL JT JV LF NL NS NU OP OPw PO PR QU RI SP SY "
    "WJ ZW ZWJ"
).split()
HARD = {"BK", "CR", "LF", "NL"}


def line_break_class(properties, code_point):
    """Returns the class after LB1, with subclasses for LB30 and LB30b.

    OPw, CPw: East Asian parentheses. IDu: unassigned code points reserved for pictographs.
    """
    value = properties.line_break[code_point]
    category = properties.category[code_point]
    if value in ("AI", "SG", "XX"):
        return "AL"
    if value == "SA":
        return "CM" if category in ("Mn", "Mc") else "AL"
    if value == "CJ":
        return "NS"
    if value in ("OP", "CP") and properties.east_asian_width[code_point] in "FWH":
        return value + "w"
    if value == "ID" and properties.pictographic[code_point] and category == "Cn":
        return "IDu"
    return value


class State(NamedTuple):
    base: str  # the last class; CM and ZWJ take the class they follow (LB9)
    spaces: bool = False  # True after spaces since then
    joiner: bool = False  # True if the last code point was ZWJ
    odd: bool = False  # True if base ends an odd number of RI
    hebrew: bool = False  # True if base is a hyphen directly after HL
    number: str = ""  # "digits" within a number, "closed" after its closing parenthesis


START = State("start")


def step(state, cls):
    """Returns the outcome before a code point of class `cls`, and the state after it."""
    if state.base in HARD and not (state.base == "CR" and cls == "LF"):
        return MUST, step(START, cls)[1]  # LB4, LB5
    if cls in HARD:
        return NO, State(cls)  # LB6
    if cls == "SP":
        return NO, state._replace(spaces=True, joiner=False)  # LB7
    if cls == "ZW":
        return NO, State("ZW")  # LB7
    if cls in ("CM", "ZWJ"):
        if state.base not in ("start", "ZW") and not state.spaces:
            return NO, state._replace(joiner=cls == "ZWJ")  # LB9
        return step(state, "AL")[0], State("AL", joiner=cls == "ZWJ")  # LB10
    return between(state, cls), following(state, cls)


def following(state, cls):
    """Returns the state after a code point that is not a space, a hard break or a combining one."""
    adjacent = not state.spaces
    number = ""
    if cls == "NU":
        number = "digits"
    elif adjacent and state.number == "digits":
        number = {"SY": "digits", "IS": "digits", "CL": "closed", "CP": "closed", "CPw": "closed"}.get(cls, "")
    return State(
        cls,
        odd=cls == "RI" and not (adjacent and state.base == "RI" and state.odd),
        hebrew=cls in ("HY", "BA") and adjacent and state.base == "HL",
        number=number,
    )


def between(state, cls):
    """Applies rules LB2 and LB8 to LB31 in order."""
    base = state.base
    if base == "start" and not state.spaces:
        return NO  # LB2
    if base == "ZW":
        return MAY  # LB8
    if state.joiner and not state.spaces:
        return NO  # LB8a
    last = "SP" if state.spaces else base

    if cls == "WJ" or last == "WJ":
        return NO  # LB11
    if last == "GL" or cls == "GL" and last not in ("SP", "BA", "HY"):
        return NO  # LB12, LB12a
    if cls in ("CL", "CP", "CPw", "EX", "IS", "SY"):
        return NO  # LB13
    if base in ("OP", "OPw"):
        return NO  # LB14
    if base == "QU" and cls in ("OP", "OPw"):
        return NO  # LB15
    if base in ("CL", "CP", "CPw") and cls == "NS":
        return NO  # LB16
    if base == "B2" and cls == "B2":
        return NO  # LB17
    if last == "SP":
        return MAY  # LB18
    if cls == "QU" or last == "QU":
        return NO  # LB19
    if cls == "CB" or last == "CB":
        return MAY  # LB20
    if cls in ("BA", "HY", "NS") or last == "BB" or state.hebrew or last == "SY" and cls == "HL":
        return NO  # LB21, LB21a, LB21b
    if cls == "IN":
        return NO  # LB22

    letters = ("AL", "HL")
    affixes = ("PR", "PO")
    ideographs = ("ID", "IDu", "EB", "EM")
    hangul = ("JL", "JV", "JT", "H2", "H3")
    if last in letters and cls == "NU" or last == "NU" and cls in letters:
        return NO  # LB23
    if last == "PR" and cls in ideographs or last in ideographs and cls == "PO":
        return NO  # LB23a
    if last in affixes and cls in letters or last in letters and cls in affixes:
        return NO  # LB24
    if cls == "NU" and (last in affixes or last == "HY" or state.number == "digits"):
        return NO  # LB25
    if cls in affixes and state.number:
        return NO  # LB25
    if cls in ("OP", "OPw") and last in affixes:
        return LOOK  # LB25
    if last == "JL" and cls in ("JL", "JV", "H2", "H3"):
        return NO  # LB26
    if last in ("JV", "H2") and cls in ("JV", "JT") or last in ("JT", "H3") and cls == "JT":
        return NO  # LB26
    if last in hangul and cls == "PO" or last == "PR" and cls in hangul:
        return NO  # LB27
    if last in letters and cls in letters:
        return NO  # LB28
    if last == "IS" and cls in letters:
        return NO  # LB29
    if last in ("AL", "HL", "NU") and cls == "OP" or last == "CP" and cls in ("AL", "HL", "NU"):
        return NO  # LB30
    if last == "RI" and cls == "RI" and state.odd:
        return NO  # LB30a
    if last in ("EB", "IDu") and cls == "EM":
        return NO  # LB30b
    return MAY  # LB31
