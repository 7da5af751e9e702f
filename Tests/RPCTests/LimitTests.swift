import RPC
import TestSupport
import Testing

private typealias Code = RawHTTP2.ErrorCode

@Suite("Limits of a connection")
struct LimitTests {
  @Test("are announced in the first frame: streams, window and headers")
  func settings() throws {
    let client = try RawClient()
    let first = try #require(client.take().first)
    #expect(first.type == RawHTTP2.FrameType.settings.rawValue)
    let expected = RawHTTP2.setting(4, 65536) + RawHTTP2.setting(6, 8192) + RawHTTP2.setting(3, 128)
    #expect(first.payload == expected)
  }

  @Test(
    "are 10 s for the preface, 15 min without calls, 64 KiB a request, 1 MiB queued, 4 MiB a response")
  func defaults() {
    let limits = ConnectionLimits()
    #expect(limits.times.preface == .seconds(10) && limits.times.idle == .seconds(900))
    #expect(
      limits.messages.receivedBytes == 65536 && limits.messages.queuedBytes == 1 << 20
        && limits.messages.sentBytes == 4 << 20)
    #expect(
      limits.streams.windowBytes == 65536 && limits.streams.concurrent == 128 && limits.streams.headerListBytes == 8192)
    #expect(limits.floods.pingInterval == .seconds(10))
  }

  @Test(
    "accept a response of the maximum size, and end the call of a larger one", arguments: [true, false],
    [100, 101])
  func largeResponses(isPulled: Bool, bytes: Int) throws {
    var limits = ConnectionLimits()
    limits.messages.sentBytes = 100
    let pair = try Pair(serverLimits: limits)
    var interruption: CallInterruption?
    pair.application.onCall = { call in
      call.onInterrupted = { interruption = $1 }
      var isSent = false
      if isPulled {
        call.onReadyToSend = { _ in
          defer { isSent = true }
          return isSent ? .finish(.ok, trailers: Metadata()) : .message(message(bytes))
        }
      } else {
        do { try call.send(message(bytes)) } catch { #expect(bytes > 100) }
        call.finish()
      }
    }
    let response = try pair.ask([1])
    if bytes == 100 {
      #expect(response.messages == [message(100)] && response.status == .ok && interruption == nil)
    } else {
      let status = Status(.resourceExhausted, "response of 101 bytes; the limit is 100")
      #expect(response.messages.isEmpty && response.status == status && interruption == .refused(status))
    }
  }

  @Test("end a finished call whose client does not read")
  func linger() throws {
    var client = try RawClient()
    client.application.onCall = { call in
      call.onHalfClose = { call in
        do { try call.send(message(100_000)) } catch { Issue.record("the queue is empty") }
        call.finish()
      }
    }
    client.now = .seconds(1000)
    client.send(RawHTTP2.preface)
    // 65,535 bytes fit into the window; the rest waits.
    let frames = client.send(RawHTTP2.open(1, endsStream: true))
    #expect(frames.of(.data).map(\.payload.count).reduce(0, +) == 65535)
    // The connection's clock has stood still for an hour.
    client.now = .seconds(4600)
    client.server.timeReached(client.now)
    #expect(client.server.nextDeadline == .seconds(4660) && client.take().resets == [])
    // The client reads a little: it has another minute.
    client.now = .seconds(4650)
    let room = RawHTTP2.word(1000)
    let taken = client.send(RawHTTP2.frame(.windowUpdate, room) + RawHTTP2.frame(.windowUpdate, stream: 1, room))
    #expect(taken.of(.data).map(\.payload.count) == [1000])
    client.now = .seconds(4660)
    client.server.timeReached(client.now)
    #expect(client.server.nextDeadline == .seconds(4720) && client.take().resets == [])
    client.now = .seconds(4720)
    client.server.timeReached(client.now)
    #expect(client.take().resets == [Code.cancel])
    #expect(client.server.openCalls == 0 && !client.server.wantsClose)
  }

  @Test("report errors with details added by the handler")
  func ending() throws {
    final class Handler: ServerCallHandler {
      func handle(_ call: ServerCall) { call.finish(call.path == "/ok" ? .ok : Status(.notFound, "no")) }
      func ending(_ call: ServerCall, with status: Status) -> Status {
        Status(status.code, status.message, details: Array("why".utf8))
      }
    }
    let handler = Handler()
    let server = try #require(ServerConnection(limits: ConnectionLimits(), peer: .unknown, handler: handler, at: .zero))
    let client = try #require(ClientConnection(limits: ConnectionLimits(), at: .zero))
    defer {
      client.connectionLost("the test is over")
      server.connectionLost()
    }
    var ends: [Status] = []
    for (path, encoding) in [("/ok", nil), ("/no", nil), ("/no", "-")] as [(String, String?)] {
      var metadata = Metadata()
      if let encoding { try metadata.add("x", String(repeating: encoding, count: 9000)) }
      try client.start(path, metadata: metadata, at: .zero).onEnd = { _, status, _ in ends.append(status) }
    }
    var bytes: [UInt8] = []
    while client.takeOutput(into: &bytes, limit: 1 << 20) {}
    unsafe server.receive(bytes.span.bytes, at: .zero)
    bytes = []
    while server.takeOutput(into: &bytes, limit: 1 << 20) {}
    unsafe client.receive(bytes.span.bytes, at: .zero)
    #expect(ends.map(\.code) == [.ok, .notFound, .resourceExhausted])
    #expect(ends.map { String(decoding: $0.details, as: UTF8.self) } == ["", "why", "why"])
  }
}
