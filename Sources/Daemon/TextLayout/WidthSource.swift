/// Where widths come from: all that differs between cells and points. What is generic over it is compiled once for each.
protocol WidthSource {
  /// The width that the code point at `offset`, of class `cls` and `length` bytes, adds to a line: `transition` is the automaton's
  /// for it, after all that was before it.
  func width(of transition: Transition, _ cls: Int, _ text: Span<UInt8>, at offset: Int, length: Int) -> Int

  /// The same whatever was before it; `nil` if that decides, or if it is a hard break.
  func loneWidth(of cls: Int, _ text: Span<UInt8>, at offset: Int, length: Int) -> Int?

  /// Goes from `offset` over printable ASCII as long as there is `room` for it, and over spaces even where there is none: up to what
  /// is not printable ASCII, the end, or the first that does not fit, whose width is then taken from `room` so that it is negative.
  func takePlain(_ text: Span<UInt8>, _ offset: inout Int, _ room: inout Int) -> PlainEnd
}

/// Why ``WidthSource/takePlain(_:_:_:)`` stopped.
enum PlainEnd {
  /// At the end, or at what is not printable ASCII.
  case other
  /// At a byte of printable ASCII without room.
  case overflow
}

/// Widths in cells, as a profile has them.
struct CellWidths: WidthSource {
  private let automaton = Automaton.unicode
  /// Where transitions have the profile's cells.
  private let shift: UInt32
  /// Which traits are the profile's.
  private let profile: Int

  init(_ profile: CellProfile) {
    shift = Transition.widthShift + 2 * UInt32(profile.number)
    self.profile = profile.number
  }

  @inline(__always)
  func width(of transition: Transition, _ cls: Int, _ text: Span<UInt8>, at offset: Int, length: Int) -> Int {
    transition.cells(shift)
  }

  @inline(__always)
  func loneWidth(of cls: Int, _ text: Span<UInt8>, at offset: Int, length: Int) -> Int? {
    let traits = automaton.traits(cls, profile: profile)
    return traits.needsAutomaton ? nil : traits.cells
  }

  /// A cell each, eight bytes at a time. No step waits for what the last one found: where the next one is, is known.
  @inline(__always)
  func takePlain(_ text: Span<UInt8>, _ offset: inout Int, _ room: inout Int) -> PlainEnd {
    while room >= 8 && text.count &- offset >= 8 && Automaton.notPlain(text, offset) == 0 {
      offset &+= 8
      room &-= 8
    }
    while true {
      let plain = Automaton.plainPrefix(text, offset)
      if plain <= room {
        offset &+= plain
        room &-= plain
        if plain < 8 { return .other }
        continue
      }
      offset &+= max(room, 0)
      room = min(room, 0)
      while offset < text.count && Automaton.byte(text, offset) == 0x20 {
        offset &+= 1
        room = -1
      }
      guard offset < text.count && Automaton.isPlain(Automaton.byte(text, offset)) else { return .other }
      return .overflow
    }
  }
}

/// Widths in 1/64 points, as a table has them.
struct AdvanceWidths: WidthSource {
  private let automaton = Automaton.unicode
  private let table: AdvanceTable
  /// What traits are the profile's in which widths are sums.
  private static let sums = CellProfile().number

  init(_ table: AdvanceTable) { self.table = table }

  @inline(__always)
  func width(of transition: Transition, _ cls: Int, _ text: Span<UInt8>, at offset: Int, length: Int) -> Int {
    table.advance(automaton.traits(cls, profile: Self.sums).cells, text, at: offset, length: length)
  }

  @inline(__always)
  func loneWidth(of cls: Int, _ text: Span<UInt8>, at offset: Int, length: Int) -> Int? {
    let traits = automaton.traits(cls, profile: Self.sums)
    return traits.needsAutomaton ? nil : table.advance(traits.cells, text, at: offset, length: length)
  }

  @inline(__always)
  func takePlain(_ text: Span<UInt8>, _ offset: inout Int, _ room: inout Int) -> PlainEnd {
    while offset < text.count {
      let byte = Automaton.byte(text, offset)
      guard Automaton.isPlain(byte) else { return .other }
      room &-= table.advance(ofASCII: byte)
      if room < 0 && byte != 0x20 { return .overflow }
      offset &+= 1
    }
    return .other
  }
}
