/// One change of a view. A frame carries them in the order of the cases' raw positions: panes, stack, rows, pane states,
/// heights, times.
public enum Operation: Equatable, Sendable {
  /// A pane has gone, with its rows.
  case panePopped(UInt64)
  /// A pane has been put on top.
  case panePushed(PaneHeader)
  /// Panes lie elsewhere.
  case stackMoved(position: UInt32, frames: [PaneFrame])
  /// Rows are held no longer.
  case rowsRemoved(pane: UInt64, rows: [UInt64])
  /// Rows have come; they follow row `after`, or come first where that is 0.
  case rowsInserted(pane: UInt64, after: UInt64, rows: [PlacedRow])
  /// Rows changed in place.
  case rowsChanged(pane: UInt64, changes: [RowChange])
  /// Numbers of a pane changed.
  case paneStatus(pane: UInt64, PaneStatus)
  /// Rows are cut into other lines; their content is as it was.
  case heightsChanged(pane: UInt64, rows: [RowRelayout])
  /// Times read differently: for each row an index into `labels`, in which each text stands once.
  case timesRefreshed(pane: UInt64, labels: [String], rows: [UInt64], indexes: [UInt32])
}

/// A row that changed in place.
public struct RowChange: Equatable, Sendable {
  public var rowID: UInt64
  /// Its new caps, or nil where they are as before.
  public var caps: Caps?
  /// Its new content and layout, or nil where both are as before.
  public var row: RowContentAndLayout?

  /// Puts the parts together.
  public init(rowID: UInt64, caps: Caps?, row: RowContentAndLayout?) {
    self.rowID = rowID
    self.caps = caps
    self.row = row
  }
}

/// What the schema's message Row holds.
public struct RowContentAndLayout: Equatable, Sendable {
  public var content: RowContent
  public var layout: RowLayout

  /// Puts the parts together.
  public init(content: RowContent, layout: RowLayout) {
    self.content = content
    self.layout = layout
  }
}

/// A row cut into other lines.
public struct RowRelayout: Equatable, Sendable {
  public var rowID: UInt64
  public var layout: RowLayout

  /// Puts the parts together.
  public init(rowID: UInt64, layout: RowLayout) {
    self.rowID = rowID
    self.layout = layout
  }
}

/// Why a frame starts from nothing; the numbers are the schema's.
public enum ResetReason: UInt32, Sendable {
  /// The first frame of a view.
  case first = 1
}

/// What the daemon says once, with a view's first frame.
public struct Welcome: Equatable, Sendable {
  public var viewID: UInt64
  public var session: String
  public var daemonVersion: String
  public var maximumRequestBytes: Int
  public var maximumWindowRows: Int

  /// Puts the parts together.
  public init(
    viewID: UInt64, session: String, daemonVersion: String, maximumRequestBytes: Int, maximumWindowRows: Int
  ) {
    self.viewID = viewID
    self.session = session
    self.daemonVersion = daemonVersion
    self.maximumRequestBytes = maximumRequestBytes
    self.maximumWindowRows = maximumWindowRows
  }
}

/// One atomic change of a view, as sent.
public struct Frame: Equatable, Sendable {
  /// 1 for a view's first, then one more each.
  public var number: UInt64
  public var epoch: UInt64
  /// The revision the delta starts from; 0 with a reset.
  public var baseRevision: UInt64
  public var revision: UInt64
  public var layoutGeneration: UInt32
  public var viewportGeneration: UInt32
  /// Not nil: start from nothing.
  public var reset: ResetReason?
  /// The revision at which the session's pane stack last changed.
  public var sessionRevision: UInt64
  public var labelsAtMilliseconds: Int64
  public var operations: [Operation]
  /// Only in the first.
  public var welcome: Welcome?

  /// A frame that leads to `target`.
  public init(
    number: UInt64, baseRevision: UInt64, to target: ViewSnapshot, reset: ResetReason?, operations: [Operation],
    welcome: Welcome? = nil
  ) {
    self.number = number
    self.epoch = target.epoch
    self.baseRevision = baseRevision
    self.revision = target.revision
    self.layoutGeneration = target.layoutGeneration
    self.viewportGeneration = target.viewportGeneration
    self.reset = reset
    self.sessionRevision = target.sessionRevision
    self.labelsAtMilliseconds = target.labelsAtMilliseconds
    self.operations = operations
    self.welcome = welcome
  }

  /// An empty frame to be filled in by a decoder.
  public init() {
    self.init(number: 0, baseRevision: 0, to: ViewSnapshot(), reset: nil, operations: [])
  }
}
