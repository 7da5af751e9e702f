internal import ViewState

/// A session, as ListSessions tells it; the schema's SessionSummary.
public struct SessionSummary: Equatable, WalkedMessage {
  public var name = ""
  /// Titles of its panes, the lowest first.
  public var panes: [String] = []
  /// Views that are attached to it.
  public var views = 0
  /// At which it last changed.
  public var revision: UInt64 = 0

  static let typeName = "SessionSummary"

  /// A session without panes.
  public init() {}

  mutating func walk(_ fields: inout WireFields) throws(DecodingFailure) {
    try fields.text(1, "name", &name)
    try fields.texts(2, "panes", &panes)
    fields.count(3, &views)
    fields.number(4, &revision)
  }
}

/// An account's sessions.
public struct ListSessionsResponse: Equatable, WalkedMessage {
  /// By name.
  public var sessions: [SessionSummary] = []

  static let typeName = "ListSessionsResponse"

  /// No sessions.
  public init() {}

  mutating func walk(_ fields: inout WireFields) throws(DecodingFailure) {
    try fields.messages(1, "sessions", &sessions)
  }
}

/// Gives a session another name.
public struct RenameSessionRequest: Equatable, WalkedMessage {
  public var command = SessionCommand()
  /// The new one, 1 to 64 bytes.
  public var name = ""

  static let typeName = "RenameSessionRequest"

  /// Calls the main session `name`.
  public init(name: String) { self.name = name }

  /// No name yet, for those who fill it.
  init() {}

  mutating func walk(_ fields: inout WireFields) throws(DecodingFailure) {
    try fields.message(1, "command", &command)
    try fields.name(2, &name)
  }
}

extension WireFields {
  /// A name that has to be said, of at most 64 bytes.
  mutating func name(_ field: UInt64, _ value: inout String) throws(DecodingFailure) {
    try text(field, "name", &value, limit: SharedLimits.nameBytes)
    guard !isReading || !value.isEmpty else { throw failure("name", "is missing") }
  }
}
