// Measuring: ahead from a line's start to the first code point without room.

extension LineWrapper {
  /// Where the room of a line ends.
  enum Extent {
    /// Not before the end of the text.
    case end
    /// Not before the line feed at this offset.
    case lineFeed(Int)
    /// At this offset begins the first code point that has no room and is no space.
    case overflow(Int)
    /// The same within a word of letters, digits and marks that begins at the first offset, behind a space.
    case overflowOfWord(Int, Int)
    /// There is a code point whose width depends on others, or a hard break other than a line feed.
    case unmeasured
  }

  /// Where the room of the line that begins at `start` ends.
  @inline(__always)
  func measure(_ text: Span<UInt8>, from start: Int) -> Extent {
    var offset = start
    /// What is left; negative once spaces hang over.
    var room = widths.room(width)
    while true {
      if widths.takePlain(text, &offset, &room) { return .overflow(offset) }
      if offset == text.count { return .end }
      let lead = Automaton.byte(text, offset)
      if lead == 0x0A { return .lineFeed(offset) }
      // A letter with an accent among others without.
      if lead & 0xE0 == 0xC0 && text.count &- offset >= 3 && Automaton.byte(text, offset &+ 2) < 0x80 {
        let entry = automaton.decodeTwo(text, at: offset, lead: lead)
        if widths.needsAutomaton(entry) { return .unmeasured }
        room &-= widths.room(for: entry, text, at: offset, length: 2)
        if room < 0 { return .overflow(offset) }
        offset &+= 2
        continue
      }
      if let extent = takeOther(text, line: start, &offset, &room) { return extent }
    }
  }

  /// The word that measuring is in.
  private struct Word {
    /// Where it begins, behind a space; negative if it began before measuring came here.
    let start: Int
    /// All bits of what is in it.
    private var bits: UInt16 = 0

    @inline(__always) init(start: Int) { self.start = start }

    @inline(__always) mutating func take(_ entry: ClassEntry) { bits |= entry.bits }

    /// The extent of a line that has no room for the code point at `offset`, which the word has been given.
    @inline(__always)
    func overflow(_ offset: Int, line: Int) -> Extent {
      start &- 1 > line && !ClassEntry(bits: bits).endsWords ? .overflowOfWord(start, offset) : .overflow(offset)
    }
  }

  /// Goes from `offset` over what is not printable ASCII, and over single bytes of it, until more than one come
  /// together; the end of the line if that is before.
  ///
  /// Texts in one script are runs of sequences of the same length, mostly with one space between: a loop for each
  /// length.
  @inline(never)
  private func takeOther(_ text: Span<UInt8>, line: Int, _ offset: inout Int, _ room: inout Int) -> Extent? {
    var here = offset
    var left = room
    // The last word, if a space begins it; what it is made of, in the bits that say what it is not.
    var word = Word(start: here > line && Automaton.byte(text, here &- 1) == 0x20 ? here : -1)
    /// The last offset that has four bytes.
    let last = text.count &- 4
    while here <= last {
      var lead = Automaton.byte(text, here)
      if lead >= 0xF0 {
        let entry = automaton.decodeFour(text, at: here, lead: lead)
        word.take(entry)
        if widths.needsAutomaton(entry) { return .unmeasured }
        left &-= widths.room(for: entry, text, at: here, length: 4)
        if left < 0 { return word.overflow(here, line: line) }
        here &+= 4
      } else if lead >= 0xE0 {
        repeat {
          let entry = automaton.decodeThree(text, at: here, lead: lead)
          word.take(entry)
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
          word.take(entry)
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
        word.take(entry)
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
    return takeLast(text, from: here, room: left)
  }

  /// The same for a text's last few bytes: to its end.
  private func takeLast(_ text: Span<UInt8>, from start: Int, room: Int) -> Extent {
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

  /// What ends the line at a code point that has to be left to the automaton.
  @inline(__always)
  private func hardBreak(_ text: Span<UInt8>, at offset: Int) -> Extent {
    Automaton.byte(text, offset) == 0x0A ? .lineFeed(offset) : .unmeasured
  }
}
