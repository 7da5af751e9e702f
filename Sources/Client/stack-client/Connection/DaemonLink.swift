internal import ClientCore
internal import ClientTransport
internal import Messages
internal import RPC
internal import UV

/// One connection to a daemon, used a step at a time: every method runs the loop until it has its answer.
final class DaemonLink {
  /// How long a unary call may take.
  static let callTimeout = Duration.seconds(30)
  /// The largest message taken: a page of 200 rows or a frame, whose texts are at most 10,000 bytes each, with room to
  /// spare.
  private static let messageLimitBytes = 16 << 20

  let loop: Loop
  private let channel: Channel
  private let place: String

  /// Whether the connection is over.
  var isLost: Bool { !channel.isOpen }

  private init(channel: Channel, place: String) {
    loop = channel.loop
    self.channel = channel
    self.place = place
  }

  /// Connects to the daemon at `address`.
  ///
  /// Where nobody said which daemon is meant, one of another user is refused, with `permissionDenied`: a socket that
  /// somebody else has put there is not to be told what this user writes.
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

  /// Whether the daemon at the other end is who it should be: where nobody said which is meant, this user's or root's.
  static func isTrusted(_ channel: Channel, at endpoint: Endpoint) -> Bool {
    guard endpoint == .unix(path: Endpoint.defaultSocketPath), let peer = channel.peerCredentials else { return true }
    return [0, UV.Process.effectiveUserID].contains(peer.userID)
  }

  /// Begins a call whose messages the caller deals with; it may take as long as it likes unless `timeout` says
  /// otherwise.
  func start(_ method: String, timeout: Duration? = nil) throws(ClientFailure) -> ClientCall {
    do {
      return try channel.start(method, timeout: timeout)
    } catch {
      throw failure(error)
    }
  }

  /// Begins a call that has one request.
  func start(_ method: String, _ request: some WireMessage, timeout: Duration? = nil) throws(ClientFailure)
    -> ClientCall
  {
    let call = try start(method, timeout: timeout)
    // A call that has just begun takes a message of any size.
    try? call.send(request.encoded())
    call.closeSend()
    return call
  }

  /// One question, one answer.
  func call<Request: WireMessage, Answer: WireMessage>(
    _ method: String, _ request: Request, as answer: Answer.Type = Answer.self, timeout: Duration = callTimeout
  ) throws(ClientFailure) -> Answer {
    var result: Result<[UInt8], Status>?
    channel.unary(method, request.encoded(), timeout: timeout) { result = $0 }
    run { result != nil }
    switch result {
    case .success(let bytes): return try Self.decode(bytes)
    case .failure(let status): throw failure(status)
    case nil: throw failure(Status(.unavailable, "the connection is over"))
    }
  }

  /// All pages of a list; at least one.
  func pages<Page: PageResponse, Request: WireMessage>(
    _ method: String, _ page: Page.Type, _ request: (PageRequest) -> Request
  ) throws(ClientFailure) -> [Page] {
    var pages: [Page] = []
    repeat {
      pages.append(try call(method, request(PageRequest(token: pages.last?.nextPageToken ?? ""))))
    } while pages.last?.nextPageToken.isEmpty == false
    return pages
  }

  /// All items of a list.
  func list<Page: PageResponse>(_ method: String, _ page: Page.Type) throws(ClientFailure) -> [Page.Item] {
    try pages(method, page) { $0 }.flatMap(\.items)
  }

  /// Runs the loop until `isDone`, or until nothing can happen any more.
  func run(until isDone: () -> Bool) {
    while !isDone() { guard loop.run(.once) || isDone() else { return } }
  }

  /// Reads a message of the daemon's.
  static func decode<Answer: WireMessage>(_ bytes: [UInt8]) throws(ClientFailure) -> Answer {
    do {
      return try Answer(decoding: bytes)
    } catch {
      throw ClientFailure(
        .versionMismatch, "the daemon's answer is \(error.reason)",
        hint: "client and daemon should be of the same version")
    }
  }

  /// What a call that ended badly means to a person.
  func failure(_ status: Status) -> ClientFailure {
    if let sentence = Self.storeTrouble(status) { return ClientFailure(.failure, sentence) }
    let code = ExitCode(status: UInt32(clamping: status.code.rawValue))
    let message = status.message.isEmpty ? "the daemon answered \(status.code)" : status.message
    switch code {
    case .notFound: return .missing(message)
    case .unreachable: return ClientFailure(code, "the daemon at \(place) does not answer: \(message)")
    case .versionMismatch:
      return ClientFailure(code, message, hint: "the daemon is of another version; `stack-client daemon stop` ends it")
    default: return .told(Self.isAboutQuery(status) ? .usage : code, message)
    }
  }

  /// Whether it is the query that is not understood: then the command line is not.
  private static func isAboutQuery(_ status: Status) -> Bool {
    guard status.code == .invalidArgument, let details = try? ErrorDetails(decoding: status.details) else {
      return false
    }
    return details.fieldViolations.contains { violation in
      violation.field.hasSuffix("subject.search") || ["query", "filter"].contains(violation.field)
    }
  }

  /// What the daemon says of its store, where it answers well and it is the store that cannot be used now; nil for
  /// other failures.
  static func storeTrouble(_ status: Status) -> String? {
    guard let details = try? ErrorDetails(decoding: status.details), details.reason == "STORE_UNAVAILABLE" else {
      return nil
    }
    return status.message
  }

  /// Ends the connection in good order.
  func close() {
    channel.close()
    loop.run(.withoutWaiting)
  }
}

extension ClientFailure {
  /// What keeps a client from a daemon that may well run.
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
