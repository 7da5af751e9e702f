internal import Messages
internal import ViewState

/// Where the person is among the rows of a pane, and moves there.
extension App {
  var focusedPane: Pane? { pane(state.focused.paneID) }

  func pane(_ id: UInt64) -> Pane? { snapshot.panes.last { $0.header.paneID == id } }

  /// The row that is selected in a pane, ahead of the daemon; 0 for none.
  func selectedRow(of id: UInt64) -> UInt64 { selected[id] ?? pane(id)?.selection.rowID ?? 0 }

  /// The selected row of the focused pane; else the post that a conversation is about, or the first row that is seen.
  var currentRow: PlacedRow? {
    guard let pane = focusedPane else { return nil }
    let id = selectedRow(of: pane.header.paneID)
    if let row = pane.rows.first(where: { $0.rowID == id }) ?? pane.selection.row, row.rowID == id { return row }
    let scroll = PaneScroll(pane)
    return start(in: pane, scroll).map { pane.rows[$0] }
  }

  /// Where one begins in a pane without a selection.
  private func start(in pane: Pane, _ scroll: PaneScroll) -> Int? {
    let first = firstLine(pane, scroll)
    if pane.header.kind == .conversation,
      let index = pane.rows.firstIndex(where: { $0.content.fields.postID == pane.header.subject }),
      scroll.tops[index] >= first, scroll.tops[index] < first + state.viewHeight
    {
      return index
    }
    return firstSeen(pane, scroll)
  }

  func hasMoreBelow(_ pane: Pane) -> Bool { pane.status.rowsAbove + pane.rows.count < pane.status.rowCount }

  /// The first line of a pane that is seen, in lines of the rows held.
  func firstLine(_ pane: Pane, _ scroll: PaneScroll) -> Int {
    scroll.line(of: PaneScroll.anchor(of: pane, known: state.anchors[pane.header.paneID]))
  }

  /// The first row that is seen as a whole, or else in part.
  private func firstSeen(_ pane: Pane, _ scroll: PaneScroll) -> Int? {
    let first = firstLine(pane, scroll)
    guard let index = scroll.index(at: first) else { return nil }
    let isWhole = scroll.tops[index] >= first
    let next = index + 1
    guard !isWhole, next < pane.rows.count, scroll.tops[next] + pane.rows[next].height <= first + state.viewHeight
    else { return index }
    return next
  }

  /// Counts what has led to a place. What leads on to rows that have not come is told when they have.
  mutating func countMove(_ action: Action) {
    let id = state.focused.paneID
    let isMove = App.steps.contains(action) || App.scrolls.contains(action) || App.otherMoves.contains(action)
    if isMove, owed == nil, owedLines == nil, jumps[id] == nil { state.moves += 1 }
  }

  private static let otherMoves: Set<Action> = [
    .firstRow, .lastRow, .focusLeft, .focusRight, .focusNext, .focusPrevious, .left, .right, .pane1, .pane2, .pane3,
    .pane4, .pane5, .pane6,
    .pane7, .pane8, .pane9,
  ]

  // MARK: Selecting

  /// Selects a row here at once, and for the session as soon as the daemon has taken the one before.
  mutating func select(_ row: UInt64, in pane: UInt64) {
    guard selectedRow(of: pane) != row else { return }
    selected[pane] = row
    confirmed[pane] = nil
    wantsSelect = pane
    sendSelection()
  }

  mutating func sendSelection() {
    guard viewID != 0, selecting == nil, let pane = wantsSelect, let row = selected[pane] else { return }
    wantsSelect = nil
    selecting = pane
    var request = SelectRequest()
    request.command = command()
    request.paneID = pane
    request.rowID = row
    call(.select(pane: pane, row: row), Method.select, request)
  }

  mutating func selectionAnswered(pane: UInt64, row: UInt64, _ result: Result<[UInt8], CallEnd>) {
    selecting = nil
    if selected[pane] == row {
      switch result {
      case .success(let bytes):
        let revision = (try? PaneResponse(decoding: bytes).revision) ?? 0
        // Where it is so already, the daemon's word counts again at once.
        if revision > snapshot.revision { confirmed[pane] = revision } else { selected[pane] = nil }
      case .failure(let end):
        // Without a daemon it stays, and is told when there is one; otherwise it cannot be.
        if end.isTransient { wantsSelect = wantsSelect ?? pane } else { selected[pane] = nil }
        return
      }
    } else if selected[pane] != nil, wantsSelect == nil {
      wantsSelect = pane
    }
    sendSelection()
  }

  // MARK: Scrolling

  /// Whether the rows held are those of the place where the person is: a frame may be of an older place, and the next
  /// of the right one.
  func isPlaced(in pane: Pane) -> Bool {
    guard let anchor = state.anchors[pane.header.paneID], viewports.isAhead(pane.header.paneID), !pane.rows.isEmpty
    else { return true }
    return anchor.rowID == 0 ? pane.status.rowsAbove == 0 : pane.rows.contains { $0.rowID == anchor.rowID }
  }

  /// Shows a pane from a line of the rows held on, as far as there are any.
  mutating func scroll(_ pane: Pane, to line: Int) {
    let scroll = PaneScroll(pane)
    guard scroll.height > 0 else { return }
    let line = min(max(0, line), scroll.last(viewHeight: state.viewHeight))
    let anchor = line == 0 && pane.status.rowsAbove == 0 ? RowAnchor() : scroll.anchor(at: line)
    let id = pane.header.paneID
    jumps[id] = nil
    guard PaneScroll.anchor(of: pane, known: state.anchors[id]) != anchor else { return }
    state.anchors[id] = anchor
    viewports.want(id, .anchor(anchor))
  }

  /// Lines that wait for rows at most.
  private static let owedLimit = 2_000

  /// Scrolls by so many lines: as far as rows are held at once, and the rest of the way when those beyond have come.
  mutating func scrollBy(_ lines: Int, in pane: Pane) {
    let id = pane.header.paneID
    following.remove(id)
    let scroll = PaneScroll(pane)
    var target = firstLine(pane, scroll) + lines
    if let owedLines, owedLines.pane == id { target += owedLines.lines }
    owedLines = nil
    self.scroll(pane, to: target)
    let rest = target - min(max(0, target), scroll.last(viewHeight: state.viewHeight))
    guard rest > 0 ? hasMoreBelow(pane) : rest < 0 && pane.status.rowsAbove > 0 else { return }
    owedLines = (id, min(max(rest, -Self.owedLimit), Self.owedLimit))
  }

  mutating func scrollToEnd(of pane: Pane) {
    guard let last = pane.rows.last else { return }
    scroll(pane, to: Int.max)
    select(last.rowID, in: pane.header.paneID)
  }

  /// Selects a row that is held, and shows it.
  mutating func goTo(row: UInt64, in pane: Pane) {
    guard let index = pane.rows.firstIndex(where: { $0.rowID == row }) else { return }
    go(to: index, of: pane, PaneScroll(pane))
  }

  /// Selects a row of a pane by its index, and shows it.
  private mutating func go(to index: Int, of pane: Pane, _ scroll: PaneScroll) {
    let id = pane.rows[index].rowID
    following.remove(pane.header.paneID)
    select(id, in: pane.header.paneID)
    self.scroll(pane, to: scroll.line(revealing: id, from: firstLine(pane, scroll), viewHeight: state.viewHeight))
  }

  /// To the next row (1) or the one before (-1); through one that is higher than the screen a piece at a time.
  mutating func moveRow(_ step: Int) {
    guard let pane = focusedPane, !pane.rows.isEmpty else { return }
    let scroll = PaneScroll(pane)
    let first = firstLine(pane, scroll)
    let seen = first..<first + state.viewHeight
    let id = selectedRow(of: pane.header.paneID)
    guard let index = pane.rows.firstIndex(where: { $0.rowID == id }), let lines = scroll.lines(of: id),
      lines.overlaps(seen)
    else {
      let isNone = !pane.rows.contains { $0.rowID == id }
      if let index = isNone ? start(in: pane, scroll) : firstSeen(pane, scroll) { go(to: index, of: pane, scroll) }
      return
    }
    let rest = step > 0 ? lines.upperBound - seen.upperBound : seen.lowerBound - lines.lowerBound
    if lines.count > state.viewHeight, rest > 0 {
      return scrollBy(step * min(rest, max(1, state.viewHeight - 2)), in: pane)
    }
    let next = index + step
    if pane.rows.indices.contains(next) { return go(to: next, of: pane, scroll) }
    // Keys that are faster than the daemon are not lost: the rest of the way is gone when its rows have come.
    if step > 0 ? hasMoreBelow(pane) : pane.status.rowsAbove > 0 {
      owed = (pane.header.paneID, min(max((owed?.pane == pane.header.paneID ? owed!.steps : 0) + step, -100), 100))
    }
    // All of the last row is shown.
    go(to: index, of: pane, scroll)
  }

  /// Goes on to where the person was going before rows had come.
  mutating func payOwed() {
    if let (id, lines) = owedLines, let pane = pane(id), !pane.rows.isEmpty, isPlaced(in: pane) {
      scrollBy(0, in: pane)
      if id == state.focused.paneID, owedLines == nil { keepSelectionSeen(lines > 0 ? 1 : -1, in: pane) }
    }
    guard let (pane, steps) = owed, self.pane(pane).map(isPlaced) != false else { return }
    owed = nil
    guard pane == state.focused.paneID else { return }
    let step = steps > 0 ? 1 : -1
    var left = steps
    while left != 0 {
      moveRow(step)
      if owed != nil {
        owed = (pane, left)
        return
      }
      left -= step
    }
  }

  /// By so many parts of the screen's height; the selected row stays on the screen.
  mutating func movePage(_ numerator: Int, of denominator: Int) {
    guard let pane = focusedPane, !pane.rows.isEmpty else { return }
    scrollBy(numerator * max(1, (state.viewHeight - 1) / denominator), in: pane)
    // What is selected is told by where the way ends, not by how far the rows held reach.
    if owedLines == nil { keepSelectionSeen(numerator, in: pane) }
  }

  /// Stays where the rows held end: something else is done now.
  mutating func stopScrolling() {
    guard let (id, lines) = owedLines else { return }
    owedLines = nil
    if id == state.focused.paneID, let pane = pane(id), !pane.rows.isEmpty {
      keepSelectionSeen(lines > 0 ? 1 : -1, in: pane)
    }
  }

  /// Selects the first row that is seen, or going up the last, where the selected one is not seen any more. At an end
  /// only the selection can go on.
  private mutating func keepSelectionSeen(_ direction: Int, in pane: Pane) {
    let scroll = PaneScroll(pane)
    let first = firstLine(pane, scroll)
    let lines = scroll.lines(of: selectedRow(of: pane.header.paneID))
    var index = direction > 0 ? firstSeen(pane, scroll) : lastSeen(pane, scroll)
    if let lines, lines.lowerBound >= first, lines.upperBound <= first + state.viewHeight {
      let isAtEnd =
        direction > 0
        ? !hasMoreBelow(pane) && first >= scroll.last(viewHeight: state.viewHeight)
        : pane.status.rowsAbove == 0 && first == 0
      index = isAtEnd ? direction > 0 ? pane.rows.count - 1 : 0 : nil
    }
    if let index { select(pane.rows[index].rowID, in: pane.header.paneID) }
  }

  private func lastSeen(_ pane: Pane, _ scroll: PaneScroll) -> Int? {
    let first = firstLine(pane, scroll)
    guard let index = scroll.index(at: first + state.viewHeight - 1) else { return nil }
    let isWhole = scroll.tops[index] + pane.rows[index].height <= first + state.viewHeight
    return isWhole || index == 0 || scroll.tops[index - 1] < first ? index : index - 1
  }

  // MARK: Jumps

  mutating func goToTop() {
    guard let pane = focusedPane, !pane.rows.isEmpty else { return }
    following.remove(pane.header.paneID)
    if pane.status.rowsAbove == 0 {
      scroll(pane, to: 0)
      select(pane.rows[0].rowID, in: pane.header.paneID)
    } else {
      jumps[pane.header.paneID] = .top(nil)
      viewports.want(pane.header.paneID, .anchor(RowAnchor()))
    }
  }

  mutating func goToBottom() {
    guard let pane = focusedPane, !pane.rows.isEmpty else { return }
    following.remove(pane.header.paneID)
    guard hasMoreBelow(pane) else { return scrollToEnd(of: pane) }
    jumps[pane.header.paneID] = .bottom(nil)
    // Beyond the ends an instant leads to the row that is nearest to it.
    viewports.want(pane.header.paneID, .instant(isNewestFirst(pane) ? App.earliest : App.latest))
  }

  mutating func go(toInstant milliseconds: Int64) {
    guard let pane = focusedPane, !pane.rows.isEmpty else { return }
    following.remove(pane.header.paneID)
    jumps[pane.header.paneID] = .instant(nil)
    viewports.want(pane.header.paneID, .instant(milliseconds == 0 ? 1 : milliseconds))
  }

  /// Instants beyond those of any post: the years 1 and 9999.
  private static let earliest: Int64 = -62_135_596_800_000
  private static let latest: Int64 = 253_402_300_799_000

  func isNewestFirst(_ pane: Pane) -> Bool { pane.header.kind != .conversation && pane.header.kind != .direct }

  // MARK: What is newest

  mutating func toggleFollow() {
    guard let pane = focusedPane else { return }
    if following.remove(pane.header.paneID) != nil { return tell("Stays where it is.") }
    if isNewestFirst(pane) { goToTop() } else { goToBottom() }
    following.insert(pane.header.paneID)
    tell("Follows what is newest.")
  }

  mutating func showNewest(in pane: Pane) {
    guard !pane.rows.isEmpty, jumps[pane.header.paneID] == nil else { return }
    if isNewestFirst(pane) {
      guard pane.status.rowsAbove == 0 else { return }
      scroll(pane, to: 0)
    } else if !hasMoreBelow(pane) {
      scroll(pane, to: Int.max)
    }
  }

  // MARK: Threads

  /// To the post that this one answers, where it is in the pane.
  mutating func goToParent() {
    guard let pane = focusedPane, let row = currentRow else { return }
    guard let index = pane.rows.firstIndex(where: { $0.content.fields.postID == row.content.fields.inReplyTo }) else {
      return tell(
        row.content.fields.inReplyTo == 0 ? "This post answers nothing." : "What this post answers is not in this pane."
      )
    }
    go(to: index, of: pane, PaneScroll(pane))
  }

  /// To the next post that answers the same one.
  mutating func goToSibling() {
    guard let pane = focusedPane, let row = currentRow, let own = pane.rows.firstIndex(where: { $0.rowID == row.rowID })
    else { return }
    let parent = row.content.fields.inReplyTo
    let next = pane.rows[(own + 1)...].firstIndex { $0.content.fields.inReplyTo == parent && parent != 0 }
    guard let next else { return tell("There is no further answer.") }
    go(to: next, of: pane, PaneScroll(pane))
  }
}
