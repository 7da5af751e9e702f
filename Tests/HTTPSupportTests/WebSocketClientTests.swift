@testable import HTTPSupport
import TestSupport
import Testing

@Suite("WebSocket")
struct WebSocketClientTests {
  typealias Event = WebSocketClient.Event

  /// Always zero, so that the key is known and nothing is masked.
  struct Zero: RandomNumberGenerator {
    mutating func next() -> UInt64 { 0 }
  }

  static let key = "AAAAAAAAAAAAAAAAAAAAAA=="

  static func answer(_ changes: [String: String?] = [:], status: String = "101 Switching Protocols") -> [UInt8] {
    let usual = [
      "Upgrade": "websocket", "Connection": "Upgrade", "Sec-WebSocket-Accept": WebSocketHandshake.accept(key: key),
    ]
    let fields = usual.merging(changes.compactMapValues { $0 }) { $1 }.filter { changes[$0.key] != .some(nil) }
    return Array("HTTP/1.1 \(status)\r\n\(fields.map { "\($0): \($1)\r\n" }.joined())\r\n".utf8)
  }

  static func client(protocols: [String] = [], limit: Int = 1 << 20) -> WebSocketClient {
    var zero = Zero()
    return WebSocketClient(
      host: "a.example:8443", target: "/x?y", protocols: protocols, fields: [("Authorization", "Bearer t")],
      byteLimit: limit, using: &zero)
  }

  /// Returns a connection that is open, and the events of some bytes, in pieces of a size.
  static func receive(_ bytes: [UInt8], size: Int? = nil, limit: Int = 1 << 20) -> (WebSocketClient, [Event]) {
    var zero = Zero()
    var client = client(limit: limit)
    _ = client.takeOutput()
    var events = client.receive(answer(), using: &zero)
    for start in stride(from: 0, to: bytes.count, by: size ?? max(bytes.count, 1)) {
      events += client.receive(bytes[start..<min(start + (size ?? bytes.count), bytes.count)], using: &zero)
    }
    return (client, Array(events.dropFirst()))
  }

  // MARK: - The handshake

  @Test("RFC 6455, section 1.3") func acceptance() {
    #expect(WebSocketHandshake.accept(key: "dGhlIHNhbXBsZSBub25jZQ==") == "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=")
  }

  @Test("the request") func request() {
    var client = Self.client(protocols: ["a", "b"])
    #expect(
      String(decoding: client.takeOutput(), as: UTF8.self)
        == "GET /x?y HTTP/1.1\r\nHost: a.example:8443\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        + "Sec-WebSocket-Key: \(Self.key)\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Protocol: a, b\r\n"
        + "Authorization: Bearer t\r\n\r\n")
    #expect(client.takeOutput().isEmpty)
  }

  static let answers: [(bytes: [UInt8], event: Event)] = [
    (answer(), .opened), (answer(["Upgrade": "WebSocket", "Connection": "keep-alive, upgrade"]), .opened),
    (answer(["Sec-WebSocket-Protocol": "b", "Sec-WebSocket-Extensions": ""]), .opened),
    (answer(["Upgrade": nil]), .failed(.invalidHandshake)),
    (answer(["Connection": "close"]), .failed(.invalidHandshake)),
    (answer(["Sec-WebSocket-Accept": "x"]), .failed(.invalidHandshake)),
    (answer(["Sec-WebSocket-Protocol": "c"]), .failed(.invalidHandshake)),
    (answer(["Sec-WebSocket-Extensions": "permessage-deflate"]), .failed(.invalidHandshake)),
    (answer(status: "401 Unauthorized"), .failed(.refused(status: 401))),
    (Array("nonsense\r\n\r\n".utf8), .failed(.invalidHandshake)),
    ([UInt8](repeating: 0x78, count: WebSocketHandshake.byteLimit), .failed(.invalidHandshake)),
  ]

  @Test("each byte of an answer is read once, however it is cut") func oneByOne() throws {
    var handshake = WebSocketHandshake(
      host: "a.example", target: "/", nonce: [UInt8](repeating: 0, count: 16), protocols: [], fields: [])
    let bytes = Self.answer()
    for (index, byte) in bytes.enumerated() {
      var input: ArraySlice<UInt8> = [byte]
      #expect(try handshake.accepts(&input) == (index == bytes.count - 1) && input.isEmpty)
    }
  }

  @Test("the answer", arguments: answers.indices)
  func handshakes(index: Int) {
    let (bytes, event) = Self.answers[index]
    for size in [bytes.count, 7] {
      var zero = Zero()
      var client = Self.client(protocols: ["a", "b"])
      _ = client.takeOutput()
      let events = stride(from: 0, to: bytes.count, by: size).flatMap {
        client.receive(bytes[$0..<min($0 + size, bytes.count)], using: &zero)
      }
      #expect(events == [event] && client.takeOutput().isEmpty)
    }
  }

  // MARK: - Frames

  /// The examples of RFC 6455, section 5.7, and cases in the order of the Autobahn test suite.
  static let frameCases: [(bytes: [UInt8], events: [Event], sent: [UInt8])] = [
    ([0x81, 5] + Array("Hello".utf8), [.text("Hello")], []),
    ([0x01, 3] + Array("Hel".utf8) + [0x80, 2] + Array("lo".utf8), [.text("Hello")], []),
    ([0x89, 5] + Array("Hello".utf8), [], masked(0x8A, "Hello")),
    ([0x82, 0x7E, 1, 0] + [UInt8](repeating: 7, count: 256), [.binary([UInt8](repeating: 7, count: 256))], []),
    (
      [0x82, 0x7F, 0, 0, 0, 0, 0, 1, 0, 0] + [UInt8](repeating: 7, count: 65536),
      [.binary([UInt8](repeating: 7, count: 65536))], []
    ),
    // 1: empty messages.
    ([0x81, 0, 0x82, 0], [.text(""), .binary([])], []),
    // 2: pings and pongs; one with more than 125 bytes.
    ([0x89, 0], [], masked(0x8A, "")), ([0x8A, 1, 0x78], [.pong([0x78])], []),
    ([0x89, 0x7E, 0, 126], [.failed(.protocolError)], closing(1002)),
    // 3: reserved bits.
    ([0x81, 1, 0x78, 0xC1, 0], [.text("x"), .failed(.protocolError)], closing(1002)),
    ([0xB1, 0], [.failed(.protocolError)], closing(1002)),
    // 4: reserved opcodes.
    ([0x83, 0], [.failed(.protocolError)], closing(1002)), ([0x8B, 0], [.failed(.protocolError)], closing(1002)),
    // 5: fragments, with a ping between them, without a beginning, and begun twice; a control frame in fragments.
    ([0x01, 1, 0x61, 0x89, 0, 0x00, 1, 0x62, 0x80, 1, 0x63], [.text("abc")], masked(0x8A, "")),
    ([0x80, 1, 0x61], [.failed(.protocolError)], closing(1002)),
    ([0x01, 1, 0x61, 0x81, 1, 0x62], [.failed(.protocolError)], closing(1002)),
    ([0x09, 0], [.failed(.protocolError)], closing(1002)),
    // 6: UTF-8, cut in the middle of a character, and invalid.
    ([0x01, 1, 0xC3, 0x80, 1, 0xA4], [.text("ä")], []), ([0x81, 1, 0xC3], [.failed(.invalidText)], closing(1007)),
    ([0x81, 3, 0xED, 0xA0, 0x80], [.failed(.invalidText)], closing(1007)),
    // 7: closing, with a code and a reason; nothing is read after it.
    ([0x88, 0, 0x81, 0], [.closed(code: nil, reason: "")], masked(0x88, "")),
    ([0x88, 4, 0x03, 0xE8, 0x6F, 0x6B], [.closed(code: 1000, reason: "ok")], closing(1000)),
    ([0x88, 1, 0x03], [.failed(.protocolError)], closing(1002)),
    ([0x88, 3, 0x03, 0xE8, 0xFF], [.failed(.invalidText)], closing(1007)),
    ([0x88, 2, 0x0F, 0xA0], [.closed(code: 4000, reason: "")], closing(4000)),
    // Masked by a server; a length of more than 63 bits.
    ([0x81, 0x80, 0, 0, 0, 0], [.failed(.protocolError)], closing(1002)),
    ([0x82, 0x7F, 0x80, 0, 0, 0, 0, 0, 0, 0], [.failed(.protocolError)], closing(1002)),
  ]

  /// A frame of the client whose mask is zero.
  static func masked(_ first: UInt8, _ text: String) -> [UInt8] {
    [first, 0x80 | UInt8(text.utf8.count), 0, 0, 0, 0] + text.utf8
  }

  static func closing(_ code: UInt16) -> [UInt8] { [0x88, 0x82, 0, 0, 0, 0, UInt8(code >> 8), UInt8(code & 0xFF)] }

  @Test("frames, wherever their bytes are cut", arguments: frameCases.indices)
  func frames(index: Int) {
    let (bytes, events, sent) = Self.frameCases[index]
    for size in [bytes.count, 1, 5] {
      var (client, received) = Self.receive(bytes, size: size)
      #expect(received == events && client.takeOutput() == sent)
    }
  }

  @Test(
    "close codes that may not be sent (section 7.4)",
    arguments: [0, 999, 1004, 1005, 1006, 1015, 1016, 2000, 2999, 5000, 65535] as [UInt16])
  func closeCodes(code: UInt16) {
    let (_, events) = Self.receive([0x88, 2, UInt8(code >> 8), UInt8(code & 0xFF), 0x81, 1, 0x79])
    #expect(events == [.failed(.protocolError)], "nothing is read behind it")
  }

  @Test("messages are limited, before they arrive and in all their fragments") func limits() {
    let tooLong = Event.failed(.tooLong)
    #expect(Self.receive([0x82, 0x7E, 0x01, 0x01], limit: 256).1 == [tooLong])
    #expect(Self.receive([0x82, 0x7F, 0x7F, 0, 0, 0, 0, 0, 0, 0], limit: 256).1 == [tooLong])
    let half = [0x02, 0x7E, 0, 200] + [UInt8](repeating: 0, count: 200)
    let rest = [0x80, 100] + [UInt8](repeating: 0, count: 100)
    var (client, events) = Self.receive(half + rest, limit: 256)
    #expect(events == [tooLong] && client.takeOutput() == Self.closing(1009))
    #expect(Self.receive(half + rest, limit: 300).1 == [.binary([UInt8](repeating: 0, count: 300))])
  }

  @Test("a flood of pings is not answered for ever") func floods() {
    var (client, _) = Self.receive((0..<10_000).flatMap { _ in [0x89, 5] + Array("Hello".utf8) })
    #expect(client.takeOutput().count < 17 << 10)
  }

  // MARK: - Sending

  @Test("what is sent is masked, as section 5.7 shows") func masking() {
    let frame = WebSocketFrame(opcode: .text, payload: Array("Hello".utf8)).encoded(mask: 0x37FA_213D)
    #expect(frame == [0x81, 0x85, 0x37, 0xFA, 0x21, 0x3D, 0x7F, 0x9F, 0x4D, 0x51, 0x58])
    #expect(
      WebSocketFrame(opcode: .binary, payload: .init(repeating: 0, count: 256)).encoded(mask: 0).prefix(4) == [
        0x82, 0xFE, 1, 0,
      ])
    let long = WebSocketFrame(opcode: .binary, payload: .init(repeating: 0, count: 65536)).encoded(mask: 0)
    #expect(long.prefix(10) == [0x82, 0xFF, 0, 0, 0, 0, 0, 1, 0, 0] && long.count == 65550)
  }

  @Test("a connection that the server closes is over") func closes() {
    var zero = Zero()
    var (client, _) = Self.receive([])
    client.ping(using: &zero)
    #expect(
      client.receive([0x81, 1, 0x79, 0x88, 2, 0x03, 0xE8], using: &zero) == [
        .text("y"), .closed(code: 1000, reason: ""),
      ])
    client.ping(using: &zero)
    #expect(client.takeOutput() == Self.masked(0x89, "") + Self.closing(1000))
    #expect(client.receive([0x81, 0], using: &zero).isEmpty)
  }

  @Test("any bytes give the same in any pieces", arguments: seeds(1...400 as ClosedRange<UInt64>))
  func anyBytes(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let bytes = (0..<Int.random(in: 1...6, using: &random)).flatMap { _ in
      var frame = Self.frameCases.randomElement(using: &random)!.bytes.prefix(300)
      if Bool.random(using: &random) {
        frame[frame.indices.randomElement(using: &random)!] = UInt8.random(in: 0...255, using: &random)
      }
      return frame
    }
    let whole = Self.receive(bytes, limit: 4096).1
    for size in [1, Int.random(in: 2...40, using: &random)] {
      #expect(Self.receive(bytes, size: size, limit: 4096).1 == whole)
    }
  }
}
