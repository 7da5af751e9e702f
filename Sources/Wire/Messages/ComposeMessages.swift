internal import CProtobufC
internal import ViewState
internal import WireProto

/// Who may see a post that is written here; the numbers are the schema's.
public enum ComposeVisibility: UInt8, Sendable, CaseIterable {
  case everybody = 0
  /// Everybody, but it is kept out of public listings.
  case unlisted = 1
  /// The accounts that follow its author.
  case followers = 2
  /// The accounts that its text names.
  case direct = 3
}

/// Writes a post.
public struct ComposeRequest: Equatable, WalkedMessage {
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

  static let typeName = "ComposeRequest"

  /// A post for everybody that answers nothing.
  public init(text: String) { self.text = text }

  /// Nothing yet, for those who fill it.
  init() { text = "" }

  mutating func walk(_ fields: inout WireFields) throws(DecodingFailure) {
    try fields.text(1, "request_id", &requestID, limit: SharedLimits.requestIDBytes)
    try fields.text(2, "text", &text)
    try fields.text(3, "in_reply_to", &inReplyTo)
    var choice = visibility == .everybody ? nil : Optional(visibility)
    try fields.choice(4, "visibility", &choice)
    visibility = choice ?? .everybody
    fields.number(5, &draftID)
    try fields.text(6, "source", &source)
  }
}

/// The post is stored.
public struct ComposeResponse: Equatable, WalkedMessage {
  public var postID: UInt64 = 0
  /// A frame at or after this revision shows it.
  public var revision: UInt64 = 0

  static let typeName = "ComposeResponse"

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
public struct EditRequest: Equatable, WalkedMessage {
  /// The same one again is done once; empty for no such promise.
  public var requestID = ""
  /// Number or `source:native-id`.
  public var post = ""
  /// What it says from then on.
  public var text = ""
  /// The draft that it was; 0 for none.
  public var draftID: UInt64 = 0

  static let typeName = "EditRequest"

  /// Has `post` say `text`.
  public init(post: String, text: String) { (self.post, self.text) = (post, text) }

  /// Nothing yet, for those who fill it.
  init() {}

  mutating func walk(_ fields: inout WireFields) throws(DecodingFailure) {
    try fields.text(1, "request_id", &requestID, limit: SharedLimits.requestIDBytes)
    try fields.text(2, "post", &post)
    try fields.text(3, "text", &text)
    fields.number(4, &draftID)
  }
}

/// Takes a post away.
public struct DeleteRequest: Equatable, WalkedMessage {
  /// The same one again is done once; empty for no such promise.
  public var requestID = ""
  /// Number or `source:native-id`.
  public var post = ""

  static let typeName = "DeleteRequest"

  /// Takes `post` away.
  public init(post: String) { self.post = post }

  /// None yet, for those who fill it.
  init() {}

  mutating func walk(_ fields: inout WireFields) throws(DecodingFailure) {
    try fields.text(1, "request_id", &requestID, limit: SharedLimits.requestIDBytes)
    try fields.text(2, "post", &post)
  }
}

/// Asks for every post as JSON Lines.
public struct ExportRequest: Equatable, WireMessage {
  public var publicOnly: Bool

  /// Public posts only, or all the account may see.
  public init(publicOnly: Bool) { self.publicOnly = publicOnly }

  public init(decoding bytes: [UInt8]) throws(DecodingFailure) {
    self = unsafe try decode(bytes, "ExportRequest", stack__v1__export_request__unpack) {
      message throws(DecodingFailure) in
      unsafe ExportRequest(publicOnly: message.public_only != 0)
    }
  }

  public func encoded() -> [UInt8] {
    let arena = CArena()
    let message = unsafe arena.make(stack__v1__export_request__init)
    unsafe message.pointee.public_only = publicOnly ? 1 : 0
    return unsafe arena.encode(message)
  }
}

/// Some lines of an export.
public struct ExportResponse: Equatable, WireMessage {
  /// Whole lines.
  public var lines: [UInt8]
  public var count: Int

  /// Puts the parts together.
  public init(lines: [UInt8], count: Int) {
    self.lines = lines
    self.count = count
  }

  public init(decoding bytes: [UInt8]) throws(DecodingFailure) {
    self = unsafe try decode(bytes, "ExportResponse", stack__v1__export_response__unpack) {
      message throws(DecodingFailure) in
      unsafe ExportResponse(lines: Messages.bytes(message.lines), count: Int(message.count))
    }
  }

  public func encoded() -> [UInt8] {
    let arena = CArena()
    let message = unsafe arena.make(stack__v1__export_response__init)
    unsafe message.pointee.lines = arena.data(lines)
    unsafe message.pointee.count = UInt32(clamping: count)
    return unsafe arena.encode(message)
  }
}
