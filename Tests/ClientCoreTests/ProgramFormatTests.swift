import ClientCore
import TestSupport
import Testing
import ViewState

@Suite("Rows for programs")
struct ProgramFormatTests {
  static let row = TestRow.make(lines: ["one\ttab\n", "back\\slash \u{1F600}"]) { fields in
    fields.author.source = Array("twitter".utf8)
    fields.createdAtMilliseconds = 1_709_469_296_789
    fields.permalink = Array("https://x.example/17".utf8)
    fields.inReplyTo = 5
    fields.replies = 1
    fields.reposts = 2
    fields.favourites = 3
    fields.visibility = 2
    fields.contentWarning = Array("a\nb".utf8)
    fields.repostedBy = RowAuthor(id: 2, handle: Array("cy".utf8), displayName: [], avatarURL: [])
    fields.spans = [RowSpan(kind: .hashtag, range: 0..<3, target: Array("one".utf8))]
    fields.media = [RowMedia(kind: .animation, url: Array("u".utf8), altText: Array("\"a\"".utf8))]
    fields.flags = [.saved, .sensitive]
  }

  @Test("TAB-separated values: one line per row, columns in order") func plain() {
    let line = text(PlainRow.line(Self.row))
    #expect(
      line
        == "17\t2024-03-03T12:34:56.789Z\tann\tAnn\tone\\ttab\\nback\\\\slash 😀\thttps://x.example/17\tcy\t5\t1\t2\t3"
        + "\tunlisted\ta\\nb\t17\t\t0\ttwitter\n")
    #expect(line.split(separator: "\t", omittingEmptySubsequences: false).count == PlainRow.columns.count)
  }

  @Test("TAB-separated values preserve any text", arguments: seeds(0..<100 as Range<UInt64>))
  func plainRoundTrip(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let alphabet = ["\\", "\t", "\n", "n", "t", "é", "漢", " ", "\\n"]
    let said = (0..<12).map { _ in alphabet.randomElement(using: &random)! }.joined()
    let line = text(PlainRow.line(TestRow.make(lines: [said])))
    #expect(line.count { $0 == "\n" } == 1)
    let cell = line.dropLast().split(separator: "\t", omittingEmptySubsequences: false)[4]
    var read = ""
    var escaped = false
    for character in cell {
      if escaped {
        read.append(["n": "\n", "t": "\t", "\\": "\\"][character] ?? "?")
        escaped = false
      } else if character == "\\" {
        escaped = true
      } else {
        read.append(character)
      }
    }
    #expect(read == said)
  }

  @Test("JSON has the documented keys, in order") func keys() throws {
    var writer = RowWriter(.json, painter: LinePainter(width: 80, traits: .bare), isSingle: true)
    let value = try #require(JSONValue(writer.row(Self.row) + writer.end()))
    #expect(
      value.keys == [
        "id", "kind", "post_id", "created_at", "label", "author", "reposted_by", "original_created_at",
        "text", "spans", "media",
        "content_warning", "language", "permalink", "in_reply_to", "in_reply_to_handle", "replies", "reposts",
        "favourites", "visibility",
      ] + RowFlags.kinds.map { String(describing: $0.name) } + [
        "read_mark", "delivery", "failure", "height", "line_ends", "folded_lines", "direct", "depth",
      ])
    #expect(value["id"] == .string("17"))
    #expect(value["text"] == .string("one\ttab\nback\\slash 😀"))
    #expect(value["in_reply_to"] == .string("5"))
    #expect(value["visibility"] == .string("unlisted"))
    #expect(value["saved"] == .bool(true))
    #expect(value["edited"] == .bool(false))
    #expect(value["line_ends"] == .array([.number(8), .number(23)]))
    #expect(value["author"]?.keys == ["id", "handle", "name", "avatar_url", "source", "namesake"])
    #expect(value["author"]?["source"] == .string("twitter") && value["author"]?["namesake"] == .bool(false))
    #expect(
      value["spans"]
        == .array([
          .object([
            ("kind", .string("hashtag")), ("start", .number(0)), ("length", .number(3)), ("target", .string("one")),
          ])
        ]))
    #expect(
      value["media"]
        == .array([.object([("kind", .string("animation")), ("url", .string("u")), ("alt", .string("\"a\""))])]))
  }

  @Test("IDs keep every digit, which JSON numbers would not") func bigIDs() throws {
    var writer = RowWriter(.jsonl, painter: LinePainter(width: 80, traits: .bare))
    let value = try #require(JSONValue(writer.row(TestRow.at(1, id: .max))))
    #expect(value["id"] == .string("18446744073709551615"))
  }

  @Test("a list is one array, even if empty; JSON Lines are one object each") func lists() throws {
    for count in 0...3 {
      var array = RowWriter(.json, painter: LinePainter(width: 80, traits: .bare))
      var lines = RowWriter(.jsonl, painter: LinePainter(width: 80, traits: .bare))
      var (arrayBytes, linesBytes): ([UInt8], [UInt8]) = ([], [])
      for id in 0..<UInt64(count) {
        arrayBytes += array.row(TestRow.at(1, id: id + 1))
        linesBytes += lines.row(TestRow.at(1, id: id + 1))
      }
      arrayBytes += array.end()
      linesBytes += lines.end()
      guard case .array(let elements)? = JSONValue(arrayBytes) else {
        Issue.record("not an array")
        return
      }
      let objects = linesBytes.split(separator: 0x0A).map { JSONValue($0) }
      #expect(elements.count == count)
      #expect(objects == elements.map { $0 })
    }
  }

  @Test("a heading precedes the rows, in the formats that have one", arguments: [0, 2] as [UInt64])
  func headings(count: UInt64) throws {
    let author = RowAuthor(id: 7, handle: Array("ann".utf8), displayName: Array("Ann".utf8), avatarURL: [])
    func written(_ format: RowFormat) -> [UInt8] {
      let painter = LinePainter(width: 80, traits: .bare)
      var writer = RowWriter(format, painter: painter, heading: RowWriter.Heading("profile", author.record))
      var bytes = writer.begin()
      for id in 0..<count { bytes += writer.row(TestRow.at(1, id: id + 1)) }
      return bytes + writer.end()
    }
    let value = try #require(JSONValue(written(.json)))
    #expect(value.keys == ["profile", "posts"] && value["profile"]?["handle"] == .string("ann"))
    guard case .array(let posts)? = value["posts"] else {
      Issue.record("posts is no array")
      return
    }
    #expect(posts.count == Int(count))
    let lines = written(.jsonl).split(separator: 0x0A).map { JSONValue($0) }
    #expect(lines.count == Int(count) + 1 && lines[0]?["profile"]?["id"] == .string("7"))
    #expect(written(.plain).count { $0 == 0x0A } == Int(count))
    #expect(text(written(.lines)).hasPrefix("Ann @ann\n\n"))
  }

  @Test("JSON preserves every text, including controls", arguments: EscapeLawTests.harm)
  func jsonRoundTrip(said: [UInt8]) throws {
    var writer = RowWriter(.jsonl, painter: LinePainter(width: 80, traits: .bare))
    let value = try #require(JSONValue(writer.row(TestRow.make(lines: [""]) { $0.text = said })))
    #expect(value["text"] == .string(String(decoding: said, as: UTF8.self)))
  }
}
