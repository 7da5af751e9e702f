internal import ViewState

/// A session, as ListSessions tells it; the schema's Session.
public struct SessionSummary: Equatable, DeclaredMessage {
  public var name = ""
  /// Titles of its panes, the lowest first.
  public var panes: [String] = []
  /// Views that are attached to it.
  public var views = 0
  /// At which it last changed.
  public var revision: UInt64 = 0

  static let schema = MessageSchema("Session")

  /// A session without panes.
  public init() {}

  mutating func walk(_ fields: inout WireFields) throws(DecodingFailure) {
    try fields.text(1, &name)
    try fields.texts(2, &panes)
    fields.count(3, &views)
    fields.number(4, &revision)
  }
}

/// An account's sessions.
public struct ListSessionsResponse: Equatable, DeclaredMessage, PageResponse {
  /// By name.
  public var sessions: [SessionSummary] = []
  public var nextPageToken = ""

  /// The same, for readers of lists of any kind.
  public var items: [SessionSummary] { sessions }

  static let schema = MessageSchema("ListSessionsResponse")

  /// No sessions.
  public init() {}

  mutating func walk(_ fields: inout WireFields) throws(DecodingFailure) {
    try fields.messages(1, &sessions)
    try fields.text(2, &nextPageToken)
  }
}

/// Gives a session another name.
public struct RenameSessionRequest: Equatable, DeclaredMessage {
  public var command = SessionCommand()
  /// The new one, 1 to 64 bytes.
  public var name = ""

  static let schema = MessageSchema("RenameSessionRequest")

  /// Calls the main session `name`.
  public init(name: String) { self.name = name }

  /// No name yet, for those who fill it.
  init() {}

  mutating func walk(_ fields: inout WireFields) throws(DecodingFailure) {
    try fields.message(1, &command)
    try fields.name(2, &name)
  }
}

extension WireFields {
  /// A name that has to be said, of at most 64 bytes.
  mutating func name(_ field: UInt32, _ value: inout String) throws(DecodingFailure) {
    try text(field, &value, limit: SharedLimits.nameBytes)
    guard !isReading || !value.isEmpty else { throw failure("name", "is missing") }
  }
}
