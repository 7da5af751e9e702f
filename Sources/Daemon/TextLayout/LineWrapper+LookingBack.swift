// Looking back: from the end of the space to the last opportunity to wrap the line.

extension LineWrapper {
  /// Returns the most common opportunity: after the space before a word of ASCII letters in which the one at `overflow`
  /// is among the first fifteen. The word itself has none, so that the automaton is needed for its first letter only.
  @inline(__always)
  func breakBeforeLetters(_ text: Span<UInt8>, line: Int, overflow: Int) -> Start? {
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

  /// Returns the opportunity before the code point at `offset`, which follows a space, if the line may be wrapped
  /// there.
  @inline(__always)
  func breakAfterSpace(_ text: Span<UInt8>, line: Int, before offset: Int) -> Start? {
    let before = automaton.decode(text, at: codePoint(text, at: offset &- 2, line: line)).entry
    guard let row = automaton.joins(before.cls).rowAfterSpace else { return nil }
    let next = automaton.decode(text, at: offset).entry
    return automaton.transition(row, next.cls).wraps ? Start(offset: offset, row: row) : nil
  }

  /// Returns the last opportunity to wrap after the line's start and not after the code point at `overflow`, or else
  /// the last start of a cluster; `nil` if the line is one cluster so far.
  @inline(never)
  func lookBack(_ text: Span<UInt8>, line: Start, overflow: Int) -> Start? {
    // Ideographs and the like have an opportunity directly before them; words usually have theirs after a space.
    let isASCII = Automaton.byte(text, max(overflow &- 1, line.offset)) < 0x80
    if isASCII {
      if let place = breakBeforeWord(text, line: line.offset, at: overflow)
        ?? breakAmongLastBytes(text, line: line, from: overflow)
      {
        return place
      }
    } else if let place = breakDirectly(text, line: line, at: overflow) {
      return place
    }
    let word = wordStart(text, line: line.offset, at: overflow)
    var start = word ?? join(text, line: line, at: overflow)
    var end = overflow &+ 1
    var cluster: Start?
    var distance = 0
    while true {
      let (place, lastCluster) = lastBreaks(text, line: line.offset, from: start, until: end)
      if let place { return place }
      cluster = cluster ?? lastCluster
      if start.offset <= line.offset { return cluster }
      end = start.offset
      if distance == 0, let word = wordStart(text, line: line.offset, at: end &- 1) {
        start = word
      } else {
        // Farther back in strides that double, so that their total stays within the order of the line's length.
        start = join(
          text, line: line, at: codePoint(text, at: max(line.offset, end &- 8 &- distance), line: line.offset))
      }
      distance = distance &* 2 &+ 8
    }
  }

  /// Returns the opportunity before the word of ASCII letters, digits, `#`, `_` and the like that contains `overflow`,
  /// if a space precedes the word.
  @inline(__always)
  private func breakBeforeWord(_ text: Span<UInt8>, line: Int, at overflow: Int) -> Start? {
    var word = overflow &+ 1
    while word > line &+ 1 {
      if word &- 8 > line && Automaton.notLetters(text, word &- 8) == 0 {
        word &-= 8
        continue
      }
      let last = Automaton.byte(text, word &- 1)
      if last == 0x20 { return word <= overflow ? breakAfterSpace(text, line: line, before: word) : nil }
      if last >= 0x80 || automaton.ascii(last).endsWords { return nil }
      word &-= 1
    }
    return nil
  }

  /// Returns the last opportunity not after `overflow`, found backwards byte by byte; `nil` unless it is within a few
  /// bytes of ASCII of which one or two determine the automaton's row.
  @inline(__always)
  private func breakAmongLastBytes(_ text: Span<UInt8>, line: Start, from overflow: Int) -> Start? {
    var next = automaton.decode(text, at: overflow).entry.cls
    for offset in stride(from: overflow, to: max(line.offset &+ 1, overflow &- 24), by: -1) {
      let last = Automaton.byte(text, offset &- 1)
      let before = Automaton.byte(text, offset &- 2)
      guard (last | before) < 0x80 else { return nil }
      let cls = automaton.ascii(last).cls
      let earlier = automaton.joins(automaton.ascii(before).cls)
      let row: Int
      if let known = automaton.joins(cls).rowAfter {
        row = known
      } else if last == 0x20 {
        guard let known = earlier.rowAfterSpace else { return nil }
        row = known
      } else {
        guard let known = earlier.rowAfter else { return nil }
        row = automaton.transition(known, cls).next
      }
      let transition = automaton.transition(row, next)
      if transition.isSpecial { return nil }
      if transition.wraps { return Start(offset: offset, row: row) }
      next = cls
    }
    return nil
  }

  /// Returns the opportunity directly before the code point at `overflow`, if the line may be wrapped there and the
  /// code point before it determines the automaton's row.
  @inline(__always)
  private func breakDirectly(_ text: Span<UInt8>, line: Start, at overflow: Int) -> Start? {
    guard overflow > line.offset else { return nil }
    let last = automaton.decode(text, at: codePoint(text, at: overflow &- 1, line: line.offset)).entry
    guard let row = automaton.joins(last.cls).rowAfter else { return nil }
    let next = automaton.decode(text, at: overflow).entry
    return automaton.transition(row, next.cls).wraps ? Start(offset: overflow, row: row) : nil
  }

  /// Returns the start of the word that contains or ends before the byte at `offset`, if a space precedes it within the
  /// last 64 bytes and the code point before the space determines the automaton's row.
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

  /// Returns the last position at or before `offset` at which the automaton's row is known: after a code point that
  /// alone determines it, or at the line's start.
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

  /// Returns the start of the code point that contains the byte at `offset`.
  @inline(__always)
  private func codePoint(_ text: Span<UInt8>, at offset: Int, line: Int) -> Int {
    var offset = offset
    while offset > line && Automaton.byte(text, offset) & 0xC0 == 0x80 { offset &-= 1 }
    return offset
  }

  /// Returns, of the code points that begin from `start` until `end`, the last one before which the line may be wrapped
  /// and the last one that begins a cluster, excluding the line's start.
  @inline(__always)
  private func lastBreaks(_ text: Span<UInt8>, line: Int, from start: Start, until end: Int) -> (
    wrap: Start?, cluster: Start?
  ) {
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
}
