/// The kind of a file, judged by its first bytes.
enum FileKind: Equatable {
  /// JSON from the byte `start`: after a byte order mark or an archive's `window.YTD… =`.
  case json(start: Int)
  /// One JSON object a line.
  case lines
  /// The body of a Mastodon event stream.
  case eventStream
  /// A property list, XML or binary.
  case propertyList
  /// Empty, or only white space.
  case empty
  /// A file that cannot be imported; the text describes it and the remedy.
  case foreign(String)

  /// The number of first bytes needed to judge a file; a sample is shorter only if the file is.
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
      return .foreign("a tar archive; unpack it and import the files in it (outbox.json and actor.json)")
    }
    return sample.prefix(64).contains(0) ? .foreign("a binary file of an unknown kind") : nil
  }

  private static let signatures: [([UInt8], String)] = [
    (
      Array("PK".utf8) + [3, 4],
      "a ZIP archive; unpack it and import the files in it (data/account.js and data/tweets.js)"
    ),
    ([0x1F, 0x8B], "a gzip file; unpack it first (tar xzf for an archive, gunzip for a single file)"),
    (Array("BZh".utf8), "a bzip2 file; unpack it first"),
    ([0xFD] + Array("7zXZ".utf8), "an xz file; unpack it first"),
    ([0x28, 0xB5, 0x2F, 0xFD], "a zstd file; unpack it first"),
    ([0x37, 0x7A, 0xBC, 0xAF], "a 7z archive; unpack it first"),
    ([0xFF, 0xFE], "UTF-16 text; convert it to UTF-8 first (iconv -f UTF-16 -t UTF-8)"),
    ([0xFE, 0xFF], "UTF-16 text; convert it to UTF-8 first (iconv -f UTF-16 -t UTF-8)"),
    (Array("%PDF".utf8), "a PDF document"),
    (Array("SQLite format 3".utf8), "an SQLite database"),
    ([0x89] + Array("PNG".utf8), "an image"),
    ([0xFF, 0xD8, 0xFF], "an image"),
    (Array("GIF8".utf8), "an image"),
    (Array("RIFF".utf8), "an image or audio file"),
    ([0x3A, 0xA2, 0x65] + Array("roots".utf8), "a Bluesky repository (CAR); Bluesky is not supported yet"),
  ]

  // MARK: - Text

  /// Returns the position after a byte order mark and white space.
  private static func textStart(_ sample: [UInt8]) -> Int {
    var start = sample.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
    while start < sample.count, HTMLTag.isSpace(sample[start]) { start += 1 }
    return start
  }

  private static func markup(_ text: ArraySlice<UInt8>) -> FileKind {
    let head = String(decoding: text, as: UTF8.self).lowercased()
    for (tag, kind) in roots where head.contains(tag) { return kind }
    return .foreign("XML of an unknown kind")
  }

  private static let roots: [(String, FileKind)] = [
    ("<plist", .propertyList), ("<!doctype plist", .propertyList),
    ("<rss", .foreign("an RSS feed; `feed add` subscribes to one by its address")),
    ("<rdf:rdf", .foreign("an RSS 1.0 feed; `feed add` subscribes to one by its address")),
    ("<feed", .foreign("an Atom feed; `feed add` subscribes to one by its address")),
    ("<opml", .foreign("a list of feeds (OPML); `feed import` subscribes to them")),
    ("<!doctype html", .foreign("a web page")), ("<html", .foreign("a web page")), ("<svg", .foreign("an image")),
  ]

  private static func text(_ text: ArraySlice<UInt8>, _ name: String) -> FileKind {
    if hasSuffix(name, [".yml", ".yaml"]) { return .foreign("a YAML file") }
    if hasSuffix(name, [".csv", ".tsv"]) { return .foreign("a CSV or TSV table") }
    let begin = ElementKind.printable(String(decoding: text.prefix(80), as: UTF8.self), limit: 24)
    return .foreign("text of an unknown format that begins with “\(begin)”")
  }

  private static func hasSuffix(_ name: String, _ endings: [String]) -> Bool {
    let lower = name.lowercased()
    return endings.contains { lower.hasSuffix($0) }
  }

  // MARK: - Scripts in Twitter archives

  /// Reads an assignment of data: `window.YTD.tweets.part0 = […]`, or the older `Grailbird.data.tweets_2012_03 = […]`.
  private static func script(_ sample: [UInt8], from start: Int) -> FileKind? {
    guard let sign = sample[start...].prefix(200).firstIndex(of: UInt8(ascii: "=")) else { return nil }
    let name = String(decoding: sample[start..<sign], as: UTF8.self).filter { !$0.isWhitespace }
    if name.hasPrefix("Grailbird.data.tweets") { return .json(start: sign + 1) }
    if name == "window.__THAR_CONFIG" {
      return .foreign("the table of contents of a Twitter archive; import tweets.js instead")
    }
    guard name.hasPrefix("window.YTD.") else { return nil }
    let section = name.split(separator: ".").dropFirst(2).first.map { String($0) } ?? ""
    switch section {
    case "tweets", "tweet", "community_tweet", "account", "profile": return .json(start: sign + 1)
    case "like": return .foreign("the likes of a Twitter archive")
    case "follower": return .foreign("the followers of a Twitter archive")
    case "following": return .foreign("the followed accounts of a Twitter archive")
    case "deleted_tweets", "deleted_tweet":
      return .foreign("the deleted tweets of a Twitter archive, which stay deleted")
    case _ where section.hasPrefix("direct_message"):
      return .foreign("the direct messages of a Twitter archive")
    default:
      return .foreign(
        "the part “\(ElementKind.printable(section, limit: 40))” of a Twitter archive; import tweets.js instead")
    }
  }
}
