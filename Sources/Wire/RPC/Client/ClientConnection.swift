/// The client's end of one gRPC connection: calls and received bytes in, bytes to send and responses out. Has no socket
/// and reads no clock.
public final class ClientConnection {
  /// Called when output becomes available after there was none: `takeOutput` is due.
  public var onOutput: (() -> Void)? {
    get { session.onOutput }
    set { session.onOutput = newValue }
  }

  let session: HTTP2Session
  private let limits: ConnectionLimits
  private let authority: String
  private let userAgent: String
  private var calls: [Int32: ClientCall] = [:]
  /// The header block that is arriving. There is at most one, since no other frame may interrupt it (RFC 9113 section
  /// 4.3).
  private var block: (stream: Int32, headers: ResponseHeaders)?
  /// Calls that have ended here but whose stream nghttp2 still has: it may ask for bytes it was promised.
  private var closingCalls: [Int32: ClientCall] = [:]
  private var now: Duration
  private var isOver = false
  private var isGoingAway = false
  private var isClosing = false
  private static let notHTTP2 = "the server does not speak gRPC over HTTP/2"

  /// Creates a connection with its preface and SETTINGS ready to be sent. Returns nil if memory is short.
  ///
  /// - Parameter authority: the value of `:authority`; `localhost` on a Unix socket, as gRPC's naming document asks.
  public init?(
    limits: ConnectionLimits, authority: String = "localhost", userAgent: String = "stack", at now: Duration
  ) {
    guard let session = HTTP2Session(role: .client, limits: limits) else { return nil }
    self.session = session
    self.limits = limits
    self.authority = authority
    self.userAgent = userAgent
    self.now = now
    session.owner = self
    session.bodies = self
  }

  // MARK: Calls

  /// Starts a call. Its messages, callbacks and end belong to the returned object.
  ///
  /// - Parameters:
  ///   - path: `/package.Service/Method`.
  ///   - timeout: the time the whole call may take; sent to the server, and enforced here too.
  /// - Throws: UNAVAILABLE if the connection is over or its server is shutting down.
  public func start(
    _ path: String, metadata: Metadata = Metadata(), timeout: Duration? = nil, at now: Duration
  ) throws(Status) -> ClientCall {
    self.now = now
    guard !isOver, !session.isOver else { throw Status(.unavailable, "the connection is closed") }
    guard !isGoingAway else { throw Status(.unavailable, "the server is shutting down") }
    var fields = [
      HeaderField(":method", "POST"), HeaderField(":scheme", "http"), HeaderField(":path", path),
      HeaderField(":authority", authority), HeaderField("te", "trailers"),
      HeaderField("content-type", "application/grpc"), HeaderField("user-agent", userAgent),
    ]
    if let timeout { fields.append(HeaderField("grpc-timeout", Timeout.format(timeout))) }
    guard let stream = session.request(fields + metadata.fields) else {
      throw Status(.unavailable, "the connection has no stream IDs left")
    }
    let call = ClientCall(connection: self, stream: stream, deadline: timeout.map { now + $0 }, limits: limits.messages)
    calls[stream] = call
    return call
  }

  /// The open calls, oldest first, so that callbacks run in the same order every time.
  private var callsInOrder: [ClientCall] { calls.sorted { $0.key < $1.key }.map(\.value) }

  /// The number of calls that have not ended.
  public var openCalls: Int { calls.count }

  // MARK: The driver's side

  /// Processes bytes from the server. Calls progress and end inside. Must not be called from a callback of a call.
  public func receive(_ bytes: RawSpan, at now: Duration) {
    self.now = now
    if !session.receive(bytes) { connectionLost(ClientConnection.notHTTP2) }
  }

  /// Moves bytes for the server to the end of `buffer`, and stops soon after `limit`. Returns false if there were none.
  @discardableResult
  public func takeOutput(into buffer: inout [UInt8], limit: Int) -> Bool {
    session.takeOutput(into: &buffer, limit: limit)
  }

  /// True if there is something to send.
  public var hasOutput: Bool { session.hasOutput }

  /// True if the socket should be closed once the bytes taken so far are sent.
  public var wantsClose: Bool { session.isOver || (isGoingAway && calls.isEmpty) }

  /// True if the connection has failed: the socket should be closed even if some bytes taken have not been sent.
  public var hasGivenUp: Bool { isOver }

  /// Ends every open call with UNAVAILABLE and this message, because the socket is gone.
  public func connectionLost(_ message: String) {
    guard !isOver else { return }
    isOver = true
    // nghttp2 has ended it and this side did not ask for that: the server sent something wrong.
    let message = session.isOver && !isGoingAway && !isClosing ? ClientConnection.notHTTP2 : message
    session.abandon()
    for call in callsInOrder { call.becameUnavailable(message) }
    block = nil
    closingCalls = [:]
  }

  /// Ends the connection gracefully: cancels the open calls and queues a GOAWAY.
  public func close() {
    isClosing = true
    for call in callsInOrder { call.cancel() }
    session.terminate(HTTP2Session.ErrorCode.none)
  }

  /// The time at which `timeReached` is next due. Linear in the number of open calls.
  public var nextDeadline: Duration? { calls.values.lazy.compactMap(\.deadline).min() }

  /// Does the work due at `now`. Harmless when nothing is due.
  public func timeReached(_ now: Duration) {
    self.now = now
    for call in callsInOrder {
      if let deadline = call.deadline, deadline <= now { call.deadlinePassed() }
    }
  }

  /// Removes a call that has ended; called by the call.
  func callEnded(_ stream: Int32, resetting: Bool) {
    let call = calls.removeValue(forKey: stream)
    if block?.stream == stream { block = nil }
    guard resetting else { return }
    closingCalls[stream] = call
    session.reset(stream, HTTP2Session.ErrorCode.cancel)
  }
}

extension ClientConnection: HTTP2SessionOwner {
  func headersBegan(on stream: Int32, areTrailers: Bool) {
    block = calls[stream] == nil ? nil : (stream, ResponseHeaders())
  }

  func received(name: String, value: String, on stream: Int32) {
    block?.headers.receive(name: name, value: value, limit: limits.streams.headerListBytes)
  }

  func headersEnded(on stream: Int32, endsStream: Bool, wireBytes: Int) {
    guard let response = block?.headers else { return }
    block = nil
    calls[stream]?.received(response, endsStream: endsStream, limit: limits.streams.headerListBytes)
  }

  func received(_ bytes: RawSpan, on stream: Int32) {
    guard let call = calls[stream] else { return session.credit(stream, bytes.byteCount) }
    call.received(bytes)
  }

  func peerEnded(_ stream: Int32) { calls[stream]?.peerEnded() }

  func streamClosed(_ stream: Int32, errorCode: UInt32) {
    closingCalls[stream] = nil
    calls[stream]?.closed(errorCode: errorCode)
  }

  func refusedStream() {}

  func windowOpened(_ stream: Int32, by increment: Int) -> Bool { false }

  func sentLastFrame(of stream: Int32) { calls[stream]?.sentLast() }

  func receivedSettings() {}

  func receivedPing() {}

  func receivedPingAnswer() {}

  func receivedGoAway(lastStream: Int32, errorCode: UInt32) {
    isGoingAway = true
    // nghttp2 ends the calls above the last stream, but would leave requests that are still queued waiting.
    for (stream, call) in calls.sorted(by: { $0.key < $1.key }) where !session.isOpen(stream) {
      call.becameUnavailable("the server is shutting down")
    }
  }
}

extension ClientConnection: HTTP2BodySource {
  func fill(_ stream: Int32, room: Int) -> HTTP2Fill { calls[stream]?.fill(room: room) ?? .nothing }

  func write(_ count: Int, of stream: Int32, to output: inout [UInt8]) {
    (calls[stream] ?? closingCalls[stream])?.write(count, to: &output)
  }
}
