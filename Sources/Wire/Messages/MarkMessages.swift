public import ViewState

/// Does something to a post, or takes it back.
public struct MarkRequest: Equatable, DeclaredMessage {
  /// The same one again is done once; empty for no such promise.
  public var requestID = ""
  /// Number or `source:native-id`.
  public var post = ""
  /// Nil for one that was not said.
  public var kind: MarkKind?
  /// Takes it back.
  public var isUnmark = false

  static let schema = MessageSchema("MarkRequest")

  /// Does that to `post`.
  public init(_ kind: MarkKind, post: String, isUnmark: Bool = false) {
    (self.post, self.kind, self.isUnmark) = (post, kind, isUnmark)
  }

  /// Nothing yet, for those who fill it.
  init() {}

  mutating func walk(_ fields: inout WireFields) throws(DecodingFailure) {
    try fields.text(1, &requestID, limit: SharedLimits.requestIDBytes)
    try fields.text(2, &post)
    try fields.choice(3, &kind)
    fields.flag(4, &isUnmark)
  }
}

/// It is so.
public struct MarkResponse: Equatable, DeclaredMessage {
  /// False if it was so already.
  public var hasChanged = false
  /// The repost that was made; 0 for none.
  public var repostID: UInt64 = 0
  /// A frame at or after this revision shows it.
  public var revision: UInt64 = 0

  static let schema = MessageSchema("MarkResponse")

  /// Puts the parts together.
  public init(hasChanged: Bool, repostID: UInt64, revision: UInt64) {
    (self.hasChanged, self.repostID, self.revision) = (hasChanged, repostID, revision)
  }

  /// Nothing yet, for those who fill it.
  init() {}

  mutating func walk(_ fields: inout WireFields) throws(DecodingFailure) {
    fields.flag(1, &hasChanged)
    fields.number(2, &repostID)
    fields.number(3, &revision)
  }
}

/// Says of posts that they are read, or unread.
public struct MarkReadRequest: Equatable, DeclaredMessage {
  /// Numbers or `source:native-id`; 1 to ``SharedLimits/readMarksAtOnce``.
  public var posts: [String] = []
  /// Nil for one that was not said.
  public var readMark: RowReadMark?
  /// The same one again is done once; empty for no such promise.
  public var requestID = ""

  static let schema = MessageSchema("MarkReadRequest")

  /// Says that of `posts`.
  public init(_ readMark: RowReadMark, posts: [String]) { (self.readMark, self.posts) = (readMark, posts) }

  /// Nothing yet, for those who fill it.
  init() {}

  mutating func walk(_ fields: inout WireFields) throws(DecodingFailure) {
    try fields.text(1, &requestID, limit: SharedLimits.requestIDBytes)
    try fields.texts(2, &posts)
    try fields.choice(3, &readMark)
  }
}

/// It is so.
public struct MarkReadResponse: Equatable, DeclaredMessage {
  /// Of how many of them something else was said before.
  public var changed = 0
  /// A frame at or after this revision shows it.
  public var revision: UInt64 = 0

  static let schema = MessageSchema("MarkReadResponse")

  /// Puts the parts together.
  public init(changed: Int, revision: UInt64) { (self.changed, self.revision) = (changed, revision) }

  /// Nothing yet, for those who fill it.
  init() {}

  mutating func walk(_ fields: inout WireFields) throws(DecodingFailure) {
    fields.count(1, &changed)
    fields.number(2, &revision)
  }
}
