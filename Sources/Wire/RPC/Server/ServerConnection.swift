/// The server's end of one gRPC connection: bytes in, calls out, bytes out. Has no socket and reads no clock.
///
/// Times are durations since any fixed origin; `timeReached` is due at `nextDeadline`.
public final class ServerConnection {
  /// Maximum time of each step of shutting down: the acknowledgement of the ping between the two GOAWAYs, the sending
  /// of the last statuses, the sending of the last GOAWAY.
  static let shutDownStep = Duration.seconds(1)

  /// The largest header list that is counted at all; a client that sends more is cut off.
  private static let headerListCeilingBytes = 1 << 18

  // Fields used on every delivery lie side by side, as in `ServerCall`.
  let session: HTTP2Session
  private let budget: CallBudget
  /// The calls that have something to send.
  private var senders = SenderChain()
  /// The bytes the client lets us send on all streams together.
  private var sendWindow = SendWindow()
  private var floods: FloodGuard
  /// True if messages have been taken for the socket since the share was last checked.
  private var hasSent = false
  var phase: Phase {
    didSet { isDeadlineStale = true }
  }
  /// The last value of `nextDeadline`, and whether it may have moved since.
  private var deadline: Duration?
  private var isDeadlineStale = true

  /// The identity of the client.
  public let peer: Peer
  var authentication: Authentication
  /// Called once, when a call has authenticated the client of a connection that does not identify it.
  public var onAuthenticated: ((ServerConnection, Peer) -> Void)?

  /// Called when output becomes available after there was none: `takeOutput` is due.
  public var onOutput: (() -> Void)? {
    get { session.onOutput }
    set { session.onOutput = newValue }
  }

  /// What the connection has of the budget.
  let share: ConnectionShare
  private let limits: ConnectionLimits
  private weak var handler: (any ServerCallHandler)?
  private(set) var calls: [Int32: ServerCall] = [:]
  /// The initial window of a stream.
  private var streamWindowBytes = SendWindow.initial
  /// The header block that is arriving. There is at most one, since no other frame may interrupt it (RFC 9113 section
  /// 4.3).
  private var block: (stream: Int32, headers: RequestHeaders)?
  /// The time that the driver passed last.
  var now: Duration
  private var idleSince: Duration
  /// Streams whose response has ended and that are still open.
  private var answered: Set<Int32> = []
  /// Bodies that are arriving and have to be measured.
  private var bodies = RequestBodies()

  /// Creates a connection with its SETTINGS ready to be sent. Does not retain the handler. Returns nil if memory is
  /// short.
  ///
  /// - Parameter budget: counts what is held for this client and others; nil for a budget of its own.
  public init?(
    limits: ConnectionLimits, budget: CallBudget? = nil, peer: Peer, handler: any ServerCallHandler, at now: Duration
  ) {
    guard let session = HTTP2Session(role: .server, limits: limits) else { return nil }
    self.session = session
    self.budget = budget ?? CallBudget()
    share = ConnectionShare(of: self.budget)
    self.limits = limits
    self.peer = peer
    authentication = Authentication(of: peer, timeout: limits.times.authentication, at: now)
    self.handler = handler
    self.now = now
    idleSince = now
    floods = FloodGuard(limits: limits.floods, at: now)
    phase = .awaitingPreface(until: now + limits.times.preface)
    session.owner = self
    share.onWanted = { [unowned self] in deadlineMoved() }
  }

  // MARK: The driver's side

  /// Processes bytes from the client. Calls begin, progress and end inside. Must not be called from a callback of a
  /// call.
  public func receive(_ bytes: RawSpan, at now: Duration) {
    self.now = now
    isDeadlineStale = true
    floods.beginReceiving()
    // Fails the connection if the client keeps us busy without payload.
    if session.receive(bytes), !floods.endReceiving(byteCount: bytes.byteCount, at: now) {
      session.fail(HTTP2Session.ErrorCode.enhanceYourCalm, "too many frames without payload")
    }
    if session.hasFailed { failed() }
    budget.admit()
  }

  /// Moves bytes for the client to the end of `buffer`, and stops soon after `limit`. Returns false if there were none.
  ///
  /// nghttp2's own output goes first: acknowledgements, headers, resets. Then each call with something to send gets a
  /// turn of one DATA frame, until the client's window is full.
  @discardableResult
  public func takeOutput(into buffer: inout [UInt8], limit: Int) -> Bool {
    let before = buffer.count
    session.takeOutput(into: &buffer, limit: limit)
    while session.isReadyForData, buffer.count - before < limit, sendWindow.bytes > 0, let call = senders.next() {
      let count = call.takeTurn(room: sendWindow.bytes, to: &buffer)
      if count > 0 {
        hasSent = true
        sendWindow.use(count)
        floods.sentFrame(byteCount: WindowUpdateExtractor.headerBytes + count)
      }
      // Trailers, if it was the call's last turn.
      session.takeOutput(into: &buffer, limit: limit - (buffer.count - before))
    }
    budget.admit()
    return buffer.count > before
  }

  /// Sets the number of bytes that have been taken and that the socket has not accepted.
  public func outputWaits(_ byteCount: Int) { share.setUnsent(byteCount) }

  /// Returns true if a call may make another message.
  func hasRoom(for account: CallBudget.Account) -> Bool { budget.isAmple || share.hasRoom(for: account) }

  /// Queues a call that has something to send.
  func scheduleTurn(of call: ServerCall) {
    senders.append(call)
    announceData()
  }

  private var hasData: Bool { !senders.isEmpty && sendWindow.bytes > 0 && !session.isOver }

  private func announceData() {
    if hasData { session.announceOutput() }
  }

  /// True if there is something to send.
  public var hasOutput: Bool { hasData || session.hasOutput }

  /// True if the socket should be closed once the bytes taken so far are sent.
  public var wantsClose: Bool { session.isOver }

  /// True if the connection has failed: the socket should be closed even if some bytes taken have not been sent.
  public var hasGivenUp: Bool {
    if case .over = phase { true } else { false }
  }

  /// The open calls, oldest first, so that every process behaves the same. O(n log n).
  var callsInOrder: [ServerCall] { calls.sorted { $0.key < $1.key }.map(\.value) }

  /// Ends the connection because the socket is gone, or is to be given up. Must be called when it is closed, since open
  /// calls keep the connection alive: every one of them is notified, and the connection cannot be used afterwards.
  public func connectionLost() {
    guard !hasGivenUp else { return }
    phase = .over
    session.abandon()
    loseCalls()
    share.setUnsent(0)
    budget.admit()
  }

  /// Handles a failed session: only the GOAWAY with the reason is still sent, if there is time.
  func failed() {
    switch phase {
    case .closing, .over: break
    default: phase = .closing(until: now + ServerConnection.shutDownStep)
    }
    loseCalls()
  }

  private func loseCalls() {
    let open = callsInOrder
    calls = [:]
    senders.removeAll()
    block = nil
    bodies = RequestBodies()
    answered = []
    for call in open { call.streamLost(.connectionLost) }
  }

  /// The time at which `timeReached` is next due, or earlier: a deadline that was moved later is not recomputed until
  /// then. Linear in the number of open calls if something may have brought one nearer, and next to nothing otherwise.
  public var nextDeadline: Duration? {
    if isDeadlineStale {
      isDeadlineStale = false
      deadline = earliestDeadline
    }
    return deadline
  }

  /// Returns the time `timeout` after now.
  func deadline(in timeout: Duration) -> Duration { now + timeout }

  /// Records that something may have brought a deadline nearer. The driver checks it when it checks for output.
  func deadlineMoved() {
    isDeadlineStale = true
    session.announceOutput()
  }

  private var earliestDeadline: Duration? {
    var next = calls.values.lazy.compactMap(\.nextDeadline).min()
    func consider(_ time: Duration) { next = min(next ?? time, time) }
    if let deadline = phase.deadline { consider(deadline) }
    if case .serving = phase {
      if calls.isEmpty { consider(idleSince + limits.times.idle) }
      if let deadline = authentication.deadline { consider(deadline) }
      if let check = share.nextCheck(at: now) { consider(check) }
    }
    return next
  }

  /// Does the work due at `now`. Harmless when nothing is due.
  public func timeReached(_ now: Duration) {
    self.now = now
    isDeadlineStale = true
    for call in callsInOrder { call.timeReached(now) }
    checkShare()
    switch phase {
    case .awaitingPreface(let until) where until <= now:
      session.fail(HTTP2Session.ErrorCode.protocolError, "the connection preface did not arrive in time")
      failed()
    case .serving where authentication.deadline.map { $0 <= now } ?? false: authenticationTimedOut()
    case .serving where calls.isEmpty && idleSince + limits.times.idle <= now: shutDown(grace: .zero, at: now)
    case .announcedShutDown(let until, let stop) where min(until, stop) <= now: drain(callsUntil: stop)
    case .draining(let callsUntil) where callsUntil <= now: endCalls()
    case .ending(let until) where until <= now: terminate(HTTP2Session.ErrorCode.none)
    case .closing(let until) where until <= now: connectionLost()
    default: break
    }
    budget.admit()
  }

  /// Ends the connection if others need the room that it has, and its client reads nothing.
  private func checkShare() {
    defer { hasSent = false }
    guard case .serving = phase, share.mustLeave(at: now, hasTaken: hasSent) else { return }
    reject("closed to make room: this connection does not read its responses")
  }

  /// Returns the status to send to the client at the end of a call.
  func ending(_ call: ServerCall, with status: Status) -> Status { handler?.ending(call, with: status) ?? status }

  private func remove(_ stream: Int32) -> ServerCall? {
    let call = calls.removeValue(forKey: stream)
    if let call, call.isListed { senders.remove(call) }
    isDeadlineStale = true
    if calls.isEmpty { idleSince = now }
    return call
  }

  // MARK: Requests that go on after their headers

  /// Carries out what the body of a request calls for. Returns false if the request is malformed.
  private func carryOut(_ action: RequestBodies.Action, on stream: Int32) -> Bool {
    switch action {
    case .none: break
    case .refuse:
      refuseMalformed(stream)
      return false
    case .answer(let httpStatus):
      session.respond(stream, [HeaderField(":status", httpStatus)], hasBody: false)
    }
    return true
  }

  /// Resets the stream of a malformed request (RFC 9113, section 8.1.1). Its call ends at once, so that the handler
  /// never takes what has arrived of it for a complete request.
  private func refuseMalformed(_ stream: Int32) {
    bodies.remove(stream)
    session.reset(stream, HTTP2Session.ErrorCode.protocolError)
    remove(stream)?.streamLost(.cancelledByClient(errorCode: HTTP2Session.ErrorCode.protocolError))
  }
}

extension ServerConnection: HTTP2SessionOwner {
  func headersBegan(on stream: Int32, areTrailers: Bool) {
    block = (stream, RequestHeaders(areTrailers: areTrailers))
  }

  func received(name: String, value: String, on stream: Int32) {
    block?.headers.receive(name: name, value: value, limit: limits.streams.headerListBytes)
    if let bytes = block?.headers.listBytes, bytes > ServerConnection.headerListCeilingBytes {
      block = nil
      session.fail(HTTP2Session.ErrorCode.enhanceYourCalm, "the header list is far too large")
    }
  }

  func headersEnded(on stream: Int32, endsStream: Bool, wireBytes: Int) {
    guard let request = block?.headers else { return }
    block = nil
    guard !request.areTrailers else {
      // Trailers end the stream (RFC 9113 section 8.1).
      if !endsStream || request.isMalformed { refuseMalformed(stream) }
      return
    }
    floods.receivedHeaders(listBytes: request.listBytes, wireBytes: wireBytes)
    switch request.verdict(limit: limits.streams.headerListBytes) {
    case .call(let path, let metadata, let timeout):
      bodies.begin(stream, declaredBytes: request.contentLength)
      beginCall(stream, path: path, metadata: metadata, timeout: timeout)
    case .malformed: session.reset(stream, HTTP2Session.ErrorCode.protocolError)
    case .notGRPC(let httpStatus):
      bodies.begin(stream, declaredBytes: request.contentLength, httpStatus: httpStatus)
    case .refused(let status):
      beginCall(stream, path: "", metadata: Metadata(), timeout: nil, refusal: status)
    }
  }

  private func beginCall(
    _ stream: Int32, path: String, metadata: Metadata, timeout: Duration?, refusal: Status? = nil
  ) {
    // The last GOAWAY reports it as not processed, so that the client may retry it elsewhere.
    guard phase.takesCalls else { return session.reset(stream, HTTP2Session.ErrorCode.refusedStream) }
    let call = ServerCall(
      connection: self, stream: stream, path: path, metadata: metadata, deadline: timeout.map { now + $0 }, peer: peer,
      window: SendWindow(bytes: streamWindowBytes), limits: limits)
    calls[stream] = call
    if let refusal {
      call.interrupt(.refused(refusal), status: refusal)
    } else if let handler {
      handler.handle(call)
    } else {
      call.finish(Status(.unavailable, "the daemon is shutting down"))
    }
  }

  func received(_ bytes: RawSpan, on stream: Int32) {
    floods.receivedMessages(byteCount: bytes.byteCount)
    guard carryOut(bodies.add(bytes.byteCount, to: stream), on: stream) else { return }
    guard let call = calls[stream] else { return session.credit(stream, bytes.byteCount) }
    call.received(bytes)
  }

  func peerEnded(_ stream: Int32) {
    if carryOut(bodies.complete(stream), on: stream) { calls[stream]?.peerEnded() }
  }

  func refusedStream() { countReset(of: nil) }

  private func countReset(of call: ServerCall?) {
    let owner = authentication.owner(ofStreamOf: call?.peer)
    if floods.streamFailed(at: now), handler?.streamFailed(of: owner, at: now) != false { return }
    session.fail(HTTP2Session.ErrorCode.enhanceYourCalm, "too many streams ended with an error")
  }

  func streamClosed(_ stream: Int32, errorCode: UInt32) {
    if block?.stream == stream { block = nil }
    bodies.remove(stream)
    let call = remove(stream)
    call?.streamLost(.cancelledByClient(errorCode: errorCode))
    // Whatever its code, a stream that was not answered was given up. One that missed its deadline has cost as much.
    let isAnswered = answered.remove(stream) != nil && errorCode == HTTP2Session.ErrorCode.none
    if !isAnswered || call?.isLate == true { countReset(of: call) }
  }

  func windowOpened(_ stream: Int32, by increment: Int) -> Bool {
    if stream == 0 {
      let isValid = sendWindow.move(by: increment)
      isValid ? announceData() : session.terminate(HTTP2Session.ErrorCode.flowControlError)
      return true
    }
    guard let call = calls[stream] else { return false }
    // The client has opened its window too far (RFC 9113, section 6.9.1).
    if !call.windowMoved(by: increment) { session.reset(stream, HTTP2Session.ErrorCode.flowControlError) }
    return true
  }

  func sentLastFrame(of stream: Int32) {
    floods.sentEnd()
    answered.insert(stream)
    calls[stream]?.sentTrailers()
    if bodies.remove(stream) { session.reset(stream, HTTP2Session.ErrorCode.none) }
  }

  func receivedSettings() {
    let change = session.peerStreamWindowBytes - streamWindowBytes
    streamWindowBytes += change
    if change != 0, callsInOrder.count(where: { !$0.windowMoved(by: change) }) > 0 {
      session.terminate(HTTP2Session.ErrorCode.flowControlError)
    }
    if case .awaitingPreface = phase { phase = .serving }
  }

  func receivedPing() {
    // gRPC's own words: its clients ping less often once they have read them (proposal A8).
    if !floods.receivedPing(at: now) { session.fail(HTTP2Session.ErrorCode.enhanceYourCalm, "too_many_pings") }
  }

  func receivedPingAnswer() {
    if case .announcedShutDown(_, let callsUntil) = phase { drain(callsUntil: callsUntil) }
  }

  func receivedGoAway(lastStream: Int32, errorCode: UInt32) {}
}
