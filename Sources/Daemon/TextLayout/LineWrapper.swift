/// Wraps one text, line by line, in two steps that both leave most of the text alone.
///
/// *Measuring* goes ahead from a line's start to the first code point without room. It only adds up widths, and where the text is
/// printable ASCII eight bytes at a time. *Looking back* from there for the last place at which the line may be wrapped asks the
/// automaton about the last few code points only: after nearly every letter, ideograph or punctuation mark it is in the same
/// state whatever came before (``ClassJoins``), so that it can be joined there.
///
/// A line of which the width is not the sum of its code points' widths is read code point by code point instead (`readOn`).
/// Every line is O(its length): what is before its start is summed up in the automaton's state there.
struct LineWrapper<Widths: WidthSource> {
  private let automaton = Automaton.unicode
  /// What a line has room for.
  private let width: Int
  private let widths: Widths

  init(width: Int, widths: Widths) {
    precondition(width >= 1, "a line has room for something")
    self.width = min(width, Int(Int32.max))
    self.widths = widths
  }

  /// The start of a line and the automaton's row before it.
  private struct Start {
    var offset: Int
    var row: Int
  }

  /// Appends the ends of all lines.
  func wrap(_ text: Span<UInt8>, into ends: inout [UInt32]) {
    forEachLine(of: text) { ends.append(UInt32(truncatingIfNeeded: $0)) }
  }

  /// How many lines there are.
  func lineCount(of text: Span<UInt8>) -> Int {
    var count = 0
    forEachLine(of: text) { _ in count &+= 1 }
    return count
  }

  /// Calls `body` with the end of each line.
  @inline(__always)
  private func forEachLine(of text: Span<UInt8>, _ body: (Int) -> Void) {
    precondition(text.count <= Int(Int32.max), "offsets are 31 bits")
    var line = Start(offset: 0, row: 0)
    repeat {
      switch measure(text, from: line.offset) {
      case .end: line = Start(offset: text.count, row: 0)
      case .lineFeed(let offset): line = Start(offset: offset &+ 1, row: 0)
      case .overflow(let offset):
        line =
          letterWord(text, line: line.offset, overflow: offset) ?? lookBack(text, line: line, overflow: offset)
          ?? readOn(text, from: line)
      case .overflowOfWord(let word, let offset):
        line = place(text, line: line.offset, before: word) ?? lookBack(text, line: line, overflow: offset) ?? readOn(text, from: line)
      case .unmeasured: line = readOn(text, from: line)
      }
      body(line.offset)
    } while line.offset < text.count
  }

  // MARK: Measuring

  /// Where the room of a line ends.
  private enum Extent {
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

  @inline(__always)
  private func measure(_ text: Span<UInt8>, from start: Int) -> Extent {
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

  /// Goes from `offset` over what is not printable ASCII, and over single bytes of it, until more than one come together; the end of
  /// the line if that is before.
  ///
  /// Texts in one script are runs of sequences of the same length, mostly with one space between: a loop for each length.
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

  // MARK: Looking back

  /// The commonest place of all: behind the space before a word of ASCII letters of which the one at `overflow` is among the first
  /// fifteen. Within it there is none, so that the automaton has but to say about its first letter.
  @inline(__always)
  private func letterWord(_ text: Span<UInt8>, line: Int, overflow: Int) -> Start? {
    guard overflow &- line >= 17 else { return nil }
    let near = Automaton.notLetters(text, overflow &- 7)
    let far = Automaton.notLetters(text, overflow &- 15)
    let letters = (near == 0 ? far.leadingZeroBitCount &+ 64 : near.leadingZeroBitCount) &>> 3
    let word = overflow &+ 1 &- letters
    guard letters > 0 && letters < 16, Automaton.byte(text, word &- 1) == 0x20 else { return nil }
    let before = Automaton.byte(text, word &- 2)
    guard before < 0x80, let row = automaton.joins(automaton.ascii(before).cls).rowAfterSpace else { return nil }
    return automaton.transition(row, automaton.ascii(0x61).cls).wraps ? Start(offset: word, row: row) : nil
  }

  /// The place before the code point at `offset`, which is behind a space, if the line may be wrapped there.
  @inline(__always)
  private func place(_ text: Span<UInt8>, line: Int, before offset: Int) -> Start? {
    let before = automaton.decode(text, at: codePoint(text, at: offset &- 2, line: line)).entry
    guard let row = automaton.joins(before.cls).rowAfterSpace else { return nil }
    let next = automaton.decode(text, at: offset).entry
    return automaton.transition(row, next.cls).wraps ? Start(offset: offset, row: row) : nil
  }

  /// The last place after the line's start and not behind the code point at `overflow` where the line may be wrapped, or else
  /// where a cluster begins; `nil` if the line is one cluster so far.
  @inline(never)
  private func lookBack(_ text: Span<UInt8>, line: Start, overflow: Int) -> Start? {
    // Between ideographs and the like there is a place at once, among letters rather behind a space.
    let isASCII = Automaton.byte(text, max(overflow &- 1, line.offset)) < 0x80
    if !isASCII, let place = here(text, line: line, at: overflow) { return place }
    let word = wordStart(text, line: line.offset, at: overflow)
    var start = word ?? join(text, line: line, at: overflow)
    var end = overflow &+ 1
    var cluster: Start?
    var distance = 0
    while true {
      let (place, lastCluster) = places(text, line: line.offset, from: start, until: end)
      if let place { return place }
      cluster = cluster ?? lastCluster
      if start.offset <= line.offset { return cluster }
      end = start.offset
      if distance == 0, let word = wordStart(text, line: line.offset, at: end &- 1) {
        start = word
      } else {
        // Farther back, in strides that double, so that all of them together are of the order of the line.
        start = join(text, line: line, at: codePoint(text, at: max(line.offset, end &- 8 &- distance), line: line.offset))
      }
      distance = distance &* 2 &+ 8
    }
  }

  /// The place directly before the code point at `overflow`, if the line may be wrapped there and one code point before it tells so.
  @inline(__always)
  private func here(_ text: Span<UInt8>, line: Start, at overflow: Int) -> Start? {
    guard overflow > line.offset else { return nil }
    let last = automaton.decode(text, at: codePoint(text, at: overflow &- 1, line: line.offset)).entry
    guard let row = automaton.joins(last.cls).rowAfter else { return nil }
    let next = automaton.decode(text, at: overflow).entry
    return automaton.transition(row, next.cls).wraps ? Start(offset: overflow, row: row) : nil
  }

  /// The start of the word that the byte at `offset` is in or behind, if a space is before it among the last 64 bytes and what is
  /// before that tells the automaton's row.
  @inline(__always)
  private func wordStart(_ text: Span<UInt8>, line: Int, at offset: Int) -> Start? {
    var last = offset
    while last &- line >= 16 && offset &- last < 64 {
      let spaces = Automaton.spaces(text, last &- 7)
      if spaces == 0 {
        last &-= 8
        continue
      }
      let word = last &+ 1 &- spaces.leadingZeroBitCount &>> 3
      let cls = automaton.decode(text, at: codePoint(text, at: word &- 2, line: line)).entry.cls
      return automaton.joins(cls).rowAfterSpace.map { Start(offset: word, row: $0) }
    }
    return nil
  }

  /// The automaton's row at the last place from `offset` back where it is known: behind a code point that alone decides it, or at
  /// the line's start.
  @inline(__always)
  private func join(_ text: Span<UInt8>, line: Start, at offset: Int) -> Start {
    var offset = offset
    while offset > line.offset {
      let last = codePoint(text, at: offset &- 1, line: line.offset)
      let (entry, length) = automaton.decode(text, at: last)
      if let row = automaton.joins(entry.cls).rowAfter, last &+ length == offset {
        return Start(offset: offset, row: row)
      }
      offset = last
    }
    return line
  }

  /// The start of the code point that the byte at `offset` belongs to.
  @inline(__always)
  private func codePoint(_ text: Span<UInt8>, at offset: Int, line: Int) -> Int {
    var offset = offset
    while offset > line && Automaton.byte(text, offset) & 0xC0 == 0x80 { offset &-= 1 }
    return offset
  }

  /// Among the code points that begin from `start` until `end`, the last one before which the line may be wrapped and the last one
  /// that begins a cluster, those at the line's start left out.
  @inline(__always)
  private func places(_ text: Span<UInt8>, line: Int, from start: Start, until end: Int) -> (wrap: Start?, cluster: Start?) {
    var here = start
    var wrap = Start(offset: -1, row: 0)
    var cluster = wrap
    while here.offset < end {
      let (entry, length) = automaton.decode(text, at: here.offset)
      let transition = automaton.transition(here.row, entry.cls)
      if here.offset > line {
        if wraps(text, transition, next: here.offset &+ length) { wrap = here }
        if transition.startsCluster { cluster = here }
      }
      here = Start(offset: here.offset &+ length, row: transition.next)
    }
    return (wrap.offset < 0 ? nil : wrap, cluster.offset < 0 ? nil : cluster)
  }

  /// Whether the line may be wrapped before the code point of `transition`, which ends at `next`.
  @inline(__always)
  private func wraps(_ text: Span<UInt8>, _ transition: Transition, next: Int) -> Bool {
    transition.wraps || transition.looksAhead && transition.startsCluster && !automaton.digitFollows(text, from: next)
  }

  // MARK: Reading

  /// The start of the next line, found code point by code point.
  @inline(never)
  private func readOn(_ text: Span<UInt8>, from line: Start) -> Start {
    var here = line
    var wrap: Start?
    var cluster: Start?
    var column = 0
    while here.offset < text.count {
      let (entry, length) = automaton.decode(text, at: here.offset)
      let transition = automaton.transition(here.row, entry.cls)
      let next = here.offset &+ length
      if here.offset > line.offset {
        if transition.mustBreak { return Start(offset: here.offset, row: 0) }
        if wraps(text, transition, next: next) { wrap = here }
        if transition.startsCluster { cluster = here }
      }
      if transition.endsParagraph { return Start(offset: next, row: 0) }
      column &+= widths.width(of: transition, text, at: here.offset, length: length)
      if column > width && !transition.hangs, let place = wrap ?? cluster { return place }
      here = Start(offset: next, row: transition.next)
    }
    return Start(offset: text.count, row: 0)
  }
}
