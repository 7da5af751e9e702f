import Dates
import Ingest
import Posts
import TestSupport
import Testing

@Suite("Stack's JSON Lines")
struct JSONLinesTests {
  static func written(_ posts: [ImportedPost]) -> [UInt8] {
    var bytes: [UInt8] = []
    for post in posts { JSONLines.append(post, to: &bytes) }
    return bytes
  }

  static func read(_ bytes: [UInt8]) -> Imported {
    importing([("export.jsonl", bytes)], ImportOptions(format: .jsonLines))
  }

  @Test("every post of every fixture is read back unchanged, with its native JSON", arguments: Expected.all)
  func fixtures(expected: Expected) {
    let posts = FixtureTests.load(expected.file).posts
    let bytes = Self.written(posts)
    #expect(bytes.count { $0 == 0x0A } == posts.count)
    #expect(Self.read(bytes).posts == posts)
    #expect(importing([("any.json", bytes)]).posts == posts, "auto recognises the format")
  }

  @Test("random posts are unchanged after export and import", arguments: seeds(0..<50))
  func law(seed: Int) {
    var random = SeededGenerator(seed: UInt64(seed))
    let posts = (0..<20).map { _ in Self.post(&random, nested: true) }
    #expect(Self.read(Self.written(posts)) == Imported(posts: posts))
  }

  @Test("gaps are read back unchanged, between the same posts") func gaps() throws {
    let gap = Gap(
      id: PostID(7), source: "elsewhere", newer: Instant(milliseconds: 1_672_578_000_000),
      older: Instant(milliseconds: 1_672_491_600_500),
      missing: 120, isLost: true)
    var bytes = Self.written([Self.plain("1")])
    JSONLines.append(gap, to: &bytes)
    #expect(
      String(decoding: bytes.split(separator: 0x0A)[1], as: UTF8.self)
        == #"{"gap":{"source":"elsewhere","newer":"2023-01-01T13:00:00Z","older":"2022-12-31T13:00:00.500Z","missing":120,"lost":true}}"#
    )
    bytes += Self.written([Self.plain("2")])
    bytes +=
      Array(
        #"{"complete":{"newer":"2023-01-01T13:00:00Z","older":1672491600500}}"#.utf8) + [0x0A]
    bytes += Array(#"{"gap":{"newer":"2022-01-01T13:00:00Z","older":"2023-01-01T13:00:00Z"}}"#.utf8) + [0x0A]
    bytes += Array(#"{"gap":{"newer":9223372036854775807,"older":-9223372036854775808}}"#.utf8) + [0x0A]
    let importer = Importer(options: ImportOptions(format: .jsonLines))
    importer.begin(file: "gaps.jsonl")
    let batch = try importer.receive(bytes)
    let rest = try importer.endFile()
    #expect(batch.posts.count + rest.posts.count == 2)
    let marks = batch.gaps + rest.gaps
    #expect(marks.map(\.postsBefore) == [1, 2] || !rest.posts.isEmpty)
    #expect(
      marks.map(\.note.kind) == [.missing(120), .complete] && marks.map(\.note.source) == ["elsewhere", "jsonl"])
    #expect(marks.allSatisfy { $0.note.newer == gap.newer && $0.note.older == gap.older })
    #expect((batch.skipped + rest.skipped).allSatisfy { $0.reason.hasPrefix("empty gap") })
    #expect(batch.skippedCount + rest.skippedCount == 2)
  }

  private static func plain(_ id: String) -> ImportedPost {
    ImportedPost(
      source: "elsewhere", nativeID: id,
      author: ImportedAuthor(nativeID: "41", handle: "ann", displayName: "Ann"),
      createdAt: Instant(milliseconds: 1_672_578_000_000),
      body: PostBody(text: "hello"))
  }

  @Test("the example of docs/JSONLINES.md is written and read")
  func example() {
    let post = ImportedPost(
      source: "twitter", nativeID: "1600000000000007919",
      author: ImportedAuthor(nativeID: "41", handle: "ann", displayName: "Ann", avatarURL: "https://example.org/a.png"),
      createdAt: Instant(milliseconds: 1_672_578_000_000),
      body: PostBody(
        text: "🎉 first #post", spans: [Span(kind: .hashtag, range: 11..<16, target: "post")],
        media: [Media(kind: .image, url: "https://example.org/cat.jpg", altText: "a cat")],
        counts: Counts(reposts: 1, favourites: 2), flags: [.favourited], language: "en",
        permalink: "https://twitter.com/ann/status/1600000000000007919"))
    let line = """
      {"source":"twitter","id":"1600000000000007919","created_at":"2023-01-01T13:00:00Z","author":{"id":"41","handle":"ann",\
      "name":"Ann","avatar":"https://example.org/a.png"},"text":"🎉 first #post","spans":[{"kind":"hashtag","start":11,"end":16,\
      "target":"post"}],"media":[{"kind":"image","url":"https://example.org/cat.jpg","alt":"a cat"}],"counts":{"reposts":1,\
      "favourites":2},"visibility":"public","flags":["favourited"],"language":"en",\
      "url":"https://twitter.com/ann/status/1600000000000007919"}

      """
    #expect(String(decoding: Self.written([post]), as: UTF8.self) == line)
    #expect(Self.read(Array(line.utf8)).posts == [post])
  }

  @Test("a given source names the lines that name none, and replaces no other") func givenSource() throws {
    let more = #""author":"ann","created_at":1}"#
    let lines = [
      #"{"id":"1","text":"a","# + more, #"{"source":"twitter","id":"1","text":"b","# + more,
      #"{"source":"stack","id":"1","original":{"source":"mastodon","id":"1","text":"c",\#(more),"# + more,
    ]
    let options = ImportOptions(format: .jsonLines, sourceName: "old")
    let posts = importing(lines.joined(separator: "\n"), name: "a.jsonl", options).posts
    #expect(posts.map(\.source) == ["old", "twitter", "stack"] && posts[2].original.map(\.source) == ["mastodon"])
    let importer = Importer(options: options)
    importer.begin(file: "gaps.jsonl")
    let gap = #"{"gap":{"newer":5,"older":1}}"# + "\n" + #"{"gap":{"source":"log","newer":5,"older":1}}"# + "\n"
    let gaps = try importer.receive(Array(gap.utf8)).gaps + importer.endFile().gaps
    #expect(gaps.map(\.note.source) == ["old", "log"])
  }

  @Test("text, author and date are enough for a line written by hand")
  func byHand() {
    let imported = importing(
      #"{"text":"hi","author":"Ann","created_at":"2023-01-01T13:00:00+01:00"}"#, name: "mine.jsonl")
    let post = imported.posts.first
    #expect(post?.source == "jsonl")
    #expect(post?.author == ImportedAuthor(nativeID: "@ann", handle: "Ann", displayName: "Ann"))
    #expect(post?.createdAt == Instant(milliseconds: 1_672_574_400_000))
    #expect(post?.body == PostBody(text: "hi"))
    #expect(post?.nativeID.hasPrefix("hash:") == true)
  }

  @Test("empty values of every kind are read: in a list, on lines, and in a tweet as in a line of Stack's own")
  func emptyValues() {
    let empty = #""a":[],"b":{},"c":"","d":null,"e":true,"f":0,"entities":{},"media":[],"spans":[],"aliases":[]"#
    let tweets = (0..<1000).map { number in
      #"{"id_str":"\#(number)","created_at":"Wed Oct 10 20:19:24 +0000 2018","text":"x","user":{"screen_name":"a"},\#(empty)}"#
    }
    let list = importing("[\(tweets.joined(separator: ","))]")
    #expect(list.posts.count == 1000 && list.skippedCount == 0)
    #expect(importing(tweets.joined(separator: "\n"), name: "x.jsonl").posts == list.posts)
    let lines = (0..<1000).map { number in
      #"{"id":"\#(number)","created_at":"2023-01-01T13:00:00Z","text":"","author":"a","counts":{},"flags":[],\#(empty)}"#
    }
    let own = importing(lines.joined(separator: "\n"), name: "x.jsonl")
    #expect(own.posts.count == 1000 && own.skippedCount == 0)
  }

  @Test("missing spans are found in the text; an empty list stays empty, also in an export")
  func foundSpans() throws {
    let base = #"{"text":"@bob at #sea https://x.org","author":"a","created_at":"2023-01-01T13:00:00Z""#
    let found = importing(base + "}", name: "x.jsonl").posts.first
    #expect(found?.body.spans.map(\.target) == ["bob", "sea", "https://x.org"])
    let none = try #require(importing(base + #","spans":[]}"#, name: "x.jsonl").posts.first)
    #expect(none.body.spans == [])
    let line = String(decoding: Self.written([none]), as: UTF8.self)
    #expect(line.contains(#""spans":[]"#))
    #expect(importing(line, name: "x.jsonl").posts.first?.body == none.body)
  }

  @Test("spans off character boundaries are ignored; an unknown visibility is the narrowest")
  func hostile() {
    let spans = [(0, 1), (1, 2), (0, 9), (3, 2), (-1, 2), (0, 2), (2, 3)]
      .map { #"{"kind":"link","start":\#($0.0),"end":\#($0.1),"target":"t"}"# }.joined(separator: ",")
    let post = importing(
      #"{"text":"éx","author":"a","created_at":"2023-01-01T13:00:00Z","visibility":"circle","spans":[\#(spans),{"kind":"new","start":0,"end":2}]}"#,
      name: "x.jsonl"
    ).posts.first
    #expect(post?.body.spans.map(\.range) == [0..<2, 2..<3])
    #expect(post?.body.visibility == .direct)
  }

  @Test(
    "a line that is not a post is skipped with a reason",
    arguments: [
      (
        #"{"author":"a","created_at":"2023-01-01T13:00:00Z","text":null,"original":5}"#,
        "original is a number, not an object"
      ),
      (#"{"author":{},"created_at":"2023-01-01T13:00:00Z","text":"x"}"#, "author without handle or ID"),
      (#"{"author":"a","created_at":"2023-01-01","text":"x"}"#, "unreadable date “2023-01-01”"),
    ])
  func missing(line: String, reason: String) {
    let good = #"{"author":"a","created_at":"2023-01-01T13:00:00Z","text":"x"}"# + "\n"
    let imported = importing(good + line, name: "x.jsonl")
    #expect(imported.skippedCount == 1 && imported.reasons == [reason])
  }

  // MARK: - Random posts

  static func post(_ random: inout SeededGenerator, nested: Bool) -> ImportedPost {
    var body = PostBody(text: text(&random, 60))
    var position = 0
    let boundaries = body.text.utf8.indices.filter { body.text.utf8[$0] & 0xC0 != 0x80 } + [body.text.count]
    while let start = boundaries.first(where: { $0 >= position }), Bool.random(using: &random),
      let end = boundaries.filter({ $0 > start }).randomElement(using: &random)
    {
      let kind = [Span.Kind.link, .mention, .hashtag].randomElement(using: &random)!
      body.spans.append(Span(kind: kind, range: start..<end, target: line(&random)))
      position = end
    }
    for _ in 0..<Int.random(in: 0...2, using: &random) {
      let kind = [Media.Kind.unknown, .image, .video, .animation, .audio].randomElement(using: &random)!
      body.media.append(Media(kind: kind, url: line(&random), altText: text(&random, 10)))
    }
    let counts = [0, 1, 70_000, UInt32.max]
    body.counts = Counts(
      replies: counts.randomElement(using: &random)!, reposts: counts.randomElement(using: &random)!,
      favourites: counts.randomElement(using: &random)!)
    body.visibility = Visibility.allCases.randomElement(using: &random)!
    body.flags = PostFlags(rawValue: UInt16.random(in: 0..<32, using: &random))
    body.contentWarning = line(&random)
    body.language = line(&random)
    body.permalink = line(&random)
    body.inReplyToHandle = line(&random)
    let instants =
      [0, -1, 1, 1_672_578_000_123, -62_167_219_200_000, 253_402_300_799_999, 1 << 60, -(1 << 60)] as [Int64]
    var post = ImportedPost(
      source: "s\(Int.random(in: 0...3, using: &random))", nativeID: "id" + line(&random).string,
      aliases: (0..<Int.random(in: 0...2, using: &random)).map { _ in line(&random).string },
      author: ImportedAuthor(
        nativeID: "a" + line(&random).string, handle: line(&random), displayName: line(&random),
        avatarURL: line(&random)),
      createdAt: Instant(milliseconds: instants.randomElement(using: &random)!), body: body,
      inReplyTo: Bool.random(using: &random) ? "p" + line(&random).string : nil,
      original: nested && Int.random(in: 0..<4, using: &random) == 0 ? Self.post(&random, nested: false) : nil,
      native: natives.randomElement(using: &random)!)
    if Bool.random(using: &random) {
      post.recipients = (0..<Int.random(in: 0...2, using: &random)).map { _ in line(&random) }
    }
    return post
  }

  private static let natives = [
    "", "{}", #"{"a":[1,2.50,"x\u00e9\n"],"native":{"text":"}\\\""}}"#, "[]", "12.0", #""\ud83d\ude00""#,
  ].map { Array($0.utf8) }

  private static let pieces = [
    "a", "é", "漢", "👩‍👩‍👧", "\"", "\\", "\u{200F}", "\u{FFFD}", " ", "/", "{", "}", "\u{A0}", "native",
  ]

  private static func text(_ random: inout SeededGenerator, _ length: Int) -> SafeText {
    SafeText(
      (0..<Int.random(in: 0...length, using: &random)).map { _ in (pieces + ["\n"]).randomElement(using: &random)! }
        .joined())
  }

  private static func line(_ random: inout SeededGenerator) -> SafeText {
    SafeText((0..<Int.random(in: 0...8, using: &random)).map { _ in pieces.randomElement(using: &random)! }.joined())
  }
}
