"""Checks references for scripts/tidy: documents, headings, rules, decisions and paths that comments and documents cite."""

import os
import re
from pathlib import Path

# Documents of other projects, cited by their path there.
FOREIGN = {"doc/statuscodes.md", "statuscodes.md", "doc/tape.md", "doc/interop-test-descriptions.md"}

DOCUMENT = re.compile(r"(?<![\w*<>{}/.-])((?:[\w-]+/|\.\./)*[\w-]+\.md)\b(#[\w-]+)?")
RULES = re.compile(r"[`)\]]*(?:\([^)]*\))?,? \(?rules? (\d+(?:(?:, | and |-)\d+)*)")
SECTION = re.compile(r'[`)\]]*,? (?:section (\d+)|"([^"]+)")')
DECISION = re.compile(r"\bADRs? (\d{4})\b")
PATH = re.compile(r"(?<![\w./-])(?:docs/adr/\d{4}|(?:scripts|Sources|Tests|Proto|Benchmarks|Fuzz|examples)/(?!\.)[\w.+/-]*\w)(?![\w*{$<])")


class References:
    """Finds broken references in a tree."""

    def __init__(self, root):
        self.root = Path(root)
        self.documents = {}

    def broken(self, path, source):
        """Yields (line, message) for every broken reference of a file."""
        text = re.sub(r"\n[ \t]*(///?|#|--|\*)?[ \t]*", " ", source)  # a reference may be wrapped at the end of a line
        for words, message in self.found(path, text) if not path.startswith("Tests/Tidy/") else []:
            yield source.count("\n", 0, max(source.find(words), 0)) + 1, message

    def found(self, path, text):
        """Yields (words, message) for every broken reference in a text without line breaks."""
        for match in DOCUMENT.finditer(text):
            name, anchor = match.groups()
            if name in FOREIGN:
                continue
            target = self.document(path, name)
            if target is None:
                yield name, f"{name}: no such document"
                continue
            if anchor and anchor[1:] not in self.anchors(target):
                yield match.group(0), f"{name} has no heading {anchor}"
            after = text[match.end() : match.end() + 80]
            if rules := RULES.match(after):
                for rule in re.findall(r"\d+", rules.group(1)):
                    if not re.search(rf"^\**{rule}\. ", self.text(target), re.MULTILINE):
                        yield name, f"{name} has no rule {rule}"
            elif section := SECTION.match(after):
                number, title = section.groups()
                wanted = rf"{number}\." if number else rf"(?:\d+\. )?{re.escape(title)}\s*$"
                if not re.search(rf"^#+ {wanted}", self.text(target), re.MULTILINE):
                    yield name, f"{name} has no section {number or title}"
        for match in DECISION.finditer(text):
            if not any((self.root / "docs/adr").glob(f"{match.group(1)}-*.md")):
                yield match.group(0), f"{match.group(0)} is not in docs/adr"
        for match in PATH.finditer(text):
            if not self.exists(match.group(0)) and not (self.root / Path(path).parent / match.group(0)).exists():
                yield match.group(0), f"{match.group(0)} does not exist"

    def document(self, path, name):
        """Returns the document that a name in a file refers to, from the root, the file's folder or docs; None if missing."""
        for folder in ("", Path(path).parent.as_posix(), "docs", "docs/adr"):
            target = os.path.normpath(os.path.join(folder, name))
            if not target.startswith("..") and (self.root / target).is_file():
                return target
        return None

    def exists(self, name):
        """Returns whether a path exists in the tree; it may lack its suffix or, for a decision, its title."""
        folder, last = os.path.split(name)
        return (self.root / name).exists() or any((self.root / folder).glob(f"{last}-*.md" if "adr/" in name else f"{last}.*"))

    def text(self, name):
        """Returns the text of a document; reads it only once."""
        if name not in self.documents:
            self.documents[name] = (self.root / name).read_text(encoding="utf-8")
        return self.documents[name]

    def anchors(self, name):
        """Returns the anchors of a document: GitHub's anchors of its headings, and explicit ones."""
        titles = re.findall(r"^#+ +(.+?) *$", self.text(name), re.MULTILINE)
        made = {re.sub(r"[^\w -]", "", re.sub(r"[`*]", "", title).lower()).replace(" ", "-") for title in titles}
        return made | set(re.findall(r'<a (?:id|name)="([^"]+)"', self.text(name)))
