internal import Dates
internal import OrderedCollections
internal import Posts
internal import ViewState

extension StackEngine {
  mutating func open(_ id: ViewID, _ opening: ViewOpening) {
    close(id)
    openSession(opening.session)
    let slot = slot(of: freshScene(opening.session, opening.layout, opening.zone))
    views[id] = View(id: id, opening: opening, scene: slot, at: now)
    join(id, slot)
    openLists(of: opening.session)
    markBehind(id, isCommit: false)
    applyPendingViewport(id)
  }

  mutating func close(_ id: ViewID) {
    guard let view = views.removeValue(forKey: id) else { return }
    if view.behindSince != nil { behindCount -= 1 }
    leave(id, view.scene)
    dropUnusedLists()
    dropSession(view.session)
    guard views.isEmpty else { return }
    frameAlarms.removeAll()
    labelAlarms.removeAll()
    stallsDue = nil
    bookmarksDue = nil
  }

  /// Ends a view, whose client is told why.
  mutating func end(_ id: ViewID, _ error: EngineError) {
    close(id)
    effects.append(.endView(id, error))
  }

  mutating func move(_ id: ViewID, to viewport: ViewportParameters) {
    guard views[id] != nil else { return }
    views[id]!.pendingViewport = viewport
    applyPendingViewport(id)
  }

  mutating func relayout(_ id: ViewID, _ layout: LayoutParameters, _ zone: Zone) {
    guard let view = views[id] else { return }
    views[id]!.layoutGeneration += 1
    let geometry = geometry(of: view.session, layout)
    change(id) { scene in
      var identity = scene.identity
      identity.layout = layout
      scene.zone = zone
      scene.position = geometry.position(notAbove: scene.position)
      return identity
    }
    markOwnCommand(id)
  }

  mutating func acknowledge(_ id: ViewID, _ frame: UInt64) {
    // An acknowledgement of what was never sent, or of an older frame, says nothing.
    guard let view = views[id], frame > view.acknowledgedFrame, frame <= view.sentFrame else { return }
    views[id]!.acknowledgedFrame = frame
    views[id]!.progressAt = now
    let sent = frame == view.sentFrame ? view.sentAt : frame == view.sentFrame - 1 ? view.sentBefore : nil
    if let sent { views[id]!.measured(now.milliseconds - sent.milliseconds) }
    if view.behindSince != nil { announceIfReady(id) } else if view.heldRevision < revision { expectBookmarks() }
  }

  /// Bytes of the view have moved, though it has acknowledged nothing: it is slow, not stalled.
  mutating func progressed(_ id: ViewID) { views[id]?.progressAt = now }

  /// The view's own command is answered at once.
  private mutating func markOwnCommand(_ id: ViewID) {
    views[id]!.isUrgent = true
    markBehind(id, isCommit: false)
  }

  // MARK: Viewports

  /// Takes the newest viewport the client sent, once the session and the row it names are loaded.
  mutating func applyPendingViewport(_ id: ViewID) {
    guard let view = views[id], let viewport = view.pendingViewport else { return }
    guard let session = sessions[view.session], session.isLoaded else { return }
    let pane = viewport.paneID == 0 ? session.stack.top.id : viewport.paneID
    guard let record = session.stack.panes.first(where: { $0.id == pane }) else { return answerMove(id, viewport) }
    let list = record.content.list(of: view.session.account)
    guard let place = place(of: viewport, in: list, pane: pane, view) else { return }
    let held = view.held.snapshot.panes.first { $0.header.paneID == pane } ?? Pane(header: header(of: record))
    let target = held.index(of: viewport.anchorRow)
    change(id) { scene in
      let old = scene.places[pane] ?? Scene.Place()
      let from = held.index(of: old.anchor.map { UInt64($0.rawValue) } ?? 0)
      if let target, let from {
        scene.direction = target > from || (target == from && place.line > old.line)
          ? .down : target == from && place.line == old.line ? scene.direction : .up
      } else {
        scene.direction = .none
        scene.isNarrow = view.sentFrame > 0
      }
      var identity = scene.identity
      scene.places[pane] = place.anchor == nil && place.line == 0 ? nil : place
      identity.anchors[pane] = scene.places[pane].map { [$0.anchor?.rawValue ?? 0, Int64($0.line)] }
      return identity
    }
    answerMove(id, viewport)
  }

  private mutating func answerMove(_ id: ViewID, _ viewport: ViewportParameters) {
    views[id]!.pendingViewport = nil
    views[id]!.viewportGeneration = viewport.generation
    markOwnCommand(id)
  }

  /// The place a viewport names; nil while its row may yet be loaded. A row that is held, or was, is found by its key.
  private mutating func place(
    of viewport: ViewportParameters, in list: ListKey, pane: UInt64, _ view: View
  ) -> Scene.Place? {
    guard viewport.anchorRow != 0 else { return Scene.Place(anchor: nil, key: nil, line: viewport.line) }
    let anchor = PostID(Int64(clamping: viewport.anchorRow))
    let rows = view.held.snapshot.panes.first { $0.header.paneID == pane }?.rows ?? []
    if let row = rows.first(where: { $0.rowID == viewport.anchorRow }) {
      let createdAt = Instant(milliseconds: row.content.fields.createdAtMilliseconds)
      return Scene.Place(anchor: anchor, key: OrderKey(createdAt: createdAt, id: anchor), line: viewport.line)
    }
    if let index = lists[list]?.displayedIndex(of: anchor) {
      return Scene.Place(anchor: anchor, key: lists[list]!.key(displayed: index), line: viewport.line)
    }
    guard lists[list]?.isComplete == true else { return nil }
    // It has gone. A client that resumes held the rows beside it: the next one takes its place (rule 34).
    let held = view.resume?.panes.first { $0.paneID == pane }?.rows.map(\.rowID) ?? []
    let position = held.firstIndex(of: viewport.anchorRow) ?? held.count
    for row in held[position...] + held[..<position].reversed() {
      let id = PostID(Int64(clamping: row))
      guard let index = lists[list]!.displayedIndex(of: id) else { continue }
      return Scene.Place(anchor: id, key: lists[list]!.key(displayed: index), line: 0)
    }
    return Scene.Place(anchor: anchor, key: nil, line: viewport.line)
  }

  /// Viewports that waited for rows of a list may have them now.
  mutating func applyPendingViewports(of list: ListKey) {
    for session in watching[list] ?? [] {
      for slot in sessions[session]?.scenes ?? [] {
        for id in scenes[slot]?.members ?? [] where views[id]!.pendingViewport != nil { applyPendingViewport(id) }
      }
    }
  }

  // MARK: Pacing

  /// A view may show something else than it holds.
  mutating func markBehind(_ id: ViewID, isCommit: Bool) {
    guard let index = views.index(forKey: id) else { return }
    if isCommit { views.values[index].missed += 1 }
    if views.values[index].behindSince == nil {
      views.values[index].behindSince = now
      behindCount += 1
    }
    announceIfReady(id)
  }

  /// Tells the shell of a view that has something to send and may send it, or sees that it is looked at when it may.
  mutating func announceIfReady(_ id: ViewID) {
    guard let index = views.index(forKey: id) else { return }
    let view = views.values[index]
    guard view.behindSince != nil, !view.isReady else { return }
    guard view.hasRoom(limits) else { return expectStalls() }
    if let due = nextLeaving(view), due > now {
      // One alarm is enough for all that changes until then.
      if view.frameAlarmAt != due {
        views.values[index].frameAlarmAt = due
        frameAlarms.set(id, at: due)
      }
      return
    }
    guard view.sentFrame > 0 || isPresentable(view) else { return }
    makeReady(id)
  }

  mutating func makeReady(_ id: ViewID) {
    views[id]!.isReady = true
    ready.append(id)
    expectStalls()
  }

  /// When the next frame of a view may leave; nil for at once (protocol.md, section 5).
  private func nextLeaving(_ view: View) -> Instant? {
    guard !view.isUrgent, let sentAt = view.sentAt else { return nil }
    let forAll = Int64(views.count) * limits.frameMicroseconds * 100 / limits.busyPercent / 1000
    let interval = max(limits.frameIntervalMilliseconds, view.roundTripMilliseconds / 2, forAll)
    return sentAt.adding(milliseconds: min(interval, limits.longestFrameIntervalMilliseconds))
  }

  /// Whether the view's first frame would show something: the session and the first slice of what it shows are there.
  private func isPresentable(_ view: View) -> Bool {
    guard let session = sessions[view.session], session.isLoaded, view.pendingViewport == nil else { return false }
    return session.stack.panes.allSatisfy { pane in
      lists[pane.content.list(of: view.session.account)].map { $0.isComplete || $0.columns.count > 0 } ?? false
    }
  }
}

extension Pane {
  /// Where a row that is held stands among those; 0 means the first row of the pane.
  fileprivate func index(of row: UInt64) -> Int? {
    row == 0 ? (status.rowsAbove == 0 ? 0 : nil) : rows.firstIndex { $0.rowID == row }
  }
}
