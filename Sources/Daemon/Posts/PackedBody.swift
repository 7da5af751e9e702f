/// A ``PostBody`` as bytes. The store keeps it in one column and the engine in its arena, so that loading a post is a
/// copy.
///
/// Format 1, with varints in LEB128:
///
/// - the byte 1, the visibility, and the flags as a varint;
/// - the text, content warning, language, permalink and handle replied to, each preceded by its length as a varint;
/// - the counts of replies, reposts and favourites as varints;
/// - the number of spans as a varint, and for each its kind, its start and length as varints, and its target;
/// - the number of media as a varint, and for each its kind, URL and alt text;
/// - if any was uploaded, the ID of each.
public struct PackedBody: Equatable, Sendable {
  public let bytes: [UInt8]

  /// Wraps bytes made by ``init(_:)`` earlier, as read back from the store.
  public init(trusted bytes: [UInt8]) { self.bytes = bytes }

  /// Packs `body`; O(length).
  public init(_ body: PostBody) {
    var writer = Writer()
    writer.bytes.reserveCapacity(body.text.count + 24)
    writer.bytes.append(1)
    writer.bytes.append(body.visibility.rawValue)
    writer.varint(Int(body.flags.rawValue))
    writer.text(body.text)
    writer.text(body.contentWarning)
    writer.text(body.language)
    writer.text(body.permalink)
    writer.text(body.inReplyToHandle)
    writer.varint(Int(body.counts.replies))
    writer.varint(Int(body.counts.reposts))
    writer.varint(Int(body.counts.favourites))
    writer.varint(body.spans.count)
    for span in body.spans {
      writer.bytes.append(span.kind.rawValue)
      writer.varint(span.range.lowerBound)
      writer.varint(span.range.count)
      writer.text(span.target)
    }
    writer.varint(body.media.count)
    for media in body.media {
      writer.bytes.append(media.kind.rawValue)
      writer.text(media.url)
      writer.text(media.altText)
    }
    if body.media.contains(where: { !$0.uploadID.isEmpty }) { for media in body.media { writer.text(media.uploadID) } }
    bytes = writer.bytes
  }

  /// The visibility, without unpacking the rest. A damaged body is direct, which hides it from everyone else. O(1).
  public var visibility: Visibility {
    guard bytes.count > 1, bytes[0] == 1 else { return .direct }
    return Visibility(rawValue: bytes[1]) ?? .direct
  }

  /// The flags, without unpacking the rest; empty for a damaged body. O(1).
  public var flags: PostFlags {
    guard bytes.count > 2, bytes[0] == 1 else { return [] }
    var position = 2
    return PostFlags(rawValue: UInt16(truncatingIfNeeded: Varint.read(bytes.span, at: &position)))
  }

  /// The range of the text in the bytes, without unpacking the rest; empty for a damaged body. O(1).
  public var textRange: Range<Int> {
    var reader = PackedReader(bytes: bytes)
    guard reader.byte() == 1 else { return 0..<0 }
    _ = reader.byte()
    _ = reader.varint()
    return reader.textRange()
  }

  /// Unpacks the body; nil if the bytes are not in this format, since a damaged store must not crash the daemon.
  public func unpacked() -> PostBody? {
    var reader = PackedReader(bytes: bytes)
    guard reader.byte() == 1, let visibility = Visibility(rawValue: reader.byte()) else { return nil }
    let flags = PostFlags(rawValue: UInt16(truncatingIfNeeded: reader.varint()))
    var body = PostBody(text: reader.text(), visibility: visibility, flags: flags)
    body.contentWarning = reader.text()
    body.language = reader.text()
    body.permalink = reader.text()
    body.inReplyToHandle = reader.text()
    body.counts.replies = UInt32(truncatingIfNeeded: reader.varint())
    body.counts.reposts = UInt32(truncatingIfNeeded: reader.varint())
    body.counts.favourites = UInt32(truncatingIfNeeded: reader.varint())
    for _ in 0..<reader.count() {
      guard let kind = Span.Kind(rawValue: reader.byte()) else { return nil }
      let start = reader.varint()
      let length = reader.varint()
      guard !reader.failed, start + length <= body.text.count else { return nil }
      body.spans.append(Span(kind: kind, range: start..<start + length, target: reader.text()))
    }
    for _ in 0..<reader.count() {
      body.media.append(
        Media(kind: Media.Kind(rawValue: reader.byte()) ?? .unknown, url: reader.text(), altText: reader.text()))
    }
    if !reader.isAtEnd { for index in body.media.indices { body.media[index].uploadID = reader.text() } }
    return reader.failed ? nil : body
  }
}

private struct Writer {
  var bytes: [UInt8] = []

  mutating func varint(_ value: Int) { Varint.append(UInt64(value), to: &bytes) }

  mutating func text(_ text: SafeText) {
    varint(text.count)
    bytes += text.utf8
  }
}

/// Reads the parts of a packed body. After the first invalid part, `failed` is set and everything reads as zero.
struct PackedReader {
  let bytes: [UInt8]
  private(set) var position = 0
  private(set) var failed = false

  init(bytes: [UInt8]) { self.bytes = bytes }

  var isAtEnd: Bool { position >= bytes.count }

  mutating func byte() -> UInt8 {
    guard !failed, position < bytes.count else {
      failed = true
      return 0
    }
    defer { position += 1 }
    return bytes[position]
  }

  mutating func varint() -> Int {
    var value: UInt64 = 0
    var shift: UInt64 = 0
    while shift < 35 {
      let byte = byte()
      value |= UInt64(byte & 0x7F) << shift
      if byte < 0x80 { return Int(value) }
      shift += 7
    }
    failed = true
    return 0
  }

  /// Reads the number of items that follow, each at least one byte long.
  mutating func count() -> Int {
    let value = varint()
    guard value <= bytes.count - position else {
      failed = true
      return 0
    }
    return value
  }

  mutating func text() -> SafeText { SafeText(trusted: Array(bytes[textRange()])) }

  /// Skips a text and returns its range.
  mutating func textRange() -> Range<Int> {
    let length = count()
    guard !failed else { return 0..<0 }
    defer { position += length }
    return position..<position + length
  }
}
