public import ViewState

/// Asks a source again for what it refused.
public struct RetryRequest: Equatable, DeclaredMessage {
  /// The same one again is done once; empty for no such promise.
  public var requestID = ""
  /// Number or `source:native-id`.
  public var post = ""

  static let schema = MessageSchema("RetryRequest")

  /// Of what was done to `post`.
  public init(post: String) { self.post = post }

  /// None yet, for those who fill it.
  init() {}

  mutating func walk(_ fields: inout WireFields) throws(DecodingFailure) {
    try fields.text(1, &requestID, limit: SharedLimits.requestIDBytes)
    try fields.text(2, &post)
  }
}

/// Forgets what a source refused.
public struct DiscardRequest: Equatable, DeclaredMessage {
  /// The same one again is done once; empty for no such promise.
  public var requestID = ""
  /// Number or `source:native-id`.
  public var post = ""

  static let schema = MessageSchema("DiscardRequest")

  /// Of what was done to `post`.
  public init(post: String) { self.post = post }

  /// None yet, for those who fill it.
  init() {}

  mutating func walk(_ fields: inout WireFields) throws(DecodingFailure) {
    try fields.text(1, &requestID, limit: SharedLimits.requestIDBytes)
    try fields.text(2, &post)
  }
}

/// Something that an account wants of a source elsewhere.
public struct OutboxItem: Equatable, DeclaredMessage {
  /// The post it is about.
  public var postID: UInt64 = 0
  public var source = ""
  /// What the source is to do, in the words of docs/UPSTREAM.md.
  public var action = ""
  public var delivery = Delivery.pending
  /// Whether the source is being asked for it.
  public var isAsked = false
  /// Why the source refused it; one line.
  public var failure = ""
  /// The text of the post; empty where that may not be seen any more.
  public var text = ""

  static let schema = MessageSchema("OutboxEntry")

  /// Nothing yet, for those who fill it.
  public init() {}

  mutating func walk(_ fields: inout WireFields) throws(DecodingFailure) {
    fields.number(1, &postID)
    try fields.text(2, &source)
    try fields.text(3, &action)
    var choice = delivery == .none ? nil : Optional(delivery)
    try fields.choice(4, &choice)
    delivery = choice ?? .none
    fields.flag(5, &isAsked)
    try fields.text(6, &failure)
    try fields.text(7, &text)
  }
}

/// All that an account wants of sources elsewhere.
public struct ListOutboxResponse: Equatable, DeclaredMessage, PageResponse {
  /// In the order in which sources are asked.
  public var entries: [OutboxItem] = []
  public var nextPageToken = ""

  /// The same, for readers of lists of any kind.
  public var items: [OutboxItem] { entries }

  static let schema = MessageSchema("ListOutboxResponse")

  /// None.
  public init() {}

  mutating func walk(_ fields: inout WireFields) throws(DecodingFailure) {
    try fields.messages(1, &entries)
    try fields.text(2, &nextPageToken)
  }
}
