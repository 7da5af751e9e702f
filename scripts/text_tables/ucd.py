"""Reads the properties of Debian's `unicode-data` package, as one value per code point."""

from pathlib import Path

CODE_POINTS = 0x110000
DIRECTORY = Path("/usr/share/unicode")


def version():
    """Returns the version in the header of the data, as in `# LineBreak-15.0.0.txt`."""
    return lines("LineBreak.txt")[0].removeprefix("# LineBreak-").removesuffix(".txt")


def lines(name):
    """Returns the lines of a file."""
    path = DIRECTORY / name
    if not path.exists():
        raise SystemExit(f"{path} is missing: install Debian's unicode-data (apt-get install unicode-data)")
    return path.read_text(encoding="utf-8").splitlines()


def records(name):
    """Yields the lines of a file as (first, last, fields), with its range of code points; comments are left out."""
    for line in lines(name):
        line = line.split("#")[0].strip()
        if line:
            code_points, *fields = [field.strip() for field in line.split(";")]
            first, _, last = code_points.partition("..")
            yield first, last or first, fields


def enumerated(name, prop):
    """Returns an enumerated property by code point: the defaults of the file's @missing lines, then its records.

    Defaults have long names there, which the aliases of property `prop` shorten.
    """
    short = {fields[1]: fields[0] for alias, _, fields in records("PropertyValueAliases.txt") if alias == prop}
    values = [None] * CODE_POINTS
    for line in lines(name):
        if line.startswith("# @missing: "):
            code_points, value = line.removeprefix("# @missing: ").split("; ")
            assign(values, *code_points.split(".."), short.get(value, value))
    for first, last, fields in records(name):
        assign(values, first, last, fields[0])
    return values


def assign(values, first, last, value):
    """Assigns one value to a range of code points."""
    first, last = int(first, 16), int(last, 16)
    values[first : last + 1] = [value] * (last + 1 - first)


def binary(name, value):
    """Returns a binary property by code point."""
    flags = bytearray(CODE_POINTS)
    for first, last, fields in records(name):
        if fields[0] == value:
            for code_point in range(int(first, 16), int(last, 16) + 1):
                flags[code_point] = 1
    return flags


class Properties:
    """The properties that classes are derived from. The derived files have defaults for unassigned code points."""

    def __init__(self):
        self.line_break = enumerated("extracted/DerivedLineBreak.txt", "lb")
        self.category = enumerated("extracted/DerivedGeneralCategory.txt", "gc")
        self.east_asian_width = enumerated("extracted/DerivedEastAsianWidth.txt", "ea")
        self.grapheme_break = enumerated("auxiliary/GraphemeBreakProperty.txt", "GCB")
        self.pictographic = binary("emoji/emoji-data.txt", "Extended_Pictographic")
        self.ignorable = binary("DerivedCoreProperties.txt", "Default_Ignorable_Code_Point")
        # The file's first field is a sequence: the base and its variation selector. All bases have both selectors.
        self.emoji_style = {
            int(sequence.split()[0], 16)
            for sequence, _, _ in records("emoji/emoji-variation-sequences.txt")
            if sequence.split()[1] == "FE0F"
        }
