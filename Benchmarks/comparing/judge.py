"""Computes what Benchmarks/compare reports: order of runs, medians, ratios, exceptions and verdicts."""
import dataclasses
import fnmatch
import math
import statistics

LIMIT = 1.05
WORSE, MISSING, UNCLEAR, ALLOWED = "WORSE", "MISSING", "unclear", "allowed"
# A slowdown shows in the best runs too, and in at least this share of all runs. A busy machine rarely causes both.
SHARE_OF_RUNS = 0.75
HEAD = "figure\tallowed ratio\twhat it bought"


def order(run):
    """Returns the order of the two builds in a run: each goes first every other time."""
    return ("then", "now") if run % 2 == 0 else ("now", "then")


@dataclasses.dataclass
class Figure:
    """A figure, with the values of each run of both builds."""

    name: str
    unit: str
    then: list = dataclasses.field(default_factory=list)
    now: list = dataclasses.field(default_factory=list)

    @property
    def is_rate(self):
        """True if more is better."""
        return self.unit == "/s"

    @property
    def ratio(self):
        """Returns median now / median then, inverted for rates so that above 1 is always worse; None if a build lacks it."""
        if not self.then or not self.now:
            return None
        return cost_ratio(statistics.median(self.then), statistics.median(self.now), self.is_rate)

    @property
    def best_ratio(self):
        """Returns the ratio of the best runs, which the machine's other work disturbed least; None if a build lacks it."""
        if not self.then or not self.now:
            return None
        best = max if self.is_rate else min
        return cost_ratio(best(self.then), best(self.now), self.is_rate)

    @property
    def pairs_worse(self):
        """Returns the number of runs in which now was worse than then, and the number of runs."""
        ratios = [cost_ratio(then, now, self.is_rate) for then, now in zip(self.then, self.now)]
        return sum(ratio > 1 for ratio in ratios), len(ratios)


def cost_ratio(then, now, is_rate=False):
    """Returns the cost now as a multiple of the cost then."""
    if is_rate:
        then, now = now, then
    if now == then:
        return 1.0
    return now / then if then > 0 else math.inf


@dataclasses.dataclass
class Exemption:
    """A figure that may exceed the limit, and the gain that justifies it."""

    pattern: str
    allowed: float
    bought: str


def read_exceptions(text):
    """Parses exceptions.tsv. Raises ValueError for a line without a ratio or a reason."""
    found = []
    for number, line in enumerate(text.splitlines(), 1):
        if line == HEAD or not line.strip():
            continue
        fields = [field.strip() for field in line.split("\t")]
        if len(fields) != 3 or not all(fields):
            raise ValueError(f"line {number}: expected a figure, the allowed ratio and the gain, separated by tabs")
        pattern, allowed, bought = fields
        if not 1 < float(allowed) < math.inf:
            raise ValueError(f"line {number}: the allowed ratio must be above 1, not {allowed}")
        found.append(Exemption(pattern, float(allowed), bought))
    return found


def verdict(figure, exceptions=()):
    """Returns a word for a figure: better, same, WORSE, unclear, allowed or MISSING; `new` if only the working tree has it.

    A figure is unclear if its median is worse but its best run or most of its runs are not: the machine was probably busy.
    """
    ratio = figure.ratio
    if ratio is None:
        return MISSING if figure.then else "new"
    if ratio <= LIMIT:
        return "better" if ratio < 1 / LIMIT else "same"
    is_allowed = any(fnmatch.fnmatchcase(figure.name, one.pattern) and ratio <= one.allowed for one in exceptions)
    if is_allowed:
        return ALLOWED
    worse, runs = figure.pairs_worse
    return WORSE if figure.best_ratio > LIMIT and worse >= SHARE_OF_RUNS * runs else UNCLEAR


def selects(pattern, name):
    """Returns True if --only PATTERN selects a figure `area/figure`: names of areas or wildcards, separated by commas, or one figure."""
    return name == pattern or any(part == name.split("/")[0] or fnmatch.fnmatchcase(name, part) for part in pattern.split(","))


def may_select(pattern, area):
    """Returns True if --only PATTERN can select a figure of an area."""
    return any(fnmatch.fnmatchcase(area, part.split("/")[0]) for part in pattern.split(","))


class Figures:
    """All figures of a comparison, by name."""

    def __init__(self):
        self.all = {}

    def add(self, build, area, sample):
        """Adds a sample, {figure: [value, unit]}, of the build `then` or `now`."""
        for name, (value, unit) in sample.items():
            figure = self.all.setdefault(f"{area}/{name}", Figure(f"{area}/{name}", unit))
            getattr(figure, build).append(value)

    def areas_to_repeat(self, exceptions, pattern="*"):
        """Returns the areas with a figure that looks worse: another round tells a slowdown from a busy minute."""
        worse = [figure.name for figure in self.chosen(pattern) if verdict(figure, exceptions) in (WORSE, UNCLEAR)]
        return list(dict.fromkeys(name.split("/")[0] for name in worse))

    def chosen(self, pattern="*"):
        """Returns the figures that --only PATTERN selects."""
        return [figure for name, figure in self.all.items() if selects(pattern, name)]


def number(value):
    """Formats a value with four significant digits, without an exponent."""
    if value == 0:
        return "0"
    digits = max(0, 3 - math.floor(math.log10(abs(value))))
    return f"{value:,.{min(digits, 4)}f}"


def spread(values):
    """Formats a median with the minimum and the maximum."""
    return f"{number(statistics.median(values))} ({number(min(values))} to {number(max(values))})" if values else "-"


def table(figures, exceptions):
    """Returns the lines of the table of results."""
    rows = [("figure", "unit", "then", "now", "ratio", "of the best", "worse in", "verdict")]
    for figure in figures:
        ratios = [f"{ratio:.3f}" if ratio is not None else "-" for ratio in (figure.ratio, figure.best_ratio)]
        worse, runs = figure.pairs_worse
        rows.append((figure.name, figure.unit, spread(figure.then), spread(figure.now), *ratios, f"{worse}/{runs}",
                     verdict(figure, exceptions)))
    widths = [max(map(len, column)) for column in zip(*rows)]
    return ["  ".join(cell.ljust(width) for cell, width in zip(row, widths)).rstrip() for row in rows]


def named(figures, exceptions, *verdicts):
    """Returns the names of the figures with one of these verdicts."""
    return [figure.name for figure in figures if verdict(figure, exceptions) in verdicts]


def exit_code(figures, exceptions):
    """Returns 1 if a figure is worse than allowed or missing, 2 if that is unclear or nothing was compared, otherwise 0."""
    if named(figures, exceptions, WORSE, MISSING):
        return 1
    return 2 if not figures or named(figures, exceptions, UNCLEAR) else 0
