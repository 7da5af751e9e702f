"""Reads CLDR's plural rules (UTS #35, part 3, section 5), simplifies them for whole numbers, and checks them against the samples.

A rule is a disjunction of conjunctions of relations such as `i % 100 != 12..14`. The operands of a whole number n are i = n and
v = w = f = t = c = e = 0, so a relation on one of these is constant, and the remaining rule depends on n alone.
"""

import re
from functools import lru_cache

from . import cldr

RELATION = re.compile(r"([nivwftce])(?: % (\d+))? (=|!=) ([\d.,]+)$")


class Relation:
    """The relation that `n % modulus` is, or is not, within certain ranges."""

    def __init__(self, text):
        match = RELATION.match(text.strip())
        if match is None:
            raise SystemExit(f"plurals.xml: not a relation: {text!r}")
        self.operand = match[1]
        self.modulus = int(match[2] or 0)
        self.negated = match[3] == "!="
        self.ranges = []
        for part in match[4].split(","):
            first, _, last = part.partition("..")
            self.ranges.append((int(first), int(last or first)))

    def holds(self, number):
        """Returns whether the relation holds for a whole number."""
        value = number if self.operand in "ni" else 0
        value = value % self.modulus if self.modulus else value
        return any(first <= value <= last for first, last in self.ranges) != self.negated

    def constant(self):
        """Returns True or False if the relation is constant for whole numbers, else None."""
        return None if self.operand in "ni" else self.holds(0)

    def swift(self):
        """Returns the relation as a Swift expression without parentheses."""
        value = f"n % {self.modulus}" if self.modulus else "n"
        terms = [f"{value} == {first}" if first == last else f"({first}...{last}).contains({value})" for first, last in self.ranges]
        if not self.negated:
            return " || ".join(terms)
        return " && ".join(term.replace("==", "!=") if "==" in term else f"!{term}" for term in terms)


class Rule:
    """The rule of a category."""

    def __init__(self, text):
        condition, _, samples = text.partition("@integer")
        condition = condition.partition("@decimal")[0].strip()
        self.condition = condition
        self.samples = [part.strip() for part in samples.partition("@decimal")[0].split(",") if part.strip() not in ("", "…")]
        self.alternatives = [[Relation(text) for text in part.split(" and ")] for part in condition.split(" or ")] if condition else [[]]

    def holds(self, number):
        """Returns whether a whole number is in the category."""
        return any(all(relation.holds(number) for relation in conjunction) for conjunction in self.alternatives)

    def integer_samples(self):
        """Yields the whole numbers of the samples; compact ones such as 1c6 are skipped."""
        for sample in self.samples:
            if "c" not in sample and "e" not in sample:
                first, _, last = sample.partition("~")
                yield from range(int(first), int(last or first) + 1)

    def simplified(self):
        """Returns the alternatives without constant relations; [] if no whole number can be in the category."""
        alternatives = []
        for conjunction in self.alternatives:
            if all(relation.constant() is not False for relation in conjunction):
                alternatives.append([relation for relation in conjunction if relation.constant() is None])
        return alternatives

    def swift(self):
        """Returns the condition as a Swift expression; None if no whole number can be in the category."""
        alternatives = self.simplified()
        if not alternatives:
            return None
        if [] in alternatives:
            return "true"
        conjunctions = []
        for conjunction in alternatives:
            terms = [relation.swift() for relation in conjunction]
            if len(terms) > 1:
                terms = [f"({term})" if "||" in term else term for term in terms]
            conjunctions.append(" && ".join(terms))
        return " || ".join(conjunctions)


class PluralRules:
    """The rules of a set of locales in order; the last is for all other numbers."""

    def __init__(self, element):
        self.locales = element.get("locales").split()
        self.rules = {rule.get("count"): Rule(rule.text) for rule in element}

    def category(self, number):
        """Returns the category of a whole number."""
        return next((category for category, rule in self.rules.items() if rule.holds(number)), "other")

    def categories(self):
        """Returns the possible categories of whole numbers."""
        return [category for category, rule in self.rules.items() if category == "other" or rule.swift()]

    def check(self):
        """Exits unless the whole numbers in CLDR's samples have their categories, and the simplified rules agree with the full ones."""
        for category, rule in self.rules.items():
            for number in range(1200):
                simplified = any(all(relation.holds(number) for relation in conjunction) for conjunction in rule.simplified())
                if simplified != rule.holds(number):
                    raise SystemExit(f"plural rules of {self.locales[0]}: the simplified rule of {category} is wrong for {number}")
            for number in rule.integer_samples():
                if self.category(number) != category:
                    raise SystemExit(f"plural rules of {self.locales[0]}: {number} is {self.category(number)}, but {category} in CLDR")


@lru_cache(maxsize=None)
def all_rules():
    """Returns the checked rules for cardinal numbers of all sets of locales."""
    elements = cldr.document("supplemental", "plurals").findall("plurals[@type='cardinal']/pluralRules")
    found = [PluralRules(element) for element in elements]
    for rules in found:
        rules.check()
    return found


def rules_of(tag):
    """Returns the rules of a locale, or of its nearest parent with rules."""
    name = tag.replace("-", "_")
    while name:
        for rules in all_rules():
            if name in rules.locales:
                return rules
        name = name.rpartition("_")[0]
    return next(rules for rules in all_rules() if "root" in rules.locales)
