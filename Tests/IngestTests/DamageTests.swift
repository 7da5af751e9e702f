import Ingest
import Posts
import Testing

@Suite("Damaged items")
struct DamageTests {
  static func tweet(_ id: Int, _ text: String = "hello") -> String {
    #"{"created_at":"Wed Oct 10 20:19:24 +0000 2018","id_str":"\#(id)","text":"\#(text)","user":{"id_str":"7","screen_name":"ann","name":"Ann"},"entities":{"hashtags":[{"text":"a","indices":[0,1]},{"text":"b","indices":[1,2]}]}}"#
  }

  static func status(_ id: Int) -> String {
    #"{"id":"\#(id)","created_at":"2018-10-10T20:19:24Z","uri":"https://h.example/users/ann/statuses/\#(id)","account":{"id":"7","acct":"ann","url":"https://h.example/@ann"},"content":"<p>x</p>","mentions":[{"id":"1","username":"b"},{"id":"2","username":"c"}]}"#
  }

  /// Ways to damage the middle element.
  static let damages: [(String, @Sendable (String) -> String)] = [
    ("a missing closing brace", { String($0.dropLast()) }),
    ("two missing closing braces", { String($0.dropLast(2)) }),
    ("a missing bracket", { $0.replacingFirst("]", with: "") }),
    ("a missing quote", { $0.replacingFirst("ann\"", with: "ann") }),
    ("a quote too many", { $0.replacingFirst("\"ann", with: "\"an\"n") }),
    ("a missing value", { $0.replacingFirst("\"7\"", with: "") }),
    ("a missing comma", { $0.replacingFirst(",", with: " ") }),
    ("cut in the middle", { String($0.prefix(60)) }),
    ("cut inside a string", { String($0.prefix(25)) }),
    ("not JSON", { _ in "{oops}" }),
  ]

  @Test("damage in the middle of an array loses only that item", arguments: damages.map(\.0))
  func array(name: String) {
    let damage = Self.damages.first { $0.0 == name }!.1
    for make in [{ Self.tweet($0) }, { Self.status($0) }] as [(Int) -> String] {
      for separator in [",", ",\n  "] {
        let items = [make(1), make(2), damage(make(3)), make(4), make(5)]
        let imported = importing("[" + items.joined(separator: separator) + "]")
        #expect(imported.refusals == [])
        #expect(imported.posts.map { String($0.nativeID.suffix(1)) } == ["1", "2", "4", "5"], "\(separator)")
        #expect(imported.skippedCount >= 1)
        #expect(imported.skipped.first?.item == 3)
      }
    }
  }

  @Test("an extra closing bracket loses nothing", arguments: ["}", "]", "}}", "]]}"])
  func stray(brackets: String) {
    let imported = importing("[\(Self.tweet(1)),\(Self.tweet(2))\(brackets),\(Self.tweet(3))]")
    #expect(imported.posts.map(\.nativeID) == ["1", "2", "3"])
    #expect(imported.reasons.allSatisfy { $0 == "damaged: unmatched closing bracket" })
    #expect(imported.skippedCount == brackets.utf8.count)
  }

  @Test(
    "a damaged first item loses only that item",
    arguments: ["a missing closing brace", "a missing quote", "a missing value"])
  func first(name: String) {
    let damage = Self.damages.first { $0.0 == name }!.1
    let imported = importing("[" + [damage(Self.tweet(1)), Self.tweet(2), Self.tweet(3)].joined(separator: ",") + "]")
    #expect(imported.posts.map(\.nativeID) == ["2", "3"])
    #expect(imported.skipped.first?.item == 1)
  }

  @Test("a damaged line is reported with its number", arguments: damages.map(\.0))
  func line(name: String) {
    let damage = Self.damages.first { $0.0 == name }!.1
    let lines = [Self.tweet(1), "", damage(Self.tweet(2)), Self.tweet(3)]
    for ending in ["\n", "\r\n"] {
      let imported = importing(lines.joined(separator: ending), name: "posts.jsonl")
      #expect(imported.posts.map(\.nativeID) == ["1", "3"])
      #expect(imported.skipped.map(\.line) == [3])
      #expect(imported.skipped.map(\.item) == [2])
      #expect(imported.skipped.first?.byte == lines[0].utf8.count + 2 * ending.utf8.count)
    }
  }

  @Test("a file with one object a line is recognised as lines")
  func linesFound() {
    let imported = importing([Self.tweet(1), String(Self.tweet(2).dropLast()), Self.tweet(3)].joined(separator: "\n"))
    #expect(imported.posts.map(\.nativeID) == ["1", "3"])
    #expect(imported.skipped.map(\.line) == [2])
  }

  @Test("a truncated file yields its complete posts and a report")
  func truncated() {
    let whole = "[" + [Self.tweet(1), Self.tweet(2)].joined(separator: ",") + "]"
    let inside = importing(String(whole.dropLast(10)))
    #expect(inside.posts.map(\.nativeID) == ["1"])
    #expect(inside.reasons == ["cut off: the file ends inside the item"])
    let between = importing(String(whole.dropLast()))
    #expect(between.posts.map(\.nativeID) == ["1", "2"])
    #expect(between.reasons == ["cut off: the file ends inside its list"])
  }

  @Test("an item over the limit is skipped to its end")
  func tooLong() {
    let options = ImportOptions(itemLimit: 1000)
    let items = [Self.tweet(1), Self.tweet(2, String(repeating: "x", count: 5000)), Self.tweet(3)]
    let array = importing("[" + items.joined(separator: ",") + "]", options)
    #expect(array.posts.map(\.nativeID) == ["1", "3"])
    #expect(array.reasons == ["longer than 0 KiB"])
    let lines = importing(items.joined(separator: "\n"), name: "x.jsonl", options)
    #expect(lines.posts.map(\.nativeID) == ["1", "3"])
    #expect(lines.skipped.map(\.line) == [2])
  }

  @Test("a collection with too much data after its list loses nothing after it")
  func longTail() {
    let collection = #"{"items":[\#(Self.tweet(1))],"more":"\#(String(repeating: "x", count: 1500))"}"#
    let imported = importing("\(collection)\n\(Self.tweet(2))\n\(Self.tweet(3))", ImportOptions(itemLimit: 1000))
    #expect(imported.posts.map(\.nativeID) == ["1", "2", "3"])
    #expect(imported.reasons == ["longer than 0 KiB"])
  }

  @Test("a collection whose list begins at the limit yields its posts")
  func listAtLimit() {
    let head = #"{"more":"\#(String(repeating: "x", count: 980))","items":["#
    let imported = importing("\(head)\(Self.tweet(1))]}\n\(Self.tweet(2))", ImportOptions(itemLimit: head.utf8.count))
    #expect(imported.posts.map(\.nativeID) == ["1", "2"])
    #expect(imported.reasons == ["longer than 0 KiB"])
  }

  @Test("a file with a damaged beginning is read from the first item that begins like the damaged one")
  func headDamaged() {
    let imported = importing(#"{"@context":["x"],"lic"],"cc":1},\#(Self.status(1).dropLast(2)),\#(Self.status(2))"#)
    #expect(imported.refusals == [])
    #expect(imported.posts.map { String($0.nativeID.suffix(1)) } == ["2"])
    #expect(imported.skipped.first?.item == 1)
  }

  @Test(
    "items that are JSON but not posts are skipped with a reason",
    arguments: [
      (#"{"created_at":"yesterday","text":"x","user":{"screen_name":"a"}}"#, "unreadable date “yesterday”"),
      (#"{"created_at":null,"text":"x","user":{"screen_name":"a"}}"#, "no date"),
      (#"{"created_at":"2018-10-10T20:19:24Z","text":"x","user":{}}"#, "user without name or ID"),
      (#"{"delete":{"status":{"id":1}}}"#, "a deletion (imports never delete posts)"),
      (#"{"limit":{"track":3}}"#, "a notice of tweets omitted from the stream"),
      (#"{"friends":[1,2]}"#, "the list of friends at the start of a stream"),
      (
        #"{"id":"1","type":"follow","created_at":"2018-10-10T20:19:24Z","account":{"acct":"a"}}"#,
        "a notification (follow) without a post"
      ),
      (
        #"{"type":"Like","actor":"https://a/","object":"https://b/"}"#,
        "a Like activity; only Create and Announce contain posts"
      ),
      ("17", "numbers or literals, not posts"), (#""text""#, "a list of strings, not posts"),
      (#"{"foo":1,"bar":2}"#, "JSON objects with the fields foo, bar, not a known kind of post"),
    ])
  func skipped(item: String, reason: String) {
    let imported = importing("[\(Self.tweet(1)),\(item),\(Self.tweet(2))]")
    #expect(imported.posts.map(\.nativeID) == ["1", "2"])
    #expect(imported.reasons == [reason])
  }

  @Test("a file with only damaged items is refused")
  func onlyDamage() {
    #expect(
      importing("{oops}").refusals == [
        "file.json: no item is readable; the first, on line 1: damaged: not well-formed JSON"
      ])
  }

  @Test(
    "JSON beyond the parser's limits is not called damaged",
    arguments: [
      (String(repeating: "[", count: 2000) + String(repeating: "]", count: 2000), "nested too deeply to be read"),
      ("1e999", "damaged: a number is malformed or too large"),
      ("123456789012345678901234567890", "damaged: a number is malformed or too large"),
      ("truth", "damaged: not well-formed JSON"),
    ])
  func beyondLimits(value: String, reason: String) {
    let bad = Self.tweet(2).replacingFirst("\"hello\"", with: "\"hello\",\"x\":\(value)")
    #expect(importing("[\(Self.tweet(1)),\(bad),\(Self.tweet(3))]").reasons == [reason])
    #expect(importing("\(Self.tweet(1))\n\(bad)\n\(Self.tweet(3))", name: "a.jsonl").reasons == [reason])
  }

  @Test("a first line that is not a post costs only itself if the format is named")
  func firstLine() {
    let line = #"{"author":"ann","created_at":"2023-01-01T13:00:00Z","text":"x"}"#
    for bad in [#"{"foo":1}"#, "17", Self.tweet(1), "{oops}"] {
      let imported = importing("\(bad)\n\(line)\n\(line)", ImportOptions(format: .jsonLines))
      #expect(imported.refusals == [])
      #expect(imported.posts.count == 2)
      #expect(imported.skipped.map(\.position) == [1])
    }
    #expect(
      importing("{\"foo\":1}\n{\"bar\":1}\n", ImportOptions(format: .jsonLines)).refusals == [
        "file.json: no item is readable; the first, on line 1: JSON objects with the fields foo, not a known kind of post"
      ])
  }

  @Test(
    "a line of Stack's own format that lacks a field, or has one of a wrong type, is skipped with the reason",
    arguments: [
      (#""author":"ann","text":"x""#, "it has no created_at"),
      (#""created_at":1,"text":"x""#, "it has no author"),
      (#""author":"ann","created_at":1"#, "it has no text"),
      (#""author":"ann","created_at":1,"text":5"#, "text is a number, not a string"),
      (#""author":"ann","created_at":[],"text":"x""#, "created_at is a list, not a time"),
      (#""author":7,"created_at":1,"text":"x""#, "author is a number, not an object or a handle"),
      (#""author":{"handle":true},"created_at":1,"text":"x""#, "handle is true or false, not a string"),
      (#""author":"a","created_at":1,"text":"x","in_reply_to":{}"#, "in_reply_to is an object, not a string"),
      (#""author":"a","created_at":1,"text":"x","flags":"saved""#, "flags is a string, not a list"),
      (#""author":"a","created_at":1,"original":"x""#, "original is a string, not an object"),
    ])
  func ownLine(fields: String, reason: String) {
    let line = #"{"author":"ann","created_at":"2023-01-01T13:00:00Z","text":"x"}"#
    for lines in [["{\(fields)}", line], [line, "{\(fields)}"]] {
      let imported = importing(lines.joined(separator: "\n"), name: "a.jsonl", ImportOptions(format: .jsonLines))
      #expect(imported.refusals == [] && imported.posts.count == 1 && imported.reasons == [reason])
    }
    let unnamed = importing("\(line)\n{\(fields)}", name: "a.jsonl")
    #expect(unnamed.posts.count == 1 && unnamed.reasons == [reason])
  }

  @Test("posts, gaps and skipped items have the number by which a user finds them")
  func positions() throws {
    func positions(_ text: String, name: String) throws -> (posts: [Int], gaps: [Int], skipped: [Int]) {
      let importer = Importer(options: ImportOptions())
      importer.begin(file: name)
      var batches = [try importer.receive(Array(text.utf8))]
      batches.append(try importer.endFile())
      return (
        batches.flatMap(\.positions), batches.flatMap { $0.gaps.map(\.position) },
        batches.flatMap { $0.skipped.map(\.position) }
      )
    }
    let gap = #"{"gap":{"newer":"2023-01-02T13:00:00Z","older":"2023-01-01T13:00:00Z"}}"#
    let lines = try positions("\(Self.tweet(1))\n\n3\n\(Self.tweet(2))\n\(gap)\n", name: "a.jsonl")
    #expect(lines == ([1, 4], [5], [3]))
    let array = try positions("[\n\(Self.tweet(1)),\n3,\(Self.tweet(2))]", name: "a.json")
    #expect(array == ([1, 3], [], [2]))
    // Posts of a server that is not known yet are held back, and keep their numbers.
    let remote = Self.status(1).replacingFirst(#""acct":"ann""#, with: #""acct":"ann@r.example""#)
    let stream = try positions("event: update\ndata: \(remote)\n\nevent: delete\ndata: 7\n\n", name: "a.sse")
    #expect(stream == ([2], [], [5]))
  }

  @Test("only the first hundred skips of a batch have reasons, but all are counted")
  func manyReasons() {
    let imported = importing("[\(Self.tweet(1))" + String(repeating: ",0", count: 1000) + "]")
    #expect(imported.skippedCount == 1000)
    #expect(imported.skipped.count <= 2 * ImportBatch.reasonLimit)
  }

  @Test("hostile nesting and endless openings terminate")
  func hostile() {
    for piece in ["[", "{\"a\":", "{\"a\":[", "{\"a\":\"", "\"", "\\", "},{\"a\":1"] {
      let text = "[{\"a\":1},\(String(repeating: piece, count: 20_000))"
      let imported = importing(text, ImportOptions(itemLimit: 16 << 10))
      #expect(imported.posts.isEmpty)
    }
  }
}

extension String {
  /// Returns the string with the first `part` replaced.
  func replacingFirst(_ part: String, with other: String) -> String {
    guard let range = firstRange(of: part) else { return self }
    return String(self[..<range.lowerBound]) + other + String(self[range.upperBound...])
  }
}
