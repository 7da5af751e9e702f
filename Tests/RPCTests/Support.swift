import RPC
import TestSupport
import Testing

/// How the bytes between two ends are cut on their way. Nothing a peer can observe may depend on it.
enum Cut: CaseIterable, Sendable, CustomTestStringConvertible {
  case whole
  case bytes
  case random

  var testDescription: String {
    switch self {
    case .whole: "whole"
    case .bytes: "byte by byte"
    case .random: "random cuts"
    }
  }

  /// The pieces of `bytes`, in order; none of them empty.
  func pieces(of bytes: [UInt8], _ random: inout SeededGenerator) -> [[UInt8]] {
    switch self {
    case .whole: return bytes.isEmpty ? [] : [bytes]
    case .bytes: return bytes.map { [$0] }
    case .random:
      var rest = bytes[...]
      var pieces: [[UInt8]] = []
      while !rest.isEmpty {
        let piece = rest.prefix(Int.random(in: 1...40, using: &random))
        pieces.append(Array(piece))
        rest = rest.dropFirst(piece.count)
      }
      return pieces
    }
  }
}

/// A server's application: a function.
final class Application: ServerCallHandler {
  var onCall: (ServerCall) -> Void = { _ in }
  /// The calls that have come, in order.
  private(set) var calls: [ServerCall] = []

  func handle(_ call: ServerCall) {
    calls.append(call)
    onCall(call)
  }
}

/// What a client call has been told.
final class Answer {
  var initial: Metadata?
  var messages: [[UInt8]] = []
  var end: (status: Status, trailers: Metadata)?

  var status: Status? { end?.status }

  init(_ call: ClientCall) {
    call.onInitialMetadata = { _, metadata in self.initial = metadata }
    call.onMessage = { _, message in self.messages.append(message) }
    call.onEnd = { _, status, trailers in
      precondition(self.end == nil, "a call ended twice")
      self.end = (status, trailers)
    }
  }
}

/// A client and a server joined in memory, with a clock that only the test moves.
final class Pair {
  /// The seed of every random cut; printed with each failure, since it is part of this file.
  static let seed: UInt64 = 20_260_401

  let application = Application()
  let client: ClientConnection
  let server: ServerConnection
  var now = Duration.seconds(1000)
  /// Bytes that one end takes out at a time.
  var outputLimit = 1 << 18
  private let cut: Cut
  private var random = SeededGenerator(seed: Pair.seed)

  init(
    _ cut: Cut = .whole, serverLimits: ConnectionLimits = ConnectionLimits(),
    clientLimits: ConnectionLimits = ConnectionLimits()
  ) throws {
    self.cut = cut
    client = try #require(ClientConnection(limits: clientLimits, at: now))
    server = try #require(
      ServerConnection(limits: serverLimits, peer: .localUser(userID: 7, processID: 8), handler: application, at: now))
  }

  deinit {
    // Calls keep their connection; a test that ends has lost both.
    client.connectionLost("the test is over")
    server.connectionLost()
  }

  /// Carries bytes both ways until neither end has any.
  func settle() {
    while toServer() || toClient() {}
  }

  /// Carries what the client has once. False if it has nothing.
  @discardableResult
  func toServer() -> Bool {
    var bytes: [UInt8] = []
    client.takeOutput(into: &bytes, limit: outputLimit)
    for piece in cut.pieces(of: bytes, &random) { unsafe server.receive(piece.span.bytes, at: now) }
    return !bytes.isEmpty
  }

  /// Carries what the server has once. False if it has nothing.
  @discardableResult
  func toClient() -> Bool {
    var bytes: [UInt8] = []
    server.takeOutput(into: &bytes, limit: outputLimit)
    for piece in cut.pieces(of: bytes, &random) { unsafe client.receive(piece.span.bytes, at: now) }
    return !bytes.isEmpty
  }

  /// Moves the clock and does what is due at either end.
  func advance(by time: Duration) {
    now += time
    server.timeReached(now)
    client.timeReached(now)
    settle()
  }

  /// Begins a call.
  func start(
    _ path: String = "/test.Service/Method", metadata: Metadata = Metadata(), timeout: Duration? = nil
  ) throws -> (call: ClientCall, answer: Answer) {
    let call = try client.start(path, metadata: metadata, timeout: timeout, at: now)
    return (call, Answer(call))
  }

  /// Sends one message and closes, and carries everything.
  func ask(_ message: [UInt8], metadata: Metadata = Metadata(), timeout: Duration? = nil) throws -> Answer {
    let (call, answer) = try start(metadata: metadata, timeout: timeout)
    try call.send(message)
    call.closeSend()
    settle()
    return answer
  }
}

/// A message of `count` bytes that differ.
func message(_ count: Int) -> [UInt8] { (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 7 &+ $0 >> 8) } }

/// Answers each message with itself, and OK when the client has sent all.
func echo(_ call: ServerCall) {
  call.onMessage = { call, message in
    do { try call.send(message) } catch { call.finish(Status(.resourceExhausted, "the echo's queue is full")) }
  }
  call.onHalfClose = { $0.finish() }
}
