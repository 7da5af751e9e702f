/// Wraps one text line by line, in two steps that both skip most of the text.
///
/// *Measuring* runs from a line's start to the first code point that does not fit. It only adds up widths, eight bytes
/// at a time for printable ASCII. *Looking back* searches from there for the last opportunity to wrap the line, and
/// asks the automaton about the last few code points only. After nearly every letter, ideograph or punctuation mark its
/// state is the same regardless of earlier text (``ClassJoins``), so that it can be entered there.
///
/// A line whose width is not the sum of its code points' widths is read code point by code point instead
/// (`wrapByCodePoint`). Each line is O(its length), since the automaton's state at its start covers all text before it.
struct LineWrapper<Widths: WidthSource> {
  /// Line breaks and clusters.
  let automaton = Automaton.unicode
  /// The maximum width of a line.
  let width: Int
  /// The source of widths.
  let widths: Widths

  init(width: Int, widths: Widths) {
    precondition(width >= 1, "width must be at least 1")
    self.width = min(width, Int(Int32.max))
    self.widths = widths
  }

  /// The start of a line, with the automaton's row before it.
  struct Start {
    var offset: Int
    var row: Int
  }

  /// Appends the ends of all lines.
  func wrap(_ text: Span<UInt8>, joinsEmptyLines: Bool, into ends: inout [UInt32]) {
    forEachLine(of: text, joinsEmptyLines: joinsEmptyLines) { end, isJoined in
      if isJoined { ends.removeLast() }
      ends.append(UInt32(truncatingIfNeeded: end))
    }
  }

  /// Returns the number of lines.
  func lineCount(of text: Span<UInt8>, joinsEmptyLines: Bool) -> Int {
    var count = 0
    forEachLine(of: text, joinsEmptyLines: joinsEmptyLines) { _, isJoined in
      if !isJoined { count &+= 1 }
    }
    return count
  }

  /// Calls `body` with the end of each line, and whether it is joined to the line before. What a line begins with tells
  /// nearly always that it is not empty, so joining costs a comparison a line.
  @inline(__always)
  private func forEachLine(
    of text: Span<UInt8>, joinsEmptyLines: Bool, _ body: (_ end: Int, _ isJoined: Bool) -> Void
  ) {
    var start = 0
    var wasEmpty = false
    forEachLine(of: text) { end in
      let isEmpty = joinsEmptyLines && isBlank(text, start..<end)
      body(end, isEmpty && wasEmpty)
      (start, wasEmpty) = (end, isEmpty)
    }
  }

  /// Returns true if a line has nothing but spaces and line feeds.
  @inline(__always)
  private func isBlank(_ text: Span<UInt8>, _ line: Range<Int>) -> Bool {
    for index in line where text[index] != 0x20 && text[index] != 0x0A { return false }
    return true
  }

  /// Calls `body` with the end of each line.
  @inline(__always)
  private func forEachLine(of text: Span<UInt8>, _ body: (Int) -> Void) {
    precondition(text.count <= Int(Int32.max), "the text is longer than 2 GiB")
    var line = Start(offset: 0, row: 0)
    repeat {
      switch measure(text, from: line.offset) {
      case .end: line = Start(offset: text.count, row: 0)
      case .lineFeed(let offset): line = Start(offset: offset &+ 1, row: 0)
      case .overflow(let offset):
        line =
          breakBeforeLetters(text, line: line.offset, overflow: offset) ?? lookBack(text, line: line, overflow: offset)
          ?? wrapByCodePoint(text, from: line)
      case .overflowOfWord(let word, let offset):
        line =
          breakAfterSpace(text, line: line.offset, before: word) ?? lookBack(text, line: line, overflow: offset)
          ?? wrapByCodePoint(text, from: line)
      case .unmeasured: line = wrapByCodePoint(text, from: line)
      }
      body(line.offset)
    } while line.offset < text.count
  }

  /// True if the line may be wrapped before the code point of `transition`, which ends at `next`.
  @inline(__always)
  func wraps(_ text: Span<UInt8>, _ transition: Transition, next: Int) -> Bool {
    transition.wraps || transition.looksAhead && transition.startsCluster && !automaton.digitFollows(text, from: next)
  }

  /// Finds the start of the next line code point by code point.
  @inline(never)
  private func wrapByCodePoint(_ text: Span<UInt8>, from line: Start) -> Start {
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
