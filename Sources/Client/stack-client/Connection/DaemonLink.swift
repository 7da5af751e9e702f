internal import ClientCore
internal import ClientTransport
internal import Messages
internal import RPC
internal import UV

/// A synchronous connection to a daemon: every method runs the loop until it has its response.
final class DaemonLink {
  /// The time limit of a unary call.
  static let callTimeout = Duration.seconds(30)
  /// The largest message accepted: enough for a page of 200 rows or a frame, with texts of at most 10,000 bytes each.
  private static let messageLimitBytes = 16 << 20

  let loop: Loop
  private let channel: Channel
  private let place: String

  /// True if the connection has ended.
  var isLost: Bool { !channel.isOpen }

  private init(channel: Channel, place: String) {
    loop = channel.loop
    self.channel = channel
    self.place = place
  }

  /// Connects to the daemon at `address`.
  ///
  /// At the default socket a daemon of another user is refused with `permissionDenied`: a socket planted by someone else
  /// must not receive what this user writes.
  static func connect(_ loop: Loop, to address: DaemonAddress) throws(ChannelError) -> DaemonLink {
    var outcome: Result<Channel, ChannelError>?
    let endpoint = address.endpoint
    Channel.connect(loop: loop, to: endpoint, token: address.token, limits: limits) { outcome = $0 }
    while outcome == nil { loop.run(.once) }
    switch outcome {
    case .success(let channel):
      guard isTrusted(channel, at: endpoint) else {
        channel.close()
        throw .permissionDenied(endpoint)
      }
      return DaemonLink(channel: channel, place: endpoint.description)
    case .failure(let error): throw error
    case nil: throw .timedOut(endpoint)
    }
  }

  /// The limits of a connection.
  static var limits: ConnectionLimits {
    var limits = Channel.clientLimits
    limits.messages.receivedBytes = messageLimitBytes
    return limits
  }

  /// Returns true if the daemon may be trusted: at the default socket it must belong to this user or root.
  static func isTrusted(_ channel: Channel, at endpoint: Endpoint) -> Bool {
    guard endpoint == .unix(path: Endpoint.defaultSocketPath), let peer = channel.peerCredentials else { return true }
    return [0, UV.Process.effectiveUserID].contains(peer.userID)
  }

  /// Starts a call whose messages the caller handles. Without `timeout` it has no time limit.
  func start(_ method: String, timeout: Duration? = nil) throws(ClientFailure) -> ClientCall {
    do {
      return try channel.start(method, timeout: timeout)
    } catch {
      var failure = self.failure(error)
      // Nothing was sent: while the connection is open, a second attempt would fail in the same way.
      if error.code != .unavailable { failure.interruption = nil }
      throw failure
    }
  }

  /// Starts a call with one request.
  func start(_ method: String, _ request: some WireMessage, timeout: Duration? = nil) throws(ClientFailure)
    -> ClientCall
  {
    let call = try start(method, timeout: timeout)
    // A new call accepts a message of any size.
    try? call.send(request.encoded())
    call.closeSend()
    return call
  }

  /// Makes a unary call.
  func call<Request: WireMessage, Answer: WireMessage>(
    _ method: String, _ request: Request, as answer: Answer.Type = Answer.self, timeout: Duration = callTimeout
  ) throws(ClientFailure) -> Answer {
    var result: Result<[UInt8], Status>?
    channel.unary(method, request.encoded(), timeout: timeout) { result = $0 }
    run { result != nil }
    switch result {
    case .success(let bytes): return try Self.decode(bytes)
    case .failure(let status): throw failure(status)
    case nil: throw failure(Status(.unavailable, "the connection is closed"))
    }
  }

  /// The most calls of ``callEach(_:_:_:)`` that are open at once.
  private static let callsAtOnce = 32

  /// Makes unary calls, several at once, so that the daemon stores what they change in few commits. Calls `receive` with
  /// the index and the response of each, as they come.
  func callEach<Request: WireMessage, Answer: WireMessage>(
    _ method: String, _ requests: [Request], _ receive: (Int, Result<Answer, ClientFailure>) -> Void
  ) {
    var (next, open) = (0, 0)
    var arrived: [(index: Int, result: Result<[UInt8], Status>)] = []
    while next < requests.count || open > 0 {
      while next < requests.count, open < Self.callsAtOnce {
        let index = next
        channel.unary(method, requests[index].encoded(), timeout: Self.callTimeout) { arrived.append((index, $0)) }
        (next, open) = (next + 1, open + 1)
      }
      run { !arrived.isEmpty }
      guard !arrived.isEmpty else { return }
      let responses = arrived
      arrived = []
      open -= responses.count
      for (index, result) in responses {
        receive(
          index,
          result.mapError { failure($0) }.flatMap { bytes in
            Result { () throws(ClientFailure) in try Self.decode(bytes) }
          })
      }
    }
  }

  /// Fetches all pages of a list; at least one.
  func pages<Page: PageResponse, Request: WireMessage>(
    _ method: String, _ page: Page.Type, _ request: (PageRequest) -> Request
  ) throws(ClientFailure) -> [Page] {
    var pages: [Page] = []
    repeat {
      pages.append(try call(method, request(PageRequest(token: pages.last?.nextPageToken ?? ""))))
    } while pages.last?.nextPageToken.isEmpty == false
    return pages
  }

  /// Fetches all items of a list.
  func list<Page: PageResponse>(_ method: String, _ page: Page.Type) throws(ClientFailure) -> [Page.Item] {
    try pages(method, page) { $0 }.flatMap(\.items)
  }

  /// Runs the loop until `isDone`, or until nothing is left to wait for.
  func run(until isDone: () -> Bool) {
    while !isDone() { guard loop.run(.once) || isDone() else { return } }
  }

  /// Decodes a message from the daemon.
  static func decode<Answer: WireMessage>(_ bytes: [UInt8]) throws(ClientFailure) -> Answer {
    do {
      return try Answer(decoding: bytes)
    } catch {
      throw .invalidResponse(error.reason)
    }
  }

  /// Returns the failure for the status of a failed call.
  func failure(_ status: Status) -> ClientFailure {
    var failure = described(status)
    // Without readable details there is no delay.
    let delay = (try? ErrorDetails(decoding: status.details))?.retryDelayMilliseconds ?? 0
    let hasReason = Self.storeTrouble(status) != nil || [.resourceExhausted, .internal].contains(status.code)
    failure.interruption = Interruption(
      status: status.code.rawValue, reason: hasReason ? status.message : "", delayMilliseconds: delay)
    return failure
  }

  private func described(_ status: Status) -> ClientFailure {
    if let message = Self.storeTrouble(status) { return ClientFailure(.failure, message) }
    let code = ExitCode(status: UInt32(clamping: status.code.rawValue))
    let message = status.message.isEmpty ? "the daemon returned \(status.code)" : status.message
    switch code {
    case .notFound: return .notFound(message)
    case .unreachable: return ClientFailure(code, "the daemon at \(place) does not respond: \(message)")
    case .versionMismatch:
      return ClientFailure(
        code, message, hint: "the daemon is a different version; `stack-client daemon stop` stops it")
    default: return .fromDaemon(Self.isAboutQuery(status) ? .usage : code, message)
    }
  }

  /// Returns true if the query was not understood, which makes it a usage failure.
  private static func isAboutQuery(_ status: Status) -> Bool {
    guard status.code == .invalidArgument, let details = try? ErrorDetails(decoding: status.details) else {
      return false
    }
    return details.fieldViolations.contains { violation in
      violation.field.hasSuffix("subject.search") || ["query", "filter"].contains(violation.field)
    }
  }

  /// Returns the daemon's message if its store cannot be used at present; nil for other failures.
  private static func storeTrouble(_ status: Status) -> String? {
    guard let details = try? ErrorDetails(decoding: status.details), details.reason == "STORE_UNAVAILABLE" else {
      return nil
    }
    return status.message
  }

  /// Closes the connection cleanly.
  func close() {
    channel.close()
    loop.run(.withoutWaiting)
  }
}

extension ClientFailure {
  /// Creates the failure for a failed connection.
  init(_ error: ChannelError) {
    let exitCode: ExitCode =
      switch error {
      case .permissionDenied: .refused
      case .pathTooLong: .failure
      case .timedOut: .timedOut
      case .noSuchSocket, .refused, .failed: .unreachable
      }
    self.init(exitCode, error.description)
  }
}
