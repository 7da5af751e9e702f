import Posts
import Testing

@Suite("Mentions, hashtags and links in text written here")
struct TextSpansTests {
  @Test(
    "spans are found",
    arguments: [
      ("hello @ann and @bob_2", ["@ann", "@bob_2"]), ("a@b.example", []),
      ("@ann@example.org, hi", ["@ann@example.org"]),
      ("see https://example.org/a?b=c#d.", ["https://example.org/a?b=c#d"]),
      ("(http://example.com)", ["http://example.com"]),
      ("http://user:pw@host/", []), ("http://user@host", []), ("see http://example.com:x@other.example/a", []),
      ("http://example.com/@ann", ["http://example.com/@ann"]),
      ("http://example.com, @ann", ["http://example.com", "@ann"]),
      ("http://", []), ("#one #2 #漢字 c#", ["#one", "#漢字"]), ("@ # @@", []), ("", []),
    ])
  func found(text: String, expected: [String]) {
    let safe = SafeText(text)
    let spans = TextSpans.find(in: safe)
    #expect(spans.map { String(decoding: safe.utf8[$0.range], as: UTF8.self) } == expected)
  }

  @Test(
    "a direct post addresses whole words",
    arguments: [
      ("@ann @bob_2.", ["ann", "bob_2"]), ("@ann-marie @ann.", ["ann-marie", "ann"]),
      ("@ann-1001, @a.b-c!", ["ann-1001", "a.b-c"]),
      ("@ann- @ann...", ["ann", "ann"]), ("@ann-é", ["ann-é"]), ("@ann@example.org", ["ann@example.org"]),
      ("@annさん", ["ann"]),
    ])
  func recipients(text: String, expected: [String]) {
    let safe = SafeText(text)
    #expect(PostBody(text: safe, spans: TextSpans.find(in: safe)).recipients.map(\.string) == expected)
  }
}
