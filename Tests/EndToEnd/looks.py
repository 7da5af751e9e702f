"""Reads the cells of a tmux terminal with their styles, and detects whether all processes behind it are idle."""

import contextlib
import pathlib
import re
import unicodedata

# Codes that switch a style on (ECMA-48, 8.3.117), and codes that switch it off.
ON = {1: "bold", 2: "faint", 3: "italic", 4: "underlined", 5: "blinking", 7: "reversed", 8: "hidden", 9: "crossed out"}
OFF = {22: ("bold", "faint"), 23: ("italic",), 24: ("underlined",), 25: ("blinking",), 27: ("reversed",), 28: ("hidden",), 29: ("crossed out",)}
COLORS = {**{30 + n: "text" for n in range(8)}, **{90 + n: "text" for n in range(8)}, **{40 + n: "ground" for n in range(8)},
          **{100 + n: "ground" for n in range(8)}}
LONG = {38: "text", 48: "ground", 58: "line"}
# The styles that are visible on a blank.
STYLES_OF_BLANKS = ("ground", "reversed", "underlined", "crossed out")
JOINER = "\u200d"
SEQUENCE = re.compile(r"\x1b\[([\d;:]*)m|[\x0e\x0f]")


def restyled(style, parameters):
    """Returns the style after an SGR sequence."""
    style, codes = dict(style), [part.replace(":", ";").split(";") for part in (parameters or "0").split(";")]
    numbers = [int(part[0] or 0) for part in codes]
    index = 0
    while index < len(numbers):
        code = numbers[index]
        if code == 0:
            style = {}
        elif code in LONG:
            count = 3 if numbers[index + 1] == 5 else 5
            style[LONG[code]] = tuple(numbers[index + 1 : index + count])
            index += count - 1
        elif code in COLORS:
            style[COLORS[code]] = code
        elif code in ON:
            style[ON[code]] = True
        elif code in OFF:
            style = {name: value for name, value in style.items() if name not in OFF[code]}
        elif code in (39, 49, 59):
            style.pop({39: "text", 49: "ground", 59: "line"}[code], None)
        index += 1
    return style


def cells(captured):
    """Returns the cells of each line of `capture-pane -e -p -N`, as pairs of a character with its combining ones, and a style."""
    result, style = [], {}
    for line in captured.split("\n"):
        row, place = [], 0
        while place < len(line):
            if found := SEQUENCE.match(line, place):
                style = restyled(style, found[1]) if found[1] is not None else style
                place = found.end()
                continue
            character = line[place]
            place += 1
            if row and unicodedata.combining(character):
                row[-1] = (row[-1][0] + character, row[-1][1])
                continue
            seen = {name: style[name] for name in STYLES_OF_BLANKS if name in style} if character == " " else style
            if character == " " and "reversed" in seen:
                seen = style
            row.append((character, tuple(sorted(seen.items(), key=lambda pair: pair[0]))))
        while row and row[-1] == (" ", ()):
            row.pop()
        result.append(row)
    return result


def text(rows):
    """Returns the texts of rows of cells."""
    return ["".join(character for character, _ in row) for row in rows]


def is_same(old, new):
    """Returns whether two rows are equal, as far as tmux reports.

    It reports nothing after the last written cell, not even the background. It joins the characters around a zero-width joiner only if it
    happens to read both at once, so everything to the right may be shifted (docs/WIDTHS.md).
    """
    if JOINER in "".join(text([old, new])):
        first, second = ("".join(character for character, _ in row if character not in (" ", JOINER)) for row in (old, new))
        return first == second
    short = min(len(old), len(new))
    return old[:short] == new[:short] and all(character == " " for character, _ in old[short:] + new[short:])


def differences(before, after):
    """Describes the differences of rows."""
    found = []
    for number in range(max(len(before), len(after))):
        old, new = (rows[number] if number < len(rows) else [] for rows in (before, after))
        if is_same(old, new):
            continue
        for column in range(max(len(old), len(new))):
            pair = [row[column] if column < len(row) else (" ", ()) for row in (old, new)]
            if pair[0] != pair[1]:
                found.append(f"line {number + 1}, character {column + 1}: {pair[0]}, then {pair[1]}")
                break
        found += [f"  before: {''.join(text([old]))}", f"  after:  {''.join(text([new]))}"]
    return found


def family(process):
    """Returns a process and its descendants."""
    found = [process]
    for one in found:
        for task in tasks(one):
            with contextlib.suppress(OSError):
                found += map(int, (task / "children").read_text(encoding="utf-8").split())
    return found


def tasks(process):
    """Returns the threads of a process; none if it has ended."""
    try:
        return list(pathlib.Path(f"/proc/{process}/task").iterdir())
    except OSError:
        return []


def activity(processes):
    """Returns the CPU time of each thread in nanoseconds; None if one is running, or a process has just ended."""
    done = {}
    for process in processes:
        threads = tasks(process)
        if not threads:
            return None
        for task in threads:
            try:
                if (task / "stat").read_text(encoding="utf-8").rpartition(")")[2].split()[0] not in "STtZ":
                    return None
                done[task.name] = int((task / "schedstat").read_text(encoding="utf-8").split()[0])
            except OSError:
                return None
    return done
