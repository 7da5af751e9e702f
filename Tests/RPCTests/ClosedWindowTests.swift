import TestSupport
import Testing

@testable import RPC

private typealias Raw = RawHTTP2

/// A call, if it still exists.
private struct WeakCall {
  weak var call: ServerCall?
}

/// Accepts every call and retains only the first.
private final class FirstCallHandler: ServerCallHandler {
  var first: ServerCall?
  var others: [WeakCall] = []
  var interrupted = 0
  /// True if the others want to send.
  var pulls = true

  var alive: Int { others.count { $0.call != nil } }

  func handle(_ call: ServerCall) {
    call.sendInitialMetadata()
    guard first != nil else { return first = call }
    others.append(WeakCall(call: call))
    call.onInterrupted = { [weak self] _, _ in self?.interrupted += 1 }
    if pulls { call.onReadyToSend = { _ in .wait } }
  }
}

/// The way in which calls that wait behind a connection's closed window end.
private enum Ending: CaseIterable, CustomTestStringConvertible {
  case reset
  case resetAtOnce
  case deadline

  var testDescription: String {
    switch self {
    case .reset: "reset by the client"
    case .resetAtOnce: "reset together with their headers"
    case .deadline: "by their deadlines"
    }
  }
}

@Suite("A connection window that stays closed")
struct ClosedWindowTests {
  @Test("retains nothing of calls that have ended", arguments: Ending.allCases)
  private func endedCalls(ending: Ending) throws {
    var limits = ConnectionLimits()
    limits.floods.resetBurst = .max
    let handler = FirstCallHandler()
    let server = try #require(ServerConnection(limits: limits, peer: .unknown, handler: handler, at: .seconds(1)))
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
    try handler.first?.send(message(65_530))
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
    #expect(handler.others.count == 3000 && handler.interrupted == 3000)
    #expect(server.openCalls == 1 && handler.alive == 0)
    #expect(!server.wantsClose)
  }

  @Test(
    "serves the remaining calls in order once it opens, whichever of them have ended",
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
    // A later call is queued behind all of them.
    client.send(Raw.open(101))
    try client.application.calls[6].send(message(5))
    let frames = client.send(Raw.frame(.windowUpdate, Raw.word(1000)))
    let left = streams.indices.filter { !gone.contains($0) }.map { streams[$0] }
    #expect(frames.of(.data).map(\.stream) == left + [101])
  }

  @Test("does not hide the deadline of a finished call")
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
