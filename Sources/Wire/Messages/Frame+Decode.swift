internal import CProtobufC
public import ViewState
internal import WireProto

extension Frame: WireMessage {
  /// Reads the schema's ServerFrame. Operations this version does not know are skipped.
  public init(decoding bytes: [UInt8]) throws(DecodingFailure) {
    self = unsafe try decode(bytes, "ServerFrame", stack__v1__server_frame__unpack) {
      message throws(DecodingFailure) in
      var frame = Frame()
      frame.number = unsafe message.number
      frame.epoch = unsafe message.epoch
      frame.baseRevision = unsafe message.base_revision
      frame.revision = unsafe message.revision
      frame.layoutGeneration = unsafe message.layout_generation
      frame.viewportGeneration = unsafe message.viewport_generation
      let reset = unsafe message.reset.rawValue
      // A reason of a later version still is a reset.
      frame.reset = reset == 0 ? nil : ResetReason(rawValue: reset) ?? .first
      frame.sessionRevision = unsafe message.session_revision
      frame.labelsAtMilliseconds = unsafe message.labels_at_ms
      var operations: [Operation] = []
      for index in unsafe 0..<message.n_operations {
        if let operation = unsafe try readOperation(message.operations[index]!.pointee) { operations.append(operation) }
      }
      frame.body = FrameBody(operations)
      frame.ageMilliseconds = unsafe message.age_ms
      frame.skipped = unsafe message.skipped
      frame.hasMore = unsafe message.more != 0
      frame.layoutKey = unsafe message.layout_key
      if let welcome = unsafe message.welcome { frame.welcome = unsafe readWelcome(welcome.pointee) }
      return frame
    }
  }
}

private func readWelcome(_ message: Stack__V1__Welcome) -> Welcome {
  var limits = Welcome.Limits()
  limits.requestBytes = unsafe Int(message.maximum_request_bytes)
  limits.windowRows = unsafe Int(message.maximum_window_rows)
  limits.responseBytes = unsafe Int(message.maximum_response_bytes)
  limits.panes = unsafe Int(message.maximum_panes)
  limits.stallTimeoutMilliseconds = unsafe Int(message.stall_timeout_ms)
  return unsafe Welcome(
    viewID: message.view_id, session: text(message.session), daemonVersion: text(message.daemon_version),
    limits: limits,
    locale: text(message.locale))
}

private func readOperation(_ message: Stack__V1__Operation) throws(DecodingFailure) -> Operation? {
  switch unsafe message.operation_case {
  case STACK__V1__OPERATION__OPERATION_PANE_POPPED:
    return unsafe .panePopped(message.pane_popped.pointee.pane_id)
  case STACK__V1__OPERATION__OPERATION_PANE_PUSHED:
    guard let header = unsafe message.pane_pushed.pointee.pane else { throw DecodingFailure("a pane is missing") }
    return unsafe .panePushed(readPaneHeader(header.pointee))
  case STACK__V1__OPERATION__OPERATION_STACK_MOVED:
    let moved = unsafe message.stack_moved.pointee
    let frames = unsafe try array(moved.frames, moved.n_frames) { frame throws(DecodingFailure) in
      unsafe readPaneFrame(frame.pointee)
    }
    return unsafe .stackMoved(position: moved.position, frames: frames)
  case STACK__V1__OPERATION__OPERATION_PANE_STATE:
    return unsafe readPaneState(message.pane_state.pointee)
  case STACK__V1__OPERATION__OPERATION_ROWS_REMOVED:
    let removed = unsafe message.rows_removed.pointee
    return unsafe .rowsRemoved(pane: removed.pane_id, rows: array(removed.row_ids, removed.n_row_ids))
  case STACK__V1__OPERATION__OPERATION_ROWS_INSERTED:
    let inserted = unsafe message.rows_inserted.pointee
    return unsafe .rowsInserted(
      pane: inserted.pane_id, after: inserted.after_row, rows: try array(inserted.rows, inserted.n_rows, readPlacedRow))
  case STACK__V1__OPERATION__OPERATION_ROWS_CHANGED:
    let changed = unsafe message.rows_changed.pointee
    return unsafe .rowsChanged(
      pane: changed.pane_id, changes: try array(changed.changes, changed.n_changes, readRowChange))
  case STACK__V1__OPERATION__OPERATION_HEIGHTS_CHANGED:
    let changed = unsafe message.heights_changed.pointee
    return unsafe .heightsChanged(
      pane: changed.pane_id, rows: try array(changed.rows, changed.n_rows, readRelayout))
  case STACK__V1__OPERATION__OPERATION_TIMES_REFRESHED:
    return unsafe try readTimesRefreshed(message.times_refreshed.pointee)
  case STACK__V1__OPERATION__OPERATION_CLOCK_MOVED:
    return unsafe readClockMoved(message.clock_moved.pointee)
  case STACK__V1__OPERATION__OPERATION_SELECTION_CHANGED:
    return unsafe try readSelection(message.selection_changed.pointee)
  case STACK__V1__OPERATION__OPERATION_NAVIGATION_CHANGED:
    return unsafe .navigationChanged(readNavigation(message.navigation_changed.pointee))
  default:
    return nil
  }
}

private func readPaneHeader(_ message: Stack__V1__PaneHeader) -> PaneHeader {
  var header = unsafe PaneHeader(
    paneID: message.pane_id,
    kind: PaneHeader.Kind(rawValue: UInt8(truncatingIfNeeded: message.kind.rawValue)) ?? .unknown,
    subject: message.subject, title: bytes(message.title), query: bytes(message.query))
  header.filter = unsafe bytes(message.filter)
  return header
}

private func readPaneFrame(_ message: Stack__V1__PaneFrame) -> PaneFrame {
  var frame = unsafe PaneFrame(paneID: message.pane_id, x: Int(message.x), width: Int(message.width))
  frame.columnX = unsafe Int(message.column_x)
  frame.columnWidth = unsafe Int(message.column_width)
  frame.textX = unsafe Int(message.text_x)
  frame.textWidth = unsafe Int(message.text_width)
  frame.isCompact = unsafe message.compact != 0
  frame.roundedSides = unsafe PaneFrame.RoundedSides(rawValue: UInt8(truncatingIfNeeded: message.rounded_sides))
  frame.indent = unsafe Int(message.indent)
  return frame
}

private func readPaneState(_ message: Stack__V1__PaneState) -> Operation {
  var status = PaneStatus()
  status.rowCount = unsafe Int(clamping: message.row_count)
  status.totalHeight = unsafe Int(clamping: message.total_height)
  status.isExact = unsafe message.exact != 0
  status.rowsAbove = unsafe Int(clamping: message.rows_above)
  status.heightAbove = unsafe Int(clamping: message.height_above)
  status.isLoading = unsafe message.loading != 0
  status.anchorRow = unsafe message.anchor_row
  status.anchorLine = unsafe Int(message.anchor_line)
  status.profile = unsafe readProfile(message.profile)
  status.readingRow = unsafe message.reading_row
  status.readingLine = unsafe Int(message.reading_line)
  status.newRows = unsafe Int(clamping: message.new_rows)
  return unsafe .paneStatus(pane: message.pane_id, status)
}

private func readRowChange(
  _ pointer: UnsafeMutablePointer<Stack__V1__RowChange>
) throws(DecodingFailure) -> RowChange {
  let message = unsafe pointer.pointee
  let mask = unsafe message.mask
  return unsafe RowChange(
    rowID: message.row_id,
    caps: mask & RowChange.capsBit == 0 ? nil : Caps(rawValue: UInt8(truncatingIfNeeded: message.caps)),
    row: mask & RowChange.rowBit == 0 ? nil : try readRow(message.row),
    day: mask & RowChange.dayBit == 0 ? nil : .some(readDayLine(message.day, message.day_height)),
    tree: mask & RowChange.treeBit == 0 ? nil : readTreePlace(message.depth, message.collapsed_replies))
}

private func readSelection(_ message: Stack__V1__SelectionChanged) throws(DecodingFailure) -> Operation {
  var selection = PaneSelection()
  selection.rowID = unsafe message.row_id
  selection.pin = unsafe PaneSelection.Pin(rawValue: UInt8(truncatingIfNeeded: message.pin.rawValue)) ?? .none
  if let row = unsafe message.row { selection.row = unsafe try readPlacedRow(row) }
  return unsafe .selectionChanged(pane: message.pane_id, selection)
}

private func readClockMoved(_ message: Stack__V1__ClockMoved) -> Operation {
  var clock = PaneClock()
  clock.thumbTop = unsafe Int(message.thumb_top)
  clock.thumbLength = unsafe Int(message.thumb_length)
  clock.isVisible = unsafe message.visible != 0
  clock.top = unsafe Int(message.top)
  clock.hourHand = unsafe Int(message.hour_hand)
  clock.minuteHand = unsafe Int(message.minute_hand)
  clock.turn = unsafe PaneClock.Turn(rawValue: message.turn.rawValue) ?? .none
  clock.label = unsafe text(message.label)
  clock.day = unsafe text(message.day)
  clock.dayTop = unsafe Int(message.day_top)
  return unsafe .clockMoved(pane: message.pane_id, clock)
}

private func readRelayout(
  _ pointer: UnsafeMutablePointer<Stack__V1__RowLayout>
) throws(DecodingFailure) -> RowRelayout {
  let message = unsafe pointer.pointee
  return unsafe RowRelayout(
    rowID: message.row_id,
    layout: try readLayout(
      height: message.height, lineEnds: array(message.line_ends, message.n_line_ends), length: nil))
}

private func readTimesRefreshed(_ message: Stack__V1__TimesRefreshed) throws(DecodingFailure) -> Operation {
  let labels = unsafe try array(message.labels, message.n_labels) { label throws(DecodingFailure) in
    unsafe text(label)
  }
  return unsafe .timesRefreshed(
    pane: message.pane_id, labels: labels, rows: array(message.row_ids, message.n_row_ids),
    indexes: array(message.label_indexes, message.n_label_indexes))
}
