internal import Dates
internal import OrderedCollections
internal import Posts
internal import ViewState

extension StackEngine {
  mutating func open(_ id: ViewID, _ opening: ViewOpening) {
    if let view = views.slot(of: id) { close(view) }
    guard mayOpen(opening.session) else {
      let message =
        "an account has at most \(limits.passingSessions) different sections and searches open; close one first"
      return effects.append(.endView(id, EngineError(.resourceExhausted, message, limit: limits.passingSessions)))
    }
    openSession(opening.session)
    let slot = slot(of: freshScene(opening.session, opening.layout, opening.zone))
    let view = views.insert(View(id: id, opening: opening, scene: slot))
    pacing.open(view, id, acknowledges: opening.acknowledges, at: now)
    join(view, slot)
    openLists(of: opening.session)
    openNavigation(opening.session, opening.layout)
    markBehind(view, isCommit: false)
    applyPendingViewport(view)
  }

  /// Whether an account may have a session open: what views name and no session keeps is counted, since each may be a
  /// list in memory.
  private func mayOpen(_ key: SessionKey) -> Bool {
    guard key.isPassing, sessions[key] == nil else { return true }
    return sessions.passingCount(of: key.account) < limits.passingSessions
  }

  mutating func close(_ view: ViewSlot) {
    let session = views[view].session
    if sessions[session]?.places.lastUsed == view {
      notePlaces(of: session)
      sessions.edit(session) { $0.places.lastUsed = nil }
    }
    leave(view, views[view].scene)
    views.remove(view)
    pacing.close(view)
    if sessions[session]?.isLookedAt == false { savePlaces(of: session) }
    dropUnusedLists()
    dropUnusedNavigation(of: session.account)
    dropSession(session)
    if views.isEmpty { scenes.forgetLabels() }
  }

  /// Ends a view, whose client is told why.
  mutating func end(_ view: ViewSlot, _ error: EngineError) {
    let id = views[view].id
    close(view)
    effects.append(.endView(id, error))
  }

  mutating func move(_ view: ViewSlot, to viewport: ViewportParameters) {
    views[view].pendingViewport = viewport
    applyPendingViewport(view)
  }

  mutating func relayout(_ view: ViewSlot, _ layout: LayoutParameters, _ zone: Zone, _ count: UInt32) {
    views[view].layoutGeneration &+= count
    let session = views[view].session
    var carried = scenes[views[view].scene]
    let geometry = geometry(of: session, layout)
    if let session = sessions[session], session.isLoaded {
      carried.relayout(layout, zone, session.stack, &lists)
    }
    change(view) { scene in
      var identity = scene.identity
      identity.layout = layout
      scene.viewpoint.places = carried.viewpoint.places
      scene.viewpoint.anchorDays = carried.viewpoint.anchorDays
      if layout.clockSize == 0 { (scene.viewpoint.moving, scene.viewpoint.faces) = ([:], [:]) }
      scene.zone = zone
      scene.viewpoint.position = geometry.position(notAbove: scene.viewpoint.position)
      return identity
    }
    openNavigation(session, layout)
    dropUnusedNavigation(of: session.account)
    noteUse(view)
    markOwnCommand(view)
  }

  mutating func acknowledge(_ view: ViewSlot, _ frame: UInt64) {
    guard pacing.acknowledge(view, frame, at: now) else { return }
    noteSeen(by: view)
    guard let pace = pacing[view] else { return }
    if pace.behindSince != nil {
      announceIfReady(view)
    } else if pace.heldRevision < revision {
      pacing.revisionMoved(at: now)
    }
  }

  /// The view's own command is answered at once.
  mutating func markOwnCommand(_ view: ViewSlot) {
    pacing.hurry(view)
    markBehind(view, isCommit: false)
  }

  // MARK: Viewports

  /// Takes the newest viewport the client sent, once the session and the row it names are loaded.
  mutating func applyPendingViewport(_ slot: ViewSlot) {
    guard let viewport = views[slot].pendingViewport else { return }
    let view = views[slot]
    guard let session = sessions[view.session], session.isLoaded else { return }
    // The topmost pane is the one that is topmost now, however long its row takes to load.
    let pane = viewport.paneID == 0 ? session.stack.top.id : viewport.paneID
    views[slot].pendingViewport!.paneID = pane
    guard let record = session.stack.panes.first(where: { $0.id == pane }) else { return answerMove(slot, viewport) }
    let held =
      view.held.snapshot.panes.first { $0.header.paneID == pane }
      ?? Pane(header: lists.header(of: record, for: view.session.account))
    let scene = scenes[view.scene]
    let target = ViewportTarget(viewport, record, held, view.resume)
    guard let move = scene.move(to: target, session.stack, &lists, limits) else { return }
    let clockHides = now.adding(milliseconds: limits.clockMilliseconds)
    let hasFrames = hasFrames(slot)
    change(slot) { $0.take(move, hasFrames: hasFrames, clockHides: clockHides) }
    noteUse(slot)
    answerMove(slot, viewport)
  }

  private mutating func answerMove(_ view: ViewSlot, _ viewport: ViewportParameters) {
    views[view].pendingViewport = nil
    views[view].viewportGeneration = viewport.generation
    markOwnCommand(view)
  }

  /// Viewports that waited for rows of a list may have them now: those that name one of `rows`, or all if the list is
  /// complete.
  mutating func applyPendingViewports(of list: ListKey, rows: [StoredPost]) {
    settleScenes(showing: list)
    let waiting = lists.use.sessions(showing: list).flatMap { members(of: $0) }.filter {
      views[$0].pendingViewport != nil
    }
    guard !waiting.isEmpty else { return }
    let isComplete = lists[list]?.isComplete ?? false
    let loaded = Set(rows.lazy.map { UInt64($0.id.rawValue) })
    for view in waiting {
      // Applying one may end another's wait, but never takes a view away.
      guard let viewport = views[view].pendingViewport else { continue }
      guard isComplete || viewport.atMilliseconds != 0 || loaded.contains(viewport.anchorRow) else { continue }
      applyPendingViewport(view)
    }
  }

  // MARK: Pacing

  /// A view may show something else than it holds.
  mutating func markBehind(_ view: ViewSlot, isCommit: Bool) {
    let canBegin = hasFrames(view) || isPresentable(views[view])
    pacing.fallBehind(view, isCommit: isCommit, canBegin: canBegin, at: now)
  }

  /// Tells the shell of a view that has something to send and may send it, or sees that it is looked at when it may.
  mutating func announceIfReady(_ view: ViewSlot) {
    let canBegin = hasFrames(view) || isPresentable(views[view])
    pacing.announce(view, canBegin: canBegin, at: now)
  }

  /// Whether a view has been sent a frame.
  private func hasFrames(_ view: ViewSlot) -> Bool { pacing[view].map { $0.sentFrame > 0 } ?? false }

  /// Whether the view's first frame would show something: the session and the first slice of what it shows are there.
  private func isPresentable(_ view: View) -> Bool {
    guard let session = sessions[view.session], session.isLoaded, view.pendingViewport == nil else { return false }
    guard scenes[view.scene].isSettled(session.stack) else { return false }
    let layout = scenes[view.scene].identity.layout
    if hasNavigation(session.key, layout), navigations[session.key.account]?.isLoaded != true { return false }
    return !lacksFirstRows(view)
  }

  /// Whether the first slice of a pane is still on its way from the store.
  func lacksFirstRows(_ view: View) -> Bool {
    guard let session = sessions[view.session] else { return false }
    return !session.stack.panes.allSatisfy { lists.isPresentable($0.list(of: session.key.account)) }
  }
}
