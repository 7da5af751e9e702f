internal import TextLayout
internal import ViewState

/// All that decides how a row is cut into lines and how high it is; rows measured for one key serve every view that has it.
struct LayoutKey: Hashable {
  var paneWidth: Int
  var isCompact: Bool
  var widthProfile: LayoutParameters.WidthProfile
  var ambiguousWidth: Int

  /// The key of a pane of `paneWidth` in a view with `parameters`.
  init(_ parameters: LayoutParameters, paneWidth: Int) {
    self.paneWidth = paneWidth
    isCompact = parameters.isSinglePane || paneWidth < CellMetrics.compactBelow
    widthProfile = parameters.widthProfile
    ambiguousWidth = parameters.ambiguousWidth
  }

  /// Cuts a text into lines and adds the row's fixed parts (rule 20). O(length).
  func measure(_ text: [UInt8], isRepost: Bool) -> RowLayout {
    let profile = CellProfile(
      clusterWidth: widthProfile == .sum ? .sum : .cluster, ambiguousWidth: ambiguousWidth == 2 ? .two : .one)
    let metrics = CellMetrics(paneWidth: paneWidth, isCompact: isCompact)
    var lineEnds: [UInt32] = []
    wrap(text.span, width: metrics.textWidth, metrics: .cells(profile), into: &lineEnds)
    return RowLayout(height: metrics.height(lines: lineEnds.count, isRepost: isRepost), lineEnds: lineEnds)
  }
}
