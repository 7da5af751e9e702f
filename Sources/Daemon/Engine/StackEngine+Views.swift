public import Dates
internal import Posts
public import ViewState

extension StackEngine {
  mutating func open(_ id: ViewID, _ opening: ViewOpening) {
    var view = View(id: id, opening: opening)
    if let viewport = opening.viewport { view.pendingViewport = viewport }
    views[id] = view
    openSession(opening.session)
    for list in lists(shownBy: view) { openList(list) }
  }

  mutating func close(_ id: ViewID) {
    guard let view = views.removeValue(forKey: id) else { return }
    dropUnusedLists()
    dropSession(view.session)
  }

  mutating func move(_ id: ViewID, to viewport: ViewportParameters) {
    guard views[id] != nil else { return }
    views[id]!.pendingViewport = viewport
    // Each pane has a place of its own, so a move of one must not replace the move of another.
    if let session = sessions[views[id]!.session], session.isLoaded {
      views[id]!.applyPendingViewport(to: session.stack)
    }
    markOwnCommand(id)
  }

  mutating func relayout(_ id: ViewID, _ layout: LayoutParameters, _ zone: Zone) {
    guard let view = views[id] else { return }
    views[id]!.layout = layout
    views[id]!.zone = zone
    views[id]!.layoutGeneration += 1
    let geometry = geometry(of: view.session, layout)
    views[id]!.position = geometry.position(notAbove: view.position)
    markOwnCommand(id)
  }

  mutating func acknowledge(_ id: ViewID, _ frame: UInt64) {
    guard let view = views[id] else { return }
    // An acknowledgement of what was never sent, or of an older frame, says nothing.
    guard frame > view.acknowledgedFrame, frame <= view.sentFrame else { return }
    views[id]!.acknowledgedFrame = frame
  }

  private mutating func markOwnCommand(_ id: ViewID) {
    views[id]!.isDirty = true
    views[id]!.isUrgent = true
  }

  /// Where the panes of a session lie in a view with `layout`.
  func geometry(of session: SessionKey, _ layout: LayoutParameters) -> PaneGeometry {
    let count = sessions[session]?.stack.panes.count ?? 1
    if layout.isSinglePane {
      return PaneGeometry(
        width: layout.width, wanted: Array(repeating: layout.width, count: count),
        metrics: PaneMetrics(menu: 0, strip: 0, pane: layout.width))
    }
    return PaneGeometry(width: layout.width, wanted: Array(repeating: PaneMetrics.cells.pane, count: count))
  }

  /// Whether the view's first frame would show something: the session and the first slice of what it shows are there.
  func isPresentable(_ view: View) -> Bool {
    guard let session = sessions[view.session], session.isLoaded else { return false }
    guard view.sentFrame == 0 else { return true }
    return lists(shownBy: view).allSatisfy { key in
      lists[key].map { $0.isComplete || $0.columns.count > 0 } ?? false
    }
  }

  /// The next frame of a view that the shell was told is ready, or nil where there is nothing to say after all. The view is
  /// then assumed to hold it. Cost: the window, whatever the length of the panes.
  public mutating func nextFrame(of id: ViewID, at now: Instant) -> Frame? {
    guard var view = views[id], view.isReady else { return nil }
    view.isReady = false
    guard isPresentable(view) else {
      views[id] = view
      return nil
    }
    let target = state(of: &view, at: now)
    let isFirst = view.sentFrame == 0
    let operations = target.operations(from: isFirst ? ViewSnapshot() : view.held)
    view.isDirty = false
    view.isUrgent = false
    // A clock that was set back has been answered, with a frame or without.
    view.sentAt = view.sentAt.map { min($0, now) }
    let answersMove =
      target.viewportGeneration != view.held.viewportGeneration || target.layoutGeneration != view.held.layoutGeneration
    guard isFirst || answersMove || !operations.isEmpty else {
      views[id] = view
      return nil
    }
    view.sentFrame += 1
    view.sentAt = now
    let frame = Frame(
      number: view.sentFrame, baseRevision: isFirst ? 0 : view.held.revision, to: target, reset: isFirst ? .first : nil,
      operations: operations)
    view.held = target
    views[id] = view
    return frame
  }

  /// What a view should show now.
  private mutating func state(of view: inout View, at now: Instant) -> ViewSnapshot {
    var state = ViewSnapshot()
    state.epoch = epoch
    state.revision = revision
    state.layoutGeneration = view.layoutGeneration
    state.sessionRevision = sessions[view.session]!.changedRevision
    state.labelsAtMilliseconds = now.milliseconds
    let stack = sessions[view.session]!.stack
    let geometry = geometry(of: view.session, view.layout)
    view.notice(stack, geometry)
    view.applyPendingViewport(to: stack)
    state.viewportGeneration = view.viewportGeneration
    state.position = UInt32(view.position)
    let lefts = geometry.lefts(at: view.position)
    let visible = geometry.visible(at: view.position)
    view.shownPanes = visible.count { $0 }
    view.labelsChangeAt = nil
    for (index, record) in stack.panes.enumerated() {
      state.paneFrames.append(PaneFrame(paneID: record.id, x: lefts[index], width: geometry.widths[index]))
      var pane = Pane(header: header(of: record))
      if visible[index] { fill(&pane, record, width: geometry.widths[index], view: &view, at: now) }
      state.panes.append(pane)
    }
    return state
  }

  private func header(of record: PaneRecord) -> PaneHeader {
    switch record.content {
    case .timeline: PaneHeader(paneID: record.id, kind: .timeline, subject: 0, title: Array("Timeline".utf8))
    case .conversation(let post):
      PaneHeader(
        paneID: record.id, kind: .conversation, subject: UInt64(post.rawValue), title: Array("Conversation".utf8))
    }
  }

  /// Puts the window of a pane into it, with the numbers of the pane.
  private mutating func fill(_ pane: inout Pane, _ record: PaneRecord, width: Int, view: inout View, at now: Instant) {
    let key = record.content.list(of: view.session.account)
    guard var list = lists[key] else {
      pane.status.isLoading = true
      return
    }
    var place = view.places[record.id] ?? View.Place()
    let window = window(
      in: &list, at: &place, height: view.layout.height, key: LayoutKey(view.layout, paneWidth: width),
      account: view.session.account, panes: view.shownPanes)
    view.places[record.id] = place
    pane.status = status(of: list, window)
    let style = view.layout.timeStyle.labelStyle
    for (offset, row) in window.rows.enumerated() {
      let label = label(
        for: Instant(milliseconds: row.content.fields.createdAtMilliseconds), now: now, zone: view.zone, style: style)
      if let change = label.nextChange, view.labelsChangeAt.map({ change < $0 }) ?? true { view.labelsChangeAt = change }
      pane.rows.append(
        PlacedRow(
          content: row.content, layout: row.layout, caps: list.caps(displayed: window.first + offset),
          label: label.text))
    }
    lists[key] = list
  }

  private func status(of list: PostList, _ window: Window) -> PaneStatus {
    var status = PaneStatus()
    status.rowCount = list.rowCount
    status.rowsAbove = window.first
    status.isLoading = !list.isComplete
    // Rows outside of the window are not measured: unless there are none, every row counts as an estimate, so that the total does
    // not change from window to window.
    status.isExact = window.rows.count == list.rowCount
    status.totalHeight =
      status.isExact
      ? window.rows.reduce(0) { $0 + $1.layout.height } : list.rowCount * Window.estimatedRowHeight
    status.heightAbove = window.first * Window.estimatedRowHeight
    return status
  }
}

extension PostList {
  /// The caps of a row: the first and the last of the list are rounded (rule 16).
  func caps(displayed index: Int) -> Caps {
    var caps: Caps = []
    if index == 0 && (isNewestFirst || isComplete) { caps.insert(.top) }
    if index == rowCount - 1 { caps.insert(.bottom) }
    return caps
  }
}
