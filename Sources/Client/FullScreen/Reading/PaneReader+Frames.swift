internal import Messages
internal import ViewState

/// Keeps the user's position through each frame.
extension PaneReader {
  /// Restarts for a new view, which knows nothing of earlier requests.
  mutating func restartView() {
    viewports.restart()
    jumps = Jumps()
    selections.reconnected()
  }

  /// The position in the focused pane, for a view that resumes.
  var viewport: ViewportParameters? {
    guard let pane = focused else { return nil }
    let anchor = PaneScroll.anchor(of: pane, known: anchors[pane.header.paneID])
    var viewport = ViewportParameters()
    viewport.paneID = pane.header.paneID
    viewport.anchorRow = anchor.rowID
    viewport.line = anchor.line
    return viewport
  }

  /// Forgets everything, for another session.
  mutating func leaveSession() { self = PaneReader(viewHeight: viewHeight) }

  /// Sends positions to the daemon, as far as they may be sent now.
  mutating func sendViewports(_ connection: inout Connection) {
    guard connection.isLaidOut(mirror) else { return }
    for viewport in viewports.next() {
      connection.want(.send(.viewport(viewport)))
      jumps.sent(viewport.paneID, generation: viewport.generation)
    }
  }

  /// Updates the position in a pane after a frame. Returns true if a jump to the first unread post has arrived at the
  /// reading position.
  mutating func restorePosition(in pane: Pane, after old: Pane?, _ connection: inout Connection) -> Bool {
    let id = pane.header.paneID
    let reported = LineAnchor(rowID: pane.status.anchorRow, line: pane.status.anchorLine)
    let before = old.map { LineAnchor(rowID: $0.status.anchorRow, line: $0.status.anchorLine) }
    let seen = old.flatMap { seenSelection(in: $0) }
    // After a new width or a jump the daemon's anchor counts, unless this side has moved since.
    if reported.rowID != 0, reported != before, !viewports.isAhead(id) {
      anchors[id] = reported
      // A pane that opens at its newest row is at the top, where posts that arrive are shown, and not at that row.
      if old?.rows.isEmpty != false, pane.isNewestFirst, reported == LineAnchor(rowID: pane.rows.first?.rowID ?? 0) {
        scroll(pane, to: 0)
      }
    }
    if let old, !pane.rows.isEmpty { applyChange(PaneChange(old: old, new: pane), in: id) }
    selections.shown(id, at: mirror.revision)
    if let old, let seen { keepSelection(seen, in: pane, after: old) }
    return land(in: pane, &connection)
  }

  /// Returns the selected row of a pane before a frame is applied to its position, and the line of the screen it begins
  /// in; nil unless all of it is visible.
  private func seenSelection(in old: Pane) -> (row: UInt64, line: Int)? {
    let id = old.header.paneID
    let row = selections.row(in: id) ?? old.selection.rowID
    let window = PaneWindow(old, known: anchors[id], height: height(of: old))
    guard let lines = window.scroll.lines(of: row), window.seen.clamped(to: lines) == lines else { return nil }
    return (row, lines.lowerBound - window.seen.lowerBound)
  }

  /// Keeps the selected row in its line of the screen if rows that arrived above it would push it off the screen
  /// (docs/BEHAVIOUR.md, rule 40).
  private mutating func keepSelection(_ seen: (row: UInt64, line: Int), in pane: Pane, after old: Pane) {
    let id = pane.header.paneID
    guard selectedRow(of: id) == seen.row, !following.contains(id), !viewports.isAhead(id), !jumps.isUnderWay(in: id)
    else { return }
    let window = window(of: pane)
    guard let index = pane.rows.firstIndex(where: { $0.rowID == seen.row }) else {
      // So many have arrived that the frame ends before it.
      guard pane.selection.rowID == seen.row, pane.selection.pin == .bottom else { return }
      return jump(.row(seen.row, line: seen.line), in: id, to: .anchor(LineAnchor(rowID: seen.row)))
    }
    let held = Set(old.rows.map(\.rowID))
    let first = window.scroll.index(at: window.seen.lowerBound) ?? index
    guard first < index, window.scroll.tops[index] + pane.rows[index].height > window.seen.upperBound,
      pane.rows[first..<index].contains(where: { !held.contains($0.rowID) })
    else { return }
    scroll(pane, to: window.scroll.tops[index] - seen.line)
  }

  /// Moves the anchor and the selection to rows that replace those that have gone.
  private mutating func applyChange(_ change: PaneChange, in id: UInt64) {
    if let anchor = anchors[id], anchor.rowID != 0, !(change.isBeyond(anchor.rowID) && viewports.isAhead(id)) {
      let row = change.successor(of: anchor.rowID)
      if row != anchor.rowID { anchors[id] = LineAnchor(rowID: row) }
    }
    if let row = selections.row(in: id), !change.isBeyond(row) {
      selections.replace(in: id, with: change.successor(of: row))
    }
  }

  /// Ends a jump that has been answered. Returns true if it led to the reading position.
  private mutating func land(in pane: Pane, _ connection: inout Connection) -> Bool {
    let id = pane.header.paneID
    guard !pane.rows.isEmpty, let goal = jumps.answeredGoal(in: id, answered: mirror.viewportGeneration) else {
      return false
    }
    switch goal {
    case .top:
      anchors[id] = LineAnchor()
      select(pane.rows[0].rowID, in: id, &connection)
    case .bottom:
      if let anchor = daemonAnchor(of: pane) { anchors[id] = anchor }
      guard !pane.hasMoreBelow else { return false }
      scrollToEnd(of: pane, &connection)
    case .instant:
      guard let anchor = daemonAnchor(of: pane) else { return false }
      anchors[id] = anchor
      select(anchor.rowID, in: id, &connection)
      // Nothing below the last row is shown, as far as rows above it are held.
      if !pane.hasMoreBelow { scroll(pane, to: PaneScroll(pane).line(of: anchor)) }
    case .row(let row, let line):
      guard pane.rows.contains(where: { $0.rowID == row }) else { return false }
      anchors[id] = LineAnchor(rowID: row)
      select(row, in: id, &connection)
      // The rows above may come in a later frame.
      if line > 0 { scroll(by: -line, in: pane) }
    case .unread:
      let row = pane.status.readingRow
      guard pane.rows.contains(where: { $0.rowID == row }) else { return false }
      anchors[id] = LineAnchor(rowID: row)
      select(row, in: id, &connection)
      jumps.end(in: id)
      return id == focusID
    }
    jumps.end(in: id)
    return false
  }

  /// The daemon's anchor of a pane; nil if there is none, or its row has not arrived yet.
  private func daemonAnchor(of pane: Pane) -> LineAnchor? {
    guard pane.rows.contains(where: { $0.rowID == pane.status.anchorRow }) else { return nil }
    return LineAnchor(rowID: pane.status.anchorRow, line: pane.status.anchorLine)
  }

  /// Scrolls a pane that follows the newest row.
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

  /// Forgets panes that no longer exist.
  mutating func forgetClosedPanes() {
    let ids = Set(held.panes.map(\.header.paneID))
    anchors = anchors.filter { ids.contains($0.key) }
    selections.forgetPanes(except: ids)
    jumps.forgetPanes(except: ids)
    following.formIntersection(ids)
  }

  /// The origin of a new topmost pane.
  enum Opening {
    /// A command of this side, whose pane gets the focus.
    case asked
    /// A command of this side for the detail beside a list, which keeps the focus.
    case detail
    /// Another view of the session.
    case elsewhere
  }

  /// Keeps the focus where it is, unless that pane has closed, is covered by a slide, or another was opened on it, by a
  /// command of this side or not. At first the last whole pane has it.
  mutating func settleFocus(after old: ViewSnapshot, opening: Opening, columns: Int) {
    let ids = mirror.panes.map(\.header.paneID)
    let known = Set(old.panes.map(\.header.paneID))
    let wasTop = old.panes.last?.header.paneID == focusID
    let hasNewTop = ids.last.map { !known.contains($0) } ?? false
    let seen = SeenPanes(frames: mirror.paneFrames, columns: columns)
    if old.panes.isEmpty, !ids.contains(focusID) {
      focusID = ids.last { seen.isWhole($0) } ?? ids.last { seen.isSeen($0) } ?? ids.last ?? 0
    } else if !ids.contains(focusID) || hasNewTop && (opening == .asked || opening == .elsewhere && wasTop) {
      focusID = ids.last ?? 0
    } else if followsSlides, mirror.paneFrames != old.paneFrames, !mirror.isResized(since: old), !seen.isSeen(focusID) {
      focusID = ids.last { seen.isSeen($0) } ?? focusID
    }
  }
}

extension ViewSnapshot {
  /// True if the view, or a pane that was there before, has another width than in an earlier frame.
  func isResized(since old: ViewSnapshot) -> Bool {
    guard layoutGeneration == old.layoutGeneration else { return true }
    return paneFrames.contains { frame in
      old.paneFrames.contains { $0.paneID == frame.paneID && $0.width != frame.width }
    }
  }
}

extension ViewSnapshot {
  /// The panes of the session.
  var withoutPreview: ViewSnapshot {
    guard let last = panes.last, last.header.isPreview else { return self }
    var stack = self
    stack.panes.removeLast()
    stack.paneFrames.removeAll { $0.paneID == last.header.paneID }
    return stack
  }
}
