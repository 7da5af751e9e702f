/// ``UnicodeTables`` laid out for lookup, and all reads that are not bounds-checked. This is the only file of the
/// module with `unsafe`.
///
/// Memory is read from three kinds of places. *Tables*: every index is composed of table entries and bits of single
/// bytes; the tests check that no entry leads outside. *Texts*: callers guarantee `offset < text.count`, and the rest
/// of a sequence is compared with the count first. *Words* of a text: only while eight bytes are left.
@safe struct Automaton {
  /// All tables, one after the other, so that one register reaches them all.
  private let tables: UnsafeRawPointer

  // The offset of each table in bytes. The comments give the index of an entry.
  /// Row of a state + class.
  private static let transitions = 0
  /// Block of `middles` << 6 | six bits. Gives the start of a leaf in `leaves`. The first 1,024 entries are those of
  /// three-byte sequences.
  private static let middles = transitions + UnicodeTables.stateCount * UnicodeTables.classCount * 4
  /// Leaf | six bits. Gives a ``ClassEntry``. The first 2,048 entries are those of ASCII and two-byte sequences.
  private static let leaves = middles + UnicodeTables.middleCount * 128
  /// Code point >> 12, up to 0x1FF, the maximum that an ill-formed sequence can encode. Gives a block of `middles`.
  private static let top = leaves + UnicodeTables.leafCount * 128
  /// Class. Gives ``ClassJoins``.
  private static let classJoins = top + 512
  private static let byteCount = classJoins + UnicodeTables.classCount * 4

  /// The automaton of Unicode 15.0. Made at first use, in a fraction of a millisecond; never written again and never
  /// freed, so that any thread may read it.
  @inline(__always) static var unicode: Automaton { unsafe shared }
  nonisolated(unsafe) private static let shared = Automaton()

  private init() {
    let memory = UnsafeMutableRawPointer.allocate(byteCount: Self.byteCount, alignment: 64)
    unsafe Self.unpack(
      UnicodeTables.transitions, entries: UnicodeTables.classCount, as: UInt32.self, to: memory + Self.transitions)
    unsafe Self.unpack(UnicodeTables.middles, entries: 64, as: UInt16.self, to: memory + Self.middles)
    unsafe Self.unpack(UnicodeTables.leaves, entries: 64, as: UInt16.self, to: memory + Self.leaves)
    unsafe Self.unpack(UnicodeTables.top, entries: 512, as: UInt8.self, to: memory + Self.top)
    unsafe Self.unpack(
      UnicodeTables.classJoins, entries: UnicodeTables.classCount, as: UInt32.self, to: memory + Self.classJoins)
    unsafe tables = UnsafeRawPointer(memory)
  }

  /// Expands rows, which are integers, into their entries, lowest bits first.
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

  /// Returns an entry of the table that begins at `start`.
  @inline(__always)
  private func entry<Entry: BitwiseCopyable>(_ start: Int, _ index: Int, as type: Entry.Type) -> Entry {
    unsafe (tables + start).assumingMemoryBound(to: Entry.self)[index]
  }

  /// Returns the transition for a code point of class `cls` in the state whose row is `state`.
  @inline(__always)
  func transition(_ state: Int, _ cls: Int) -> Transition {
    Transition(bits: entry(Self.transitions, state &+ cls, as: UInt32.self))
  }

  /// Returns the byte at `offset`, which must be less than the text's count.
  @inline(__always)
  static func byte(_ text: Span<UInt8>, _ offset: Int) -> Int { unsafe Int(text[unchecked: offset]) }

  /// True for printable ASCII.
  @inline(__always) static func isPlain(_ byte: Int) -> Bool { byte >= 0x20 && byte < 0x7F }

  /// Returns the entry of an ASCII byte.
  @inline(__always)
  func ascii(_ byte: Int) -> ClassEntry { leafEntry(byte) }

  /// Returns the entry of the code point at `offset`, and its length in bytes; `offset` must be less than the text's
  /// count.
  ///
  /// An ill-formed sequence has some entry and a length of at least one byte that stays within the text; the texts of
  /// posts contain none. The three stages are indexed by the bits of the UTF-8 bytes themselves.
  @inline(__always)
  func decode(_ text: Span<UInt8>, at offset: Int) -> (entry: ClassEntry, length: Int) {
    let lead = Self.byte(text, offset)
    let left = text.count &- offset
    guard lead < 0x80 || left >= 4 || left >= (lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4) else { return (ascii(0), left) }
    return decodeWhole(text, at: offset)
  }

  /// Like ``decode(_:at:)``, for a text with as many bytes left as the lead byte requires; four are enough.
  @inline(__always)
  func decodeWhole(_ text: Span<UInt8>, at offset: Int) -> (entry: ClassEntry, length: Int) {
    let lead = Self.byte(text, offset)
    if lead < 0x80 { return (ascii(lead), 1) }
    if lead < 0xE0 { return (decodeTwo(text, at: offset, lead: lead), 2) }
    if lead < 0xF0 { return (decodeThree(text, at: offset, lead: lead), 3) }
    return (decodeFour(text, at: offset, lead: lead), 4)
  }

  /// Returns the entry of the two-byte sequence at `offset`, whose first byte is `lead`.
  @inline(__always)
  func decodeTwo(_ text: Span<UInt8>, at offset: Int, lead: Int) -> ClassEntry {
    leafEntry((lead & 0x1F) << 6 | Self.byte(text, offset &+ 1) & 0x3F)
  }

  /// Returns the entry of the three-byte sequence at `offset`, whose first byte is `lead`.
  @inline(__always)
  func decodeThree(_ text: Span<UInt8>, at offset: Int, lead: Int) -> ClassEntry {
    leafEntry(leaf((lead & 0xF) << 6 | Self.byte(text, offset &+ 1) & 0x3F) &+ Self.byte(text, offset &+ 2) & 0x3F)
  }

  /// Returns the entry of the four-byte sequence at `offset`, whose first byte is `lead`.
  @inline(__always)
  func decodeFour(_ text: Span<UInt8>, at offset: Int, lead: Int) -> ClassEntry {
    let block = Int(entry(Self.top, (lead & 7) << 6 | Self.byte(text, offset &+ 1) & 0x3F, as: UInt8.self))
    return leafEntry(leaf(block << 6 | Self.byte(text, offset &+ 2) & 0x3F) &+ Self.byte(text, offset &+ 3) & 0x3F)
  }

  /// Returns the start of a leaf from its index in the middle blocks.
  @inline(__always)
  private func leaf(_ index: Int) -> Int { Int(entry(Self.middles, index, as: UInt16.self)) }

  /// Returns an entry of the leaves.
  @inline(__always)
  private func leafEntry(_ index: Int) -> ClassEntry { ClassEntry(bits: entry(Self.leaves, index, as: UInt16.self)) }

  /// Returns the entry of a scalar.
  func entry(scalar: Int) -> ClassEntry {
    let block = Int(entry(Self.top, scalar >> 12, as: UInt8.self))
    return leafEntry(leaf(block << 6 | scalar >> 6 & 0x3F) + scalar & 0x3F)
  }

  /// Returns the scalar of the two to four bytes at `offset`, of the length that ``decode(_:at:)`` found; at most
  /// 0x1FFFFF even if they are ill-formed.
  @inline(__always)
  static func scalar(_ text: Span<UInt8>, at offset: Int, length: Int) -> Int {
    var scalar = byte(text, offset) & 0x7F &>> length
    for index in 1..<length { scalar = scalar &<< 6 | byte(text, offset &+ index) & 0x3F }
    return scalar
  }

  /// Returns the joins of a class.
  @inline(__always)
  func joins(_ cls: Int) -> ClassJoins { ClassJoins(bits: entry(Self.classJoins, cls, as: UInt32.self)) }

  /// Returns a word with the highest bit set for each of the eight bytes from `offset` on that is not printable ASCII
  /// (0x20 to 0x7E), the first byte lowest. Eight bytes must be left.
  ///
  /// For such a byte the bit is set in the byte itself, in byte + 1, or is clear in byte + 0x60.
  @inline(__always)
  static func notPlain(_ text: Span<UInt8>, _ offset: Int) -> UInt64 {
    let word = word(text, offset)
    let low = word & 0x7F7F_7F7F_7F7F_7F7F
    return (word | ~(low &+ 0x6060_6060_6060_6060) | (low &+ 0x0101_0101_0101_0101)) & 0x8080_8080_8080_8080
  }

  /// True if the sixteen bytes from `offset` on are printable ASCII. Sixteen bytes must be left.
  ///
  /// The highest bit is set in a non-ASCII byte, in a control minus 0x20, and in 0x7F plus 1. A carry or borrow between
  /// bytes does no harm, since one of the two then has its bit set.
  @inline(__always)
  static func arePlain16(_ text: Span<UInt8>, _ offset: Int) -> Bool {
    let one = word(text, offset)
    let other = word(text, offset &+ 8)
    let controls = (one &- 0x2020_2020_2020_2020) | (other &- 0x2020_2020_2020_2020)
    let deletes = (one &+ 0x0101_0101_0101_0101) | (other &+ 0x0101_0101_0101_0101)
    return (one | other | controls | deletes) & 0x8080_8080_8080_8080 == 0
  }

  /// True if ``latin(_:_:notPlain:)`` may handle a sequence that begins with this byte.
  @inline(__always) static func isLatinLead(_ byte: Int) -> Bool { byte >= 0xC3 && byte <= 0xD1 }

  /// Returns the number of code points that begin in the eight bytes from `offset` on, if these are only printable
  /// ASCII and letters of Latin, Greek and Cyrillic; otherwise `nil`.
  ///
  /// The letters are those with a lead byte from C3 to CB or from CE to D1, which take one cell unless Ambiguous ones
  /// take two. `notPlain` is ``notPlain(_:_:)`` of the same offset.
  @inline(__always)
  static func latin(_ text: Span<UInt8>, _ offset: Int, notPlain: UInt64) -> Int? {
    let word = word(text, offset)
    let continuations = word & ~(word &<< 1) & 0x8080_8080_8080_8080
    let leads = word & (word &<< 1) & 0x8080_8080_8080_8080
    // The lowest six bits of lead bytes, 0 for other bytes. They must be at least 3, neither 0xC nor 0xD, and less than
    // 0x12.
    let low = word & ((leads &>> 7) &* 0x3F)
    let isFromC3 = low &+ 0x7D7D_7D7D_7D7D_7D7D
    let isNoMark = (low ^ 0x0C0C_0C0C_0C0C_0C0C) & 0x3E3E_3E3E_3E3E_3E3E &+ 0x7F7F_7F7F_7F7F_7F7F
    let isFromD2 = low &+ 0x6E6E_6E6E_6E6E_6E6E
    let others = leads & ~(isFromC3 & isNoMark & ~isFromD2) | (notPlain ^ continuations ^ leads)
    return others == 0 ? 8 &- Int(((continuations &>> 7) &* 0x0101_0101_0101_0101) &>> 56) : nil
  }

  /// Returns the number of printable ASCII bytes at the start of the eight bytes from `offset` on; bytes past the end
  /// of the text do not count.
  @inline(__always)
  static func plainPrefix(_ text: Span<UInt8>, _ offset: Int) -> Int {
    let left = text.count &- offset
    if left >= 8 { return notPlain(text, offset).trailingZeroBitCount &>> 3 }
    guard text.count >= 8 else {
      var prefix = 0
      while prefix < left && byte(text, offset &+ prefix) >= 0x20 && byte(text, offset &+ prefix) < 0x7F {
        prefix &+= 1
      }
      return prefix
    }
    // Fewer than eight bytes left: read the last eight of the text.
    let missing = 8 &- left
    return min(
      left, (notPlain(text, offset &- missing) &>> UInt64(truncatingIfNeeded: 8 &* missing)).trailingZeroBitCount &>> 3)
  }

  /// Like ``notPlain(_:_:)``, for bytes that are not ASCII letters.
  @inline(__always)
  static func notLetters(_ text: Span<UInt8>, _ offset: Int) -> UInt64 {
    let word = word(text, offset)
    let low = (word | 0x2020_2020_2020_2020) & 0x7F7F_7F7F_7F7F_7F7F
    return (word | ~(low &+ 0x1F1F_1F1F_1F1F_1F1F) | (low &+ 0x0505_0505_0505_0505)) & 0x8080_8080_8080_8080
  }

  /// Like ``notPlain(_:_:)``, for bytes that are spaces.
  @inline(__always)
  static func spaces(_ text: Span<UInt8>, _ offset: Int) -> UInt64 {
    let word = word(text, offset) ^ 0x2020_2020_2020_2020
    return ~((word & 0x7F7F_7F7F_7F7F_7F7F) &+ 0x7F7F_7F7F_7F7F_7F7F | word | 0x7F7F_7F7F_7F7F_7F7F)
  }

  @inline(__always)
  private static func word(_ text: Span<UInt8>, _ offset: Int) -> UInt64 {
    unsafe text.bytes.unsafeLoadUnaligned(fromUncheckedByteOffset: offset, as: UInt64.self).littleEndian
  }

  /// True if a number follows, ignoring combining characters; resolves ``Transition/looksAhead``.
  ///
  /// Called at most once for each run of combining characters, so that reading a text remains O(n).
  func digitFollows(_ text: Span<UInt8>, from start: Int) -> Bool {
    var offset = start
    while offset < text.count {
      let (entry, length) = decode(text, at: offset)
      let bit = UInt128(1) << UInt128(entry.cls)
      if UnicodeTables.combiningClasses & bit == 0 { return UnicodeTables.numberClasses & bit != 0 }
      offset += length
    }
    return false
  }
}
