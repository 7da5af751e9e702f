"""Tests of scripts/lint-proto on a small schema, which is valid as it is; each rule must detect the single change made for it."""

import importlib.machinery
import importlib.util
import pathlib
import tempfile
import unittest

PATH = pathlib.Path(__file__).resolve().parents[2] / "scripts" / "lint-proto"
LOADER = importlib.machinery.SourceFileLoader("lint_proto", str(PATH))
lint = importlib.util.module_from_spec(importlib.util.spec_from_loader("lint_proto", LOADER))
LOADER.exec_module(lint)

NOTES = "stack/v1/note_service.proto"
TYPES = "stack/v1/types.proto"
VIEWS = "stack/v1/view_service.proto"
GOOD = {
    TYPES: """\
// Types.
syntax = "proto3";
package stack.v1;
option go_package = "stack/v1;stackv1";
// The kind of a note.
enum NoteKind {
  // Unknown.
  NOTE_KIND_UNSPECIFIED = 0;
  // Short.
  NOTE_KIND_SHORT = 1;
}
// A note.
message Note {
  // Its number.
  uint64 note_id = 1;
  // Its kind.
  NoteKind kind = 2;
  // Was its colour.
  reserved 3;
  // Exactly one of these.
  oneof body {
    // Words.
    string text = 4;
    // A link.
    string link = 5;
  }
}
""",
    NOTES: """\
// Notes.
syntax = "proto3";
package stack.v1;
import "stack/v1/types.proto";
option go_package = "stack/v1;stackv1";
// Notes.
service NoteService {
  // The notes.
  rpc ListNotes(ListNotesRequest) returns (ListNotesResponse);
  // Writes one.
  rpc WriteNote(WriteNoteRequest) returns (WriteNoteResponse);
}
// Asks.
message ListNotesRequest {
  // How many.
  uint32 page_size = 1;
  // The start of the page.
  string page_token = 2;
}
// Notes.
message ListNotesResponse {
  // The notes.
  repeated Note notes = 1;
  // The next page.
  string next_page_token = 2;
}
// Writes.
message WriteNoteRequest {
  // Chosen by the client.
  string request_id = 1;
  // The note.
  Note note = 2;
}
// Written.
message WriteNoteResponse {}
""",
    VIEWS: """\
// Views.
syntax = "proto3";
package stack.v1;
option go_package = "stack/v1;stackv1";
// Views.
service ViewService {
  // Both ways.
  rpc Attach(stream ClientFrame) returns (stream ServerFrame);
  // One way.
  rpc Watch(WatchRequest) returns (stream ServerFrame);
}
// Up.
message ClientFrame {}
// Asks.
message WatchRequest {}
// Down.
message ServerFrame {
  // Its number.
  uint64 number = 1;
  // The history.
  fixed64 epoch = 2;
  // The old revision.
  uint64 base_revision = 3;
  // The new revision.
  uint64 revision = 4;
  // The time.
  sint64 labels_at_ms = 5;
  // The changes.
  repeated string operations = 6;
  // Of the session.
  uint64 session_revision = 7;
}
""",
}


def check(files):
    """Returns the violations of a schema, given as {path: text}, as `path:line: message` strings."""
    with tempfile.TemporaryDirectory() as root:
        for path, text in files.items():
            file = pathlib.Path(root, path)
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text, encoding="utf-8")
        return lint.Lint(lint.compile_set(root)).check()


class Rules(unittest.TestCase):
    def assert_found(self, path, old, new, *words, line=None):
        """Checks that one change of the valid schema causes exactly these violations in that file."""
        self.assertEqual(1, GOOD[path].count(old), f"{old} does not occur exactly once")
        found = check(GOOD | {path: GOOD[path].replace(old, new)})
        self.assertEqual(len(words), len(found), found)
        for violation, expected in zip(found, words):
            self.assertTrue(violation.startswith(f"{path}:{line or ''}") and expected in violation, (violation, expected))

    def test_a_valid_schema_has_no_violations(self):
        self.assertEqual([], check(GOOD))

    def test_the_schema_of_the_repository_has_no_violations(self):
        self.assertEqual([], lint.Lint(lint.compile_set(lint.ROOT / "Proto")).check())

    def test_other_packages_are_ignored(self):
        self.assertEqual([], check(GOOD | {"other/A-b.proto": 'syntax = "proto3"; message a { string B = 7; }'}))

    def test_names(self):
        for path, old, new, words in [
            (TYPES, "NOTE_KIND_SHORT", "NOTE_KIND_Short", "not UPPER_SNAKE_CASE"),
            (TYPES, "NOTE_KIND_SHORT", "SHORT", "does not begin with NOTE_KIND_"),
            (TYPES, "oneof body", "oneof Body", "oneof Body: not lower_snake_case"),
            (TYPES, "string link", "string linkTarget", "field linkTarget: not lower_snake_case"),
            (NOTES, "message WriteNoteResponse {}", "message WriteNoteResponse {}\n// Another.\nmessage other {}", "message other: not PascalCase"),
            (NOTES, "service NoteService", "service Notes", "does not end with Service"),
        ]:
            with self.subTest(new):
                self.assert_found(path, old, new, words)
        self.assert_found(NOTES, "service NoteService", "service noteService", "service noteService: not PascalCase")
        self.assert_found(NOTES, "rpc WriteNote", "rpc writeNote", "WriteNoteRequest is not writeNoteRequest",
                          "WriteNoteResponse is not writeNoteResponse", "rpc writeNote: not PascalCase")
        found = check(GOOD | {TYPES: GOOD[TYPES].replace("NoteKind", "Note_kind")})
        self.assertIn("enum Note_kind: not PascalCase", "".join(found))

    def test_files_packages_and_options(self):
        self.assert_found(VIEWS, 'option go_package = "stack/v1;stackv1";\n', "", "go_package is not")
        self.assert_found(VIEWS, '"stack/v1;stackv1"', '"stack/v1"', "go_package is not", line=4)
        empty = 'syntax = "proto3";\npackage stack.v1;\noption go_package = "stack/v1;stackv1";\n'
        for name, old, new, *words in [
            ("my-more", "", "", "the file is not lower_snake_case"), ("more", "proto3", "proto2", "not proto3"),
            ("more", "stack.v1", "stack.v2", "package stack.v2: does not match its folder"),
            ("more", "stack.v1", "stack", "package stack: does not match its folder", "package stack: has no version"),
        ]:
            found = check(GOOD | {f"stack/v1/{name}.proto": empty.replace(old, new) if old else empty})
            with self.subTest(words):
                self.assertEqual(len(words), len(found), found)
                self.assertTrue(all(expected in each for each, expected in zip(found, words)), found)

    def test_imports(self):
        self.assert_found(
            VIEWS, "package stack.v1;\n", 'package stack.v1;\nimport "stack/v1/types.proto";\n', "types.proto: unused", line=4)
        self.assert_found(NOTES, 'import "stack', 'import public "stack', "public or weak", line=4)

    def test_comments(self):
        for path, old, words in [
            (TYPES, "// The kind of a note.\n", "enum NoteKind: no comment"), (TYPES, "  // Short.\n", "value NOTE_KIND_SHORT: no comment"),
            (TYPES, "// A note.\n", "message Note: no comment"), (TYPES, "  // Its kind.\n", "field kind: no comment"),
            (TYPES, "  // Exactly one of these.\n", "oneof body: no comment"), (TYPES, "    // Words.\n", "field text: no comment"),
            (NOTES, "// Notes.\nservice", "service NoteService: no comment"), (NOTES, "  // Writes one.\n", "rpc WriteNote: no comment"),
        ]:
            with self.subTest(words):
                self.assert_found(path, old, "service" if old.endswith("service") else "", words)

    def test_zero_values(self):
        self.assert_found(TYPES, "NOTE_KIND_UNSPECIFIED", "NOTE_KIND_NONE", "0 must end with _UNSPECIFIED")
        self.assert_found(TYPES, "NOTE_KIND_SHORT", "NOTE_KIND_ALSO_UNSPECIFIED", "0 must end with _UNSPECIFIED")
        self.assert_found(TYPES, "  NOTE_KIND_SHORT = 1;\n", "  NOTE_KIND_SHORT = 1;\n  option allow_alias = true;\n  // Brief.\n"
                          "  NOTE_KIND_BRIEF = 1;\n", "enum NoteKind: does not begin with 0, or has aliases")

    def test_each_method_has_its_own_messages(self):
        self.assert_found(NOTES, "returns (WriteNoteResponse)", "returns (ListNotesResponse)",
                          "ListNotesResponse is not WriteNoteResponse", "ListNotesResponse is used by NoteService.ListNotes, too")
        self.assert_found(NOTES, "rpc WriteNote(WriteNoteRequest)", "rpc WriteNote(ListNotesRequest)",
                          "is not WriteNoteRequest", "is used by NoteService.ListNotes, too")
        self.assert_found(VIEWS, "rpc Watch(WatchRequest)", "rpc Watch(ClientFrame)", "ClientFrame is not WatchRequest")
        self.assert_found(VIEWS, "service ViewService", "service OtherService", "ClientFrame is not AttachRequest",
                          "ServerFrame is not AttachResponse", "ServerFrame is not WatchResponse", "ServerFrame is used by OtherService.Attach, too")

    def test_lists_have_pages(self):
        self.assert_found(NOTES, "  // How many.\n  uint32 page_size = 1;\n", "  reserved 1;\n", "the request has no uint32 page_size")
        self.assert_found(NOTES, "string page_token", "bytes page_token", "the request has no string page_token")
        self.assert_found(NOTES, "string next_page_token", "string next_token", "the response has no string next_page_token")
        self.assert_found(NOTES, "message WriteNoteResponse {", "message WriteNoteResponse {\n// More.\nstring next_page_token = 1;\n",
                          "only List methods have pages")

    def test_numbers(self):
        self.assert_found(TYPES, "  reserved 3;\n", "", "message Note: 3 skipped and not reserved")
        self.assert_found(TYPES, "NOTE_KIND_SHORT = 1", "NOTE_KIND_SHORT = 3", "enum NoteKind: 1, 2 skipped")
        self.assert_found(VIEWS, "session_revision = 7", "session_revision = 16;\n  reserved 7 to 15", "session_revision has no number below 16")
        self.assert_found(VIEWS, "fixed64 epoch", "fixed64 era", "message ServerFrame: epoch has no number below 16")

    def test_types_of_ids(self):
        self.assert_found(TYPES, "uint64 note_id", "string note_id", "field Note.note_id: an id is uint64, not string")
        self.assert_found(NOTES, "string request_id", "uint64 request_id", "an id is string, not uint64")

    def test_optional_is_refused(self):
        self.assert_found(TYPES, "  NoteKind kind", "  optional NoteKind kind", "optional, which protoc-c")


if __name__ == "__main__":
    unittest.main()
