"""Reads Debian's unicode-cldr-core: the locale files with their inheritance (UTS #35, part 1, section 4), and what supplements them."""

import xml.etree.ElementTree as ElementTree
from functools import lru_cache
from pathlib import Path

DIRECTORY = Path("/usr/share/unicode/cldr/common")


def version():
    """The version of CLDR that is installed, such as "41"; how to install it where there is none."""
    path = DIRECTORY / "dtd/ldml.dtd"
    if not path.exists():
        raise SystemExit(f"{path} does not exist: install Debian's package unicode-cldr-core (scripts/setup does)")
    text = path.read_text(encoding="utf-8")
    return text.split('cldrVersion CDATA #FIXED "', 1)[1].split('"', 1)[0]


@lru_cache(maxsize=None)
def document(folder, name):
    """The root element of a file, None if there is no such file."""
    path = DIRECTORY / folder / f"{name}.xml"
    return ElementTree.parse(path).getroot() if path.exists() else None


@lru_cache(maxsize=None)
def explicit_parents():
    """The locales whose parent is not what truncating them gives."""
    elements = document("supplemental", "supplementalData").findall("parentLocales/parentLocale")
    return {child: element.get("parent") for element in elements for child in element.get("locales").split()}


@lru_cache(maxsize=None)
def likely_subtags():
    """From what a tag says to what it most likely means, as in {"zh_TW": "zh_Hant_TW"}."""
    elements = document("supplemental", "likelySubtags").findall("likelySubtags/likelySubtag")
    return {element.get("from"): element.get("to") for element in elements}


@lru_cache(maxsize=None)
def language_aliases():
    """From deprecated codes of languages, and those of macrolanguages, to the ones in use, as in {"iw": "he"}."""
    elements = document("supplemental", "supplementalMetadata").findall("metadata/alias/languageAlias")
    return {element.get("type"): element.get("replacement") for element in elements}


@lru_cache(maxsize=None)
def digits():
    """From the names of decimal numbering systems to their ten digits."""
    systems = document("supplemental", "numberingSystems").findall("numberingSystems/numberingSystem")
    return {system.get("id"): system.get("digits") for system in systems if system.get("type") == "numeric"}


class Locale:
    """One locale, seen through its chain of parents up to the root."""

    def __init__(self, tag):
        self.tag = tag.replace("_", "-")
        name = self.tag.replace("-", "_")
        if document("main", name) is None:
            raise SystemExit(f"CLDR has no locale {tag}; those there are: ls {DIRECTORY / 'main'}")
        self.chain = []
        while True:
            if (element := document("main", name)) is not None:
                self.chain.append(element)
            if name == "root":
                break
            name = explicit_parents().get(name, name.rpartition("_")[0] or "root")

    def elements(self, path):
        """All elements at a path from the nearest locale that has any; variants and what is not yet agreed upon do not count."""
        for element in self.chain:
            found = [each for each in element.findall(path) if is_settled(each)]
            if found:
                return found
        return []

    def text(self, *paths):
        """The text at the first of some paths that has one, each looked up in the whole chain; None without any."""
        for path in paths:
            for element in self.elements(path):
                return element.text
        return None

    def text_or_fail(self, *paths):
        """The text at the first of some paths that has one."""
        if (text := self.text(*paths)) is None:
            raise SystemExit(f"{self.tag}: CLDR has nothing at {' or '.join(paths)}")
        return text


def is_settled(element):
    """Whether an element is no variant, and approved or at least contributed."""
    return element.get("alt") is None and element.get("draft", "approved") in ("approved", "contributed")
