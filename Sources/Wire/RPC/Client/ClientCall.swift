/// The client's end of one call, of any shape.
///
/// Messages are either pushed with `send`, into a bounded queue, or pulled through `onReadyToSend`. After `onEnd` a
/// call ignores everything and releases all of its callbacks.
public final class ClientCall {
  private enum Sending {
    case open
    /// No more messages will be queued.
    case closing
    case ended
  }

  /// The time at which the call is given up, by the clock of `ClientConnection.receive`.
  public let deadline: Duration?
  /// Maximum bytes of one response message. A larger one ends the call with RESOURCE_EXHAUSTED before it is buffered.
  public var messageLimitBytes: Int
  /// Maximum bytes in `send`'s queue.
  public var queueLimitBytes: Int

  /// Called with the server's metadata, before the first message. Not called for a trailers-only response.
  public var onInitialMetadata: ((ClientCall, Metadata) -> Void)?
  /// Called with each message from the server.
  public var onMessage: ((ClientCall, [UInt8]) -> Void)?
  /// Called exactly once, with the final status and the trailing metadata. Nothing is called after it.
  public var onEnd: ((ClientCall, Status, Metadata) -> Void)?
  /// Returns the next message; called when there is room for one. `wake` has no effect inside it.
  public var onReadyToSend: ((ClientCall) -> ClientPull)? {
    didSet { if onReadyToSend != nil { wake() } }
  }

  private var connection: ClientConnection?
  private let stream: Int32
  private var sending = Sending.open
  private var reader = MessageReader()
  private var window = ReceiveWindow()
  private var queue = SendQueue()
  private var isWaiting = false
  private var hasHeaders = false
  /// The contents of the trailers; `onEnd` is called once the stream has closed after them.
  private var received: (status: Status, trailers: Metadata)?

  init(connection: ClientConnection, stream: Int32, deadline: Duration?, limits: ConnectionLimits.Messages) {
    self.connection = connection
    self.stream = stream
    self.deadline = deadline
    messageLimitBytes = limits.receivedBytes
    queueLimitBytes = limits.queuedBytes
  }

  /// True until the call has ended.
  public var isOpen: Bool { connection != nil }

  /// Bytes in `send`'s queue that have not been sent.
  public var queuedBytes: Int { queue.byteCount }

  /// Queues a message.
  ///
  /// - Throws: `queueFull` if the message would not fit; an empty queue accepts one of any size. `callEnded`, also
  ///   after `closeSend`.
  public func send(_ message: [UInt8]) throws(SendError) {
    guard connection != nil, sending == .open else { throw .callEnded }
    guard queue.isEmpty || queue.byteCount + message.count <= queueLimitBytes else { throw .queueFull }
    queue.append(message)
    wake()
  }

  /// Closes the sending half. Responses still arrive.
  public func closeSend() {
    guard connection != nil, sending == .open else { return }
    sending = .closing
    wake()
  }

  /// Cancels the call: `onEnd` is called with CANCELLED before this returns.
  public func cancel() {
    end(Status(.cancelled, "the call was cancelled"), Metadata(), resetting: true)
  }

  /// Calls `onReadyToSend` again after it has returned `wait`.
  public func wake() {
    guard isWaiting, let connection else { return }
    isWaiting = false
    connection.session.resume(stream)
  }

  /// Switches to manual flow control, as `ServerCall.receiveByHand` does for the client's messages.
  public func receiveByHand(allowance: Int) { window.allowance = allowance }

  /// Marks `bytes` of messages as processed, which reopens the window.
  public func consume(_ bytes: Int) {
    let credit = window.consumed(bytes)
    connection?.session.credit(stream, credit)
  }

  // MARK: Called by the connection

  /// Handles a complete header block.
  func received(_ headers: ResponseHeaders, endsStream: Bool, limit: Int) {
    // 1xx responses are interim and carry no result.
    if let status = headers.httpStatus, status.hasPrefix("1"), !endsStream { return }
    guard headers.byteCount <= limit else {
      return fail(
        .resourceExhausted, "response headers of \(headers.byteCount) bytes; the limit is \(limit)")
    }
    if let status = headers.status, endsStream {
      received = (status, headers.metadata)
      return
    }
    guard let httpStatus = headers.httpStatus else {
      return fail(
        .internal,
        endsStream ? "the response trailers have no grpc-status" : "trailers in the middle of the response")
    }
    guard httpStatus == "200" else {
      return end(ResponseHeaders.status(forHTTP: httpStatus), headers.metadata, resetting: true)
    }
    guard let type = headers.contentType, type.hasPrefix("application/grpc") else {
      return fail(.unknown, "not a gRPC response: content-type is \(headers.contentType ?? "missing")")
    }
    if let encoding = headers.encoding, encoding != "identity" {
      return fail(.unimplemented, "the response uses unsupported compression: \(encoding)")
    }
    guard !hasHeaders else { return fail(.internal, "duplicate response headers") }
    hasHeaders = true
    onInitialMetadata?(self, headers.metadata)
  }

  /// Handles bytes of messages.
  func received(_ bytes: RawSpan) {
    guard let connection else { return }
    let (messages, failure) = reader.receive(bytes, limit: messageLimitBytes)
    for message in messages { window.delivered(message.count) }
    connection.session.credit(stream, window.received(bytes.byteCount))
    for message in messages { onMessage?(self, message) }
    if let failure {
      end(failure.responseStatus(limit: messageLimitBytes), Metadata(), resetting: true)
    }
  }

  /// Handles the end of the server's half.
  func peerEnded() {
    if let received {
      let isCutShort = received.status.isOK && !reader.isBetweenMessages
      end(
        isCutShort ? Status(.internal, "the response ended in the middle of a message") : received.status,
        received.trailers, resetting: sending != .ended)
    } else {
      fail(.internal, "the response ended without a status")
    }
  }

  /// Ends the call after its stream closed without trailers.
  func closed(errorCode: UInt32) {
    end(ResponseHeaders.status(forErrorCode: errorCode), Metadata(), resetting: false)
  }

  /// Ends the call because its deadline has passed.
  func deadlinePassed() {
    end(Status(.deadlineExceeded, "no response before the deadline"), Metadata(), resetting: true)
  }

  /// Returns what of the body can be sent, with room for `room` bytes.
  func fill(room: Int) -> HTTP2Fill {
    pull(room: room)
    let count = min(room, queue.byteCount)
    if sending != .open, count == queue.byteCount { return .last(count) }
    if count > 0 { return .bytes(count) }
    isWaiting = true
    return .nothing
  }

  private func pull(room: Int) {
    while sending == .open, queue.byteCount < room, let onReadyToSend {
      switch onReadyToSend(self) {
      case .message(let message): queue.append(message)
      case .wait: return
      case .close: closeSend()
      }
    }
  }

  /// Writes the bytes promised by `fill`.
  func write(_ count: Int, to output: inout [UInt8]) { queue.move(count, to: &output) }

  /// Records that our half has been sent.
  func sentLast() { sending = .ended }

  private func fail(_ code: StatusCode, _ message: String) {
    end(Status(code, message), Metadata(), resetting: true)
  }

  /// Ends the call because no response can arrive: the stream is gone, or will never be processed.
  func becameUnavailable(_ message: String) {
    end(Status(.unavailable, message), Metadata(), resetting: false)
  }

  /// Reports the end, once. Resets a stream that is still open in either direction.
  private func end(_ status: Status, _ trailers: Metadata, resetting: Bool) {
    guard let connection else { return }
    self.connection = nil
    let callback = onEnd
    onInitialMetadata = nil
    onMessage = nil
    onReadyToSend = nil
    onEnd = nil
    connection.callEnded(stream, resetting: resetting)
    callback?(self, status, trailers)
  }
}
