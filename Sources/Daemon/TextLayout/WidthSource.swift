/// Where widths come from: all that differs between cells and points. What is generic over it is compiled once for
/// each.
///
/// *Room* is width in a source's own unit, whatever is cheapest to subtract.
protocol WidthSource {
  /// So much width as room.
  func room(_ width: Int) -> Int

  /// The width that the code point at `offset`, of `length` bytes, adds to a line: `transition` is the automaton's for
  /// it, after all that was before it.
  func width(of transition: Transition, _ text: Span<UInt8>, at offset: Int, length: Int) -> Int

  /// Whether what a code point adds depends on what was before it, or it is a hard break.
  func needsAutomaton(_ entry: ClassEntry) -> Bool

  /// The room that any other takes, of `length` bytes at `offset`.
  func room(for entry: ClassEntry, _ text: Span<UInt8>, at offset: Int, length: Int) -> Int

  /// Goes from `offset` over printable ASCII, or more, as long as there is `room` for it, and over spaces even where
  /// there is none, so that room is negative: up to what is not printable ASCII, the end, or the first of it that does
  /// not fit.
  /// - Returns: Whether it is the last of these.
  func takePlain(_ text: Span<UInt8>, _ offset: inout Int, _ room: inout Int) -> Bool
}

/// Widths in cells, as a profile has them. Room is in the place that the profile's cells have in a ``ClassEntry``.
struct CellWidths: WidthSource {
  /// Where transitions have the profile's cells.
  private let shift: UInt32
  /// A cell as room, and by how many bits it is shifted.
  private let cell: Int
  private let roomShift: Int
  /// Whether all letters of ``Automaton/latin(_:_:notPlain:)`` take one cell.
  private let isLatinNarrow: Bool

  init(_ profile: CellProfile) {
    shift = Transition.widthShift + 2 * UInt32(profile.number)
    roomShift = ClassEntry.shift(profile: profile.number)
    cell = 1 << roomShift
    isLatinNarrow = profile.ambiguousWidth == .one
  }

  @inline(__always)
  func room(_ width: Int) -> Int { width &* cell }

  @inline(__always)
  func width(of transition: Transition, _ text: Span<UInt8>, at offset: Int, length: Int) -> Int {
    transition.cells(shift)
  }

  @inline(__always)
  func needsAutomaton(_ entry: ClassEntry) -> Bool { entry.cells(times: cell) == 3 &* cell }

  @inline(__always)
  func room(for entry: ClassEntry, _ text: Span<UInt8>, at offset: Int, length: Int) -> Int { entry.cells(times: cell) }

  /// A cell each, sixteen bytes at a time, and letters of two bytes too. No step waits for what the last one found:
  /// where the next one is, is known.
  @inline(__always)
  func takePlain(_ text: Span<UInt8>, _ offset: inout Int, _ room: inout Int) -> Bool {
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
        takeLatin(text, &offset, &room, notPlain: notPlain)
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

  /// Goes from `offset` over letters with accents, Greek and Cyrillic, and ASCII between them, eight bytes at a time.
  @inline(__always)
  private func takeLatin(_ text: Span<UInt8>, _ offset: inout Int, _ room: inout Int, notPlain: UInt64) {
    var notPlain = notPlain
    while notPlain != 0, Automaton.isLatinLead(Automaton.byte(text, offset &+ notPlain.trailingZeroBitCount &>> 3)),
      let letters = Automaton.latin(text, offset, notPlain: notPlain)
    {
      offset &+= 8
      room &-= letters &* cell
      // Of the last letter the second byte may be the first of the next eight.
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

/// Widths in 1/64 points, as a table has them.
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
  func takePlain(_ text: Span<UInt8>, _ offset: inout Int, _ room: inout Int) -> Bool {
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
