public import RPC
public import UV

/// A client's connection to the daemon, on a loop of the caller's.
public final class Channel {
  /// How long connecting may take unless the caller says otherwise.
  public static let connectTimeout = Duration.seconds(5)

  /// The loop on which every callback runs.
  public let loop: Loop
  /// Called once when the connection is over, whoever ended it; every open call has been told before.
  public var onClosed: (() -> Void)?

  private let connection: ClientConnection
  private let drivers: StreamDriverGroup
  private let token: String?
  private var driver: StreamDriver?

  /// Connects. The completion runs once, on the loop, never before this returns.
  ///
  /// - Parameters:
  ///   - token: shown with every call; needed over TCP.
  ///   - limits: what the connection may cost; `messages.receivedBytes` must fit the daemon's largest response.
  public static func connect(
    loop: Loop, to endpoint: Endpoint, token: String? = nil, limits: ConnectionLimits = clientLimits,
    timeout: Duration = connectTimeout, completion: @escaping (Result<Channel, ChannelError>) -> Void
  ) {
    Connecting(loop: loop, endpoint: endpoint, token: token, limits: limits, completion: completion).start(timeout)
  }

  /// The limits of a client: a response may have 4 MiB, as gRPC's libraries have it (docs/PROTOCOL.md, section 11), and
  /// a window lets most come whole.
  public static var clientLimits: ConnectionLimits {
    var limits = ConnectionLimits()
    limits.messages.receivedBytes = 4 << 20
    limits.streams.windowBytes = 1 << 20
    limits.streams.connectionWindowBytes = 1 << 22
    return limits
  }

  init(loop: Loop, stream: Stream, endpoint: Endpoint, token: String?, limits: ConnectionLimits) throws(UVError) {
    let authority =
      switch endpoint {
      case .unix: "localhost"
      case .tcp(let address): address.description
      }
    guard let connection = ClientConnection(limits: limits, authority: authority, at: Loop.now) else {
      throw .invalidArgument
    }
    self.loop = loop
    self.connection = connection
    self.token = token
    drivers = StreamDriverGroup(loop: loop)
    driver = try drivers.drive(stream, connection) { [weak self] error in self?.closed(error) }
  }

  /// Whether calls can be started.
  public var isOpen: Bool { driver != nil }

  /// Who listens at the other end of a Unix socket, as the kernel knows it; nil over TCP, and when the connection is
  /// over.
  public var peerCredentials: PeerCredentials? { try? driver?.stream.peerCredentials() }

  /// Begins a call of any shape. Set its callbacks before the loop runs again.
  ///
  /// - Throws: UNAVAILABLE if the connection is over; INTERNAL if the token cannot be sent.
  public func start(
    _ path: String, metadata: Metadata = Metadata(), timeout: Duration? = nil
  ) throws(Status) -> ClientCall {
    var metadata = metadata
    if let token {
      do {
        try metadata.add("authorization", "Bearer \(token)")
      } catch {
        throw Status(.internal, "the token has characters that no header may have")
      }
    }
    let call = try connection.start(path, metadata: metadata, timeout: timeout, at: Loop.now)
    driver?.setNeedsFlush()
    return call
  }

  /// One request, one response. The completion runs once, on the loop; on a connection that is over, before this
  /// returns. Cancelling the returned call ends it with CANCELLED.
  @discardableResult
  public func unary(
    _ path: String, _ request: [UInt8], metadata: Metadata = Metadata(), timeout: Duration? = nil,
    completion: @escaping (Result<[UInt8], Status>) -> Void
  ) -> ClientCall? {
    let call: ClientCall
    do {
      call = try start(path, metadata: metadata, timeout: timeout)
      try call.send(request)
    } catch let status as Status {
      completion(.failure(status))
      return nil
    } catch {
      completion(.failure(Status(.internal, "the request could not be queued")))
      return nil
    }
    call.closeSend()
    var responses: [[UInt8]] = []
    call.onMessage = { _, message in responses.append(message) }
    call.onEnd = { _, status, _ in
      if !status.isOK {
        completion(.failure(status))
      } else if responses.count == 1 {
        completion(.success(responses[0]))
      } else {
        completion(.failure(Status(.internal, "\(path) answered with \(responses.count) messages instead of one")))
      }
    }
    return call
  }

  /// Cancels what is open, says goodbye if the kernel takes it at once, and closes. Asking twice is harmless.
  public func close() {
    guard let driver else { return }
    connection.close()
    driver.closeAfterFlush()
  }

  private func closed(_ error: UVError?) {
    driver = nil
    connection.connectionLost(
      error.map { "the connection to the daemon failed: \($0)" } ?? "the daemon closed the connection")
    drivers.close()
    let callback = onClosed
    onClosed = nil
    callback?()
  }
}
