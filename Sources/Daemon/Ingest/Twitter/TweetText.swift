internal import Posts

/// A tweet's text as displayed: links expanded, links to its own media removed, HTML escapes decoded, marks in bytes.
///
/// `indices` count Unicode code points of the *escaped* text (Twitter API v1.1 entities object), so the text is split
/// first and then unescaped once. If an index does not match its entity (truncated retweets, old exports), the text
/// itself is searched.
enum TweetText {
  /// Returns the text of `source` with the entities of `entities` and the links of `media`. O(length + entities).
  static func read(_ source: Bytes, entities: JSONValue?, media: JSONValue?) -> (text: SafeText, spans: [Posts.Span]) {
    let bytes = source.array
    var marks = EntityMarks(text: bytes)
    for url in entities?["urls"]?.elements ?? none { marks.addLink(url) }
    for mention in entities?["user_mentions"]?.elements ?? none { marks.addMention(mention) }
    for hashtag in entities?["hashtags"]?.elements ?? none { marks.addHashtag(hashtag) }
    for item in entities?["media"]?.elements ?? none { marks.addMedia(item) }
    for item in media?.elements ?? none { marks.addMedia(item) }
    return compose(bytes, marks.sorted())
  }

  private static var none: JSONValue.Elements { .none }

  private static func compose(_ bytes: [UInt8], _ marks: [EntityMark]) -> (text: SafeText, spans: [Posts.Span]) {
    if marks.isEmpty, !bytes.contains(UInt8(ascii: "&")) { return (SafeText(wellFormed: bytes), []) }
    var output = MarkedText()
    output.bytes.reserveCapacity(bytes.count)
    var position = 0
    var droppedAtStart = false
    for mark in marks where mark.range.lowerBound >= position {
      append(bytes, position..<mark.range.lowerBound, to: &output, skippingSpace: droppedAtStart)
      position = mark.range.upperBound
      guard let kind = mark.kind else {
        output.trimEnd()
        droppedAtStart = output.bytes.isEmpty
        continue
      }
      let start = output.bytes.count
      if let shown = mark.shown {
        output.bytes += shown
      } else {
        Entities.appendDecoded(bytes, mark.range, to: &output.bytes)
      }
      output.mark(kind, start..<output.bytes.count, target: mark.target)
    }
    append(bytes, position..<bytes.count, to: &output, skippingSpace: droppedAtStart)
    return output.finished()
  }

  private static func append(_ bytes: [UInt8], _ range: Range<Int>, to output: inout MarkedText, skippingSpace: Bool) {
    var start = range.lowerBound
    if skippingSpace, output.bytes.isEmpty {
      while start < range.upperBound, bytes[start] == 0x20 { start += 1 }
    }
    Entities.appendDecoded(bytes, start..<range.upperBound, to: &output.bytes)
  }
}

/// The position of an entity in a tweet's escaped text.
struct EntityMark {
  /// The kind of entity; nil for a link to the tweet's own media, which is not displayed.
  var kind: Posts.Span.Kind?
  /// In bytes of the escaped text.
  var range: Range<Int>
  /// The text displayed in its place; nil for the original text.
  var shown: [UInt8]?
  var target: [UInt8]
}

/// Finds the entities of a tweet in its text.
struct EntityMarks {
  private let text: [UInt8]
  private var found: [EntityMark] = []
  /// The byte offset of every code point and of the end; empty for ASCII, where both are the same.
  private let offsets: [Int]
  /// The number of entities that may still be searched for in the whole text, so that a hostile tweet costs no more
  /// than an honest one.
  private var searches = 32

  init(text: [UInt8]) {
    self.text = text
    offsets = text.allSatisfy { $0 < 0x80 } ? [] : text.indices.filter { text[$0] & 0xC0 != 0x80 } + [text.count]
  }

  /// Returns the marks in the order of the text; of overlapping marks, `compose` uses the first.
  func sorted() -> [EntityMark] { found.count < 2 ? found : found.sorted { $0.range.lowerBound < $1.range.lowerBound } }

  mutating func addLink(_ entity: JSONValue) {
    guard let url = entity["url"]?.bytes, !url.isEmpty, let range = range(of: entity, where: { $0.elementsEqual(url) })
    else { return }
    let expanded = entity["expanded_url"]?.bytes ?? url
    let target = expanded.isEmpty ? url.array : expanded.array
    found.append(EntityMark(kind: .link, range: range, shown: target, target: target))
  }

  mutating func addMention(_ entity: JSONValue) {
    guard let name = entity["screen_name"]?.bytes, !name.isEmpty else { return }
    let sign = Array("@".utf8)
    guard let range = range(of: entity, where: { Self.names($0, name, signs: [sign, Array("＠".utf8)]) }) else { return }
    found.append(EntityMark(kind: .mention, range: range, shown: nil, target: name.array))
  }

  mutating func addHashtag(_ entity: JSONValue) {
    guard let name = entity["text"]?.bytes, !name.isEmpty else { return }
    let sign = Array("#".utf8)
    guard let range = range(of: entity, where: { Self.names($0, name, signs: [sign, Array("＃".utf8)]) }) else { return }
    found.append(EntityMark(kind: .hashtag, range: range, shown: nil, target: name.array))
  }

  /// Adds a link to the tweet's own media; several pictures share one link.
  mutating func addMedia(_ entity: JSONValue) {
    guard let url = entity["url"]?.bytes, !url.isEmpty, let range = range(of: entity, where: { $0.elementsEqual(url) }),
      !found.contains(where: { $0.range == range })
    else { return }
    found.append(EntityMark(kind: nil, range: range, shown: nil, target: []))
  }

  /// Returns the bytes at the entity's indices if they match the entity; otherwise the first match that is not taken;
  /// nil if there is none.
  private mutating func range(of entity: JSONValue, where matches: (ArraySlice<UInt8>) -> Bool) -> Range<Int>? {
    var indices: [Int] = []
    for index in entity["indices"]?.elements ?? .none { indices.append(index.integer ?? -1) }
    guard found.count < 1024, indices.count == 2, indices[0] >= 0, indices[0] < indices[1] else { return nil }
    if let range = byteRange(indices[0]..<indices[1]), matches(text[range]) { return range }
    let length = indices[1] - indices[0]
    guard searches > 0, length <= 512, text.count <= 16_384 else { return nil }
    searches -= 1
    let count = offsets.isEmpty ? text.count : offsets.count - 1
    guard count >= length else { return nil }
    for start in 0...count - length {
      if let range = byteRange(start..<start + length), matches(text[range]),
        !found.contains(where: { $0.range.overlaps(range) })
      {
        return range
      }
    }
    return nil
  }

  private func byteRange(_ points: Range<Int>) -> Range<Int>? {
    if offsets.isEmpty { return points.upperBound <= text.count ? points : nil }
    return points.upperBound < offsets.count ? offsets[points.lowerBound]..<offsets[points.upperBound] : nil
  }

  /// True if `slice` is one of `signs` followed by `name`, ignoring case, since users write handles in any case.
  private static func names(_ slice: ArraySlice<UInt8>, _ name: Bytes, signs: [[UInt8]]) -> Bool {
    guard let sign = signs.first(where: { slice.starts(with: $0) }) else { return false }
    let rest = slice.dropFirst(sign.count)
    return rest.count == name.count && zip(rest, name).allSatisfy { lower($0) == lower($1) }
  }

  private static func lower(_ byte: UInt8) -> UInt8 { byte >= 0x41 && byte <= 0x5A ? byte | 0x20 : byte }
}
