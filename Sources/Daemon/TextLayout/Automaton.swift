/// ``UnicodeTables`` laid out for use, and all reading of bytes that is not bounds-checked: the one file here with
/// `unsafe` in it.
///
/// Memory is read at three kinds of places. *Tables*: every index is made of table entries and of bits of single bytes,
/// and the tests check over all entries that none leads out. *Texts*: callers guarantee `offset < text.count`, and what
/// follows within a sequence is compared with the count first. *Words* of a text: only while eight bytes are left.
@safe struct Automaton {
  /// All tables one after the other, so that one register finds them all.
  private let tables: UnsafeRawPointer

  // Where each begins, in bytes, and what an entry is found by.
  /// Row of a state + class.
  private static let transitions = 0
  /// Block of `middles` << 6 | six bits: where a leaf begins in `leaves`. The first 1,024 are those of three-byte
  /// sequences.
  private static let middles = transitions + UnicodeTables.stateCount * UnicodeTables.classCount * 4
  /// Leaf | six bits: a ``ClassEntry``. The first 2,048 are those of ASCII and of two-byte sequences.
  private static let leaves = middles + UnicodeTables.middleCount * 128
  /// Code point >> 12, up to the 0x1FF that an ill-formed sequence can spell: a block of `middles`.
  private static let top = leaves + UnicodeTables.leafCount * 128
  /// Class: ``ClassJoins``.
  private static let classJoins = top + 512
  private static let byteCount = classJoins + UnicodeTables.classCount * 4

  /// The automaton of Unicode 15.0: made at first use, in a fraction of a millisecond, never written again and never
  /// freed, so that it may be read from anywhere.
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
  func transition(_ state: Int, _ cls: Int) -> Transition {
    Transition(bits: entry(Self.transitions, state &+ cls, as: UInt32.self))
  }

  /// The byte at `offset`, which is less than the text's count.
  @inline(__always)
  static func byte(_ text: Span<UInt8>, _ offset: Int) -> Int { unsafe Int(text[unchecked: offset]) }

  /// Printable ASCII.
  @inline(__always) static func isPlain(_ byte: Int) -> Bool { byte >= 0x20 && byte < 0x7F }

  /// What an ASCII byte is.
  @inline(__always)
  func ascii(_ byte: Int) -> ClassEntry { leafEntry(byte) }

  /// What the code point at `offset` is, and its length in bytes; `offset` is less than the text's count.
  ///
  /// An ill-formed sequence is something and has a length of at least one byte that stays within the text; the texts of
  /// posts have none. The three stages are indexed by the bits of the UTF-8 bytes themselves.
  @inline(__always)
  func decode(_ text: Span<UInt8>, at offset: Int) -> (entry: ClassEntry, length: Int) {
    let lead = Self.byte(text, offset)
    let left = text.count &- offset
    guard lead < 0x80 || left >= 4 || left >= (lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4) else { return (ascii(0), left) }
    return decodeWhole(text, at: offset)
  }

  /// The same where the text has as many bytes left as the lead byte says; four are enough.
  @inline(__always)
  func decodeWhole(_ text: Span<UInt8>, at offset: Int) -> (entry: ClassEntry, length: Int) {
    let lead = Self.byte(text, offset)
    if lead < 0x80 { return (ascii(lead), 1) }
    if lead < 0xE0 { return (decodeTwo(text, at: offset, lead: lead), 2) }
    if lead < 0xF0 { return (decodeThree(text, at: offset, lead: lead), 3) }
    return (decodeFour(text, at: offset, lead: lead), 4)
  }

  /// What the two bytes at `offset` spell, the first of which is `lead`.
  @inline(__always)
  func decodeTwo(_ text: Span<UInt8>, at offset: Int, lead: Int) -> ClassEntry {
    leafEntry((lead & 0x1F) << 6 | Self.byte(text, offset &+ 1) & 0x3F)
  }

  /// What the three bytes at `offset` spell, the first of which is `lead`.
  @inline(__always)
  func decodeThree(_ text: Span<UInt8>, at offset: Int, lead: Int) -> ClassEntry {
    leafEntry(leaf((lead & 0xF) << 6 | Self.byte(text, offset &+ 1) & 0x3F) &+ Self.byte(text, offset &+ 2) & 0x3F)
  }

  /// What the four bytes at `offset` spell, the first of which is `lead`.
  @inline(__always)
  func decodeFour(_ text: Span<UInt8>, at offset: Int, lead: Int) -> ClassEntry {
    let block = Int(entry(Self.top, (lead & 7) << 6 | Self.byte(text, offset &+ 1) & 0x3F, as: UInt8.self))
    return leafEntry(leaf(block << 6 | Self.byte(text, offset &+ 2) & 0x3F) &+ Self.byte(text, offset &+ 3) & 0x3F)
  }

  /// Where a leaf begins, by its place in the middle blocks.
  @inline(__always)
  private func leaf(_ index: Int) -> Int { Int(entry(Self.middles, index, as: UInt16.self)) }

  /// What the leaves have at a place.
  @inline(__always)
  private func leafEntry(_ index: Int) -> ClassEntry { ClassEntry(bits: entry(Self.leaves, index, as: UInt16.self)) }

  /// What a scalar is.
  func entry(scalar: Int) -> ClassEntry {
    let block = Int(entry(Self.top, scalar >> 12, as: UInt8.self))
    return leafEntry(leaf(block << 6 | scalar >> 6 & 0x3F) + scalar & 0x3F)
  }

  /// The scalar of the two to four bytes at `offset`, as many as ``decode(_:at:)`` found; at most 0x1FFFFF even if they
  /// are ill-formed.
  @inline(__always)
  static func scalar(_ text: Span<UInt8>, at offset: Int, length: Int) -> Int {
    var scalar = byte(text, offset) & 0x7F &>> length
    for index in 1..<length { scalar = scalar &<< 6 | byte(text, offset &+ index) & 0x3F }
    return scalar
  }

  /// Where a class joins the automaton.
  @inline(__always)
  func joins(_ cls: Int) -> ClassJoins { ClassJoins(bits: entry(Self.classJoins, cls, as: UInt32.self)) }

  /// Of the eight bytes from `offset` on, the highest bit of every one that is not printable ASCII (0x20 to 0x7E), in
  /// their order from the lowest bits up. Eight bytes have to be left.
  ///
  /// That bit is set in such a byte itself, in the byte + 1 or in what (byte + 0x60) leaves unset.
  @inline(__always)
  static func notPlain(_ text: Span<UInt8>, _ offset: Int) -> UInt64 {
    let word = word(text, offset)
    let low = word & 0x7F7F_7F7F_7F7F_7F7F
    return (word | ~(low &+ 0x6060_6060_6060_6060) | (low &+ 0x0101_0101_0101_0101)) & 0x8080_8080_8080_8080
  }

  /// Whether the sixteen bytes from `offset` on are printable ASCII. They have to be left.
  ///
  /// The highest bit is set in a byte that is no ASCII, after taking 0x20 from a control, after adding 1 to 0x7F. What
  /// is carried or borrowed from one byte to the next changes nothing, as then one of them has its bit.
  @inline(__always)
  static func arePlain16(_ text: Span<UInt8>, _ offset: Int) -> Bool {
    let one = word(text, offset)
    let other = word(text, offset &+ 8)
    let controls = (one &- 0x2020_2020_2020_2020) | (other &- 0x2020_2020_2020_2020)
    let deletes = (one &+ 0x0101_0101_0101_0101) | (other &+ 0x0101_0101_0101_0101)
    return (one | other | controls | deletes) & 0x8080_8080_8080_8080 == 0
  }

  /// Whether ``latin(_:_:notPlain:)`` may know what begins with this byte.
  @inline(__always) static func isLatinLead(_ byte: Int) -> Bool { byte >= 0xC3 && byte <= 0xD1 }

  /// How many code points begin in the eight bytes from `offset` on if they are printable ASCII and letters of Latin,
  /// Greek and Cyrillic, else `nil`: what has a lead byte from C3 to CB or from CE to D1, so that it takes one cell
  /// unless Ambiguous ones take two. `notPlain` is ``notPlain(_:_:)`` of the same place.
  @inline(__always)
  static func latin(_ text: Span<UInt8>, _ offset: Int, notPlain: UInt64) -> Int? {
    let word = word(text, offset)
    let continuations = word & ~(word &<< 1) & 0x8080_8080_8080_8080
    let leads = word & (word &<< 1) & 0x8080_8080_8080_8080
    // What lead bytes have in their lowest six bits, others nothing: at least 3, neither 0xC nor 0xD, less than 0x12.
    let low = word & ((leads &>> 7) &* 0x3F)
    let isFromC3 = low &+ 0x7D7D_7D7D_7D7D_7D7D
    let isNoMark = (low ^ 0x0C0C_0C0C_0C0C_0C0C) & 0x3E3E_3E3E_3E3E_3E3E &+ 0x7F7F_7F7F_7F7F_7F7F
    let isFromD2 = low &+ 0x6E6E_6E6E_6E6E_6E6E
    let others = leads & ~(isFromC3 & isNoMark & ~isFromD2) | (notPlain ^ continuations ^ leads)
    return others == 0 ? 8 &- Int(((continuations &>> 7) &* 0x0101_0101_0101_0101) &>> 56) : nil
  }

  /// How many of the eight bytes from `offset` on are printable ASCII before the first that is not; nothing behind the
  /// text's end is.
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
    // Fewer than eight are the last of the text's last eight.
    let missing = 8 &- left
    return min(
      left, (notPlain(text, offset &- missing) &>> UInt64(truncatingIfNeeded: 8 &* missing)).trailingZeroBitCount &>> 3)
  }

  /// The same of every one that is not an ASCII letter.
  @inline(__always)
  static func notLetters(_ text: Span<UInt8>, _ offset: Int) -> UInt64 {
    let word = word(text, offset)
    let low = (word | 0x2020_2020_2020_2020) & 0x7F7F_7F7F_7F7F_7F7F
    return (word | ~(low &+ 0x1F1F_1F1F_1F1F_1F1F) | (low &+ 0x0505_0505_0505_0505)) & 0x8080_8080_8080_8080
  }

  /// The same of every one that is a space.
  @inline(__always)
  static func spaces(_ text: Span<UInt8>, _ offset: Int) -> UInt64 {
    let word = word(text, offset) ^ 0x2020_2020_2020_2020
    return ~((word & 0x7F7F_7F7F_7F7F_7F7F) &+ 0x7F7F_7F7F_7F7F_7F7F | word | 0x7F7F_7F7F_7F7F_7F7F)
  }

  @inline(__always)
  private static func word(_ text: Span<UInt8>, _ offset: Int) -> UInt64 {
    unsafe text.bytes.unsafeLoadUnaligned(fromUncheckedByteOffset: offset, as: UInt64.self).littleEndian
  }

  /// Whether a number follows, whatever combines aside: the question of ``Transition/looksAhead``.
  ///
  /// Asked at most once for each run of combining characters, so that a text is still read in O(n).
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
