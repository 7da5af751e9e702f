internal import CProtobufC
internal import WireProto

/// Which session a command is for, and under which condition; the schema's SessionCommand.
public struct SessionCommand: Equatable, Sendable {
  /// Empty for "main".
  public var session = ""
  /// The same one again is done once; empty for no such promise.
  public var requestID = ""
  /// Only if the session last changed at this revision; 0 for always.
  public var ifRevision: UInt64 = 0

  /// A command on the main session.
  public init() {}
}

extension CArena {
  fileprivate func command(_ command: SessionCommand) -> UnsafeMutablePointer<Stack__V1__SessionCommand> {
    let message = unsafe make(stack__v1__session_command__init)
    unsafe message.pointee.session = string(command.session)
    unsafe message.pointee.request_id = string(command.requestID)
    unsafe message.pointee.if_revision = command.ifRevision
    return unsafe message
  }
}

private func readCommand(_ pointer: UnsafeMutablePointer<Stack__V1__SessionCommand>?) -> SessionCommand {
  var command = SessionCommand()
  guard let pointer = unsafe pointer else { return command }
  command.session = unsafe text(pointer.pointee.session)
  command.requestID = unsafe text(pointer.pointee.request_id)
  command.ifRevision = unsafe pointer.pointee.if_revision
  return command
}

/// Opens a pane to the right of another.
public struct PushRequest: Equatable, WireMessage {
  public var command = SessionCommand()
  /// 0 for the topmost.
  public var fromPane: UInt64 = 0
  /// The post whose conversation it shows: number or `source:native-id`.
  public var conversation: String

  /// Opens the conversation around a post.
  public init(conversation: String) { self.conversation = conversation }

  public init(decoding bytes: [UInt8]) throws(DecodingFailure) {
    self = unsafe try decode(bytes, "PushRequest", stack__v1__push_request__unpack) {
      message throws(DecodingFailure) in
      guard unsafe message.subject_case == STACK__V1__PUSH_REQUEST__SUBJECT_CONVERSATION else {
        throw DecodingFailure("subject is missing: name the post whose conversation to open")
      }
      var request = PushRequest(conversation: unsafe text(message.conversation))
      request.command = unsafe readCommand(message.command)
      request.fromPane = unsafe message.from_pane
      return request
    }
  }

  public func encoded() -> [UInt8] {
    let arena = CArena()
    let message = unsafe arena.make(stack__v1__push_request__init)
    unsafe message.pointee.command = arena.command(command)
    unsafe message.pointee.from_pane = fromPane
    unsafe message.pointee.subject_case = STACK__V1__PUSH_REQUEST__SUBJECT_CONVERSATION
    unsafe message.pointee.conversation = arena.string(conversation)
    return unsafe arena.encode(message)
  }
}

/// Closes the topmost pane.
public struct PopRequest: Equatable, WireMessage {
  public var command = SessionCommand()

  /// Closes the topmost pane of the main session.
  public init() {}

  public init(decoding bytes: [UInt8]) throws(DecodingFailure) {
    self = unsafe try decode(bytes, "PopRequest", stack__v1__pop_request__unpack) {
      message throws(DecodingFailure) in
      var request = PopRequest()
      request.command = unsafe readCommand(message.command)
      return request
    }
  }

  public func encoded() -> [UInt8] {
    let arena = CArena()
    let message = unsafe arena.make(stack__v1__pop_request__init)
    unsafe message.pointee.command = arena.command(command)
    return unsafe arena.encode(message)
  }
}

/// A pane was pushed or popped: PushResponse and PopResponse, which have the same fields.
public struct PaneResponse: Equatable, WireMessage {
  public var paneID: UInt64
  /// A frame at or after this revision shows it.
  public var revision: UInt64

  /// Puts the parts together.
  public init(paneID: UInt64, revision: UInt64) {
    self.paneID = paneID
    self.revision = revision
  }

  public init(decoding bytes: [UInt8]) throws(DecodingFailure) {
    self = unsafe try decode(bytes, "PushResponse", stack__v1__push_response__unpack) {
      message throws(DecodingFailure) in
      unsafe PaneResponse(paneID: message.pane_id, revision: message.revision)
    }
  }

  public func encoded() -> [UInt8] {
    let arena = CArena()
    let message = unsafe arena.make(stack__v1__push_response__init)
    unsafe message.pointee.pane_id = paneID
    unsafe message.pointee.revision = revision
    return unsafe arena.encode(message)
  }
}
