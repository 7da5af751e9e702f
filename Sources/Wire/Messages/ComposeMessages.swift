internal import ViewState

/// The visibility of a post written here; the numbers are the schema's.
public enum ComposeVisibility: UInt8, Sendable, CaseIterable {
  case everybody = 1
  /// Visible to everyone, but left out of public listings.
  case unlisted = 2
  /// Visible to the accounts that follow its author.
  case followers = 3
  /// Visible to the accounts that its text mentions.
  case direct = 4
}

/// Writes a post.
public struct ComposeRequest: Equatable, DeclaredMessage {
  /// An idempotency key: a repeated request has no further effect; empty for none.
  public var requestID = ""
  public var text: String
  /// Post ID or `source:native-id`; empty for none.
  public var inReplyTo = ""
  public var visibility = ComposeVisibility.everybody
  /// The draft to delete; 0 for none.
  public var draftID: UInt64 = 0
  /// The remote source to publish to; empty for none.
  public var source = ""
  /// A line that is shown in place of the text until a person wants to see it; empty for none.
  public var contentWarning = ""
  /// BCP 47 tag of the text's language; empty if unknown.
  public var language = ""
  /// Files that its source has.
  public var media: [UploadedMedia] = []

  static let schema = MessageSchema("ComposeRequest")

  /// Creates a public post that is not a reply.
  public init(text: String) { self.text = text }

  init() { text = "" }

  mutating func walk(_ fields: inout WireFields) throws(DecodingFailure) {
    try fields.text(1, &requestID, limit: SharedLimits.requestIDBytes)
    try fields.text(2, &text)
    try fields.text(3, &inReplyTo)
    var choice = Optional(visibility)
    try fields.choice(4, &choice)
    guard let choice else {
      throw fields.failure(
        "visibility", "is missing; set who may see the post: 1 is everyone, 2 unlisted, 3 followers, 4 direct")
    }
    visibility = choice
    fields.number(5, &draftID)
    try fields.text(6, &source)
    try fields.text(7, &contentWarning)
    try fields.text(8, &language)
    try fields.messages(9, &media)
  }
}

/// The result of Compose.
public struct ComposeResponse: Equatable, DeclaredMessage {
  public var postID: UInt64 = 0
  /// Frames at or after this revision include the post.
  public var revision: UInt64 = 0
  /// True while the post waits for its source to accept it.
  public var isPending = false

  static let schema = MessageSchema("ComposeResponse")

  public init(postID: UInt64, revision: UInt64, isPending: Bool = false) {
    self.postID = postID
    self.revision = revision
    self.isPending = isPending
  }

  init() {}

  mutating func walk(_ fields: inout WireFields) throws(DecodingFailure) {
    fields.number(1, &postID)
    fields.number(2, &revision)
    fields.flag(3, &isPending)
  }
}

/// Changes the text of a post.
public struct EditRequest: Equatable, DeclaredMessage {
  /// An idempotency key: a repeated request has no further effect; empty for none.
  public var requestID = ""
  /// Post ID or `source:native-id`.
  public var post = ""
  /// The new text.
  public var text = ""
  /// The draft to delete; 0 for none.
  public var draftID: UInt64 = 0

  static let schema = MessageSchema("EditRequest")

  /// Changes the text of `post` to `text`.
  public init(post: String, text: String) { (self.post, self.text) = (post, text) }

  init() {}

  mutating func walk(_ fields: inout WireFields) throws(DecodingFailure) {
    try fields.text(1, &requestID, limit: SharedLimits.requestIDBytes)
    try fields.text(2, &post)
    try fields.text(3, &text)
    fields.number(4, &draftID)
  }
}

/// Deletes a post.
public struct DeleteRequest: Equatable, DeclaredMessage {
  /// An idempotency key: a repeated request has no further effect; empty for none.
  public var requestID = ""
  /// Post ID or `source:native-id`.
  public var post = ""

  static let schema = MessageSchema("DeleteRequest")

  /// Deletes `post`.
  public init(post: String) { self.post = post }

  init() {}

  mutating func walk(_ fields: inout WireFields) throws(DecodingFailure) {
    try fields.text(1, &requestID, limit: SharedLimits.requestIDBytes)
    try fields.text(2, &post)
  }
}

/// Requests every post as JSON Lines.
public struct ExportRequest: Equatable, DeclaredMessage {
  /// True for public posts only, false for all the account may see.
  public var publicOnly = false

  static let schema = MessageSchema("ExportRequest")

  /// Requests public posts only, or all the account may see.
  public init(publicOnly: Bool) { self.publicOnly = publicOnly }

  init() {}

  mutating func walk(_ fields: inout WireFields) { fields.flag(1, &publicOnly) }
}

/// A part of an export.
public struct ExportResponse: Equatable, DeclaredMessage {
  /// Complete lines.
  public var lines: [UInt8] = []
  public var count = 0

  static let schema = MessageSchema("ExportResponse")

  public init(lines: [UInt8], count: Int) {
    self.lines = lines
    self.count = count
  }

  init() {}

  mutating func walk(_ fields: inout WireFields) {
    fields.bytes(1, &lines)
    fields.count(2, &count)
  }
}
