public import RPC
public import UV

/// A client's connection to the daemon, on the caller's loop.
public final class Channel {
  /// The default time limit for connecting.
  public static let connectTimeout = Duration.seconds(5)

  /// The loop on which every callback runs.
  public let loop: Loop
  /// Called once when the connection has ended, on either side, after every open call has ended.
  public var onClosed: (() -> Void)?

  private let connection: ClientConnection
  private let drivers: StreamDriverGroup
  private let token: String?
  private var driver: StreamDriver?

  /// Connects. The completion runs once, on the loop, and never before this method returns.
  ///
  /// - Parameters:
  ///   - token: sent with every call; needed over TCP.
  ///   - limits: the limits of the connection; `messages.receivedBytes` must fit the daemon's largest response.
  public static func connect(
    loop: Loop, to endpoint: Endpoint, token: String? = nil, limits: ConnectionLimits = clientLimits,
    timeout: Duration = connectTimeout, completion: @escaping (Result<Channel, ChannelError>) -> Void
  ) {
    Connecting(loop: loop, endpoint: endpoint, token: token, limits: limits, completion: completion).start(timeout)
  }

  /// The limits of a client. A response may have 4 MiB, the default of gRPC libraries (docs/PROTOCOL.md, "Limits"), and
  /// the window lets most responses arrive in one piece.
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

  /// True if calls can be started.
  public var isOpen: Bool { driver != nil }

  /// The credentials of the listener on a Unix socket, from the kernel; nil over TCP and after the connection has ended.
  public var peerCredentials: PeerCredentials? { try? driver?.stream.peerCredentials() }

  /// Starts a call of any kind. Set its callbacks before the loop runs again.
  ///
  /// - Throws: UNAVAILABLE if the connection has ended; INTERNAL if the token cannot be sent.
  public func start(
    _ path: String, metadata: Metadata = Metadata(), timeout: Duration? = nil
  ) throws(Status) -> ClientCall {
    var metadata = metadata
    if let token {
      do {
        try metadata.add("authorization", "Bearer \(token)")
      } catch {
        throw Status(.internal, "the token contains characters that are not allowed in a header")
      }
    }
    let call = try connection.start(path, metadata: metadata, timeout: timeout, at: Loop.now)
    driver?.setNeedsFlush()
    return call
  }

  /// Starts a unary call. The completion runs once, on the loop, or before this method returns if the connection has
  /// ended. Cancelling the returned call ends it with CANCELLED.
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
        completion(.failure(Status(.internal, "\(path) returned \(responses.count) messages instead of one")))
      }
    }
    return call
  }

  /// Cancels open calls, sends GOAWAY if the kernel accepts it at once, and closes. Calling it twice is harmless.
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
