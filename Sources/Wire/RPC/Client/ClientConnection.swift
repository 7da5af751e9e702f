/// The client's end of one gRPC connection: calls in, bytes out, bytes in, answers out. It has no socket and reads no
/// clock.
public final class ClientConnection {
  /// Called when there is something to send after there was nothing: `takeOutput` is due.
  public var onOutput: (() -> Void)? {
    get { session.onOutput }
    set { session.onOutput = newValue }
  }

  let session: HTTP2Session
  private let limits: ConnectionLimits
  private let authority: String
  private let userAgent: String
  private var calls: [Int32: ClientCall] = [:]
  /// The header block that is arriving: one at a time, since no other frame may come in between (RFC 9113 section 4.3).
  private var block: (stream: Int32, headers: ResponseHeaders)?
  /// Calls that have ended here but whose stream nghttp2 still has: it may ask for bytes that it was promised.
  private var leaving: [Int32: ClientCall] = [:]
  private var now: Duration
  private var isOver = false
  private var isGoingAway = false
  private var isClosing = false
  private static let notHTTP2 = "the server does not speak HTTP/2 as gRPC needs it"

  /// A connection whose preface and SETTINGS are ready to be sent. Nil when memory is short.
  ///
  /// - Parameter authority: what `:authority` says; `localhost` on a Unix socket, as gRPC's naming document asks.
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

  /// Begins a call. Its messages, callbacks and end are the returned object's.
  ///
  /// - Parameters:
  ///   - path: `/package.Service/Method`.
  ///   - timeout: how long it may take in all; told to the server, and kept here too.
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
      throw Status(.unavailable, "the connection has no stream numbers left")
    }
    let call = ClientCall(connection: self, stream: stream, deadline: timeout.map { now + $0 }, limits: limits.messages)
    calls[stream] = call
    return call
  }

  /// The open calls, oldest first: what they do when they are told something happens in the same order every time.
  private var callsInOrder: [ClientCall] { calls.sorted { $0.key < $1.key }.map(\.value) }

  /// Calls that have not ended.
  public var openCalls: Int { calls.count }

  // MARK: The driver's side

  /// Takes bytes from the server. Calls go on and end inside. Not to be called from a callback of a call.
  public func receive(_ bytes: RawSpan, at now: Duration) {
    self.now = now
    if !session.receive(bytes) { connectionLost(ClientConnection.notHTTP2) }
  }

  /// Moves bytes for the server to the end of `buffer`, and stops soon after `limit`. False if there were none.
  @discardableResult
  public func takeOutput(into buffer: inout [UInt8], limit: Int) -> Bool {
    session.takeOutput(into: &buffer, limit: limit)
  }

  /// Whether there is something to send.
  public var hasOutput: Bool { session.hasOutput }

  /// Whether the socket should be closed, once what has been taken is sent.
  public var wantsClose: Bool { session.isOver || (isGoingAway && calls.isEmpty) }

  /// Whether all is lost, and the socket should be closed although not all that was taken has been sent.
  public var hasGivenUp: Bool { isOver }

  /// The socket is gone: every open call ends with UNAVAILABLE and this message.
  public func connectionLost(_ message: String) {
    guard !isOver else { return }
    isOver = true
    // nghttp2 has ended it, and nobody here asked for that: the fault is in what the server sent.
    let message = session.isOver && !isGoingAway && !isClosing ? ClientConnection.notHTTP2 : message
    session.abandon()
    for call in callsInOrder { call.becameUnavailable(message) }
    block = nil
    leaving = [:]
  }

  /// Ends the connection in good order: open calls are cancelled, and a GOAWAY is due.
  public func close() {
    isClosing = true
    for call in callsInOrder { call.cancel() }
    session.terminate(HTTP2Session.ErrorCode.none)
  }

  /// When `timeReached` is next due. Linear in the number of open calls.
  public var nextDeadline: Duration? { calls.values.lazy.compactMap(\.deadline).min() }

  /// Does what is due at `now`. Harmless when nothing is.
  public func timeReached(_ now: Duration) {
    self.now = now
    for call in callsInOrder {
      if let deadline = call.deadline, deadline <= now { call.deadlinePassed() }
    }
  }

  /// A call has ended: called by the call.
  func callEnded(_ stream: Int32, resetting: Bool) {
    let call = calls.removeValue(forKey: stream)
    if block?.stream == stream { block = nil }
    guard resetting else { return }
    leaving[stream] = call
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
    leaving[stream] = nil
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
    // nghttp2 ends the calls above the last stream; those that still wait for their turn it would leave waiting.
    for (stream, call) in calls.sorted(by: { $0.key < $1.key }) where !session.isOpen(stream) {
      call.becameUnavailable("the server is shutting down")
    }
  }
}

extension ClientConnection: HTTP2BodySource {
  func fill(_ stream: Int32, room: Int) -> HTTP2Fill { calls[stream]?.fill(room: room) ?? .nothing }

  func write(_ count: Int, of stream: Int32, to output: inout [UInt8]) {
    (calls[stream] ?? leaving[stream])?.write(count, to: &output)
  }
}
