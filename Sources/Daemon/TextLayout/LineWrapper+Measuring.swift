// Measuring: from a line's start to the first code point that does not fit.

extension LineWrapper {
  /// The point at which the space of a line ends.
  enum Extent {
    /// The line fits up to the end of the text.
    case end
    /// The line fits up to the line feed at this offset.
    case lineFeed(Int)
    /// The first code point that does not fit and is not a space begins at this offset.
    case overflow(Int)
    /// Like `overflow`, within a word of letters, digits and marks that begins at the first offset, after a space.
    case overflowOfWord(Int, Int)
    /// The line has a code point whose width depends on others, or a hard break other than a line feed.
    case unmeasured
  }

  /// Measures the line that begins at `start`.
  @inline(__always)
  func measure(_ text: Span<UInt8>, from start: Int) -> Extent {
    var offset = start
    /// The space left; negative once spaces hang over.
    var room = widths.room(width)
    while true {
      if widths.skipPlain(text, &offset, &room) { return .overflow(offset) }
      if offset == text.count { return .end }
      let lead = Automaton.byte(text, offset)
      if lead == 0x0A { return .lineFeed(offset) }
      // An accented letter between unaccented ones.
      if lead & 0xE0 == 0xC0 && text.count &- offset >= 3 && Automaton.byte(text, offset &+ 2) < 0x80 {
        let entry = automaton.decodeTwo(text, at: offset, lead: lead)
        if widths.needsAutomaton(entry) { return .unmeasured }
        room &-= widths.room(for: entry, text, at: offset, length: 2)
        if room < 0 { return .overflow(offset) }
        offset &+= 2
        continue
      }
      if let extent = measureOther(text, line: start, &offset, &room) { return extent }
    }
  }

  /// The word that measuring is in.
  private struct Word {
    /// Its start, after a space; negative if it began before measuring reached it.
    let start: Int
    /// All bits of its entries.
    private var bits: UInt16 = 0

    @inline(__always) init(start: Int) { self.start = start }

    @inline(__always) mutating func add(_ entry: ClassEntry) { bits |= entry.bits }

    /// Returns the extent of a line without space for the code point at `offset`, whose entry has been added.
    @inline(__always)
    func overflow(_ offset: Int, line: Int) -> Extent {
      start &- 1 > line && !ClassEntry(bits: bits).endsWords ? .overflowOfWord(start, offset) : .overflow(offset)
    }
  }

  /// Measures from `offset` over non-ASCII text, and over single bytes of printable ASCII, until two of these are
  /// adjacent. Returns the extent of the line if it ends before.
  ///
  /// Texts in one script are runs of sequences of the same length, usually with single spaces between them, so each
  /// length has its own loop.
  @inline(never)
  private func measureOther(_ text: Span<UInt8>, line: Int, _ offset: inout Int, _ room: inout Int) -> Extent? {
    var here = offset
    var left = room
    // The last word, if it begins after a space.
    var word = Word(start: here > line && Automaton.byte(text, here &- 1) == 0x20 ? here : -1)
    /// The last offset with four bytes left.
    let last = text.count &- 4
    while here <= last {
      var lead = Automaton.byte(text, here)
      if lead >= 0xF0 {
        let entry = automaton.decodeFour(text, at: here, lead: lead)
        word.add(entry)
        if widths.needsAutomaton(entry) { return .unmeasured }
        left &-= widths.room(for: entry, text, at: here, length: 4)
        if left < 0 { return word.overflow(here, line: line) }
        here &+= 4
      } else if lead >= 0xE0 {
        repeat {
          let entry = automaton.decodeThree(text, at: here, lead: lead)
          word.add(entry)
          if widths.needsAutomaton(entry) { return .unmeasured }
          left &-= widths.room(for: entry, text, at: here, length: 3)
          if left < 0 { return word.overflow(here, line: line) }
          here &+= 3
          guard here <= last else { break }
          lead = Automaton.byte(text, here)
        } while lead & 0xF0 == 0xE0
      } else if lead >= 0x80 {
        repeat {
          let entry = automaton.decodeTwo(text, at: here, lead: lead)
          word.add(entry)
          if widths.needsAutomaton(entry) { return .unmeasured }
          left &-= widths.room(for: entry, text, at: here, length: 2)
          if left < 0 { return word.overflow(here, line: line) }
          here &+= 2
          guard here <= last else { break }
          lead = Automaton.byte(text, here)
        } while lead & 0xE0 == 0xC0
      } else {
        if Automaton.byte(text, here &+ 1) < 0x80 && Automaton.isPlain(lead) {
          offset = here
          room = left
          return nil
        }
        let entry = automaton.ascii(lead)
        word.add(entry)
        if widths.needsAutomaton(entry) { return hardBreak(text, at: here) }
        left &-= widths.room(for: entry, text, at: here, length: 1)
        if lead == 0x20 {
          word = Word(start: here &+ 1)
        } else if left < 0 {
          return word.overflow(here, line: line)
        }
        here &+= 1
      }
    }
    return measureLast(text, from: here, room: left)
  }

  /// Like `measureOther` for the last few bytes of a text, up to its end.
  private func measureLast(_ text: Span<UInt8>, from start: Int, room: Int) -> Extent {
    var offset = start
    var room = room
    while offset < text.count {
      let (entry, length) = automaton.decode(text, at: offset)
      if widths.needsAutomaton(entry) { return hardBreak(text, at: offset) }
      room &-= widths.room(for: entry, text, at: offset, length: length)
      if room < 0 && Automaton.byte(text, offset) != 0x20 { return .overflow(offset) }
      offset &+= length
    }
    return .end
  }

  /// Returns the extent of a line that ends at a code point for the automaton.
  @inline(__always)
  private func hardBreak(_ text: Span<UInt8>, at offset: Int) -> Extent {
    Automaton.byte(text, offset) == 0x0A ? .lineFeed(offset) : .unmeasured
  }
}
