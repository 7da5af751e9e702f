import RPC
import TestSupport
import Testing

/// Error codes of RFC 9113 section 7.
private let protocolError: UInt32 = 1
private let flowControlError: UInt32 = 3
private let frameSizeError: UInt32 = 6
private let compressionError: UInt32 = 9
private let enhanceYourCalm: UInt32 = 11

@Suite("A client that breaks the rules")
struct HostileClientTests {
  @Test("is served while it keeps them: the frames of these tests are right")
  func good() throws {
    let client = try RawClient()
    client.send(RawClient.preface)
    let block = RawClient.request()
    let half = block.count / 2
    let frames = client.send(
      RawClient.frame(.headers, stream: 1, Array(block[..<half]))
        + RawClient.frame(.continuation, flags: RawClient.endHeaders, stream: 1, Array(block[half...]))
        + RawClient.frame(.data, flags: RawClient.endStream, stream: 1, [0, 0, 0, 0, 2, 7, 8]))
    #expect(frames.of(.data).map(\.payload) == [[0, 0, 0, 0, 2, 7, 8]])
    #expect(frames.of(.headers).count == 2)
    #expect(frames.resets == [] && frames.goAways == [])
    #expect(client.application.calls.map(\.path) == ["/a.B/C"])
  }

  @Test("in its first bytes is cut off at once", arguments: ["GET / HTTP/1.1\r\n\r\n", "PRI * HTTP/2.0\r\n\r\nXX\r\n\r\n", "\u{16}\u{3}\u{1}"])
  func preface(text: String) throws {
    let client = try RawClient()
    client.send(Array(text.utf8) + [UInt8](repeating: 0, count: 30))
    #expect(client.server.wantsClose)
  }

  @Test("by saying nothing is cut off after ten seconds, also when it stops half-way")
  func silence() throws {
    for bytes in [[], Array(RawClient.preface.prefix(20))] {
      var client = try RawClient()
      client.send(bytes)
      client.now += .seconds(9)
      client.server.timeReached(client.now)
      #expect(!client.server.wantsClose)
      #expect(client.server.nextDeadline == client.now + .seconds(1))
      client.now += .seconds(1)
      client.server.timeReached(client.now)
      #expect(client.take().goAways == [protocolError])
      #expect(client.server.wantsClose)
    }
  }

  @Test(
    "on the connection is told so, and cut off",
    arguments: [
      ("DATA on stream 0", RawClient.frame(.data, [1]), protocolError),
      ("HEADERS on an even stream", RawClient.frame(.headers, flags: 5, stream: 2, RawClient.request()), protocolError),
      ("bad HPACK", RawClient.frame(.headers, flags: 5, stream: 1, [0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF]), compressionError),
      ("SETTINGS of a wrong size", RawClient.frame(.settings, [0, 1, 2]), frameSizeError),
      ("PING of a wrong size", RawClient.frame(.ping, [0]), frameSizeError),
      ("CONTINUATION out of place", RawClient.frame(.continuation, flags: 4, stream: 1, []), protocolError),
      ("a header block that is interrupted", RawClient.frame(.headers, stream: 1, RawClient.request()) + RawClient.frame(.ping, [0, 0, 0, 0, 0, 0, 0, 0]), protocolError),
      ("a frame above the size that was allowed", RawClient.frame(.data, stream: 1, [UInt8](repeating: 0, count: 16385)), frameSizeError),
      ("a window above 2^31", RawClient.frame(.windowUpdate, [0x7F, 0xFF, 0xFF, 0xFF]), flowControlError),
    ] as [(String, [UInt8], UInt32)])
  func connectionErrors(name: String, bytes: [UInt8], code: UInt32) throws {
    let client = try RawClient()
    client.send(RawClient.preface)
    let frames = client.send(bytes)
    #expect(frames.goAways == [code], "\(name)")
    #expect(client.server.wantsClose, "\(name)")
    #expect(client.application.calls.isEmpty)
  }

  @Test(
    "on one stream loses that stream alone",
    arguments: [
      ("no :path", [(":method", "POST"), (":scheme", "http"), ("content-type", "application/grpc")]),
      ("capital letters", [(":method", "POST"), (":scheme", "http"), (":path", "/a/b"), ("X-Y", "1")]),
      ("a late pseudo-field", [(":method", "POST"), (":scheme", "http"), ("a", "b"), (":path", "/a/b")]),
    ])
  func streamErrors(name: String, fields: [(String, String)]) throws {
    let client = try RawClient()
    client.send(RawClient.preface)
    let block = fields.flatMap { RawClient.field($0.0, $0.1) }
    let frames = client.send(RawClient.frame(.headers, flags: 5, stream: 1, block))
    #expect(frames.resets == [protocolError], "\(name)")
    try stillServes(client, stream: 3)
  }

  @Test("by ending in the middle of a message, or by marking one as compressed, is told INTERNAL", arguments: [[0, 0, 0, 0, 9, 1], [0, 0], [1, 0, 0, 0, 0]] as [[UInt8]])
  func brokenMessages(data: [UInt8]) throws {
    let client = try RawClient()
    client.send(RawClient.preface)
    let frames = client.send(
      RawClient.frame(.headers, flags: 4, stream: 1, RawClient.request())
        + RawClient.frame(.data, flags: RawClient.endStream, stream: 1, data))
    let trailers = try #require(frames.of(.headers).last)
    #expect(contains(trailers.payload, "grpc-status", "13"))
    try stillServes(client, stream: 3)
  }

  @Test("by announcing a message above the limit is refused before it has sent it, and stopped")
  func largeMessage() throws {
    let client = try RawClient()
    client.send(RawClient.preface)
    let frames = client.send(
      RawClient.frame(.headers, flags: 4, stream: 1, RawClient.request())
        + RawClient.frame(.data, stream: 1, [0, 0, 1, 0, 1]))
    #expect(contains(try #require(frames.of(.headers).last).payload, "grpc-status", "8"))
    #expect(frames.resets == [0], "RST_STREAM(NO_ERROR) after the trailers")
    // What was on its way is dropped, and the connection goes on.
    client.send(RawClient.frame(.data, stream: 1, [UInt8](repeating: 0, count: 10_000)))
    try stillServes(client, stream: 3)
  }

  @Test("by a header list above the limit is refused, and by an absurd one cut off")
  func largeHeaders() throws {
    let client = try RawClient()
    client.send(RawClient.preface)
    let block = RawClient.request(extra: [("x", String(repeating: "y", count: 9000))])
    let frames = client.send(RawClient.frame(.headers, flags: 5, stream: 1, block))
    #expect(contains(try #require(frames.of(.headers).last).payload, "grpc-status", "8"))
    try stillServes(client, stream: 3)
    // One entry of 4,000 bytes in the table, then named again by one byte each: a block of 5 kB that means 4 MB.
    let bomb = [0x40] + RawClient.field("x", String(repeating: "y", count: 3900)).dropFirst() + [UInt8](repeating: 0xBE, count: 1000)
    let end = client.send(RawClient.frame(.headers, flags: 5, stream: 5, RawClient.request() + bomb))
    #expect(end.goAways == [enhanceYourCalm])
    #expect(client.server.wantsClose)
  }

  @Test("by an endless header block is cut off")
  func continuationFlood() throws {
    let client = try RawClient()
    client.send(RawClient.preface)
    client.send(RawClient.frame(.headers, stream: 1, RawClient.request()))
    var sent = 0
    while !client.server.wantsClose, sent < 100 {
      client.send(RawClient.frame(.continuation, stream: 1, RawClient.field("a", "b")))
      sent += 1
    }
    #expect(sent <= 9)
  }

  @Test("by resetting streams as fast as it opens them is cut off")
  func rapidReset() throws {
    var limits = ConnectionLimits()
    limits.resetBurst = 50
    let client = try RawClient(limits: limits)
    client.send(RawClient.preface)
    var stream: UInt32 = 1
    while !client.server.wantsClose, stream < 1000 {
      client.send(
        RawClient.frame(.headers, flags: 4, stream: stream, RawClient.request())
          + RawClient.frame(.reset, stream: stream, [0, 0, 0, 8]))
      stream += 2
    }
    #expect((50...60).contains(stream / 2))
    #expect(client.server.openCalls == 0)
  }

  @Test("by SETTINGS or pings whose answers it does not read is cut off", arguments: [RawClient.frame(.settings), RawClient.frame(.ping, [0, 0, 0, 0, 0, 0, 0, 0])])
  func unreadAnswers(frame: [UInt8]) throws {
    var limits = ConnectionLimits()
    limits.pingInterval = .zero
    let client = try RawClient(limits: limits)
    client.send(RawClient.preface)
    var sent = 0
    while !client.server.wantsClose, sent < 1000 {
      unsafe client.server.receive(frame.span.bytes, at: client.now)
      sent += 1
    }
    #expect((limits.queuedAcknowledgements...limits.queuedAcknowledgements + 2).contains(sent))
  }

  @Test("by pinging more often than is allowed is told to calm down, and not for pings while messages go out")
  func pings() throws {
    var client = try RawClient()
    client.send(RawClient.preface)
    let ping = RawClient.frame(.ping, [0, 0, 0, 0, 0, 0, 0, 0])
    for _ in 0..<5 {
      client.now += .seconds(10)
      #expect(client.send(ping).goAways == [])
    }
    var stream: UInt32 = 1
    for _ in 0..<20 {
      #expect(client.send(ping).goAways == [])
      try stillServes(client, stream: stream)
      stream += 2
    }
    var frames: [RawClient.Frame] = []
    for _ in 0..<5 { frames += client.send(ping) }
    #expect(frames.goAways == [enhanceYourCalm])
  }

  @Test("by more streams than it may have is refused them, and cut off once it knows")
  func tooManyStreams() throws {
    var limits = ConnectionLimits()
    limits.concurrentStreams = 2
    let client = try RawClient(limits: limits)
    client.send(RawClient.preface)
    func open(_ stream: UInt32) -> [RawClient.Frame] {
      client.send(RawClient.frame(.headers, flags: 4, stream: stream, RawClient.request()))
    }
    #expect(open(1).resets == [] && open(3).resets == [])
    // It cannot have known; then it says that it does.
    #expect(open(5).resets == [7])
    client.send(RawClient.frame(.settings, flags: 1))
    #expect(open(7).goAways == [protocolError])
    #expect(client.application.calls.count == 2)
  }

  @Test("with nothing but noise never brings the server down", arguments: 0..<50)
  func noise(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let client = try RawClient()
    client.send(RawClient.preface)
    for _ in 0..<200 {
      var payload = (0..<Int.random(in: 0...40, using: &random)).map { _ in UInt8.random(in: 0...255, using: &random) }
      if Bool.random(using: &random) { payload = RawClient.request() + payload }
      let type = RawClient.FrameType(rawValue: UInt8.random(in: 0...9, using: &random)) ?? .data
      let stream = UInt32.random(in: 0...9, using: &random)
      client.send(RawClient.frame(type, flags: UInt8.random(in: 0...63, using: &random), stream: stream, payload))
      if client.server.wantsClose { break }
    }
    client.server.connectionLost()
    #expect(client.application.calls.allSatisfy { !$0.isOpen })
  }

  /// That an ordinary call on the same connection gets its answer.
  private func stillServes(_ client: RawClient, stream: UInt32) throws {
    let frames = client.send(
      RawClient.frame(.headers, flags: 4, stream: stream, RawClient.request())
        + RawClient.frame(.data, flags: RawClient.endStream, stream: stream, [0, 0, 0, 0, 1, 7]))
    #expect(frames.of(.data).filter { $0.stream == stream }.map(\.payload) == [[0, 0, 0, 0, 1, 7]])
  }

  /// Whether a header block of the server's, which it writes as literals or static names, has a name with a value in clear or in
  /// Huffman's code: a client of ours decodes it.
  private func contains(_ block: [UInt8], _ name: String, _ value: String) -> Bool {
    (try? decode(block))?.contains { $0 == name && $1 == value } ?? false
  }

  private func decode(_ block: [UInt8]) throws -> [(String, String)] {
    let client = try #require(ClientConnection(limits: ConnectionLimits(), at: .zero))
    defer { client.connectionLost("done") }
    let call = try client.start("/a/b", at: .zero)
    var fields: [(String, String)] = []
    call.onEnd = { _, status, _ in fields.append(("grpc-status", String(status.code.rawValue))) }
    var output: [UInt8] = []
    client.takeOutput(into: &output, limit: 1 << 16)
    let bytes = RawClient.frame(.settings) + RawClient.frame(.headers, flags: 5, stream: 1, block)
    unsafe client.receive(bytes.span.bytes, at: .zero)
    return fields
  }
}
