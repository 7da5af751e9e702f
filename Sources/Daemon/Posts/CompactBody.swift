/// The in-memory form of a ``PackedBody``: the same bytes without those that only encode an empty part, since each byte
/// is paid for a million times. ``packed(_:)`` restores the packed body byte for byte; a damaged body is stored
/// unchanged.
///
/// The first byte has the visibility in its low bits, then a bit for further parts and a bit for damage. Without
/// further parts, the usual case, the rest is the text. With them, a byte with a bit for each ``Part`` follows, then
/// the length of the text and the text, then those parts as in format 1 of a packed body.
public enum CompactBody {
  private static let visibilityMask: UInt8 = 3
  private static let hasMore: UInt8 = 1 << 2
  private static let isDamaged: UInt8 = 1 << 3

  /// The parts that a body may have beside its text, in their order.
  private enum Part: UInt8, CaseIterable {
    case flags = 0, contentWarning, language, permalink, inReplyToHandle, counts, spansAndMedia

    /// The part in format 1 when the body has nothing of its kind.
    var empty: [UInt8] {
      switch self {
      case .counts: [0, 0, 0]
      case .spansAndMedia: [0, 0]
      default: [0]
      }
    }
  }

  /// The text displayed for a post whose body is damaged.
  public static let damagedText = Array("This post is damaged in the store.".utf8)

  /// Appends a body to `bytes`. O(length).
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
    // Without a length, the text ends with the body. A length written in more bytes than it needs must be preserved.
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

  /// Restores the packed body from its bytes. O(length).
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

  /// Returns the range of the text in a body's bytes; nil if the body is damaged. Reads nothing else. O(1).
  @inline(__always)
  public static func text(_ bytes: Swift.Span<UInt8>) -> Range<Int>? {
    guard bytes.count > 0, bytes[0] & isDamaged == 0 else { return nil }
    if bytes[0] & hasMore == 0 { return 1..<bytes.count }
    guard bytes.count > 2 else { return nil }
    var position = 2
    return range(bytes, at: &position)
  }

  /// What the bytes of a body tell about the line below its text (docs/BEHAVIOUR.md, rule 20).
  public enum Facts: Sendable {
    /// For nobody.
    case none
    /// For every account.
    case some
    /// It depends on the account, or the body is damaged.
    case unknown
  }

  /// Returns what the bytes of a post without marks tell about the line below its text. Unpacks nothing. O(spans).
  public static func facts(_ bytes: Swift.Span<UInt8>) -> Facts {
    guard let text = text(bytes) else { return .unknown }
    guard bytes[0] & visibilityMask == Visibility.public.rawValue else { return .some }
    guard bytes[0] & hasMore != 0 else { return .none }
    let mask = bytes[1]
    func has(_ part: Part) -> Bool { mask & 1 << part.rawValue != 0 }
    if has(.inReplyToHandle) || has(.counts) { return .some }
    var position = text.upperBound
    if has(.flags) {
      let flags = PostFlags(rawValue: UInt16(truncatingIfNeeded: Varint.read(bytes, at: &position)))
      if flags.contains(.edited) { return .some }
      if !flags.isDisjoint(with: .ofAccount) { return .unknown }
    }
    guard has(.spansAndMedia) else { return .none }
    for part in [Part.contentWarning, .language, .permalink] where has(part) {
      position = range(bytes, at: &position).upperBound
    }
    for _ in 0..<min(Varint.read(bytes, at: &position), UInt64(bytes.count)) {
      position += 1
      for _ in 0..<2 { _ = Varint.read(bytes, at: &position) }
      position = range(bytes, at: &position).upperBound
    }
    return Varint.read(bytes, at: &position) > 0 ? .some : .none
  }

  /// Returns the range after the varint at `position` that has the length it gives, cut to the bytes available; moves
  /// `position` past the varint.
  @inline(__always)
  private static func range(_ bytes: Swift.Span<UInt8>, at position: inout Int) -> Range<Int> {
    let length = Varint.read(bytes, at: &position)
    return position..<position
      &+ Int(truncatingIfNeeded: min(length, UInt64(truncatingIfNeeded: bytes.count &- position)))
  }
}

/// The positions of the parts of a valid packed body, found without unpacking it.
private struct PackedParts {
  /// The range of the text, and the position of its length before it.
  let text: Range<Int>
  let lengthOfText: Int
  /// The range of each part of ``CompactBody``, in their order.
  private let ranges: [Range<Int>]

  func range(_ part: UInt8) -> Range<Int> { ranges[Int(part)] }

  /// True if the text's length is written in as few bytes as possible.
  var hasShortestTextLength: Bool {
    let bytes = text.lowerBound - lengthOfText
    return bytes == 1 || text.count >= 1 << (7 * (bytes - 1))
  }

  /// Nil if the bytes cannot be unpacked.
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
    let media = reader.count()
    for _ in 0..<media {
      _ = reader.byte()
      _ = reader.textRange()
      _ = reader.textRange()
    }
    if !reader.isAtEnd { for _ in 0..<media { _ = reader.textRange() } }
    guard !reader.failed else { return nil }
    ranges.append(rest..<bytes.count)
    self.ranges = ranges
  }
}
