"""scripts/tidy, tried on small trees: each rule finds what it is for, and leaves alone what only looks like it."""

import importlib.machinery
import importlib.util
import pathlib
import tempfile
import textwrap
import unittest

PATH = pathlib.Path(__file__).resolve().parents[2] / "scripts" / "tidy"
LOADER = importlib.machinery.SourceFileLoader("tidy", str(PATH))
tidy = importlib.util.module_from_spec(importlib.util.spec_from_loader("tidy", LOADER))
LOADER.exec_module(tidy)

ENGINE = "Sources/Daemon/Engine/File.swift"
POSTS = "Sources/Daemon/Posts/File.swift"
LAYOUT = "Sources/Daemon/TextLayout/"
TEST = "Tests/EngineTests/File.swift"


def check(files):
    """The violations of a tree, given as {path: text}, as `path:line: message` strings."""
    with tempfile.TemporaryDirectory() as root:
        for path, text in files.items():
            file = pathlib.Path(root, path)
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(textwrap.dedent(text), encoding="utf-8")
        return [str(violation) for violation in tidy.Tidy(root).check()]


class Rules(unittest.TestCase):
    def assert_found(self, files, *expected):
        """Exactly the expected violations are found, each named by `path:line: ` and a part of its message."""
        found = check(files)
        self.assertEqual(len(found), len(expected), found)
        for violation, (place, words) in zip(found, expected):
            self.assertTrue(violation.startswith(place + ": ") and words in violation, (violation, place, words))

    def test_references_that_lead_nowhere_are_found(self):
        document = "# Guide\n\n## 2. Places\n\n7. A rule.\n\n### The whole screen\n"
        self.assert_found({
            "docs/GUIDE.md": document,
            "docs/adr/0003-store.md": "# Store\n",
            POSTS: """\
                /// Cited: docs/GUIDE.md, rule 7; GUIDE.md, section 2; docs/GUIDE.md, "The whole screen"; ADR 0003; docs/adr/0003.
                /// Also in the next
                /// line: GUIDE.md#the-whole-screen, Sources/Daemon/Posts.
                ///
                enum Fine {}
                """,
            "docs/WRONG.md": """\
                Behaviour.md is nowhere.
                See [GUIDE.md](GUIDE.md), rule 8,
                or GUIDE.md, section 3,
                or GUIDE.md, "Somewhere",
                or GUIDE.md#somewhere,
                or ADR 0004,
                or scripts/nothing.
                """,
        },
            ("docs/WRONG.md:1", "Behaviour.md"), ("docs/WRONG.md:2", "no rule 8"), ("docs/WRONG.md:2", "no section 3"),
            ("docs/WRONG.md:2", "no section Somewhere"), ("docs/WRONG.md:5", "no heading #somewhere"),
            ("docs/WRONG.md:6", "ADR 0004"), ("docs/WRONG.md:7", "scripts/nothing"))

    def test_a_tidy_tree_has_nothing_to_put_right(self):
        self.assert_found({
            ENGINE: """\
                internal import Posts
                public import struct ViewState.Snapshot

                /// A turn, and what it does.
                public struct Turn: Equatable {
                  public var number: Int

                  public init(number: Int) {
                    self.number = number
                  }

                  public static func == (left: Turn, right: Turn) -> Bool { left.number == right.number }
                }
                """,
            TEST: "import Testing\n@testable import Engine\n",
        })

    def test_pure_rooms_have_no_door_to_the_outside(self):
        for line, words in [
            ("internal import Glibc", "no door"),
            ("internal import Dispatch", "no door"),
            ("internal import UV", "no door"),
            ("func f() async {}", "async: a pure module has no concurrency"),
            ("let x = Task { 1 }", "concurrency"),
            ("let x = Date()", "a clock"),
            ("let x = ContinuousClock.now", "a clock"),
            ("let x = Int.random(in: 0..<3)", "random"),
            ("let x = list.shuffled()", "random"),
            ("func f() { print(1) }", "standard input or output"),
            ("let x = CommandLine.arguments", "command line"),
        ]:
            with self.subTest(line):
                self.assert_found({ENGINE: line + "\n"}, (ENGINE + ":1", words))

    def test_words_in_comments_strings_and_other_names_are_no_violations(self):
        self.assert_found({
            ENGINE: '''\
                /// Never `print(x)`, nor async, nor Date().
                /* await /* Task { } */ unsafe */
                let a = "print(1) \\("await") async"
                let b = #"a " async \\#(f("unsafe")) "#
                let c = """
                  Unmanaged "quoted" await
                  """
                let d = Int.random(in: 0..<3, using: &generator)
                let footprint(1)
                ''',
            POSTS: 'let asynchronous = "@unchecked Sendable"\n',
        })

    def test_shells_may_do_what_pure_rooms_may_not(self):
        self.assert_found({"Sources/Daemon/Server/File.swift": "internal import Glibc\nfunc f() { print(1) }\n"})

    def test_nobody_imports_foundation(self):
        for path in ["Sources/Daemon/Server/File.swift", "Sources/Client/stack-client/main.swift", TEST]:
            self.assert_found({path: "internal import Foundation\n"}, (path + ":1", "nobody does"))

    def test_each_c_module_has_one_importer(self):
        for module, folder in [("CUV", "UV"), ("CNGHTTP2", "Wire/RPC"), ("CSQLite", "Daemon/Store"),
                             ("CProtobufC", "Wire/Messages"), ("WireProto", "Wire/Messages"),
                             ("CPlist", "Daemon/Ingest"), ("CSIMDJSON", "Daemon/Ingest")]:
            server = "Sources/Daemon/Server/File.swift"
            with self.subTest(module):
                self.assert_found({f"Sources/{folder}/File.swift": f"internal import {module}\n"})
                self.assert_found({server: f"internal import {module}\n"}, (server + ":1", f"only {folder.split('/')[-1]} does"))
                self.assert_found({TEST: f"import {module}\n"}, (TEST + ":1", "only"))
                self.assert_found({f"Tests/{folder.split('/')[-1]}Tests/A.swift": f"import {module}\n"})

    def test_the_simulation_has_no_door_to_the_outside(self):
        path = "Tests/Simulation/World/File.swift"
        self.assert_found({path: "import CSQLite\nimport Engine\n"})
        for module in ["UV", "Server", "ClientTransport", "Glibc"]:
            with self.subTest(module):
                self.assert_found({path: f"import {module}\n"}, (path + ":1", "no door"))

    def test_c_types_do_not_leave_by_a_public_import(self):
        path = "Sources/UV/File.swift"
        self.assert_found({path: "public import CUV\n"}, (path + ":1", "stay inside"))

    def test_imports_say_their_access_level_outside_of_tests(self):
        self.assert_found({ENGINE: "import Posts\n", TEST: "import Posts\n"}, (ENGINE + ":1", "say `internal import Posts`"))

    def test_unsafe_only_where_c_is_imported_and_in_one_file_of_text_layout(self):
        self.assert_found({"Sources/UV/File.swift": "let x = unsafe y\n", "Sources/Daemon/Store/A.swift": "let x = unsafe y\n"})
        self.assert_found({ENGINE: "let x = unsafe y\n"}, (ENGINE + ":1", "Engine has it in no files"))
        self.assert_found(
            {LAYOUT + "A.swift": "let x = unsafe y\nlet z = unsafe y\n", LAYOUT + "B.swift": "\nlet x: Unmanaged<C>\n"},
            (LAYOUT + "B.swift:2", "TextLayout has it in 1 file"),
        )

    def test_unchecked_sendable_once_and_with_its_proof(self):
        proven = "// Safe: the lock guards it.\nfinal class C: @unchecked Sendable {}\n"
        self.assert_found({"Sources/UV/A.swift": "\n" + proven.replace("//", "///")})
        self.assert_found({TEST: "final class C: @unchecked Sendable {}\n"}, (TEST + ":1", "without its proof"))
        self.assert_found({TEST: proven, "Tests/UVTests/B.swift": proven}, ("Tests/UVTests/B.swift:2", "a second"))

    def test_no_type_is_named_like_its_module(self):
        self.assert_found({ENGINE: "/// It.\nstruct Engine {}\n"}, (ENGINE + ":2", "struct Engine: a module is never"))
        self.assert_found({ENGINE: "/// It.\nstruct EngineRoom {}\n"})

    def test_what_others_can_see_has_a_doc_comment(self):
        for line, name in [("public struct Row {}", "struct Row"), ("enum Kind { case a }", "enum Kind"),
                           ("  public func f() {}", "func f"), ("  public static let none = Row()", "let none"),
                           ("  public var height: Int { lines + 1 }", "var height"),
                           ("public init(text: String) {\n  self.text = clean(text)\n  check()\n}", "init is not private")]:
            with self.subTest(line):
                self.assert_found({ENGINE: line + "\n"}, (ENGINE + ":1", name))
                self.assert_found({ENGINE: "/// What it is.\n@inlinable\n" + line + "\n"})

    def test_what_explains_itself_needs_none(self):
        for line in ["private struct Row {}", "func f() {}", "  public var text: String",
                     "  public var isEmpty: Bool { n == 0 }",
                     "  public init(rawValue: Int) { self.rawValue = rawValue }",
                     "  public func hash(into hasher: inout Hasher) {}",
                     '  public static let watch = "/stack.v1.ViewService/Watch"',
                     "  public init(decoding bytes: [UInt8]) throws(F) { self = try decode(bytes) }",
                     "  public static func < (a: Row, b: Row) -> Bool { a.n < b.n }",
                     "  public init(stringLiteral value: String) { self.init(value) }"]:
            with self.subTest(line):
                self.assert_found({ENGINE: line + "\n"})

    def test_no_code_in_comments(self):
        for line in ["// let x = 1", "// func f(x: Int) {", "// if x {", "// }", "// call(x)", "// x.y = z", "// return f(x)"]:
            with self.subTest(line):
                self.assert_found({ENGINE: line + "\n"}, (ENGINE + ":1", "code in a comment"))
        for line in ["// Let x be the width (in cells).", "// returns at once", "// 1 = one", "/// let x = 1", "// see RFC 9113"]:
            with self.subTest(line):
                self.assert_found({ENGINE: line + "\n"})

    def test_nothing_is_put_off(self):
        self.assert_found({"Proto/stack/v1/a.proto": "// TO" + "DO: more\n"}, ("Proto/stack/v1/a.proto:1", "do it"))

    def test_files_and_lines_have_an_end(self):
        self.assert_found({ENGINE: "\n" * 400})
        self.assert_found({ENGINE: "\n" * 401}, (ENGINE + ":401", "at most 400"))
        self.assert_found({"README.md": "\n" * 91}, ("README.md:91", "at most 90"))
        self.assert_found({ENGINE: "/" * 120 + "\n"})
        self.assert_found({ENGINE: "/" * 121 + "\n"}, (ENGINE + ":1", "at most 120"))
        self.assert_found({ENGINE: 'f("' + "x" * 134 + '")\n'})
        self.assert_found({ENGINE: 'f("' + "x" * 138 + '")\n'}, (ENGINE + ":1", "at most 140"))
        self.assert_found({TEST: "/" * 141 + "\n"})
        self.assert_found({ENGINE: "let x = 1 \n"}, (ENGINE + ":1", "white space"))

    def test_generated_files_are_as_they_are(self):
        self.assert_found({ENGINE: "// Generated by scripts/generate-text-tables\nimport Foundation\n" + "x" * 300 + "\n"})

    def test_tests_neither_sleep_nor_read_a_clock(self):
        for line in ["sleep(1)", "usleep(10)", "try await Task.sleep(for: x)", "let now = ContinuousClock().now"]:
            with self.subTest(line):
                self.assert_found({TEST: line + "\n"}, (TEST + ":1", "neither sleep nor read a clock"))

    def test_a_new_room_is_entered_in_the_table(self):
        path = "Sources/Daemon/Attic/File.swift"
        self.assert_found({path: "let x = 1\n"}, (path + ":1", "add it to MODULES"))

    def test_every_element_of_the_schema_has_a_comment(self):
        path = "Proto/stack/v1/a.proto"
        text = """\
            syntax = "proto3";
            // A row.
            message Row {
              int64 id = 1;  // Its id.
              uint32 height = 2;
            }
            enum E {
              A_B = 0;
            }
            """
        self.assert_found({path: text}, (path + ":5", "height"), (path + ":7", "E has"), (path + ":8", "A_B"))


if __name__ == "__main__":
    unittest.main()
