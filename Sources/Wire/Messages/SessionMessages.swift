internal import ViewState

/// A session as listed by ListSessions; the schema's Session.
public struct SessionSummary: Equatable, DeclaredMessage {
  public var name = ""
  /// Titles of its panes, lowest first.
  public var panes: [String] = []
  /// The number of attached views.
  public var views = 0
  /// The revision of its last change.
  public var revision: UInt64 = 0
  /// The numbers of the attached views, ascending; at most ``viewLimit`` of them.
  public var viewIDs: [UInt64] = []

  /// The number of views that are named.
  public static let viewLimit = 100

  static let schema = MessageSchema("Session")

  /// A session without panes.
  public init() {}

  mutating func walk(_ fields: inout WireFields) throws(DecodingFailure) {
    try fields.text(1, &name)
    try fields.texts(2, &panes)
    fields.count(3, &views)
    fields.number(4, &revision)
    fields.numbers(5, &viewIDs)
  }
}

/// An account's sessions.
public struct ListSessionsResponse: Equatable, DeclaredMessage, PageResponse {
  /// Sorted by name.
  public var sessions: [SessionSummary] = []
  public var nextPageToken = ""

  /// The sessions, for generic readers of pages.
  public var items: [SessionSummary] { sessions }

  static let schema = MessageSchema("ListSessionsResponse")

  public init() {}

  mutating func walk(_ fields: inout WireFields) throws(DecodingFailure) {
    try fields.messages(1, &sessions)
    try fields.text(2, &nextPageToken)
  }
}

/// Renames a session.
public struct RenameSessionRequest: Equatable, DeclaredMessage {
  public var command = SessionCommand()
  /// The new name, 1 to 64 bytes.
  public var name = ""

  static let schema = MessageSchema("RenameSessionRequest")

  /// Renames the main session to `name`.
  public init(name: String) { self.name = name }

  init() {}

  mutating func walk(_ fields: inout WireFields) throws(DecodingFailure) {
    try fields.message(1, &command)
    try fields.name(2, &name)
  }
}

extension WireFields {
  /// A required name of at most 64 bytes.
  mutating func name(_ field: UInt32, _ value: inout String) throws(DecodingFailure) {
    try text(field, &value, limit: SharedLimits.nameBytes)
    guard !isReading || !value.isEmpty else { throw failure("name", "is missing") }
  }
}
