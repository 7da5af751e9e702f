/// The syntax tree of a pattern.
indirect enum PatternNode {
  /// One character, folded.
  case scalar(UInt32)
  /// Any one character.
  case any
  /// One of some characters.
  case set(PatternSet)
  /// A position between two characters.
  case assertion(PatternAssertion)
  /// Nodes in sequence; an empty sequence matches the empty text.
  case sequence([PatternNode])
  /// One of several nodes.
  case choice([PatternNode])
  /// A repeated node; without `atMost` there is no maximum.
  case repeated(PatternNode, atLeast: Int, atMost: Int?)
}

/// The zero-width assertions of patterns.
enum PatternAssertion: UInt8 {
  /// `^`
  case begin
  /// `$`
  case end
  /// `\b`: a word begins or ends here.
  case wordBoundary
  /// `\B`
  case noWordBoundary
}

/// A set of folded characters: ranges, and all characters inside or outside words.
struct PatternSet: Hashable {
  /// The ranges as written.
  var ranges: [ClosedRange<UInt32>] = []
  /// True if all letters, digits and `_` are in the set.
  var hasWords = false
  /// True if all other characters are in the set.
  var hasNonwords = false
  /// True if the set is the complement of everything above.
  var isInverted = false

  /// True if a character is in the set. O(ranges).
  func contains(_ scalar: UInt32, isWord: Bool) -> Bool {
    let isNamed = (isWord ? hasWords : hasNonwords) || ranges.contains { $0.contains(scalar) }
    return isNamed != isInverted
  }

  /// `\d`: the digits of any script, which fold to 0 to 9.
  static let digits: [ClosedRange<UInt32>] = [0x30...0x39]
  /// `\s`: Unicode's White_Space.
  static let spaces: [ClosedRange<UInt32>] = [
    0x09...0x0D, 0x20...0x20, 0x85...0x85, 0xA0...0xA0, 0x1680...0x1680, 0x2000...0x200A, 0x2028...0x2029,
    0x202F...0x202F,
    0x205F...0x205F, 0x3000...0x3000,
  ]

  /// Returns the complement of sorted ranges that do not touch.
  static func others(than ranges: [ClosedRange<UInt32>]) -> [ClosedRange<UInt32>] {
    var others: [ClosedRange<UInt32>] = []
    var start: UInt32 = 0
    for range in ranges {
      if range.lowerBound > start { others.append(start...range.lowerBound - 1) }
      start = range.upperBound + 1
    }
    return others + [start...0x10_FFFF]
  }
}
