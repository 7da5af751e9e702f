internal import ClientCore
internal import Messages
internal import RPC
internal import UV

/// One connection to a daemon, used a step at a time: every method runs the loop until it has its answer.
final class DaemonLink {
  /// How long a unary call may take.
  static let callTimeout = Duration.seconds(30)
  /// The largest message taken: a page of 200 rows or a frame, whose texts are at most 10,000 bytes each, with room to spare.
  private static let messageLimitBytes = 16 << 20

  let loop: Loop
  private let connection: ClientConnection
  private let socket: String
  private var driver: StreamDriver?

  /// Whether the socket is gone.
  var isLost: Bool { driver == nil }

  private init(loop: Loop, socket: String, connection: ClientConnection) {
    self.loop = loop
    self.socket = socket
    self.connection = connection
  }

  /// Connects to the daemon that listens at `socket`.
  ///
  /// - Parameter onlyOwn: whether a daemon of another user is refused, with `notPermitted`. Where nobody said which daemon is
  ///   meant, a socket that somebody else has put there is not to be told what this user writes.
  static func connect(
    _ group: StreamDriverGroup, loop: Loop, socket: String, onlyOwn: Bool
  ) throws(UVError) -> DaemonLink {
    var outcome: Result<UV.Stream, UVError>?
    try UV.Stream.connect(loop: loop, to: .unix(path: socket)) { outcome = $0 }
    while outcome == nil { loop.run(.once) }
    let stream: UV.Stream
    switch outcome! {
    case .success(let connected): stream = connected
    case .failure(let error): throw error
    }
    if onlyOwn, ![0, UV.Process.effectiveUserID].contains(try stream.peerCredentials().userID) {
      stream.close()
      throw .notPermitted
    }
    var limits = ConnectionLimits()
    limits.receivedMessageBytes = messageLimitBytes
    let agent = "stack-client/\(ClientVersion.current)"
    guard let connection = ClientConnection(limits: limits, userAgent: agent, at: Loop.now) else {
      stream.close()
      throw .tryAgain
    }
    let link = DaemonLink(loop: loop, socket: socket, connection: connection)
    link.driver = try group.drive(stream, ConnectionMachine(connection)) { [weak link] error in
      link?.driver = nil
      connection.connectionLost(error.map { "the connection broke: \($0)" } ?? "the daemon closed the connection")
    }
    return link
  }

  /// Begins a call whose messages the caller deals with.
  func start(_ method: String, timeout: Duration? = nil) throws(ClientFailure) -> ClientCall {
    do {
      return try connection.start(method, timeout: timeout, at: Loop.now)
    } catch {
      throw failure(error)
    }
  }

  /// One question, one answer.
  func call<Request: WireMessage, Answer: WireMessage>(
    _ method: String, _ request: Request, as answer: Answer.Type = Answer.self
  ) throws(ClientFailure) -> Answer {
    let call = try start(method, timeout: Self.callTimeout)
    var message: [UInt8]?
    var end: Status?
    call.onMessage = { call, bytes in
      call.consume(bytes.count)
      message = bytes
    }
    call.onEnd = { _, status, _ in end = status }
    // An empty queue takes a message of any size.
    try? call.send(request.encoded())
    call.closeSend()
    run { end != nil }
    if let end, !end.isOK { throw failure(end) }
    return try Self.decode(message ?? [])
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
    let code = ExitCode(status: UInt32(clamping: status.code.rawValue))
    let message = status.message.isEmpty ? "the daemon answered \(status.code)" : status.message
    switch code {
    case .unreachable: return ClientFailure(code, "the daemon at \(socket) does not answer: \(message)")
    case .versionMismatch:
      return ClientFailure(code, message, hint: "the daemon is of another version; `stack-client daemon stop` ends it")
    default: return ClientFailure(code, message)
    }
  }

  /// Ends the connection in good order.
  func close() {
    guard let driver else { return }
    connection.close()
    loop.run(.withoutWaiting)
    driver.close()
  }
}

/// A client's connection as the driver of a stream wants it.
private final class ConnectionMachine: StreamMachine {
  private let connection: ClientConnection

  init(_ connection: ClientConnection) { self.connection = connection }

  var onOutput: (() -> Void)? {
    get { connection.onOutput }
    set { connection.onOutput = newValue }
  }
  var hasOutput: Bool { connection.hasOutput }
  var wantsClose: Bool { connection.wantsClose }
  var nextDeadline: Duration? { connection.nextDeadline }
  func receive(_ bytes: RawSpan, at now: Duration) { connection.receive(bytes, at: now) }
  func takeOutput(into buffer: inout [UInt8], limit: Int) -> Bool { connection.takeOutput(into: &buffer, limit: limit) }
  func timeReached(_ now: Duration) { connection.timeReached(now) }
}
