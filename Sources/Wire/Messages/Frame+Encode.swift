internal import CProtobufC
public import ViewState
internal import WireProto

extension Frame {
  /// The bytes of the schema's ServerFrame.
  ///
  /// What is the same for many views is not encoded again: the operations, where ``FrameBody/encoded`` has them, and in
  /// them the rows. The numbers around them are written here, field by field in the order of their tags, which gives
  /// the bytes that protobuf-c gives (`Tests/MessagesTests` holds it to that).
  public func encoded() -> [UInt8] {
    let operations = body.encoded ?? FrameBody.encode(body.operations)
    var head = WireNumbers()
    head.varint(1, number)
    head.fixed64(2, epoch)
    head.varint(3, baseRevision)
    head.varint(4, revision)
    head.varint(5, UInt64(layoutGeneration))
    head.varint(6, UInt64(viewportGeneration))
    head.varint(7, UInt64(reset?.rawValue ?? 0))
    head.zigzag(8, labelsAtMilliseconds)
    var tail = WireNumbers()
    tail.varint(11, sessionRevision)
    tail.varint(12, UInt64(ageMilliseconds))
    tail.varint(13, UInt64(skipped))
    tail.varint(14, hasMore ? 1 : 0)
    tail.fixed64(15, layoutKey)
    var writer = WireWriter(capacity: head.count + operations.count + tail.count)
    writer.append(head)
    writer.append(operations)
    if let welcome { writer.bytes(10, welcome.encoded()) }
    writer.append(tail)
    return writer.output
  }
}

extension FrameBody {
  /// A body whose bytes are made now, for all frames that will share it.
  public static func encoding(_ operations: [Operation]) -> FrameBody {
    operations.isEmpty ? .empty : FrameBody(operations, encoded: encode(operations))
  }

  /// The operations as the field of a ServerFrame.
  static func encode(_ operations: [Operation]) -> [UInt8] {
    var writer = WireWriter()
    for operation in operations { writer.bytes(9, operation.encoded()) }
    return writer.output
  }
}

extension Operation {
  /// The bytes of the schema's Operation, with the rows that have bytes spliced in.
  func encoded() -> [UInt8] {
    switch self {
    case .rowsInserted(let pane, let after, let rows):
      var inserted = WireWriter()
      inserted.varint(1, pane)
      inserted.varint(2, after)
      for row in rows { inserted.bytes(3, row.encoded()) }
      return WireWriter.message(5, inserted.output)
    case .rowsChanged(let pane, let changes):
      var changed = WireWriter()
      changed.varint(1, pane)
      for change in changes { changed.bytes(2, change.encoded()) }
      return WireWriter.message(6, changed.output)
    case .panePopped, .panePushed, .stackMoved, .rowsRemoved, .paneStatus, .heightsChanged, .timesRefreshed,
      .clockMoved,
      .navigationChanged:
      let arena = CArena()
      return unsafe arena.encode(arena.operation(self))
    case .selectionChanged(let pane, let selection):
      var changed = WireWriter()
      changed.varint(1, pane)
      changed.varint(2, selection.rowID)
      changed.varint(3, UInt64(selection.pin.rawValue))
      if let row = selection.row { changed.bytes(4, row.encoded()) }
      return WireWriter.message(11, changed.output)
    }
  }
}

extension PlacedRow {
  /// The bytes of the schema's PlacedRow.
  func encoded() -> [UInt8] {
    var writer = WireWriter()
    writer.bytes(1, row.bytes)
    writer.varint(2, UInt64(caps.rawValue))
    if !label.isEmpty { writer.bytes(3, Array(label.utf8)) }
    if let day { day.append(to: &writer, firstField: 4) }
    tree.append(to: &writer, firstField: 6)
    return writer.output
  }
}

extension DayLine {
  /// Writes its two fields.
  fileprivate func append(to writer: inout WireWriter, firstField: UInt64) {
    if !label.isEmpty { writer.bytes(firstField, Array(label.utf8)) }
    writer.varint(firstField + 1, UInt64(height))
  }
}

extension TreePlace {
  /// Writes its two fields.
  fileprivate func append(to writer: inout WireWriter, firstField: UInt64) {
    writer.varint(firstField, UInt64(clamping: depth))
    writer.varint(firstField + 1, UInt64(clamping: collapsedReplies))
  }
}

extension RowChange {
  /// The bytes of the schema's RowChange.
  func encoded() -> [UInt8] {
    var writer = WireWriter()
    writer.varint(1, rowID)
    let mask =
      (caps == nil ? 0 : RowChange.capsBit) | (row == nil ? 0 : RowChange.rowBit) | (day == nil ? 0 : RowChange.dayBit)
      | (tree == nil ? 0 : RowChange.treeBit)
    writer.varint(2, UInt64(mask))
    writer.varint(3, UInt64(caps?.rawValue ?? 0))
    if let row { writer.bytes(4, row.bytes) }
    if let day = day ?? nil { day.append(to: &writer, firstField: 5) }
    tree?.append(to: &writer, firstField: 7)
    return writer.output
  }
}

extension LaidOutRow {
  /// A row whose bytes are made now, for all frames that will hold it.
  public static func encoding(content: RowContent, layout: RowLayout) -> LaidOutRow {
    LaidOutRow(content: content, layout: layout, encoded: encode(content, layout))
  }

  /// The bytes of the schema's Row.
  var bytes: [UInt8] { encoded.isEmpty ? LaidOutRow.encode(content, layout) : encoded }

  private static func encode(_ content: RowContent, _ layout: RowLayout) -> [UInt8] {
    let arena = CArena()
    return unsafe arena.encode(arena.row(content, layout))
  }
}

extension Welcome {
  fileprivate func encoded() -> [UInt8] {
    let arena = CArena()
    return unsafe arena.encode(arena.welcome(self))
  }
}

extension CArena {
  fileprivate func welcome(_ welcome: Welcome) -> UnsafeMutablePointer<Stack__V1__Welcome> {
    let message = unsafe make(stack__v1__welcome__init)
    unsafe message.pointee.view_id = welcome.viewID
    unsafe message.pointee.session = string(welcome.session)
    unsafe message.pointee.daemon_version = string(welcome.daemonVersion)
    unsafe message.pointee.maximum_request_bytes = UInt32(clamping: welcome.limits.requestBytes)
    unsafe message.pointee.maximum_window_rows = UInt32(clamping: welcome.limits.windowRows)
    unsafe message.pointee.maximum_response_bytes = UInt32(clamping: welcome.limits.responseBytes)
    unsafe message.pointee.maximum_panes = UInt32(clamping: welcome.limits.panes)
    unsafe message.pointee.stall_timeout_ms = UInt32(clamping: welcome.limits.stallTimeoutMilliseconds)
    unsafe message.pointee.locale = string(welcome.locale)
    return unsafe message
  }

  /// An operation without rows.
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
    case .clockMoved(let pane, let clock):
      unsafe message.pointee.operation_case = STACK__V1__OPERATION__OPERATION_CLOCK_MOVED
      unsafe message.pointee.clock_moved = clockMoved(pane, clock)
    case .navigationChanged(let navigation):
      unsafe message.pointee.operation_case = STACK__V1__OPERATION__OPERATION_NAVIGATION_CHANGED
      unsafe message.pointee.navigation_changed = self.navigation(navigation)
    case .rowsRemoved, .heightsChanged, .timesRefreshed, .rowsInserted, .rowsChanged, .selectionChanged:
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
    case .panePopped, .panePushed, .stackMoved, .paneStatus, .rowsInserted, .rowsChanged, .clockMoved,
      .selectionChanged,
      .navigationChanged:
      preconditionFailure("not an operation that is packed whole")
    }
  }

  private func paneHeader(_ header: PaneHeader) -> UnsafeMutablePointer<Stack__V1__PaneHeader> {
    let message = unsafe make(stack__v1__pane_header__init)
    unsafe message.pointee.pane_id = header.paneID
    unsafe message.pointee.kind = Stack__V1__PaneKind(rawValue: UInt32(header.kind.rawValue))
    unsafe message.pointee.subject = header.subject
    unsafe message.pointee.title = string(header.title)
    unsafe message.pointee.query = string(header.query)
    unsafe message.pointee.filter = string(header.filter)
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
      unsafe message.pointee.column_x = UInt32(clamping: frame.columnX)
      unsafe message.pointee.column_width = UInt32(clamping: frame.columnWidth)
      unsafe message.pointee.text_x = UInt32(clamping: frame.textX)
      unsafe message.pointee.text_width = UInt32(clamping: frame.textWidth)
      unsafe message.pointee.compact = frame.isCompact ? 1 : 0
      unsafe message.pointee.rounded_sides = UInt32(frame.roundedSides.rawValue)
      unsafe message.pointee.indent = UInt32(clamping: frame.indent)
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
    unsafe state.pointee.anchor_row = status.anchorRow
    unsafe state.pointee.anchor_line = UInt32(clamping: status.anchorLine)
    if let profile = status.profile { unsafe state.pointee.profile = self.profile(profile) }
    unsafe state.pointee.reading_row = status.readingRow
    unsafe state.pointee.reading_line = UInt32(clamping: status.readingLine)
    unsafe state.pointee.new_rows = UInt64(status.newRows)
    return unsafe state
  }

  private func clockMoved(_ pane: UInt64, _ clock: PaneClock) -> UnsafeMutablePointer<Stack__V1__ClockMoved> {
    let message = unsafe make(stack__v1__clock_moved__init)
    unsafe message.pointee.pane_id = pane
    unsafe message.pointee.thumb_top = UInt32(clamping: clock.thumbTop)
    unsafe message.pointee.thumb_length = UInt32(clamping: clock.thumbLength)
    unsafe message.pointee.visible = clock.isVisible ? 1 : 0
    unsafe message.pointee.top = UInt32(clamping: clock.top)
    unsafe message.pointee.hour_hand = UInt32(clamping: clock.hourHand)
    unsafe message.pointee.minute_hand = UInt32(clamping: clock.minuteHand)
    unsafe message.pointee.turn = Stack__V1__ClockTurn(rawValue: clock.turn.rawValue)
    unsafe message.pointee.label = string(clock.label)
    unsafe message.pointee.day = string(clock.day)
    unsafe message.pointee.day_top = Int32(clamping: clock.dayTop)
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
  static let dayBit: UInt32 = 4
  static let treeBit: UInt32 = 8
}
