"""Tests scripts/replay without daemons: planted differences are reported, permitted ones are not, and renames are followed."""

import pathlib
import subprocess
import sys
import tempfile
import textwrap
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "scripts" / "replay_calls"))

import permitted  # noqa: E402
from compare import compare, count_rows  # noqa: E402
from mirror import Mirror  # noqa: E402
from play import PAGE_SIZE, Player  # noqa: E402
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
    method TimelineService/GetPost -> PostService/GetPost           # posts have their own service
    field ComposeRequest.text -> body                               # as elsewhere
    field Post.text -> body | gap.words                             # gaps are separate messages
    field Post.replies -> counts.answers                            # counts are together
    field Post.fingerprint -> (gone)                                # no client read it
    value KIND_POST -> ENTRY_KIND_POST                              # the enum was renamed
    value KIND_GAP -> KIND_PLACEHOLDER                              # the enum was renamed
"""

# Lists with pages, an enum with another zero, and a method that was split in two.
ASKED_THEN = """
    syntax = "proto3";
    package stack.v1;
    service ListService { rpc GetLists(GetListsRequest) returns (GetListsResponse); rpc GetMuted(GetMutedRequest) returns (GetMutedResponse); }
    enum Seen { SEEN_ALL = 0; SEEN_FEW = 1; }
    message GetListsRequest { string list = 1; Seen seen = 2; }
    message PostList { uint64 list_id = 1; repeated string authors = 2; Seen seen = 3; }
    message GetListsResponse { repeated PostList lists = 1; }
    message GetMutedRequest {}
    message Author { string handle = 1; }
    message GetMutedResponse { repeated Author muted = 1; repeated string words = 2; }
"""
ASKED_NOW = """
    syntax = "proto3";
    package stack.v1;
    service ListService {
      rpc ListLists(ListListsRequest) returns (ListListsResponse);
      rpc ListMembers(ListMembersRequest) returns (ListMembersResponse);
      rpc ListMuted(ListMutedRequest) returns (ListMutedResponse);
    }
    enum Seen { SEEN_UNSPECIFIED = 0; SEEN_ALL = 1; SEEN_FEW = 2; }
    message ListListsRequest { Seen seen = 1; uint32 page_size = 2; string page_token = 3; }
    message Subject { string list = 1; }
    message ListMembersRequest { Subject subject = 1; Seen seen = 2; uint32 page_size = 3; string page_token = 4; }
    message PostList { uint64 list_id = 1; Seen seen = 2; }
    message ListListsResponse { repeated PostList lists = 1; string next_page_token = 2; }
    message ListMembersResponse { PostList list = 1; repeated string authors = 2; string next_page_token = 3; }
    message ListMutedRequest { uint32 page_size = 1; string page_token = 2; }
    message Author { string handle = 1; }
    message MutedItem { oneof kind { Author author = 1; string word = 2; } }
    message ListMutedResponse { repeated MutedItem items = 1; string next_page_token = 2; }
"""
DETAILS = """
    syntax = "proto3";
    package google.rpc;
    message Any { string type_url = 1; bytes value = 2; }
    message Status { int32 code = 1; string message = 2; repeated Any details = 3; }
    message ErrorInfo { string reason = 1; string domain = 2; }
    message BadRequest { message FieldViolation { string field = 1; } repeated FieldViolation field_violations = 1; }
"""
ASKED = """
    method ListService/GetLists -> ListService/ListLists            # two questions
    method ListService/GetLists(list) -> ListService/ListMembers    # two questions
    method ListService/GetMuted -> ListService/ListMuted            # it has pages
    field GetListsRequest.list -> subject.list                      # elsewhere
    field GetListsResponse.lists -> lists | list                    # one
    field GetListsResponse.lists.authors -> authors                 # beside it
    field GetMutedResponse.muted -> items.author                    # one list
    field GetMutedResponse.words -> items.word                      # one list
    zero SEEN_ALL                                                   # has to be said
    filled PostList.list_id                                         # known now
    reason NOT_FOUND.INVALID_FIELD -> NO_SUCH_OBJECT                # a separate reason
"""


def schema(text, package):
    """Returns the schema of one file."""
    with tempfile.TemporaryDirectory() as folder:
        pathlib.Path(folder, "all.proto").write_text(textwrap.dedent(text), encoding="utf-8")
        pathlib.Path(folder, "details.proto").write_text(textwrap.dedent(DETAILS), encoding="utf-8")
        return Schema(compile_schema(folder), package)


class Renames(unittest.TestCase):
    """Tests with the two schemas above, and the table that maps one to the other."""

    @classmethod
    def setUpClass(cls):
        cls.then, cls.now = schema(THEN, "stack.v1"), schema(NOW, "stack.v2")

    def sides(self, table=TABLE):
        """Returns the translators of both builds."""
        read = permitted.Permitted.read(table)
        return Translator(self.then, self.then, read), Translator(self.then, self.now, read)

    def post(self, translator, message):
        """Returns the result of GetPost as a replay records it; `message` has the fields of a post of the translator's build."""
        then, now = translator.method("TimelineService/GetPost")
        answer = translator.build.make(now.output_type)(**message)
        return [("event 0", "GetPost", {"response": translator.read(then.output_type, answer)})]

    def compare(self, then_post, now_post, table=TABLE):
        """Returns the reported differences of two posts."""
        then, now = self.sides(table)
        return compare(self.post(then, then_post), self.post(now, now_post))

    def test_requests_use_present_names(self):
        _, now = self.sides()
        then_method, method = now.method("TimelineService/Compose")
        request = {"text": "Hello", "in_reply_to": 42, "kind": "KIND_GAP"}
        message = now.write(then_method.input_type, request, method.input_type)
        self.assertEqual(method.full_name, "stack.v2.PostService.Write")
        self.assertEqual((message.body, message.in_reply_to, message.kind), ("Hello", "42", 1))

    def test_permitted_differences_are_not_reported(self):
        self.assertEqual([], self.compare(
            {"post_id": 1, "text": "a", "kind": 2, "fingerprint": 7, "replies": 3, "ends": [1, 2]},
            {"post_id": 1, "body": "a", "kind": 1, "counts": {"answers": 3}, "ends": [1, 2]}))

    def test_a_field_in_one_of_two_messages_is_found(self):
        self.assertEqual([], self.compare({"text": "a gap"}, {"gap": {"words": "a gap"}}))
        self.assertEqual(1, len(self.compare({"text": "a gap"}, {"gap": {"words": "another"}})))

    def test_a_count_that_is_off_by_one_is_reported(self):
        report = self.compare({"post_id": 1, "replies": 3}, {"post_id": 1, "counts": {"answers": 4}})
        self.assertEqual(1, len(report))
        for part in ("event 0", "GetPost", "response.replies", "then 3", "now  4"):
            self.assertIn(part, report[0])

    def test_missing_and_additional_values_are_reported(self):
        self.assertIn("response.text", "".join(self.compare({"text": "a"}, {})))
        self.assertIn("response.ends[1]", "".join(self.compare({"ends": [1]}, {"ends": [1, 2]})))
        self.assertIn("response.kind", "".join(self.compare({"kind": 1}, {"kind": 1})))

    def test_a_new_field_is_reported_unless_permitted(self):
        self.assertIn("response.+pinned", "".join(self.compare({"post_id": 1}, {"post_id": 1, "pinned": True})))
        table = TABLE + "added Post.pinned  # posts are pinned\n"
        self.assertEqual([], self.compare({"post_id": 1}, {"post_id": 1, "pinned": True}, table))

    def test_ignored_fields_are_not_reported(self):
        table = TABLE + "ignore Post.replies  # counted by chance\n"
        self.assertEqual([], self.compare({"replies": 3}, {"counts": {"answers": 4}}, table))

    def test_an_unknown_name_points_to_the_table(self):
        _, now = self.sides("package stack.v1 -> stack.v2  # the next version\n")
        with self.assertRaisesRegex(KeyError, "TimelineService/Compose is not a method.*the table"):
            now.method("TimelineService/Compose")

    def test_a_table_with_unknown_names_is_rejected(self):
        check_table(permitted.Permitted.read(TABLE), self.then)
        for line in ("ignore Post.nothing # x", "method TimelineService/Nothing -> A/B # x", "value KIND_NONE -> KIND_A # x"):
            with self.assertRaisesRegex(permitted.TableError, "not of 93cdc55"):
                check_table(permitted.Permitted.read(line), self.then)


class Pages:
    """A daemon that returns one item per page, and records its requests."""

    def __init__(self, **items):
        self.items, self.asked = items, []

    def unary(self, user, method, request, response):
        """Returns the item named by the page token."""
        self.asked.append((method.name, request.page_size, request.page_token))
        (field, items), place = next(iter(self.items.items())), int(request.page_token or 0)
        more = str(place + 1) if place + 1 < len(items) else ""
        return response(next_page_token=more, **{field: items[place:place + 1]})


class Asking(unittest.TestCase):
    """Tests of responses that were split into several messages."""

    @classmethod
    def setUpClass(cls):
        cls.then, cls.now = schema(ASKED_THEN, "stack.v1"), schema(ASKED_NOW, "stack.v1")
        table = permitted.Permitted.read(ASKED)
        check_table(table, cls.then)
        cls.sides = Translator(cls.then, cls.then, table), Translator(cls.then, cls.now, table)

    def answers(self, then, now, **request):
        """Returns the reported differences of two responses of GetLists."""
        read = []
        for side, values in zip(self.sides, (then, now)):
            asked, method = side.method("ListService/GetLists", request)
            read.append([("a", "b", side.read(asked.output_type, side.build.make(method.output_type)(**values)))])
        return compare(*read)

    def test_the_request_chooses_the_method(self):
        for request, name in (({}, "ListLists"), ({"list": ""}, "ListLists"), ({"list": "a"}, "ListMembers")):
            asked, method = self.sides[1].method("ListService/GetLists", request)
            self.assertEqual(name, method.name)
            self.sides[1].write(asked.input_type, request, method.input_type)

    def test_a_field_moved_out_of_its_message_is_found(self):
        then = {"lists": [{"list_id": 7, "authors": ["ann", "bea"]}]}
        self.assertEqual([], self.answers(then, {"list": {"list_id": 7, "seen": 1}, "authors": ["ann", "bea"]}, list="a"))
        self.assertEqual(1, len(self.answers(then, {"list": {"list_id": 7, "seen": 1}, "authors": ["ann", "cat"]}, list="a")))

    def test_a_former_zero_value_is_set_and_compared(self):
        asked, method = self.sides[1].method("ListService/GetLists", {})
        self.assertEqual(1, self.sides[1].write(asked.input_type, {}, method.input_type).seen)
        self.assertEqual(2, self.sides[1].write(asked.input_type, {"seen": "SEEN_FEW"}, method.input_type).seen)
        self.assertEqual([], self.answers({"lists": [{"seen": 1}]}, {"lists": [{"seen": 2}]}))
        self.assertIn("SEEN_UNSPECIFIED", self.answers({"lists": [{}]}, {"lists": [{}]})[0])

    def test_a_filled_field_is_compared_if_it_was_set(self):
        one = {"list_id": 7, "seen": 1}
        self.assertEqual([], self.answers({"lists": [{}]}, {"lists": [one]}))
        self.assertEqual(1, len(self.answers({"lists": [{"list_id": 8}]}, {"lists": [one]})))
        self.assertEqual(1, len(self.answers({"lists": [{"list_id": 8}]}, {"lists": [{"seen": 1}]})))
        self.assertEqual({"list_id": 1, "fingerprint": 2, "text": 3}, permitted.plain({"?list_id": 1, "~fingerprint": 2, "text": 3}))

    def test_pages_are_merged(self):
        daemon = Pages(items=[{"author": {"handle": "ann"}}, {"word": "tide"}, {"author": {"handle": "bea"}}])
        answer = Player(daemon, self.now, self.sides[1]).unary(None, "ListService/GetMuted", {})
        self.assertEqual({"muted": [{"handle": "ann"}, {"handle": "bea"}], "words": ["tide"]}, answer["response"])
        self.assertEqual([("ListMuted", PAGE_SIZE, ""), ("ListMuted", PAGE_SIZE, "1"), ("ListMuted", PAGE_SIZE, "2")], daemon.asked)

    def details(self, side, code, reason, *fields):
        """Returns the details of a status of GetLists on one side."""
        def make(name, **values):
            message = side.build.make(side.build.pool.FindMessageTypeByName(f"google.rpc.{name}"))(**values)
            return {"type_url": f"type.googleapis.com/google.rpc.{name}", "value": message.SerializeToString()}

        found = [make("ErrorInfo", reason=reason, domain="stack")]
        found += [make("BadRequest", field_violations=[{"field": field} for field in fields])] if fields else []
        kind = side.build.make(side.build.pool.FindMessageTypeByName("google.rpc.Status"))
        request = self.then.methods["ListService/GetLists"].input_type
        return side.status_details(kind(details=found).SerializeToString(), code, request)

    def test_statuses_have_present_reasons_and_fields(self):
        then, now = self.sides
        for one, other in [
            (("NOT_FOUND", "INVALID_FIELD", "list"), ("NOT_FOUND", "NO_SUCH_OBJECT")),
            (("INVALID_ARGUMENT", "INVALID_FIELD", "list"), ("INVALID_ARGUMENT", "INVALID_FIELD", "subject.list")),
            (("INVALID_ARGUMENT", "INVALID_FIELD", "list[2].x"), ("INVALID_ARGUMENT", "INVALID_FIELD", "subject.list[2].x")),
        ]:
            self.assertEqual(self.details(then, *one), self.details(now, *other))
        self.assertNotEqual(self.details(then, "ABORTED", "INVALID_FIELD", "list"), self.details(now, "ABORTED", "INVALID_FIELD", "list"))


class Tables(unittest.TestCase):
    """Tests of the table of permitted differences."""

    def test_the_repository_table_is_valid(self):
        self.assertTrue(permitted.load().ignored)

    def test_the_repository_table_covers_the_schema_of_93cdc55(self):
        """Every field and value of 93cdc55 has a place in the present schema, except for those listed."""
        with tempfile.TemporaryDirectory() as folder:
            then = subprocess.run(["git", "-C", ROOT, "archive", "93cdc55", "Proto"], capture_output=True, check=False)
            if then.returncode:
                self.skipTest("commit 93cdc55 is not in this clone")
            subprocess.run(["tar", "-x", "-C", folder], input=then.stdout, check=True)
            self.then, self.now = (Schema(compile_schema(path), "stack.v1") for path in (f"{folder}/Proto", ROOT / "Proto"))
        self.table, self.seen, self.lost = permitted.load(), set(), set()
        check_table(self.table, self.then)
        for name, then in self.then.methods.items():
            entries = [now for entry, now in self.table.methods.items() if entry.partition("(")[0] == name]
            for now in map(self.now.methods.__getitem__, entries or [name]):
                self.check_places(then.input_type, now.input_type)
                self.check_places(then.output_type, now.output_type)
        self.assertEqual({
            "GetListsRequest.list ListListsRequest", "PostList.authors PostList",
            # Set only in other calls, or in calls that are not recorded.
            "ListResponse.list_id FollowResponse", "ListResponse.list_id UnfollowResponse",
            "QuietResponse.unfollowed MuteResponse", "QuietResponse.unfollowed UnmuteResponse", "QuietResponse.unfollowed UnblockResponse",
            "QuietResponse.unfollowed MuteWordResponse", "QuietResponse.unfollowed UnmuteWordResponse",
            "StackResponse.pane_id RenameSessionResponse", "StackResponse.pane_id DeleteSessionResponse"}, self.lost)

    def check_places(self, then, now):
        """Checks the places of all fields of an old message, and of its enum values."""
        if (then, now) in self.seen:
            return
        self.seen.add((then, now))
        for field in then.fields:
            places = self.table.paths(then.name, field.name)
            found = [place for place in (self.follow(now, path) for path in places) if place]
            if places and not found:
                self.lost.add(f"{then.name}.{field.name} {now.name}")
            for place in found:
                if field.message_type:
                    self.check_places(field.message_type, place.message_type)
                for value in field.enum_type.values if field.enum_type else ():
                    self.assertIn(self.table.values.get(value.name, value.name), place.enum_type.values_by_name)

    def follow(self, message, path):
        """Returns the field at a path, or None."""
        *steps, last = path
        for step in steps:
            field = message.fields_by_name.get(step)
            if field is None:
                return None
            message = field.message_type
        return message.fields_by_name.get(last)

    def test_an_entry_needs_a_reason_and_a_known_kind(self):
        for line in ("ignore Post.text", "rename A -> B # x", "field Post.text # x", "field Post.text -> # x"):
            with self.assertRaises(permitted.TableError):
                permitted.Permitted.read(line)


class Comparing(unittest.TestCase):
    """Tests of comparing two replays."""

    def test_statuses_and_counts_are_compared(self):
        one = [("event 0", "Mark", {"status": {"code": "NOT_FOUND", "message": "no such post"}})]
        other = [("event 0", "Mark", {"status": {"code": "INTERNAL", "message": "no such post"}})]
        self.assertIn("status.code", compare(one, other)[0])
        self.assertIn("1 responses then, 2 now", compare(one, one + other)[0])
        self.assertEqual([], compare(one, one))

    def test_another_row_order_is_a_difference(self):
        rows = [{"row": {"row_id": number}} for number in (1, 2)]
        self.assertEqual(2, count_rows({"response": {"rows": rows}}))
        self.assertEqual(2, len(compare([("a", "b", {"rows": rows})], [("a", "b", {"rows": rows[::-1]})])))


class Mirrors(unittest.TestCase):
    """Tests of mirrors."""

    FIRST = {"number": 1, "epoch": 5, "revision": 3, "reset": "RESET_REASON_FIRST", "operations": [
        {"pane_pushed": {"pane": {"pane_id": 1, "title": "Timeline"}}},
        {"rows_inserted": {"pane_id": 1, "rows": [{"row": {"row_id": 2, "~fingerprint": 9}, "caps": 1}, {"row": {"row_id": 1}}]}}]}

    def delta(self, **operation):
        """Returns a frame that follows the first."""
        return {"number": 2, "epoch": 5, "base_revision": 3, "revision": 4, "operations": [operation]}

    def test_frames_are_applied(self):
        mirror = Mirror()
        self.assertIsNone(mirror.apply(self.FIRST))
        self.assertIsNone(mirror.apply(self.delta(rows_changed={"pane_id": 1, "changes": [{"row_id": 2, "mask": 1}]})))
        self.assertEqual([{"row": {"row_id": 2, "~fingerprint": 9}}, {"row": {"row_id": 1}}], mirror.panes[1]["rows"])
        self.assertEqual({"pane_id": 1, "row_ids": [2, 1], "fingerprints": [9, 0], "caps": [0, 0]}, mirror.resume()["panes"][0])

    def test_misfitting_frames_are_reported(self):
        mirror = Mirror()
        mirror.apply(self.FIRST)
        self.assertIn("does not fit", mirror.apply(self.delta(rows_changed={"pane_id": 1, "changes": [{"row_id": 8, "mask": 1}]})))
        self.assertIn("does not follow", mirror.apply(self.delta() | {"base_revision": 2}))


class Records(unittest.TestCase):
    """Tests of records."""

    def test_ids_refer_to_responses(self):
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
