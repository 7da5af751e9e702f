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
  /// The number of new posts above the line below this row; 0 for none.
  var newAbove = 0
  /// The time of the post below that line, if within a day; empty otherwise.
  var newSince = ""

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
    let textLines = max(1, row.layout.lineEnds.count)
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
    let isFirst = line == 0 && row.caps.contains(.top)
    let ends = corners
    let border = borderStyle
    let side: BoxCorners.Row = isFirst ? .top : .sides
    builder.add(leftBorder(ends.leftEnd(side), side), border, column: left, width: 1)
    avatar(line, &builder)
    inside(kind, &builder)
    blankInside(&builder)
    builder.add(ends.rightEnd(side), border, column: right - 1, width: 1)
    return builder.finish()
  }

  var corners: BoxCorners {
    BoxCorners(glyphs: glyphs, left: frame.roundedSides.contains(.left), right: frame.roundedSides.contains(.right))
  }

  var borderStyle: Style {
    guard isFocused else { return style(.border) }
    return style(isSelected ? .borderSelected : .borderFocused)
  }

  /// The selected row is marked by its border too, not by colour alone.
  private func leftBorder(_ sign: String, _ side: BoxCorners.Row) -> String {
    isSelected && side == .sides ? glyphs.heavyVertical : sign
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

  private func dayLine(_ line: Int) -> [Picture.Run] {
    var builder = LineBuilder(clip, base: shaded(theme[.text]))
    guide(&builder)
    let plain = shaded(theme[.day].over(theme[.text]))
    let isFirst = line == 0 && row.caps.contains(.top)
    // A day may take several lines; its name is in the last of them.
    let name = line == (row.day?.height ?? 1) - 1 ? row.day?.label ?? "" : ""
    let border = frame.isCompact ? plain : shaded(theme[isFocused ? .borderFocused : .border].over(theme[.text]))
    let ends = corners
    let (from, to) = frame.isCompact ? (left, right - 1) : (left + 1, right - 1)
    let words = name.isEmpty ? "" : " \(name) "
    // Below the top, the separator of the row above has drawn a line already.
    let side: BoxCorners.Row = isFirst ? .top : .sides
    if !frame.isCompact { builder.add(ends.leftEnd(side), border, column: left, width: 1) }
    rule(words, plain, line: border, from: from, to: to, isDrawn: isFirst, &builder)
    if !frame.isCompact { builder.add(ends.rightEnd(side), border, column: right - 1, width: 1) }
    return builder.finish()
  }

  /// Draws a line with words in its middle, or the words alone.
  func rule(
    _ words: String, _ style: Style, line: Style, from: Int, to: Int, isDrawn: Bool = true, _ builder: inout LineBuilder
  ) {
    let width = to - from
    guard width > 0 else { return }
    let text = ClippedText(words.utf8, width: max(0, width - 2), end: glyphs.end)
    let sign = isDrawn ? glyphs.horizontal : " "
    guard text.cells > 0 else { return builder.fill(sign, line, column: from, width: width) }
    let before = (width - text.cells) / 2
    builder.fill(sign, line, column: from, width: before)
    builder.add([Picture.Piece(text.bytes, style)], column: from + before, width: text.cells, blank: style)
    builder.fill(sign, line, column: from + before + text.cells, width: width - before - text.cells)
  }

  private func separator() -> [Picture.Run] {
    var builder = LineBuilder(clip, base: shaded(theme[.text]))
    guide(&builder)
    let border = shaded(theme[isFocused ? .borderFocused : .border].over(theme[.text]))
    let unread = shaded(theme[.unread].over(theme[.text]))
    let since = newSince.isEmpty ? "" : "since \(newSince) "
    let words = newAbove > 0 ? " \(glyphs.above) \(newAbove) new \(since)" : ""
    if frame.isCompact {
      rule(words, unread, line: border, from: left, to: right - 1, &builder)
      return builder.finish()
    }
    let side: BoxCorners.Row = row.caps.contains(.bottom) ? .bottom : .middle
    let ends = corners
    builder.add(ends.leftEnd(side), border, column: left, width: 1)
    rule(words, unread, line: border, from: left + 1, to: right - 1, &builder)
    builder.add(ends.rightEnd(side), border, column: right - 1, width: 1)
    return builder.finish()
  }
}
