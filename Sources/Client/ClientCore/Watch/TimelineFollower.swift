public import ViewState

/// A change to a timeline that is being watched.
public enum TimelineEvent: Equatable, Sendable {
  /// A row was added.
  case inserted(PlacedRow)
  /// The content of a row changed.
  case changed(PlacedRow)
  /// A row was removed from the timeline.
  case removed(UInt64)
  /// A row that was reported as removed is there again, for instance because its deletion was undone.
  case restored(PlacedRow)
  /// Rows that the frames did not carry may have been added strictly between these two: more arrived at once than a
  /// window holds, or the client was disconnected. `older` is nil if everything below `newer` may be new.
  case gap(newer: RowPosition, older: RowPosition?)
  /// Rows were added below the window, such as old posts of an import. They are not reported one by one.
  case olderRows
  /// The daemon's history was lost; its current state is unrelated to what was shown.
  case historyLost
}

/// Follows the top of a timeline through the frames of a view, across reconnections, and reports what changed.
///
/// A view holds a window, not the timeline: rows enter and leave at its lower end because the window moved, which is
/// not news, and after a burst or a disconnection the window may have nothing in common with the previous one. The
/// follower compares whole windows, never single operations, so the daemon may merge or repeat frames in any way. Every
/// row is reported as inserted at most once.
public struct TimelineFollower: Sendable {
  /// The current content of the view.
  public private(set) var mirror = ViewSnapshot()
  /// The timeline when it was last complete; nil before the starting point.
  private var held: Pane?
  private var heldEpoch: UInt64 = 0
  /// The number of rows that have been accounted for; nil if unknown. Estimated counts are ignored.
  private var countedRows: Int?
  /// The rows last reported as removed, oldest first.
  private var removedRows: [UInt64] = []
  /// The number of rows of the starting point to report.
  private let initialRows: Int

  /// The number of removed rows that are remembered.
  private static let rememberedRows = 1_000

  /// Creates a follower. Its starting point is the first frame whose rows are not still being loaded.
  ///
  /// - Parameter initialRows: the number of rows of the starting point to report as inserted, its newest.
  public init(initialRows: Int = 0) { self.initialRows = initialRows }

  /// Discards the content of the view, because its frames no longer apply, but not what was reported. Not needed after a
  /// lost connection: the next view resumes from `mirror`.
  public mutating func discardMirror() { mirror = ViewSnapshot() }

  /// Applies a frame and returns its events, older rows before newer ones.
  ///
  /// - Throws: if the frame does not apply to the current content. Nothing has changed then, and the client should
  ///   attach again.
  public mutating func apply(_ frame: Frame) throws(FrameMismatch) -> [TimelineEvent] {
    try mirror.apply(frame)
    // Part of a change says nothing by itself: the missing rows may follow.
    guard !frame.pacing.hasMore else { return [] }
    guard let pane = mirror.panes.first, !pane.status.isLoading || !pane.rows.isEmpty else { return [] }
    defer {
      held = pane
      heldEpoch = mirror.epoch
    }
    guard let held, heldEpoch == mirror.epoch else {
      countedRows = pane.status.isExact ? pane.status.rowCount : nil
      return held == nil ? pane.rows.prefix(initialRows).reversed().map(TimelineEvent.inserted) : [.historyLost]
    }
    let events = recognizeRestored(Self.events(from: held, to: pane))
    return countRows(in: events, pane.status) ? events + [.olderRows] : events
  }

  /// Returns the events with rows that were removed before as restored.
  private mutating func recognizeRestored(_ events: [TimelineEvent]) -> [TimelineEvent] {
    events.map { event in
      switch event {
      case .removed(let id):
        removedRows.append(id)
        if removedRows.count > Self.rememberedRows { removedRows.removeFirst() }
      case .inserted(let row):
        guard let index = removedRows.lastIndex(of: row.rowID) else { break }
        removedRows.remove(at: index)
        return .restored(row)
      default: break
      }
      return event
    }
  }

  /// Updates the row count by `events`. Returns true if the timeline has grown by more than that.
  private mutating func countRows(in events: [TimelineEvent], _ status: PaneStatus) -> Bool {
    for event in events {
      switch event {
      case .inserted, .restored: countedRows? += 1
      case .removed: countedRows? -= 1
      // The number of rows in a gap is unknown.
      case .gap: countedRows = nil
      case .changed, .olderRows, .historyLost: break
      }
    }
    guard status.isExact else { return false }
    defer { countedRows = status.rowCount }
    return countedRows.map { status.rowCount > $0 } ?? false
  }

  private static func events(from old: Pane, to new: Pane) -> [TimelineEvent] {
    var oldRows: [UInt64: PlacedRow] = Dictionary(minimumCapacity: old.rows.count)
    for row in old.rows { oldRows[row.rowID] = row }
    let newIDs = Set(new.rows.lazy.map(\.rowID))
    var events: [TimelineEvent] = []
    for row in old.rows.reversed() where !newIDs.contains(row.rowID) && new.covers(row) {
      events.append(.removed(row.rowID))
    }
    if let last = new.rows.last, oldRows[last.rowID] == nil, let gap = gap(from: old, to: new, below: last) {
      events.append(gap)
    }
    for row in new.rows.reversed() {
      if let before = oldRows[row.rowID] {
        if !before.content.saysTheSame(as: row.content) { events.append(.changed(row)) }
      } else if old.covers(row) {
        events.append(.inserted(row))
      }
    }
    return events
  }

  /// Returns the gap below a new window whose last row is new: between that row and the next one held before, or the end
  /// of the timeline if there was none. More rows may have been added there than the window holds.
  private static func gap(from old: Pane, to new: Pane, below newer: PlacedRow) -> TimelineEvent? {
    // The new window may also lie below the old one, if all of its rows were deleted: then nothing was added.
    guard new.hasRowsBelow, old.covers(newer) else { return nil }
    return .gap(newer: newer.position, older: old.rows.first { newer.comesBefore($0) }?.position)
  }
}

extension Pane {
  fileprivate var hasRowsBelow: Bool { status.rowCount > status.rowsAbove + rows.count }

  /// Returns true if a row with this time and ID would be in the window: it is not below it.
  fileprivate func covers(_ row: PlacedRow) -> Bool {
    guard hasRowsBelow, let last = rows.last else { return true }
    return row.comesBefore(last)
  }
}

extension RowContent {
  /// Returns true if the two differ only in their fingerprints, which another daemon may compute differently.
  fileprivate func saysTheSame(as other: RowContent) -> Bool {
    if self == other { return true }
    var mine = fields
    mine.fingerprint = other.fields.fingerprint
    return mine == other.fields
  }
}
