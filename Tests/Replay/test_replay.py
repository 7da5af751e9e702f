"""scripts/replay without daemons: a planted difference is reported, a permitted one is not, and new names are found."""

import pathlib
import sys
import tempfile
import textwrap
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "scripts" / "replay_calls"))

import permitted  # noqa: E402
from compare import compare, count_rows  # noqa: E402
from mirror import Mirror  # noqa: E402
from record import records  # noqa: E402
from schema import Schema, Translator, check_table, compile_schema  # noqa: E402

THEN = """
    syntax = "proto3";
    package stack.v1;
    service TimelineService {
      rpc Compose(ComposeRequest) returns (ComposeResponse);
      rpc GetPost(GetPostRequest) returns (Post);
    }
    enum Kind { KIND_UNSPECIFIED = 0; KIND_POST = 1; KIND_GAP = 2; }
    message ComposeRequest { string text = 1; string in_reply_to = 2; Kind kind = 3; }
    message ComposeResponse { uint64 post_id = 1; }
    message GetPostRequest { string post = 1; }
    message Post { uint64 post_id = 1; string text = 2; Kind kind = 3; fixed64 fingerprint = 4; uint32 replies = 5; repeated uint32 ends = 6; }
"""
NOW = """
    syntax = "proto3";
    package stack.v2;
    service PostService {
      rpc Write(WriteRequest) returns (WriteResponse);
      rpc GetPost(GetPostRequest) returns (Post);
    }
    enum EntryKind { ENTRY_KIND_UNSPECIFIED = 0; KIND_PLACEHOLDER = 1; ENTRY_KIND_POST = 7; }
    message WriteRequest { EntryKind kind = 1; string body = 9; string in_reply_to = 4; }
    message WriteResponse { uint64 post_id = 3; }
    message GetPostRequest { string post = 8; }
    message Counts { uint32 answers = 2; }
    message Gap { string words = 3; }
    message Post { string body = 1; uint64 post_id = 2; EntryKind kind = 4; Counts counts = 5; repeated uint32 ends = 7; bool pinned = 8; Gap gap = 9; }
"""
TABLE = """
    package stack.v1 -> stack.v2                                    # the next version
    method TimelineService/Compose -> PostService/Write             # a post is written
    method TimelineService/GetPost -> PostService/GetPost           # posts have a service of their own
    field ComposeRequest.text -> body                               # as elsewhere
    field Post.text -> body | gap.words                             # gaps are messages of their own
    field Post.replies -> counts.answers                            # counts are together
    field Post.fingerprint -> (gone)                                # nobody read it
    value KIND_POST -> ENTRY_KIND_POST                              # the enum was renamed
    value KIND_GAP -> KIND_PLACEHOLDER                              # the enum was renamed
"""


def schema(text, package):
    """The schema of one file."""
    with tempfile.TemporaryDirectory() as folder:
        pathlib.Path(folder, "all.proto").write_text(textwrap.dedent(text), encoding="utf-8")
        return Schema(compile_schema(folder), package)


class Renames(unittest.TestCase):
    """The two schemas above, and the table that makes one of the other."""

    @classmethod
    def setUpClass(cls):
        cls.then, cls.now = schema(THEN, "stack.v1"), schema(NOW, "stack.v2")

    def sides(self, table=TABLE):
        """The translators of then and now."""
        read = permitted.Permitted.read(table)
        return Translator(self.then, self.then, read), Translator(self.then, self.now, read)

    def post(self, translator, message):
        """What GetPost answers, as a replay keeps it; `message` is a post of the translator's build, as text."""
        then, now = translator.method("TimelineService/GetPost")
        answer = translator.build.make(now.output_type)(**message)
        return [("event 0", "GetPost", {"response": translator.read(then.output_type, answer)})]

    def compare(self, then_post, now_post, table=TABLE):
        """What is reported of two posts."""
        then, now = self.sides(table)
        return compare(self.post(then, then_post), self.post(now, now_post))

    def test_a_request_is_written_by_the_names_of_now(self):
        _, now = self.sides()
        then_method, method = now.method("TimelineService/Compose")
        request = {"text": "Hello", "in_reply_to": 42, "kind": "KIND_GAP"}
        message = now.write(then_method.input_type, request, method.input_type)
        self.assertEqual(method.full_name, "stack.v2.PostService.Write")
        self.assertEqual((message.body, message.in_reply_to, message.kind), ("Hello", "42", 1))

    def test_what_the_table_permits_is_not_reported(self):
        self.assertEqual([], self.compare(
            {"post_id": 1, "text": "a", "kind": 2, "fingerprint": 7, "replies": 3, "ends": [1, 2]},
            {"post_id": 1, "body": "a", "kind": 1, "counts": {"answers": 3}, "ends": [1, 2]}))

    def test_a_field_that_is_in_one_of_two_messages_is_found(self):
        self.assertEqual([], self.compare({"text": "a gap"}, {"gap": {"words": "a gap"}}))
        self.assertEqual(1, len(self.compare({"text": "a gap"}, {"gap": {"words": "another"}})))

    def test_a_count_that_is_off_by_one_is_reported(self):
        report = self.compare({"post_id": 1, "replies": 3}, {"post_id": 1, "counts": {"answers": 4}})
        self.assertEqual(1, len(report))
        for part in ("event 0", "GetPost", "response.replies", "then 3", "now  4"):
            self.assertIn(part, report[0])

    def test_what_is_missing_or_more_is_reported(self):
        self.assertIn("response.text", "".join(self.compare({"text": "a"}, {})))
        self.assertIn("response.ends[1]", "".join(self.compare({"ends": [1]}, {"ends": [1, 2]})))
        self.assertIn("response.kind", "".join(self.compare({"kind": 1}, {"kind": 1})))

    def test_a_field_that_is_new_is_reported_unless_it_is_permitted(self):
        self.assertIn("response.+pinned", "".join(self.compare({"post_id": 1}, {"post_id": 1, "pinned": True})))
        table = TABLE + "added Post.pinned  # posts are pinned\n"
        self.assertEqual([], self.compare({"post_id": 1}, {"post_id": 1, "pinned": True}, table))

    def test_what_is_ignored_is_not_reported(self):
        table = TABLE + "ignore Post.replies  # counted by chance\n"
        self.assertEqual([], self.compare({"replies": 3}, {"counts": {"answers": 4}}, table))

    def test_a_name_that_the_table_does_not_know_says_where_to_say_it(self):
        _, now = self.sides("package stack.v1 -> stack.v2  # the next version\n")
        with self.assertRaisesRegex(KeyError, "TimelineService/Compose is not a method.*the table"):
            now.method("TimelineService/Compose")

    def test_a_table_that_names_what_never_was_is_refused(self):
        check_table(permitted.Permitted.read(TABLE), self.then)
        for line in ("ignore Post.nothing # x", "method TimelineService/Nothing -> A/B # x", "value KIND_NONE -> KIND_A # x"):
            with self.assertRaisesRegex(permitted.TableError, "not of 93cdc55"):
                check_table(permitted.Permitted.read(line), self.then)


class Tables(unittest.TestCase):
    """The table of permitted differences."""

    def test_the_table_of_the_repository_can_be_read(self):
        self.assertTrue(permitted.load().ignored)

    def test_an_entry_needs_a_reason_and_a_known_kind(self):
        for line in ("ignore Post.text", "rename A -> B # x", "field Post.text # x", "field Post.text -> # x"):
            with self.assertRaises(permitted.TableError):
                permitted.Permitted.read(line)


class Comparing(unittest.TestCase):
    """What is said of two performances."""

    def test_statuses_and_numbers_of_answers_are_compared(self):
        one = [("event 0", "Mark", {"status": {"code": "NOT_FOUND", "message": "no such post"}})]
        other = [("event 0", "Mark", {"status": {"code": "INTERNAL", "message": "no such post"}})]
        self.assertIn("status.code", compare(one, other)[0])
        self.assertIn("1 answers then, 2 now", compare(one, one + other)[0])
        self.assertEqual([], compare(one, one))

    def test_another_row_order_is_a_difference(self):
        rows = [{"row": {"row_id": number}} for number in (1, 2)]
        self.assertEqual(2, count_rows({"response": {"rows": rows}}))
        self.assertEqual(2, len(compare([("a", "b", {"rows": rows})], [("a", "b", {"rows": rows[::-1]})])))


class Mirrors(unittest.TestCase):
    """What a view's frames tell."""

    FIRST = {"number": 1, "epoch": 5, "revision": 3, "reset": "RESET_REASON_FIRST", "operations": [
        {"pane_pushed": {"pane": {"pane_id": 1, "title": "Timeline"}}},
        {"rows_inserted": {"pane_id": 1, "rows": [{"row": {"row_id": 2, "~fingerprint": 9}, "caps": 1}, {"row": {"row_id": 1}}]}}]}

    def delta(self, **operation):
        """A frame that follows the first."""
        return {"number": 2, "epoch": 5, "base_revision": 3, "revision": 4, "operations": [operation]}

    def test_frames_are_applied(self):
        mirror = Mirror()
        self.assertIsNone(mirror.apply(self.FIRST))
        self.assertIsNone(mirror.apply(self.delta(rows_changed={"pane_id": 1, "changes": [{"row_id": 2, "mask": 1}]})))
        self.assertEqual([{"row": {"row_id": 2, "~fingerprint": 9}}, {"row": {"row_id": 1}}], mirror.panes[1]["rows"])
        self.assertEqual({"pane_id": 1, "row_ids": [2, 1], "fingerprints": [9, 0], "caps": [0, 0]}, mirror.resume()["panes"][0])

    def test_frames_that_do_not_fit_are_told(self):
        mirror = Mirror()
        mirror.apply(self.FIRST)
        self.assertIn("does not fit", mirror.apply(self.delta(rows_changed={"pane_id": 1, "changes": [{"row_id": 8, "mask": 1}]})))
        self.assertIn("does not follow", mirror.apply(self.delta() | {"base_revision": 2}))


class Records(unittest.TestCase):
    """What the simulation wrote, as calls by name."""

    def test_ids_are_what_an_answer_told(self):
        then = schema(THEN, "stack.v1")
        compose, answer = then.methods["TimelineService/Compose"], then.make(then.methods["TimelineService/Compose"].output_type)
        request = then.make(compose.input_type)
        lines = ["world 7", "1000 daemon 1", "1001 start 1 1000 /stack.v1.TimelineService/Compose",
                 f"1001 send 1 {request(text='a').SerializeToString().hex()}", f"1002 answer 1 {answer(post_id=12).SerializeToString().hex()}",
                 "1002 end 1", "1003 start 2 1001 /stack.v1.TimelineService/Compose",
                 f"1003 send 2 {request(text='b', in_reply_to='12').SerializeToString().hex()}", "1 worlds, 0 failed; 1 posts"]
        world, = records(lines, then)
        recorded = [event for event in world["events"] if event["call"] > 0]
        self.assertEqual((7, 1000), (world["world"], world["began"]))
        self.assertEqual([{"text": "a"}, {"text": "b", "in_reply_to": {"of": [1, "post_id"], "was": "12"}}],
                         [event["request"] for event in recorded])
        self.assertEqual([1000, 1001], [event["user"] for event in recorded])


if __name__ == "__main__":
    unittest.main()
