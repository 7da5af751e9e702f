internal import ViewState

/// The schema's Resume: the rows a client holds, in columns.
struct ResumeMessage: DeclaredMessage {
  var resume: Resume
  /// True if each pane's columns have equal length.
  private(set) var isUsable = true

  static let schema = MessageSchema("Resume")

  init(_ resume: Resume) { self.resume = resume }

  init() { resume = Resume(epoch: 0, revision: 0, layoutKey: 0, labelsAtMilliseconds: 0, panes: []) }

  mutating func walk(_ fields: inout WireFields) throws(DecodingFailure) {
    fields.number(1, &resume.epoch)
    fields.number(2, &resume.revision)
    fields.number(3, &resume.layoutKey)
    fields.signed(4, &resume.labelsAtMilliseconds)
    var panes = resume.panes.map(HeldPaneMessage.init)
    try fields.messages(5, &panes)
    guard fields.isReading else { return }
    let held = panes.compactMap(\.pane)
    isUsable = held.count == panes.count
    resume.panes = held
  }
}

extension ResumeMessage {
  /// Walks a client's resume state. If columns differ in length, ignores all of it: a pane without rows would be wrong.
  static func walkIfUsable(
    _ number: UInt32, _ resume: inout Resume?, _ fields: inout WireFields
  ) throws(DecodingFailure) {
    var message = resume.map(ResumeMessage.init)
    try fields.message(number, &message)
    resume = message.flatMap { $0.isUsable ? $0.resume : nil }
  }
}

private struct HeldPaneMessage: DeclaredMessage {
  var paneID: UInt64 = 0
  var rows: [UInt64] = []
  var fingerprints: [UInt64] = []
  var caps: [UInt32] = []

  static let schema = MessageSchema("HeldPane")

  init() {}

  init(_ pane: Resume.HeldPane) {
    paneID = pane.paneID
    rows = pane.rows.map(\.rowID)
    fingerprints = pane.rows.map(\.fingerprint)
    caps = pane.rows.map { UInt32($0.caps.rawValue) }
  }

  mutating func walk(_ fields: inout WireFields) {
    fields.number(1, &paneID)
    fields.numbers(2, &rows)
    fields.numbers(3, &fingerprints)
    fields.numbers(4, &caps)
  }

  /// The pane; nil if the columns differ in length.
  var pane: Resume.HeldPane? {
    guard fingerprints.count == rows.count, caps.count == rows.count else { return nil }
    let held = rows.indices.map { row in
      Resume.HeldRow(
        rowID: rows[row], fingerprint: fingerprints[row], caps: Caps(rawValue: UInt8(truncatingIfNeeded: caps[row])))
    }
    return Resume.HeldPane(paneID: paneID, rows: held)
  }
}
