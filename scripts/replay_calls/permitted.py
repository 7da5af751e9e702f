"""The table of permitted differences: which names of then are called what now, and what is not compared."""

from dataclasses import dataclass, field
from pathlib import Path

TABLE = Path(__file__).with_name("permitted.txt")
KINDS = {"method": 2, "field": 2, "value": 2, "package": 2, "reason": 2, "ignore": 1, "added": 1, "filled": 1, "zero": 1}


class TableError(ValueError):
    """A line of the table that cannot be read."""


@dataclass
class Permitted:
    """What may differ. Messages and fields are named as they were then."""

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
        """Reads a table: a line each, `KIND THEN [-> NOW]  # reason`; an entry without a reason is refused."""
        table = cls()
        for number, line in enumerate(text.splitlines(), 1):
            entry, _, reason = (part.strip() for part in line.partition("#"))
            if not entry:
                continue
            kind, _, rest = entry.partition(" ")
            names = tuple(name.strip() for name in rest.split("->"))
            if KINDS.get(kind) != len(names) or not all(names):
                raise TableError(f"line {number}: not an entry: {entry}")
            if not reason:
                raise TableError(f"line {number}: no reason is given after #")
            table.add(kind, *names)
        return table

    def add(self, kind, then, now=None):
        """Adds one entry."""
        if kind == "package":
            self.package = (then, now)
        elif now is None:
            {"ignore": self.ignored, "added": self.added, "filled": self.filled, "zero": self.zeros}[kind].add(then)
        else:
            {"method": self.methods, "field": self.fields, "value": self.values, "reason": self.reasons}[kind][then] = now

    def method(self, then, request):
        """Returns what the method `Service/Method` is called now: it may depend on a field of the request."""
        for entry, now in self.methods.items():
            name, _, condition = entry.rstrip(")").partition("(")
            if name == then and condition and request.get(condition):
                return now
        return self.methods.get(then, then)

    def paths(self, message, name):
        """Returns where the field of then is now: lists of names to follow from the message; none where it has gone."""
        now = self.fields.get(f"{message}.{name}", name)
        return [] if now == "(gone)" else [path.strip().split(".") for path in now.split("|")]

    def ignores(self, message, name):
        """Returns whether the field of this message is not compared: the table says so, or that it has gone."""
        return f"{message}.{name}" in self.ignored or not self.paths(message, name)

    def inside(self, message):
        """Yields (field, inner, now) of what was in a message of this one and is the message's own now."""
        for then, now in self.fields.items():
            if then.startswith(f"{message}.") and then.count(".") == 2:
                yield *then.split(".")[1:], now

    def mark(self, message, name):
        """Returns what stands before the name of a field to say how it is compared (compare.py)."""
        return "~" if self.ignores(message, name) else "?" if f"{message}.{name}" in self.filled else ""

    def compared(self, message, values):
        """Returns what is compared of values that no call's schema has, such as those of a status."""
        return {name: value for name, value in values.items() if not self.ignores(message, name)}

    def permits_new(self, message, name):
        """Returns whether the field, named as now, may be there without having been there then."""
        return f"{message}.{name}" in self.added


def plain(values):
    """Returns values by the names of then alone, without what says how they are compared."""
    return {name.lstrip("~?"): value for name, value in values.items()}


def load(path=TABLE):
    """Reads the table of the repository."""
    return Permitted.read(Path(path).read_text(encoding="utf-8"))
