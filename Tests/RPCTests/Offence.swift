import RPC
import TestSupport
import Testing

/// A protocol violation by a client, and its expected outcome.
struct Offence: Sendable, CustomTestStringConvertible {
  /// The expected reaction of a server.
  enum Outcome: Equatable, Sendable {
    /// The connection ends, with this code in a GOAWAY.
    case goAway(UInt32)
    /// The stream ends, with this code in a RST_STREAM; the connection goes on.
    case reset(UInt32)
    /// The call on stream 1 ends with this status; the connection goes on.
    case status(StatusCode)
    /// The request on stream 1 gets plain HTTP headers; the connection goes on.
    case http
    /// No error: it looks wrong but is allowed.
    case harmless
  }

  var name: String
  /// Sent and answered first.
  var before: [UInt8]
  /// Sent after a good preface, unless `hasPreface` is false.
  var bytes: [UInt8]
  var hasPreface = true
  var outcome: Outcome

  var testDescription: String { name }

  private typealias Raw = RawHTTP2
  private typealias Code = RawHTTP2.ErrorCode

  private init(_ name: String, before: [UInt8] = [], _ bytes: [UInt8], _ outcome: Outcome, hasPreface: Bool = true) {
    self.name = name
    self.before = before
    self.bytes = bytes
    self.outcome = outcome
    self.hasPreface = hasPreface
  }

  /// All offences, grouped by the rule they break. Section numbers are those of RFC 9113.
  static let all = prefaces + frames + headerBlocks + settings + windows + requests + messages + harmless

  /// Section 3.4: connections that do not begin as HTTP/2.
  private static let prefaces: [Offence] = [
    Offence(
      "a request of HTTP/1.1", Array("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n".utf8),
      .goAway(Code.protocolError), hasPreface: false),
    Offence(
      "a TLS ClientHello", [0x16, 3, 1, 1, 0, 1, 0, 0, 0xFC, 3, 3] + [UInt8](repeating: 7, count: 40),
      .goAway(Code.protocolError),
      hasPreface: false),
    Offence(
      "a preface that goes wrong", Array("PRI * HTTP/2.0\r\n\r\nXX\r\n\r\n".utf8), .goAway(Code.protocolError),
      hasPreface: false),
    Offence(
      "a preface without SETTINGS",
      Array("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".utf8) + Raw.frame(.ping, Raw.word(0) + Raw.word(0)),
      .goAway(Code.protocolError), hasPreface: false),
    Offence(
      "a window opened before SETTINGS",
      Array("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".utf8) + Raw.frame(.windowUpdate, Raw.word(1)),
      .goAway(Code.protocolError), hasPreface: false),
  ]

  /// Sections 4 and 6: frames of the wrong size, on the wrong stream or in the wrong place.
  private static let frames: [Offence] = [
    Offence("DATA on stream 0", Raw.frame(.data, [1]), .goAway(Code.protocolError)),
    Offence("DATA on a stream that was never opened", Raw.frame(.data, stream: 7, [1]), .goAway(Code.protocolError)),
    Offence("HEADERS on stream 0", Raw.frame(.headers, flags: 5, Raw.request()), .goAway(Code.protocolError)),
    Offence("HEADERS on an even stream", Raw.open(2, endsStream: true), .goAway(Code.protocolError)),
    Offence(
      "a frame above the size that was allowed",
      Raw.open(1) + Raw.frame(.data, stream: 1, [UInt8](repeating: 0, count: 16385)),
      .goAway(Code.frameSizeError)),
    Offence(
      "padding longer than its DATA", Raw.open(1) + Raw.frame(.data, flags: Raw.padded, stream: 1, [3, 0, 0]),
      .goAway(Code.protocolError)),
    Offence(
      "padding longer than its HEADERS", Raw.frame(.headers, flags: 5 | Raw.padded, stream: 1, [200] + Raw.request()),
      .goAway(Code.protocolError)),
    Offence("PRIORITY of a wrong size", Raw.frame(.priority, stream: 1, [0, 0, 0, 0]), .goAway(Code.frameSizeError)),
    Offence("PRIORITY on stream 0", Raw.frame(.priority, [0, 0, 0, 0, 0]), .goAway(Code.protocolError)),
    Offence(
      "RST_STREAM of a wrong size", Raw.open(1) + Raw.frame(.reset, stream: 1, [0]), .goAway(Code.frameSizeError)),
    Offence("RST_STREAM on stream 0", Raw.frame(.reset, Raw.word(8)), .goAway(Code.protocolError)),
    Offence(
      "RST_STREAM on a stream that was never opened", Raw.frame(.reset, stream: 9, Raw.word(8)),
      .goAway(Code.protocolError)),
    Offence(
      "PUSH_PROMISE by a client",
      Raw.open(1) + Raw.frame(.pushPromise, flags: 4, stream: 1, Raw.word(2) + Raw.request()),
      .goAway(Code.protocolError)),
    Offence("PING of a wrong size", Raw.frame(.ping, [0]), .goAway(Code.frameSizeError)),
    Offence("PING on a stream", Raw.frame(.ping, stream: 1, Raw.word(0) + Raw.word(0)), .goAway(Code.protocolError)),
    Offence("GOAWAY of a wrong size", Raw.frame(.goAway, [0, 0, 0]), .goAway(Code.frameSizeError)),
    Offence(
      "GOAWAY on a stream", Raw.frame(.goAway, stream: 1, Raw.word(0) + Raw.word(0)), .goAway(Code.protocolError)),
    Offence("CONTINUATION without HEADERS", Raw.frame(.continuation, flags: 4, stream: 1), .goAway(Code.protocolError)),
    Offence(
      "CONTINUATION of another stream",
      Raw.frame(.headers, stream: 1, Raw.request()) + Raw.frame(.continuation, flags: 4, stream: 3),
      .goAway(Code.protocolError)),
    Offence(
      "an interrupted header block",
      Raw.frame(.headers, stream: 1, Raw.request()) + Raw.frame(.ping, Raw.word(0) + Raw.word(0)),
      .goAway(Code.protocolError)),
  ]

  /// RFC 7541, and the contents that sections 8.2 and 8.3 forbid in a block.
  private static let headerBlocks: [Offence] = [
    Offence(
      "HPACK: an index into nothing", Raw.frame(.headers, flags: 5, stream: 1, [0xFF, 0x7F]),
      .goAway(Code.compressionError)),
    Offence(
      "HPACK: an integer without end", Raw.frame(.headers, flags: 5, stream: 1, [UInt8](repeating: 0xFF, count: 12)),
      .goAway(Code.compressionError)),
    Offence(
      "HPACK: a string longer than the block", Raw.frame(.headers, flags: 5, stream: 1, [0, 5, 0x61]),
      .goAway(Code.compressionError)),
    Offence(
      "HPACK: bad Huffman padding", Raw.frame(.headers, flags: 5, stream: 1, [0, 0x81, 0, 1, 0x61]),
      .goAway(Code.compressionError)),
    Offence(
      "HPACK: a table above the size that was allowed",
      Raw.frame(.headers, flags: 5, stream: 1, [0x3F, 0xFF, 0xFF, 0x03]),
      .goAway(Code.compressionError)),
    Offence(
      "a huge header list in a small block", Raw.frame(.headers, flags: 5, stream: 1, headerBomb),
      .goAway(Code.enhanceYourCalm)),
    Offence(
      "no :path", Raw.frame(.headers, flags: 5, stream: 1, fields([(":method", "POST"), (":scheme", "http")])),
      .reset(Code.protocolError)),
    Offence("a :path without a slash", Raw.open(1, [(":path", "a.B/C")]), .reset(Code.protocolError)),
    Offence("a pseudo-field that does not exist", Raw.open(1, [(":version", "2")]), .reset(Code.protocolError)),
    Offence(
      "a pseudo-field after a field",
      Raw.frame(.headers, flags: 5, stream: 1, fields([(":method", "POST"), ("a", "b"), (":path", "/a/b")])),
      .reset(Code.protocolError)),
    Offence(
      "a pseudo-field twice",
      Raw.frame(.headers, flags: 5, stream: 1, fields([(":method", "POST"), (":method", "POST")])),
      .reset(Code.protocolError)),
    Offence("a name with capital letters", Raw.open(1, [("X-Y", "1")]), .reset(Code.protocolError)),
    Offence("a name that is empty", Raw.open(1, [("", "1")]), .reset(Code.protocolError)),
    Offence("a value with a line feed", Raw.open(1, [("a", "b\nc: d")]), .reset(Code.protocolError)),
    Offence(
      "a connection-specific field of HTTP/1.1", Raw.open(1, [("transfer-encoding", "chunked")]),
      .reset(Code.protocolError)),
    Offence("te other than trailers", Raw.open(1, [("te", "gzip")]), .reset(Code.protocolError)),
    Offence(
      "trailers that do not end the stream",
      Raw.open(1) + Raw.frame(.headers, flags: 4, stream: 1, fields([("a", "b")])),
      .reset(Code.protocolError)),
  ]

  /// Section 6.5.
  private static let settings: [Offence] = [
    Offence("SETTINGS of a wrong size", Raw.frame(.settings, [0, 1, 2]), .goAway(Code.frameSizeError)),
    Offence("SETTINGS on a stream", Raw.frame(.settings, stream: 1), .goAway(Code.protocolError)),
    Offence(
      "an acknowledgement of SETTINGS with entries", Raw.frame(.settings, flags: 1, Raw.setting(3, 1)),
      .goAway(Code.frameSizeError)),
    Offence("ENABLE_PUSH of 2", Raw.frame(.settings, Raw.setting(2, 2)), .goAway(Code.protocolError)),
    Offence(
      "INITIAL_WINDOW_SIZE of 2^31", Raw.frame(.settings, Raw.setting(4, 1 << 31)), .goAway(Code.flowControlError)),
    Offence("MAX_FRAME_SIZE of 16,383", Raw.frame(.settings, Raw.setting(5, 16383)), .goAway(Code.protocolError)),
    Offence("MAX_FRAME_SIZE of 2^24", Raw.frame(.settings, Raw.setting(5, 1 << 24)), .goAway(Code.protocolError)),
    Offence(
      "SETTINGS with too many entries", Raw.frame(.settings, (0..<33).flatMap { _ in Raw.setting(3, 100) }),
      .goAway(Code.enhanceYourCalm)),
  ]

  /// Section 6.9.
  private static let windows: [Offence] = [
    Offence("WINDOW_UPDATE of a wrong size", Raw.frame(.windowUpdate, [0, 0, 1]), .goAway(Code.frameSizeError)),
    Offence("a window opened by 0", Raw.frame(.windowUpdate, Raw.word(0)), .goAway(Code.protocolError)),
    Offence(
      "a stream's window opened by 0", Raw.open(1) + Raw.frame(.windowUpdate, stream: 1, Raw.word(0)),
      .goAway(Code.protocolError)),
    Offence("a window above 2^31", Raw.frame(.windowUpdate, Raw.word(0x7FFF_FFFF)), .goAway(Code.flowControlError)),
    Offence(
      "a stream's window above 2^31", Raw.open(1) + Raw.frame(.windowUpdate, stream: 1, Raw.word(0x7FFF_FFFF)),
      .reset(Code.flowControlError)),
    Offence(
      "a stream's window above 2^31 by SETTINGS",
      Raw.open(1) + Raw.frame(.windowUpdate, stream: 1, Raw.word(0x7FFF_0000))
        + Raw.frame(.settings, Raw.setting(4, 65_536)),
      .goAway(Code.flowControlError)),
    Offence(
      "a window opened in a header block",
      Raw.frame(.headers, stream: 1, Raw.request()) + Raw.frame(.windowUpdate, Raw.word(1)),
      .goAway(Code.protocolError)),
    Offence(
      "a window opened on a stream that was never opened", Raw.frame(.windowUpdate, stream: 9, Raw.word(1)),
      .goAway(Code.protocolError)),
  ]

  /// gRPC over HTTP/2, "Requests".
  private static let requests: [Offence] = [
    Offence("GET", Raw.open(1, [(":method", "GET")], endsStream: true), .http),
    Offence("a content type other than gRPC's", Raw.open(1, [("content-type", "text/html")], endsStream: true), .http),
    Offence(
      "gRPC-Web", Raw.open(1, [("content-type", "application/grpc-web+proto")], endsStream: true), .http),
    Offence("an unknown encoding", Raw.open(1, [("grpc-encoding", "snappy")]), .status(.unimplemented)),
    Offence("an invalid timeout", Raw.open(1, [("grpc-timeout", "soon")]), .status(.internal)),
    Offence("binary metadata that is not base64", Raw.open(1, [("a-bin", "!")]), .status(.invalidArgument)),
    Offence(
      "a header list above the limit", Raw.open(1, [("x", String(repeating: "y", count: 9000))]),
      .status(.resourceExhausted)),
  ]

  /// gRPC over HTTP/2, "Length-Prefixed-Message".
  private static let messages: [Offence] = [
    Offence("a truncated message", Raw.open(1) + data(1, [0, 0, 0, 0, 9, 1]), .status(.internal)),
    Offence("a truncated prefix", Raw.open(1) + data(1, [0, 0]), .status(.internal)),
    Offence(
      "a message marked as compressed, without an encoding", Raw.open(1) + data(1, [1, 0, 0, 0, 0]), .status(.internal)),
    Offence("a flag that is neither 0 nor 1", Raw.open(1) + data(1, [2, 0, 0, 0, 0]), .status(.internal)),
    Offence("a message above the limit", Raw.open(1) + data(1, [0, 0, 1, 0, 1]), .status(.resourceExhausted)),
    Offence("a message of 4 GiB", Raw.open(1) + data(1, [0, 255, 255, 255, 255]), .status(.resourceExhausted)),
  ]

  /// Sections 4.1, 5.1 and 6.5.2: input that must be tolerated.
  private static let harmless: [Offence] = [
    Offence(
      "HEADERS below the last stream: trailers may come late", before: Raw.open(5, endsStream: true), Raw.open(3),
      .harmless),
    Offence(
      "a header block in nine pieces",
      Raw.frame(.headers, stream: 1, Raw.request())
        + (1...8).flatMap { Raw.frame(.continuation, flags: $0 / 8 * 4, stream: 1) },
      .harmless),
    Offence("a frame of an unknown type", Raw.frame(.unknown, flags: 255, stream: 3, [1, 2, 3]), .harmless),
    Offence("an unknown setting", Raw.frame(.settings, Raw.setting(99, 1)), .harmless),
    Offence("PRIORITY for a stream that may come", Raw.frame(.priority, stream: 11, [0, 0, 0, 3, 16]), .harmless),
    Offence(
      "an acknowledgement of a PING that was not sent", Raw.frame(.ping, flags: 1, Raw.word(1) + Raw.word(2)), .harmless
    ),
    Offence(
      "a window opened on a stream that has ended", before: Raw.call(1),
      Raw.frame(.windowUpdate, stream: 1, Raw.word(1)), .harmless),
    Offence(
      "RST_STREAM for a stream that has ended", before: Raw.call(1), Raw.frame(.reset, stream: 1, Raw.word(8)),
      .harmless),
    Offence(
      "padding", Raw.open(1) + Raw.frame(.data, flags: 1 | Raw.padded, stream: 1, [3, 0, 0, 0, 0, 1, 7, 0, 0, 0]),
      .harmless),
    Offence(
      "an empty :authority, and a path in it",
      Raw.open(1, [(":authority", "")], endsStream: true)
        + Raw.open(3, [(":authority", "/run/d.sock")], endsStream: true),
      .harmless),
  ]

  /// One field of 3,900 bytes in the table, then referenced a thousand times by one byte: 5 kB that expand to 4 MB.
  private static let headerBomb =
    Raw.request() + [0x40] + Raw.field("x", String(repeating: "y", count: 3900)).dropFirst()
    + [UInt8](repeating: 0xBE, count: 1000)

  private static func fields(_ fields: [(String, String)]) -> [UInt8] { fields.flatMap { Raw.field($0.0, $0.1) } }

  private static func data(_ stream: UInt32, _ bytes: [UInt8]) -> [UInt8] {
    Raw.frame(.data, flags: Raw.endStream, stream: stream, bytes)
  }
}
