"""What a terminal of tmux shows, cell by cell with its looks; and whether all that could change it is at rest."""

import contextlib
import pathlib
import re
import unicodedata

# What switches a look on (ECMA-48, 8.3.117), and what switches it off again.
ON = {1: "bold", 2: "faint", 3: "italic", 4: "underlined", 5: "blinking", 7: "reversed", 8: "hidden", 9: "crossed out"}
OFF = {22: ("bold", "faint"), 23: ("italic",), 24: ("underlined",), 25: ("blinking",), 27: ("reversed",), 28: ("hidden",), 29: ("crossed out",)}
COLORS = {**{30 + n: "text" for n in range(8)}, **{90 + n: "text" for n in range(8)}, **{40 + n: "ground" for n in range(8)},
          **{100 + n: "ground" for n in range(8)}}
LONG = {38: "text", 48: "ground", 58: "line"}
# Of a blank no more is seen than this.
SEEN_OF_BLANKS = ("ground", "reversed", "underlined", "crossed out")
JOINER = "\u200d"
SEQUENCE = re.compile(r"\x1b\[([\d;:]*)m|[\x0e\x0f]")


def turned(look, parameters):
    """A look after one sequence of SGR."""
    look, codes = dict(look), [part.replace(":", ";").split(";") for part in (parameters or "0").split(";")]
    numbers = [int(part[0] or 0) for part in codes]
    index = 0
    while index < len(numbers):
        code = numbers[index]
        if code == 0:
            look = {}
        elif code in LONG:
            count = 3 if numbers[index + 1] == 5 else 5
            look[LONG[code]] = tuple(numbers[index + 1 : index + count])
            index += count - 1
        elif code in COLORS:
            look[COLORS[code]] = code
        elif code in ON:
            look[ON[code]] = True
        elif code in OFF:
            look = {name: value for name, value in look.items() if name not in OFF[code]}
        elif code in (39, 49, 59):
            look.pop({39: "text", 49: "ground", 59: "line"}[code], None)
        index += 1
    return look


def cells(captured):
    """The cells of each line of `capture-pane -e -p -N`, as pairs of a character with all that joins it, and its look."""
    result, look = [], {}
    for line in captured.split("\n"):
        row, place = [], 0
        while place < len(line):
            if found := SEQUENCE.match(line, place):
                look = turned(look, found[1]) if found[1] is not None else look
                place = found.end()
                continue
            character = line[place]
            place += 1
            if row and unicodedata.combining(character):
                row[-1] = (row[-1][0] + character, row[-1][1])
                continue
            seen = {name: look[name] for name in SEEN_OF_BLANKS if name in look} if character == " " else look
            if character == " " and "reversed" in seen:
                seen = look
            row.append((character, tuple(sorted(seen.items(), key=lambda pair: pair[0]))))
        while row and row[-1] == (" ", ()):
            row.pop()
        result.append(row)
    return result


def text(rows):
    """What is read of them."""
    return ["".join(character for character, _ in row) for row in rows]


def is_same(old, new):
    """Whether two rows show the same, as far as tmux tells.

    Of what lies behind the last cell that was written it tells nothing, not even the ground. And it joins what stands on both sides of a
    zero-width joiner only where it happens to read both at once: all to the right of it may be elsewhere (docs/WIDTHS.md).
    """
    if JOINER in "".join(text([old, new])):
        first, second = ("".join(character for character, _ in row if character not in (" ", JOINER)) for row in (old, new))
        return first == second
    short = min(len(old), len(new))
    return old[:short] == new[:short] and all(character == " " for character, _ in old[short:] + new[short:])


def differences(before, after):
    """In words, for each row that is not the same."""
    found = []
    for number in range(max(len(before), len(after))):
        old, new = (rows[number] if number < len(rows) else [] for rows in (before, after))
        if is_same(old, new):
            continue
        for column in range(max(len(old), len(new))):
            pair = [row[column] if column < len(row) else (" ", ()) for row in (old, new)]
            if pair[0] != pair[1]:
                found.append(f"line {number + 1}, character {column + 1}: {pair[0]} and then {pair[1]}")
                break
        found += [f"  before: {''.join(text([old]))}", f"  after:  {''.join(text([new]))}"]
    return found


def family(process):
    """A process and all that have come of it."""
    found = [process]
    for one in found:
        for task in tasks(one):
            with contextlib.suppress(OSError):
                found += map(int, (task / "children").read_text(encoding="utf-8").split())
    return found


def tasks(process):
    """The threads of a process; none where it has gone."""
    try:
        return list(pathlib.Path(f"/proc/{process}/task").iterdir())
    except OSError:
        return []


def activity(processes):
    """Nanoseconds of work that each process has done; None where one is at work, or has just gone."""
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
