import RPC
import TestSupport
import Testing

@Suite("A server's connection that ends")
struct ShutDownTests {
  @Test("says so before it refuses anything, lets open calls end, and closes then", arguments: Cut.allCases)
  func graceful(cut: Cut) throws {
    let pair = try Pair(cut)
    pair.application.onCall = echo
    let (open, answer) = try pair.start()
    pair.settle()
    // A call that is on its way when the server decides.
    let (late, lateAnswer) = try pair.start()
    pair.server.shutDown(grace: .seconds(5), at: pair.now)
    pair.server.shutDown(grace: .seconds(1), at: pair.now)
    pair.settle()
    #expect(pair.application.calls.count == 2, "the late call is served")
    #expect(throws: Status.self) { try pair.start() }
    for call in [open, late] {
      try call.send([1])
      call.closeSend()
    }
    #expect(!pair.server.wantsClose)
    pair.settle()
    #expect(answer.status == .ok && lateAnswer.status == .ok)
    #expect(answer.messages == [[1]])
    #expect(pair.server.wantsClose && pair.client.wantsClose)
  }

  @Test("has not looked at a call that its last GOAWAY refuses")
  func refusedCalls() throws {
    let client = try RawClient()
    client.send(RawHTTP2.preface + RawHTTP2.open(1))
    client.server.shutDown(grace: .seconds(5), at: client.now)
    let ping = try #require(client.take().of(.ping).last)
    // The answer to the ping, and a call behind it.
    let frames = client.send(RawHTTP2.frame(.ping, flags: 1, ping.payload) + RawHTTP2.call(3))
    #expect(frames.goAways == [RawHTTP2.ErrorCode.none])
    #expect(frames.of(.goAway).first?.payload.prefix(4) == [0, 0, 0, 1])
    #expect(client.application.calls.count == 1)
    #expect(client.server.openCalls == 1 && frames.of(.headers).isEmpty)
  }

  @Test("ends calls that outlast its patience, and closes although nobody reads")
  func patience() throws {
    let pair = try Pair()
    var interruptions: [CallInterruption] = []
    pair.application.onCall = { $0.onInterrupted = { interruptions.append($1) } }
    let (_, answer) = try pair.start()
    pair.settle()
    pair.server.shutDown(grace: .seconds(5), at: pair.now)
    pair.settle()
    pair.advance(by: .milliseconds(4900))
    #expect(interruptions == [])
    pair.advance(by: .milliseconds(100))
    #expect(interruptions == [.shutDown])
    #expect(answer.status == Status(.unavailable, "the daemon is shutting down"))
    #expect(pair.server.wantsClose)
  }

  @Test("closes in the end although its client takes nothing")
  func deafClient() throws {
    let pair = try Pair()
    pair.application.onCall = { $0.sendInitialMetadata() }
    _ = try pair.start()
    pair.settle()
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

  @Test("closes when it has been idle for as long as allowed, counted from the end of the last call")
  func idle() throws {
    let pair = try Pair()
    pair.application.onCall = echo
    pair.settle()
    let (call, answer) = try pair.start()
    pair.settle()
    pair.advance(by: .seconds(3600))
    #expect(!pair.server.wantsClose, "a call is open")
    call.closeSend()
    pair.settle()
    #expect(answer.status == .ok)
    #expect(pair.server.nextDeadline == pair.now + .seconds(900))
    pair.advance(by: .seconds(899))
    #expect(!pair.server.wantsClose)
    pair.advance(by: .seconds(1))
    #expect(pair.server.wantsClose)
  }

  @Test("closes at once, while the client has not even begun")
  func beforePreface() throws {
    let pair = try Pair()
    pair.server.shutDown(grace: .seconds(5), at: pair.now)
    var bytes: [UInt8] = []
    pair.server.takeOutput(into: &bytes, limit: 1 << 16)
    #expect(pair.server.wantsClose)
  }

  @Test("refuses calls when its application has gone")
  func noHandler() throws {
    // The connection does not keep its handler, which is gone with this expression.
    let server = try #require(
      ServerConnection(limits: ConnectionLimits(), peer: .unknown, handler: Application(), at: .zero))
    let client = try #require(ClientConnection(limits: ConnectionLimits(), at: .zero))
    let answer = Answer(try client.start("/a/b", at: .zero))
    var bytes: [UInt8] = []
    client.takeOutput(into: &bytes, limit: 1 << 16)
    unsafe server.receive(bytes.span.bytes, at: .zero)
    bytes = []
    server.takeOutput(into: &bytes, limit: 1 << 16)
    unsafe client.receive(bytes.span.bytes, at: .zero)
    #expect(answer.status?.code == .unavailable)
    server.connectionLost()
    client.connectionLost("done")
  }
}

@Suite("A client's connection")
struct ClientConnectionTests {
  @Test("ends calls that wait for their turn when the server shuts down, and leaves those that have begun")
  func waitingForTurn() throws {
    var limits = ConnectionLimits()
    limits.streams.concurrent = 1
    let pair = try Pair(serverLimits: limits)
    pair.application.onCall = echo
    pair.settle()
    let (begun, begunAnswer) = try pair.start()
    let (_, waitingAnswer) = try pair.start()
    pair.settle()
    pair.server.shutDown(grace: .seconds(5), at: pair.now)
    pair.settle()
    #expect(waitingAnswer.status?.code == .unavailable)
    #expect(begunAnswer.status == nil)
    begun.closeSend()
    pair.settle()
    #expect(begunAnswer.status == .ok)
  }

  @Test("that is closed ends its calls, and says goodbye")
  func closing() throws {
    let pair = try Pair()
    var interruptions: [CallInterruption] = []
    pair.application.onCall = { $0.onInterrupted = { interruptions.append($1) } }
    let (_, answer) = try pair.start()
    pair.settle()
    pair.client.close()
    #expect(answer.status?.code == .cancelled)
    pair.settle()
    #expect(pair.client.wantsClose)
    pair.server.connectionLost()
    #expect(interruptions.count == 1)
  }

  @Test("to something that does not speak HTTP/2 ends its calls with UNAVAILABLE")
  func notHTTP2() throws {
    let client = try #require(ClientConnection(limits: ConnectionLimits(), at: .zero))
    let answer = Answer(try client.start("/a/b", at: .zero))
    var output: [UInt8] = []
    client.takeOutput(into: &output, limit: 1 << 16)
    let bytes = Array("HTTP/1.1 400 Bad Request\r\n\r\n".utf8)
    unsafe client.receive(bytes.span.bytes, at: .zero)
    client.takeOutput(into: &output, limit: 1 << 16)
    #expect(client.wantsClose)
    client.connectionLost("the server closed the connection")
    #expect(answer.status == Status(.unavailable, "the server does not speak HTTP/2 as gRPC needs it"))
  }

  @Test(
    "makes a status of every way in which a response can be wrong",
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
    let answer = Answer(try client.start("/a/b", at: .zero))
    var output: [UInt8] = []
    client.takeOutput(into: &output, limit: 1 << 16)
    let input = RawHTTP2.frame(.settings) + bytes
    unsafe client.receive(input.span.bytes, at: .zero)
    #expect(answer.status?.code == code)
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
