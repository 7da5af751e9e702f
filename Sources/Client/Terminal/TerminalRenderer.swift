internal import ClientCore

/// The abilities of a terminal that matter for painting.
public struct RendererTraits: Equatable, Sendable {
  public var colorDepth: ColorDepth
  /// True if it supports synchronised output (mode 2026).
  public var hasSynchronizedOutput = false
  /// True if links are sent to it (OSC 8).
  public var hasHyperlinks = true
  /// True if right-to-left text is isolated from its surroundings (UAX #9, FSI and PDI).
  public var isolatesDirections = true
  /// True if erased cells take the background's colour (terminfo's `bce`).
  public var erasesWithBackground = true

  /// Everything but synchronised output.
  public init(colorDepth: ColorDepth) { self.colorDepth = colorDepth }
}

/// Turns pictures into the bytes that take a terminal from the current picture to the next, with few others.
///
/// Of plain ASCII, only cells that differ are written. Any other run is written whole, at its column, over blanks, and
/// the cursor is positioned again afterwards, since only the terminal knows how far it moved: a width error stays
/// within the run, or is painted over by its neighbour. Autowrap is off (``TerminalModes``), so that nothing reaches
/// the next line.
public struct TerminalRenderer: Sendable {
  /// The number of equal cells between two that differ up to which they are rewritten, rather than skipped by a move,
  /// if they have the same style.
  private static let shortGap = 4

  private var writer: TerminalWriter
  private var shown: Picture?
  private var lines: [ScreenLine?] = []
  /// True if the cursor is visible; nil if unknown.
  private var isCursorShown: Bool?

  /// A renderer for a screen in an unknown state.
  public init(_ traits: RendererTraits) { writer = TerminalWriter(traits: traits) }

  /// Forgets what the terminal shows: the next picture is painted whole.
  public mutating func repaint() {
    shown = nil
    isCursorShown = nil
  }

  /// Returns the bytes that show `picture`; empty if nothing changes. O(cells).
  public mutating func paint(_ picture: Picture) -> [UInt8] {
    guard picture != shown else { return [] }
    writer.bytes.removeAll(keepingCapacity: true)
    // Output of other programs may have moved the cursor.
    writer.forgetPosition()
    let isSynchronized = writer.traits.hasSynchronizedOutput
    if isSynchronized { writer.append("\u{1B}[?2026h") }
    let opening = writer.bytes.count
    if shown?.columns != picture.columns || shown?.lines != picture.lines { clear(picture) }
    let cleared = writer.bytes.count
    if let title = picture.title, title != shown?.title { writeTitle(title) }
    // Without synchronised output, a cursor that jumps about would be visible.
    let wasShown = isCursorShown == true && !isSynchronized
    if wasShown { writer.append("\u{1B}[?25l") }
    let start = writer.bytes.count
    for line in 0..<picture.lines where shown?.runs[line] != picture.runs[line] { paint(line: line, of: picture) }
    if wasShown {
      if writer.bytes.count == start, cleared == opening { writer.bytes.removeLast(6) } else { isCursorShown = false }
    }
    place(picture)
    shown = picture
    guard writer.bytes.count > opening else { return [] }
    if isSynchronized { writer.append("\u{1B}[?2026l") }
    return writer.bytes
  }

  private mutating func clear(_ picture: Picture) {
    writer.reset()
    writer.append("\u{1B}[?25l\u{1B}[H\u{1B}[2J")
    isCursorShown = false
    shown = Picture(columns: picture.columns, lines: picture.lines)
    lines = Array(repeating: nil, count: picture.lines)
  }

  private mutating func writeTitle(_ title: [UInt8]) {
    writer.append("\u{1B}]2;")
    HarmlessText.append(title, to: &writer.bytes)
    writer.bytes += Hyperlink.terminator
  }

  // MARK: A line

  private mutating func paint(line number: Int, of picture: Picture) {
    let columns = picture.columns
    let old = lines[number] ?? ScreenLine([], columns: columns)
    let new = ScreenLine(picture.runs[number], columns: columns)
    lines[number] = new
    let damage = new.damage(since: old)
    clear(old, before: new, damage, line: number)
    for text in new.texts where damage[text.run.column] { paint(text.run, line: number, columns: columns) }
    var column = 0
    while column < columns {
      guard new.owners[column] < 0, damage[column] || old.owners[column] >= 0 || old.cells[column] != new.cells[column]
      else {
        column += 1
        continue
      }
      column = paintCells(from: column, line: number, old, new, damage)
    }
  }

  /// Blanks texts that go, unless new ones cover all of each. When half of a wide character is overwritten, terminals
  /// blank the other half too, some of them only when something is written next to it, and in an arbitrary style.
  private mutating func clear(_ old: ScreenLine, before new: ScreenLine, _ damage: [Bool], line: Int) {
    let columns = damage.count
    var start = 0
    while let first = damage[start...].firstIndex(of: true) {
      let end = damage[first...].firstIndex(of: false) ?? columns
      start = end
      let gone = old.texts.lazy.map(\.reach).filter { first <= $0.lowerBound && $0.lowerBound < end }
      let isCovered = gone.allSatisfy { reach in
        new.texts.contains {
          $0.run.cells.lowerBound <= reach.lowerBound && reach.upperBound <= $0.run.cells.upperBound
        }
      }
      guard !isCovered, let from = gone.map(\.lowerBound).min(), let to = gone.map(\.upperBound).max() else { continue }
      writer.move(line: line, column: from)
      writer.blank(to - from, Style(), columns: columns)
    }
  }

  /// Paints a text over blanks.
  private mutating func paint(_ run: Picture.Run, line: Int, columns: Int) {
    writer.move(line: line, column: run.column)
    writer.blank(run.width, run.blank, columns: columns)
    write(run, 0..<Int.max)
  }

  /// Writes some bytes of a run's text at the cursor.
  private mutating func write(_ run: Picture.Run, _ range: Range<Int>) {
    let isRightToLeft = writer.traits.isolatesDirections && run.pieces.contains { Direction.hasRightToLeft($0.text) }
    var isIsolated = false
    var passed = range.lowerBound
    var left = range.count
    var isFirst = range.lowerBound == 0
    let last = run.pieces.lastIndex { !$0.text.isEmpty }
    for (index, piece) in run.pieces.enumerated() where left > 0 {
      var text = piece.text.dropFirst(passed).prefix(left)
      passed -= min(passed, piece.text.count)
      left -= text.count
      if left == 0 || index == last { text = Self.dropOpenJoiner(text) }
      // A mark that joins a cell outside the run has no base.
      if isFirst { text = Self.dropJoining(text) }
      guard !text.isEmpty else { continue }
      writer.set(piece.style, link: piece.link)
      if isRightToLeft, !isIsolated {
        // The isolate takes no cell. It goes with a blank before the text, or it would end up in a neighbour's cell.
        let blanks = text.prefix { $0 == 0x20 }
        writer.text(blanks)
        text = text.dropFirst(blanks.count)
        isFirst = isFirst && blanks.isEmpty
        if text.isEmpty { continue }
        if !isFirst { writer.isolate(Direction.firstStrongIsolate) }
        isIsolated = !isFirst
      }
      isFirst = false
      writer.text(text)
    }
    if isIsolated { writer.isolate(Direction.popIsolate) }
  }

  /// Removes zero-width joiners at the end: tmux would join whatever is written next, anywhere.
  private static func dropOpenJoiner(_ text: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    var text = text
    while text.suffix(3).elementsEqual([0xE2, 0x80, 0x8D]) { text.removeLast(3) }
    return text
  }

  /// Removes characters at the beginning that take no cell, or none on some terminals: tmux joins another U+FEFF to the
  /// cell before with each repaint.
  private static func dropJoining(_ text: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    guard let first = text.first, first >= 0x80 else { return text }
    var kept = String(decoding: text, as: UTF8.self).unicodeScalars[...]
    while let scalar = kept.first, scalar.value >= 0x80, mayTakeNoCell(scalar) { kept.removeFirst() }
    return text.suffix(String(kept).utf8.count)
  }

  /// Of the ignorable characters, only the soft hyphen is visible by itself.
  private static func mayTakeNoCell(_ scalar: Unicode.Scalar) -> Bool {
    if ClippedText.upperBound(of: Character(scalar)) == 0 { return true }
    let properties = scalar.properties
    return properties.isDefaultIgnorableCodePoint && properties.generalCategory == .format && scalar != "\u{AD}"
  }

  /// Writes cells from one that differs on, for as long as others follow closely. Returns the column where it stopped.
  private mutating func paintCells(from start: Int, line: Int, _ old: ScreenLine, _ new: ScreenLine, _ damage: [Bool])
    -> Int
  {
    let columns = new.cells.count
    func differs(_ column: Int) -> Bool {
      damage[column] || old.owners[column] >= 0 || old.cells[column] != new.cells[column]
    }
    var column = start
    writer.move(line: line, column: start)
    while column < columns, new.owners[column] < 0 {
      let cell = new.cells[column]
      // The cells with the same style, up to the last one that differs.
      var end = column
      var next = column
      while next < columns, new.owners[next] < 0, new.cells[next].style == cell.style, new.cells[next].link == cell.link
      {
        if differs(next) { end = next + 1 } else if next - end >= Self.shortGap { break }
        next += 1
      }
      guard end > column else { return max(column, next) }
      let blanks = new.cells[column..<end].reversed().prefix { $0.byte == 0x20 }.count
      writer.set(cell.style, link: cell.link)
      if blanks >= 8, cell.link.isEmpty {
        writer.plain(new.cells[column..<end - blanks].map(\.byte), columns: columns)
        writer.blank(blanks, cell.style, columns: columns)
        return end
      }
      writer.plain(new.cells[column..<end].map(\.byte), columns: columns)
      column = end
      if column < columns, !differs(column) { return column }
    }
    return max(column, start + 1)
  }

  // MARK: The cursor

  private mutating func place(_ picture: Picture) {
    switch picture.cursor {
    case .hidden:
      if isCursorShown != false { writer.append("\u{1B}[?25l") }
      isCursorShown = false
      return
    case .at(let line, let column):
      writer.move(line: clamp(line, picture.lines), column: clamp(column, picture.columns))
    case .within(let line, let column, let bytes):
      place(line: clamp(line, picture.lines), column: clamp(column, picture.columns), bytes: max(0, bytes), picture)
    }
    if isCursorShown != true { writer.append("\u{1B}[?25h") }
    isCursorShown = true
  }

  private func clamp(_ value: Int, _ count: Int) -> Int { min(max(0, value), count - 1) }

  /// Places the cursor after some bytes of a run's text, by writing them again unless they are ASCII.
  private mutating func place(line: Int, column: Int, bytes: Int, _ picture: Picture) {
    guard let run = picture.runs[line].first(where: { $0.cells.contains(column) }) else {
      return writer.move(line: line, column: column)
    }
    let text = run.pieces.flatMap(\.text)
    let before = text.prefix(bytes)
    if before.allSatisfy({ 0x20...0x7E ~= $0 }) {
      return writer.move(
        line: line, column: clamp(run.column + before.count, min(picture.columns, run.column + run.width)))
    }
    // Writes the whole text again, over blanks and at once. Rewritten over itself it could be narrower and leave its
    // end behind.
    writer.forgetPosition()
    writer.move(line: line, column: run.column)
    writer.blank(run.width, run.blank, columns: picture.columns)
    write(run, 0..<bytes)
    writer.savePosition()
    write(run, bytes..<text.count)
    writer.restorePosition()
  }
}
