import TestSupport
import Testing

@testable import RPC

private typealias Raw = RawHTTP2
private typealias Code = RawHTTP2.ErrorCode

@Suite("Flow-control windows opened by a client")
struct SendWindowTests {
  /// Returns a client and a function that sends `count` messages on a call, each 100 bytes with its prefix.
  private static func client(settings: [UInt8] = []) throws -> (
    client: RawClient, send: (_ count: Int, _ call: Int) throws -> Void
  ) {
    let client = try RawClient()
    client.application.onCall = { $0.sendInitialMetadata() }
    client.send(Array(Raw.preface.prefix(24)) + Raw.frame(.settings, settings))
    let application = client.application
    return (client, { count, call in for _ in 0..<count { try application.calls[call].send(message(95)) } })
  }

  private static func open(_ stream: UInt32, by bytes: UInt32) -> [UInt8] {
    Raw.frame(.windowUpdate, stream: stream, Raw.word(bytes))
  }

  /// Returns the bytes of DATA among frames, on one stream or on all.
  private static func bytes(_ frames: [Raw.Frame], on stream: UInt32? = nil) -> Int {
    frames.of(.data).filter { stream == nil || $0.stream == stream }.reduce(0) { $0 + $1.payload.count }
  }

  private static func types(_ frames: [Raw.Frame], on stream: UInt32) -> [Raw.FrameType?] {
    frames.filter { $0.stream == stream }.map { Raw.FrameType(rawValue: $0.type) }
  }

  @Test("are respected to the byte, the smaller of the stream's and the connection's", arguments: Cut.allCases)
  func exact(cut: Cut) throws {
    var random = SeededGenerator(seed: Pair.seed)
    let (client, send) = try Self.client(settings: Raw.setting(4, 250))
    client.send(Raw.open(1))
    try send(20, 0)
    #expect(Self.bytes(client.take()) == 250)
    var sent: UInt32 = 250
    while sent < 1990 {
      let more = UInt32.random(in: 1...min(60, 1990 - sent), using: &random)
      var frames: [Raw.Frame] = []
      for piece in cut.pieces(of: Self.open(1, by: more), &random) { frames += client.send(piece) }
      #expect(Self.bytes(frames) == more)
      sent += more
    }
    #expect(Self.bytes(client.send(Self.open(1, by: 60_000))) == 10)
    // 65,535 on all streams together, of which 2,000 are used.
    try send(700, 0)
    #expect(Self.bytes(client.take()) == 59_990, "the stream's")
    client.send(Raw.open(3))
    client.send(Self.open(3, by: 1 << 20))
    try send(100, 1)
    #expect(Self.bytes(client.take(), on: 3) == 65_535 - 2000 - 59_990, "the connection's")
    #expect(Self.bytes(client.send(Self.open(0, by: 7)), on: 3) == 7)
    #expect(Self.bytes(client.send(Self.open(1, by: 50))) == 0)
    #expect(Self.bytes(client.send(Self.open(0, by: 100_000))) == 10_000 - (65_535 - 2000 - 59_990) - 7 + 50)
  }

  @Test("may shrink below the bytes in flight, and reopen from below zero")
  func negative() throws {
    let (client, send) = try Self.client(settings: Raw.setting(4, 1000))
    client.send(Raw.open(1))
    try send(30, 0)
    #expect(Self.bytes(client.take()) == 1000)
    // -600 now, then -100, 0, 1.
    #expect(Self.bytes(client.send(Raw.frame(.settings, Raw.setting(4, 400)))) == 0)
    #expect(Self.bytes(client.send(Self.open(1, by: 500))) == 0)
    #expect(Self.bytes(client.send(Self.open(1, by: 100))) == 0)
    #expect(Self.bytes(client.send(Self.open(1, by: 1))) == 1)
    #expect(Self.bytes(client.send(Raw.frame(.settings, Raw.setting(4, 600)))) == 200)
    client.send(Raw.open(3))
    try send(30, 1)
    #expect(Self.bytes(client.take(), on: 3) == 600, "later streams start with the last size")
  }

  @Test("can be reopened forever by a client that reads: 8 GiB, and still exact")
  func longLife() throws {
    let (client, send) = try Self.client()
    client.send(Raw.open(1))
    // As far as possible, and then by the bytes sent: a window that accumulated its updates would exceed 2^31 at once.
    let most = UInt32(SendWindow.largest - SendWindow.initial)
    #expect(client.send(Self.open(0, by: most) + Self.open(1, by: most)).goAways == [])
    for _ in 0..<100 {
      try send(10, 0)
      #expect(Self.bytes(client.take()) == 1000)
      let frames = client.send(Self.open(1, by: 1000) + Self.open(0, by: 1000))
      #expect(frames.goAways == [] && frames.resets == [])
    }
    #expect(client.send(Self.open(0, by: 1)).goAways == [Code.flowControlError])
    var window = SendWindow()
    var moved = 0
    while moved < 8 << 30 {
      window.use(window.bytes)
      let isOpened = window.move(by: SendWindow.largest)
      #expect(isOpened)
      moved += SendWindow.largest
    }
    #expect(window.bytes == SendWindow.largest)
  }

  @Test("above 2^31 end the connection if SETTINGS caused it, and the stream otherwise")
  func overflow() throws {
    for size: UInt32 in [65_535, 65_536] {
      let (client, _) = try Self.client()
      client.send(Raw.open(1))
      #expect(client.send(Self.open(1, by: UInt32(SendWindow.largest - SendWindow.initial))).resets == [])
      #expect(
        client.send(Raw.frame(.settings, Raw.setting(4, size))).goAways
          == (size == 65_535 ? [] : [Code.flowControlError]))
    }
    let (client, send) = try Self.client()
    var ended: CallInterruption?
    client.application.onCall = { call in
      call.sendInitialMetadata()
      call.onInterrupted = { _, reason in ended = reason }
    }
    client.send(Raw.open(1))
    try send(1, 0)
    let frames = client.send(Self.open(1, by: 0x7FFF_FFFF) + Self.open(1, by: 0x7FFF_FFFF))
    #expect(frames.goAways == [] && frames.resets.allSatisfy { $0 == Code.flowControlError } && !frames.resets.isEmpty)
    #expect(ended == .cancelledByClient(errorCode: Code.flowControlError))
    client.application.onCall = echo
    #expect(client.isServed(stream: 101))
  }

  @Test("need not be open for a status, which follows only the messages")
  func statusThroughClosedWindow() throws {
    let (client, send) = try Self.client(settings: Raw.setting(4, 0))
    client.send(Raw.open(1) + Raw.open(3))
    try send(1, 0)
    for call in client.application.calls { call.finish(Status(.outOfRange)) }
    let frames = client.take()
    #expect(frames.of(.data).isEmpty)
    #expect(frames.of(.headers).map(\.stream) == [3], "a message waits on stream 1")
    #expect(Self.types(frames, on: 3) == [.headers, .reset], "the client need not go on sending")
    let rest = client.send(Self.open(1, by: 99))
    #expect(Self.bytes(rest) == 99 && rest.of(.headers).isEmpty)
    let last = client.send(Self.open(1, by: 1))
    #expect(Self.types(last, on: 1) == [.data, .headers, .reset])
  }

  @Test("are shared: calls take turns of one frame, and headers and acknowledgements go first")
  func turns() throws {
    let (client, send) = try Self.client(settings: Raw.setting(4, 1 << 20))
    client.send(Self.open(0, by: 1 << 20) + Raw.open(1) + Raw.open(3))
    for call in 0...1 { try send(600, call) }
    let ping = Raw.frame(.ping, Raw.word(1) + Raw.word(2))
    unsafe client.server.receive((Raw.open(5) + ping).span.bytes, at: client.now)
    let frames = client.take()
    let order = frames.map { Raw.FrameType(rawValue: $0.type) }.prefix { $0 != .data }
    #expect(order.contains(.ping) && order.contains(.headers))
    #expect(frames.of(.data).map(\.stream) == [1, 3, 1, 3, 1, 3, 1, 3])
    #expect(frames.of(.data).allSatisfy { $0.payload.count <= 16_384 })
    #expect(Self.bytes(frames, on: 1) == 60_000 && Self.bytes(frames, on: 3) == 60_000)
  }

  @Test("do not wake a blocked call until its own window opens")
  func blocked() throws {
    let (client, send) = try Self.client(settings: Raw.setting(4, 100))
    client.send(Raw.open(1))
    try send(3, 0)
    #expect(Self.bytes(client.take()) == 100)
    #expect(!client.server.hasOutput)
    unsafe client.server.receive(Self.open(0, by: 5).span.bytes, at: client.now)
    #expect(!client.server.hasOutput)
    unsafe client.server.receive(Self.open(1, by: 5).span.bytes, at: client.now)
    #expect(client.server.hasOutput)
    #expect(Self.bytes(client.take()) == 5)
    client.send(Raw.frame(.reset, stream: 1, Raw.word(8)))
    #expect(client.server.openCalls == 0 && !client.server.hasOutput)
  }
}

@Suite("Extraction of WINDOW_UPDATE frames")
struct WindowUpdateExtractorTests {
  /// Returns the bytes passed on, and the updates extracted, each with the number of bytes passed on before it.
  private static func extract(_ pieces: [[UInt8]]) -> (passed: [UInt8], updates: [[Int]]) {
    var extractor = WindowUpdateExtractor()
    var passed: [UInt8] = []
    var updates: [[Int]] = []
    for piece in pieces {
      var offset = 0
      var rest = unsafe piece.span.bytes
      loop: while true {
        let before = rest.byteCount
        let next = extractor.next(in: &rest)
        offset += before - rest.byteCount
        switch next {
        case .bytes(let count):
          passed += piece[offset..<offset + count]
          rest = rest.extracting(droppingFirst: count)
          offset += count
        case .held: passed += extractor.takeHeldBytes()
        case .update(let stream, let increment):
          updates.append([passed.count, Int(stream), increment])
          #expect(extractor.takeHeldBytes().count == 13)
        case .offence(let offence):
          Issue.record("\(offence)")
          break loop
        case .end: break loop
        }
      }
      #expect(rest.byteCount == 0)
    }
    return (passed, updates)
  }

  private static let update = Raw.frame(.windowUpdate, stream: 0x8000_0007, Raw.word(0x8000_0102))

  @Test(
    "removes updates wherever they stand, and passes the rest on in order", arguments: Cut.allCases
  )
  func updates(cut: Cut) {
    var random = SeededGenerator(seed: Pair.seed)
    let before = Raw.preface + Raw.open(1)
    let between = Raw.frame(.data, stream: 1, message(300)) + Raw.frame(.data, stream: 1)
    let bytes =
      before + Self.update + Self.update + between + Self.update + Raw.frame(.unknown, message(20)) + Self.update
    let result = Self.extract(cut.pieces(of: bytes, &random))
    #expect(result.passed == before + between + Raw.frame(.unknown, message(20)))
    let inner = before.count + between.count
    // The reserved bits are not part of the numbers.
    #expect(result.updates == [before.count, before.count, inner, inner + 29].map { [$0, 7, 0x102] })
  }

  @Test("passes invalid updates on to nghttp2", arguments: Cut.allCases)
  func wrong(cut: Cut) {
    var random = SeededGenerator(seed: Pair.seed)
    let magic = Array(Raw.preface.prefix(24))
    let cases = [
      magic + Self.update,
      Raw.preface + Raw.frame(.windowUpdate, [0, 0, 1]),
      Raw.preface + Raw.frame(.windowUpdate, [0, 0, 0, 0, 1]),
      Raw.preface + Raw.frame(.headers, stream: 1, Raw.request()) + Self.update,
      Raw.preface + Raw.frame(.headers, stream: 1, Raw.request()) + Raw.frame(.continuation, stream: 1) + Self.update,
      Array("GET / HTTP/1.1\r\n\r\n".utf8) + message(200),
    ]
    for bytes in cases {
      let result = Self.extract(cut.pieces(of: bytes, &random))
      #expect(result.updates == [])
      // The first bytes of a frame's header wait for the others.
      #expect(bytes.starts(with: result.passed) && bytes.count - result.passed.count < 9)
    }
  }
}
