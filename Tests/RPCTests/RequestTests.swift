import RPC
import TestSupport
import Testing

private typealias Code = RawHTTP2.ErrorCode
private typealias Raw = RawHTTP2

/// The answers to requests that `Offence` has no room for: those that depend on time, size or the application.
@Suite("A request")
struct RequestTests {
  @Test("that is malformed is never complete", arguments: ["5", "7"])
  func malformed(contentLength: String) throws {
    let client = try RawClient()
    var interruptions: [CallInterruption] = []
    var isComplete = false
    client.application.onCall = { call in
      call.onHalfClose = { _ in isComplete = true }
      call.onInterrupted = { interruptions.append($1) }
    }
    client.send(Raw.preface)
    let frames = client.send(
      Raw.open(1, [("content-length", contentLength)])
        + Raw.frame(.data, flags: Raw.endStream, stream: 1, [0, 0, 0, 0, 1, 7]))
    #expect(frames.resets == [Code.protocolError])
    #expect(interruptions == [.cancelledByClient(errorCode: Code.protocolError)] && !isComplete)
    #expect(client.server.openCalls == 0)
  }

  @Test("that is not gRPC is answered at its end", arguments: [true, false])
  func atItsEnd(hasTrailers: Bool) throws {
    let client = try RawClient()
    client.send(Raw.preface)
    var frames = client.send(Raw.open(1, [("content-type", "text/html")]))
    frames += client.send(Raw.frame(.data, stream: 1, message(1000)))
    #expect(frames.of(.headers).isEmpty && frames.resets == [])
    frames = client.send(
      hasTrailers
        ? Raw.frame(.headers, flags: 5, stream: 1, Raw.field("a", "b"))
        : Raw.frame(.data, flags: Raw.endStream, stream: 1))
    #expect(frames.of(.headers).map(\.flags) == [5] && frames.resets == [])
  }

  @Test("that is not gRPC is answered after 64 KiB, and told to stop")
  func long() throws {
    let client = try RawClient()
    client.send(Raw.preface + Raw.open(1, [("content-type", "text/html")]))
    for _ in 0..<4 {
      let frames = client.send(Raw.frame(.data, stream: 1, message(16384)))
      #expect(frames.of(.headers).isEmpty && frames.resets == [])
    }
    let frames = client.send(Raw.frame(.data, stream: 1, [0]))
    #expect(frames.of(.headers).map(\.flags) == [5] && frames.resets == [Code.none])
    // What was on its way is dropped, and the connection goes on.
    #expect(client.send(Raw.frame(.data, stream: 1, message(100))).isEmpty)
    #expect(client.isServed(stream: 3))
  }

  @Test("that is not gRPC and never ends does not keep its connection")
  func endless() throws {
    var client = try RawClient()
    client.send(Raw.preface + Raw.open(1, [(":method", "GET")]))
    client.now += .seconds(15 * 60)
    for _ in 0..<4 where !client.server.wantsClose {
      client.server.timeReached(client.now)
      client.take()
      client.now += .seconds(1)
    }
    #expect(client.server.wantsClose)
  }

  @Test("may have DATA and a message of the largest size")
  func largest() throws {
    let client = try RawClient()
    client.send(Raw.preface)
    let body = [0, 0, 1, 0, 0] + message(65536)
    var frames = client.send(Raw.open(1))
    for start in stride(from: 0, to: body.count, by: 16384) {
      frames += client.send(Raw.frame(.data, stream: 1, Array(body[start..<min(start + 16384, body.count)])))
    }
    #expect(frames.resets == [] && frames.goAways == [])
    // The window of the client takes 65,535 bytes.
    #expect(frames.of(.data).flatMap(\.payload) == Array(body.prefix(65535)))
  }

  @Test(
    "has a deadline in any unit, counted from its arrival, which ends the call",
    arguments: [
      ("0n", .zero), ("0S", .zero), ("1n", .nanoseconds(1)), ("20u", .microseconds(20)), ("300m", .milliseconds(300)),
      ("00000004S", .seconds(4)), ("5M", .seconds(300)), ("6H", .seconds(21_600)),
      ("99999999H", .seconds(359_999_996_400)),
    ] as [(String, Duration)])
  func deadline(text: String, timeout: Duration) throws {
    let client = try RawClient()
    client.application.onCall = { _ in }
    client.send(Raw.preface + Raw.open(1, [("grpc-timeout", text)]))
    let end = client.now + timeout
    #expect(client.application.calls.map(\.deadline) == [end] && client.server.nextDeadline == end)
    if timeout > .zero {
      client.server.timeReached(end - .nanoseconds(1))
      #expect(client.take().isEmpty)
    }
    client.server.timeReached(end)
    let frames = client.take()
    #expect(try ResponseBlock(try #require(frames.of(.headers).last).payload).status?.code == .deadlineExceeded)
    #expect(frames.resets == [Code.none])
  }

  @Test("is answered after a GOAWAY with an unknown code, and ends the connection (7)")
  func goAway() throws {
    let client = try RawClient()
    client.send(Raw.preface + Raw.open(1))
    #expect(client.send(Raw.frame(.goAway, Raw.word(0) + Raw.word(0xFF))).isEmpty && !client.server.wantsClose)
    let frames = client.send(Raw.frame(.data, flags: Raw.endStream, stream: 1, [0, 0, 0, 0, 1, 7]))
    #expect(frames.of(.data).map(\.payload) == [[0, 0, 0, 0, 1, 7]] && frames.of(.headers).count == 2)
    #expect(frames.resets == [] && frames.goAways == [] && client.server.wantsClose)
  }

  @Test("may follow SETTINGS and PING, which are acknowledged with the same bytes (6.5.3, 6.7)")
  func acknowledgements() throws {
    let client = try RawClient()
    client.send(Raw.preface)
    let bytes: [UInt8] = [1, 2, 3, 4, 5, 6, 7, 8]
    let frames = client.send(Raw.frame(.settings, Raw.setting(4, 1) + Raw.setting(4, 2)) + Raw.frame(.ping, bytes))
    #expect(frames.of(.settings).map(\.flags) == [1] && frames.of(.settings).map(\.payload) == [[]])
    #expect(frames.of(.ping).map(\.flags) == [1] && frames.of(.ping).map(\.payload) == [bytes])
    // The last of two values counts.
    #expect(client.send(Raw.call(1)).of(.data).map(\.payload) == [[0, 0]])
  }
}
