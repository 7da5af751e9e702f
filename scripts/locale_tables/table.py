"""Extracts from CLDR what labels need of a locale: patterns, names and relative times."""

import re

from . import cldr, plurals
from .patterns import Patterns

MONTHS = range(1, 13)
WEEKDAYS = ("sun", "mon", "tue", "wed", "thu", "fri", "sat")
TENSES = ("past", "future")

# The numbers of each unit that labels use, in words and very short. Different numbers must give different texts.
SPOKEN = {
    "second": (5, 10, 20, 40), "minute": range(1, 45), "hour": range(1, 25), "day": range(1, 31), "month": range(1, 13),
    "year": range(1, 1201),
}
SPOKEN_NARROW = {"second": range(10, 60), "minute": range(1, 60), "hour": range(1, 24), "day": range(1, 7)}

# Characters that no label may contain: controls, line separators, and bidirectional controls with a lasting effect.
HARMFUL = re.compile("[\u0000-\u001f\u007f-\u009f\u2028-\u202e\u2066-\u2069]")


class Table:
    """A locale's words, patterns and digits."""

    def __init__(self, tag):
        self.locale = locale = cldr.Locale(tag)
        self.tag = locale.tag
        self.rules = plurals.rules_of(self.tag)
        self.digits = cldr.digits()[locale.text_or_fail("numbers/defaultNumberingSystem")]
        if [ord(digit) - ord(self.digits[0]) for digit in self.digits] != list(range(10)):
            raise SystemExit(f"{self.tag}: the digits {self.digits} are not consecutive in Unicode")
        self.patterns = Patterns(locale)
        self.read_names()
        self.now = locale.text_or_fail("dates/fields/field[@type='second']/relative[@type='0']")
        self.narrow_now = self.field("second", "relative[@type='0']")
        self.words = {tense: {unit: self.forms([unit], tense) for unit in SPOKEN} for tense in TENSES}
        self.narrow = {tense: {unit: self.forms(widths(unit), tense) for unit in SPOKEN_NARROW} for tense in TENSES}
        for text in self.texts():
            if HARMFUL.search(text):
                raise SystemExit(f"{self.tag}: {text!r} contains a control character")
        for tense in TENSES:
            self.check_distinct(self.words[tense], SPOKEN, self.now)
            self.check_distinct(self.narrow[tense], SPOKEN_NARROW, self.narrow_now)

    # Names.

    def read_names(self):
        patterns = self.patterns
        self.months = self.names("month", "wide", patterns.contexts.get("MMMM"), MONTHS)
        self.short_months = self.names("month", "abbreviated", patterns.contexts.get("MMM"), MONTHS)
        self.weekdays = self.names("day", "wide", patterns.contexts.get("EEEE", "format"), WEEKDAYS)
        self.weekdays_alone = [
            self.alone(name, "day-standalone-except-narrow") for name in self.names("day", "wide", "stand-alone", WEEKDAYS)
        ]
        self.day_periods = self.names("dayPeriod", "abbreviated", "format", ("am", "pm")) if patterns.uses("a") else []
        self.yesterday = self.alone(self.locale.text_or_fail("dates/fields/field[@type='day']/relative[@type='-1']"), "relative")
        self.today = self.alone(self.locale.text_or_fail("dates/fields/field[@type='day']/relative[@type='0']"), "relative")

    def names(self, kind, width, context, items):
        """Returns the names of months, weekdays or halves of the day; none if no pattern uses them (the context is None)."""
        if context is None:
            return []
        texts = []
        for item in items:
            paths = [
                f"{Patterns.CALENDAR}/{kind}s/{kind}Context[@type='{each}']/{kind}Width[@type='{wider}']/{kind}[@type='{item}']"
                for wider in dict.fromkeys((width, "wide", "abbreviated"))
                for each in dict.fromkeys((context, "format"))
            ]
            texts.append(self.locale.text_or_fail(*paths))
        return texts

    def alone(self, text, usage):
        """Returns a word for stand-alone use, capitalised if CLDR requires it."""
        path = f"contextTransforms/contextTransformUsage[@type='{usage}']/contextTransform[@type='stand-alone']"
        return text[0].upper() + text[1:] if self.locale.text(path) == "titlecase-firstword" else text

    # Relative times.

    def field(self, unit, path):
        """Returns the text at a path in the narrowest field of a unit that has one."""
        return self.locale.text_or_fail(*(f"dates/fields/field[@type='{width}']/{path}" for width in widths(unit)))

    def forms(self, fields, tense):
        """Returns {category of whole numbers: pattern} of the first suitable field."""
        for field in fields:
            forms = {}
            for category in self.rules.categories():
                path = f"dates/fields/field[@type='{field}']/relativeTime[@type='{tense}']/relativeTimePattern[@count='{category}']"
                forms[category] = self.locale.text(path, path.replace(f"'{category}'", "'other'"))
            if None not in forms.values() and not self.names_a_day(field, forms.values()):
                return forms
        raise SystemExit(f"{self.tag}: CLDR has no relative times for {' or '.join(fields)}, {tense}")

    def names_a_day(self, field, patterns):
        """Returns whether a pattern is "yesterday" or the like, which can be wrong for a distance of days (docs/BEHAVIOUR.md, rule 25)."""
        paths = (f"dates/fields/field[@type='{name}']/relative[@type='{day}']" for name in (field, "day") for day in range(-3, 4))
        return field.startswith("day") and any(self.locale.text(path) in patterns for path in paths)

    def check_distinct(self, patterns, spoken, now):
        """Exits if two distances have the same text, since labels are assumed to change with the distance."""
        said = {now: "now"}
        for unit, counts in spoken.items():
            for count in counts:
                text = patterns[unit][self.rules.category(count)].replace("{0}", str(count))
                if text in said:
                    raise SystemExit(f"{self.tag}: {said[text]} and {count} {unit} have the same text {text!r}")
                said[text] = f"{count} {unit}"

    def texts(self):
        """Yields every text that labels can contain."""
        patterns = self.patterns
        yield from (patterns.short_date, patterns.month_day, patterns.year_month_day, patterns.date_time, patterns.time)
        yield from (self.now, self.narrow_now, self.yesterday, self.today)
        yield from (*self.months, *self.short_months, *self.weekdays, *self.weekdays_alone, *self.day_periods)
        for tense in TENSES:
            for forms in (*self.words[tense].values(), *self.narrow[tense].values()):
                yield from forms.values()


def widths(unit):
    """Returns the fields of a unit, the narrowest first."""
    return (f"{unit}-narrow", f"{unit}-short", unit)
