internal import CProtobufC
internal import WireProto

/// Writes a post.
public struct ComposeRequest: Equatable, WireMessage {
  /// The same one again is done once; empty for no such promise.
  public var requestID = ""
  public var text: String
  /// Number or `source:native-id`; empty for none.
  public var inReplyTo = ""

  /// A post that answers nothing.
  public init(text: String) { self.text = text }

  public init(decoding bytes: [UInt8]) throws(DecodingFailure) {
    try refuseNUL(in: bytes, field: 2, "text")
    self = unsafe try decode(bytes, "ComposeRequest", stack__v1__compose_request__unpack) {
      message throws(DecodingFailure) in
      var request = ComposeRequest(text: unsafe Messages.text(message.text))
      request.requestID = unsafe Messages.text(message.request_id)
      request.inReplyTo = unsafe Messages.text(message.in_reply_to)
      return request
    }
  }

  public func encoded() -> [UInt8] {
    let arena = CArena()
    let message = unsafe arena.make(stack__v1__compose_request__init)
    unsafe message.pointee.request_id = arena.string(requestID)
    unsafe message.pointee.text = arena.string(text)
    unsafe message.pointee.in_reply_to = arena.string(inReplyTo)
    return unsafe arena.encode(message)
  }
}

/// The post is stored.
public struct ComposeResponse: Equatable, WireMessage {
  public var postID: UInt64
  /// A frame at or after this revision shows it.
  public var revision: UInt64

  /// Puts the parts together.
  public init(postID: UInt64, revision: UInt64) {
    self.postID = postID
    self.revision = revision
  }

  public init(decoding bytes: [UInt8]) throws(DecodingFailure) {
    self = unsafe try decode(bytes, "ComposeResponse", stack__v1__compose_response__unpack) {
      message throws(DecodingFailure) in
      unsafe ComposeResponse(postID: message.post_id, revision: message.revision)
    }
  }

  public func encoded() -> [UInt8] {
    let arena = CArena()
    let message = unsafe arena.make(stack__v1__compose_response__init)
    unsafe message.pointee.post_id = postID
    unsafe message.pointee.revision = revision
    return unsafe arena.encode(message)
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
