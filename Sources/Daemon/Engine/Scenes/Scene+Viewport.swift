internal import Dates
internal import Posts
internal import ViewState

/// A viewport that a client asks for, in a pane of which it holds some rows.
struct ViewportTarget {
  let viewport: ViewportParameters
  let record: PaneRecord
  /// The pane as the client holds it.
  let held: Pane
  /// State that the client claims to hold from a view that ended.
  let resume: Resume?

  init(_ viewport: ViewportParameters, _ record: PaneRecord, _ held: Pane, _ resume: Resume?) {
    self.viewport = viewport
    self.record = record
    self.held = held
    self.resume = resume
  }
}

/// A viewport whose row was found.
struct ViewportMove {
  let pane: UInt64
  let place: Viewpoint.Place
  /// Indexes of the requested row and of the previous anchor among the rows that the client holds; nil if it does not
  /// hold them.
  let target: Int?
  let from: Int?
  /// Height of the day line above the row, which the line number includes: the one that the client holds, or else the
  /// one that the row will be shown with; nil without a row.
  let anchorDay: Int?
}

extension Scene {
  /// Finds the place that a viewport names; nil while its row may still be loaded.
  func move(
    to target: ViewportTarget, _ stack: PaneStack, _ lists: inout ListTable, _ limits: EngineLimits
  ) -> ViewportMove? {
    let (record, held) = (target.record, target.held)
    let list = record.list(of: identity.session.account)
    lists.open.read(list) { $0.arrange(for: record) }
    guard var place = place(of: target, in: list, &lists, limits) else { return nil }
    let wanted =
      target.viewport.atMilliseconds == 0 ? target.viewport.anchorRow : place.anchor.map { UInt64($0.rawValue) } ?? 0
    let index = held.index(of: wanted)
    let width = pane(record.id, of: stack)?.width ?? 0
    let layout = LayoutKey(identity.layout, paneWidth: width)
    keepOffPlaceholders(&place, in: list, held, layout, &lists)
    let anchorRow = place.anchor.map { UInt64($0.rawValue) }
    let heldDay = held.rows.first { $0.rowID == anchorRow }.map { $0.day?.height ?? 0 }
    let old = viewpoint.places[record.id] ?? Viewpoint.Place()
    return ViewportMove(
      pane: record.id, place: place, target: index,
      from: held.index(of: old.anchor.map { UInt64($0.rawValue) } ?? 0),
      anchorDay: heldDay ?? place.key.map { lists.dayHeight(of: $0, in: list, zone, identity.layout, layout) })
  }

  /// Moves to a viewport and returns the resulting identity. `hasFrames`: the view has been sent a frame, so this is a
  /// movement, which shows the clock until `clockHides`.
  mutating func applyMove(_ move: ViewportMove, hasFrames: Bool, clockHides: Instant) -> Identity {
    let (pane, place) = (move.pane, move.place)
    let old = viewpoint.places[pane] ?? Viewpoint.Place()
    if let target = move.target, let from = move.from {
      viewpoint.direction =
        target > from || (target == from && place.line > old.line)
        ? .down : target == from && place.line == old.line ? viewpoint.direction : .up
    } else {
      viewpoint.direction = .none
      if move.target == nil, hasFrames { viewpoint.jumpedPane = pane }
    }
    let isMovement = hasFrames && (place.anchor != old.anchor || place.line != old.line)
    if isMovement, identity.layout.clockSize > 0 { viewpoint.moving[pane] = clockHides }
    viewpoint.places[pane] = place == Viewpoint.Place() ? nil : place
    viewpoint.pendingAnchors[pane] = nil
    viewpoint.anchorDays[pane] = move.anchorDay
    var identity = identity
    identity.anchors[pane] = viewpoint.places[pane].map { [$0.anchor?.rawValue ?? 0, Int64($0.line)] }
    return identity
  }

  /// Moves a place in a gap or a request to the row below, so that it may be removed or filled from either side
  /// (docs/BEHAVIOUR.md, rule 36).
  private func keepOffPlaceholders(
    _ place: inout Viewpoint.Place, in list: ListKey, _ held: Pane, _ key: LayoutKey, _ lists: inout ListTable
  ) {
    guard let anchor = place.anchor, var rows = lists[list], rows.placeholderRows.contains(anchor),
      let anchorKey = place.key
    else { return }
    let isPost = { (row: PlacedRow) in row.content.fields.kind == .post }
    if let index = held.rows.firstIndex(where: { $0.rowID == UInt64(anchor.rawValue) }),
      let next = held.rows[index...].firstIndex(where: isPost)
    {
      place.line -= held.rows[index..<next].reduce(0) { $0 + $1.height }
      let key = OrderKey(of: held.rows[next])
      (place.anchor, place.key) = (key.id, key)
    } else {
      let index = rows.displayedIndex(near: anchorKey)
      let next = rows.anchor(displayed: index)
      let found = rows.key(displayed: next)
      for skipped in index..<max(index, next) {
        let day = lists.dayHeight(of: rows.key(displayed: skipped), in: list, zone, identity.layout, key)
        place.line -= lists.row(displayed: skipped, of: &rows, key).layout.height + day
      }
      place = Viewpoint.Place(anchor: found.id, key: found, line: next < index ? 0 : place.line)
    }
  }

  /// Returns the place that a viewport names; nil while its row may still be loaded. A row that is or was held is found
  /// by its key.
  private func place(
    of target: ViewportTarget, in list: ListKey, _ lists: inout ListTable, _ limits: EngineLimits
  ) -> Viewpoint.Place? {
    let viewport = target.viewport
    guard viewport.atMilliseconds == 0 else {
      return Self.place(at: Instant(milliseconds: viewport.atMilliseconds), in: lists[list])
    }
    guard viewport.anchorRow != 0 else { return Viewpoint.Place(anchor: nil, key: nil, line: viewport.line) }
    let anchor = PostID(Int64(clamping: viewport.anchorRow))
    if let row = target.held.rows.first(where: { $0.rowID == viewport.anchorRow }) {
      return Viewpoint.Place(anchor: anchor, key: OrderKey(of: row), line: viewport.line)
    }
    if let key = lists.open.read(list, { $0.key(of: anchor) }) ?? nil {
      return Viewpoint.Place(anchor: anchor, key: key, line: viewport.line)
    }
    guard lists[list]?.isComplete == true else { return nil }
    // The row is gone. A client that resumes held its neighbours: the next one takes its place (docs/BEHAVIOUR.md, rule
    // 34).
    let claim = target.resume?.panes.first { $0.paneID == target.record.id }
    let held = claim?.rows.prefix(limits.windows.rows).map(\.rowID) ?? []
    guard let position = held.firstIndex(of: viewport.anchorRow) else { return .beginning }
    for row in held[position...] + held[..<position].reversed() {
      let id = PostID(Int64(clamping: row))
      if let key = lists.open.read(list, { $0.key(of: id) }) ?? nil {
        return Viewpoint.Place(anchor: id, key: key, line: 0, isMoved: true)
      }
    }
    return .beginning
  }

  /// Returns the place that a jump to an instant leads to; nil while it may still be loaded.
  private static func place(at instant: Instant, in list: PostList?) -> Viewpoint.Place? {
    let instant = min(max(instant, .distantPast), .distantFuture)
    guard var found = list else { return nil }
    guard found.isComplete || found.floor.map({ $0.createdAt <= instant }) ?? false else { return nil }
    guard let key = found.key(at: instant) else { return Viewpoint.Place() }
    return Viewpoint.Place(anchor: key.id, key: key, line: 0, isMoved: true)
  }
}

extension OrderKey {
  /// Creates the key of a row that a client holds.
  init(of row: PlacedRow) {
    self.init(
      createdAt: Instant(milliseconds: row.content.fields.createdAtMilliseconds),
      id: PostID(Int64(clamping: row.rowID)))
  }
}

extension Pane {
  /// Returns the index of a row among those held; row 0 means the first row of the pane.
  fileprivate func index(of row: UInt64) -> Int? {
    row == 0 ? (status.rowsAbove == 0 ? 0 : nil) : rows.firstIndex { $0.rowID == row }
  }
}
