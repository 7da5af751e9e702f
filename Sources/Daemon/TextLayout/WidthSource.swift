/// A source of widths: the only difference between cells and points. Generic code is compiled once for each.
///
/// *Room* is width in the source's own unit, the one that is cheapest to subtract.
protocol WidthSource {
  /// Returns a width as room.
  func room(_ width: Int) -> Int

  /// Returns the width that the code point at `offset`, of `length` bytes, adds to a line; `transition` is the
  /// automaton's, after all earlier text.
  func width(of transition: Transition, _ text: Span<UInt8>, at offset: Int, length: Int) -> Int

  /// True if the width of a code point depends on earlier text, or it is a hard break.
  func needsAutomaton(_ entry: ClassEntry) -> Bool

  /// Returns the room of any other code point, of `length` bytes at `offset`.
  func room(for entry: ClassEntry, _ text: Span<UInt8>, at offset: Int, length: Int) -> Int

  /// Moves `offset` over printable ASCII, or more, that fits into `room`, and over spaces even if they do not fit,
  /// which makes `room` negative. Stops at a byte that is not printable ASCII, at the end, or at the first byte that
  /// does not fit.
  /// - Returns: True if it stopped at a byte that does not fit.
  func skipPlain(_ text: Span<UInt8>, _ offset: inout Int, _ room: inout Int) -> Bool
}

/// Widths in cells of a profile. Room is shifted to the position of the profile's cells in a ``ClassEntry``.
struct CellWidths: WidthSource {
  /// The position of the profile's cells in transitions.
  private let shift: UInt32
  /// The cells that VS15 takes back from an emoji: 0 or 1.
  private let narrowing: Int
  /// A cell as room, and the number of bits it is shifted by.
  private let cell: Int
  private let roomShift: Int
  /// True if all letters of ``Automaton/latin(_:_:notPlain:)`` take one cell.
  private let isLatinNarrow: Bool

  init(_ profile: CellProfile) {
    shift = Transition.widthShift + 2 * UInt32(profile.number)
    narrowing = profile.clusterWidth == .clusterText ? 1 : 0
    roomShift = ClassEntry.shift(profile: profile.number)
    cell = 1 << roomShift
    isLatinNarrow = profile.ambiguousWidth == .one
  }

  @inline(__always)
  func room(_ width: Int) -> Int { width &* cell }

  @inline(__always)
  func width(of transition: Transition, _ text: Span<UInt8>, at offset: Int, length: Int) -> Int {
    transition.cells(shift) &- transition.narrowing(narrowing)
  }

  @inline(__always)
  func needsAutomaton(_ entry: ClassEntry) -> Bool { entry.cells(times: cell) == 3 &* cell }

  @inline(__always)
  func room(for entry: ClassEntry, _ text: Span<UInt8>, at offset: Int, length: Int) -> Int { entry.cells(times: cell) }

  /// Counts a cell each, sixteen bytes at a time, and includes two-byte letters. No step depends on the result of the
  /// last one, since the next offset is known.
  @inline(__always)
  func skipPlain(_ text: Span<UInt8>, _ offset: inout Int, _ room: inout Int) -> Bool {
    while room >= 16 &* cell && text.count &- offset >= 16 && Automaton.arePlain16(text, offset) {
      offset &+= 16
      room &-= 16 &* cell
    }
    if room >= 8 &* cell && text.count &- offset >= 8 {
      let notPlain = Automaton.notPlain(text, offset)
      if notPlain == 0 {
        offset &+= 8
        room &-= 8 &* cell
      } else if isLatinNarrow {
        skipLatin(text, &offset, &room, notPlain: notPlain)
      }
    }
    let plain = Automaton.plainPrefix(text, offset)
    guard plain &* cell > room else {
      offset &+= plain
      room &-= plain &* cell
      return false
    }
    if room > 0 {
      offset &+= room &>> roomShift
      room = 0
    }
    while offset < text.count && Automaton.byte(text, offset) == 0x20 {
      offset &+= 1
      room = -1
    }
    return offset < text.count && Automaton.isPlain(Automaton.byte(text, offset))
  }

  /// Moves `offset` over accented, Greek and Cyrillic letters, and ASCII between them, eight bytes at a time.
  @inline(__always)
  private func skipLatin(_ text: Span<UInt8>, _ offset: inout Int, _ room: inout Int, notPlain: UInt64) {
    var notPlain = notPlain
    while notPlain != 0, Automaton.isLatinLead(Automaton.byte(text, offset &+ notPlain.trailingZeroBitCount &>> 3)),
      let letters = Automaton.latin(text, offset, notPlain: notPlain)
    {
      offset &+= 8
      room &-= letters &* cell
      // The second byte of the last letter may be the first of the next eight.
      if offset < text.count && Automaton.byte(text, offset) & 0xC0 == 0x80 { offset &+= 1 }
      guard room >= 8 &* cell && text.count &- offset >= 8 else { return }
      notPlain = Automaton.notPlain(text, offset)
      if notPlain == 0 {
        offset &+= 8
        room &-= 8 &* cell
        guard room >= 8 &* cell && text.count &- offset >= 8 else { return }
        notPlain = Automaton.notPlain(text, offset)
      }
    }
  }
}

/// Widths in 1/64 points of a table.
struct AdvanceWidths: WidthSource {
  private let table: AdvanceTable
  /// The number of the profile in which widths are sums.
  private static let sums = CellProfile().number

  init(_ table: AdvanceTable) { self.table = table }

  @inline(__always)
  func room(_ width: Int) -> Int { width }

  @inline(__always)
  func width(of transition: Transition, _ text: Span<UInt8>, at offset: Int, length: Int) -> Int {
    table.advance(transition.cells(Transition.widthShift), text, at: offset, length: length)
  }

  @inline(__always)
  func needsAutomaton(_ entry: ClassEntry) -> Bool { entry.cells(profile: Self.sums) == ClassEntry.leftToAutomaton }

  @inline(__always)
  func room(for entry: ClassEntry, _ text: Span<UInt8>, at offset: Int, length: Int) -> Int {
    table.advance(entry.cells(profile: Self.sums), text, at: offset, length: length)
  }

  @inline(__always)
  func skipPlain(_ text: Span<UInt8>, _ offset: inout Int, _ room: inout Int) -> Bool {
    while offset < text.count {
      let byte = Automaton.byte(text, offset)
      guard Automaton.isPlain(byte) else { return false }
      room &-= table.advance(ofASCII: byte)
      if room < 0 && byte != 0x20 { return true }
      offset &+= 1
    }
    return false
  }
}
