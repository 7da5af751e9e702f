internal import Messages
internal import ViewState

/// The view: its stream, its frames, and what becomes of the person's place with each.
extension App {
  /// What is to be done when a jump has been answered.
  enum Jump: Equatable {
    case top(UInt32?)
    case bottom(UInt32?)
    case instant(UInt32?)
    /// To where reading stopped, and from there to the first unread post.
    case unread(UInt32?)
  }

  // MARK: The stream

  mutating func attach() {
    isAttached = true
    viewID = 0
    lastFrame = 0
    acknowledged = 0
    layoutGeneration = 1
    toldSize = (state.columns, state.lines)
    viewports.restart()
    jumps = [:]
    // What was not answered on another connection is said again.
    if let pane = selecting {
      selecting = nil
      wantsSelect = wantsSelect ?? pane
    }
    var hello = Hello(session: session, layout: layout, client: options.client)
    if !isParted { hello.resume = snapshot.resume }
    if hello.resume != nil, let pane = focusedPane {
      let anchor = PaneScroll.anchor(of: pane, known: state.anchors[pane.header.paneID])
      var viewport = ViewportParameters()
      viewport.paneID = pane.header.paneID
      viewport.anchorRow = anchor.rowID
      viewport.line = anchor.line
      hello.viewport = viewport
    }
    effects.append(.attach(hello))
  }

  mutating func disconnected(_ reason: String) {
    isAttached = false
    forgetHeld()
    owedLines = nil
    marks = [:]
    viewID = 0
    if offlineSince == nil { offlineSince = now }
    if case .live = state.status.connection { tell("The daemon is gone; waiting for it to come back.", .warning) }
    if !snapshot.panes.isEmpty || state.status.connection != .connecting {
      let since = (offlineSince ?? now) + options.wallClockOffset
      state.status.connection = .offline(since: TimeOfDay.text(since, offset: options.localOffset))
    } else if pause > 1_000 {
      tell(reason, .warning)
    }
    effects.append(.connect(after: pause))
    pause = min(pause * 2, App.backoff.upperBound)
  }

  mutating func viewEnded(_ end: CallEnd) {
    guard isAttached else { return }
    isAttached = false
    viewID = 0
    switch end.code {
    case CallEnd.ok, CallEnd.cancelled, CallEnd.unavailable, CallEnd.resourceExhausted: disconnected(end.message)
    case CallEnd.notFound where !session.isEmpty && session != "main":
      tell("The session \(session) has gone; this is main.", .warning)
      enter(session: "")
    default: effects.append(.quit(failure: end.message))
    }
  }

  /// Shows another session.
  mutating func enter(session name: String) {
    session = name
    snapshot = ViewSnapshot()
    state.anchors = [:]
    state.focused = FocusedPane()
    state.animation = nil
    state.revealed = []
    selected = [:]
    confirmed = [:]
    selecting = nil
    wantsSelect = nil
    following = []
    zoomed = nil
    opening = nil
    owed = nil
    owedLines = nil
    attach()
  }

  /// Says which frame has been shown: the newest.
  mutating func acknowledge() {
    guard isAttached, lastFrame > acknowledged else { return }
    acknowledged = lastFrame
    effects.append(.send(.ack(lastFrame)))
  }

  mutating func sendViewports() {
    // What a line means is not known while a layout is under way.
    guard isAttached, viewID != 0, snapshot.layoutGeneration == layoutGeneration else { return }
    for viewport in viewports.next() {
      effects.append(.send(.viewport(viewport)))
      switch jumps[viewport.paneID] {
      case .top(nil): jumps[viewport.paneID] = .top(viewport.generation)
      case .bottom(nil): jumps[viewport.paneID] = .bottom(viewport.generation)
      case .instant(nil): jumps[viewport.paneID] = .instant(viewport.generation)
      case .unread(nil): jumps[viewport.paneID] = .unread(viewport.generation)
      default: break
      }
    }
  }

  // MARK: Frames

  mutating func take(_ frame: Frame) {
    guard isAttached else { return }
    let old = snapshot
    guard (try? snapshot.apply(frame)) != nil else {
      // The two sides have parted; a view that begins from nothing brings them together.
      isParted = true
      return attach()
    }
    isParted = false
    lastFrame = frame.number
    if let welcome = frame.welcome {
      viewID = welcome.viewID
      pause = App.backoff.lowerBound
      if offlineSince != nil {
        tell("Connected again.")
        if case .compose(var editor) = state.overlay {
          editor.failure = ""
          state.overlay = .compose(editor)
        }
      }
      offlineSince = nil
      state.status.connection = .live
      draft?.copy.refused = nil
      askForDrafts()
      sendSelection()
    }
    viewports.answered(snapshot.viewportGeneration)
    for pane in snapshot.panes { settle(pane, old.panes.first { $0.header.paneID == pane.header.paneID }) }
    forgetClosedPanes()
    settleFocus(old)
    if old.panes.isEmpty || snapshot.layoutGeneration != old.layoutGeneration { revealFocused() }
    payOwed()
    releaseHeld()
    if options.animates, frame.reset == nil || !old.panes.isEmpty {
      state.animation = Animation(from: old, to: snapshot, columns: state.columns, at: now, continuing: state.animation)
    }
    sendLayout()
  }

  /// Sees where the person is in a pane after a frame.
  private mutating func settle(_ pane: Pane, _ old: Pane?) {
    let id = pane.header.paneID
    let told = RowAnchor(rowID: pane.status.anchorRow, line: pane.status.anchorLine)
    let before = old.map { RowAnchor(rowID: $0.status.anchorRow, line: $0.status.anchorLine) }
    // The daemon says where one is where a new width, or a jump, led to: not while it knows less than this side.
    if told.rowID != 0, told != before, !viewports.isAhead(id) { state.anchors[id] = told }
    if let anchor = state.anchors[id], anchor.rowID != 0, let old, !pane.rows.isEmpty {
      let row =
        isBeyond(anchor.rowID, old, pane) && viewports.isAhead(id)
        ? anchor.rowID : successor(of: anchor.rowID, old, pane)
      if row != anchor.rowID { state.anchors[id] = RowAnchor(rowID: row) }
    }
    if let row = selected[id], let old, !pane.rows.isEmpty, !isBeyond(row, old, pane) {
      selected[id] = successor(of: row, old, pane)
    }
    if let revision = confirmed[id], snapshot.revision >= revision {
      confirmed[id] = nil
      selected[id] = nil
    }
    landJump(in: pane)
    if following.contains(id) { showNewest(in: pane) }
  }

  /// The row that takes the place of one: itself, the next of the rows that were held that is still there, or the last
  /// before it. Where none of them is held it may be out of the window: itself then.
  private func successor(of row: UInt64, _ old: Pane, _ new: Pane) -> UInt64 {
    guard !new.rows.contains(where: { $0.rowID == row }), let index = old.rows.firstIndex(where: { $0.rowID == row })
    else { return row }
    let held = Set(new.rows.map(\.rowID))
    let after = old.rows[index...].first { held.contains($0.rowID) }
    return (after ?? old.rows[..<index].last { held.contains($0.rowID) })?.rowID ?? row
  }

  /// Whether a row has not gone, as far as can be told, but lies beyond an end of a window that was meant for an older
  /// place.
  private func isBeyond(_ row: UInt64, _ old: Pane, _ new: Pane) -> Bool {
    guard !new.rows.contains(where: { $0.rowID == row }), let index = old.rows.firstIndex(where: { $0.rowID == row })
    else { return false }
    let held = Set(new.rows.map(\.rowID))
    let isAnyBefore = old.rows[..<index].contains { held.contains($0.rowID) }
    let isAnyAfter = old.rows[index...].contains { held.contains($0.rowID) }
    return isAnyBefore != isAnyAfter && (isAnyBefore ? hasMoreBelow(new) : new.status.rowsAbove > 0)
  }

  private mutating func landJump(in pane: Pane) {
    let id = pane.header.paneID
    let answered = snapshot.viewportGeneration
    switch jumps[id] {
    case .top(let generation?) where answered >= generation && !pane.rows.isEmpty:
      state.anchors[id] = RowAnchor()
      select(pane.rows[0].rowID, in: id)
    case .bottom(let generation?) where answered >= generation && !pane.rows.isEmpty:
      if let anchor = toldAnchor(of: pane) { state.anchors[id] = anchor }
      guard !hasMoreBelow(pane) else { return }
      scrollToEnd(of: pane)
    case .instant(let generation?) where answered >= generation && !pane.rows.isEmpty:
      guard let anchor = toldAnchor(of: pane) else { return }
      state.anchors[id] = anchor
      select(anchor.rowID, in: id)
    case .unread(let generation?) where answered >= generation && !pane.rows.isEmpty:
      guard pane.rows.contains(where: { $0.rowID == pane.status.readingRow }) else { return }
      state.anchors[id] = RowAnchor(rowID: pane.status.readingRow)
      select(pane.status.readingRow, in: id)
      jumps[id] = nil
      if id == state.focused.paneID { goToUnread(-1) }
      return
    default: return
    }
    jumps[id] = nil
  }

  /// Where the daemon says that the pane is; nil where it does not say, or the row has not come yet.
  private func toldAnchor(of pane: Pane) -> RowAnchor? {
    guard pane.rows.contains(where: { $0.rowID == pane.status.anchorRow }) else { return nil }
    return RowAnchor(rowID: pane.status.anchorRow, line: pane.status.anchorLine)
  }

  private mutating func forgetClosedPanes() {
    let ids = Set(snapshot.panes.map(\.header.paneID))
    state.anchors = state.anchors.filter { ids.contains($0.key) }
    selected = selected.filter { ids.contains($0.key) }
    confirmed = confirmed.filter { ids.contains($0.key) }
    jumps = jumps.filter { ids.contains($0.key) }
    following.formIntersection(ids)
    if let zoomed, !ids.contains(zoomed.pane) { self.zoomed = nil }
  }

  /// The keys stay where they are, unless that pane has gone, is covered, or another was opened on it.
  private mutating func settleFocus(_ old: ViewSnapshot) {
    let ids = snapshot.panes.map(\.header.paneID)
    let known = Set(old.panes.map(\.header.paneID))
    let focus = state.focused.paneID
    let wasTop = old.panes.last?.header.paneID == focus
    let hasNewTop = ids.last.map { !known.contains($0) } ?? false
    let isOpening = opening != nil
    // The frame may be here before the answer.
    if ids.last != old.panes.last?.header.paneID || opening?.revision.map({ snapshot.revision >= $0 }) == true {
      opening = nil
    }
    if !ids.contains(focus) || hasNewTop && (isOpening || wasTop) {
      focusPane(ids.last ?? 0)
    } else if snapshot.paneFrames != old.paneFrames, !isSeen(focus) {
      focusPane(ids.last { isSeen($0) } ?? focus)
    }
  }
}
