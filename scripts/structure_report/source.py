"""Reads the Swift files of a module: the types and members that each declares and uses."""

import importlib.machinery
import importlib.util
import re
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent

TYPE = re.compile(r"^((?:@\w+\s+|public |package |internal |final |indirect )*)(struct|class|enum|actor|protocol|typealias)\s+(\w+)")
IMPORT = re.compile(r"^(?:@\w+(?:\([^)]*\))?\s+)*(?:\w+ )?import (\w+)", re.MULTILINE)
EXTENSION = re.compile(r"^(?:@\w+\s+|public )*extension\s+([\w.]+)")
MEMBER = re.compile(
    r"^  ((?:@\w+(?:\([^)]*\))?\s+|public |package |internal |fileprivate |private |private\(set\) |public internal\(set\) "
    r"|static |final |mutating |nonmutating |override |lazy |weak |unowned )*)(func|var|let|case|subscript)\s+`?(\w+)"
)
STORED = re.compile(r"^  ((?:public |package |internal |private\(set\) |public internal\(set\) |lazy |weak )*)(var|let)\s+(\w+)[^{]*$")
WORD = re.compile(r"\b[A-Za-z_]\w*\b")
DOTTED = re.compile(r"\.([A-Za-z_]\w*)\b")
BARE = re.compile(r"(?<![.\w])([A-Za-z_]\w*)\b(?!\s*:)")
# Names that the standard library also has: the owner of `.count` is unknown.
COMMON = set("""
    append contains count description endIndex enumerated filter first firstIndex flatMap forEach hash id index indices insert isEmpty
    joined key keys last map max min name next popFirst prefix rawValue reduce remove removeAll removeFirst removeLast reversed size
    some sorted span start startIndex state subscript suffix text update utf8 value values zip
""".split())
FUNCTION = re.compile(r"^(\s*)(?:[\w@()]+\s+)*(?:func\s+|init\b|deinit\b|subscript\b)")


def tidy():
    """Loads scripts/tidy as a module, which can separate code from comments and strings."""
    loader = importlib.machinery.SourceFileLoader("tidy", str(ROOT / "scripts/tidy"))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader("tidy", loader))
    import sys

    sys.modules["tidy"] = module
    loader.exec_module(module)
    return module


@dataclass
class File:
    """A Swift file without comments and the contents of strings."""

    name: str
    lines: int
    types: set = field(default_factory=set)
    members: dict = field(default_factory=dict)  # name: its type
    extends: set = field(default_factory=set)
    words: set = field(default_factory=set)
    dotted: set = field(default_factory=set)  # names after a dot
    bare: set = field(default_factory=set)  # names without a dot
    imports: set = field(default_factory=set)
    public: set = field(default_factory=set)  # members visible to other modules
    declared: set = field(default_factory=set)  # the file's members, private ones included
    stored: dict = field(default_factory=dict)  # type: names of stored properties visible to other files
    long_functions: list = field(default_factory=list)  # (line, lines)


def read(path, folder, split_swift):
    """Reads a file of the module in `folder`."""
    code, _ = split_swift(path.read_text(encoding="utf-8"))
    lines = code.split("\n")
    file = File(path.relative_to(folder).as_posix(), len(lines) - 1)
    file.words = set(WORD.findall(code))
    file.dotted, file.bare = set(DOTTED.findall(code)), set(BARE.findall(code))
    file.imports = set(IMPORT.findall(code))
    scope = None
    is_type = is_public_enum = False
    for number, line in enumerate(lines, 1):
        if match := TYPE.match(line):
            scope, is_type = match.group(3), match.group(2) in ("struct", "class", "actor")
            is_public_enum = match.group(2) == "enum" and "public" in match.group(1)
            file.types.add(scope)
        elif match := EXTENSION.match(line):
            scope, is_type = match.group(1).split(".")[0], False
            file.extends.add(scope)
        elif re.match(r"^(private|fileprivate)\b", line):
            scope, is_type = None, False
        elif line.startswith("}"):
            scope = None
        elif scope and (match := MEMBER.match(line)):
            file.declared.add(match.group(3))
            if "public" in match.group(1) or match.group(2) == "case" and is_public_enum:
                file.public.add(match.group(3))
            if "private " not in match.group(1).replace("private(set)", ""):
                if match.group(3) not in COMMON:
                    file.members[match.group(3)] = scope
                if is_type and "static" not in match.group(1) and (stored := STORED.match(line)):
                    if stored.group(2) == "var" or "=" not in line:
                        file.stored.setdefault(scope, set()).add(stored.group(3))
        if match := FUNCTION.match(line):
            if length := body_length(lines, number - 1, match.group(1)):
                file.long_functions.append((number, length))
    return file


def body_length(lines, first, indent):
    """Returns a function's number of lines, from its declaration; 0 if it has no body or is on one line."""
    for offset, line in enumerate(lines[first:]):
        if offset and line.startswith(indent + "}") and not line[len(indent) :].startswith("} else"):
            return offset + 1
        if offset and re.match(rf"^{indent}\S", line) and not re.match(rf"^{indent}[)}}{{]", line):
            return 0
    return 0


def module(folder):
    """Returns the files of a module."""
    split_swift = tidy().split_swift
    return [read(path, folder, split_swift) for path in sorted(Path(folder).rglob("*.swift"))]
