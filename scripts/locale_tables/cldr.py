"""Reads Debian's unicode-cldr-core: locale files with inheritance (UTS #35, part 1, section 4), and supplemental data."""

import xml.etree.ElementTree as ElementTree
from functools import lru_cache
from pathlib import Path

DIRECTORY = Path("/usr/share/unicode/cldr/common")


def version():
    """Returns the installed version of CLDR, such as "41"; exits with advice if it is missing."""
    path = DIRECTORY / "dtd/ldml.dtd"
    if not path.exists():
        raise SystemExit(f"{path} is missing: install Debian's unicode-cldr-core (scripts/setup does)")
    text = path.read_text(encoding="utf-8")
    return text.split('cldrVersion CDATA #FIXED "', 1)[1].split('"', 1)[0]


@lru_cache(maxsize=None)
def document(folder, name):
    """Returns the root element of a file; None if it does not exist."""
    path = DIRECTORY / folder / f"{name}.xml"
    return ElementTree.parse(path).getroot() if path.exists() else None


@lru_cache(maxsize=None)
def explicit_parents():
    """Returns {locale: parent} for the locales whose parent is not their truncation."""
    elements = document("supplemental", "supplementalData").findall("parentLocales/parentLocale")
    return {child: element.get("parent") for element in elements for child in element.get("locales").split()}


@lru_cache(maxsize=None)
def likely_subtags():
    """Returns {tag: full tag}, as in {"zh_TW": "zh_Hant_TW"}."""
    elements = document("supplemental", "likelySubtags").findall("likelySubtags/likelySubtag")
    return {element.get("from"): element.get("to") for element in elements}


@lru_cache(maxsize=None)
def language_aliases():
    """Returns {deprecated or macrolanguage code: current code}, as in {"iw": "he"}."""
    elements = document("supplemental", "supplementalMetadata").findall("metadata/alias/languageAlias")
    return {element.get("type"): element.get("replacement") for element in elements}


@lru_cache(maxsize=None)
def digits():
    """Returns {decimal numbering system: its ten digits}."""
    systems = document("supplemental", "numberingSystems").findall("numberingSystems/numberingSystem")
    return {system.get("id"): system.get("digits") for system in systems if system.get("type") == "numeric"}


class Locale:
    """A locale with its chain of parents up to the root."""

    def __init__(self, tag):
        self.tag = tag.replace("_", "-")
        name = self.tag.replace("-", "_")
        if document("main", name) is None:
            raise SystemExit(f"CLDR has no locale {tag}; to list all: ls {DIRECTORY / 'main'}")
        self.chain = []
        while True:
            if (element := document("main", name)) is not None:
                self.chain.append(element)
            if name == "root":
                break
            name = explicit_parents().get(name, name.rpartition("_")[0] or "root")

    def elements(self, path):
        """Returns the elements at a path in the nearest locale that has any, without variants and unapproved ones."""
        for element in self.chain:
            found = [each for each in element.findall(path) if is_settled(each)]
            if found:
                return found
        return []

    def text(self, *paths):
        """Returns the text at the first path that has one, searching the whole chain for each; None if there is none."""
        for path in paths:
            for element in self.elements(path):
                return element.text
        return None

    def text_or_fail(self, *paths):
        """Returns the text at the first path that has one; exits if there is none."""
        if (text := self.text(*paths)) is None:
            raise SystemExit(f"{self.tag}: CLDR has nothing at {' or '.join(paths)}")
        return text


def is_settled(element):
    """Returns whether an element is not a variant, and is approved or contributed."""
    return element.get("alt") is None and element.get("draft", "approved") in ("approved", "contributed")
