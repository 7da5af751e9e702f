public import RPC
public import Services
public import UV

/// The daemon's listeners and connections: accepts clients, drives their gRPC connections, and shuts them down cleanly.
public final class Transport {
  private let loop: Loop
  private let configuration: TransportConfiguration
  private let registry: ServiceRegistry
  private let drivers: StreamDriverGroup
  private let refusals: RefusalLog
  /// What is held for all clients.
  private let budget: CallBudget
  private var counts: ConnectionCounts
  private var connections: [ObjectIdentifier: OpenConnection] = [:]
  /// Number of connections that were ever accepted.
  private var accepted = 0
  private var memoryReturn: MemoryReturn?
  private var listeners: [Listener] = []
  private var unixSocket: UnixSocket?
  private var onShutDown: (() -> Void)?
  private var isShuttingDown = false

  /// Starts listening.
  ///
  /// - Parameter budget: counts what is held for all clients.
  /// - Throws: the obstacle, in a sentence for the person who starts the daemon; nothing listens then.
  public init(
    loop: Loop, configuration: TransportConfiguration, registry: ServiceRegistry, budget: CallBudget = CallBudget()
  ) throws(TransportError) {
    self.loop = loop
    self.budget = budget
    self.configuration = configuration
    self.registry = registry
    let hasUnixSocket = configuration.socketPath != nil || !configuration.inheritedSockets.isEmpty
    let places = ConnectionPlaces(all: try configuration.allowedConnections(), hasUnixSocket: hasUnixSocket)
    counts = ConnectionCounts(places: places, owner: Process.effectiveUserID)
    do throws(UVError) {
      memoryReturn = try MemoryReturn(loop: loop)
      refusals = try RefusalLog(
        loop: loop, interval: configuration.refusalInterval, places: places, log: configuration.log)
    } catch {
      memoryReturn?.close()
      throw .noTimer(error)
    }
    drivers = StreamDriverGroup(loop: loop, stallTimeout: configuration.stallTimeout)
    budget.onRelease = { [weak self] in self?.memoryReturn?.memoryWasFreed() }
    do {
      try listen()
    } catch {
      stopListening()
      memoryReturn?.close()
      refusals.close()
      drivers.close()
      throw error
    }
  }

  /// Checks a configuration before anything but the socket's directory is created for it.
  ///
  /// - Throws: the obstacle, as far as it can be known without listening.
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

  /// The TCP listener's address, if there is one, with the port that the kernel chose for port 0.
  public var tcpAddress: SocketAddress? { listeners.lazy.compactMap(\.localAddress).first }

  /// Number of open connections.
  public var openConnections: Int { drivers.count }

  // MARK: Connections

  private func cannotAccept(_ error: UVError) { configuration.log("cannot accept a connection: \(error)") }

  private func accepted(_ stream: Stream) {
    guard let peer = peer(of: stream) else { return stream.close() }
    let holder = holder(of: peer)
    if let obstacle = counts.obstacle(to: holder) {
      refusals.recordRefusal(obstacle)
      guard evictIdle(of: counts.evictable(for: holder, because: obstacle)) else {
        return stream.close(after: ServerConnection.refusal(refusals.message(obstacle)))
      }
    }
    var limits = configuration.limits
    limits.times.authentication = configuration.unauthenticatedTimeout
    guard
      let connection = ServerConnection(limits: limits, budget: budget, peer: peer, handler: registry, at: Loop.now)
    else {
      configuration.log("a connection was closed: out of memory")
      return stream.close()
    }
    do {
      let driver = try drivers.drive(stream, connection) { [weak self] error in
        connection.connectionLost()
        self?.closed(connection, error)
      }
      accepted += 1
      connections[ObjectIdentifier(connection)] = OpenConnection(
        connection: connection, driver: driver, holder: holder, number: accepted)
      counts.add(holder, overTCP: peer == .unknown)
      connection.onAuthenticated = { [weak self] in self?.identified($0, as: $1) }
    } catch {
      configuration.log("a connection was closed: \(error)")
      connection.connectionLost()
      stream.close()
    }
  }

  /// Returns the one for whom the connections of a peer are counted.
  private func holder(of peer: Peer) -> ConnectionHolder {
    switch peer {
    case .localUser(let user, _): .user(user)
    case .tokenHolder(let token):
      registry.account(ofToken: token).map { .account($0) } ?? .user(Process.effectiveUserID)
    case .unknown: .unauthenticated
    }
  }

  /// Evicts the oldest idle connection of the first of `holders` that has one. Clients with a token authenticate on
  /// their first call, so they always find room. Returns false if there is no such connection. O(connections).
  private func evictIdle(of holders: [ConnectionHolder]) -> Bool {
    for holder in holders {
      let idle = connections.values.filter { $0.holder == holder && !$0.connection.isServing }
      guard let oldest = idle.min(by: { $0.number < $1.number }) else { continue }
      oldest.connection.reject(
        holder == .unauthenticated
          ? "closed to make room: this connection sent no token"
          : "closed to make room: this connection has no call under way")
      oldest.driver.flushAndClose()
      return true
    }
    return false
  }

  /// Counts a connection over TCP for the holder of its token. If that holder has too many, the oldest idle one gives
  /// way, or else this one.
  private func identified(_ connection: ServerConnection, as peer: Peer) {
    let holder = holder(of: peer)
    connections[ObjectIdentifier(connection)]?.holder = holder
    guard !counts.identify(as: holder) else { return }
    refusals.recordRefusal(.tooManyOfHolder)
    if !evictIdle(of: [holder]) { connection.shutDown(grace: .zero, at: Loop.now) }
  }

  /// Returns the peer of a connection; nil, with a line in the log, if it must be refused. The mode of an unshared Unix
  /// socket keeps other users out already; root, which no mode stops, may connect.
  private func peer(of stream: Stream) -> Peer? {
    guard let credentials = try? stream.peerCredentials() else { return .unknown }
    let isShared = configuration.group != nil || !configuration.inheritedSockets.isEmpty
    guard isShared || credentials.userID == Process.effectiveUserID || credentials.userID == 0 else {
      configuration.log("a connection from user \(credentials.userID) was refused: the socket is not shared")
      return nil
    }
    return .localUser(userID: credentials.userID, processID: credentials.processID)
  }

  private func closed(_ connection: ServerConnection, _ error: UVError?) {
    if let closed = connections.removeValue(forKey: ObjectIdentifier(connection)) {
      counts.remove(closed.holder, overTCP: connection.peer == .unknown)
    }
    memoryReturn?.memoryWasFreed()
    if let error, error != .connectionReset, error != .brokenPipe {
      configuration.log("a connection failed: \(error)")
    }
    if isShuttingDown { endIfIdle() }
  }

  /// Ends the open calls of all connections that satisfy `isMeant`, each with `status`. Must not be called from a
  /// call's callback.
  public func endCalls(with status: Status, where isMeant: (ServerCall) -> Bool) {
    for driver in drivers.all { (driver.machine as? ServerConnection)?.endCalls(with: status, where: isMeant) }
  }

  // MARK: Shutting down

  /// Stops listening, lets open calls finish within the configured grace period, and calls `completion` when the last
  /// connection has closed. Later calls have no effect; the first completion counts.
  public func shutDown(_ completion: @escaping () -> Void) {
    guard !isShuttingDown else { return }
    isShuttingDown = true
    onShutDown = completion
    stopListening()
    for driver in drivers.all {
      (driver.machine as? ServerConnection)?.shutDown(grace: configuration.shutDownGrace, at: Loop.now)
      // Its deadline has changed, which the driver notices when it flushes.
      driver.setNeedsFlush()
    }
    endIfIdle()
  }

  private func endIfIdle() {
    guard drivers.count == 0, let completion = onShutDown else { return }
    onShutDown = nil
    refusals.close()
    drivers.close()
    memoryReturn?.close()
    completion()
  }

  private func stopListening() {
    for listener in listeners { listener.close() }
    listeners = []
    unixSocket?.close()
    unixSocket = nil
  }
}
