internal import ViewState

/// Who may see a post that is written here; the numbers are the schema's.
public enum ComposeVisibility: UInt8, Sendable, CaseIterable {
  case everybody = 1
  /// Everybody, but it is kept out of public listings.
  case unlisted = 2
  /// The accounts that follow its author.
  case followers = 3
  /// The accounts that its text names.
  case direct = 4
}

/// Writes a post.
public struct ComposeRequest: Equatable, DeclaredMessage {
  /// The same one again is done once; empty for no such promise.
  public var requestID = ""
  public var text: String
  /// Number or `source:native-id`; empty for none.
  public var inReplyTo = ""
  public var visibility = ComposeVisibility.everybody
  /// The draft that it was; 0 for none.
  public var draftID: UInt64 = 0
  /// The source elsewhere that it is for; empty for none.
  public var source = ""

  static let schema = MessageSchema("ComposeRequest")

  /// A post for everybody that answers nothing.
  public init(text: String) { self.text = text }

  /// Nothing yet, for those who fill it.
  init() { text = "" }

  mutating func walk(_ fields: inout WireFields) throws(DecodingFailure) {
    try fields.text(1, &requestID, limit: SharedLimits.requestIDBytes)
    try fields.text(2, &text)
    try fields.text(3, &inReplyTo)
    var choice = Optional(visibility)
    try fields.choice(4, &choice)
    guard let choice else {
      throw fields.failure("visibility", "is missing: say who may see the post; 1 is everybody, and 2 to 4 are fewer")
    }
    visibility = choice
    fields.number(5, &draftID)
    try fields.text(6, &source)
  }
}

/// The post is stored.
public struct ComposeResponse: Equatable, DeclaredMessage {
  public var postID: UInt64 = 0
  /// A frame at or after this revision shows it.
  public var revision: UInt64 = 0

  static let schema = MessageSchema("ComposeResponse")

  /// Puts the parts together.
  public init(postID: UInt64, revision: UInt64) {
    self.postID = postID
    self.revision = revision
  }

  /// Nothing yet, for those who fill it.
  init() {}

  mutating func walk(_ fields: inout WireFields) throws(DecodingFailure) {
    fields.number(1, &postID)
    fields.number(2, &revision)
  }
}

/// Gives a post another text.
public struct EditRequest: Equatable, DeclaredMessage {
  /// The same one again is done once; empty for no such promise.
  public var requestID = ""
  /// Number or `source:native-id`.
  public var post = ""
  /// What it says from then on.
  public var text = ""
  /// The draft that it was; 0 for none.
  public var draftID: UInt64 = 0

  static let schema = MessageSchema("EditRequest")

  /// Has `post` say `text`.
  public init(post: String, text: String) { (self.post, self.text) = (post, text) }

  /// Nothing yet, for those who fill it.
  init() {}

  mutating func walk(_ fields: inout WireFields) throws(DecodingFailure) {
    try fields.text(1, &requestID, limit: SharedLimits.requestIDBytes)
    try fields.text(2, &post)
    try fields.text(3, &text)
    fields.number(4, &draftID)
  }
}

/// Takes a post away.
public struct DeleteRequest: Equatable, DeclaredMessage {
  /// The same one again is done once; empty for no such promise.
  public var requestID = ""
  /// Number or `source:native-id`.
  public var post = ""

  static let schema = MessageSchema("DeleteRequest")

  /// Takes `post` away.
  public init(post: String) { self.post = post }

  /// None yet, for those who fill it.
  init() {}

  mutating func walk(_ fields: inout WireFields) throws(DecodingFailure) {
    try fields.text(1, &requestID, limit: SharedLimits.requestIDBytes)
    try fields.text(2, &post)
  }
}

/// Asks for every post as JSON Lines.
public struct ExportRequest: Equatable, DeclaredMessage {
  /// Public posts only, or all the account may see.
  public var publicOnly = false

  static let schema = MessageSchema("ExportRequest")

  /// Public posts only, or all the account may see.
  public init(publicOnly: Bool) { self.publicOnly = publicOnly }

  /// Everything.
  init() {}

  mutating func walk(_ fields: inout WireFields) { fields.flag(1, &publicOnly) }
}

/// Some lines of an export.
public struct ExportResponse: Equatable, DeclaredMessage {
  /// Whole lines.
  public var lines: [UInt8] = []
  public var count = 0

  static let schema = MessageSchema("ExportResponse")

  /// Puts the parts together.
  public init(lines: [UInt8], count: Int) {
    self.lines = lines
    self.count = count
  }

  /// No lines yet.
  init() {}

  mutating func walk(_ fields: inout WireFields) {
    fields.bytes(1, &lines)
    fields.count(2, &count)
  }
}
