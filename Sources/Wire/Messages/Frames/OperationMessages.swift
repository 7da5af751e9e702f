internal import ViewState

/// The schema's Operation; nil for one of a later version.
struct OperationMessage: DeclaredMessage {
  var operation: Operation?

  static let schema = MessageSchema("Operation")

  init() {}

  init(_ operation: Operation) { self.operation = operation }

  mutating func walk(_ fields: inout WireFields) throws(DecodingFailure) {
    try walkPanes(&fields)
    try walkRows(&fields)
    try walkOthers(&fields)
  }

  private mutating func walkPanes(_ fields: inout WireFields) throws(DecodingFailure) {
    try fields.message(1, of: &operation) { (popped: PanePopped) in
      .panePopped(popped.pane)
    } _: {
      if case .panePopped(let pane) = $0 { PanePopped(pane: pane) } else { nil }
    }
    try fields.message(2, of: &operation) { (pushed: PanePushed) in
      .panePushed(pushed.header)
    } _: {
      if case .panePushed(let header) = $0 { PanePushed(header: header) } else { nil }
    }
    try fields.message(3, of: &operation) { (moved: StackMoved) in
      .stackMoved(position: moved.position, frames: moved.frames)
    } _: {
      if case .stackMoved(let position, let frames) = $0 { StackMoved(position: position, frames: frames) } else { nil }
    }
  }

  private mutating func walkRows(_ fields: inout WireFields) throws(DecodingFailure) {
    try fields.message(4, of: &operation) { (removed: RowsRemoved) in
      .rowsRemoved(pane: removed.pane, rows: removed.rows)
    } _: {
      if case .rowsRemoved(let pane, let rows) = $0 { RowsRemoved(pane: pane, rows: rows) } else { nil }
    }
    try fields.message(5, of: &operation) { (inserted: RowsInserted) in
      .rowsInserted(pane: inserted.pane, after: inserted.after, rows: inserted.rows)
    } _: {
      guard case .rowsInserted(let pane, let after, let rows) = $0 else { return nil }
      return RowsInserted(pane: pane, after: after, rows: rows)
    }
    try fields.message(6, of: &operation) { (changed: RowsChanged) in
      .rowsChanged(pane: changed.pane, changes: changed.changes)
    } _: {
      if case .rowsChanged(let pane, let changes) = $0 { RowsChanged(pane: pane, changes: changes) } else { nil }
    }
    try fields.message(7, of: &operation) { (state: PaneState) in
      .paneStatus(pane: state.pane, state.status)
    } _: {
      if case .paneStatus(let pane, let status) = $0 { PaneState(pane: pane, status: status) } else { nil }
    }
    try fields.message(8, of: &operation) { (changed: HeightsChanged) in
      .heightsChanged(pane: changed.pane, rows: changed.rows)
    } _: {
      if case .heightsChanged(let pane, let rows) = $0 { HeightsChanged(pane: pane, rows: rows) } else { nil }
    }
  }

  private mutating func walkOthers(_ fields: inout WireFields) throws(DecodingFailure) {
    try fields.message(9, of: &operation) { (times: TimesRefreshed) in
      .timesRefreshed(pane: times.pane, labels: times.labels, rows: times.rows, indexes: times.indexes)
    } _: {
      guard case .timesRefreshed(let pane, let labels, let rows, let indexes) = $0 else { return nil }
      return TimesRefreshed(pane: pane, labels: labels, rows: rows, indexes: indexes)
    }
    try fields.message(10, of: &operation) { (moved: ClockMoved) in
      .clockMoved(pane: moved.pane, moved.clock)
    } _: {
      if case .clockMoved(let pane, let clock) = $0 { ClockMoved(pane: pane, clock: clock) } else { nil }
    }
    try fields.message(11, of: &operation) { (changed: SelectionChanged) in
      .selectionChanged(pane: changed.pane, changed.selection)
    } _: {
      guard case .selectionChanged(let pane, let selection) = $0 else { return nil }
      return SelectionChanged(pane: pane, selection: selection)
    }
    try fields.message(12, of: &operation, Operation.navigationChanged) {
      if case .navigationChanged(let navigation) = $0 { navigation } else { nil }
    }
  }
}

private struct PanePopped: DeclaredMessage {
  var pane: UInt64 = 0

  static let schema = MessageSchema("PanePopped")

  mutating func walk(_ fields: inout WireFields) { fields.number(1, &pane) }
}

private struct PanePushed: DeclaredMessage {
  var header = PaneHeader()

  static let schema = MessageSchema("PanePushed")

  mutating func walk(_ fields: inout WireFields) throws(DecodingFailure) { try fields.requiredMessage(1, &header) }
}

private struct StackMoved: DeclaredMessage {
  var position: UInt32 = 0
  var frames: [PaneFrame] = []

  static let schema = MessageSchema("StackMoved")

  mutating func walk(_ fields: inout WireFields) throws(DecodingFailure) {
    fields.number(1, &position)
    try fields.messages(2, &frames)
  }
}

private struct RowsRemoved: DeclaredMessage {
  var pane: UInt64 = 0
  var rows: [UInt64] = []

  static let schema = MessageSchema("RowsRemoved")

  mutating func walk(_ fields: inout WireFields) {
    fields.number(1, &pane)
    fields.numbers(2, &rows)
  }
}

private struct RowsInserted: DeclaredMessage {
  var pane: UInt64 = 0
  var after: UInt64 = 0
  var rows: [PlacedRow] = []

  static let schema = MessageSchema("RowsInserted")

  mutating func walk(_ fields: inout WireFields) throws(DecodingFailure) {
    fields.number(1, &pane)
    fields.number(2, &after)
    try fields.messages(3, &rows)
  }
}

private struct RowsChanged: DeclaredMessage {
  var pane: UInt64 = 0
  var changes: [RowChange] = []

  static let schema = MessageSchema("RowsChanged")

  mutating func walk(_ fields: inout WireFields) throws(DecodingFailure) {
    fields.number(1, &pane)
    try fields.messages(2, &changes)
  }
}

private struct PaneState: DeclaredMessage {
  var pane: UInt64 = 0
  var status = PaneStatus()

  static let schema = MessageSchema("PaneState")

  mutating func walk(_ fields: inout WireFields) throws(DecodingFailure) {
    fields.number(1, &pane)
    fields.count(2, &status.rowCount)
    fields.count(3, &status.totalHeight)
    fields.flag(4, &status.isExact)
    fields.count(5, &status.rowsAbove)
    fields.count(6, &status.heightAbove)
    fields.flag(7, &status.isLoading)
    fields.number(8, &status.anchorRow)
    fields.count(9, &status.anchorLine)
    try fields.message(10, &status.profile)
    fields.number(11, &status.readingRow)
    fields.count(12, &status.readingLine)
    fields.count(13, &status.newRows)
  }
}

private struct HeightsChanged: DeclaredMessage {
  var pane: UInt64 = 0
  var rows: [RowRelayout] = []

  static let schema = MessageSchema("HeightsChanged")

  mutating func walk(_ fields: inout WireFields) throws(DecodingFailure) {
    fields.number(1, &pane)
    try fields.messages(2, &rows)
  }
}

private struct TimesRefreshed: DeclaredMessage {
  var pane: UInt64 = 0
  var labels: [String] = []
  var rows: [UInt64] = []
  var indexes: [UInt32] = []

  static let schema = MessageSchema("TimesRefreshed")

  mutating func walk(_ fields: inout WireFields) throws(DecodingFailure) {
    fields.number(1, &pane)
    try fields.texts(2, &labels)
    fields.numbers(3, &rows)
    fields.numbers(4, &indexes)
  }
}

private struct ClockMoved: DeclaredMessage {
  var pane: UInt64 = 0
  var clock = PaneClock()

  static let schema = MessageSchema("ClockMoved")

  mutating func walk(_ fields: inout WireFields) throws(DecodingFailure) {
    fields.number(1, &pane)
    fields.count(2, &clock.thumbTop)
    fields.count(3, &clock.thumbLength)
    fields.flag(4, &clock.isVisible)
    fields.count(5, &clock.top)
    fields.count(6, &clock.hourHand)
    fields.count(7, &clock.minuteHand)
    fields.choice(8, &clock.turn, unknown: .none)
    try fields.text(9, &clock.label)
    try fields.text(10, &clock.day)
    fields.signed(11, &clock.dayTop)
  }
}

private struct SelectionChanged: DeclaredMessage {
  var pane: UInt64 = 0
  var selection = PaneSelection()

  static let schema = MessageSchema("SelectionChanged")

  mutating func walk(_ fields: inout WireFields) throws(DecodingFailure) {
    fields.number(1, &pane)
    fields.number(2, &selection.rowID)
    fields.choice(3, &selection.pin, unknown: .none)
    try fields.message(4, &selection.row)
  }
}

extension PaneHeader: DeclaredMessage {
  static let schema = MessageSchema("PaneHeader")

  init() { self.init(paneID: 0, kind: .unknown, subject: 0, title: []) }

  mutating func walk(_ fields: inout WireFields) throws(DecodingFailure) {
    fields.number(1, &paneID)
    fields.choice(2, &kind, unknown: .unknown)
    fields.number(3, &subject)
    try fields.utf8(4, &title)
    try fields.utf8(5, &query)
    try fields.utf8(6, &filter)
    fields.flag(7, &isPreview)
  }
}

extension PaneFrame: DeclaredMessage {
  static let schema = MessageSchema("PaneFrame")

  init() { self.init(paneID: 0, x: 0, width: 0) }

  mutating func walk(_ fields: inout WireFields) {
    fields.number(1, &paneID)
    fields.signed(2, &x)
    fields.count(3, &width)
    fields.count(4, &columnX)
    fields.count(5, &columnWidth)
    fields.count(6, &textX)
    fields.count(7, &textWidth)
    fields.flag(8, &isCompact)
    var sides = UInt32(roundedSides.rawValue)
    fields.number(9, &sides)
    roundedSides = RoundedSides(rawValue: UInt8(truncatingIfNeeded: sides))
    fields.count(10, &indent)
  }
}

extension Navigation: DeclaredMessage {
  static let schema = MessageSchema("NavigationChanged")

  mutating func walk(_ fields: inout WireFields) throws(DecodingFailure) {
    try fields.message(1, &account)
    var messages = rows.map(RowMessage.init)
    try fields.messages(2, &messages)
    rows = messages.compactMap(\.row)
    try fields.text(3, &footer)
    fields.flag(4, &isCompact)
    fields.count(5, &width)
  }

  /// The schema's NavigationRow; nil if its section is from a later version.
  private struct RowMessage: DeclaredMessage {
    var row: Row?

    static let schema = MessageSchema("NavigationRow")

    init() {}

    init(_ row: Row) { self.row = row }

    mutating func walk(_ fields: inout WireFields) throws(DecodingFailure) {
      var section = row?.section
      var row = row ?? Row(section: .timeline, label: "", icon: "")
      fields.knownChoice(1, &section)
      try fields.text(2, &row.label)
      try fields.text(3, &row.icon)
      fields.count(4, &row.unseen)
      fields.flag(5, &row.isSelected)
      row.section = section ?? row.section
      self.row = section.map { _ in row }
    }
  }
}
