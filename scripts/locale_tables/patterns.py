"""Reduces CLDR's patterns for dates and times (UTS #35, part 4, section 8) to those that Dates/Locales/LocaleTable.swift reads."""

import re

FIELDS = {"y", "yy", "M", "MM", "MMM", "MMMM", "d", "dd", "EEEE", "a", "h", "hh", "H", "HH", "K", "KK", "k", "kk", "m", "mm", "s", "ss"}
# Fields written as names, with their context in CLDR.
NAMES = {"MMM": "format", "MMMM": "format", "EEEE": "format", "LLL": "stand-alone", "LLLL": "stand-alone", "cccc": "stand-alone"}


def tokens(pattern):
    """Splits a pattern into (is a field, text), without quotes."""
    found, position = [], 0
    while position < len(pattern):
        if pattern[position] == "'":
            end = position + 1
            while pattern[end] != "'" or pattern[end : end + 2] == "''":
                end += 2 if pattern[end] == "'" else 1
            text = pattern[position + 1 : end].replace("''", "'")
            found.append((False, text or "'"))
            position = end + 1
        else:
            match = re.compile(r"([A-Za-z])\1*|[^A-Za-z']+").match(pattern, position)
            found.append((match[1] is not None, match[0]))
            position = match.end()
    return found


def written(parts):
    """Joins parts into a pattern, with quotes around literal letters, and apostrophes as ’, which needs none."""
    text, literal = "", ""
    for is_field, part in [*parts, (True, "")]:
        if is_field:
            literal = literal.replace("'", "’")
            text += (f"'{literal}'" if re.search("[A-Za-z]", literal) else literal) + part
            literal = ""
        else:
            literal += part
    return text.strip()


class Patterns:
    """The patterns of a locale. `contexts` has the context of each named field: format or stand-alone."""

    CALENDAR = "dates/calendars/calendar[@type='gregorian']"

    def __init__(self, locale):
        self.locale = locale
        self.contexts = {}
        both = self.text("dateTimeFormats/dateTimeFormatLength[@type='full']/dateTimeFormat/pattern")
        full = both.replace("{1}", self.date("full")).replace("{0}", self.time_of_day("medium"))
        self.short_date = self.plain(self.date("short"))
        self.month_day = self.plain(self.available("MMMd"))
        self.year_month_day = self.plain(self.available("yMMMd"))
        self.date_time = self.plain(full)
        self.time = self.plain(self.time_of_day("short"))
        for name, fields in (("short_date", "yMd"), ("month_day", "Md"), ("year_month_day", "yMd"), ("date_time", "yMdms")):
            found = {part[0] for is_field, part in tokens(getattr(self, name)) if is_field}
            if missing := set(fields) - found:
                raise SystemExit(f"{locale.tag}: {getattr(self, name)!r} lacks {sorted(missing)}")

    def text(self, path):
        return self.locale.text_or_fail(f"{self.CALENDAR}/{path}")

    def date(self, length):
        return self.text(f"dateFormats/dateFormatLength[@type='{length}']/dateFormat/pattern")

    def time_of_day(self, length):
        return self.text(f"timeFormats/timeFormatLength[@type='{length}']/timeFormat/pattern")

    def available(self, skeleton):
        return self.text(f"dateTimeFormats/availableFormats/dateFormatItem[@id='{skeleton}']")

    def plain(self, pattern):
        """Returns a pattern with only the fields in FIELDS. The era is written out, since no post predates it."""
        parts = []
        for is_field, part in tokens(pattern):
            if is_field and part in NAMES:
                context = NAMES[part]
                part = part.replace("L", "M").replace("c", "E")
                if self.contexts.setdefault(part, context) != context:
                    self.contexts[part] = "stand-alone"  # this form fits both contexts
            elif is_field and part[0] in "bB":
                part = "a"  # "in the evening" becomes a half of the day
            elif is_field and part[0] == "G":
                is_field, part = False, self.text("eras/eraAbbr/era[@type='1']")
            if is_field and part not in FIELDS:
                raise SystemExit(f"{self.locale.tag}: the pattern {pattern!r} has a field that labels do not support: {part}")
            parts.append((is_field, part))
        return written(parts)

    def uses(self, field):
        """Returns whether any pattern has a field."""
        patterns = (self.short_date, self.month_day, self.year_month_day, self.date_time, self.time)
        return any((True, field) in tokens(pattern) for pattern in patterns)
