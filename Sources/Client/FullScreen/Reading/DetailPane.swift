internal import Messages
internal import ViewState

/// Shows in the pane to the right what the selected row of a list leads to. The focus stays in the list.
struct DetailPane {
  /// The widths of the strip and of a pane in cells; the daemon uses the same for terminals.
  private static let (stripWidth, paneWidth) = (4, 58)

  /// The command that shows a detail.
  private enum Command: Equatable {
    case none
    case asked
    /// The first revision that shows its effect.
    case answered(UInt64)
  }

  private var isWanted = false
  private var command = Command.none
  /// True if the user knows that the screen has no room for a detail.
  private var hasToldNarrow = false

  /// Shows nothing yet.
  init() {}

  /// True if a command was sent whose effect has not been shown.
  var isPending: Bool { command != .none }

  /// Asks for the detail of the selected row.
  mutating func want(_ reader: PaneReader, _ connection: inout Connection) {
    isWanted = true
    send(reader, &connection)
  }

  /// Sends the command that is due, if any: one at a time, since each replaces the pane that the last one has opened.
  mutating func send(_ reader: PaneReader, _ connection: inout Connection) {
    guard isWanted, command == .none else { return }
    isWanted = false
    guard let row = reader.currentRow, let subject = reader.subject(of: row),
      let index = reader.index(of: reader.focusID)
    else { return }
    let right = reader.mirror.panes.dropFirst(index + 1).first?.header
    if let right, subject == Self.subject(of: right) { return }
    command = .asked
    if let right {
      var request = ReplaceRequest(subject)
      request.push.command = connection.command()
      request.push.fromPane = right.paneID
      connection.call(.detail, Method.replace, request)
    } else {
      var request = PushRequest(subject)
      request.command = connection.command()
      request.fromPane = reader.focusID
      connection.call(.detail, Method.push, request)
    }
  }

  /// Records that the command was answered. Its effect shows at `revision`; nil if it failed.
  mutating func answered(at revision: UInt64?, shown: UInt64) {
    command = revision.map { $0 > shown ? .answered($0) : .none } ?? .none
  }

  /// Records that a revision is shown.
  mutating func shown(_ revision: UInt64) {
    if case .answered(let wanted) = command, revision >= wanted { command = .none }
  }

  /// Returns true the first time: then the user is told that there is no room.
  mutating func tellNarrow() -> Bool {
    defer { hasToldNarrow = true }
    return !hasToldNarrow
  }

  /// Returns true if the focused pane and the one to its right are both visible whole, or would be.
  static func hasRoom(beside reader: PaneReader, columns: Int) -> Bool {
    let frames = reader.mirror.paneFrames
    guard let index = frames.firstIndex(where: { $0.paneID == reader.focusID }) else { return false }
    let right = frames.dropFirst(index + 1).first?.width ?? paneWidth
    return frames[index].width + right + stripWidth <= columns
  }

  /// Returns the subject of a pane that a row may lead to; nil for other panes.
  private static func subject(of header: PaneHeader) -> Subject? {
    switch header.kind {
    case .conversation: .conversation(String(header.subject))
    case .direct: .direct(header.subject)
    case .list: .list(String(header.subject))
    default: nil
    }
  }
}
