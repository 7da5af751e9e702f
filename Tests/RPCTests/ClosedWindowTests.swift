import TestSupport
import Testing

@testable import RPC

private typealias Raw = RawHTTP2

/// A call, if it is still there.
private struct Trace {
  weak var call: ServerCall?
}

/// Begins every call and keeps the first alone.
private final class Keeper: ServerCallHandler {
  var first: ServerCall?
  var others: [Trace] = []
  var interrupted = 0
  /// Whether the others want to send.
  var pulls = true

  var alive: Int { others.count { $0.call != nil } }

  func handle(_ call: ServerCall) {
    call.sendInitialMetadata()
    guard first != nil else { return first = call }
    others.append(Trace(call: call))
    call.onInterrupted = { [weak self] _, _ in self?.interrupted += 1 }
    if pulls { call.onReadyToSend = { _ in .wait } }
  }
}

/// How calls end that wait behind a connection's closed window.
private enum Ending: CaseIterable, CustomTestStringConvertible {
  case reset
  case resetAtOnce
  case deadline

  var testDescription: String {
    switch self {
    case .reset: "reset by the client"
    case .resetAtOnce: "reset with what opens them"
    case .deadline: "by their deadlines"
    }
  }
}

@Suite("A connection's window that stays closed")
struct ClosedWindowTests {
  @Test("keeps nothing of the calls that have gone", arguments: Ending.allCases)
  private func goneCalls(ending: Ending) throws {
    var limits = ConnectionLimits()
    limits.floods.resetBurst = .max
    let keeper = Keeper()
    let server = try #require(ServerConnection(limits: limits, peer: .unknown, handler: keeper, at: .seconds(1)))
    defer { server.connectionLost() }
    func send(_ bytes: [UInt8]) -> [Raw.Frame] {
      unsafe server.receive(bytes.span.bytes, at: .seconds(1))
      return take()
    }
    func take() -> [Raw.Frame] {
      var bytes: [UInt8] = []
      while server.takeOutput(into: &bytes, limit: 1 << 20) {}
      return Raw.frames(in: bytes)
    }
    _ = send(Array(Raw.preface.prefix(24)) + Raw.frame(.settings, Raw.setting(4, 1 << 20)) + Raw.open(1))
    try keeper.first?.send(message(65_530))
    #expect(take().of(.data).reduce(0) { $0 + $1.payload.count } == 65_535)
    for step in 1...3000 {
      let stream = UInt32(2 * step + 1)
      let reset = Raw.frame(.reset, stream: stream, Raw.word(0))
      switch ending {
      case .reset:
        _ = send(Raw.open(stream))
        _ = send(reset)
      case .resetAtOnce: _ = send(Raw.open(stream) + reset)
      case .deadline:
        _ = send(Raw.open(stream, [("grpc-timeout", "1n")], endsStream: true))
        server.timeReached(.seconds(1) + .milliseconds(1))
        _ = take()
      }
    }
    #expect(keeper.others.count == 3000 && keeper.interrupted == 3000)
    #expect(server.openCalls == 1 && keeper.alive == 0)
    #expect(!server.wantsClose)
  }

  @Test(
    "and opens again serves those that are left, in their order, whichever of them have gone",
    arguments: [[0], [2], [1, 3], [4], [3, 4], [0, 1, 2, 3, 4]])
  func survivors(gone: [Int]) throws {
    let client = try RawClient()
    client.application.onCall = { $0.sendInitialMetadata() }
    client.send(Array(Raw.preface.prefix(24)) + Raw.frame(.settings, Raw.setting(4, 1 << 20)) + Raw.open(1))
    try client.application.calls[0].send(message(65_530))
    #expect(client.take().of(.data).count == 4)
    let streams = (0..<5).map { UInt32(2 * $0 + 3) }
    for (index, stream) in streams.enumerated() {
      client.send(Raw.open(stream))
      try client.application.calls[index + 1].send(message(5))
    }
    for index in gone { client.send(Raw.frame(.reset, stream: streams[index], Raw.word(8))) }
    // One that comes later stands behind all of them.
    client.send(Raw.open(101))
    try client.application.calls[6].send(message(5))
    let frames = client.send(Raw.frame(.windowUpdate, Raw.word(1000)))
    let left = streams.indices.filter { !gone.contains($0) }.map { streams[$0] }
    #expect(frames.of(.data).map(\.stream) == left + [101])
  }

  @Test("does not hide the end of a call from who waits for its deadline")
  func linger() throws {
    let client = try RawClient()
    client.application.onCall = { $0.sendInitialMetadata() }
    client.send(Array(Raw.preface.prefix(24)) + Raw.frame(.settings, Raw.setting(4, 10)) + Raw.open(1))
    let call = try #require(client.application.calls.first)
    try call.send(message(100))
    client.take()
    #expect(client.server.nextDeadline == nil)
    var announced = 0
    client.server.onOutput = { announced += 1 }
    call.finish()
    #expect(announced == 1 && client.server.nextDeadline == client.now + .seconds(60))
  }
}
