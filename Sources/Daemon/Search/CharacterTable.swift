/// ``FoldingTables`` laid out for use: what a search makes of each code point.
struct CharacterTable: Sendable {
  /// Block of `middles` by code point >> 12.
  private let top: [UInt8]
  /// Leaf by block and six bits of the code point.
  private let middles: [UInt16]
  /// Entry by leaf and the lowest six bits.
  private let leaves: [UInt16]
  /// What is searched for instead: up to seven bytes of UTF-8, the first lowest, then their number, with ``gramBit`` if they are a
  /// gram.
  private let folds: [UInt64]

  /// Unicode 15.0's: made at first use.
  static let unicode = CharacterTable()

  private init() {
    top = Self.unpacked(FoldingTables.top, entries: 0x110, as: UInt8.self)
    middles = Self.unpacked(FoldingTables.middles, entries: 64, as: UInt16.self)
    leaves = Self.unpacked(FoldingTables.leaves, entries: 64, as: UInt16.self)
    folds = Self.unpacked(FoldingTables.folds, entries: 16, as: UInt64.self)
  }

  /// The letter or digit that an ASCII byte is searched as, or 0 where it separates.
  @inline(__always)
  static func ascii(_ byte: UInt8) -> UInt8 {
    let lower = byte | 0x20
    if lower &- 0x61 < 26 { return lower }
    return byte &- 0x30 < 10 ? byte : 0
  }

  /// What a code point is.
  func folded(_ scalar: Unicode.Scalar) -> FoldedCharacter {
    let value = Int(scalar.value)
    let leaf = middles[Int(top[value >> 12]) << 6 | value >> 6 & 63]
    switch leaves[Int(leaf) << 6 | value & 63] {
    case 0: return .separator
    case 1: return .ignored
    case 2: return .letter(Self.utf8(scalar))
    case 3: return .gram(Self.utf8(scalar))
    case let entry:
      let fold = folds[Int(entry) - 4]
      return fold & Self.gramBit == 0 ? .letter(fold) : .gram(fold & ~Self.gramBit)
    }
  }

  /// Marks a fold that is a gram.
  private static let gramBit: UInt64 = 1 << 63

  /// A code point as a fold has it.
  private static func utf8(_ scalar: Unicode.Scalar) -> UInt64 {
    var fold: UInt64 = 0
    var count: UInt64 = 0
    for byte in UTF8.encode(scalar)! {
      fold |= UInt64(byte) << (8 * count)
      count += 1
    }
    return fold | count << 56
  }

  /// Writes out the entries of rows that are integers, lowest bits first.
  private static func unpacked<Entry: FixedWidthInteger>(_ rows: [StaticBigInt], entries: Int, as type: Entry.Type) -> [Entry] {
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

/// What a search makes of a code point: up to seven bytes of UTF-8, the first lowest, their number in the highest byte.
enum FoldedCharacter {
  /// Ends a word.
  case separator
  /// As if it were not there: marks on letters, joiners, soft hyphens.
  case ignored
  /// Part of a word.
  case letter(UInt64)
  /// A character of a script that is written without spaces: part of two bigrams.
  case gram(UInt64)
}
