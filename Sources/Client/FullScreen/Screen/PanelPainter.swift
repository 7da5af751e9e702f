internal import ClientCore
internal import Terminal

/// Draws a panel: a box half way down, or at the bottom if it takes input. It stands over the focused pane, and beside
/// the navigation pane if there is room.
struct PanelPainter {
  let look: ScreenLook
  /// The columns of the navigation pane.
  let navigation: Int
  /// The left edge of the focused pane.
  let pane: Int

  /// Draws a panel.
  func paint(_ panel: Panel, _ state: ScreenState, on picture: inout Picture) {
    let width = min(panel.width ?? state.panelColumns, state.columns)
    let room = state.lines - ScreenState.statusLines - 2
    let shown = min(panel.lines.count, max(1, room))
    var first = min(max(0, panel.first), panel.lines.count - shown)
    if let visible = panel.visible { first = min(max(first, visible - shown + 1), visible) }
    let hasRoom = width <= state.columns - navigation
    let x = hasRoom ? min(max(navigation, pane), state.columns - width) : (state.columns - width) / 2
    let y = panel.isLow ? state.lines - ScreenState.statusLines - shown - 2 : max(0, (state.lines - shown - 2) / 2)
    let corners = BoxCorners(glyphs: look.glyphs, left: true, right: true)
    picture.cursor = .hidden
    edge([look.words(panel.title, .panelTitle)], corners, .top, x: x, width: width, line: y, on: &picture)
    for number in 0..<shown {
      put(
        panel.lines[number < panel.fixed ? number : first + number], x: x, width: width, line: y + 1 + number,
        on: &picture)
    }
    let more = panel.lines.count > shown ? "\(first + shown)/\(panel.lines.count)" : ""
    let foot = [panel.foot, more].filter { !$0.isEmpty }.joined(separator: " \(look.glyphs.dot) ")
    let count = look.words(panel.count, panel.isOverCount ? .error : .panelFaint)
    let separator = panel.count.isEmpty || foot.isEmpty ? "" : " \(look.glyphs.dot) "
    edge(
      [count, look.words(separator + foot, .panelFaint)], corners, .bottom, x: x, width: width, line: y + 1 + shown,
      on: &picture)
  }

  private func edge(
    _ words: [Picture.Piece], _ corners: BoxCorners, _ row: BoxCorners.Row, x: Int, width: Int, line: Int,
    on picture: inout Picture
  ) {
    var builder = LineBuilder(x..<x + width, base: look.panelStyle)
    let border = look.panel(.panelBorder)
    builder.add(corners.leftEnd(row), border, column: x, width: 1)
    let (pieces, cells) = clipped(words, width: max(0, width - 4))
    builder.fill(look.glyphs.horizontal, border, column: x + 1, width: 1)
    builder.add(pieces, column: x + 2, width: cells, blank: border)
    builder.fill(look.glyphs.horizontal, border, column: x + 2 + cells, width: width - 3 - cells)
    builder.add(corners.rightEnd(row), border, column: x + width - 1, width: 1)
    for run in builder.finish() { picture.put(run, line: line) }
  }

  /// Returns the words between blanks, as many as fit, and the cells that they take.
  private func clipped(_ words: [Picture.Piece], width: Int) -> (pieces: [Picture.Piece], cells: Int) {
    guard let last = words.last(where: { !$0.text.isEmpty }) else { return ([], 0) }
    var pieces: [Picture.Piece] = []
    var cells = 0
    let blank = Array(" ".utf8)
    for piece in [Picture.Piece(blank, last.style)] + words + [Picture.Piece(blank, last.style)] {
      let clipped = ClippedText(piece.text, width: width - cells, end: look.glyphs.end)
      guard clipped.cells > 0 else { continue }
      pieces.append(Picture.Piece(clipped.bytes, piece.style))
      cells += clipped.cells
    }
    return (pieces, cells)
  }

  private func put(_ text: PanelLine, x: Int, width: Int, line: Int, on picture: inout Picture) {
    var builder = LineBuilder(x..<x + width, base: look.panelStyle)
    let border = look.panel(.panelBorder)
    let blank = text.blank ?? look.panelStyle
    let rightWidth = text.right.reduce(0) { $0 + ClippedText.upperBound(of: $1.text) }
    let room = max(0, width - 4 - (rightWidth > 0 ? rightWidth + 1 : 0))
    builder.add(look.glyphs.vertical, border, column: x, width: 1)
    builder.add([], column: x + 1, width: 1, blank: blank)
    // Text before a cursor in it fits already; an ellipsis could take the cursor's place.
    let isEdited = text.cursor.map { $0 > 0 } ?? false
    let pieces =
      isEdited
      ? CellText.cut(text.pieces, to: room) : CellText.clipped(text.pieces, to: room, end: look.glyphs.end)
    builder.add(pieces, column: x + 2, width: room, blank: blank)
    if rightWidth > 0 {
      builder.add(
        CellText.cut(text.right, to: width - 4), column: x + width - 2 - rightWidth, width: rightWidth, blank: blank)
    }
    builder.add([], column: x + width - 2, width: 1, blank: blank)
    builder.add(look.glyphs.vertical, border, column: x + width - 1, width: 1)
    for run in builder.finish() { picture.put(run, line: line) }
    if let bytes = text.cursor { picture.cursor = .within(line: line, column: x + 2, bytes: bytes) }
  }
}
