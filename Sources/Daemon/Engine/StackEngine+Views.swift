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
    return sessions.keys.count { $0.account == key.account && $0.isPassing } < limits.passingSessions
  }

  mutating func close(_ view: ViewSlot) {
    let session = views[view].session
    if sessions[session]?.lastUsed == view {
      notePlaces(of: session)
      sessions[session]!.lastUsed = nil
    }
    leave(view, views[view].scene)
    views.remove(view)
    pacing.close(view)
    if sessions[session]?.scenes.isEmpty == true { savePlaces(of: session) }
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
    let (old, geometry) = (geometry(of: session, carried.identity.layout), geometry(of: session, layout))
    if let session = sessions[session], session.isLoaded {
      for (index, record) in session.stack.panes.enumerated() {
        carry(record, in: &carried, from: old.widths[index], to: layout, zone, geometry.widths[index])
      }
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

  /// Keeps the place of a scene in a pane that is about to be laid out in another way: the line that has the word that
  /// was first stays the first (rule 38).
  mutating func carry(
    _ record: PaneRecord, in scene: inout Scene, from oldWidth: Int, to layout: LayoutParameters, _ zone: Zone,
    _ width: Int
  ) {
    let old = scene.identity.layout
    guard let place = scene.viewpoint.places[record.id], place.line > 0, let key = place.key else {
      // What is at the top of a row is there with the line of its day or without.
      if old.hasDayLines != layout.hasDayLines { scene.viewpoint.anchorDays[record.id] = nil }
      return
    }
    let (from, to) = (LayoutKey(old, paneWidth: oldWidth), LayoutKey(layout, paneWidth: width))
    guard from != to || layout.hasDayLines != old.hasDayLines else { return }
    let list = record.list(of: scene.identity.session.account)
    lists.open.read(list) { $0.arrange(record.collapsed) }
    guard let before = rowLines(of: key, in: list, scene.zone, old, width: oldWidth),
      let after = rowLines(of: key, in: list, zone, layout, width: width)
    else { return }
    scene.viewpoint.places[record.id] = place.carried(from: before, to: after)
    scene.viewpoint.anchorDays[record.id] = after.dayHeight
  }

  /// The height of the line of a day above a row; 0 without one.
  mutating func dayHeight(
    of key: OrderKey, in list: ListKey, _ zone: Zone, _ layout: LayoutParameters, _ layoutKey: LayoutKey
  ) -> Int {
    guard layout.hasDayLines else { return 0 }
    return lists.open.read(list) { list in
      guard list.tellsTimes else { return 0 }
      let days = DayRule(of: list, in: zone, height: layoutKey.dayHeight)
      return days.begins(displayed: list.displayedIndex(near: key), of: &list) ? days.height : 0
    } ?? 0
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
    let list = record.list(of: view.session.account)
    let held =
      view.held.snapshot.panes.first { $0.header.paneID == pane }
      ?? Pane(header: lists.header(of: record, for: view.session.account))
    guard var place = place(of: viewport, in: list, held, view.resume) else { return }
    let target = held.index(
      of: viewport.atMilliseconds == 0 ? viewport.anchorRow : place.anchor.map { UInt64($0.rawValue) } ?? 0)
    // The client counted the line with the day's line that it holds above the row.
    let scene = scenes[view.scene]
    let width = geometry(of: session.key, scene.identity.layout).widths[
      session.stack.panes.firstIndex { $0.id == pane }!]
    keepOffGaps(&place, in: list, held, scene, LayoutKey(scene.identity.layout, paneWidth: width))
    let anchorRow = place.anchor.map { UInt64($0.rawValue) }
    let anchorDay = held.rows.first { $0.rowID == anchorRow }.map { $0.day?.height ?? 0 }
    let clockHides = now.adding(milliseconds: limits.clockMilliseconds)
    let hasFrames = hasFrames(slot)
    change(slot) { scene in
      let old = scene.viewpoint.places[pane] ?? Viewpoint.Place()
      let from = held.index(of: old.anchor.map { UInt64($0.rawValue) } ?? 0)
      if let target, let from {
        scene.viewpoint.direction =
          target > from || (target == from && place.line > old.line)
          ? .down : target == from && place.line == old.line ? scene.viewpoint.direction : .up
      } else {
        scene.viewpoint.direction = .none
        if target == nil, hasFrames { scene.viewpoint.jumpedPane = pane }
      }
      var identity = scene.identity
      let isMovement = hasFrames && (place.anchor != old.anchor || place.line != old.line)
      if isMovement, identity.layout.clockSize > 0 { scene.viewpoint.moving[pane] = clockHides }
      scene.viewpoint.places[pane] = place == Viewpoint.Place() ? nil : place
      scene.viewpoint.arriving[pane] = nil
      scene.viewpoint.anchorDays[pane] = anchorDay
      identity.anchors[pane] = scene.viewpoint.places[pane].map { [$0.anchor?.rawValue ?? 0, Int64($0.line)] }
      return identity
    }
    noteUse(slot)
    answerMove(slot, viewport)
  }

  /// A place in a gap is told by the row below it, so that the gap may go, or be filled from either side (rule 36).
  private mutating func keepOffGaps(
    _ place: inout Viewpoint.Place, in list: ListKey, _ held: Pane, _ scene: Scene, _ key: LayoutKey
  ) {
    guard let gap = place.anchor, var rows = lists[list], rows.gapRows.contains(gap), let gapKey = place.key else {
      return
    }
    let isPost = { (row: PlacedRow) in row.content.fields.kind != .gap }
    if let index = held.rows.firstIndex(where: { $0.rowID == UInt64(gap.rawValue) }),
      let next = held.rows[index...].firstIndex(where: isPost)
    {
      place.line -= held.rows[index..<next].reduce(0) { $0 + $1.height }
      place.anchor = PostID(Int64(held.rows[next].rowID))
      place.key = OrderKey(
        createdAt: Instant(milliseconds: held.rows[next].content.fields.createdAtMilliseconds), id: place.anchor!)
    } else {
      let index = rows.displayedIndex(near: gapKey)
      let next = rows.anchor(displayed: index)
      let found = rows.key(displayed: next)
      for gap in index..<max(index, next) {
        let day = dayHeight(of: rows.key(displayed: gap), in: list, scene.zone, scene.identity.layout, key)
        place.line -= lists.row(displayed: gap, of: &rows, key).layout.height + day
      }
      place = Viewpoint.Place(anchor: found.id, key: found, line: next < index ? 0 : place.line)
    }
  }

  private mutating func answerMove(_ view: ViewSlot, _ viewport: ViewportParameters) {
    views[view].pendingViewport = nil
    views[view].viewportGeneration = viewport.generation
    markOwnCommand(view)
  }

  /// The place a viewport names; nil while its row may yet be loaded. A row that is held, or was, is found by its key.
  private mutating func place(
    of viewport: ViewportParameters, in list: ListKey, _ pane: Pane, _ resume: Resume?
  ) -> Viewpoint.Place? {
    guard viewport.atMilliseconds == 0 else {
      return place(at: Instant(milliseconds: viewport.atMilliseconds), in: list)
    }
    guard viewport.anchorRow != 0 else { return Viewpoint.Place(anchor: nil, key: nil, line: viewport.line) }
    let anchor = PostID(Int64(clamping: viewport.anchorRow))
    if let row = pane.rows.first(where: { $0.rowID == viewport.anchorRow }) {
      let createdAt = Instant(milliseconds: row.content.fields.createdAtMilliseconds)
      return Viewpoint.Place(anchor: anchor, key: OrderKey(createdAt: createdAt, id: anchor), line: viewport.line)
    }
    if let key = lists.open.read(list, { $0.key(of: anchor) }) ?? nil {
      return Viewpoint.Place(anchor: anchor, key: key, line: viewport.line)
    }
    guard lists[list]?.isComplete == true else { return nil }
    // It has gone. A client that resumes held the rows beside it: the next one takes its place (rule 34).
    let claim = resume?.panes.first { $0.paneID == pane.header.paneID }
    let held = claim?.rows.prefix(limits.windowRows).map(\.rowID) ?? []
    guard let position = held.firstIndex(of: viewport.anchorRow) else { return Viewpoint.Place() }
    for row in held[position...] + held[..<position].reversed() {
      let id = PostID(Int64(clamping: row))
      if let key = lists.open.read(list, { $0.key(of: id) }) ?? nil {
        return Viewpoint.Place(anchor: id, key: key, line: 0)
      }
    }
    return Viewpoint.Place()
  }

  /// The place that a jump to an instant leads to; nil while that may yet be loaded.
  private mutating func place(at instant: Instant, in list: ListKey) -> Viewpoint.Place? {
    let instant = min(max(instant, .distantPast), .distantFuture)
    guard var found = lists[list] else { return nil }
    guard found.isComplete || found.floor.map({ $0.createdAt <= instant }) ?? false else { return nil }
    guard let key = found.key(at: instant) else { return Viewpoint.Place() }
    return Viewpoint.Place(anchor: key.id, key: key, line: 0, isMoved: true)
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
    guard isSettled(view.scene) else { return false }
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

extension Pane {
  /// Where a row that is held stands among those; 0 means the first row of the pane.
  fileprivate func index(of row: UInt64) -> Int? {
    row == 0 ? (status.rowsAbove == 0 ? 0 : nil) : rows.firstIndex { $0.rowID == row }
  }
}
