public import ViewState

/// Which session a command is for, and under which condition; the schema's SessionCommand.
public struct SessionCommand: Equatable, DeclaredMessage {
  /// Empty for "main".
  public var session = ""
  /// The same one again is done once; empty for no such promise.
  public var requestID = ""
  /// Only if the session last changed at this revision; 0 for always.
  public var ifRevision: UInt64 = 0

  static let schema = MessageSchema("SessionCommand")

  /// A command on the main session.
  public init() {}

  mutating func walk(_ fields: inout WireFields) throws(DecodingFailure) {
    // What it may be is the daemon's to say.
    try fields.text(1, &session)
    try fields.text(2, &requestID, limit: SharedLimits.requestIDBytes)
    fields.number(3, &ifRevision)
  }
}

/// A command that says no more than which session: PopRequest, DropAllRequest, BackRequest, ForwardRequest and
/// DeleteSessionRequest.
public struct SessionRequest: Equatable, DeclaredMessage {
  public var command = SessionCommand()

  static let schema = MessageSchema(
    "PopRequest", "DropAllRequest", "BackRequest", "ForwardRequest", "DeleteSessionRequest")

  /// About the main session.
  public init() {}

  mutating func walk(_ fields: inout WireFields) throws(DecodingFailure) { try fields.message(1, &command) }
}

/// Opens a pane to the right of another.
public struct PushRequest: Equatable, DeclaredMessage {
  public var command = SessionCommand()
  /// The pane it is opened from; 0 for the topmost.
  public var fromPane: UInt64 = 0
  public var subject: Subject
  /// Width it wants; 0 for the profile's.
  public var width = 0

  static let schema = MessageSchema("PushRequest")

  /// Opens a pane that shows `subject` from the topmost one.
  public init(_ subject: Subject) { self.subject = subject }

  /// Opens the conversation around a post.
  public init(conversation: String) { self.init(.conversation(conversation)) }

  /// A conversation around nothing, for those who fill it.
  init() { self.init(.conversation("")) }

  mutating func walk(_ fields: inout WireFields) throws(DecodingFailure) {
    try fields.message(1, &command)
    fields.number(2, &fromPane)
    var subject = fields.isReading ? nil : Optional(subject)
    try fields.subject(3, &subject)
    switch subject {
    case let subject? where !fields.isReading: self.subject = subject
    case nil: throw fields.failure("subject", "is missing: say which \(Self.choices) to open")
    case .section, .post: throw fields.failure("subject", "is nothing to push: say which \(Self.choices) to open")
    case let subject?: self.subject = subject
    }
    try fields.width(4, &width)
  }

  private static let choices = "conversation, author, list, direct conversation or search"
}

/// Puts a pane in the place of another, which `push.fromPane` names.
public struct ReplaceRequest: Equatable, DeclaredMessage {
  public var push: PushRequest

  static let schema = MessageSchema("ReplaceRequest")

  /// Puts a pane that shows `subject` in the place of the topmost one.
  public init(_ subject: Subject) { push = PushRequest(subject) }

  /// Nothing yet, for those who fill it.
  init() { push = PushRequest() }

  mutating func walk(_ fields: inout WireFields) throws(DecodingFailure) {
    try fields.requiredMessage(1, &push)
  }
}

/// Takes the panes right of one.
public struct PopToRequest: Equatable, DeclaredMessage {
  public var command = SessionCommand()
  /// Becomes the topmost.
  public var paneID: UInt64 = 0

  static let schema = MessageSchema("PopToRequest")

  /// Takes the panes right of `paneID`.
  public init(paneID: UInt64) { self.paneID = paneID }

  /// No pane yet, for those who fill it.
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
  /// For the search: what for; empty for nothing yet.
  public var query = ""

  static let schema = MessageSchema("OpenRequest")

  /// Opens `section`.
  public init(_ section: Section) { self.section = section }

  /// The timeline, for those who fill it.
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

  /// Takes the selection of the topmost pane away.
  public init() {}

  mutating func walk(_ fields: inout WireFields) throws(DecodingFailure) {
    try fields.message(1, &command)
    fields.number(2, &paneID)
    fields.number(3, &rowID)
  }
}

/// Gives a pane another width.
public struct ResizePaneRequest: Equatable, DeclaredMessage {
  public var command = SessionCommand()
  /// 0 for the topmost.
  public var paneID: UInt64 = 0
  /// As in ``PushRequest``.
  public var width = 0

  static let schema = MessageSchema("ResizePaneRequest")

  /// Gives the topmost pane the profile's width.
  public init() {}

  mutating func walk(_ fields: inout WireFields) throws(DecodingFailure) {
    try fields.message(1, &command)
    fields.number(2, &paneID)
    try fields.width(3, &width)
  }
}

/// Limits a pane to what a filter lets through.
public struct SetFilterRequest: Equatable, DeclaredMessage {
  public var command = SessionCommand()
  /// 0 for the topmost.
  public var paneID: UInt64 = 0
  /// In the words of filters; empty for everything.
  public var filter = ""

  static let schema = MessageSchema("SetFilterRequest")

  /// Limits the topmost pane.
  public init(filter: String) { self.filter = filter }

  /// No filter yet, for those who fill it.
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

  /// No post yet.
  public init() {}

  mutating func walk(_ fields: inout WireFields) throws(DecodingFailure) {
    try fields.message(1, &command)
    fields.number(2, &paneID)
    fields.number(3, &rowID)
    fields.flag(4, &isCollapsed)
  }
}

/// Notes how far a section has been read.
public struct SetReadingPositionRequest: Equatable, DeclaredMessage {
  /// Its revision is compared with that of the position's last change.
  public var command = SessionCommand()
  public var section: Section
  /// The first post shown.
  public var rowID: UInt64 = 0
  /// Which line of it.
  public var line = 0

  static let schema = MessageSchema("SetReadingPositionRequest")

  /// The first line of post `rowID`.
  public init(_ section: Section, rowID: UInt64) {
    self.section = section
    self.rowID = rowID
  }

  /// No post of the timeline yet, for those who fill it.
  init() { section = .timeline }

  mutating func walk(_ fields: inout WireFields) throws(DecodingFailure) {
    try fields.message(1, &command)
    section = try fields.section(2, section)
    fields.number(3, &rowID)
    fields.count(4, &line)
  }
}

/// A command on a stack is done.
public struct PaneResponse: Equatable, DeclaredMessage {
  /// The pane that the command was about.
  public var paneID: UInt64 = 0
  /// A frame at or after this revision shows it.
  public var revision: UInt64 = 0

  static let schema = MessageSchema(
    "PushResponse", "PopResponse", "PopToResponse", "ReplaceResponse", "DropAllResponse", "OpenResponse",
    "BackResponse",
    "ForwardResponse", "SelectResponse", "ResizePaneResponse", "CollapseResponse", "SetFilterResponse")

  /// Puts the parts together.
  public init(paneID: UInt64, revision: UInt64) {
    self.paneID = paneID
    self.revision = revision
  }

  /// Nothing yet, for those who fill it.
  init() {}

  mutating func walk(_ fields: inout WireFields) throws(DecodingFailure) {
    fields.number(1, &paneID)
    fields.number(2, &revision)
  }
}

/// A command is done of which there is no more to say.
public struct RevisionResponse: Equatable, DeclaredMessage {
  /// Of the change; a frame at or after it shows it.
  public var revision: UInt64 = 0

  static let schema = MessageSchema(
    "DeleteResponse", "EditResponse", "RetryResponse", "DiscardResponse", "SetReadingPositionResponse",
    "RenameSessionResponse", "DeleteSessionResponse", "FollowResponse", "UnfollowResponse")

  /// Done at `revision`.
  public init(revision: UInt64) { self.revision = revision }

  /// Nothing yet, for those who fill it.
  init() {}

  mutating func walk(_ fields: inout WireFields) throws(DecodingFailure) { fields.number(1, &revision) }
}

extension WireFields {
  /// The width that a pane wants.
  fileprivate mutating func width(_ field: UInt32, _ value: inout Int) throws(DecodingFailure) {
    count(field, &value)
    guard !isReading || value <= 10_000 else { throw failure("width", "is \(value); 0 to 10,000 is possible") }
  }

  /// A section, which has to be said.
  fileprivate mutating func section(_ field: UInt32, _ value: Section) throws(DecodingFailure) -> Section {
    var section: Section? = value
    try choice(field, &section)
    guard let section else {
      throw failure("section", "is missing: 1 is the timeline, 2 to 6 are the other rows of the navigation pane")
    }
    return section
  }
}
