internal import TextLayout
internal import ViewState

/// Everything that decides the line breaks and the height of a row. Views with the same key share measured rows.
struct LayoutKey: Hashable {
  /// The width to which texts are wrapped, in cells or points.
  let textWidth: Int
  let isCompact: Bool
  let measures: Measures
  /// The folding of long texts.
  let folding: RowFolding

  /// Creates the key for a pane of `paneWidth` in a view with `parameters`.
  init(_ parameters: LayoutParameters, paneWidth: Int) {
    let column = parameters.column(paneWidth: paneWidth)
    self.init(parameters, textWidth: column.textWidth, isCompact: column.isCompact)
  }

  /// Creates the key for texts of `textWidth` in a view with `parameters`.
  init(_ parameters: LayoutParameters, textWidth: Int, isCompact: Bool) {
    self.textWidth = textWidth
    self.isCompact = isCompact
    measures = Measures.of(parameters)
    folding = parameters.showsWholeTexts ? .none : .folded
  }

  private init(_ other: LayoutKey, textWidth: Int, folding: RowFolding) {
    self.textWidth = textWidth
    self.folding = folding
    isCompact = other.isCompact
    measures = other.measures
  }

  /// Indentation of each level of a conversation's tree: 2 cells or 16 points, or less in narrow panes, so that the
  /// deepest level keeps half of the text width.
  var indent: Int { min(measures.units == 1 ? 2 : 16, textWidth / 2 / Int(ThreadOrder.deepest)) }

  /// Returns the key for rows at a depth of a conversation's tree.
  func at(depth: Int) -> LayoutKey {
    depth == 0 ? self : LayoutKey(self, textWidth: textWidth - depth * indent, folding: folding)
  }

  /// Returns the key for rows with another folding. A view that asks for whole texts folds nothing.
  func with(_ folding: RowFolding) -> LayoutKey {
    self.folding == .none || self.folding == folding ? self : LayoutKey(self, textWidth: textWidth, folding: folding)
  }

  /// Wraps a text, folds it and adds the fixed parts of a row (docs/BEHAVIOUR.md, rules 20 and 49). O(length).
  func measure(_ text: [UInt8], _ parts: RowParts) -> RowLayout {
    var lineEnds: [UInt32] = []
    wrap(
      text.span, width: textWidth * measures.units, metrics: measures.text, joinsEmptyLines: folding.joinsEmptyLines,
      into: &lineEnds)
    let lines = lineEnds.count
    let height = height(lines: folding.shownLines(of: lines), parts)
    guard folding.folds(lines: lines) else { return RowLayout(height: height, lineEnds: lineEnds) }
    lineEnds.removeLast(lines - RowFolding.shownLines)
    return RowLayout(height: height, lineEnds: lineEnds, foldedLines: lines - RowFolding.shownLines)
  }

  /// Returns the height that ``measure(_:_:)`` computes, without the line ends. O(length).
  func height(of text: Span<UInt8>, _ parts: RowParts) -> Int {
    let lines = lineCount(
      of: text, width: textWidth * measures.units, metrics: measures.text, joinsEmptyLines: folding.joinsEmptyLines)
    return height(lines: folding.shownLines(of: lines), parts)
  }

  /// Returns the height of a row with this many lines of text.
  func height(lines: Int, _ parts: RowParts) -> Int {
    measures.rows.height(
      lines: lines, isRepost: parts.contains(.reposter), hasFacts: parts.contains(.facts), isCompact: isCompact)
  }

  /// The scale by which a byte encodes the height of a row laid out for the key.
  var heightScale: HeightScale { measures.rows.heightScale(isCompact: isCompact) }

  /// Returns the height of a row's parts above the text.
  func heightAboveText(isRepost: Bool) -> Int {
    measures.rows.insets(isCompact: isCompact).above + (isRepost ? measures.rows.repostHeight : 0)
  }

  /// The height of a line of text.
  var lineHeight: Int { measures.rows.lineHeight }

  /// The height of a day line.
  var dayHeight: Int { measures.rows.dayHeight }

  /// The estimated height of a row if none was measured: that of two lines of text.
  var estimatedHeight: Int { height(lines: 2, .facts) }
}

extension LayoutParameters {
  /// Returns the column of rows in a pane of `paneWidth` (docs/BEHAVIOUR.md, rules 18 and 20). Line mode is compact at
  /// any width.
  func column(paneWidth: Int) -> RowColumn {
    RowMetrics(self).column(paneWidth: paneWidth, isCompact: isSinglePane ? true : nil, fillsView: paneWidth >= width)
  }
}
