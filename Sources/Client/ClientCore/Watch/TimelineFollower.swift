public import ViewState

/// What has happened to the timeline that somebody watches.
public enum TimelineEvent: Equatable, Sendable {
  /// A row has come.
  case inserted(PlacedRow)
  /// A row says something else.
  case changed(PlacedRow)
  /// A row is gone from the timeline.
  case removed(UInt64)
  /// Rows strictly between these two, which the frames did not carry, may have come: more arrived at once than a window
  /// holds, or the client was away. `older` is 0 where everything below `newer` may be new.
  case gap(newer: UInt64, older: UInt64)
  /// Rows have come below what the view holds, such as old posts of an import: they are not told one by one.
  case olderRows
  /// The daemon's history was lost; what is there now has nothing to do with what was shown.
  case historyLost
}

/// Follows the top of a timeline through the frames of a view, over reconnections too, and tells what happened.
///
/// A view holds a window, not the timeline: rows come and go at its lower end because the window moved, which is not
/// news, and after a burst or an absence the window may have nothing in common with the one before. The follower
/// compares what was held with what is held, never single operations, so frames may be merged or repeated in any way
/// the daemon likes. Every row is told of as inserted at most once.
public struct TimelineFollower: Sendable {
  /// What the view shows now.
  public private(set) var mirror = ViewSnapshot()
  /// The timeline when it was last whole; nil before the first frame.
  private var held: Pane?
  private var heldEpoch: UInt64 = 0
  /// Rows of the timeline that are accounted for; nil where that is not known. Estimates say nothing.
  private var countedRows: Int?

  /// A follower that has seen nothing; its first frame is where it begins, and no event.
  public init() {}

  /// Forgets what the view holds, because its frames do not follow from that, but not what was shown. A lost connection
  /// is no reason to: the next view resumes from `mirror`.
  public mutating func parted() { mirror = ViewSnapshot() }

  /// Applies a frame and tells what it brought, older rows before newer ones.
  ///
  /// - Throws: if the frame does not follow from what is held; nothing has changed then, and the client should attach
  ///   again.
  public mutating func apply(_ frame: Frame) throws(FrameMismatch) -> [TimelineEvent] {
    try mirror.apply(frame)
    // A piece of a change tells nothing by itself: what is not held yet may follow.
    guard !frame.pacing.hasMore else { return [] }
    guard let pane = mirror.panes.first, !pane.status.isLoading || !pane.rows.isEmpty else { return [] }
    defer {
      held = pane
      heldEpoch = mirror.epoch
    }
    guard let held, heldEpoch == mirror.epoch else {
      countedRows = pane.status.isExact ? pane.status.rowCount : nil
      return held == nil ? [] : [.historyLost]
    }
    let events = Self.events(from: held, to: pane)
    return count(events, pane.status) ? events + [.olderRows] : events
  }

  /// Takes account of what is told of, and says whether the timeline has grown by more than that.
  private mutating func count(_ events: [TimelineEvent], _ status: PaneStatus) -> Bool {
    for event in events {
      switch event {
      case .inserted: countedRows? += 1
      case .removed: countedRows? -= 1
      // How many rows that is nobody knows.
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

  /// The gap below a new window whose last row is new: the rows between that one and the next that was held, or the end
  /// where nothing below was. More may have come there than the window holds.
  private static func gap(from old: Pane, to new: Pane, below newer: PlacedRow) -> TimelineEvent? {
    // The new window may also lie below what was held, whose rows were all deleted: then nothing came.
    guard new.hasRowsBelow, old.covers(newer) else { return nil }
    return .gap(newer: newer.rowID, older: old.rows.first { newer.comesBefore($0) }?.rowID ?? 0)
  }
}

extension Pane {
  fileprivate var hasRowsBelow: Bool { status.rowCount > status.rowsAbove + rows.count }

  /// Whether a row of the timeline with this row's time and id would have been held: it is not below the window.
  fileprivate func covers(_ row: PlacedRow) -> Bool {
    guard hasRowsBelow, let last = rows.last else { return true }
    return row.comesBefore(last)
  }
}

extension RowContent {
  /// Whether the two differ in nothing but their fingerprints: another daemon may make them in another way.
  fileprivate func saysTheSame(as other: RowContent) -> Bool {
    if self == other { return true }
    var mine = fields
    mine.fingerprint = other.fields.fingerprint
    return mine == other.fields
  }
}

extension PlacedRow {
  /// Whether this row stands above `other` in a timeline: by time, then by id, newest first.
  public func comesBefore(_ other: PlacedRow) -> Bool {
    let (mine, theirs) = (content.fields.createdAtMilliseconds, other.content.fields.createdAtMilliseconds)
    return mine == theirs ? rowID > other.rowID : mine > theirs
  }
}
