internal import ViewState

/// The rows held in a pane, and their visible lines.
struct PaneWindow {
  let pane: Pane
  let scroll: PaneScroll
  /// The visible lines, counted in the rows held. Some may lie below the last row.
  let seen: Range<Int>

  /// A window of `height` lines from the anchor in force (``PaneScroll/anchor(of:known:)``).
  init(_ pane: Pane, known anchor: LineAnchor?, height: Int) {
    self.pane = pane
    scroll = PaneScroll(pane)
    let first = scroll.line(of: PaneScroll.anchor(of: pane, known: anchor))
    seen = first..<first + height
  }

  /// The greatest first line that shows nothing below the last row held.
  var lastTop: Int { scroll.last(viewHeight: seen.count) }

  /// The row to select first in a pane without a selection: the post that a conversation is about if it is visible, the
  /// last visible message of a direct conversation, or the first visible row.
  var start: Int? {
    if pane.header.kind == .direct { return lastSeen }
    if pane.header.kind == .conversation,
      let index = pane.rows.firstIndex(where: { $0.content.fields.postID == pane.header.subject }),
      seen.contains(scroll.tops[index])
    {
      return index
    }
    return firstSeen
  }

  /// The first row that is fully visible, or else partly.
  var firstSeen: Int? {
    guard let index = scroll.index(at: seen.lowerBound) else { return nil }
    let isWhole = scroll.tops[index] >= seen.lowerBound
    let next = index + 1
    guard !isWhole, next < pane.rows.count, bottom(of: next) <= seen.upperBound else { return index }
    return next
  }

  /// The last row that is fully visible, or else partly.
  var lastSeen: Int? {
    guard let index = scroll.index(at: seen.upperBound - 1) else { return nil }
    let isWhole = bottom(of: index) <= seen.upperBound
    return isWhole || index == 0 || scroll.tops[index - 1] < seen.lowerBound ? index : index - 1
  }

  /// Returns the row to select instead of `selected`, after scrolling down (1) or up (-1); nil if that is still fully
  /// visible. At an end only the selection can move on.
  func successor(of selected: UInt64, direction: Int) -> Int? {
    guard let lines = scroll.lines(of: selected), lines.lowerBound >= seen.lowerBound,
      lines.upperBound <= seen.upperBound
    else { return direction > 0 ? firstSeen : lastSeen }
    let isAtEnd =
      direction > 0
      ? !pane.hasMoreBelow && seen.lowerBound >= lastTop : pane.status.rowsAbove == 0 && seen.lowerBound == 0
    guard isAtEnd else { return nil }
    return direction > 0 ? pane.rows.count - 1 : 0
  }

  /// Returns the line below a row.
  private func bottom(of index: Int) -> Int { scroll.tops[index] + pane.rows[index].height }
}

extension Pane {
  /// True if there are rows below those held.
  var hasMoreBelow: Bool { status.rowsAbove + rows.count < status.rowCount }

  /// True unless the rows are read downwards, as in conversations.
  var isNewestFirst: Bool { header.kind != .conversation && header.kind != .direct }
}
