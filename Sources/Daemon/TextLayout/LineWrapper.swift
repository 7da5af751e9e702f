/// Wraps one text. Two ways that give the same lines, chosen paragraph by paragraph and line by line:
///
/// - The *automaton* reads every code point and remembers the last place at which the line may be wrapped.
/// - The *plain path* is for lines of printable ASCII. There a byte is a cluster and a cell, so that a line can be no longer
///   than its width in bytes: it looks backwards from there for the last place, some five bytes a line, and reads no others.
///
/// They hand over at the starts of lines. The plain path needs to know nothing but ASCII before the line, back to a letter or the
/// paragraph's start, and the automaton catches up from there: after an ASCII letter it always is in the same state.
struct LineWrapper {
  private let automaton = Automaton.unicode
  private let width: Int
  private let shift: UInt32

  init(width: Int, profile: CellProfile) {
    precondition(width >= 1, "a line has at least one cell")
    self.width = min(width, Int(Int32.max))
    shift = profile.widthShift
  }

  /// Appends the ends of all lines.
  func wrap(_ text: Span<UInt8>, into ends: inout [UInt32]) {
    precondition(text.count <= Int(Int32.max), "offsets and columns are 31 bits")
    if text.isEmpty { ends.append(0) }
    var paragraph = 0
    var line = 0
    while line < text.count {
      let plainEnd = Automaton.plainEnd(text, from: line)
      let endsHere = plainEnd == text.count || Automaton.byte(text, plainEnd) == 0x0A
      if plainEnd &- line > width || endsHere {
        line = wrapPlain(text, paragraph: paragraph, line: line, end: plainEnd, endsHere: endsHere, into: &ends)
      }
      if endsHere {
        line = min(plainEnd &+ 1, text.count)
        paragraph = line
        ends.append(UInt32(truncatingIfNeeded: line))
      } else {
        (paragraph, line) = wrapAny(text, paragraph: paragraph, line: line, into: &ends)
      }
    }
  }

  // MARK: The automaton

  /// Wraps from the line start `start` to the end of the paragraph, or to the start of a line that the plain path can take; the
  /// paragraph and the line to go on with.
  private func wrapAny(
    _ text: Span<UInt8>, paragraph: Int, line start: Int, into ends: inout [UInt32]
  ) -> (paragraph: Int, line: Int) {
    var line = start
    var state = state(text, paragraph: paragraph, line: line)
    var offset = line
    /// `offset` and, in the high half, the cells on this line before it: one register, one addition a code point.
    var here = UInt64(UInt32(truncatingIfNeeded: line))
    /// The last place on this line where it may be wrapped; `line` if there is none.
    var opportunity = here
    /// Where the cluster at `offset` begins.
    var clusterStart = here
    /// The start of the last code point that is not ASCII.
    var lastOther = -1
    let overflow = UInt64(UInt32(truncatingIfNeeded: width) &+ 1) << 32

    while offset < text.count {
      let lead = Automaton.byte(text, offset)
      var cls: Int
      var length = 1
      if lead < 0x80 {
        cls = automaton.asciiClass(lead)
      } else {
        (cls, length) = automaton.decode(text, at: offset, lead: lead)
        lastOther = offset
      }
      let transition = automaton.transition(state, cls)
      state = transition.next
      var wraps = transition.wraps
      if transition.isSpecial {
        if transition.mustBreak {
          ends.append(UInt32(truncatingIfNeeded: offset))
          line = offset
          here = UInt64(UInt32(truncatingIfNeeded: offset))
          opportunity = here
        } else if transition.looksAhead {
          wraps = transition.startsCluster && !automaton.digitFollows(text, from: offset &+ length)
        }
        if transition.endsParagraph {
          ends.append(UInt32(truncatingIfNeeded: offset &+ 1))
          return (offset &+ 1, offset &+ 1)
        }
      }
      opportunity = wraps ? here : opportunity
      clusterStart = transition.startsCluster ? here : clusterStart
      here = here &+ transition.cells(shift) << 32 &+ UInt64(truncatingIfNeeded: length)
      offset &+= length
      if here >= overflow && !transition.hangs {
        let place = Self.offset(opportunity)
        if place > line {
          ends.append(UInt32(truncatingIfNeeded: place))
          line = place
          here &-= Self.column(opportunity)
          clusterStart &-= Self.column(opportunity)
          opportunity = UInt64(truncatingIfNeeded: place)
        }
        let cluster = Self.offset(clusterStart)
        if here >= overflow && cluster > line {
          ends.append(UInt32(truncatingIfNeeded: cluster))
          line = cluster
          here &-= Self.column(clusterStart)
          clusterStart = UInt64(truncatingIfNeeded: cluster)
          opportunity = clusterStart
        }
        if lastOther < line && offset > start &+ width && canGoOnPlain(text, paragraph: paragraph, line: line) {
          return (paragraph, line)
        }
      }
    }
    ends.append(UInt32(truncatingIfNeeded: offset))
    return (offset, offset)
  }

  /// The offset of a place that is an offset and a column.
  @inline(__always)
  private static func offset(_ place: UInt64) -> Int { Int(UInt32(truncatingIfNeeded: place)) }

  /// The column of a place, still in the high half.
  @inline(__always)
  private static func column(_ place: UInt64) -> UInt64 { place & 0xFFFF_FFFF_0000_0000 }

  /// The automaton's state at the start of a line behind ASCII alone: it catches up from the last letter or from the paragraph.
  private func state(_ text: Span<UInt8>, paragraph: Int, line: Int) -> Int {
    var offset = line
    while offset > paragraph && !isLetter(Automaton.byte(text, offset &- 1)) { offset &-= 1 }
    var state = offset > paragraph ? UnicodeTables.afterLetter : 0
    while offset < line {
      state = automaton.transition(state, automaton.asciiClass(Automaton.byte(text, offset))).next
      offset &+= 1
    }
    return state
  }

  /// Whether the plain path can take the line that starts at `line` at least, and knows what it has to about what is before it.
  ///
  /// Looks at no more than a line's length ahead and ``reach`` bytes back, so that asking at every line keeps a text O(n).
  private func canGoOnPlain(_ text: Span<UInt8>, paragraph: Int, line: Int) -> Bool {
    guard width &+ 2 <= text.count &- line else { return false }
    var offset = line
    let first = max(paragraph, line &- Self.reach)
    while offset > first {
      let byte = Automaton.byte(text, offset &- 1)
      if isLetter(byte) { break }
      guard isPlain(byte) else { return false }
      offset &-= 1
    }
    guard offset > first || first == paragraph else { return false }
    return Automaton.plainEnd(text.extracting(line..<line &+ width &+ 2), from: 0) == width &+ 2
  }

  /// How far back a letter is looked for, in bytes: few words of any language are longer.
  private static let reach = 32

  // MARK: The plain path

  /// Wraps what is printable ASCII from the line start `line` until `end`, as far as that decides alone where lines end; the
  /// start of the line that it leaves over. `endsHere` says that the paragraph ends at `end`.
  private func wrapPlain(
    _ text: Span<UInt8>, paragraph: Int, line: Int, end: Int, endsHere: Bool, into ends: inout [UInt32]
  ) -> Int {
    var line = line
    while end &- line > width {
      // The first byte that does not fit; spaces do, however many.
      var limit = line &+ width
      if Automaton.byte(text, limit) == 0x20 {
        repeat { limit &+= 1 } while limit < end && Automaton.byte(text, limit) == 0x20
        if limit == end { break }
      }
      if !endsHere && limit &+ 1 >= end { break }
      var place = limit
      var after = automaton.asciiClass(Automaton.byte(text, place))
      while place > line {
        let before = automaton.asciiClass(Automaton.byte(text, place &- 1))
        let pair = automaton.asciiPair(before, after)
        if pair != 0 && (pair == 1 || mayBreak(text, at: place, before: before, after: after, paragraph: paragraph, end: end)) {
          break
        }
        after = before
        place &-= 1
      }
      line = place > line ? place : limit
      ends.append(UInt32(truncatingIfNeeded: line))
    }
    return line
  }

  /// What UAX #14 says where two classes of printable ASCII do not decide: LB14 and LB15 after spaces, numbers by LB25.
  private func mayBreak(_ text: Span<UInt8>, at place: Int, before: Int, after: Int, paragraph: Int, end: Int) -> Bool {
    let before: UInt32 = 1 &<< UInt32(truncatingIfNeeded: before)
    if before & UnicodeTables.asciiSP != 0 {
      var base = place &- 2
      while base >= paragraph && Automaton.byte(text, base) == 0x20 { base &-= 1 }
      guard base >= paragraph else { return true }
      let cls = asciiClass(text, base)
      if cls & UnicodeTables.asciiOP != 0 { return false }
      return cls & UnicodeTables.asciiQU == 0 || 1 &<< UInt32(truncatingIfNeeded: after) & UnicodeTables.asciiOP == 0
    }
    if before & (UnicodeTables.asciiIS | UnicodeTables.asciiSY) != 0 {
      return !isNumber(text, until: place &- 1, paragraph: paragraph)
    }
    if before & (UnicodeTables.asciiCL | UnicodeTables.asciiCP) != 0 {
      return !isNumber(text, until: place &- 2, paragraph: paragraph)
    }
    // PR or PO before OP.
    return place &+ 1 >= end || asciiClass(text, place &+ 1) & UnicodeTables.asciiNU == 0
  }

  /// Whether the byte at `offset` is part of a number: `NU (NU | SY | IS)*`.
  private func isNumber(_ text: Span<UInt8>, until offset: Int, paragraph: Int) -> Bool {
    var offset = offset
    while offset >= paragraph {
      let cls = asciiClass(text, offset)
      if cls & UnicodeTables.asciiNU != 0 { return true }
      if cls & (UnicodeTables.asciiSY | UnicodeTables.asciiIS) == 0 { return false }
      offset &-= 1
    }
    return false
  }

  /// The class of the printable ASCII at `offset`, as a bit.
  @inline(__always)
  private func asciiClass(_ text: Span<UInt8>, _ offset: Int) -> UInt32 {
    1 &<< UInt32(truncatingIfNeeded: automaton.asciiClass(Automaton.byte(text, offset)))
  }

  /// Printable ASCII.
  @inline(__always)
  private func isPlain(_ byte: Int) -> Bool { byte >= 0x20 && byte < 0x7F }

  /// An ASCII letter.
  @inline(__always)
  private func isLetter(_ byte: Int) -> Bool { byte | 0x20 >= 0x61 && byte | 0x20 <= 0x7A }
}
