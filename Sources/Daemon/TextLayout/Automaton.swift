/// What the automaton says about a code point: what may happen before it, how wide it is, and the state after it.
struct Transition {
  /// Bits 0-15: index in ``Automaton/transitions`` of the next state's row. 16: a line may break (UAX #14). 17: more than a
  /// plain "may": with bit 16 look ahead, without it the line must break. 18: a cluster begins (UAX #29). 19: a space or hard
  /// break, which takes no room at a line's end. 20: a line may break and a cluster begins, so that a line may be wrapped here.
  /// 24-31: cells added, two bits each: sum and Ambiguous 1, sum and 2, cluster and 1, cluster and 2.
  let bits: UInt32

  static let widthShift: UInt32 = 24

  @inline(__always) init(bits: UInt32) { self.bits = bits }

  /// The row of the next state.
  @inline(__always) var next: Int { Int(bits & 0xFFFF) }
  /// A space or a hard break.
  @inline(__always) var hangs: Bool { bits & 1 << 19 != 0 }
  /// A cluster begins before the code point.
  @inline(__always) var startsCluster: Bool { bits & 1 << 18 != 0 }
  /// A line may be wrapped before the code point without taking a cluster apart.
  @inline(__always) var wraps: Bool { bits & 1 << 20 != 0 }
  /// ``mustBreak`` or ``looksAhead``.
  @inline(__always) var isSpecial: Bool { bits & 1 << 17 != 0 }
  /// The line ends before the code point.
  @inline(__always) var mustBreak: Bool { bits & 3 << 16 == 2 << 16 }
  /// The line may break before the code point, unless a digit follows it (`$(` before `1`).
  @inline(__always) var looksAhead: Bool { bits & 3 << 16 == 3 << 16 }
  /// The line may break before the code point, whether or not that takes a cluster apart.
  @inline(__always) var mayBreak: Bool { bits & 3 << 16 == 1 << 16 }
  /// The cells that the code point adds, 0 to 2, in the profile whose ``CellProfile/widthShift`` is given.
  @inline(__always) func cells(_ shift: UInt32) -> Int { Int(bits >> shift & 3) }
}

/// ``UnicodeTables`` laid out for use: made once a process, in a fraction of a millisecond, and shared.
struct Automaton: Sendable {
  /// Rows of ``UnicodeTables/classCount`` transitions. The start is row 0.
  let transitions: [UInt32]
  /// Block of ``middles`` by code point >> 12, up to the 0x1FFFFF that an ill-formed sequence can spell.
  let top: [UInt8]
  /// Leaf number by block and (code point >> 6) & 63.
  let middles: [UInt16]
  /// Class by leaf and code point & 63; the first 128 are ASCII.
  let leaves: [UInt8]
  /// By class of printable ASCII: see ``UnicodeTables/asciiPairs``.
  let asciiPairs: [UInt32]

  static let unicode = Automaton()

  private init() {
    transitions = Self.unpacked(UnicodeTables.transitions, entries: UnicodeTables.classCount)
    top = Self.unpacked(UnicodeTables.top, entries: 512)
    middles = Self.unpacked(UnicodeTables.middles, entries: 64)
    leaves = Self.unpacked(UnicodeTables.leaves, entries: 64)
    asciiPairs = Self.unpacked(UnicodeTables.asciiPairs, entries: 16)
  }

  /// The entries of rows that are integers, lowest bits first.
  private static func unpacked<Entry: FixedWidthInteger>(_ rows: [StaticBigInt], entries: Int) -> [Entry] {
    var table: [Entry] = []
    table.reserveCapacity(rows.count * entries)
    let entriesPerWord = UInt.bitWidth / Entry.bitWidth
    for row in rows {
      var word: UInt = 0
      for entry in 0..<entries {
        if entry % entriesPerWord == 0 { word = row[entry / entriesPerWord] }
        table.append(Entry(truncatingIfNeeded: word))
        word >>= Entry.bitWidth
      }
    }
    return table
  }

  /// The class and the length in bytes of the code point at `offset`.
  ///
  /// An ill-formed sequence has some class and a length of at least one byte that stays within the text; texts that come from
  /// ``SafeText`` have none. The three stages are indexed by the bits of the UTF-8 bytes themselves.
  @inline(__always)
  func decode(_ text: Span<UInt8>, at offset: Int) -> (cls: Int, length: Int) {
    let lead = Int(text[offset])
    if lead < 0x80 { return (Int(leaves[lead]), 1) }
    return decodeMultibyte(text, at: offset, lead: lead)
  }

  @inline(__always)
  private func decodeMultibyte(_ text: Span<UInt8>, at offset: Int, lead: Int) -> (cls: Int, length: Int) {
    let left = text.count - offset
    if lead < 0xE0 {
      guard left >= 2 else { return (Int(leaves[0]), left) }
      let leaf = middles[lead & 0x1F]
      return (Int(leaves[Int(leaf) << 6 | Int(text[offset + 1] & 0x3F)]), 2)
    }
    if lead < 0xF0 {
      guard left >= 3 else { return (Int(leaves[0]), left) }
      let leaf = middles[Int(top[lead & 0xF]) << 6 | Int(text[offset + 1] & 0x3F)]
      return (Int(leaves[Int(leaf) << 6 | Int(text[offset + 2] & 0x3F)]), 3)
    }
    guard left >= 4 else { return (Int(leaves[0]), left) }
    let middle = top[(lead & 7) << 6 | Int(text[offset + 1] & 0x3F)]
    let leaf = middles[Int(middle) << 6 | Int(text[offset + 2] & 0x3F)]
    return (Int(leaves[Int(leaf) << 6 | Int(text[offset + 3] & 0x3F)]), 4)
  }

  /// Whether a number follows, whatever combines aside: the question of ``Transition/looksAhead``.
  ///
  /// Asked at most once for each run of combining characters, so that a text is still read in O(n).
  func digitFollows(_ text: Span<UInt8>, from start: Int) -> Bool {
    var offset = start
    while offset < text.count {
      let (cls, length) = decode(text, at: offset)
      let bit = UInt128(1) << UInt128(cls)
      if UnicodeTables.combiningClasses & bit == 0 { return UnicodeTables.numberClasses & bit != 0 }
      offset += length
    }
    return false
  }
}
