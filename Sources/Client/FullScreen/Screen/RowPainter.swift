internal import ClientCore
internal import Terminal
internal import ViewState

/// Draws the lines of a row in its pane's frame.
struct RowPainter {
  let look: ScreenLook
  let row: PlacedRow
  let frame: PaneFrame
  /// The pane's left edge now.
  let x: Int
  /// The visible columns of the pane.
  let clip: Range<Int>
  /// True if the pane has the focus.
  let isFocused: Bool
  let isSelected: Bool
  /// True if it is pinned to an edge of the pane because it was scrolled away.
  var isPinned = false
  /// True if another pane lies over a part of this one.
  let isCovered: Bool
  /// True if its text is shown despite a content warning.
  let isRevealed: Bool
  /// The key that shows what is folded or hidden.
  var revealKey: String?
  var around = Surroundings()

  /// What is beside a row and affects its lines.
  struct Surroundings {
    /// True if the pane lies over a part of another one: then its left edge is drawn.
    var hasEdge = false
    /// True if the row below begins a day: the line of that day takes the place of the separator.
    var isLastOfDay = false
    /// The bytes of the text that were searched for, in order.
    var marks: [Range<Int>] = []
    /// The number of new posts above the line below the row; 0 for none.
    var newAbove = 0
    /// The time of the post below that line, if within a day; empty otherwise.
    var newSince = ""
  }

  /// The content of a line of a row.
  enum Line: Equatable {
    case day(Int)
    case repost
    case author
    case text(Int)
    case counts
    case blank
    case separator
  }

  var fields: RowContent.Fields { row.content.fields }
  var theme: Theme { look.theme }
  var glyphs: Glyphs { look.glyphs }
  /// The indentation of the row's column.
  var margin: Int { max(0, frame.indent * row.tree.depth) }
  var left: Int { x + frame.columnX + margin }
  /// The column after the last one.
  var right: Int { x + frame.columnX + (frame.columnWidth > 0 ? frame.columnWidth : frame.width) }
  var textX: Int { x + frame.textX + margin }
  var textWidth: Int { max(0, (frame.textWidth > 0 ? frame.textWidth : frame.width - 1) - margin) }

  var base: Style {
    let all = theme[.text]
    if isPinned { return shaded(theme[.pinned].over(all)) }
    return shaded(isSelected && isFocused ? theme[.selected].over(all) : all)
  }

  /// Returns the style of a role on this row.
  func style(_ role: ThemeRole) -> Style { shaded(theme[role].over(base)) }

  private func shaded(_ style: Style) -> Style { isCovered ? style.dimmed : style }

  /// Returns the content of a line, counted from the row's top including day lines. Every line has exactly one, so a
  /// row is as high as it says.
  func kind(of line: Int) -> Line {
    let dayLines = row.day?.height ?? 0
    guard line >= dayLines else { return .day(line) }
    let line = line - dayLines
    let repost = fields.repostedBy == nil ? 0 : 1
    let height = row.layout.height
    if line == height - 1, height > 1 { return .separator }
    if line < repost { return .repost }
    if line == repost { return .author }
    let text = line - repost - 1
    let textLines = max(1, row.layout.lineEnds.count + (row.layout.foldedLines > 0 ? 1 : 0))
    if text < textLines { return .text(text) }
    return text == textLines ? .counts : .blank
  }

  /// Returns the runs of one line of the row.
  func runs(of line: Int) -> [Picture.Run] {
    let kind = kind(of: line)
    switch kind {
    case .day(let day): return dayLine(day)
    case .separator: return separator()
    default: break
    }
    var builder = LineBuilder(clip, base: shaded(theme[.text]))
    guide(&builder)
    if frame.isCompact {
      inside(kind, &builder)
      return builder.finish()
    }
    leftMargin(&builder)
    avatar(line, &builder)
    inside(kind, &builder)
    blankInside(&builder)
    builder.add(corners.rightEnd(.sides), border, column: right - 1, width: 1)
    return builder.finish()
  }

  private var corners: BoxCorners {
    BoxCorners(glyphs: glyphs, left: frame.roundedSides.contains(.left), right: frame.roundedSides.contains(.right))
  }

  /// The style of the pane's right edge.
  private var border: Style { shaded(theme[isFocused ? .borderFocused : .border].over(theme[.text])) }

  /// The style of the lines between rows.
  private var line: Style { shaded(theme[.border].over(theme[.text])) }

  /// Draws the column left of the avatar: a mark beside the selected row, which is thus not marked by colour alone, or
  /// the edge of a pane that lies over another.
  private func leftMargin(_ builder: inout LineBuilder) {
    if isSelected {
      builder.add(glyphs.heavyVertical, style(isFocused ? .borderSelected : .border), column: left, width: 1)
    } else if around.hasEdge, margin == 0 {
      builder.add(glyphs.vertical, border, column: left, width: 1)
    } else {
      builder.add([], column: left, width: 1, blank: base)
    }
  }

  /// Draws the edge of a pane that lies over another, beside a line between rows.
  private func edge(_ builder: inout LineBuilder) {
    guard around.hasEdge, !frame.isCompact, margin == 0 else { return }
    builder.add(glyphs.vertical, border, column: left, width: 1)
  }

  /// Draws the guides from replies to their parents, left of the row's column.
  func guide(_ builder: inout LineBuilder) {
    guard margin > 0, frame.indent > 0 else { return }
    for level in 0..<row.tree.depth {
      let column = x + frame.columnX + level * frame.indent
      guard column < left else { return }
      builder.add(glyphs.guide, shaded(theme[.guide].over(theme[.text])), column: column, width: 1)
    }
  }

  /// Gives the cells between the last field and the right border the row's background.
  private func blankInside(_ builder: inout LineBuilder) {
    builder.add(
      [], column: max(left + 1, textX + textWidth), width: max(0, right - 1 - max(left + 1, textX + textWidth)),
      blank: base)
  }

  private func dayLine(_ number: Int) -> [Picture.Run] {
    var builder = LineBuilder(clip, base: shaded(theme[.text]))
    guide(&builder)
    edge(&builder)
    let plain = shaded(theme[.day].over(theme[.text]))
    // A day may take several lines; its name is in the last of them.
    let isLast = number == (row.day?.height ?? 1) - 1
    let words = isLast ? " \(row.day?.label ?? "") " : ""
    let end: BoxCorners.Row = !isLast ? .sides : row.caps.contains(.top) ? .top : .middle
    rule(words, plain, end: end, isDrawn: isLast, &builder)
    return builder.finish()
  }

  private func separator() -> [Picture.Run] {
    var builder = LineBuilder(clip, base: shaded(theme[.text]))
    guide(&builder)
    edge(&builder)
    let (words, role) = wordsBelow
    let isDrawn = !around.isLastOfDay || !words.isEmpty
    let end: BoxCorners.Row = row.caps.contains(.bottom) ? .bottom : isDrawn ? .middle : .sides
    rule(words, shaded(theme[role].over(theme[.text])), end: end, isDrawn: isDrawn, &builder)
    return builder.finish()
  }

  /// The words in the line below the row: the number of new posts above it, of hidden replies, or the end of a gap for
  /// which its own line has no room.
  private var wordsBelow: (words: String, role: ThemeRole) {
    if around.newAbove > 0 {
      return (
        " \(glyphs.above) \(around.newAbove) new \(around.newSince.isEmpty ? "" : "since \(around.newSince) ")", .unread
      )
    }
    let hidden = row.tree.collapsedReplies
    if hidden > 0 { return (" \(NumberText.count(hidden, "reply hidden", "replies hidden")) ", .counts) }
    let end = fields.kind == .gap ? ends.last : ""
    return (end.isEmpty ? "" : " \(end) ", .warning)
  }

  /// Draws a line with words in its middle, and the right edge of the pane.
  private func rule(
    _ words: String, _ style: Style, end: BoxCorners.Row, isDrawn: Bool, _ builder: inout LineBuilder
  ) {
    let from = frame.isCompact ? left : left + 1
    let width = right - 1 - from
    guard width > 0 else { return }
    let text = ClippedText(words.utf8, width: max(0, width - 2), end: glyphs.end)
    let sign = isDrawn ? glyphs.horizontal : " "
    let before = (width - text.cells) / 2
    builder.fill(sign, line, column: from, width: before)
    builder.add([Picture.Piece(text.bytes, style)], column: from + before, width: text.cells, blank: style)
    builder.fill(sign, line, column: from + before + text.cells, width: width - before - text.cells)
    if !frame.isCompact { builder.add(corners.rightEnd(end), border, column: right - 1, width: 1) }
  }
}
