import RPC
import TestSupport
import Testing

/// The way the bytes between two ends are split. No observable behaviour may depend on it.
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

  /// Returns the pieces of `bytes`, in order; no piece is empty.
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
  /// The calls that have arrived, in order.
  private(set) var calls: [ServerCall] = []

  /// Called with the caller of each stream that ended with an error. False ends the connection.
  var onStreamFailed: (Peer) -> Bool = { _ in true }

  func handle(_ call: ServerCall) {
    calls.append(call)
    onCall(call)
  }

  func streamFailed(of caller: Peer, at now: Duration) -> Bool { onStreamFailed(caller) }
}

/// Everything a client call has received.
final class Response {
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
  /// The seed of every random cut.
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
    // Calls retain their connection; the end of a test breaks both cycles.
    client.connectionLost("the test is over")
    server.connectionLost()
  }

  /// Carries bytes both ways until neither end has any.
  func exchange() {
    while toServer() || toClient() {}
  }

  /// Carries the client's output once. Returns false if it has none.
  @discardableResult
  func toServer() -> Bool {
    var bytes: [UInt8] = []
    client.takeOutput(into: &bytes, limit: outputLimit)
    for piece in cut.pieces(of: bytes, &random) { unsafe server.receive(piece.span.bytes, at: now) }
    return !bytes.isEmpty
  }

  /// Carries the server's output once. Returns false if it has none.
  @discardableResult
  func toClient() -> Bool {
    var bytes: [UInt8] = []
    server.takeOutput(into: &bytes, limit: outputLimit)
    for piece in cut.pieces(of: bytes, &random) { unsafe client.receive(piece.span.bytes, at: now) }
    return !bytes.isEmpty
  }

  /// Advances the clock and does the work due at either end.
  func advance(by time: Duration) {
    now += time
    server.timeReached(now)
    client.timeReached(now)
    exchange()
  }

  /// Starts a call.
  func start(
    _ path: String = "/test.Service/Method", metadata: Metadata = Metadata(), timeout: Duration? = nil
  ) throws -> (call: ClientCall, response: Response) {
    let call = try client.start(path, metadata: metadata, timeout: timeout, at: now)
    return (call, Response(call))
  }

  /// Sends one message, closes, and carries everything.
  func ask(_ message: [UInt8], metadata: Metadata = Metadata(), timeout: Duration? = nil) throws -> Response {
    let (call, response) = try start(metadata: metadata, timeout: timeout)
    try call.send(message)
    call.closeSend()
    exchange()
    return response
  }
}

/// Returns a message of `count` varying bytes.
func message(_ count: Int) -> [UInt8] { (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 7 &+ $0 >> 8) } }

/// Echoes each message, and finishes with OK when the client has sent all.
func echo(_ call: ServerCall) {
  call.onMessage = { call, message in
    do { try call.send(message) } catch { call.finish(Status(.resourceExhausted, "the echo's queue is full")) }
  }
  call.onHalfClose = { $0.finish() }
}
