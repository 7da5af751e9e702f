public import RPC
public import Services
public import UV

/// The daemon's listeners and connections: accepts clients, drives their gRPC connections, and ends them in good order.
public final class Transport {
  private let loop: Loop
  private let configuration: TransportConfiguration
  private let registry: ServiceRegistry
  private let drivers: StreamDriverGroup
  private let places: ConnectionPlaces
  private let refusals: RefusalLog
  /// Connections over TCP.
  private var connectionsOverTCP = 0
  /// Those of them that have not shown a token, oldest first; as few as ``ConnectionPlaces/strangers``.
  private var strangers: [StreamDriver] = []
  private var listeners: [Listener] = []
  private var unixSocket: UnixSocket?
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
    let hasUnixSocket = configuration.socketPath != nil || !configuration.inheritedSockets.isEmpty
    let places = ConnectionPlaces(all: try configuration.allowedConnections(), hasUnixSocket: hasUnixSocket)
    self.places = places
    do throws(UVError) {
      refusals = try RefusalLog(
        loop: loop, interval: configuration.refusalInterval, places: places, log: configuration.log)
    } catch {
      throw .noTimer(error)
    }
    drivers = StreamDriverGroup(loop: loop, stallTimeout: configuration.stallTimeout)
    do {
      try listen()
    } catch {
      stopListening()
      refusals.close()
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
    if let address = configuration.listen { try check(address) }
  }

  private static func check(_ address: SocketAddress) throws(TransportError) {
    guard address.isLoopback else { throw .notLoopback(address) }
  }

  private func listen() throws(TransportError) {
    if !configuration.inheritedSockets.isEmpty {
      for descriptor in configuration.inheritedSockets { try listen(inherited: descriptor) }
    } else if let path = configuration.socketPath {
      unixSocket = try UnixSocket(
        loop: loop, path: path, group: configuration.group, delay: configuration.socketDelay,
        interval: configuration.socketInterval,
        log: configuration.log,
        onError: { [weak self] in self?.cannotAccept($0) }, onConnection: { [weak self] in self?.accepted($0) })
    }
    if let address = configuration.listen {
      try Self.check(address)
      try listen(.tcp(address))
    }
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
    guard let peer = peer(of: stream) else { return stream.close() }
    if let reason = obstacle(to: peer) {
      refusals.note(reason)
      guard giveWay() else { return stream.close(after: ServerConnection.refusal(refusals.words(reason))) }
    }
    var limits = configuration.limits
    limits.times.authentication = configuration.strangerTimeout
    guard let connection = ServerConnection(limits: limits, peer: peer, handler: registry, at: Loop.now) else {
      configuration.log("a connection was closed: memory is short")
      return stream.close()
    }
    do {
      let driver = try drivers.drive(stream, connection) { [weak self] error in
        connection.connectionLost()
        self?.closed(connection, error)
      }
      guard peer == .unknown else { return }
      connectionsOverTCP += 1
      strangers.append(driver)
      connection.onAuthenticated = { [weak self] in self?.isNoStranger($0) }
    } catch {
      configuration.log("a connection was closed: \(error)")
      connection.connectionLost()
      stream.close()
    }
  }

  /// Why a newcomer cannot have a place; nil if it can.
  private func obstacle(to peer: Peer) -> RefusalLog.Reason? {
    if peer == .unknown {
      if strangers.count >= places.strangers { return .tooManyStrangers }
      if connectionsOverTCP >= places.overTCP { return .fullOverTCP }
    }
    return drivers.count >= places.all ? .full : nil
  }

  /// Ends the oldest connection that has shown no token and for which nothing is being done. Whoever has a token shows
  /// it at once: so it finds a place however many others come. False if there is none such.
  private func giveWay() -> Bool {
    let idle = strangers.first { ($0.machine as? ServerConnection)?.isServing == false }
    guard let driver = idle else { return false }
    (driver.machine as? ServerConnection)?.reject(
      "the place of a connection that has shown no token is needed for another")
    driver.flushAndClose()
    return true
  }

  private func isNoStranger(_ connection: ServerConnection) { strangers.removeAll { $0.machine === connection } }

  /// Who a connection is from; nil, with a line in the log, if it must be refused. On a Unix socket that is not shared
  /// the socket's mode has kept others out already; root, whom no mode keeps out, may come in.
  private func peer(of stream: Stream) -> Peer? {
    guard let credentials = try? stream.peerCredentials() else { return .unknown }
    let isShared = configuration.group != nil || !configuration.inheritedSockets.isEmpty
    guard isShared || credentials.userID == Process.effectiveUserID || credentials.userID == 0 else {
      configuration.log("a connection of user \(credentials.userID) was closed: the socket is not shared")
      return nil
    }
    return .localUser(userID: credentials.userID, processID: credentials.processID)
  }

  private func closed(_ connection: ServerConnection, _ error: UVError?) {
    if connection.peer == .unknown {
      connectionsOverTCP -= 1
      isNoStranger(connection)
    }
    if let error, error != .connectionReset, error != .brokenPipe {
      configuration.log("a connection failed: \(error)")
    }
    if isShuttingDown { endIfIdle() }
  }

  /// Ends those open calls, of all connections, for which `isMeant`, each with `status`. Not to be called from a
  /// callback of a call.
  public func endCalls(with status: Status, where isMeant: (ServerCall) -> Bool) {
    for driver in drivers.all { (driver.machine as? ServerConnection)?.endCalls(with: status, where: isMeant) }
  }

  // MARK: Shutting down

  /// Stops listening, lets the calls that are open end for as long as the configuration allows, and calls `completion`
  /// when the last connection is closed. Asking twice is harmless; the first completion counts.
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
    refusals.close()
    drivers.close()
    completion()
  }

  private func stopListening() {
    for listener in listeners { listener.close() }
    listeners = []
    unixSocket?.close()
    unixSocket = nil
  }
}
