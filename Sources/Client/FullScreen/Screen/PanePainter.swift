internal import ClientCore
internal import Terminal
internal import ViewState

/// Draws a pane: its title, the visible lines of its rows, and what lies over them.
struct PanePainter {
  let look: ScreenLook
  let pane: Pane
  let frame: PaneFrame
  /// The pane's left edge now.
  let x: Int
  /// The visible columns of the pane.
  let clip: Range<Int>
  let state: ScreenState
  /// The number of panes fully covered by this one or those beneath it, and of panes to the right of the screen, if
  /// this is the last visible one.
  let covered: Int
  let beyond: Int
  /// True if another pane lies over a part of it.
  let isCovered: Bool
  /// True if it lies over a part of another pane.
  let isCovering: Bool
  /// The present, as last reported by the daemon: milliseconds since 1970.
  let labelsAt: Int64

  private var theme: Theme { look.theme }
  private var glyphs: Glyphs { look.glyphs }
  var isFocused: Bool { state.focused.paneID == pane.header.paneID }
  private var selectedRow: UInt64 {
    isFocused && state.focused.rowID != 0 ? state.focused.rowID : pane.selection.rowID
  }
  /// The lines between the title and the rows.
  private var head: Int { PaneHead.height(of: pane, in: state.viewHeight) }
  /// The height of the rows.
  private var height: Int { state.viewHeight - head }
  /// The column of the scroll bar: the right edge of the rows.
  private var barColumn: Int {
    frame.isCompact || frame.columnWidth == 0 ? x + frame.width - 1 : x + frame.columnX + frame.columnWidth - 1
  }

  /// Draws the pane, and places the cursor at the beginning of the focused row.
  func paint(on picture: inout Picture) {
    let scroll = PaneScroll(pane)
    let anchor = PaneScroll.anchor(of: pane, known: state.anchors[pane.header.paneID])
    let first = scroll.line(of: anchor)
    title(on: &picture, day: dayAbove(first, scroll))
    if let profile = pane.status.profile, head > 0 { paint(profile, on: &picture) }
    let (top, bottom) = pinned(scroll, first)
    let unread = newRows()
    let note = noteLines()
    let noteLine = pane.rows.isEmpty ? max(0, (height - note.count) / 3) : scroll.height - first + 1
    let found = state.found(in: pane.header)
    var marked: (row: UInt64, marks: [Range<Int>]) = (0, [])
    var line = 0
    while line < height {
      if let top, line < top.lines.count {
        put(top.painter.runs(of: top.lines[line]), line, on: &picture)
        if isFocused, line == 0 { point(at: line, top.painter.textX, on: &picture) }
      } else if let bottom, line >= height - bottom.lines.count {
        put(bottom.painter.runs(of: bottom.lines[line - height + bottom.lines.count]), line, on: &picture)
        if isFocused, line == height - bottom.lines.count { point(at: line, bottom.painter.textX, on: &picture) }
      } else if first + line < scroll.height, let index = scroll.index(at: first + line) {
        var row = rowPainter(pane.rows[index])
        if let found {
          if marked.row != row.row.rowID { marked = (row.row.rowID, found.marks(in: row.fields)) }
          row.around.marks = marked.marks
        }
        row.around.isLastOfDay = index + 1 < pane.rows.count && pane.rows[index + 1].day != nil
        if let unread, index + 1 < pane.rows.count, pane.rows[index + 1].rowID == pane.status.readingRow {
          row.around.newAbove = unread
          row.around.newSince = timeWithinDay(of: pane.rows[index + 1])
        }
        let own = first + line - scroll.tops[index]
        put(row.runs(of: own), line, on: &picture)
        if isFocused, row.isSelected, row.kind(of: own) == .author || line == 0 {
          point(at: line, row.textX, on: &picture)
        }
      } else {
        blank(line, note, from: noteLine, on: &picture)
      }
      line += 1
    }
    thumb(on: &picture)
    clock(on: &picture)
  }

  func rowPainter(_ row: PlacedRow) -> RowPainter {
    let fields = row.content.fields
    let isCut = row.layout.foldedLines > 0 || !fields.contentWarning.isEmpty
    return RowPainter(
      look: look, row: row, frame: frame, x: x, clip: clip, isFocused: isFocused,
      isSelected: row.rowID == selectedRow,
      isCovered: isCovered, isRevealed: state.revealed.contains(row.rowID),
      revealKey: isCut ? state.keymap.keys(for: .reveal, in: .panes).first : nil,
      around: RowPainter.Surroundings(hasEdge: isCovering))
  }

  private func point(at line: Int, _ column: Int, on picture: inout Picture) {
    guard state.showsCursor, state.overlay == nil, clip.contains(column) else { return }
    picture.cursor = .at(line: line + ScreenState.titleLines + head, column: column)
  }

  /// Puts a line of the rows.
  private func put(_ runs: [Picture.Run], _ line: Int, on picture: inout Picture) {
    for run in runs { picture.put(run, line: line + ScreenState.titleLines + head) }
  }

  /// Draws the body of a profile.
  private func paint(_ profile: ProfileSummary, on picture: inout Picture) {
    let words = ProfileWords.head(of: profile, state.keymap, glyphs)
    let (left, textX) = frame.isCompact ? (x, x) : (x + frame.columnX + 1, x + frame.textX)
    for line in 0..<head {
      var builder = LineBuilder(clip, base: base)
      edge(&builder)
      if !frame.isCompact, line < Avatar.height {
        Avatar.add(profile.author, line: line, column: left, isCovered: isCovered, look, to: &builder)
      }
      let text = ClippedText(line < words.count ? words[line] : [], width: max(1, frame.textWidth), end: glyphs.end)
      let role: ThemeRole =
        switch line {
        case 0: .author
        case 1: .counts
        default: .text
        }
      let style = theme[role].over(base)
      builder.add(
        [Picture.Piece(text.bytes, isCovered ? style.dimmed : style)], column: textX, width: max(1, frame.textWidth))
      for run in builder.finish() { picture.put(run, line: line + ScreenState.titleLines) }
    }
  }

  /// Draws the edge of a pane that lies over another.
  private func edge(_ builder: inout LineBuilder) {
    guard isCovering, !frame.isCompact else { return }
    let border = theme[isFocused ? .borderFocused : .border].over(theme[.text])
    builder.add(glyphs.vertical, isCovered ? border.dimmed : border, column: x + frame.columnX, width: 1)
  }

  private var base: Style {
    let style = theme[.text]
    return isCovered ? style.dimmed : style
  }

  /// Draws a line without a row, with the note of an empty pane.
  private func blank(_ line: Int, _ note: [String], from noteLine: Int, on picture: inout Picture) {
    var builder = LineBuilder(clip, base: base)
    edge(&builder)
    let number = line - noteLine
    if note.indices.contains(number) {
      builder.add(note[number], theme[.note].over(base), column: clip.lowerBound + 2, width: clip.count - 2)
    }
    put(builder.finish(), line, on: &picture)
  }

  /// Returns the day of the first visible line; empty if the line of that day is the first visible one.
  private func dayAbove(_ first: Int, _ scroll: PaneScroll) -> String {
    guard let index = scroll.index(at: first), let day = pane.rows[index].day, first < scroll.tops[index] + day.height
    else { return pane.clock.day }
    return ""
  }

  /// Returns the number of posts above the reading position; nil if it is unknown or zero (docs/BEHAVIOUR.md, rule 35).
  private func newRows() -> Int? { pane.status.newRows > 0 ? pane.status.newRows : nil }

  /// Returns the wall-clock time of a post from the last 24 hours; empty for older ones, whose date is in the row's own
  /// label.
  private func timeWithinDay(of row: PlacedRow) -> String {
    let time = row.content.fields.createdAtMilliseconds
    guard time != 0, 0..<86_400_000 ~= labelsAt - time else { return "" }
    return TimeOfDay.text(time, offset: state.clock.localOffset, state.clock.locale)
  }

  // MARK: - The title

  private func title(on picture: inout Picture, day: String) {
    let plain = theme[isFocused ? .titleFocused : .title].over(theme[.text])
    let style = isCovered ? plain.dimmed : plain
    var builder = LineBuilder(clip, base: style)
    var rightWords: [String] = []
    if let new = newRows() { rightWords.append("\(glyphs.above) \(new) new") }
    if !day.isEmpty, !isCovered { rightWords.append(day) }
    if beyond > 0 { rightWords.append("+\(beyond) \(glyphs.moreRight)") }
    // In a partly covered pane the right end is not visible.
    let rightText = rightWords.joined(separator: " \(glyphs.dot) ")
    let rightSide = ClippedText(rightText.utf8, width: max(0, clip.count / 2), end: glyphs.end)
    let rightWidth = rightSide.cells == 0 ? 0 : rightSide.cells + 1
    let room = max(0, clip.count - rightWidth)
    // A blank separates the two.
    builder.add(
      titlePieces(style, room: rightWidth > 0 ? max(0, room - 1) : room), column: clip.lowerBound, width: room,
      blank: style)
    let isNew = newRows() != nil
    let rightStyle = isNew ? theme[.unread].over(style) : style
    builder.add(
      [Picture.Piece(rightSide.bytes, rightStyle)], column: clip.lowerBound + room, width: rightWidth, blank: style)
    for run in builder.finish() { picture.put(run, line: 0) }
  }

  private func titlePieces(_ style: Style, room: Int) -> [Picture.Piece] {
    var pieces: [Picture.Piece] = []
    var left = room
    func add(_ text: some Collection<UInt8>, _ style: Style) {
      let clipped = ClippedText(text, width: left, end: glyphs.end)
      guard clipped.cells > 0 else { return }
      pieces.append(Picture.Piece(clipped.bytes, style))
      left -= clipped.cells
    }
    if covered > 0 {
      let marks = theme[.covered].over(style)
      add(
        (covered <= 4 ? String(repeating: glyphs.coveredPane, count: covered) : "\(glyphs.coveredPane)\(covered)").utf8,
        marks)
    }
    add((isFocused ? glyphs.selected : " ").utf8, style)
    if let profile = pane.status.profile {
      add(ProfileWords.title(of: profile, hasHead: head > 0, width: left, glyphs), style)
    } else {
      add(pane.header.title, style)
    }
    if pane.header.isPreview { add(" \(glyphs.dot) preview".utf8, theme[.note].over(style)) }
    if !pane.header.filter.isEmpty { add(Array(" & ".utf8) + pane.header.filter, style) }
    return pieces
  }

  // MARK: - Over the rows

  private struct Pinned {
    let painter: RowPainter
    /// The lines of the row to draw, from its top.
    let lines: [Int]
  }

  /// Returns the selected row at the edge beyond which it was scrolled: the line with its author, the first line of its
  /// text, and a separator if there is room. Based on the client's own scrolling, which may be ahead of the daemon.
  private func pinned(_ scroll: PaneScroll, _ first: Int) -> (top: Pinned?, bottom: Pinned?) {
    guard selectedRow != 0, height >= 3 else { return (nil, nil) }
    var row = pane.rows.first { $0.rowID == selectedRow }
    var isAbove = pane.selection.pin == .top
    if let held = scroll.lines(of: selectedRow) {
      guard held.upperBound <= first || held.lowerBound >= first + height else { return (nil, nil) }
      isAbove = held.upperBound <= first
    } else {
      guard pane.selection.pin != .none, pane.selection.row?.rowID == selectedRow else { return (nil, nil) }
      row = pane.selection.row
    }
    guard var row else { return (nil, nil) }
    // Away from the line of its day, its label names the date.
    if pane.selection.pin != .none, let own = pane.selection.row, own.rowID == row.rowID { row.label = own.label }
    var painter = rowPainter(row)
    painter.isPinned = true
    let start = (row.day?.height ?? 0) + (row.content.fields.repostedBy == nil ? 0 : 1)
    let end = (row.day?.height ?? 0) + row.layout.height
    var lines = [start]
    if height >= 9 {
      if start + 1 < end - 1 { lines.append(start + 1) }
      if isAbove { lines.append(end - 1) }
    }
    let pinned = Pinned(painter: painter, lines: lines.filter { $0 < end })
    return isAbove ? (pinned, nil) : (nil, pinned)
  }

  private func thumb(on picture: inout Picture) {
    guard pane.clock.thumbLength > 0, clip.contains(barColumn) else { return }
    let style = theme[.thumb].over(base)
    for line in max(0, pane.clock.thumbTop)..<max(0, pane.clock.thumbTop + pane.clock.thumbLength)
    where line < state.viewHeight {
      picture.put(
        Picture.Run(column: barColumn, width: 1, [Picture.Piece(Array(glyphs.thumb.utf8), style)], blank: base),
        line: line + ScreenState.titleLines)
    }
  }

  private func clock(on picture: inout Picture) {
    guard pane.clock.isVisible, pane.clock.top >= 0 else { return }
    let label = ClippedText(pane.clock.label.utf8, width: 20, end: glyphs.end)
    let width = ClockFace.width + (label.cells > 0 ? label.cells + 2 : 0)
    let column = barColumn - width - (frame.isCompact ? 0 : 1)
    guard column >= clip.lowerBound, barColumn <= clip.upperBound else { return }
    let moving = state.animation?.hands(of: pane.header.paneID, pane.clock, at: state.clock.milliseconds)
    let hands = moving ?? (pane.clock.hourHand, pane.clock.minuteHand)
    let face = ClockFace(hour: hands.0, minute: hands.1, glyphs)
    let style = theme[.clock].over(theme[.text])
    for (number, text) in face.lines.enumerated() where pane.clock.top + number < state.viewHeight {
      var pieces = [Picture.Piece(Array(text.utf8), style)]
      if number == ScreenState.clockSize / 2, label.cells > 0 {
        pieces.append(Picture.Piece(Array(" ".utf8) + label.bytes, style))
      }
      picture.put(
        Picture.Run(column: column, width: width, pieces, blank: style),
        line: pane.clock.top + number + ScreenState.titleLines)
    }
  }

  /// Returns the lines of the note shown in place of rows, or below the only one.
  private func noteLines() -> [String] {
    PaneNote.wrapped(PaneNote.lines(for: pane, state.keymap), width: max(1, min(clip.count - 4, 60)))
  }
}
