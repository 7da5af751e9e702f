/// One call as its client sees it, of any shape.
///
/// Messages go out pushed with `send`, into a queue with a limit, or pulled by `onReadyToSend`. After `onEnd` a call
/// ignores everything and keeps none of its callbacks.
public final class ClientCall {
  private enum Sending {
    case open
    /// No more messages will be queued.
    case closing
    case ended
  }

  /// When the call is given up, by the clock of `ClientConnection.receive`.
  public let deadline: Duration?
  /// Bytes of one response message; a larger one ends the call with RESOURCE_EXHAUSTED before it is kept.
  public var messageLimitBytes: Int
  /// Bytes that may wait in `send`'s queue.
  public var queueLimitBytes: Int

  /// The server's metadata, before the first message. Not called when the response is nothing but an end.
  public var onInitialMetadata: ((ClientCall, Metadata) -> Void)?
  /// A message of the server's.
  public var onMessage: ((ClientCall, [UInt8]) -> Void)?
  /// The end, with the trailing metadata. Called exactly once, and nothing is called after it.
  public var onEnd: ((ClientCall, Status, Metadata) -> Void)?
  /// Asked for the next message when there is room for it. Inside it `wake` has no effect.
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
  /// What the trailers said; the end is told when the stream has closed after them.
  private var received: (status: Status, trailers: Metadata)?

  init(connection: ClientConnection, stream: Int32, deadline: Duration?, limits: ConnectionLimits.Messages) {
    self.connection = connection
    self.stream = stream
    self.deadline = deadline
    messageLimitBytes = limits.receivedBytes
    queueLimitBytes = limits.queuedBytes
  }

  /// Whether the end has not come yet.
  public var isOpen: Bool { connection != nil }

  /// Bytes in `send`'s queue that have not gone out.
  public var queuedBytes: Int { queue.byteCount }

  /// Queues a message.
  ///
  /// - Throws: `queueFull` if the message would not fit; an empty queue takes one of any size. `callEnded`, also after
  ///   `closeSend`.
  public func send(_ message: [UInt8]) throws(SendError) {
    guard connection != nil, sending == .open else { throw .callEnded }
    guard queue.isEmpty || queue.byteCount + message.count <= queueLimitBytes else { throw .queueFull }
    queue.append(message)
    wake()
  }

  /// No more messages will come from here. Responses still do.
  public func closeSend() {
    guard connection != nil, sending == .open else { return }
    sending = .closing
    wake()
  }

  /// Gives the call up: `onEnd` is called with CANCELLED before this returns.
  public func cancel() {
    end(Status(.cancelled, "the call was cancelled here"), Metadata(), resetting: true)
  }

  /// Asks `onReadyToSend` again, after it has answered `wait`.
  public func wake() {
    guard isWaiting, let connection else { return }
    isWaiting = false
    connection.session.resume(stream)
  }

  /// Holds the server back by hand, as `ServerCall.receiveByHand` does the client.
  public func receiveByHand(allowance: Int) { window.allowance = allowance }

  /// The application has done with `bytes` of messages, which opens the window again.
  public func consume(_ bytes: Int) {
    let credit = window.consumed(bytes)
    connection?.session.credit(stream, credit)
  }

  // MARK: Called by the connection

  /// A header block is complete.
  func received(_ headers: ResponseHeaders, endsStream: Bool, limit: Int) {
    // 1xx comes before the response and says nothing about it.
    if let status = headers.httpStatus, status.hasPrefix("1"), !endsStream { return }
    guard headers.byteCount <= limit else {
      return fail(
        .resourceExhausted, "the response's headers are \(headers.byteCount) bytes; at most \(limit) are taken")
    }
    if let status = headers.status, endsStream {
      received = (status, headers.metadata)
      return
    }
    guard let httpStatus = headers.httpStatus else {
      return fail(
        .internal,
        endsStream ? "the response's trailers have no grpc-status" : "trailers came in the middle of the response")
    }
    guard httpStatus == "200" else {
      return end(ResponseHeaders.status(forHTTP: httpStatus), headers.metadata, resetting: true)
    }
    guard let type = headers.contentType, type.hasPrefix("application/grpc") else {
      return fail(.unknown, "the server does not answer with gRPC but with \(headers.contentType ?? "no content type")")
    }
    if let encoding = headers.encoding, encoding != "identity" {
      return fail(.unimplemented, "the server compresses with \(encoding), which is not supported")
    }
    guard !hasHeaders else { return fail(.internal, "the response has headers twice") }
    hasHeaders = true
    onInitialMetadata?(self, headers.metadata)
  }

  /// Bytes of messages have come.
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

  /// The server will send no more.
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

  /// The stream has gone without an end in good order.
  func closed(errorCode: UInt32) {
    end(ResponseHeaders.status(forErrorCode: errorCode), Metadata(), resetting: false)
  }

  /// The deadline has passed.
  func deadlinePassed() {
    end(Status(.deadlineExceeded, "no answer came in the time allowed"), Metadata(), resetting: true)
  }

  /// There is room for `room` bytes.
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

  /// The bytes promised by `fill`.
  func write(_ count: Int, to output: inout [UInt8]) { queue.move(count, to: &output) }

  /// Our half is on its way.
  func sentLast() { sending = .ended }

  private func fail(_ code: StatusCode, _ message: String) {
    end(Status(code, message), Metadata(), resetting: true)
  }

  /// The server can answer no more: the stream is gone, or will never be looked at.
  func becameUnavailable(_ message: String) {
    end(Status(.unavailable, message), Metadata(), resetting: false)
  }

  /// The end, told once. A stream that is still open in either direction is reset.
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
