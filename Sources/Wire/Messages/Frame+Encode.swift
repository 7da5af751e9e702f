internal import CProtobufC
public import ViewState
internal import WireProto

extension Frame {
  /// The bytes of the schema's ServerFrame.
  public func encoded() -> [UInt8] {
    let arena = CArena()
    let message = unsafe arena.make(stack__v1__server_frame__init)
    unsafe message.pointee.number = number
    unsafe message.pointee.epoch = epoch
    unsafe message.pointee.base_revision = baseRevision
    unsafe message.pointee.revision = revision
    unsafe message.pointee.layout_generation = layoutGeneration
    unsafe message.pointee.viewport_generation = viewportGeneration
    unsafe message.pointee.reset = Stack__V1__ResetReason(rawValue: reset?.rawValue ?? 0)
    unsafe message.pointee.session_revision = sessionRevision
    unsafe message.pointee.labels_at_ms = labelsAtMilliseconds
    unsafe message.pointee.n_operations = operations.count
    unsafe message.pointee.operations = arena.pointers(operations) { unsafe arena.operation($0) }
    if let welcome { unsafe message.pointee.welcome = arena.welcome(welcome) }
    return unsafe arena.encode(message)
  }
}

extension CArena {
  fileprivate func welcome(_ welcome: Welcome) -> UnsafeMutablePointer<Stack__V1__Welcome> {
    let message = unsafe make(stack__v1__welcome__init)
    unsafe message.pointee.view_id = welcome.viewID
    unsafe message.pointee.session = string(welcome.session)
    unsafe message.pointee.daemon_version = string(welcome.daemonVersion)
    unsafe message.pointee.maximum_request_bytes = UInt32(welcome.maximumRequestBytes)
    unsafe message.pointee.maximum_window_rows = UInt32(welcome.maximumWindowRows)
    return unsafe message
  }

  fileprivate func operation(_ operation: Operation) -> UnsafeMutablePointer<Stack__V1__Operation> {
    let message = unsafe make(stack__v1__operation__init)
    switch operation {
    case .panePopped(let paneID):
      let popped = unsafe make(stack__v1__pane_popped__init)
      unsafe popped.pointee.pane_id = paneID
      unsafe message.pointee.operation_case = STACK__V1__OPERATION__OPERATION_PANE_POPPED
      unsafe message.pointee.pane_popped = unsafe popped
    case .panePushed(let header):
      let pushed = unsafe make(stack__v1__pane_pushed__init)
      unsafe pushed.pointee.pane = paneHeader(header)
      unsafe message.pointee.operation_case = STACK__V1__OPERATION__OPERATION_PANE_PUSHED
      unsafe message.pointee.pane_pushed = unsafe pushed
    case .stackMoved(let position, let frames):
      unsafe message.pointee.operation_case = STACK__V1__OPERATION__OPERATION_STACK_MOVED
      unsafe message.pointee.stack_moved = stackMoved(position, frames)
    case .paneStatus(let pane, let status):
      unsafe message.pointee.operation_case = STACK__V1__OPERATION__OPERATION_PANE_STATE
      unsafe message.pointee.pane_state = paneState(pane, status)
    case .rowsRemoved, .rowsInserted, .rowsChanged, .heightsChanged, .timesRefreshed:
      unsafe rowOperation(operation, in: message)
    }
    return unsafe message
  }

  private func rowOperation(_ operation: Operation, in message: UnsafeMutablePointer<Stack__V1__Operation>) {
    switch operation {
    case .rowsRemoved(let pane, let rows):
      let removed = unsafe make(stack__v1__rows_removed__init)
      unsafe removed.pointee.pane_id = pane
      unsafe removed.pointee.n_row_ids = rows.count
      unsafe removed.pointee.row_ids = array(rows)
      unsafe message.pointee.operation_case = STACK__V1__OPERATION__OPERATION_ROWS_REMOVED
      unsafe message.pointee.rows_removed = unsafe removed
    case .rowsInserted(let pane, let after, let rows):
      let inserted = unsafe make(stack__v1__rows_inserted__init)
      unsafe inserted.pointee.pane_id = pane
      unsafe inserted.pointee.after_row = after
      unsafe inserted.pointee.n_rows = rows.count
      unsafe inserted.pointee.rows = pointers(rows) { unsafe placedRow($0) }
      unsafe message.pointee.operation_case = STACK__V1__OPERATION__OPERATION_ROWS_INSERTED
      unsafe message.pointee.rows_inserted = unsafe inserted
    case .rowsChanged(let pane, let changes):
      let changed = unsafe make(stack__v1__rows_changed__init)
      unsafe changed.pointee.pane_id = pane
      unsafe changed.pointee.n_changes = changes.count
      unsafe changed.pointee.changes = pointers(changes) { unsafe rowChange($0) }
      unsafe message.pointee.operation_case = STACK__V1__OPERATION__OPERATION_ROWS_CHANGED
      unsafe message.pointee.rows_changed = unsafe changed
    case .heightsChanged(let pane, let rows):
      let changed = unsafe make(stack__v1__heights_changed__init)
      unsafe changed.pointee.pane_id = pane
      unsafe changed.pointee.n_rows = rows.count
      unsafe changed.pointee.rows = pointers(rows) { unsafe rowLayout($0) }
      unsafe message.pointee.operation_case = STACK__V1__OPERATION__OPERATION_HEIGHTS_CHANGED
      unsafe message.pointee.heights_changed = unsafe changed
    case .timesRefreshed(let pane, let labels, let rows, let indexes):
      let refreshed = unsafe make(stack__v1__times_refreshed__init)
      unsafe refreshed.pointee.pane_id = pane
      unsafe refreshed.pointee.n_labels = labels.count
      unsafe refreshed.pointee.labels = pointers(labels) { unsafe string($0) }
      unsafe refreshed.pointee.n_row_ids = rows.count
      unsafe refreshed.pointee.row_ids = array(rows)
      unsafe refreshed.pointee.n_label_indexes = indexes.count
      unsafe refreshed.pointee.label_indexes = array(indexes)
      unsafe message.pointee.operation_case = STACK__V1__OPERATION__OPERATION_TIMES_REFRESHED
      unsafe message.pointee.times_refreshed = unsafe refreshed
    case .panePopped, .panePushed, .stackMoved, .paneStatus:
      preconditionFailure("not an operation on rows")
    }
  }

  private func paneHeader(_ header: PaneHeader) -> UnsafeMutablePointer<Stack__V1__PaneHeader> {
    let message = unsafe make(stack__v1__pane_header__init)
    unsafe message.pointee.pane_id = header.paneID
    unsafe message.pointee.kind = Stack__V1__PaneKind(rawValue: UInt32(header.kind.rawValue))
    unsafe message.pointee.subject = header.subject
    unsafe message.pointee.title = string(header.title)
    return unsafe message
  }

  private func stackMoved(_ position: UInt32, _ frames: [PaneFrame]) -> UnsafeMutablePointer<Stack__V1__StackMoved> {
    let moved = unsafe make(stack__v1__stack_moved__init)
    unsafe moved.pointee.position = position
    unsafe moved.pointee.n_frames = frames.count
    unsafe moved.pointee.frames = pointers(frames) { frame in
      let message = unsafe make(stack__v1__pane_frame__init)
      unsafe message.pointee.pane_id = frame.paneID
      unsafe message.pointee.x = Int32(clamping: frame.x)
      unsafe message.pointee.width = UInt32(clamping: frame.width)
      return unsafe message
    }
    return unsafe moved
  }

  private func paneState(_ pane: UInt64, _ status: PaneStatus) -> UnsafeMutablePointer<Stack__V1__PaneState> {
    let state = unsafe make(stack__v1__pane_state__init)
    unsafe state.pointee.pane_id = pane
    unsafe state.pointee.row_count = UInt64(status.rowCount)
    unsafe state.pointee.total_height = UInt64(status.totalHeight)
    unsafe state.pointee.exact = status.isExact ? 1 : 0
    unsafe state.pointee.rows_above = UInt64(status.rowsAbove)
    unsafe state.pointee.height_above = UInt64(status.heightAbove)
    unsafe state.pointee.loading = status.isLoading ? 1 : 0
    return unsafe state
  }

  private func rowChange(_ change: RowChange) -> UnsafeMutablePointer<Stack__V1__RowChange> {
    let message = unsafe make(stack__v1__row_change__init)
    unsafe message.pointee.row_id = change.rowID
    if let caps = change.caps {
      unsafe message.pointee.mask |= RowChange.capsBit
      unsafe message.pointee.caps = UInt32(caps.rawValue)
    }
    if let row = change.row {
      unsafe message.pointee.mask |= RowChange.rowBit
      unsafe message.pointee.row = self.row(row.content, row.layout)
    }
    return unsafe message
  }

  private func rowLayout(_ relayout: RowRelayout) -> UnsafeMutablePointer<Stack__V1__RowLayout> {
    let message = unsafe make(stack__v1__row_layout__init)
    unsafe message.pointee.row_id = relayout.rowID
    unsafe message.pointee.height = UInt32(relayout.layout.height)
    unsafe message.pointee.n_line_ends = relayout.layout.lineEnds.count
    unsafe message.pointee.line_ends = array(relayout.layout.lineEnds)
    return unsafe message
  }
}

extension RowChange {
  /// Bits of the schema's `RowChange.mask`.
  static let capsBit: UInt32 = 1
  static let rowBit: UInt32 = 2
}
