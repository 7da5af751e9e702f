/// One call as its server sees it, of any shape: unary, streaming one way, the other, or both.
///
/// Messages come through `onMessage` as they arrive. They go out in one of two ways: pushed with `send`, into a queue
/// with a limit, or pulled by `onReadyToSend`, which is asked for the next message only when it can be sent, so that
/// nothing waits. After its end a call ignores everything and keeps none of its callbacks.
public final class ServerCall {
  /// How the receiving half stands.
  private enum Receiving {
    case open
    /// Something was wrong: what still comes is dropped.
    case discarding
    case ended
  }

  /// How the sending half stands.
  private enum Sending {
    /// No headers yet: an error can still be told in them alone.
    case idle
    case open
    /// The status is decided, and goes out when the queue is empty.
    case finishing
    case ended
  }

  /// Who does what next for messages to go out.
  private enum Turn {
    /// The application: it wakes the call when there is something.
    case none
    /// The connection: it gives the call its turn when it sends.
    case listed
    /// The client: it opens the window.
    case blocked
  }

  /// Bytes of a DATA frame at most: what every peer takes (RFC 9113, section 4.2), and small enough that calls have
  /// their turns.
  private static let frameBytes = 16384

  // What a delivery touches lies side by side: of thousands of calls, nothing is in the processor's cache.
  private var connection: ServerConnection?
  private let stream: Int32
  /// Where the call stands with its connection.
  private var turn = Turn.none
  private var sending = Sending.idle
  /// Whether it has a turn coming, and so is in its connection's chain.
  var isListed: Bool { turn == .listed }
  /// Whether its deadline ended it.
  private(set) var isLate = false
  /// The call that may send after this one.
  var next: ServerCall?
  /// Asked for the next message when there is room for it. Setting it sends the headers at once, if they have not been,
  /// and begins the asking. Inside it `wake` has no effect.
  public var onReadyToSend: ((ServerCall) -> Pull)? {
    didSet {
      guard onReadyToSend != nil else { return }
      sendInitialMetadata()
      wake()
    }
  }
  private var queue = SendQueue()
  /// What the client lets us send on the stream.
  private var sendWindow: SendWindow
  /// Bytes of messages, prefixes included, that the client's window has taken.
  public private(set) var sentBytes = 0
  /// Bytes of one response message; a larger one ends the call with RESOURCE_EXHAUSTED instead.
  private let sentMessageLimitBytes: Int
  /// When the connection first saw, since bytes last went out, that the end waits for the client.
  private var lingersSince: Duration?

  /// `/package.Service/Method`, as it came.
  public let path: String
  /// The client's metadata, until `forgetMetadata` or the stream's end.
  public private(set) var metadata: Metadata
  /// When the client stops waiting, by the clock of `ServerConnection.receive`. The connection ends the call then.
  public let deadline: Duration?
  /// Which connection it came on.
  public let connectionIdentity: ObjectIdentifier
  /// Who calls. The connection's peer, unless somebody has learned better from the metadata.
  public var peer: Peer {
    didSet { if peer != .unknown { connection?.callerIdentified() } }
  }
  /// Bytes of one request message; a larger one ends the call with RESOURCE_EXHAUSTED before it is kept.
  public var messageLimitBytes: Int
  /// Bytes that may wait in `send`'s queue.
  public var queueLimitBytes: Int

  /// A message of the client's.
  public var onMessage: ((ServerCall, [UInt8]) -> Void)?
  /// The client will send no more messages.
  public var onHalfClose: ((ServerCall) -> Void)?
  /// The call has ended other than by `finish`. Called at most once, and nothing is called after it.
  public var onInterrupted: ((ServerCall, CallInterruption) -> Void)?

  private var receiving = Receiving.open
  private var reader = MessageReader()
  private var window = ReceiveWindow()
  /// By when a message is to come, and how the call ends otherwise.
  private var expectation: (until: Duration, status: Status)?
  private var end: (status: Status, trailers: Metadata) = (.ok, Metadata())
  private let lingerTimeout: Duration

  init(
    connection: ServerConnection, stream: Int32, path: String, metadata: Metadata, deadline: Duration?, peer: Peer,
    window: SendWindow, limits: ConnectionLimits
  ) {
    self.connection = connection
    sendWindow = window
    connectionIdentity = ObjectIdentifier(connection)
    self.stream = stream
    self.path = path
    self.metadata = metadata
    self.deadline = deadline
    self.peer = peer
    messageLimitBytes = limits.messages.receivedBytes
    queueLimitBytes = limits.messages.queuedBytes
    sentMessageLimitBytes = limits.messages.sentBytes
    lingerTimeout = limits.times.linger
  }

  /// Whether neither `finish` was called nor the call was interrupted.
  public var isOpen: Bool { connection != nil && (sending == .idle || sending == .open) }

  /// Bytes in `send`'s queue that have not gone out.
  public var queuedBytes: Int { queue.byteCount }

  /// Gives back the memory of the metadata: for calls that live long and have read it.
  public func forgetMetadata() { metadata = Metadata() }

  // MARK: Sending

  /// Sends the headers, with metadata. Without effect if they have been sent.
  public func sendInitialMetadata(_ metadata: Metadata = Metadata()) {
    guard sending == .idle, let connection else { return }
    sending = .open
    connection.session.respond(stream, ResponseFields.initial + metadata.fields, hasBody: true)
  }

  /// Queues a message.
  ///
  /// - Throws: `queueFull` if the message would not fit; an empty queue takes one of any size. `callEnded`, also when a
  ///   message that is larger than any may be has ended the call.
  public func send(_ message: [UInt8]) throws(SendError) {
    guard isOpen, isSendable(message) else { throw .callEnded }
    let byteCount = MessageReader.prefixBytes + message.count
    guard queue.isEmpty || queue.byteCount + byteCount <= queueLimitBytes else { throw .queueFull }
    sendInitialMetadata()
    queue.append(message)
    wake()
  }

  private func isSendable(_ message: [UInt8]) -> Bool {
    guard message.count > sentMessageLimitBytes else { return true }
    refuse(Status(.resourceExhausted, "an answer of \(message.count) bytes; at most \(sentMessageLimitBytes) are sent"))
    return false
  }

  /// Ends the call once everything queued has gone. Without effect on a call that has ended.
  public func finish(_ status: Status = .ok, trailers: Metadata = Metadata()) {
    guard isOpen, let connection else { return }
    end = (status.isOK ? status : connection.ending(self, with: status), trailers)
    releaseCallbacks()
    if sending == .idle {
      sending = .ended
      connection.session.respond(
        stream, ResponseFields.initial + ResponseFields.trailing(end.status, end.trailers), hasBody: false)
    } else if queue.isEmpty {
      sendTrailers()
    } else {
      sending = .finishing
      connection.deadlineMoved()
      wake()
    }
  }

  /// All messages have been taken: what is left is the status.
  private func sendTrailers() {
    sending = .ended
    connection?.session.sendTrailers(stream, ResponseFields.trailing(end.status, end.trailers))
  }

  /// Ends a call whose client does not take what it was sent: with a status if that can still be told, otherwise by
  /// resetting the stream with ENHANCE_YOUR_CALM, which gRPC reads as RESOURCE_EXHAUSTED.
  public func giveUp(_ status: Status) {
    guard isOpen else { return }
    queue.removeUnbegun()
    if queue.isEmpty { return finish(status) }
    releaseCallbacks()
    sending = .ended
    connection?.session.reset(stream, HTTP2Session.ErrorCode.enhanceYourCalm)
  }

  /// Ends the call with `status` unless a message comes within `time`.
  public func expectMessage(within time: Duration, or status: Status) {
    guard let connection else { return }
    expectation = (connection.deadline(in: time), status)
    connection.deadlineMoved()
  }

  /// Asks `onReadyToSend` again, after it has answered `wait`.
  public func wake() {
    guard turn == .none, let connection else { return }
    turn = .listed
    connection.scheduleTurn(of: self)
  }

  // MARK: Receiving

  /// Holds the client back by hand: once more than `allowance` bytes of messages have come that `consume` has not been
  /// told of, the client may send what is left of its window (`ConnectionLimits.Streams.windowBytes`) and no more.
  public func receiveByHand(allowance: Int) { window.allowance = allowance }

  /// Holds the client back no longer: what has come counts as consumed.
  public func receiveAutomatically() {
    let credit = window.becomeAutomatic()
    connection?.session.credit(stream, credit)
  }

  /// Hands `onMessage` a message that an earlier one was given and kept. By hand it counts again as not consumed.
  public func deliver(_ message: [UInt8]) {
    window.delivered(message.count)
    onMessage?(self, message)
  }

  /// The application has done with `bytes` of messages, which opens the window again.
  public func consume(_ bytes: Int) {
    let credit = window.consumed(bytes)
    connection?.session.credit(stream, credit)
  }

  // MARK: Called by the connection

  /// Bytes of messages have come.
  func received(_ bytes: RawSpan) {
    guard receiving == .open, let connection else {
      connection?.session.credit(stream, bytes.byteCount)
      return
    }
    let (messages, failure) = reader.receive(bytes, limit: messageLimitBytes)
    for message in messages { window.delivered(message.count) }
    connection.session.credit(stream, window.received(bytes.byteCount))
    if !messages.isEmpty { expectation = nil }
    for message in messages { onMessage?(self, message) }
    if let failure { refuse(failure.requestStatus(limit: messageLimitBytes)) }
  }

  /// The client will send no more.
  func peerEnded() {
    guard receiving != .ended else { return }
    let wasOpen = receiving == .open
    receiving = .ended
    guard wasOpen else { return }
    if reader.isBetweenMessages {
      onHalfClose?(self)
    } else {
      refuse(Status(.internal, "the request ended in the middle of a message"))
    }
  }

  /// Ends the call with a status of the connection's own making, and tells the application why.
  func interrupt(_ reason: CallInterruption, status: Status) {
    guard isOpen else { return }
    let callback = onInterrupted
    if receiving == .open { receiving = .discarding }
    queue.removeUnbegun()
    finish(status)
    callback?(self, reason)
  }

  /// When `timeReached` is next due; nil for never.
  var nextDeadline: Duration? {
    guard let connection, sending != .ended else { return nil }
    var next = deadline
    func consider(_ time: Duration) { next = min(next ?? time, time) }
    if isOpen, let expectation { consider(expectation.until) }
    // The connection's clock may stand still for long: then this is early, and the next look is right.
    if sending == .finishing {
      consider(lingersSince.map { $0 + lingerTimeout } ?? connection.deadline(in: lingerTimeout))
    }
    return next
  }

  /// Does what is due at `now`.
  func timeReached(_ now: Duration) {
    if let deadline, deadline <= now { deadlinePassed() }
    if let expectation, expectation.until <= now { refuse(expectation.status) }
    checkLingering(now)
  }

  /// The deadline has passed. A call whose last messages the client does not take is reset, since its status cannot
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

  /// A call whose end waits for its client to take what comes before is reset if nothing of it is taken for too long.
  private func checkLingering(_ now: Duration) {
    guard sending == .finishing else { return }
    guard let since = lingersSince else { return lingersSince = now }
    guard since + lingerTimeout <= now else { return }
    sending = .ended
    connection?.session.reset(stream, HTTP2Session.ErrorCode.cancel)
  }

  private func refuse(_ status: Status) { interrupt(.refused(status), status: status) }

  /// The stream or the connection is gone: nothing can be told to the client any more.
  func gone(_ reason: CallInterruption) {
    guard connection != nil else { return }
    let callback = isOpen ? onInterrupted : nil
    connection = nil
    receiving = .ended
    sending = .ended
    queue = SendQueue()
    metadata = Metadata()
    releaseCallbacks()
    callback?(self, reason)
  }

  /// The client lets more bytes of the stream be sent, or fewer. False if that makes its window larger than it may be.
  func windowMoved(by count: Int) -> Bool {
    guard sendWindow.move(by: count) else { return false }
    if turn == .blocked, sendWindow.bytes > 0 {
      turn = .none
      wake()
    }
    return true
  }

  /// It is the call's turn to send a DATA frame, of which the connection takes `room` bytes, more than 0. Returns how
  /// many bytes of messages were sent.
  func takeTurn(room: Int, to output: inout [UInt8]) -> Int {
    guard connection != nil else { return 0 }
    let room = min(room, sendWindow.bytes, ServerCall.frameBytes)
    guard room > 0 else {
      // What there is, or would be if it were asked for, waits for the client.
      turn = .blocked
      return 0
    }
    let hasMore = pull(room: room)
    let count = min(room, queue.byteCount)
    if count > 0 { write(count, to: &output) }
    if sending == .finishing, queue.isEmpty { sendTrailers() }
    turn = .none
    if hasMore || !queue.isEmpty { wake() }
    return count
  }

  /// Asks for messages until there is no room for more. False if there are none now.
  private func pull(room: Int) -> Bool {
    while sending == .open, let onReadyToSend {
      guard queue.byteCount < room else { return true }
      switch onReadyToSend(self) {
      case .message(let message):
        if sending == .open, isSendable(message) { queue.append(message) }
      case .wait: return false
      case .finish(let status, let trailers): finish(status, trailers: trailers)
      }
    }
    return false
  }

  private func write(_ count: Int, to output: inout [UInt8]) {
    lingersSince = nil
    sentBytes += count
    sendWindow.use(count)
    // Length (24 bits), type 0, no flags, stream: RFC 9113, sections 4.1 and 6.1.
    let place = UInt32(bitPattern: stream)
    let header: InlineArray<9, UInt8> = [
      UInt8(truncatingIfNeeded: count >> 16), UInt8(truncatingIfNeeded: count >> 8), UInt8(truncatingIfNeeded: count),
      0, 0,
      UInt8(truncatingIfNeeded: place >> 24), UInt8(truncatingIfNeeded: place >> 16),
      UInt8(truncatingIfNeeded: place >> 8),
      UInt8(truncatingIfNeeded: place),
    ]
    unsafe header.span.bytes.append(to: &output)
    queue.move(count, to: &output)
  }

  /// The trailers are on their way. A client that is still sending is told to stop, without an error (RFC 9113 section
  /// 8.1).
  func sentTrailers() {
    guard receiving != .ended else { return }
    receiving = .ended
    connection?.session.reset(stream, HTTP2Session.ErrorCode.none)
  }

  private func releaseCallbacks() {
    onMessage = nil
    onHalfClose = nil
    onInterrupted = nil
    onReadyToSend = nil
  }
}
