import ClientTransport
import Glibc
import InteropService
import Messages
import RPC
import Server
import Services
import Testing
import UV

/// A directory of mode 0700 that is deleted, with its contents, when it is released.
final class TemporaryDirectory {
  let path: String

  init() throws {
    var template = Array("/tmp/stack-server-XXXXXX".utf8CString)
    let isMade = unsafe template.withUnsafeMutableBufferPointer { buffer in
      unsafe buffer.baseAddress.map { unsafe mkdtemp($0) != nil } ?? false
    }
    try #require(isMade)
    path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  deinit {
    for folder in ["run", "state", "."] {
      for name in ["d.sock", "d.sock.lock", "token"] { unsafe unlink("\(path)/\(folder)/\(name)") }
      unsafe rmdir("\(path)/\(folder)")
    }
    unsafe rmdir(path)
  }

  var socket: String { "\(path)/run/d.sock" }
  var token: String { "\(path)/state/token" }
}

/// Runs a test on a loop, and checks that it leaves nothing open.
func withLoop(_ body: (Loop) throws -> Void) throws {
  let loop = try Loop()
  do {
    try body(loop)
  } catch {
    try loop.close()
    throw error
  }
  try loop.close()
}

/// A transport with the test and health services, and its clients, all on one loop.
final class TransportBench {
  let loop: Loop
  let directory: TemporaryDirectory
  let health: HealthService
  let registry: ServiceRegistry
  let transport: Transport
  /// Counts what the transport holds for its clients.
  let budget = CallBudget()
  private(set) var log: [String] = []

  init(_ loop: Loop, tcp: Bool = false, _ change: (inout TransportConfiguration) -> Void = { _ in }) throws {
    let directory = try TemporaryDirectory()
    var configuration = TransportConfiguration()
    configuration.socketPath = directory.socket
    if tcp { configuration.listen = SocketAddress(host: "127.0.0.1", port: 0) }
    change(&configuration)
    final class Log { weak var bench: TransportBench? }
    let log = Log()
    configuration.log = { log.bench?.log.append($0) }
    registry = ServiceRegistry(tokens: tcp ? try TokenVerifier(file: directory.token) : nil)
    registry.register(TestService(loop: loop))
    health = HealthService(services: registry.serviceNames)
    registry.register(health)
    registry.registerReflection()
    transport = try Transport(loop: loop, configuration: configuration, registry: registry, budget: budget)
    self.loop = loop
    self.directory = directory
    log.bench = self
  }

  /// Runs the loop until a condition holds; fails if the loop has nothing left to do.
  func run(until isDone: () -> Bool) throws {
    while !isDone() {
      // The last event may be what was waited for.
      let isAlive = loop.run(.once)
      try #require(isAlive || isDone(), "the loop ran dry")
    }
  }

  /// Connects a client over the Unix socket, or to another endpoint.
  func connect(_ endpoint: Endpoint? = nil, token: String? = nil) throws -> Channel {
    var result: Result<Channel, ChannelError>?
    Channel.connect(loop: loop, to: endpoint ?? .unix(path: directory.socket), token: token) { result = $0 }
    try run { result != nil }
    return try #require(result).get()
  }

  /// Makes a unary call and waits for its end.
  func unary(_ channel: Channel, _ path: String, _ request: [UInt8] = []) throws -> Result<[UInt8], Status> {
    var result: Result<[UInt8], Status>?
    channel.unary(path, request) { result = $0 }
    try run { result != nil }
    return try #require(result)
  }

  /// Shuts down, and waits for the end.
  func shutDown() throws {
    var isDown = false
    transport.shutDown { isDown = true }
    try run { isDown }
  }
}

/// Returns the status that `body` throws, without its details; nil if it throws none.
func refusal(of body: () throws -> some Any) throws -> Status? {
  do {
    _ = try body()
    return nil
  } catch let status as Status {
    return Status(status.code, status.message)
  }
}

/// Paths of the methods that the tests call.
enum Call {
  static let empty = "/grpc.testing.TestService/EmptyCall"
  static let duplex = "/grpc.testing.TestService/FullDuplexCall"
  static let check = "/grpc.health.v1.Health/Check"
  static let watch = "/grpc.health.v1.Health/Watch"
}
