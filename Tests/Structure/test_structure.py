"""Tests of scripts/structure: cycles, chains and limits."""

import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.dont_write_bytecode = True
sys.path.insert(0, str(ROOT / "scripts"))
from structure_report import drawing, graph, source  # noqa: E402


class Structure(unittest.TestCase):
    """Tests on small modules."""

    def module(self, **files):
        """Reads a module of these files, named without .swift."""
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        for name, text in files.items():
            Path(folder.name, f"{name}.swift").write_text(text)
        found = source.module(folder.name)
        return found, graph.uses(found)

    def cycles(self, **files):
        """Returns the cycles of more than one file."""
        return [cycle for cycle in graph.cycles(self.module(**files)[1]) if len(cycle) > 1]

    def test_a_chain_is_no_cycle(self):
        self.assertEqual(self.cycles(A="struct A { let b: B }\n", B="struct B { let c: C }\n", C="struct C {}\n"), [])

    def test_types_that_use_each_other_are_a_cycle(self):
        cycle = self.cycles(A="struct A { let b: B? }\n", B="struct B { let c: C }\n", C="final class C { var a: A? }\n")
        self.assertEqual(cycle, [["A.swift", "B.swift", "C.swift"]])

    def test_a_comment_or_a_string_uses_nothing(self):
        self.assertEqual(self.cycles(A='struct A { let b: B? }\n', B='// A\nstruct B { let name = "A" }\n'), [])

    def test_extensions_that_call_each_other_are_a_cycle(self):
        one = "struct E {}\n\nextension E {\n  func open() { close() }\n}\n"
        other = "extension E {\n  func close() { open() }\n}\n"
        self.assertEqual(self.cycles(One=one, Other=other), [["One.swift", "Other.swift"]])

    def test_what_is_private_cannot_be_used(self):
        one = "struct E {\n  {access}var secret = 0\n  let a: A?\n}\n"
        other = "struct A {\n  func look() { print(thing.secret) }\n}\n"
        self.assertEqual(len(self.cycles(One=one.replace("{access}", ""), Other=other)), 1)
        self.assertEqual(self.cycles(One=one.replace("{access}", "private "), Other=other), [])

    def test_a_member_of_another_module_says_nothing(self):
        files, edges = self.module(A="struct A {\n  let b: B?\n}\n", B="struct B {\n  let a = thing.b\n}\n")
        self.assertEqual(len([cycle for cycle in graph.cycles(edges) if len(cycle) > 1]), 1)
        self.assertEqual([cycle for cycle in graph.cycles(graph.uses(files, {"b"})) if len(cycle) > 1], [])

    def test_public_members_and_imports_are_known(self):
        files, _ = self.module(A="public import Posts\n\npublic enum A {\n  case one\n}\n\nstruct B {\n  public let two = 2\n}\n")
        self.assertEqual((files[0].public, files[0].imports), ({"one", "two"}, {"Posts"}))

    def test_folders_use_what_their_files_use(self):
        with tempfile.TemporaryDirectory() as folder:
            for name, text in {"Low/A": "struct A {}\n", "High/B": "struct B { let a: A }\n", "C": "struct C { let b: B }\n"}.items():
                Path(folder, name).parent.mkdir(exist_ok=True)
                Path(folder, f"{name}.swift").write_text(text)
            self.assertEqual(graph.folders(source.module(folder)), {".": ["High"], "High": ["Low"], "Low": []})

    def test_limits(self):
        body = "\n".join(f"    let x{n} = {n}" for n in range(70))
        long = f"struct L {{\n  func go() {{\n{body}\n  }}\n}}\n"
        wide = "struct W {\n" + "".join(f"  var v{n} = 0\n" for n in range(13)) + "  private var hidden = 0\n}\n"
        parts = {f"W{n}": f"extension W {{\n  func f{n}() {{}}\n}}\n" for n in range(5)}
        files, edges = self.module(Long=long, Wide=wide, **parts)
        self.assertEqual(
            graph.violations(files, edges),
            [("function", "Long.swift:2", 72), ("open properties", "W", 13), ("extensions", "W", 5)],
        )

    def test_two_modules_never_declare_the_same_type(self):
        one, _ = self.module(A="struct Otter {}\nprivate struct Quay {}\nstruct Options {}\n")
        other, _ = self.module(B="public enum Otter {}\nstruct Quay {}\nstruct Options {}\n")
        self.assertEqual(graph.namesakes({"One": one, "Other": other}), [("Otter", ["One", "Other"])])

    def test_the_drawing_has_each_file_once(self):
        _, edges = self.module(A="struct A { let b: B }\n", B="struct B {}\n")
        picture = drawing.svg("Two", edges)
        self.assertEqual([picture.count(f">{name}<") for name in ("A.swift", "B.swift")], [1, 1])
        self.assertEqual(picture.count("<line"), 1)


if __name__ == "__main__":
    unittest.main()
