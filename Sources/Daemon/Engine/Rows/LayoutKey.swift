internal import TextLayout
internal import ViewState

/// All that decides how a row is cut into lines and how high it is; rows measured for one key serve every view that has
/// it.
struct LayoutKey: Hashable {
  /// The width that texts are wrapped to, in cells or points.
  let textWidth: Int
  let isCompact: Bool
  let measures: Measures

  /// The key of a pane of `paneWidth` in a view with `parameters`.
  init(_ parameters: LayoutParameters, paneWidth: Int) {
    let column = parameters.column(paneWidth: paneWidth)
    self.init(parameters, textWidth: column.textWidth, isCompact: column.isCompact)
  }

  /// The key of texts of `textWidth` in a view with `parameters`.
  init(_ parameters: LayoutParameters, textWidth: Int, isCompact: Bool) {
    self.textWidth = textWidth
    self.isCompact = isCompact
    measures = Measures.of(parameters)
  }

  private init(_ other: LayoutKey, textWidth: Int) {
    self.textWidth = textWidth
    isCompact = other.isCompact
    measures = other.measures
  }

  /// How much further right each level of a conversation's tree begins: 2 cells or 16 points, or less where half of a
  /// narrow text's width would not be left for the deepest.
  var indent: Int { min(measures.units == 1 ? 2 : 16, textWidth / 2 / Int(ThreadOrder.deepest)) }

  /// The key of rows that stand so deep in the tree of a conversation.
  func at(depth: Int) -> LayoutKey { depth == 0 ? self : LayoutKey(self, textWidth: textWidth - depth * indent) }

  /// Cuts a text into lines and adds the row's fixed parts (rule 20). O(length).
  func measure(_ text: [UInt8], isRepost: Bool) -> RowLayout {
    var lineEnds: [UInt32] = []
    wrap(text.span, width: textWidth * measures.units, metrics: measures.text, into: &lineEnds)
    return RowLayout(height: height(lines: lineEnds.count, isRepost: isRepost), lineEnds: lineEnds)
  }

  /// The height that ``measure(_:isRepost:)`` gives, without the lines. O(length).
  func height(of text: Span<UInt8>, isRepost: Bool) -> Int {
    height(lines: lineCount(of: text, width: textWidth * measures.units, metrics: measures.text), isRepost: isRepost)
  }

  /// The height of a row with so many lines of text.
  func height(lines: Int, isRepost: Bool) -> Int {
    measures.rows.height(lines: lines, isRepost: isRepost, isCompact: isCompact)
  }

  /// Which heights a byte stands for in an index of rows laid out for the key.
  var heightScale: HeightScale { measures.rows.heightScale(isCompact: isCompact) }

  /// The height of what is above a row's text.
  func heightAboveText(isRepost: Bool) -> Int {
    measures.rows.insets(isCompact: isCompact).above + (isRepost ? measures.rows.repostHeight : 0)
  }

  /// The height of a line of text.
  var lineHeight: Int { measures.rows.lineHeight }

  /// The height of a line that tells a day.
  var dayHeight: Int { measures.rows.dayHeight }

  /// What a row counts for where nothing was measured: two lines of text.
  var estimatedHeight: Int { height(lines: 2, isRepost: false) }
}

extension LayoutParameters {
  /// Where rows stand in a pane of `paneWidth` (rules 18 and 20): line mode is compact at any width.
  func column(paneWidth: Int) -> RowColumn {
    RowMetrics(self).column(paneWidth: paneWidth, isCompact: isSinglePane ? true : nil, fillsView: paneWidth >= width)
  }
}
