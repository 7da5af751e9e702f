import RPC
import TestSupport
import Testing

private typealias Code = RawHTTP2.ErrorCode

@Suite("A client that breaks the protocol")
struct HostileClientTests {
  @Test("is served while it does not: the frames of these tests are valid")
  func good() throws {
    let client = try RawClient()
    client.send(RawHTTP2.preface)
    let block = RawHTTP2.request()
    let half = block.count / 2
    let frames = client.send(
      RawHTTP2.frame(.headers, stream: 1, Array(block[..<half]))
        + RawHTTP2.frame(.continuation, flags: RawHTTP2.endHeaders, stream: 1, Array(block[half...]))
        + RawHTTP2.frame(.data, flags: RawHTTP2.endStream, stream: 1, [0, 0, 0, 0, 2, 7, 8]))
    #expect(frames.of(.data).map(\.payload) == [[0, 0, 0, 0, 2, 7, 8]])
    #expect(frames.of(.headers).count == 2)
    #expect(frames.resets == [] && frames.goAways == [])
    #expect(client.application.calls.map(\.path) == ["/a.B/C"])
  }

  @Test(
    "gets the same error however its bytes are split, and does not delay others", arguments: Offence.all,
    Cut.allCases)
  func table(offence: Offence, cut: Cut) throws {
    let application = Application()
    application.onCall = echo
    let client = try RawClient(application: application)
    let other = try RawClient(application: application)
    other.send(RawHTTP2.preface + RawHTTP2.open(1))
    var random = SeededGenerator(seed: Pair.seed)
    var frames: [RawHTTP2.Frame] = []
    if offence.hasPreface { frames += client.send(RawHTTP2.preface + offence.before) }
    for piece in cut.pieces(of: offence.bytes, &random) { frames += client.send(piece) }

    switch offence.outcome {
    case .goAway(let code):
      #expect(frames.goAways == [code])
      #expect(client.server.wantsClose)
      client.server.connectionLost()
      #expect(client.server.openCalls == 0)
      #expect(application.calls.dropFirst().allSatisfy { !$0.isOpen })
    case .reset(let code):
      #expect(frames.resets == [code] && frames.goAways == [])
      #expect(client.isServed(stream: 101))
    case .status(let code):
      let trailers = try #require(frames.of(.headers).last)
      #expect(try ResponseBlock(trailers.payload).status?.code == code)
      // A client that keeps sending is told to stop, without an error.
      #expect(frames.resets.allSatisfy { $0 == Code.none } && frames.goAways == [])
      #expect(client.isServed(stream: 101))
    case .http:
      #expect(frames.of(.headers).count == 1 && frames.of(.data).isEmpty && frames.resets == [] && frames.goAways == [])
      #expect(client.isServed(stream: 101))
    case .harmless:
      #expect(frames.resets == [] && frames.goAways == [])
      #expect(client.isServed(stream: 101))
    }

    let response = other.send(RawHTTP2.frame(.data, flags: RawHTTP2.endStream, stream: 1, [0, 0, 0, 0, 1, 9]))
    #expect(response.of(.data).map(\.payload) == [[0, 0, 0, 0, 1, 9]])
    #expect(client.server.sessionMemoryBytes < 64 << 10)
  }

  @Test("by not speaking HTTP/2 gets a readable reason")
  func words() throws {
    let client = try RawClient()
    let frames = client.send(Array("GET / HTTP/1.1\r\n\r\n".utf8) + [UInt8](repeating: 0, count: 30))
    #expect(frames.reasons == ["this port speaks gRPC: HTTP/2 from the first byte, without TLS"])
  }

  @Test("by sending nothing, or part of the preface, is cut off after ten seconds")
  func silence() throws {
    for bytes in [[], Array(RawHTTP2.preface.prefix(20))] {
      var client = try RawClient()
      client.send(bytes)
      client.now += .seconds(9)
      client.server.timeReached(client.now)
      #expect(!client.server.wantsClose)
      #expect(client.server.nextDeadline == client.now + .seconds(1))
      client.now += .seconds(1)
      client.server.timeReached(client.now)
      #expect(client.take().goAways == [Code.protocolError])
      #expect(client.server.wantsClose)
    }
  }

  @Test("by not reading the last GOAWAY is given up a second later")
  func notReading() throws {
    var client = try RawClient()
    client.now += .seconds(10)
    client.server.timeReached(client.now)
    #expect(client.server.hasOutput && !client.server.wantsClose && !client.server.hasGivenUp)
    client.now += .seconds(1)
    client.server.timeReached(client.now)
    #expect(client.server.hasGivenUp && client.server.wantsClose && !client.server.hasOutput)
    #expect(client.server.nextDeadline == nil)
  }

  @Test("by announcing a message above the limit is refused before it sends it")
  func largeMessage() throws {
    let client = try RawClient()
    client.send(RawHTTP2.preface)
    let frames = client.send(RawHTTP2.open(1) + RawHTTP2.frame(.data, stream: 1, [0, 0, 1, 0, 1]))
    #expect(try ResponseBlock(try #require(frames.of(.headers).last).payload).status?.code == .resourceExhausted)
    #expect(frames.resets == [Code.none], "RST_STREAM(NO_ERROR) after the trailers")
    // Bytes already in flight are dropped, and the connection goes on.
    client.send(RawHTTP2.frame(.data, stream: 1, [UInt8](repeating: 0, count: 10_000)))
    #expect(client.isServed(stream: 3))
  }

  @Test("by exceeding the window of a call under manual flow control loses the call")
  func window() throws {
    let client = try RawClient()
    client.application.onCall = { $0.receiveByHand(allowance: 0) }
    client.send(RawHTTP2.preface + RawHTTP2.open(1))
    var frames: [RawHTTP2.Frame] = []
    // Messages of 1,000 bytes, none of which are credited once the first has arrived.
    let message = [0, 0, 0, 3, 0xE8] + [UInt8](repeating: 0, count: 1000)
    for sent in 1...66 {
      frames += client.send(RawHTTP2.frame(.data, stream: 1, message))
      #expect(frames.resets == (sent * message.count <= 65536 ? [] : [Code.flowControlError]), "\(sent)")
    }
    client.application.onCall = echo
    #expect(client.isServed(stream: 3))
  }

  @Test("by sending after END_STREAM loses the connection")
  func afterTheEnd() throws {
    let client = try RawClient()
    client.application.onCall = { _ in }
    client.send(RawHTTP2.preface + RawHTTP2.open(1, endsStream: true))
    #expect(client.send(RawHTTP2.frame(.data, stream: 1, [1])).goAways == [Code.streamClosed])
  }

  @Test("by opening too many streams is refused them, and cut off once it knows the limit")
  func tooManyStreams() throws {
    var limits = ConnectionLimits()
    limits.streams.concurrent = 2
    let client = try RawClient(limits: limits)
    client.send(RawHTTP2.preface)
    #expect(client.send(RawHTTP2.open(1)).resets == [] && client.send(RawHTTP2.open(3)).resets == [])
    // It cannot have known the limit; then it acknowledges it.
    #expect(client.send(RawHTTP2.open(5)).resets == [Code.refusedStream])
    client.send(RawHTTP2.frame(.settings, flags: 1))
    #expect(client.send(RawHTTP2.open(7)).goAways == [Code.protocolError])
    #expect(client.application.calls.count == 2)
  }

  @Test("by sending noise never brings the server down", arguments: seeds(0..<50))
  func noise(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let client = try RawClient()
    client.send(RawHTTP2.preface)
    for _ in 0..<200 {
      var payload = (0..<Int.random(in: 0...40, using: &random)).map { _ in UInt8.random(in: 0...255, using: &random) }
      if Bool.random(using: &random) { payload = RawHTTP2.request() + payload }
      let type = RawHTTP2.FrameType(rawValue: UInt8.random(in: 0...9, using: &random)) ?? .data
      let stream = UInt32.random(in: 0...9, using: &random)
      client.send(RawHTTP2.frame(type, flags: UInt8.random(in: 0...63, using: &random), stream: stream, payload))
      if client.server.wantsClose { break }
    }
    client.server.connectionLost()
    #expect(client.application.calls.allSatisfy { !$0.isOpen })
  }

  @Test("gets no reset in return for a reset")
  func resetForReset() throws {
    let client = try RawClient()
    client.application.onCall = { $0.sendInitialMetadata() }
    client.send(RawHTTP2.preface)
    let frames = client.send(RawHTTP2.open(1) + RawHTTP2.frame(.reset, stream: 1, RawHTTP2.word(8)))
    #expect(frames.filter { $0.stream == 1 }.isEmpty)
    #expect(client.server.openCalls == 0)
  }
}
