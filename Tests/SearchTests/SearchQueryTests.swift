import Dates
import TestSupport
import Testing

@testable import Search

@Suite("Search queries")
struct SearchQueryTests {
  @Test(
    "equal queries have equal spellings",
    arguments: [
      ("Hello WORLD hello", "hello world"), ("world, hello!", "hello world"), ("\"Hello,  World\"", "\"hello world\""),
      ("\"word\"", "word"),
      ("don't", "\"don t\""), ("Café", "cafe"), ("#Café #cafe", "#cafe"), ("＃Swift", "#swift"), ("@Ann", "@ann"),
      ("from:@Ann", "from:ann"),
      ("from:bob from:Ann", "from:ann from:bob"), ("FROM:\"Two Words\"", "from:\"two words\""),
      ("has:LINK", "has:link"),
      ("before:2024-03-01T00:00:00Z", "before:2024-03-01"), ("before:2024-03-01t02:00+02:00", "before:2024-03-01"),
      ("after:2024-03-01 after:2024-02-01", "after:2024-03-01"),
      ("before:2024-03-01 before:2024-02-01", "before:2024-02-01"),
      ("after:2024-03-01T10:00:00.5Z", "after:2024-03-01T10:00:00.500Z"), ("-b a", "a -b"),
      ("-\"b c\" -#d -from:e a", "a -\"b c\" -#d -from:e"),
      ("東京都", "東京都"), ("京", "京"), ("東京 hello", "hello 東京"), ("東京hello", "\"東京 hello\""), ("\"hello 京\"", "\"hello 京\""),
      ("ああああ", "ああああ"), ("東京。京都", "\"東京 京都\""), ("“curly quotes”", "\"curly quotes\""),
      ("https://Example.org/x", "\"https example org x\""),
      ("12:30", "\"12 30\""), ("C++ & #", "c"), ("a　b", "a b"), ("foo\"bar baz\"", "\"bar baz\" foo"),
      ("-has:link x", "x -has:link"), ("IS:Saved x", "x is:saved"),
      ("-is:favourited is:saved", "is:saved -is:favourited"),
    ])
  func canonical(text: String, expected: String) throws {
    let query = try SearchQuery(parsing: text)
    #expect(query.canonical == expected)
    #expect(try SearchQuery(parsing: query.canonical) == query)
  }

  @Test("terms are the tokens of posts, except at the end of a run") func terms() throws {
    func terms(_ text: String) throws -> [String] {
      try SearchQuery(parsing: text).required.map { term in
        term.tokens.map { String(decoding: $0, as: UTF8.self) }.joined(separator: " ") + (term.isPrefix ? "*" : "")
      }
    }
    #expect(try terms("東京都") == ["東京 京都"])
    #expect(try terms("京") == ["京*"])
    #expect(try terms("\"hello 京\"") == ["hello 京*"])
    #expect(try terms("\"京 hello\"") == ["京 hello"], "the next word ends the run in the post too")
    #expect(try terms("b #x a") == ["a", "b", "#x"])
  }

  @Test("days are in UTC; after: is inclusive, before: exclusive") func days() throws {
    let query = try SearchQuery(parsing: "after:2024-02-29 before:2024-03-01")
    #expect(query.after == Instant(iso8601: Array("2024-02-29T00:00:00Z".utf8)))
    #expect(query.before == Instant(iso8601: Array("2024-03-01T00:00:00Z".utf8)))
  }

  @Test(
    "mistakes are refused with a message",
    arguments: [
      ("", SearchQueryError.empty), ("  ,.! 😀", .empty), ("\"\" #", .empty), ("\"open", .openQuote),
      ("a \"b\" \"", .openQuote),
      ("lang:de", .unknownKey("lang")), ("-lang:", .unknownKey("lang")), ("from:", .noValue("from")),
      ("from:@", .noValue("from")),
      ("from: ann", .noValue("from")), ("has:cats", .unknownKind("cats")), ("has:", .unknownKind("")),
      ("is:blue", .unknownState("blue")), ("is:unread", .unknownState("unread")),
      ("before:yesterday", .badDate("yesterday", key: "before")),
      ("after:2024-02-30", .badDate("2024-02-30", key: "after")),
      ("after:2024-02-30T", .badDate("2024-02-30T", key: "after")), ("after:", .badDate("", key: "after")),
      ("before:9999-12-31T23:59:59-10:00", .badDate("9999-12-31T23:59:59-10:00", key: "before")),
      ("-before:2024-03-01", .excludedDate(key: "before")), ("after:2024-03-01 before:2024-03-01", .emptySpan),
      (String(repeating: "x", count: 257), .tooLong), (String(repeating: "a ", count: 17), .tooManyTerms),
    ])
  func errors(text: String, expected: SearchQueryError) {
    #expect(throws: expected) { try SearchQuery(parsing: text) }
    #expect(!expected.message.hasSuffix(".") && !expected.message.contains("\n"))
  }

  @Test("messages name the mistake and what to write instead") func messages() {
    #expect(
      SearchQueryError.unknownKey("lang").message
        == "unknown key \"lang:\": use from:, has:, is:, after: or before:, or put the words in quotation marks"
    )
    #expect(
      SearchQueryError.badDate("1.3.", key: "after").message
        == "not a date: after:1.3.; write after:2024-03-01 for a day in UTC, or after:2024-03-01T12:00:00Z")
    #expect(
      SearchQueryError.excludedDate(key: "before").message == "-before: is not supported: write after: instead")
  }

  @Test("any query parses back from its canonical spelling", arguments: 0..<8)
  func roundTrip(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    for _ in 0..<150 {
      let text = RandomSearch.query(using: &generator)
      guard let query = try? SearchQuery(parsing: text) else { continue }
      let again = try SearchQuery(parsing: query.canonical)
      #expect(again.canonical == query.canonical, "\(text)")
      #expect(
        again.required == query.required && again.excluded == query.excluded && again.authors == query.authors
          && again.excludedAuthors == query.excludedAuthors && again.after == query.after
          && again.before == query.before, "\(text)")
    }
  }
}
