import ClientTransport
import Glibc
import Messages
import RPC
import Server
import Services
import Testing
import UV

@Suite("Transport", .timeLimit(.minutes(1)))
struct TransportTests {
  @Test("serves clients on a Unix socket in a directory that it creates for its owner alone")
  func unix() throws {
    try withLoop { loop in
      let bench = try TransportBench(loop)
      #expect(try FileSystem.status(of: bench.directory.socket).permissions == 0o600)
      #expect(try FileSystem.status(of: bench.directory.path + "/run").permissions == 0o700)
      let channel = try bench.connect()
      #expect(try bench.unary(channel, Call.empty) == .success([]))
      #expect(bench.transport.openConnections == 1)
      channel.close()
      try bench.run { bench.transport.openConnections == 0 }
      try bench.shutDown()
      #expect(throws: UVError.noSuchFile) { try FileSystem.status(of: bench.directory.socket) }
      #expect(bench.log == [])
    }
  }

  @Test("serves TCP clients that send the token, and no others", arguments: ["right", "wrong", nil])
  func tcp(token: String?) throws {
    try withLoop { loop in
      let bench = try TransportBench(loop, tcp: true)
      #expect(try FileSystem.status(of: bench.directory.token).permissions == 0o600)
      let file = try FileSystem.read(bench.directory.token, limit: 1000)
      #expect(file.count == 65)
      let shown = token == "right" ? String(decoding: file.dropLast(), as: UTF8.self) : token
      let address = try #require(bench.transport.tcpAddress)
      let channel = try bench.connect(.tcp(address), token: shown)
      let result = try bench.unary(channel, Call.empty)
      if token == "right" {
        #expect(result == .success([]))
      } else {
        #expect(throws: Status.self) { try result.get() }
        if case .failure(let status) = result { #expect(status.code == .unauthenticated) }
      }
      channel.close()
      try bench.shutDown()
    }
  }

  @Test("shares its socket with a group")
  func group() throws {
    try withLoop { loop in
      // The one group that the user who runs the test is certain to be in.
      let name = try #require(ownGroupName())
      let bench = try TransportBench(loop) { $0.group = name }
      #expect(try FileSystem.status(of: bench.directory.socket).permissions == 0o660)
      #expect(try FileSystem.status(of: bench.directory.socket).group == getegid())
      #expect(try FileSystem.status(of: bench.directory.path + "/run").permissions == 0o750)
      try bench.shutDown()
    }
  }

  @Test("does not start beside another, and starts after one that was killed")
  func twice() throws {
    try withLoop { loop in
      let bench = try TransportBench(loop)
      var configuration = TransportConfiguration()
      configuration.socketPath = bench.directory.socket
      let running = TransportError.alreadyRunning(path: bench.directory.socket, process: getpid())
      #expect(throws: running) { try Transport(loop: loop, configuration: configuration, registry: ServiceRegistry()) }
      #expect(
        running.description.hasPrefix(
          "another daemon (process \(getpid())) is already listening on \(bench.directory.socket)"))
      #expect(try bench.unary(try bench.connect(), Call.empty) == .success([]), "the first goes on")
      try bench.shutDown()
      // A socket without a listener, as a killed daemon leaves it.
      let left = try boundSocket(at: bench.directory.socket)
      Glibc.close(left)
      let second = try Transport(loop: loop, configuration: configuration, registry: ServiceRegistry())
      var isDown = false
      second.shutDown { isDown = true }
      #expect(isDown)
    }
  }

  @Test("does not replace a socket that has a listener, even without a lock")
  func foreign() throws {
    try withLoop { loop in
      let directory = try TemporaryDirectory()
      try FileSystem.makeDirectory(directory.path + "/run", mode: 0o700)
      let left = try boundSocket(at: directory.socket)
      listen(left, 1)
      defer { Glibc.close(left) }
      var configuration = TransportConfiguration()
      configuration.socketPath = directory.socket
      #expect(throws: TransportError.alreadyRunning(path: directory.socket, process: nil)) {
        try Transport(loop: loop, configuration: configuration, registry: ServiceRegistry())
      }
    }
  }

  @Test("reports each obstacle in one line that says what to do, and leaves nothing open")
  func obstacles() throws {
    try withLoop { loop in
      let directory = try TemporaryDirectory()
      func start(_ change: (inout TransportConfiguration) -> Void) -> TransportError? {
        var configuration = TransportConfiguration()
        configuration.socketPath = directory.socket
        change(&configuration)
        do throws(TransportError) {
          _ = try Transport(loop: loop, configuration: configuration, registry: ServiceRegistry())
          return nil
        } catch {
          #expect(!error.description.contains("\n"))
          return error
        }
      }
      #expect(start { $0.group = "no such group" }?.description.contains("getent group") == true)
      let long = directory.path + "/" + String(repeating: "x", count: 100)
      #expect(start { $0.socketPath = long } == .pathTooLong(path: long))
      let everywhere = SocketAddress(host: "0.0.0.0", port: 0)
      #expect(start { $0.listen = everywhere } == everywhere.map { .notLoopback($0) })
      try FileSystem.changeMode(of: directory.path + "/run", to: 0o755)
      #expect(start { _ in }?.description.contains("chmod 700 \(directory.path)/run") == true)
      try FileSystem.changeMode(of: directory.path + "/run", to: 0o750)
      let group = try #require(Process.groupName(of: try FileSystem.status(of: directory.path + "/run").group))
      #expect(start { _ in }?.description.contains("start with --group \(group) to let its members connect") == true)
      try FileSystem.changeMode(of: directory.path + "/run", to: 0o777)
      #expect(start { _ in }?.description.contains("world-writable") == true)
      try FileSystem.changeMode(of: directory.path + "/run", to: 0o700)
      try FileSystem.create(directory.socket, mode: 0o600, contents: [])
      #expect(start { _ in } == .notASocket(path: directory.socket))
      #expect(loop.run() == false)
      #expect(loop.openHandles == 0)
    }
  }

  @Test("refuses a token file that others can read or that holds no token")
  func tokenFile() throws {
    let directory = try TemporaryDirectory()
    _ = try TokenVerifier(file: directory.token)
    try FileSystem.changeMode(of: directory.token, to: 0o640)
    #expect(throws: TransportError.self) { try TokenVerifier(file: directory.token) }
    try FileSystem.remove(directory.token)
    try FileSystem.create(directory.token, mode: 0o600, contents: Array("short\n".utf8))
    #expect(throws: TransportError.self) { try TokenVerifier(file: directory.token) }
  }

  @Test("closes connections above its limit, and accepts new ones when there is room")
  func connectionLimit() throws {
    try withLoop { loop in
      let bench = try TransportBench(loop) { $0.maximumConnections = 2 }
      let channels = try (0..<3).map { _ in try bench.connect() }
      try bench.run { !channels[2].isOpen }
      #expect(channels[0].isOpen && channels[1].isOpen)
      #expect(bench.log.count == 1)
      channels[0].close()
      try bench.run { bench.transport.openConnections == 1 }
      #expect(try bench.unary(try bench.connect(), Call.empty) == .success([]))
      try bench.shutDown()
    }
  }

  @Test("lets open calls finish when it shuts down, and closes its clients' connections")
  func shutDown() throws {
    try withLoop { loop in
      let bench = try TransportBench(loop)
      let channel = try bench.connect()
      let call = try channel.start(Call.duplex)
      var end: Status?
      call.onEnd = { _, status, _ in end = status }
      try call.send([])
      var hasHeaders = false
      call.onInitialMetadata = { _, _ in hasHeaders = true }
      try bench.run { hasHeaders }
      var isDown = false
      bench.transport.shutDown { isDown = true }
      for _ in 0..<10 { loop.run(.withoutWaiting) }
      #expect(!isDown && end == nil)
      var result: Result<Channel, ChannelError>?
      Channel.connect(loop: loop, to: .unix(path: bench.directory.socket)) { result = $0 }
      try bench.run { result != nil }
      guard case .failure(let error) = try #require(result) else { return #expect(Bool(false), "it still listens") }
      #expect(error == .noSuchSocket(path: bench.directory.socket))
      call.closeSend()
      try bench.run { isDown && !channel.isOpen }
      #expect(end == .ok)
    }
  }

  @Test("ends calls that outlast the grace period")
  func patience() throws {
    try withLoop { loop in
      let bench = try TransportBench(loop) { $0.shutDownGrace = .milliseconds(1) }
      let channel = try bench.connect()
      let call = try channel.start(Call.duplex)
      var end: Status?
      call.onEnd = { _, status, _ in end = status }
      try bench.shutDown()
      try bench.run { end != nil }
      #expect(end?.code == .unavailable)
    }
  }

  @Test("closes a connection that sends nothing")
  func silence() throws {
    try withLoop { loop in
      let bench = try TransportBench(loop) { $0.limits.times.preface = .milliseconds(5) }
      var hasEnded = false
      try UV.Stream.connect(loop: loop, to: .unix(path: bench.directory.socket)) { result in
        guard let stream = try? result.get() else { return }
        try? stream.startReading(
          onBytes: { _ in },
          onEnd: { _ in
            hasEnded = true
            stream.close()
          })
      }
      try bench.run { hasEnded }
      try bench.shutDown()
    }
  }

  @Test("reports the health of its services, and each change to watchers")
  func health() throws {
    try withLoop { loop in
      let bench = try TransportBench(loop)
      let channel = try bench.connect()
      func check(_ service: String) throws -> Result<[UInt8], Status> {
        try bench.unary(channel, Call.check, HealthCheckRequest(service: service).encoded())
      }
      for service in ["", "grpc.testing.TestService", "grpc.health.v1.Health"] {
        #expect(try check(service) == .success(HealthCheckResponse(status: .serving).encoded()))
      }
      #expect(try refusal { try check("x").get() } == Status(.notFound, "there is no service x"))
      var statuses: [HealthCheckResponse.Status] = []
      var end: Status?
      let call = try channel.start(Call.watch)
      call.onMessage = { _, bytes in
        if let status = try? HealthCheckResponse(decoding: bytes).status { statuses.append(status) }
      }
      call.onEnd = { _, status, _ in end = status }
      try call.send(HealthCheckRequest().encoded())
      call.closeSend()
      try bench.run { statuses == [.serving] }
      bench.health.setAll(.notServing)
      try bench.run { statuses == [.serving, .notServing] }
      bench.health.setAll(.serving)
      bench.health.setAll(.notServing)
      bench.health.endWatches()
      try bench.run { end != nil }
      #expect(statuses == [.serving, .notServing], "a status that changed back is not sent")
      try bench.shutDown()
    }
  }

  private func ownGroupName() -> String? {
    unsafe getgrgid(getegid()).map { unsafe String(cString: $0.pointee.gr_name) }
  }
}

@Suite("Client channels", .timeLimit(.minutes(1)))
struct ChannelTests {
  @Test("a failed connection reports the reason")
  func errors() throws {
    let directory = try TemporaryDirectory()
    func error(_ endpoint: Endpoint) throws -> ChannelError? {
      var outcome: Result<Channel, ChannelError>?
      try withLoop { loop in
        Channel.connect(loop: loop, to: endpoint) { outcome = $0 }
        while outcome == nil, loop.run(.once) {}
      }
      guard case .failure(let error)? = outcome else { return nil }
      return error
    }
    #expect(try error(.unix(path: directory.socket)) == .noSuchSocket(path: directory.socket))
    try FileSystem.makeDirectory(directory.path + "/run", mode: 0o700)
    let left = try boundSocket(at: directory.socket)
    Glibc.close(left)
    #expect(try error(.unix(path: directory.socket)) == .refused(.unix(path: directory.socket)))
    let long = "/" + String(repeating: "x", count: 200)
    #expect(try error(.unix(path: long)) == .pathTooLong(path: long))
    // Nothing listens on port 1 of this machine.
    let closed = Endpoint.tcp(try #require(SocketAddress(host: "127.0.0.1", port: 1)))
    #expect(try error(closed) == .refused(closed))
    for found in [ChannelError.noSuchSocket(path: "/a"), .refused(closed)] { #expect(found.isDaemonMissing) }
    #expect(!ChannelError.permissionDenied(closed).isDaemonMissing)
  }

  @Test("calls to a program that is not a daemon end with UNAVAILABLE")
  func notADaemon() throws {
    try withLoop { loop in
      let directory = try TemporaryDirectory()
      try FileSystem.makeDirectory(directory.path + "/run", mode: 0o700)
      let listener = try Listener(loop: loop, .unix(path: directory.socket)) { stream in
        let reply = Array("220 mail ready\r\n220 mail ready\r\n".utf8)
        _ = unsafe try? stream.write(reply.span.bytes)
        try? stream.startReading(onBytes: { _ in }, onEnd: { _ in stream.close() })
      }
      var status: Status?
      var kept: Channel?
      Channel.connect(loop: loop, to: .unix(path: directory.socket)) { result in
        guard let channel = try? result.get() else { return }
        channel.unary(Call.empty, []) { if case .failure(let failure) = $0 { status = failure } }
        kept = channel
      }
      while status == nil, loop.run(.once) {}
      #expect(status?.code == .unavailable)
      #expect(kept?.isOpen == false)
      listener.close()
    }
  }

  @Test("a call ends at its timeout even if the server does not end it")
  func timeout() throws {
    try withLoop { loop in
      let bench = try TransportBench(loop)
      let channel = try bench.connect()
      var result: Result<[UInt8], Status>?
      // A duplex call that its client never ends.
      let call = try channel.start(Call.duplex, timeout: .milliseconds(20))
      call.onEnd = { _, status, _ in result = .failure(status) }
      try bench.run { result != nil }
      #expect(throws: Status.self) { try result?.get() }
      if case .failure(let status)? = result { #expect(status.code == .deadlineExceeded) }
      channel.close()
      try bench.shutDown()
    }
  }
}

/// Binds a Unix socket without listening on it.
func boundSocket(at path: String) throws -> Int32 {
  let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
  var address = sockaddr_un()
  address.sun_family = sa_family_t(AF_UNIX)
  unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: path.utf8) }
  let status = unsafe withUnsafePointer(to: &address) { pointer in
    unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
      unsafe bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
    }
  }
  try #require(status == 0)
  return descriptor
}
