/// ``UnicodeTables`` laid out for use, and all reading of bytes that is not bounds-checked: the one file here with `unsafe` in it.
///
/// Memory is read at three kinds of places. *Tables*: every index is made of table entries and of bits of single bytes, and the
/// tests check over all entries that none leads out. *Texts*: callers guarantee `offset < text.count`, and what follows within
/// a sequence is compared with the count first. *Words* of a text: only while eight bytes are left.
@safe struct Automaton {
  /// All tables one after the other, so that one register finds them all.
  private let tables: UnsafeRawPointer

  // Where each begins, in bytes, and what an entry is found by.
  /// Row of a state + class.
  private static let transitions = 0
  /// Block of `middles` << 6 | six bits: a leaf's number.
  private static let middles = transitions + UnicodeTables.stateCount * UnicodeTables.classCount * 4
  /// Leaf << 6 | six bits: a class. The first 128 are ASCII.
  private static let leaves = middles + UnicodeTables.middleCount * 128
  /// Code point >> 12, up to the 0x1FF that an ill-formed sequence can spell: a block of `middles`.
  private static let top = leaves + UnicodeTables.leafCount * 64
  /// Class of printable ASCII: see ``UnicodeTables/asciiPairs``.
  private static let asciiPairs = top + 512
  private static let byteCount = asciiPairs + 16 * 4

  /// The automaton of Unicode 15.0: made at first use, in a fraction of a millisecond, never written again and never freed, so
  /// that it may be read from anywhere.
  @inline(__always) static var unicode: Automaton { unsafe shared }
  nonisolated(unsafe) private static let shared = Automaton()

  private init() {
    let memory = UnsafeMutableRawPointer.allocate(byteCount: Self.byteCount, alignment: 64)
    unsafe Self.unpack(UnicodeTables.transitions, entries: UnicodeTables.classCount, as: UInt32.self, to: memory + Self.transitions)
    unsafe Self.unpack(UnicodeTables.middles, entries: 64, as: UInt16.self, to: memory + Self.middles)
    unsafe Self.unpack(UnicodeTables.leaves, entries: 64, as: UInt8.self, to: memory + Self.leaves)
    unsafe Self.unpack(UnicodeTables.top, entries: 512, as: UInt8.self, to: memory + Self.top)
    unsafe Self.unpack(UnicodeTables.asciiPairs, entries: 16, as: UInt32.self, to: memory + Self.asciiPairs)
    unsafe tables = UnsafeRawPointer(memory)
  }

  /// Writes out the entries of rows that are integers, lowest bits first.
  private static func unpack<Entry: FixedWidthInteger>(
    _ rows: [StaticBigInt], entries: Int, as type: Entry.Type, to memory: UnsafeMutableRawPointer
  ) {
    let entriesPerWord = UInt.bitWidth / Entry.bitWidth
    let table = unsafe memory.bindMemory(to: Entry.self, capacity: rows.count * entries)
    for (number, row) in rows.enumerated() {
      var word: UInt = 0
      for entry in 0..<entries {
        if entry % entriesPerWord == 0 { word = row[entry / entriesPerWord] }
        unsafe table[number * entries + entry] = Entry(truncatingIfNeeded: word)
        word >>= Entry.bitWidth
      }
    }
  }

  /// An entry of the table that begins at `start`.
  @inline(__always)
  private func entry<Entry: BitwiseCopyable>(_ start: Int, _ index: Int, as type: Entry.Type) -> Entry {
    unsafe (tables + start).assumingMemoryBound(to: Entry.self)[index]
  }

  /// What happens at a code point of class `cls` in the state whose row is `state`.
  @inline(__always)
  func transition(_ state: Int, _ cls: Int) -> Transition { Transition(bits: entry(Self.transitions, state &+ cls, as: UInt32.self)) }

  /// The byte at `offset`, which is less than the text's count.
  @inline(__always)
  static func byte(_ text: Span<UInt8>, _ offset: Int) -> Int { unsafe Int(text[unchecked: offset]) }

  /// The class of an ASCII byte.
  @inline(__always)
  func asciiClass(_ byte: Int) -> Int { Int(entry(Self.leaves, byte, as: UInt8.self)) }

  /// The class and the length in bytes of the code point at `offset`, which is less than the text's count.
  ///
  /// An ill-formed sequence has some class and a length of at least one byte that stays within the text; the texts of posts
  /// have none. The three stages are indexed by the bits of the UTF-8 bytes themselves.
  @inline(__always)
  func decode(_ text: Span<UInt8>, at offset: Int) -> (cls: Int, length: Int) {
    let lead = Self.byte(text, offset)
    return lead < 0x80 ? (asciiClass(lead), 1) : decode(text, at: offset, lead: lead)
  }

  /// The same where the byte at `offset` is known to be `lead`, 0x80 or more.
  @inline(__always)
  func decode(_ text: Span<UInt8>, at offset: Int, lead: Int) -> (cls: Int, length: Int) {
    let left = text.count &- offset
    if lead < 0xE0 {
      guard left >= 2 else { return (asciiClass(0), left) }
      let leaf = Int(entry(Self.middles, lead & 0x1F, as: UInt16.self))
      return (leafClass(leaf, text, offset &+ 1), 2)
    }
    if lead < 0xF0 {
      guard left >= 3 else { return (asciiClass(0), left) }
      let block = Int(entry(Self.top, lead & 0xF, as: UInt8.self))
      let leaf = Int(entry(Self.middles, block << 6 | Self.byte(text, offset &+ 1) & 0x3F, as: UInt16.self))
      return (leafClass(leaf, text, offset &+ 2), 3)
    }
    guard left >= 4 else { return (asciiClass(0), left) }
    let block = Int(entry(Self.top, (lead & 7) << 6 | Self.byte(text, offset &+ 1) & 0x3F, as: UInt8.self))
    let leaf = Int(entry(Self.middles, block << 6 | Self.byte(text, offset &+ 2) & 0x3F, as: UInt16.self))
    return (leafClass(leaf, text, offset &+ 3), 4)
  }

  /// The class that a leaf has for a sequence's last byte.
  @inline(__always)
  private func leafClass(_ leaf: Int, _ text: Span<UInt8>, _ offset: Int) -> Int {
    Int(entry(Self.leaves, leaf << 6 | Self.byte(text, offset) & 0x3F, as: UInt8.self))
  }

  /// Whether a line may break between two classes of printable ASCII: never (0), by context (bit 16) or always (bit 0 alone).
  @inline(__always)
  func asciiPair(_ before: Int, _ after: Int) -> UInt32 {
    entry(Self.asciiPairs, before & 15, as: UInt32.self) &>> UInt32(truncatingIfNeeded: after) & 0x1_0001
  }

  /// The first offset from `start` on whose byte is not printable ASCII (0x20 to 0x7E), or the text's count.
  ///
  /// Eight bytes at a time: of a byte that is neither, one of itself, itself + 1 and not (itself + 0x60) has its highest bit set.
  static func plainEnd(_ text: Span<UInt8>, from start: Int) -> Int {
    var offset = start
    while text.count &- offset >= 8 {
      let word = unsafe text.bytes.unsafeLoadUnaligned(fromUncheckedByteOffset: offset, as: UInt64.self)
      let low = word & 0x7F7F_7F7F_7F7F_7F7F
      let found = (word | ~(low &+ 0x6060_6060_6060_6060) | (low &+ 0x0101_0101_0101_0101)) & 0x8080_8080_8080_8080
      if found != 0 { return offset &+ UInt64(littleEndian: found).trailingZeroBitCount >> 3 }
      offset &+= 8
    }
    while offset < text.count && byte(text, offset) &- 0x20 < 0x5F && byte(text, offset) >= 0x20 { offset &+= 1 }
    return offset
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
