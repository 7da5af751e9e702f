/// What a file is, judged by its first bytes.
enum FileKind: Equatable {
  /// JSON from the byte `start`: past a byte order mark or an archive's `window.YTD… =`.
  case json(start: Int)
  /// One JSON object a line.
  case lines
  /// The body of a Mastodon event stream.
  case eventStream
  /// XML or binary.
  case propertyList
  /// Nothing, or white space only.
  case empty
  /// Something that cannot be imported; the text says what it is and what to do.
  case foreign(String)

  /// As many of the first bytes as are needed to judge; fewer only if the file is shorter.
  static let sampleLength = 1024

  /// Judges `sample`, the first bytes of the file `name`, which is to be read as `format`.
  init(sample: [UInt8], name: String, format: ImportFormat) {
    if let known = Self.bySignature(sample) {
      self = known
      return
    }
    let start = Self.textStart(sample)
    let text = sample[start...]
    if text.isEmpty {
      self = .empty
    } else if text.first == UInt8(ascii: "<") {
      self = Self.markup(text)
    } else if format == .jsonLines || Self.hasSuffix(name, [".jsonl", ".ndjson"]) {
      self = .lines
    } else if text.first == UInt8(ascii: "{") || text.first == UInt8(ascii: "[") {
      self = .json(start: start)
    } else if [":", "event:", "data:"].contains(where: { text.starts(with: $0.utf8) }) {
      self = .eventStream
    } else if let script = Self.script(sample, from: start) {
      self = script
    } else {
      self = Self.text(text, name)
    }
  }

  // MARK: - Binary

  private static func bySignature(_ sample: [UInt8]) -> FileKind? {
    if sample.starts(with: "bplist".utf8) { return .propertyList }
    for (signature, text) in signatures where sample.starts(with: signature) { return .foreign(text) }
    if sample.count > 262, sample[257..<262].elementsEqual("ustar".utf8) {
      return .foreign("a tar archive: unpack it and import the files in it (outbox.json and actor.json)")
    }
    return sample.prefix(64).contains(0) ? .foreign("a binary file of a kind that is not known here") : nil
  }

  private static let signatures: [([UInt8], String)] = [
    (
      Array("PK".utf8) + [3, 4],
      "a ZIP archive: unpack it and import the files in it (data/account.js and data/tweets.js)"
    ),
    ([0x1F, 0x8B], "compressed with gzip: unpack it first (tar xzf for an archive, gunzip for a single file)"),
    (Array("BZh".utf8), "compressed with bzip2: unpack it first"),
    ([0xFD] + Array("7zXZ".utf8), "compressed with xz: unpack it first"),
    ([0x28, 0xB5, 0x2F, 0xFD], "compressed with zstd: unpack it first"),
    ([0x37, 0x7A, 0xBC, 0xAF], "a 7z archive: unpack it first"),
    ([0xFF, 0xFE], "text in UTF-16: convert it to UTF-8 first (iconv -f UTF-16 -t UTF-8)"),
    ([0xFE, 0xFF], "text in UTF-16: convert it to UTF-8 first (iconv -f UTF-16 -t UTF-8)"),
    (Array("%PDF".utf8), "a PDF document"),
    (Array("SQLite format 3".utf8), "an SQLite database"),
    ([0x89] + Array("PNG".utf8), "a picture"),
    ([0xFF, 0xD8, 0xFF], "a picture"),
    (Array("GIF8".utf8), "a picture"),
    (Array("RIFF".utf8), "a picture or a sound"),
    ([0x3A, 0xA2, 0x65] + Array("roots".utf8), "a Bluesky repository (CAR); Bluesky is not supported yet"),
  ]

  // MARK: - Text

  /// Past a byte order mark and white space.
  private static func textStart(_ sample: [UInt8]) -> Int {
    var start = sample.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
    while start < sample.count, HTMLTag.isSpace(sample[start]) { start += 1 }
    return start
  }

  private static func markup(_ text: ArraySlice<UInt8>) -> FileKind {
    let head = String(decoding: text, as: UTF8.self).lowercased()
    for (tag, kind) in roots where head.contains(tag) { return kind }
    return .foreign("XML of a kind that is not known here")
  }

  private static let roots: [(String, FileKind)] = [
    ("<plist", .propertyList), ("<!doctype plist", .propertyList),
    ("<rss", .foreign("an RSS feed; feeds are not supported yet")),
    ("<rdf:rdf", .foreign("an RSS 1.0 feed; feeds are not supported yet")),
    ("<feed", .foreign("an Atom feed; feeds are not supported yet")),
    ("<opml", .foreign("a list of feeds (OPML); feeds are not supported yet")),
    ("<!doctype html", .foreign("a web page")), ("<html", .foreign("a web page")), ("<svg", .foreign("a picture")),
  ]

  private static func text(_ text: ArraySlice<UInt8>, _ name: String) -> FileKind {
    if hasSuffix(name, [".yml", ".yaml"]) { return .foreign("a YAML file, not posts") }
    if hasSuffix(name, [".csv", ".tsv"]) { return .foreign("a table, not posts") }
    let begin = ElementKind.printable(String(decoding: text.prefix(80), as: UTF8.self), limit: 24)
    return .foreign("text that begins with “\(begin)”, which is no format known here")
  }

  private static func hasSuffix(_ name: String, _ endings: [String]) -> Bool {
    let lower = name.lowercased()
    return endings.contains { lower.hasSuffix($0) }
  }

  // MARK: - Scripts of Twitter archives

  /// `window.YTD.tweets.part0 = […]` and the older `Grailbird.data.tweets_2012_03 = […]`: data behind an assignment.
  private static func script(_ sample: [UInt8], from start: Int) -> FileKind? {
    guard let sign = sample[start...].prefix(200).firstIndex(of: UInt8(ascii: "=")) else { return nil }
    let name = String(decoding: sample[start..<sign], as: UTF8.self).filter { !$0.isWhitespace }
    if name.hasPrefix("Grailbird.data.tweets") { return .json(start: sign + 1) }
    if name == "window.__THAR_CONFIG" { return .foreign("the table of contents of a Twitter archive, not posts") }
    guard name.hasPrefix("window.YTD.") else { return nil }
    let section = name.split(separator: ".").dropFirst(2).first.map { String($0) } ?? ""
    switch section {
    case "tweets", "tweet", "community_tweet", "account", "profile": return .json(start: sign + 1)
    case "like": return .foreign("the list of likes of a Twitter archive, not posts")
    case "follower": return .foreign("the list of followers of a Twitter archive, not posts")
    case "following": return .foreign("the list of people followed of a Twitter archive, not posts")
    case "deleted_tweets", "deleted_tweet":
      return .foreign("the deleted tweets of a Twitter archive, which stay deleted")
    case _ where section.hasPrefix("direct_message"):
      return .foreign("the direct messages of a Twitter archive, which are not imported")
    default:
      return .foreign(
        "the part “\(ElementKind.printable(section, limit: 40))” of a Twitter archive, not posts; import tweets.js")
    }
  }
}
