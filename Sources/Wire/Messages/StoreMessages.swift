/// How much is kept of what a source brings.
public struct Keep: Equatable, DeclaredMessage {
  /// The posts of the last days; 0 for no such limit.
  public var days: UInt32 = 0
  /// The newest posts; 0 for no such limit. Ignored if `days` is set.
  public var posts: UInt32 = 0

  static let schema = MessageSchema("Keep")
  /// No limit.
  public static let everything = Keep()

  public init(days: UInt32 = 0, posts: UInt32 = 0) { (self.days, self.posts) = (days, posts) }

  init() {}

  mutating func walk(_ fields: inout WireFields) throws(DecodingFailure) {
    fields.number(1, &days)
    fields.number(2, &posts)
  }
}

/// What is kept of a source or feed, and what went.
public struct Retention: Equatable, DeclaredMessage {
  public var keep = Keep.everything
  /// True if that was set for this feed, not for all.
  public var isOwn = false
  /// The number of posts that were removed because of a limit.
  public var removedPosts: UInt64 = 0

  static let schema = MessageSchema("Retention")

  public init(_ keep: Keep, isOwn: Bool = false, removedPosts: UInt64) {
    (self.keep, self.isOwn, self.removedPosts) = (keep, isOwn, removedPosts)
  }

  init() {}

  mutating func walk(_ fields: inout WireFields) throws(DecodingFailure) {
    try fields.message(1, &keep)
    fields.flag(2, &isOwn)
    fields.number(3, &removedPosts)
  }
}

/// A source with a limit, or of which posts were removed; the schema's KeptSource.
public struct KeptSourceSummary: Equatable, DeclaredMessage {
  /// Its name; "feed" for all feeds.
  public var source = ""
  public var retention = Retention()

  static let schema = MessageSchema("KeptSource")

  public init(source: String, _ retention: Retention) { (self.source, self.retention) = (source, retention) }

  init() {}

  mutating func walk(_ fields: inout WireFields) throws(DecodingFailure) {
    try fields.text(1, &source)
    try fields.message(2, &retention)
  }
}

/// The size and the limits of the store; the schema's GetStoreResponse.
public struct StoreStatus: Equatable, DeclaredMessage {
  public var path = ""
  public var fileBytes: UInt64 = 0
  /// The bytes of the file that are in use.
  public var usedBytes: UInt64 = 0
  /// The size above which the oldest posts are removed; 0 for none.
  public var limitBytes: UInt64 = 0
  /// The bytes that are free where the file is; 0 if unknown.
  public var freeDiskBytes: UInt64 = 0
  /// True if the disk may soon be full.
  public var isDiskShort = false
  public var sources: [KeptSourceSummary] = []

  static let schema = MessageSchema("GetStoreResponse")

  public init() {}

  mutating func walk(_ fields: inout WireFields) throws(DecodingFailure) {
    try fields.text(1, &path)
    fields.number(2, &fileBytes)
    fields.number(3, &usedBytes)
    fields.number(4, &limitBytes)
    fields.number(5, &freeDiskBytes)
    try fields.messages(6, &sources)
    fields.flag(7, &isDiskShort)
  }
}

/// Sets how much is kept of a source.
public struct SetRetentionRequest: Equatable, DeclaredMessage {
  /// Its name; "feed" for all feeds without a limit of their own.
  public var source = ""
  public var keep = Keep.everything

  static let schema = MessageSchema("SetRetentionRequest")

  public init(source: String, keep: Keep) { (self.source, self.keep) = (source, keep) }

  init() {}

  mutating func walk(_ fields: inout WireFields) throws(DecodingFailure) {
    try fields.text(1, &source)
    try fields.message(2, &keep)
  }
}

/// Sets the size of the store.
public struct SetStoreLimitRequest: Equatable, DeclaredMessage {
  /// In bytes; 0 for none.
  public var limitBytes: UInt64 = 0

  static let schema = MessageSchema("SetStoreLimitRequest")

  public init(limitBytes: UInt64) { self.limitBytes = limitBytes }

  init() {}

  mutating func walk(_ fields: inout WireFields) throws(DecodingFailure) { fields.number(1, &limitBytes) }
}
