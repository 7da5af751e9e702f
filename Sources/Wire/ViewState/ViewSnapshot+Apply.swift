/// A frame that does not fit the held state: the two sides have diverged, and the client must attach again.
public struct FrameMismatch: Error, Equatable, Sendable {
  /// The mismatch, for a log.
  public let reason: String

  init(_ reason: String) { self.reason = reason }
}

extension ViewSnapshot {
  /// Applies a frame, completely or, if it throws, not at all.
  public mutating func apply(_ frame: Frame) throws(FrameMismatch) {
    var next = frame.reset == nil ? self : ViewSnapshot()
    if frame.reset == nil {
      guard frame.epoch == epoch else { throw FrameMismatch("epoch \(frame.epoch), held \(epoch)") }
      guard frame.baseRevision == revision else {
        throw FrameMismatch("base revision \(frame.baseRevision), held \(revision)")
      }
    }
    next.epoch = frame.epoch
    next.revision = frame.revision
    next.layoutGeneration = frame.generations.layout
    next.viewportGeneration = frame.generations.viewport
    next.sessionRevision = frame.sessionRevision
    next.labelsAtMilliseconds = frame.labelsAtMilliseconds
    if frame.layoutKey != 0 { next.layoutKey = frame.layoutKey }
    for operation in frame.operations { try next.apply(operation) }
    self = next
  }

  /// Returns the state after some of the operations that lead from here to another state.
  public func applying(_ operations: [Operation]) throws(FrameMismatch) -> ViewSnapshot {
    var next = self
    for operation in operations { try next.apply(operation) }
    return next
  }

  private mutating func apply(_ operation: Operation) throws(FrameMismatch) {
    switch operation {
    case .panePopped(let paneID):
      let index = try paneIndex(paneID)
      panes.remove(at: index)
    case .panePushed(let header):
      guard !panes.contains(where: { $0.header.paneID == header.paneID }) else {
        throw FrameMismatch("pane \(header.paneID) already exists")
      }
      panes.append(Pane(header: header))
    case .stackMoved(let position, let frames):
      self.position = position
      self.paneFrames = frames
    case .rowsRemoved(let pane, let rows):
      try panes[paneIndex(pane)].remove(rows)
    case .rowsInserted(let pane, let after, let rows):
      try panes[paneIndex(pane)].insert(rows, after: after)
    case .rowsChanged(let pane, let changes):
      try panes[paneIndex(pane)].change(changes)
    case .paneStatus(let pane, let status):
      try panes[paneIndex(pane)].status = status
    case .heightsChanged(let pane, let relayouts):
      try panes[paneIndex(pane)].relayout(relayouts)
    case .timesRefreshed(let pane, let labels, let rows, let indexes):
      try panes[paneIndex(pane)].relabel(labels, rows, indexes)
    case .clockMoved(let pane, let clock):
      try panes[paneIndex(pane)].clock = clock
    case .selectionChanged(let pane, let selection):
      try panes[paneIndex(pane)].selection = selection
    case .navigationChanged(let navigation):
      self.navigation = navigation
    }
  }

  private func paneIndex(_ paneID: UInt64) throws(FrameMismatch) -> Int {
    // The changed pane is usually the topmost.
    guard let index = panes.lastIndex(where: { $0.header.paneID == paneID }) else {
      throw FrameMismatch("no pane \(paneID)")
    }
    return index
  }
}

extension Pane {
  fileprivate mutating func remove(_ ids: [UInt64]) throws(FrameMismatch) {
    let gone = Set(ids)
    let count = rows.count
    rows.removeAll { gone.contains($0.rowID) }
    guard count - rows.count == gone.count else { throw FrameMismatch("a removed row does not exist") }
  }

  fileprivate mutating func insert(_ new: [PlacedRow], after: UInt64) throws(FrameMismatch) {
    var index = 0
    if after != 0 { index = try rowIndex(after, near: rows.count - 1) + 1 }
    rows.insert(contentsOf: new, at: index)
  }

  fileprivate mutating func change(_ changes: [RowChange]) throws(FrameMismatch) {
    var near = 0
    for change in changes {
      near = try rowIndex(change.rowID, near: near)
      if let caps = change.caps { rows[near].caps = caps }
      if let row = change.row { rows[near].row = row }
      if let day = change.day { rows[near].day = day }
      if let tree = change.tree { rows[near].tree = tree }
    }
  }

  fileprivate mutating func relayout(_ relayouts: [RowRelayout]) throws(FrameMismatch) {
    var near = 0
    for relayout in relayouts {
      near = try rowIndex(relayout.rowID, near: near)
      rows[near].layout = relayout.layout
    }
  }

  fileprivate mutating func relabel(
    _ labels: [String], _ ids: [UInt64], _ indexes: [UInt32]
  ) throws(FrameMismatch) {
    guard ids.count == indexes.count else { throw FrameMismatch("\(ids.count) rows, \(indexes.count) labels") }
    var near = 0
    for (id, label) in zip(ids, indexes) {
      guard label < labels.count else { throw FrameMismatch("label \(label) of \(labels.count)") }
      near = try rowIndex(id, near: near)
      rows[near].label = labels[Int(label)]
    }
  }

  /// Returns the index of a row, searching from `near` first: operations name rows from top to bottom.
  private func rowIndex(_ id: UInt64, near: Int) throws(FrameMismatch) -> Int {
    let start = max(0, min(near, rows.count))
    if let index = rows[start...].firstIndex(where: { $0.rowID == id }) { return index }
    if let index = rows[..<start].lastIndex(where: { $0.rowID == id }) { return index }
    throw FrameMismatch("no row \(id)")
  }
}
