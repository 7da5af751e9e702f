"""Reads the table of permitted differences: new names of old methods, fields and values, and what is not compared."""

from dataclasses import dataclass, field
from pathlib import Path

TABLE = Path(__file__).with_name("permitted.txt")
KINDS = {"method": 2, "field": 2, "value": 2, "package": 2, "reason": 2, "ignore": 1, "added": 1, "filled": 1, "zero": 1}


class TableError(ValueError):
    """An invalid line of the table."""


@dataclass
class Permitted:
    """The permitted differences. Messages and fields have the names of 93cdc55."""

    package: tuple = ("stack.v1", "stack.v1")
    methods: dict = field(default_factory=dict)
    fields: dict = field(default_factory=dict)
    values: dict = field(default_factory=dict)
    reasons: dict = field(default_factory=dict)
    ignored: set = field(default_factory=set)
    added: set = field(default_factory=set)
    filled: set = field(default_factory=set)
    zeros: set = field(default_factory=set)

    @classmethod
    def read(cls, text):
        """Parses lines `KIND THEN [-> NOW]  # reason`; rejects an entry without a reason."""
        table = cls()
        for number, line in enumerate(text.splitlines(), 1):
            entry, _, reason = (part.strip() for part in line.partition("#"))
            if not entry:
                continue
            kind, _, rest = entry.partition(" ")
            names = tuple(name.strip() for name in rest.split("->"))
            if KINDS.get(kind) != len(names) or not all(names):
                raise TableError(f"line {number}: invalid entry: {entry}")
            if not reason:
                raise TableError(f"line {number}: no reason after #")
            table.add(kind, *names)
        return table

    def add(self, kind, then, now=None):
        """Adds an entry."""
        if kind == "package":
            self.package = (then, now)
        elif now is None:
            {"ignore": self.ignored, "added": self.added, "filled": self.filled, "zero": self.zeros}[kind].add(then)
        else:
            {"method": self.methods, "field": self.fields, "value": self.values, "reason": self.reasons}[kind][then] = now

    def method(self, then, request):
        """Returns the present name of a method `Service/Method`, which may depend on a field of the request."""
        for entry, now in self.methods.items():
            name, _, condition = entry.rstrip(")").partition("(")
            if name == then and condition and request.get(condition):
                return now
        return self.methods.get(then, then)

    def paths(self, message, name):
        """Returns the present paths of a field, as lists of names from the message; none if it is gone."""
        now = self.fields.get(f"{message}.{name}", name)
        return [] if now == "(gone)" else [path.strip().split(".") for path in now.split("|")]

    def ignores(self, message, name):
        """Returns whether a field is not compared, because it is ignored or gone."""
        return f"{message}.{name}" in self.ignored or not self.paths(message, name)

    def inside(self, message):
        """Yields (field, inner, now) of fields that have moved from an inner message to this one."""
        for then, now in self.fields.items():
            if then.startswith(f"{message}.") and then.count(".") == 2:
                yield *then.split(".")[1:], now

    def mark(self, message, name):
        """Returns the prefix of a field's name, which controls its comparison (compare.py)."""
        return "~" if self.ignores(message, name) else "?" if f"{message}.{name}" in self.filled else ""

    def compared(self, message, values):
        """Returns the compared ones of values outside of a call's schema, such as those of a status."""
        return {name: value for name, value in values.items() if not self.ignores(message, name)}

    def permits_new(self, message, name):
        """Returns whether a field, by its present name, may be new."""
        return f"{message}.{name}" in self.added


def plain(values):
    """Returns values under their plain names, without the prefixes that control comparison."""
    return {name.lstrip("~?"): value for name, value in values.items()}


def load(path=TABLE):
    """Reads the repository's table."""
    return Permitted.read(Path(path).read_text(encoding="utf-8"))
