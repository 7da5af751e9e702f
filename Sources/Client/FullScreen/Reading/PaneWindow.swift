internal import ViewState

/// The rows of a pane that are held, and which lines of them are seen.
struct PaneWindow {
  let pane: Pane
  let scroll: PaneScroll
  /// The lines that are seen, in lines of the rows held; some of them may lie below the last.
  let seen: Range<Int>

  /// A window of so many lines, from the anchor on that counts (``PaneScroll/anchor(of:known:)``).
  init(_ pane: Pane, known anchor: RowAnchor?, height: Int) {
    self.pane = pane
    scroll = PaneScroll(pane)
    let first = scroll.line(of: PaneScroll.anchor(of: pane, known: anchor))
    seen = first..<first + height
  }

  /// The greatest first line, at which nothing below the last row held is seen.
  var lastTop: Int { scroll.last(viewHeight: seen.count) }

  /// The first row to select in a pane without a selection: the post that a conversation is about, where it is seen, or
  /// the first row that is.
  var start: Int? {
    if pane.header.kind == .conversation,
      let index = pane.rows.firstIndex(where: { $0.content.fields.postID == pane.header.subject }),
      seen.contains(scroll.tops[index])
    {
      return index
    }
    return firstSeen
  }

  /// The first row that is seen as a whole, or else in part.
  var firstSeen: Int? {
    guard let index = scroll.index(at: seen.lowerBound) else { return nil }
    let isWhole = scroll.tops[index] >= seen.lowerBound
    let next = index + 1
    guard !isWhole, next < pane.rows.count, bottom(of: next) <= seen.upperBound else { return index }
    return next
  }

  /// The last row that is seen as a whole, or else in part.
  var lastSeen: Int? {
    guard let index = scroll.index(at: seen.upperBound - 1) else { return nil }
    let isWhole = bottom(of: index) <= seen.upperBound
    return isWhole || index == 0 || scroll.tops[index - 1] < seen.lowerBound ? index : index - 1
  }

  /// The row to select instead of one, after scrolling down (1) or up (-1): nil where that one is still seen as a whole.
  /// At an end only the selection can go on.
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

  /// The line below a row.
  private func bottom(of index: Int) -> Int { scroll.tops[index] + pane.rows[index].height }
}

extension Pane {
  /// There are rows below those that are held.
  var hasMoreBelow: Bool { status.rowsAbove + rows.count < status.rowCount }

  /// Conversations are read downwards, everything else begins with what is newest.
  var isNewestFirst: Bool { header.kind != .conversation && header.kind != .direct }
}
