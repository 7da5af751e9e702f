import RPC
import TestSupport
import Testing

@Suite("A server connection that shuts down")
struct ShutDownTests {
  @Test("announces it before refusing calls, lets open calls end, and then closes", arguments: Cut.allCases)
  func graceful(cut: Cut) throws {
    let pair = try Pair(cut)
    pair.application.onCall = echo
    let (open, response) = try pair.start()
    pair.exchange()
    // A call in flight when the server decides.
    let (late, lateResponse) = try pair.start()
    pair.server.shutDown(grace: .seconds(5), at: pair.now)
    pair.server.shutDown(grace: .seconds(1), at: pair.now)
    pair.exchange()
    #expect(pair.application.calls.count == 2, "the late call is served")
    #expect(throws: Status.self) { try pair.start() }
    for call in [open, late] {
      try call.send([1])
      call.closeSend()
    }
    #expect(!pair.server.wantsClose)
    pair.exchange()
    #expect(response.status == .ok && lateResponse.status == .ok)
    #expect(response.messages == [[1]])
    #expect(pair.server.wantsClose && pair.client.wantsClose)
  }

  @Test("does not process calls that its last GOAWAY refuses")
  func refusedCalls() throws {
    let client = try RawClient()
    client.send(RawHTTP2.preface + RawHTTP2.open(1))
    client.server.shutDown(grace: .seconds(5), at: client.now)
    let ping = try #require(client.take().of(.ping).last)
    // The acknowledgement of the ping, and a call after it.
    let frames = client.send(RawHTTP2.frame(.ping, flags: 1, ping.payload) + RawHTTP2.call(3))
    #expect(frames.goAways == [RawHTTP2.ErrorCode.none])
    #expect(frames.of(.goAway).first?.payload.prefix(4) == [0, 0, 0, 1])
    #expect(client.application.calls.count == 1)
    #expect(client.server.openCalls == 1 && frames.of(.headers).isEmpty)
  }

  @Test("ends calls that outlast the grace period, and closes")
  func gracePeriod() throws {
    let pair = try Pair()
    var interruptions: [CallInterruption] = []
    pair.application.onCall = { $0.onInterrupted = { interruptions.append($1) } }
    let (_, response) = try pair.start()
    pair.exchange()
    pair.server.shutDown(grace: .seconds(5), at: pair.now)
    pair.exchange()
    pair.advance(by: .milliseconds(4900))
    #expect(interruptions == [])
    pair.advance(by: .milliseconds(100))
    #expect(interruptions == [.shutDown])
    #expect(response.status == Status(.unavailable, "the daemon is shutting down"))
    #expect(pair.server.wantsClose)
  }

  @Test("closes eventually even if its client does not read")
  func unreadOutput() throws {
    let pair = try Pair()
    pair.application.onCall = { $0.sendInitialMetadata() }
    _ = try pair.start()
    pair.exchange()
    pair.server.shutDown(grace: .seconds(5), at: pair.now)
    var steps = 0
    while !pair.server.wantsClose, let next = pair.server.nextDeadline {
      #expect(next > pair.now, "a deadline that has passed would spin")
      pair.now = next
      pair.server.timeReached(next)
      steps += 1
    }
    #expect(pair.server.wantsClose)
    #expect(pair.now <= .seconds(1008))
    #expect(steps <= 4)
    #expect(pair.server.nextDeadline == nil)
  }

  @Test("closes when it has been idle for too long since the end of the last call")
  func idle() throws {
    let pair = try Pair()
    pair.application.onCall = echo
    pair.exchange()
    let (call, response) = try pair.start()
    pair.exchange()
    pair.advance(by: .seconds(3600))
    #expect(!pair.server.wantsClose, "a call is open")
    call.closeSend()
    pair.exchange()
    #expect(response.status == .ok)
    #expect(pair.server.nextDeadline == pair.now + .seconds(900))
    pair.advance(by: .seconds(899))
    #expect(!pair.server.wantsClose)
    pair.advance(by: .seconds(1))
    #expect(pair.server.wantsClose)
  }

  @Test("closes at once if the client has sent nothing")
  func beforePreface() throws {
    let pair = try Pair()
    pair.server.shutDown(grace: .seconds(5), at: pair.now)
    var bytes: [UInt8] = []
    pair.server.takeOutput(into: &bytes, limit: 1 << 16)
    #expect(pair.server.wantsClose)
  }

  @Test("refuses calls after its handler was released")
  func noHandler() throws {
    // The connection does not retain its handler, which is released with this expression.
    let server = try #require(
      ServerConnection(limits: ConnectionLimits(), peer: .unknown, handler: Application(), at: .zero))
    let client = try #require(ClientConnection(limits: ConnectionLimits(), at: .zero))
    let response = Response(try client.start("/a/b", at: .zero))
    var bytes: [UInt8] = []
    client.takeOutput(into: &bytes, limit: 1 << 16)
    unsafe server.receive(bytes.span.bytes, at: .zero)
    bytes = []
    server.takeOutput(into: &bytes, limit: 1 << 16)
    unsafe client.receive(bytes.span.bytes, at: .zero)
    #expect(response.status?.code == .unavailable)
    server.connectionLost()
    client.connectionLost("done")
  }
}

@Suite("A client connection")
struct ClientConnectionTests {
  @Test("ends queued calls when the server shuts down, and keeps those that have started")
  func waitingForTurn() throws {
    var limits = ConnectionLimits()
    limits.streams.concurrent = 1
    let pair = try Pair(serverLimits: limits)
    pair.application.onCall = echo
    pair.exchange()
    let (begun, begunResponse) = try pair.start()
    let (_, waitingResponse) = try pair.start()
    pair.exchange()
    pair.server.shutDown(grace: .seconds(5), at: pair.now)
    pair.exchange()
    #expect(waitingResponse.status?.code == .unavailable)
    #expect(begunResponse.status == nil)
    begun.closeSend()
    pair.exchange()
    #expect(begunResponse.status == .ok)
  }

  @Test("ends its calls and sends GOAWAY when closed")
  func closing() throws {
    let pair = try Pair()
    var interruptions: [CallInterruption] = []
    pair.application.onCall = { $0.onInterrupted = { interruptions.append($1) } }
    let (_, response) = try pair.start()
    pair.exchange()
    pair.client.close()
    #expect(response.status?.code == .cancelled)
    pair.exchange()
    #expect(pair.client.wantsClose)
    pair.server.connectionLost()
    #expect(interruptions.count == 1)
  }

  @Test("ends its calls with UNAVAILABLE if the server does not speak HTTP/2")
  func notHTTP2() throws {
    let client = try #require(ClientConnection(limits: ConnectionLimits(), at: .zero))
    let response = Response(try client.start("/a/b", at: .zero))
    var output: [UInt8] = []
    client.takeOutput(into: &output, limit: 1 << 16)
    let bytes = Array("HTTP/1.1 400 Bad Request\r\n\r\n".utf8)
    unsafe client.receive(bytes.span.bytes, at: .zero)
    client.takeOutput(into: &output, limit: 1 << 16)
    #expect(client.wantsClose)
    client.connectionLost("the server closed the connection")
    #expect(response.status == Status(.unavailable, "the server does not speak gRPC over HTTP/2"))
  }

  @Test(
    "maps every kind of wrong response to a status",
    arguments: [
      (RawHTTP2.frame(.headers, flags: 5, stream: 1, response("500")), StatusCode.unknown),
      (RawHTTP2.frame(.headers, flags: 5, stream: 1, response("404")), .unimplemented),
      (RawHTTP2.frame(.headers, flags: 5, stream: 1, response("503")), .unavailable),
      (RawHTTP2.frame(.headers, flags: 5, stream: 1, response("200")), .internal),
      (RawHTTP2.frame(.headers, flags: 4, stream: 1, response("200", type: "text/html")), .unknown),
      (
        RawHTTP2.frame(.headers, flags: 4, stream: 1, response("200", extra: [("grpc-encoding", "gzip")])),
        .unimplemented
      ),
      (RawHTTP2.frame(.reset, stream: 1, [0, 0, 0, 7]), .unavailable),
      (RawHTTP2.frame(.reset, stream: 1, [0, 0, 0, 8]), .cancelled),
      (RawHTTP2.frame(.reset, stream: 1, [0, 0, 0, 11]), .resourceExhausted),
      (RawHTTP2.frame(.reset, stream: 1, [0, 0, 0, 2]), .internal),
      (opening + RawHTTP2.frame(.data, stream: 1, [1, 0, 0, 0, 0]), .internal),
      (opening + RawHTTP2.frame(.data, stream: 1, [0, 0, 1, 0, 1]), .resourceExhausted),
      (
        opening + RawHTTP2.frame(.data, stream: 1, [0, 0])
          + RawHTTP2.frame(.headers, flags: 5, stream: 1, trailers("0")), .internal
      ),
      (opening + RawHTTP2.frame(.headers, flags: 5, stream: 1, trailers("x")), .internal),
      (opening + RawHTTP2.frame(.headers, flags: 5, stream: 1, trailers("5")), .notFound),
      (opening + opening, .internal),
      (opening + RawHTTP2.frame(.goAway, [0, 0, 0, 0, 0, 0, 0, 0]), .unavailable),
    ])
  func wrongResponses(bytes: [UInt8], code: StatusCode) throws {
    let client = try #require(ClientConnection(limits: ConnectionLimits(), at: .zero))
    let response = Response(try client.start("/a/b", at: .zero))
    var output: [UInt8] = []
    client.takeOutput(into: &output, limit: 1 << 16)
    let input = RawHTTP2.frame(.settings) + bytes
    unsafe client.receive(input.span.bytes, at: .zero)
    #expect(response.status?.code == code)
    #expect(client.openCalls == 0)
    client.connectionLost("done")
  }

  private static let opening = RawHTTP2.frame(.headers, flags: 4, stream: 1, response("200"))

  private static func response(
    _ status: String, type: String = "application/grpc", extra: [(String, String)] = []
  ) -> [UInt8] {
    ([(":status", status), ("content-type", type)] + extra).flatMap { RawHTTP2.field($0.0, $0.1) }
  }

  private static func trailers(_ status: String) -> [UInt8] { RawHTTP2.field("grpc-status", status) }
}
