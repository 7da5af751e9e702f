/// The server's end of one call, of any shape: unary, streaming one way, the other, or both.
///
/// Messages arrive through `onMessage`. They are sent in one of two ways: pushed with `send`, into a bounded queue, or
/// pulled through `onReadyToSend`, which is called only when the next message can be sent, so that none is queued.
/// After its end a call ignores everything and releases all of its callbacks.
public final class ServerCall {
  // Fields used on every delivery lie side by side: with thousands of calls, none is in the processor's cache.
  private var connection: ServerConnection?
  private let stream: Int32
  /// The call's place in its connection's turns.
  private var turn = Turn.none
  private var sending = Sending.idle
  /// True if the call has a turn coming, and so is in its connection's chain.
  var isListed: Bool { turn == .listed }
  /// True if the deadline ended the call.
  private(set) var isLate = false
  /// The call that may send after this one.
  var next: ServerCall?
  /// Returns the next message; called when there is room for one. Setting it sends the headers at once, unless they
  /// have been sent, and starts the calls. `wake` has no effect inside it.
  public var onReadyToSend: ((ServerCall) -> Pull)? {
    didSet {
      guard onReadyToSend != nil else { return }
      sendInitialMetadata()
      wake()
    }
  }
  private var queue = SendQueue()
  private var charge: CallCharge
  /// The bytes the client lets us send on the stream.
  private var sendWindow: SendWindow
  /// Bytes of messages sent within the client's window, prefixes included.
  public private(set) var sentBytes = 0
  /// Maximum bytes of one response message. A larger one ends the call with RESOURCE_EXHAUSTED instead.
  private let sentMessageLimitBytes: Int
  private var times: CallTimes

  /// `/package.Service/Method`, as received.
  public let path: String
  /// The client's metadata, until `forgetMetadata` or the end of the stream.
  public private(set) var metadata: Metadata
  /// The time at which the connection ends the call, by the clock of `ServerConnection.receive`.
  public var deadline: Duration? { times.deadline }
  /// The connection the call arrived on.
  public let connectionIdentity: ObjectIdentifier
  /// The caller: the connection's peer, unless the metadata has identified it better.
  public var peer: Peer {
    didSet { if peer != .unknown { connection?.callerIdentified(as: peer) } }
  }
  /// Maximum bytes of one request message. A larger one ends the call with RESOURCE_EXHAUSTED before it is buffered.
  public var messageLimitBytes: Int
  /// Maximum bytes in `send`'s queue.
  public var queueLimitBytes: Int

  /// Called with each message from the client.
  public var onMessage: ((ServerCall, [UInt8]) -> Void)?
  /// Called when the client will send no more messages.
  public var onHalfClose: ((ServerCall) -> Void)?
  /// Called if the call ends other than by `finish`. Called at most once, and nothing is called after it.
  public var onInterrupted: ((ServerCall, CallInterruption) -> Void)?

  private var input = CallInput()
  private var end: (status: Status, trailers: Metadata) = (.ok, Metadata())

  init(
    connection: ServerConnection, stream: Int32, path: String, metadata: Metadata, deadline: Duration?, peer: Peer,
    window: SendWindow, limits: ConnectionLimits
  ) {
    self.connection = connection
    charge = CallCharge(for: connection.share.account(of: .unauthenticated))
    sendWindow = window
    connectionIdentity = ObjectIdentifier(connection)
    self.stream = stream
    self.path = path
    self.metadata = metadata
    times = CallTimes(deadline: deadline, lingerTimeout: limits.times.linger)
    self.peer = peer
    messageLimitBytes = limits.messages.receivedBytes
    queueLimitBytes = limits.messages.queuedBytes
    sentMessageLimitBytes = limits.messages.sentBytes
  }

  /// True until `finish` is called or the call is interrupted.
  public var isOpen: Bool { connection != nil && (sending == .idle || sending == .open) }

  /// Bytes in `send`'s queue that have not been sent.
  public var queuedBytes: Int { queue.byteCount }

  /// Frees the memory of the metadata, once it has been read.
  public func forgetMetadata() { metadata = Metadata() }

  // MARK: Sending

  /// Sends the headers, with metadata. Has no effect if they have been sent.
  public func sendInitialMetadata(_ metadata: Metadata = Metadata()) {
    guard sending == .idle, let connection else { return }
    sending = .open
    connection.session.respond(stream, ServerHeaders.initial + metadata.fields, hasBody: true)
  }

  /// Queues a message.
  ///
  /// - Throws: `queueFull` if the message would not fit; an empty queue accepts one of any size. `callEnded`, also when
  ///   a message above the size limit has ended the call.
  public func send(_ message: [UInt8]) throws(SendError) {
    guard isOpen, isSendable(message) else { throw .callEnded }
    let byteCount = MessageReader.prefixBytes + message.count
    guard queue.isEmpty || queue.byteCount + byteCount <= queueLimitBytes else { throw .queueFull }
    sendInitialMetadata()
    queue.append(message)
    recount()
    wake()
  }

  private func isSendable(_ message: [UInt8]) -> Bool {
    guard message.count > sentMessageLimitBytes else { return true }
    refuse(Status(.resourceExhausted, "response of \(message.count) bytes; the limit is \(sentMessageLimitBytes)"))
    return false
  }

  /// Ends the call once everything queued has been sent. Has no effect on a call that has ended.
  public func finish(_ status: Status = .ok, trailers: Metadata = Metadata()) {
    guard isOpen, let connection else { return }
    end = (status.isOK ? status : connection.ending(self, with: status), trailers)
    expectNothing()
    releaseCallbacks()
    if sending == .idle {
      sending = .ended
      connection.session.respond(
        stream, ServerHeaders.initial + ServerHeaders.trailing(end.status, end.trailers), hasBody: false)
    } else if queue.isEmpty {
      sendTrailers()
    } else {
      sending = .finishing
      connection.deadlineMoved()
      wake()
    }
  }

  /// Sends the status, once all messages have been taken.
  private func sendTrailers() {
    sending = .ended
    connection?.session.sendTrailers(stream, ServerHeaders.trailing(end.status, end.trailers))
  }

  /// Ends a call whose client does not read: with a status if that can still be sent, otherwise by resetting the stream
  /// with ENHANCE_YOUR_CALM, which gRPC maps to RESOURCE_EXHAUSTED.
  public func giveUp(_ status: Status) {
    guard isOpen else { return }
    queue.removeUnbegun()
    recount()
    if queue.isEmpty { return finish(status) }
    expectNothing()
    releaseCallbacks()
    sending = .ended
    connection?.session.reset(stream, HTTP2Session.ErrorCode.enhanceYourCalm)
  }

  /// Ends the call with `status` unless a message, or the end of the client's half, arrives within `time`.
  public func expectMessage(within time: Duration, or status: Status) {
    guard let connection else { return }
    times.expectMessage(until: connection.deadline(in: time), or: status)
    connection.deadlineMoved()
  }

  /// Calls `onReadyToSend` again after it has returned `wait`.
  public func wake() {
    guard turn == .none, let connection else { return }
    turn = .listed
    connection.scheduleTurn(of: self)
  }

  // MARK: The budget

  /// Counts the call's bytes for an account from now on.
  public func countBytes(for owner: CallOwner) {
    if let share = connection?.share { charge.move(to: share.account(of: owner), in: share) }
  }

  /// Calls `respond` once the budget has room for a response of about `bytes`: at once, or when clients have read
  /// enough. Meanwhile it keeps the call's request, which has `requestBytes`. Does nothing if the call has ended.
  ///
  /// - Throws: `queueFull` if too many bytes of requests are kept already.
  public func awaitRoom(
    forResponseOf bytes: Int, keeping requestBytes: Int, _ respond: @escaping () -> Void
  ) throws(SendError) {
    guard isOpen, let share = connection?.share else { return }
    let response = CallCharge.Response(expectedBytes: bytes, requestBytes: requestBytes, make: respond)
    guard share.hasRoom(for: charge.account) else { return try charge.hold(response, of: self, in: share) }
    charge.expect(response, in: share)
    respond()
  }

  private func recount() {
    guard queue.byteCount != charge.queuedBytes, let share = connection?.share else { return }
    charge.update(queued: queue.byteCount, in: share)
  }

  /// Waits for no room any more, and expects no response.
  private func expectNothing() {
    guard let share = connection?.share else { return }
    charge.expectNothing(in: share)
    share.dequeue(self)
    if turn == .withoutRoom { turn = .none }
  }

  // MARK: Receiving

  /// Switches to manual flow control: once more than `allowance` bytes of messages have arrived that were not consumed,
  /// the client may send what is left of its window and no more. They count as held by the server until then.
  public func receiveByHand(allowance: Int) { input.receiveByHand(allowance: allowance) }

  /// Switches back to automatic flow control: everything received counts as consumed.
  public func receiveAutomatically() { credit(input.receiveAutomatically()) }

  /// Delivers a message again, to the present `onMessage`. Under manual flow control it counts as unconsumed again.
  public func deliver(_ message: [UInt8]) {
    input.delivered(message.count)
    onMessage?(self, message)
  }

  /// Marks `bytes` of messages as processed, which reopens the window.
  public func consume(_ bytes: Int) { credit(input.consumed(bytes)) }

  private func credit(_ bytes: Int) {
    countHeld()
    connection?.session.credit(stream, bytes)
  }

  /// Counts what has arrived and is not consumed. Returns false if there is no room for it.
  @discardableResult private func countHeld() -> Bool {
    guard input.heldBytes != charge.heldBytes, let share = connection?.share else { return true }
    return charge.update(held: input.heldBytes, in: share)
  }

  // MARK: Called by the connection

  /// Handles bytes of messages.
  func received(_ bytes: RawSpan) {
    let arrival = input.receive(bytes, limit: messageLimitBytes)
    let hasRoom = countHeld()
    connection?.session.credit(stream, arrival.credit)
    if !arrival.messages.isEmpty { times.expectNothing() }
    for message in arrival.messages { onMessage?(self, message) }
    if let failure = arrival.failure { refuse(failure.requestStatus(limit: messageLimitBytes)) }
    if !hasRoom { refuse(Status(.resourceExhausted, "too many requests arrive at once; send fewer at a time")) }
  }

  /// Handles the end of the client's half.
  func peerEnded() {
    let (phase, isComplete) = (input.phase, input.isBetweenMessages)
    input.end()
    guard phase == .open else { return }
    guard isComplete else { return refuse(Status(.internal, "the request ended in the middle of a message")) }
    times.expectNothing()
    onHalfClose?(self)
  }

  /// Ends the call with a status chosen by the connection, and reports the reason to the application.
  func interrupt(_ reason: CallInterruption, status: Status) {
    guard isOpen else { return }
    let callback = onInterrupted
    input.discard()
    countHeld()
    queue.removeUnbegun()
    recount()
    finish(status)
    callback?(self, reason)
  }

  /// The time at which `timeReached` is next due; nil for never.
  var nextDeadline: Duration? {
    guard let connection, sending != .ended else { return nil }
    return times.next(isOpen: isOpen, isFinishing: sending == .finishing, now: connection.deadline(in: .zero))
  }

  /// Does the work due at `now`. Resets a finished call if its client reads none of the remaining bytes for too long.
  func timeReached(_ now: Duration) {
    if times.isLate(at: now) { deadlinePassed() }
    if let status = times.missedMessage(at: now) { refuse(status) }
    guard sending == .finishing, times.lingersTooLong(at: now) else { return }
    sending = .ended
    connection?.session.reset(stream, HTTP2Session.ErrorCode.cancel)
  }

  /// Handles the passed deadline. A call whose last messages the client does not read is reset, since its status cannot
  /// overtake them.
  private func deadlinePassed() {
    if isOpen {
      isLate = true
      interrupt(.deadlineExceeded, status: Status(.deadlineExceeded, "the deadline passed on the server"))
    } else if sending == .finishing {
      sending = .ended
      connection?.session.reset(stream, HTTP2Session.ErrorCode.cancel)
    }
  }

  private func refuse(_ status: Status) { interrupt(.refused(status), status: status) }

  /// Ends the call because its stream or connection is gone: nothing can be sent to the client.
  func streamLost(_ reason: CallInterruption) {
    guard connection != nil else { return }
    let callback = isOpen ? onInterrupted : nil
    queue = SendQueue()
    recount()
    input.close()
    countHeld()
    expectNothing()
    connection = nil
    sending = .ended
    metadata = Metadata()
    releaseCallbacks()
    callback?(self, reason)
  }

  /// Opens or closes the window of the stream. Returns false if that makes it larger than allowed.
  func windowMoved(by count: Int) -> Bool {
    guard sendWindow.move(by: count) else { return false }
    if turn == .blocked, sendWindow.bytes > 0 {
      turn = .none
      wake()
    }
    return true
  }

  /// Sends a DATA frame in the call's turn; the connection accepts `room` bytes, more than 0. Returns the number of
  /// bytes of messages sent.
  func takeTurn(room: Int, to output: inout [UInt8]) -> Int {
    guard connection != nil else { return 0 }
    let room = min(room, sendWindow.bytes, DataFrame.maximumBytes)
    guard room > 0 else {
      // Any pending message waits for the client to open the window.
      turn = .blocked
      return 0
    }
    let outcome = pull(room: room)
    let count = min(room, queue.byteCount)
    if count > 0 { write(count, to: &output) }
    recount()
    if sending == .finishing, queue.isEmpty { sendTrailers() }
    turn = .none
    if outcome == .more || !queue.isEmpty {
      wake()
    } else if outcome == .withoutRoom {
      turn = .withoutRoom
      connection?.share.enqueue(self)
    }
    return count
  }

  /// Asks for messages until the frame has no room for more.
  private func pull(room: Int) -> PullOutcome {
    while sending == .open, let onReadyToSend {
      guard queue.byteCount < room else { return .more }
      guard connection?.hasRoom(for: charge.account) ?? true else { return .withoutRoom }
      switch onReadyToSend(self) {
      case .message(let message):
        if sending == .open, isSendable(message) { queue.append(message) }
      case .wait: return .none
      case .finish(let status, let trailers): finish(status, trailers: trailers)
      }
    }
    return .none
  }

  private func write(_ count: Int, to output: inout [UInt8]) {
    times.bytesMoved()
    sentBytes += count
    sendWindow.use(count)
    DataFrame.appendHeader(of: count, stream, to: &output)
    queue.move(count, to: &output)
  }

  /// Handles the sending of the trailers. Tells a client that is still sending to stop, without an error (RFC 9113
  /// section 8.1).
  func sentTrailers() {
    guard input.phase != .ended else { return }
    input.end()
    countHeld()
    connection?.session.reset(stream, HTTP2Session.ErrorCode.none)
  }

  private func releaseCallbacks() {
    onMessage = nil
    onHalfClose = nil
    onInterrupted = nil
    onReadyToSend = nil
  }
}

extension ServerCall: BudgetWaiter {
  var account: CallBudget.Account { charge.account }

  func roomFound() {
    if let share = connection?.share, let response = charge.release(in: share) { return response.make() }
    turn = .none
    wake()
  }
}
