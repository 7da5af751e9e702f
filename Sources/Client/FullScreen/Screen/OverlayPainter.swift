internal import ClientCore
internal import Terminal

/// What lies over the panes: a box in the middle, or at the bottom where something is typed.
extension ScreenPainter {
  /// A box and what stands in it.
  struct Panel {
    var title = ""
    /// Lines inside of the border, each of which is cut to it.
    var lines: [PanelLine] = []
    /// Said in the lower border; may be empty.
    var foot = ""
    /// Columns with the border, where it is narrower than others.
    var width: Int?
    /// At the bottom of the screen instead of its middle.
    var isLow = false
    /// The first line that is shown, where not all of them fit.
    var first = 0
    /// A line that is shown in any case.
    var visible: Int?
  }

  /// A line of a panel.
  struct PanelLine {
    var pieces: [Picture.Piece] = []
    var blank: Style?
    /// Where the cursor is: so many bytes into the text of the line.
    var cursor: Int?
    /// Said at its right end; may be empty.
    var right: [Picture.Piece] = []
  }

  var panelStyle: Style { theme[.panel].over(theme[.text]) }
  func panel(_ role: ThemeRole) -> Style { theme[role].over(panelStyle) }
  func words(_ text: String, _ role: ThemeRole = .panel) -> Picture.Piece {
    Picture.Piece(HarmlessText.filtered(text.utf8), panel(role))
  }

  func paint(_ overlay: Overlay, _ state: ScreenState, on picture: inout Picture) {
    let inside = state.panelWidth
    let panel: Panel =
      switch overlay {
      case .help(let help): self.help(help, width: inside, keymap: state.keymap)
      case .palette(let palette): self.palette(palette, width: inside)
      case .confirm(let question): confirmation(question, width: inside, state.keymap)
      case .compose(let editor): compose(editor, width: inside, state)
      case .prompt(let prompt): self.prompt(prompt, width: inside)
      case .menu(let menu): self.menu(menu)
      case .message(let message): self.message(message, width: inside)
      }
    paint(panel, state, on: &picture)
  }

  private func paint(_ panel: Panel, _ state: ScreenState, on picture: inout Picture) {
    let width = min(panel.width ?? state.panelColumns, state.columns)
    let room = state.lines - ScreenState.statusLines - 2
    let shown = min(panel.lines.count, max(1, room))
    var first = min(max(0, panel.first), panel.lines.count - shown)
    if let visible = panel.visible { first = min(max(first, visible - shown + 1), visible) }
    let x = (state.columns - width) / 2
    let y = panel.isLow ? state.lines - ScreenState.statusLines - shown - 2 : max(0, (state.lines - shown - 2) / 2)
    let corners = BoxCorners(glyphs: glyphs, left: true, right: true)
    picture.cursor = .hidden
    edge(panel.title, .panelTitle, corners, .top, x: x, width: width, line: y, on: &picture)
    for number in 0..<shown {
      put(panel.lines[first + number], x: x, width: width, line: y + 1 + number, on: &picture)
    }
    let more = panel.lines.count > shown ? "\(first + shown)/\(panel.lines.count)" : ""
    let foot = [panel.foot, more].filter { !$0.isEmpty }.joined(separator: " \(glyphs.dot) ")
    edge(foot, .panelFaint, corners, .bottom, x: x, width: width, line: y + 1 + shown, on: &picture)
  }

  private func edge(
    _ text: String, _ role: ThemeRole, _ corners: BoxCorners, _ row: BoxCorners.Row, x: Int, width: Int, line: Int,
    on picture: inout Picture
  ) {
    var builder = LineBuilder(x..<x + width, base: panelStyle)
    let border = panel(.panelBorder)
    builder.add(corners.leftEnd(row), border, column: x, width: 1)
    let clipped = ClippedText((text.isEmpty ? "" : " \(text) ").utf8, width: max(0, width - 4), end: glyphs.end)
    builder.fill(glyphs.horizontal, border, column: x + 1, width: 1)
    builder.add([Picture.Piece(clipped.bytes, panel(role))], column: x + 2, width: clipped.cells, blank: border)
    builder.fill(glyphs.horizontal, border, column: x + 2 + clipped.cells, width: width - 3 - clipped.cells)
    builder.add(corners.rightEnd(row), border, column: x + width - 1, width: 1)
    for run in builder.finish() { picture.put(run, line: line) }
  }

  private func put(_ text: PanelLine, x: Int, width: Int, line: Int, on picture: inout Picture) {
    var builder = LineBuilder(x..<x + width, base: panelStyle)
    let border = panel(.panelBorder)
    let blank = text.blank ?? panelStyle
    let rightWidth = text.right.reduce(0) { $0 + ClippedText.upperBound(of: $1.text) }
    let room = max(0, width - 4 - (rightWidth > 0 ? rightWidth + 1 : 0))
    builder.add(glyphs.vertical, border, column: x, width: 1)
    builder.add([], column: x + 1, width: 1, blank: blank)
    builder.add(CellText.cut(text.pieces, to: room), column: x + 2, width: room, blank: blank)
    if rightWidth > 0 {
      builder.add(
        CellText.cut(text.right, to: width - 4), column: x + width - 2 - rightWidth, width: rightWidth, blank: blank)
    }
    builder.add([], column: x + width - 2, width: 1, blank: blank)
    builder.add(glyphs.vertical, border, column: x + width - 1, width: 1)
    for run in builder.finish() { picture.put(run, line: line) }
    if let bytes = text.cursor { picture.cursor = .within(line: line, column: x + 2, bytes: bytes) }
  }
}
