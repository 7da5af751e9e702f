public import RPC
public import Services
public import UV

/// The daemon's listeners and connections: accepts clients, drives their gRPC connections, and ends them in good order.
public final class Transport {
  private let loop: Loop
  private let configuration: TransportConfiguration
  private let registry: ServiceRegistry
  private let drivers: StreamDriverGroup
  private let maximumConnections: Int
  private var listeners: [Listener] = []
  private var place: SocketPlace?
  private var onShutDown: (() -> Void)?
  private var isShuttingDown = false

  /// Listens from now on.
  ///
  /// - Throws: what is in the way, in a sentence for the person who starts the daemon; nothing listens then.
  public init(
    loop: Loop, configuration: TransportConfiguration, registry: ServiceRegistry
  ) throws(TransportError) {
    self.loop = loop
    self.configuration = configuration
    self.registry = registry
    maximumConnections = try configuration.allowedConnections()
    drivers = StreamDriverGroup(loop: loop, stallTimeout: configuration.stallTimeout)
    do {
      try listen()
    } catch {
      stopListening()
      drivers.close()
      throw error
    }
  }

  /// Sees whether a configuration can be right before anything is made for it, but for the socket's directory.
  ///
  /// - Throws: what is in the way, as far as that can be known without listening.
  static func check(_ configuration: TransportConfiguration) throws(TransportError) {
    if configuration.inheritedSockets.isEmpty, let path = configuration.socketPath {
      try SocketPlace.prepareDirectory(of: path, group: configuration.group)
    }
    if let address = configuration.listen, !address.isLoopback { throw .notLoopback(address) }
  }

  private func listen() throws(TransportError) {
    try Self.check(configuration)
    if !configuration.inheritedSockets.isEmpty {
      for descriptor in configuration.inheritedSockets { try listen(inherited: descriptor) }
    } else if let path = configuration.socketPath {
      let place = try SocketPlace(path: path, group: configuration.group)
      self.place = place
      try listen(.unix(path: path))
      try place.share()
    }
    if let address = configuration.listen { try listen(.tcp(address)) }
  }

  private func listen(_ endpoint: Endpoint) throws(TransportError) {
    do {
      let listener = try Listener(
        loop: loop, endpoint, onError: { [weak self] in self?.cannotAccept($0) },
        onConnection: { [weak self] in self?.accepted($0) })
      listeners.append(listener)
    } catch {
      throw .cannotListen(endpoint, error)
    }
  }

  private func listen(inherited descriptor: Int32) throws(TransportError) {
    do {
      let listener = try Listener(
        loop: loop, inherited: descriptor, onError: { [weak self] in self?.cannotAccept($0) },
        onConnection: { [weak self] in self?.accepted($0) })
      listeners.append(listener)
    } catch {
      throw .cannotPrepare(path: "inherited descriptor \(descriptor)", error)
    }
  }

  /// Where the TCP listener ended up, if there is one: tells the port that the kernel chose for port 0.
  public var tcpAddress: SocketAddress? { listeners.lazy.compactMap(\.localAddress).first }

  /// Connections that are open.
  public var openConnections: Int { drivers.count }

  // MARK: Connections

  private func cannotAccept(_ error: UVError) { configuration.log("a connection could not be accepted: \(error)") }

  private func accepted(_ stream: Stream) {
    guard drivers.count < maximumConnections else {
      configuration.log("a connection was closed: \(maximumConnections) are open, and no more are allowed; see --max-connections")
      return stream.close()
    }
    guard let peer = peer(of: stream) else { return stream.close() }
    guard
      let connection = ServerConnection(limits: configuration.limits, peer: peer, handler: registry, at: Loop.now)
    else {
      configuration.log("a connection was closed: memory is short")
      return stream.close()
    }
    do {
      try drivers.drive(stream, connection) { [weak self] error in
        connection.connectionLost()
        self?.closed(error)
      }
    } catch {
      configuration.log("a connection was closed: \(error)")
      connection.connectionLost()
      stream.close()
    }
  }

  /// Who a connection is from; nil, with a line in the log, if it must be refused. On a Unix socket that is not shared the
  /// socket's mode has kept others out already; root, whom no mode keeps out, may come in.
  private func peer(of stream: Stream) -> Peer? {
    guard let credentials = try? stream.peerCredentials() else { return .unknown }
    let isShared = configuration.group != nil || !configuration.inheritedSockets.isEmpty
    guard isShared || credentials.userID == Process.effectiveUserID || credentials.userID == 0 else {
      configuration.log("a connection of user \(credentials.userID) was closed: the socket is not shared")
      return nil
    }
    return .localUser(userID: credentials.userID, processID: credentials.processID)
  }

  private func closed(_ error: UVError?) {
    if let error, error != .connectionReset, error != .brokenPipe {
      configuration.log("a connection failed: \(error)")
    }
    if isShuttingDown { endIfIdle() }
  }

  /// Ends those open calls, of all connections, for which `isMeant`, each with `status`. Not to be called from a callback of a call.
  public func endCalls(with status: Status, where isMeant: (ServerCall) -> Bool) {
    for driver in drivers.all { (driver.machine as? ServerConnection)?.endCalls(with: status, where: isMeant) }
  }

  // MARK: Shutting down

  /// Stops listening, lets the calls that are open end for as long as the configuration allows, and calls `completion` when the
  /// last connection is closed. Asking twice is harmless; the first completion counts.
  public func shutDown(_ completion: @escaping () -> Void) {
    guard !isShuttingDown else { return }
    isShuttingDown = true
    onShutDown = completion
    stopListening()
    for driver in drivers.all {
      (driver.machine as? ServerConnection)?.shutDown(grace: configuration.shutDownGrace, at: Loop.now)
      // Its deadline has changed, which the driver looks at when it flushes.
      driver.setNeedsFlush()
    }
    endIfIdle()
  }

  private func endIfIdle() {
    guard drivers.count == 0, let completion = onShutDown else { return }
    onShutDown = nil
    drivers.close()
    completion()
  }

  private func stopListening() {
    for listener in listeners { listener.close() }
    listeners = []
    place?.lock.unlock()
    place = nil
  }
}
