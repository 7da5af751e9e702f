/// A ``PackedBody`` in memory, where every byte counts a million times: the same bytes without those that say that
/// something is empty. It becomes the packed body again to the byte, whatever that was; a damaged one is kept as it is.
///
/// The first byte has the visibility in its low bits, then whether there is more than a text, and whether the body is
/// damaged. Mostly all the rest is text. If there is more, a byte says what (``Part``), then come the text with its
/// length, and the parts, each as format 1 of a packed body has it.
public enum CompactBody {
  private static let visibilityMask: UInt8 = 3
  private static let hasMore: UInt8 = 1 << 2
  private static let isDamaged: UInt8 = 1 << 3

  /// What there may be beside a text, in the order it comes in.
  private enum Part: UInt8, CaseIterable {
    case flags = 0, contentWarning, language, permalink, inReplyToHandle, counts, spansAndMedia

    /// The part of a body that has nothing of the kind, in format 1.
    var empty: [UInt8] {
      switch self {
      case .counts: [0, 0, 0]
      case .spansAndMedia: [0, 0]
      default: [0]
      }
    }
  }

  /// What is shown of a post whose body is damaged.
  public static let damagedText = Array("This post is damaged in the store.".utf8)

  /// Adds a body to `bytes`. O(length).
  public static func append(_ body: PackedBody, to bytes: inout [UInt8]) {
    let packed = body.bytes
    guard let parts = PackedParts(packed) else {
      bytes.append(isDamaged)
      bytes += packed
      return
    }
    var mask: UInt8 = 0
    for part in Part.allCases where !packed[parts.range(part.rawValue)].elementsEqual(part.empty) {
      mask |= 1 << part.rawValue
    }
    let visibility = packed[1]
    // What a text needs no length for ends where the body does; a length that is longer than it need be is kept.
    if mask == 0, parts.hasShortestTextLength {
      bytes.append(visibility)
      bytes += packed[parts.text]
      return
    }
    bytes.append(visibility | hasMore)
    bytes.append(mask)
    bytes += packed[parts.lengthOfText..<parts.text.upperBound]
    for part in Part.allCases where mask & 1 << part.rawValue != 0 { bytes += packed[parts.range(part.rawValue)] }
  }

  /// The body again, out of its bytes. O(length).
  public static func packed(_ slice: ArraySlice<UInt8>) -> PackedBody {
    let bytes = slice.span
    func part(_ range: Range<Int>) -> ArraySlice<UInt8> {
      slice[slice.startIndex + range.lowerBound..<slice.startIndex + range.upperBound]
    }
    guard let text = text(bytes) else { return PackedBody(trusted: Array(slice.dropFirst())) }
    var packed: [UInt8] = []
    packed.reserveCapacity(bytes.count + 16)
    packed += [1, bytes[0] & visibilityMask]
    guard bytes[0] & hasMore != 0 else {
      packed.append(0)
      Varint.append(UInt64(text.count), to: &packed)
      packed += part(text)
      for part in Part.allCases.dropFirst() { packed += part.empty }
      return PackedBody(trusted: packed)
    }
    let mask = bytes[1]
    var position = text.upperBound
    func next(_ kind: Part) -> ArraySlice<UInt8> {
      guard mask & 1 << kind.rawValue != 0 else { return kind.empty[...] }
      let start = position
      switch kind {
      case .flags: _ = Varint.read(bytes, at: &position)
      case .counts: for _ in 0..<3 { _ = Varint.read(bytes, at: &position) }
      case .spansAndMedia: position = bytes.count
      default: position = range(bytes, at: &position).upperBound
      }
      return part(start..<position)
    }
    packed += next(.flags)
    packed += part(2..<text.upperBound)
    for part in Part.allCases.dropFirst() { packed += next(part) }
    return PackedBody(trusted: packed)
  }

  /// Where the text is among the bytes of a body; nil for a damaged one. Nothing else is looked at. O(1).
  @inline(__always)
  public static func text(_ bytes: Swift.Span<UInt8>) -> Range<Int>? {
    guard bytes.count > 0, bytes[0] & isDamaged == 0 else { return nil }
    if bytes[0] & hasMore == 0 { return 1..<bytes.count }
    guard bytes.count > 2 else { return nil }
    var position = 2
    return range(bytes, at: &position)
  }

  /// Where as many bytes are as a varint at `position` says, which moves behind that; no more than there are.
  @inline(__always)
  private static func range(_ bytes: Swift.Span<UInt8>, at position: inout Int) -> Range<Int> {
    let length = Varint.read(bytes, at: &position)
    return position..<position
      &+ Int(truncatingIfNeeded: min(length, UInt64(truncatingIfNeeded: bytes.count &- position)))
  }
}

/// Where the parts of a sound packed body are, found without unpacking it.
private struct PackedParts {
  /// The text, and where its length is written before it.
  let text: Range<Int>
  let lengthOfText: Int
  /// Where each part of ``CompactBody`` begins and ends, in their order.
  private let ranges: [Range<Int>]

  func range(_ part: UInt8) -> Range<Int> { ranges[Int(part)] }

  /// Whether the text's length is written in as few bytes as it needs.
  var hasShortestTextLength: Bool {
    let bytes = text.lowerBound - lengthOfText
    return bytes == 1 || text.count >= 1 << (7 * (bytes - 1))
  }

  /// Nil where the bytes do not unpack.
  init?(_ bytes: [UInt8]) {
    var reader = PackedReader(bytes: bytes)
    guard reader.byte() == 1, Visibility(rawValue: reader.byte()) != nil else { return nil }
    var ranges: [Range<Int>] = []
    ranges.reserveCapacity(7)
    func add(_ start: Int) { ranges.append(start..<max(start, reader.position)) }
    _ = reader.varint()
    add(2)
    lengthOfText = reader.position
    text = reader.textRange()
    for _ in 0..<4 {
      let start = reader.position
      _ = reader.textRange()
      add(start)
    }
    let counts = reader.position
    for _ in 0..<3 { _ = reader.varint() }
    add(counts)
    let rest = reader.position
    for _ in 0..<reader.count() {
      guard Span.Kind(rawValue: reader.byte()) != nil else { return nil }
      let start = reader.varint()
      guard start + reader.varint() <= text.count, !reader.failed else { return nil }
      _ = reader.textRange()
    }
    for _ in 0..<reader.count() {
      _ = reader.byte()
      _ = reader.textRange()
      _ = reader.textRange()
    }
    guard !reader.failed else { return nil }
    ranges.append(rest..<bytes.count)
    self.ranges = ranges
  }
}
