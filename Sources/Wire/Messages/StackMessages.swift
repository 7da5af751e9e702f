public import ViewState

/// The session a command applies to, and its condition; the schema's SessionCommand.
public struct SessionCommand: Equatable, DeclaredMessage {
  /// Empty for "main".
  public var session = ""
  /// An idempotency key: a repeated request has no further effect; empty for none.
  public var requestID = ""
  /// Applies the command only if the session last changed at this revision; 0 for always.
  public var ifRevision: UInt64 = 0

  static let schema = MessageSchema("SessionCommand")

  /// A command on the main session.
  public init() {}

  mutating func walk(_ fields: inout WireFields) throws(DecodingFailure) {
    // The daemon checks the name.
    try fields.text(1, &session)
    try fields.text(2, &requestID, limit: SharedLimits.requestIDBytes)
    fields.number(3, &ifRevision)
  }
}

/// A command that only names a session: PopRequest, DropAllRequest, BackRequest, ForwardRequest and
/// DeleteSessionRequest.
public struct SessionRequest: Equatable, DeclaredMessage {
  public var command = SessionCommand()

  static let schema = MessageSchema(
    "PopRequest", "DropAllRequest", "BackRequest", "ForwardRequest", "DeleteSessionRequest")

  /// A command on the main session.
  public init() {}

  mutating func walk(_ fields: inout WireFields) throws(DecodingFailure) { try fields.message(1, &command) }
}

/// Opens a pane to the right of another.
public struct PushRequest: Equatable, DeclaredMessage {
  public var command = SessionCommand()
  /// The pane it is opened from; 0 for the topmost.
  public var fromPane: UInt64 = 0
  public var subject: Subject
  /// Preferred width; 0 for the profile's.
  public var width = 0

  static let schema = MessageSchema("PushRequest")

  /// Opens a pane with `subject` from the topmost one.
  public init(_ subject: Subject) { self.subject = subject }

  /// Opens the conversation around a post.
  public init(conversation: String) { self.init(.conversation(conversation)) }

  init() { self.init(.conversation("")) }

  mutating func walk(_ fields: inout WireFields) throws(DecodingFailure) {
    try fields.message(1, &command)
    fields.number(2, &fromPane)
    var subject = fields.isReading ? nil : Optional(subject)
    try fields.subject(3, &subject)
    switch subject {
    case let subject? where !fields.isReading: self.subject = subject
    case nil: throw fields.failure("subject", "is missing; set the \(Self.choices) to open")
    case .section, .post: throw fields.failure("subject", "cannot be pushed; set the \(Self.choices) to open")
    case let subject?: self.subject = subject
    }
    try fields.width(4, &width)
  }

  private static let choices = "conversation, author, list, direct conversation or search"
}

/// Replaces the pane named by `push.fromPane`.
public struct ReplaceRequest: Equatable, DeclaredMessage {
  public var push: PushRequest

  static let schema = MessageSchema("ReplaceRequest")

  /// Replaces the topmost pane by one with `subject`.
  public init(_ subject: Subject) { push = PushRequest(subject) }

  init() { push = PushRequest() }

  mutating func walk(_ fields: inout WireFields) throws(DecodingFailure) {
    try fields.requiredMessage(1, &push)
  }
}

/// Closes the panes to the right of one.
public struct PopToRequest: Equatable, DeclaredMessage {
  public var command = SessionCommand()
  /// The pane that becomes the topmost.
  public var paneID: UInt64 = 0

  static let schema = MessageSchema("PopToRequest")

  /// Closes the panes to the right of `paneID`.
  public init(paneID: UInt64) { self.paneID = paneID }

  init() {}

  mutating func walk(_ fields: inout WireFields) throws(DecodingFailure) {
    try fields.message(1, &command)
    fields.number(2, &paneID)
  }
}

/// Opens a section as the new root.
public struct OpenRequest: Equatable, DeclaredMessage {
  public var command = SessionCommand()
  public var section: Section
  /// The query, for the search section; empty for none yet.
  public var query = ""

  static let schema = MessageSchema("OpenRequest")

  /// Opens `section`.
  public init(_ section: Section) { self.section = section }

  init() { section = .timeline }

  mutating func walk(_ fields: inout WireFields) throws(DecodingFailure) {
    try fields.message(1, &command)
    section = try fields.section(2, section)
    try fields.text(3, &query)
  }
}

/// Selects a row of a pane.
public struct SelectRequest: Equatable, DeclaredMessage {
  public var command = SessionCommand()
  /// 0 for the topmost.
  public var paneID: UInt64 = 0
  /// 0 for none.
  public var rowID: UInt64 = 0

  static let schema = MessageSchema("SelectRequest")

  /// Clears the selection of the topmost pane.
  public init() {}

  mutating func walk(_ fields: inout WireFields) throws(DecodingFailure) {
    try fields.message(1, &command)
    fields.number(2, &paneID)
    fields.number(3, &rowID)
  }
}

/// Changes the width of a pane.
public struct ResizePaneRequest: Equatable, DeclaredMessage {
  public var command = SessionCommand()
  /// 0 for the topmost.
  public var paneID: UInt64 = 0
  /// As in ``PushRequest``.
  public var width = 0

  static let schema = MessageSchema("ResizePaneRequest")

  /// Resets the topmost pane to the profile's width.
  public init() {}

  mutating func walk(_ fields: inout WireFields) throws(DecodingFailure) {
    try fields.message(1, &command)
    fields.number(2, &paneID)
    try fields.width(3, &width)
  }
}

/// Filters a pane.
public struct SetFilterRequest: Equatable, DeclaredMessage {
  public var command = SessionCommand()
  /// 0 for the topmost.
  public var paneID: UInt64 = 0
  /// A filter expression; empty for everything.
  public var filter = ""

  static let schema = MessageSchema("SetFilterRequest")

  /// Filters the topmost pane.
  public init(filter: String) { self.filter = filter }

  init() {}

  mutating func walk(_ fields: inout WireFields) throws(DecodingFailure) {
    try fields.message(1, &command)
    fields.number(2, &paneID)
    try fields.text(3, &filter)
  }
}

/// Hides or shows the replies below a post of a conversation.
public struct CollapseRequest: Equatable, DeclaredMessage {
  public var command = SessionCommand()
  /// 0 for the topmost.
  public var paneID: UInt64 = 0
  /// The post.
  public var rowID: UInt64 = 0
  public var isCollapsed = false

  static let schema = MessageSchema("CollapseRequest")

  public init() {}

  mutating func walk(_ fields: inout WireFields) throws(DecodingFailure) {
    try fields.message(1, &command)
    fields.number(2, &paneID)
    fields.number(3, &rowID)
    fields.flag(4, &isCollapsed)
  }
}

/// Unfolds a long text, or folds it again.
public struct FoldRequest: Equatable, DeclaredMessage {
  public var command = SessionCommand()
  /// 0 for the topmost.
  public var paneID: UInt64 = 0
  /// The row.
  public var rowID: UInt64 = 0
  public var isFolded = false

  static let schema = MessageSchema("FoldRequest")

  public init() {}

  mutating func walk(_ fields: inout WireFields) throws(DecodingFailure) {
    try fields.message(1, &command)
    fields.number(2, &paneID)
    fields.number(3, &rowID)
    fields.flag(4, &isFolded)
  }
}

/// Sets the reading position of a section.
public struct SetReadingPositionRequest: Equatable, DeclaredMessage {
  /// Its revision is compared with that of the position's last change.
  public var command = SessionCommand()
  public var section: Section
  /// The first post shown.
  public var rowID: UInt64 = 0
  /// The line of that post.
  public var line = 0

  static let schema = MessageSchema("SetReadingPositionRequest")

  /// The first line of post `rowID`.
  public init(_ section: Section, rowID: UInt64) {
    self.section = section
    self.rowID = rowID
  }

  init() { section = .timeline }

  mutating func walk(_ fields: inout WireFields) throws(DecodingFailure) {
    try fields.message(1, &command)
    section = try fields.section(2, section)
    fields.number(3, &rowID)
    fields.count(4, &line)
  }
}

/// The result of a command on a stack.
public struct PaneResponse: Equatable, DeclaredMessage {
  /// The pane that the command was about.
  public var paneID: UInt64 = 0
  /// Frames at or after this revision include the change.
  public var revision: UInt64 = 0

  static let schema = MessageSchema(
    "PushResponse", "PopResponse", "PopToResponse", "ReplaceResponse", "DropAllResponse", "OpenResponse",
    "BackResponse",
    "ForwardResponse", "SelectResponse", "ResizePaneResponse", "CollapseResponse", "FoldResponse",
    "SetFilterResponse")

  public init(paneID: UInt64, revision: UInt64) {
    self.paneID = paneID
    self.revision = revision
  }

  init() {}

  mutating func walk(_ fields: inout WireFields) throws(DecodingFailure) {
    fields.number(1, &paneID)
    fields.number(2, &revision)
  }
}

/// The result of a command that returns only a revision.
public struct RevisionResponse: Equatable, DeclaredMessage {
  /// The revision of the change; frames at or after it include it.
  public var revision: UInt64 = 0

  static let schema = MessageSchema(
    "DeleteResponse", "EditResponse", "RetryResponse", "DiscardResponse", "SetReadingPositionResponse",
    "RenameSessionResponse", "DeleteSessionResponse", "UnfollowResponse", "ApproveFollowResponse",
    "RefuseFollowResponse", "RemoveFollowerResponse", "RemoveFeedResponse")

  /// Done at `revision`.
  public init(revision: UInt64) { self.revision = revision }

  init() {}

  mutating func walk(_ fields: inout WireFields) throws(DecodingFailure) { fields.number(1, &revision) }
}

extension WireFields {
  /// The preferred width of a pane.
  fileprivate mutating func width(_ field: UInt32, _ value: inout Int) throws(DecodingFailure) {
    count(field, &value)
    guard !isReading || value <= 10_000 else { throw failure("width", "is \(value); it must be 0 to 10,000") }
  }

  /// A required section.
  fileprivate mutating func section(_ field: UInt32, _ value: Section) throws(DecodingFailure) -> Section {
    var section: Section? = value
    try choice(field, &section)
    guard let section else {
      throw failure("section", "is missing; 1 is the timeline, 2 to 6 are the other rows of the navigation pane")
    }
    return section
  }
}
