internal import Messages
internal import ViewState

/// Keeps the person's place through each frame.
extension PaneReader {
  /// Begins a view anew: it knows of nothing that was asked for before.
  mutating func restartView() {
    viewports.restart()
    jumps = Jumps()
    selections.reconnected()
  }

  /// The place in the focused pane, for a view that goes on from what is held.
  var viewport: ViewportParameters? {
    guard let pane = focused else { return nil }
    let anchor = PaneScroll.anchor(of: pane, known: anchors[pane.header.paneID])
    var viewport = ViewportParameters()
    viewport.paneID = pane.header.paneID
    viewport.anchorRow = anchor.rowID
    viewport.line = anchor.line
    return viewport
  }

  /// Forgets everything: another session is shown.
  mutating func leaveSession() { self = PaneReader(viewHeight: viewHeight) }

  /// Tells the daemon of places, where it may be told.
  mutating func sendViewports(_ connection: inout Connection) {
    guard connection.isLaidOut(mirror) else { return }
    for viewport in viewports.next() {
      connection.want(.send(.viewport(viewport)))
      jumps.sent(viewport.paneID, generation: viewport.generation)
    }
  }

  /// Sees where the person is in a pane after a frame. True where a way to the first unread post has led to where reading
  /// stopped.
  mutating func settle(_ pane: Pane, _ old: Pane?, _ connection: inout Connection) -> Bool {
    let id = pane.header.paneID
    let told = RowAnchor(rowID: pane.status.anchorRow, line: pane.status.anchorLine)
    let before = old.map { RowAnchor(rowID: $0.status.anchorRow, line: $0.status.anchorLine) }
    // The daemon says where one is where a new width, or a jump, led to: not while it knows less than this side.
    if told.rowID != 0, told != before, !viewports.isAhead(id) { anchors[id] = told }
    if let old, !pane.rows.isEmpty { follow(PaneChange(old: old, new: pane), in: id) }
    selections.shown(id, at: mirror.revision)
    return land(in: pane, &connection)
  }

  /// Goes on to the rows that have taken the places of those one was at.
  private mutating func follow(_ change: PaneChange, in id: UInt64) {
    if let anchor = anchors[id], anchor.rowID != 0, !(change.isBeyond(anchor.rowID) && viewports.isAhead(id)) {
      let row = change.successor(of: anchor.rowID)
      if row != anchor.rowID { anchors[id] = RowAnchor(rowID: row) }
    }
    if let row = selections.row(in: id), !change.isBeyond(row) {
      selections.replace(in: id, with: change.successor(of: row))
    }
  }

  /// Ends a jump that has been answered. True where it led to where reading stopped.
  private mutating func land(in pane: Pane, _ connection: inout Connection) -> Bool {
    let id = pane.header.paneID
    guard !pane.rows.isEmpty, let goal = jumps.answeredGoal(in: id, answered: mirror.viewportGeneration) else {
      return false
    }
    switch goal {
    case .top:
      anchors[id] = RowAnchor()
      select(pane.rows[0].rowID, in: id, &connection)
    case .bottom:
      if let anchor = toldAnchor(of: pane) { anchors[id] = anchor }
      guard !pane.hasMoreBelow else { return false }
      scrollToEnd(of: pane, &connection)
    case .instant:
      guard let anchor = toldAnchor(of: pane) else { return false }
      anchors[id] = anchor
      select(anchor.rowID, in: id, &connection)
    case .unread:
      let row = pane.status.readingRow
      guard pane.rows.contains(where: { $0.rowID == row }) else { return false }
      anchors[id] = RowAnchor(rowID: row)
      select(row, in: id, &connection)
      jumps.end(in: id)
      return id == focusID
    }
    jumps.end(in: id)
    return false
  }

  /// The place of a pane by the daemon's word; nil where it does not say, or the row has not come yet.
  private func toldAnchor(of pane: Pane) -> RowAnchor? {
    guard pane.rows.contains(where: { $0.rowID == pane.status.anchorRow }) else { return nil }
    return RowAnchor(rowID: pane.status.anchorRow, line: pane.status.anchorLine)
  }

  /// Shows what is newest in a pane that does so.
  mutating func keepNewest(in pane: Pane) {
    let id = pane.header.paneID
    guard following.contains(id), !pane.rows.isEmpty, !jumps.isUnderWay(in: id) else { return }
    if pane.isNewestFirst {
      guard pane.status.rowsAbove == 0 else { return }
      scroll(pane, to: 0)
    } else if !pane.hasMoreBelow {
      scroll(pane, to: Int.max)
    }
  }

  /// Forgets panes that there are no more.
  mutating func forgetClosedPanes() {
    let ids = Set(mirror.panes.map(\.header.paneID))
    anchors = anchors.filter { ids.contains($0.key) }
    selections.keep(only: ids)
    jumps.keep(only: ids)
    following.formIntersection(ids)
  }

  /// Leaves the keys where they are, unless that pane has gone, is covered, or another was opened on it, which a command
  /// of this side had asked for or not.
  mutating func settleFocus(after old: ViewSnapshot, wasAskedFor: Bool, columns: Int) {
    let ids = mirror.panes.map(\.header.paneID)
    let known = Set(old.panes.map(\.header.paneID))
    let wasTop = old.panes.last?.header.paneID == focusID
    let hasNewTop = ids.last.map { !known.contains($0) } ?? false
    let seen = SeenPanes(frames: mirror.paneFrames, columns: columns)
    if !ids.contains(focusID) || hasNewTop && (wasAskedFor || wasTop) {
      focusID = ids.last ?? 0
    } else if mirror.paneFrames != old.paneFrames, !seen.isSeen(focusID) {
      focusID = ids.last { seen.isSeen($0) } ?? focusID
    }
  }
}
