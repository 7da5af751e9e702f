public import ViewState

/// Retries what a source refused.
public struct RetryRequest: Equatable, DeclaredMessage {
  /// An idempotency key: a repeated request has no further effect; empty for none.
  public var requestID = ""
  /// Post ID or `source:native-id`.
  public var post = ""

  static let schema = MessageSchema("RetryRequest")

  /// Retries the refused action on `post`.
  public init(post: String) { self.post = post }

  init() {}

  mutating func walk(_ fields: inout WireFields) throws(DecodingFailure) {
    try fields.text(1, &requestID, limit: SharedLimits.requestIDBytes)
    try fields.text(2, &post)
  }
}

/// Discards what a source refused.
public struct DiscardRequest: Equatable, DeclaredMessage {
  /// An idempotency key: a repeated request has no further effect; empty for none.
  public var requestID = ""
  /// Post ID or `source:native-id`.
  public var post = ""
  /// True to discard also what waits for the source.
  public var givesUpPending = false

  static let schema = MessageSchema("DiscardRequest")

  /// Discards the refused action on `post`.
  public init(post: String) { self.post = post }

  init() {}

  mutating func walk(_ fields: inout WireFields) throws(DecodingFailure) {
    try fields.text(1, &requestID, limit: SharedLimits.requestIDBytes)
    try fields.text(2, &post)
    fields.flag(3, &givesUpPending)
  }
}

/// An action that waits for a remote source; the schema's OutboxEntry.
public struct OutboxItem: Equatable, DeclaredMessage {
  /// The post it is about.
  public var postID: UInt64 = 0
  public var source = ""
  /// The action requested of the source, in the terms of docs/UPSTREAM.md.
  public var action = ""
  public var delivery = Delivery.pending
  /// True while the source is being asked for it.
  public var isAsked = false
  /// The reason the source refused it; one line.
  public var failure = ""
  /// The text of the post; empty if the account may no longer see it.
  public var text = ""
  /// The source's last reason for not doing it now; empty if it has given none.
  public var postponedReason = ""
  /// The time at which a source that has put it off is asked again, in milliseconds since 1970; 0 if it has not.
  public var nextAtMilliseconds: Int64 = 0

  static let schema = MessageSchema("OutboxEntry")

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
    try fields.text(8, &postponedReason)
    fields.signed(9, &nextAtMilliseconds)
  }
}

/// All actions of an account that wait for remote sources.
public struct ListOutboxResponse: Equatable, DeclaredMessage, PageResponse {
  /// In the order in which sources are asked.
  public var entries: [OutboxItem] = []
  public var nextPageToken = ""

  /// The entries, for generic readers of pages.
  public var items: [OutboxItem] { entries }

  static let schema = MessageSchema("ListOutboxResponse")

  public init() {}

  mutating func walk(_ fields: inout WireFields) throws(DecodingFailure) {
    try fields.messages(1, &entries)
    try fields.text(2, &nextPageToken)
  }
}
