public import ViewState

/// Reposts, favourites or otherwise marks a post, or undoes that.
public struct MarkRequest: Equatable, DeclaredMessage {
  /// An idempotency key: a repeated request has no further effect; empty for none.
  public var requestID = ""
  /// Post ID or `source:native-id`.
  public var post = ""
  /// Nil if the request has none.
  public var kind: MarkKind?
  /// True to undo the mark.
  public var isUnmark = false

  static let schema = MessageSchema("MarkRequest")

  /// Marks `post`, or undoes that.
  public init(_ kind: MarkKind, post: String, isUnmark: Bool = false) {
    (self.post, self.kind, self.isUnmark) = (post, kind, isUnmark)
  }

  init() {}

  mutating func walk(_ fields: inout WireFields) throws(DecodingFailure) {
    try fields.text(1, &requestID, limit: SharedLimits.requestIDBytes)
    try fields.text(2, &post)
    try fields.choice(3, &kind)
    fields.flag(4, &isUnmark)
  }
}

/// The result of Mark.
public struct MarkResponse: Equatable, DeclaredMessage {
  /// False if the post was already in that state.
  public var hasChanged = false
  /// The repost that was created; 0 for none.
  public var repostID: UInt64 = 0
  /// Frames at or after this revision include the change.
  public var revision: UInt64 = 0

  static let schema = MessageSchema("MarkResponse")

  public init(hasChanged: Bool, repostID: UInt64, revision: UInt64) {
    self.hasChanged = hasChanged
    self.repostID = repostID
    self.revision = revision
  }

  init() {}

  mutating func walk(_ fields: inout WireFields) throws(DecodingFailure) {
    fields.flag(1, &hasChanged)
    fields.number(2, &repostID)
    fields.number(3, &revision)
  }
}

/// Marks posts as read or unread.
public struct MarkReadRequest: Equatable, DeclaredMessage {
  /// Post IDs or `source:native-id`; 1 to ``SharedLimits/readMarksAtOnce``.
  public var posts: [String] = []
  /// Nil if the request has none.
  public var readMark: RowReadMark?
  /// An idempotency key: a repeated request has no further effect; empty for none.
  public var requestID = ""

  static let schema = MessageSchema("MarkReadRequest")

  /// Marks `posts` as `readMark`.
  public init(_ readMark: RowReadMark, posts: [String]) { (self.readMark, self.posts) = (readMark, posts) }

  init() {}

  mutating func walk(_ fields: inout WireFields) throws(DecodingFailure) {
    try fields.text(1, &requestID, limit: SharedLimits.requestIDBytes)
    try fields.texts(2, &posts)
    try fields.choice(3, &readMark)
  }
}

/// The result of MarkRead.
public struct MarkReadResponse: Equatable, DeclaredMessage {
  /// The number of posts whose mark has changed.
  public var changed = 0
  /// Frames at or after this revision include the change.
  public var revision: UInt64 = 0

  static let schema = MessageSchema("MarkReadResponse")

  public init(changed: Int, revision: UInt64) {
    self.changed = changed
    self.revision = revision
  }

  init() {}

  mutating func walk(_ fields: inout WireFields) throws(DecodingFailure) {
    fields.count(1, &changed)
    fields.number(2, &revision)
  }
}
