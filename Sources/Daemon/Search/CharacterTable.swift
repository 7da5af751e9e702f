/// ``FoldingTables`` laid out for lookup: maps each code point to its folded form.
struct CharacterTable: Sendable {
  /// Block of `middles` by code point >> 12, up to 0x1FF, the maximum that an ill-formed sequence can encode.
  private let top: [UInt8]
  /// Leaf by block and the next six bits of the code point.
  private let middles: [UInt16]
  /// Entry by leaf and the lowest six bits of the code point.
  private let leaves: [UInt16]
  /// The folded forms of characters that do not fold to themselves.
  private let folds: [Fold]

  /// The table of Unicode 15.0, made at first use.
  static let unicode = CharacterTable()

  private init() {
    top = Self.unpacked(FoldingTables.top, entries: 0x110, as: UInt8.self) + Array(repeating: 0, count: 0x200 - 0x110)
    middles = Self.unpacked(FoldingTables.middles, entries: 64, as: UInt16.self)
    leaves = Self.unpacked(FoldingTables.leaves, entries: 64, as: UInt16.self)
    folds = Self.unpacked(FoldingTables.folds, entries: 16, as: UInt64.self).map(Fold.init)
  }

  /// Returns the letter or digit that an ASCII byte folds to; 0 for a separator.
  @inline(__always)
  static func ascii(_ byte: UInt8) -> UInt8 {
    let lower = byte | 0x20
    if lower &- 0x61 < 26 { return lower }
    return byte &- 0x30 < 10 ? byte : 0
  }

  /// Returns the folded form of the non-ASCII character at `offset`, and moves `offset` past it. A truncated sequence
  /// is a separator; no text contains one.
  @inline(__always)
  func folded(_ text: Span<UInt8>, at offset: inout Int) -> FoldedCharacter {
    let lead = text[offset]
    let length = lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4
    guard offset &+ length <= text.count else {
      offset = text.count
      return .separator
    }
    var value = Int(lead) & 0x7F >> length
    var bits = UInt64(lead)
    for index in 1..<length {
      let byte = text[offset &+ index]
      value = value << 6 | Int(byte & 0x3F)
      bits |= UInt64(byte) << (8 * UInt64(index))
    }
    offset &+= length
    let leaf = middles[Int(top[value >> 12]) << 6 | value >> 6 & 63]
    switch leaves[Int(leaf) << 6 | value & 63] {
    case 0: return .separator
    case 1: return .ignored
    case 2: return .letters(Fold(bits: bits | UInt64(length) << 56))
    case 3: return .gram(Fold(bits: bits | UInt64(length) << 56))
    case let entry:
      let fold = folds[Int(entry) &- 4]
      return fold.isGram ? .gram(fold) : .letters(fold)
    }
  }

  /// Expands rows, which are integers, into their entries, lowest bits first.
  private static func unpacked<Entry: FixedWidthInteger>(_ rows: [StaticBigInt], entries: Int, as type: Entry.Type)
    -> [Entry]
  {
    let entriesPerWord = UInt.bitWidth / Entry.bitWidth
    var table: [Entry] = []
    table.reserveCapacity(rows.count * entries)
    for row in rows {
      for entry in 0..<entries {
        let shift = entry % entriesPerWord * Entry.bitWidth
        table.append(Entry(truncatingIfNeeded: row[entry / entriesPerWord] >> shift))
      }
    }
    return table
  }
}

/// The folded form of a character in searches.
enum FoldedCharacter {
  /// Ends a word.
  case separator
  /// Skipped: marks on letters, joiners, soft hyphens.
  case ignored
  /// Part of a word.
  case letters(Fold)
  /// A character of a script written without spaces: part of two bigrams.
  case gram(Fold)
}

/// The folded form of a character: one to seven bytes of UTF-8, the first in the lowest byte, then their count, and in
/// the highest bit whether they are a gram.
struct Fold {
  let bits: UInt64

  /// The number of bytes.
  @inline(__always) var count: Int { Int(truncatingIfNeeded: bits >> 56 & 7) }
  /// True for a character of a script without spaces.
  @inline(__always) var isGram: Bool { bits >> 63 != 0 }

  /// Appends the bytes.
  @inline(__always)
  func append(to output: inout OutputSpan<UInt8>) {
    var rest = bits
    for _ in 0..<count {
      output.append(UInt8(truncatingIfNeeded: rest))
      rest >>= 8
    }
  }
}
