/// What a pattern is made of, as it was read.
indirect enum PatternNode {
  /// One character, folded.
  case scalar(UInt32)
  /// Any one character.
  case any
  /// One of some characters.
  case set(PatternSet)
  /// A place between two characters.
  case place(PatternPlace)
  /// One after the other; none of them is the empty text.
  case sequence([PatternNode])
  /// One of them.
  case choice([PatternNode])
  /// At least so often, and at most so often, if there is a most.
  case repeated(PatternNode, atLeast: Int, atMost: Int?)
}

/// Places of a text that a pattern may ask for.
enum PatternPlace: UInt8 {
  /// `^`
  case begin
  /// `$`
  case end
  /// `\b`: a word begins or ends.
  case edge
  /// `\B`
  case noEdge
}

/// Some characters: folded ones, in ranges, and kinds of them.
struct PatternSet: Hashable {
  /// As they were written.
  var ranges: [ClosedRange<UInt32>] = []
  /// Whether all letters, digits and `_` are in it.
  var hasWords = false
  /// Whether all others are.
  var hasNonwords = false
  /// Whether it is all that was not named.
  var isInverted = false

  /// Whether a character is in it. O(ranges).
  func contains(_ scalar: UInt32, isWord: Bool) -> Bool {
    let isNamed = (isWord ? hasWords : hasNonwords) || ranges.contains { $0.contains(scalar) }
    return isNamed != isInverted
  }

  /// `\d`: the digits of any script that are written 0 to 9 when folded.
  static let digits: [ClosedRange<UInt32>] = [0x30...0x39]
  /// `\s`: Unicode's White_Space.
  static let spaces: [ClosedRange<UInt32>] = [
    0x09...0x0D, 0x20...0x20, 0x85...0x85, 0xA0...0xA0, 0x1680...0x1680, 0x2000...0x200A, 0x2028...0x2029,
    0x202F...0x202F,
    0x205F...0x205F, 0x3000...0x3000,
  ]

  /// All that sorted ranges that do not touch leave out.
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
