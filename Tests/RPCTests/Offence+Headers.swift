import RPC
import TestSupport

private typealias Raw = RawHTTP2
private typealias Code = RawHTTP2.ErrorCode

// Header blocks, and what they may say about a request and its body. Sections are those of RFC 9113 or RFC 7541.

extension Offence {
  /// Returns HEADERS that end stream 1, with this block.
  private static func headers(_ block: [UInt8]) -> [UInt8] { Raw.frame(.headers, flags: 5, stream: 1, block) }

  private static func block(_ fields: [(String, String)]) -> [UInt8] { fields.flatMap { Raw.field($0.0, $0.1) } }

  static let headerBlocks: [Offence] = [
    Offence("RFC 7541, 2.3.3: an index into nothing", headers([0xFF, 0x7F]), .goAway(Code.compressionError)),
    Offence(
      "RFC 7541, 2.3.3: a name with an index into nothing", headers([0x0F, 0x7F, 1, 0x61]),
      .goAway(Code.compressionError)),
    Offence(
      "RFC 7541, 4.2: a change of the table's size at the end", headers(Raw.request() + [0x20]),
      .goAway(Code.compressionError)),
    Offence(
      "RFC 7541, 5.1: an integer without end", headers([UInt8](repeating: 0xFF, count: 12)),
      .goAway(Code.compressionError)),
    Offence("RFC 7541, 5.2: a string longer than the block", headers([0, 5, 0x61]), .goAway(Code.compressionError)),
    Offence(
      "RFC 7541, 5.2: Huffman padding of 11 bits", headers([0, 1, 0x61, 0x82, 0x1F, 0xFF]),
      .goAway(Code.compressionError)),
    Offence(
      "RFC 7541, 5.2: Huffman padding of zeros", headers([0, 1, 0x61, 0x81, 0x18]), .goAway(Code.compressionError)),
    Offence(
      "RFC 7541, 5.2: the end of a Huffman string, encoded", headers([0, 1, 0x61, 0x84, 255, 255, 255, 255]),
      .goAway(Code.compressionError)),
    Offence("RFC 7541, 6.1: index 0", headers([0x80]), .goAway(Code.compressionError)),
    Offence(
      "RFC 7541, 6.3: a table above the size that was allowed", headers([0x3F, 0xFF, 0xFF, 0x03]),
      .goAway(Code.compressionError)),
    Offence("a huge header list in a small block", headers(Raw.request() + bomb), .goAway(Code.enhanceYourCalm)),
    Offence("a huge list of trailers", Raw.open(1) + headers(bomb), .goAway(Code.enhanceYourCalm)),
  ]

  /// One field of 3,900 bytes in the table, then referenced a thousand times by one byte: 5 kB that expand to 4 MB.
  private static let bomb: [UInt8] =
    [0x40] + Raw.field("x", String(repeating: "y", count: 3900)).dropFirst() + [UInt8](repeating: 0xBE, count: 1000)

  /// Requests with fields that make them malformed.
  static let fields: [Offence] = [
    Offence("8.2.1: a name with capital letters", Raw.open(1, [("X-Y", "1")]), .reset(Code.protocolError)),
    Offence("8.2.1: a name that is empty", Raw.open(1, [("", "1")]), .reset(Code.protocolError)),
    Offence("8.2.1: a name with a colon", Raw.open(1, [("a:b", "1")]), .reset(Code.protocolError)),
    Offence("8.2.1: a name with a space", Raw.open(1, [("a b", "1")]), .reset(Code.protocolError)),
    Offence("8.2.1: a value with a line feed", Raw.open(1, [("a", "b\nc: d")]), .reset(Code.protocolError)),
    Offence("8.2.1: a value with a zero byte", Raw.open(1, [("a", "b\0")]), .reset(Code.protocolError)),
    Offence("8.2.2: te other than trailers", Raw.open(1, [("te", "trailers, deflate")]), .reset(Code.protocolError)),
    Offence("8.3: a pseudo-field that does not exist", Raw.open(1, [(":version", "2")]), .reset(Code.protocolError)),
    Offence("8.3: a pseudo-field of responses", Raw.open(1, [(":status", "200")]), .reset(Code.protocolError)),
    Offence(
      "8.3: a pseudo-field after a field",
      headers(block([(":method", "POST"), (":scheme", "http"), ("a", "b"), (":path", "/a.B/C")])),
      .reset(Code.protocolError)),
    Offence("8.3.1: an empty :path", Raw.open(1, [(":path", "")]), .reset(Code.protocolError)),
    Offence("8.3.1: a :path without a slash", Raw.open(1, [(":path", "a.B/C")]), .reset(Code.protocolError)),
    Offence(
      "8.3.1: an empty :authority, and a path in it",
      Raw.open(1, [(":authority", "")], endsStream: true)
        + Raw.open(3, [(":authority", "/run/d.sock")], endsStream: true),
      .harmless),
  ]

  static let connectionFields: [Offence] = [
    "connection", "keep-alive", "proxy-connection", "transfer-encoding", "upgrade",
  ].map { Offence("8.2.2: \($0)", Raw.open(1, [($0, "x")]), .reset(Code.protocolError)) }

  static let pseudoFields: [Offence] = [":method", ":scheme", ":path"].flatMap { name in
    let fields = [(":method", "POST"), (":scheme", "http"), (":path", "/a.B/C")]
    return [
      Offence("8.3.1: no \(name)", headers(block(fields.filter { $0.0 != name })), .reset(Code.protocolError)),
      Offence(
        "8.3: \(name) twice", headers(block(fields + fields.filter { $0.0 == name })), .reset(Code.protocolError)),
    ]
  }

  static let trailers: [Offence] = kinds.flatMap { kind in
    let body = Raw.open(1, kind.fields) + Raw.frame(.data, stream: 1, [0, 0, 0, 0, 0])
    let rules: [(name: String, frame: [UInt8], outcome: Outcome)] = [
      ("8.1: trailers", headers(block([("a", "b")])), kind.fields.isEmpty ? .status(.ok) : .http),
      ("8.1: trailers without END_STREAM", Raw.frame(.headers, flags: 4, stream: 1), .reset(Code.protocolError)),
      ("8.1: a pseudo-field in the trailers", headers(block([(":method", "POST")])), .reset(Code.protocolError)),
      ("8.2.1: capital letters in the trailers", headers(block([("A", "b")])), .reset(Code.protocolError)),
      ("8.2.2: a field of HTTP/1.1 in the trailers", headers(block([("upgrade", "x")])), .reset(Code.protocolError)),
      (
        "6.1: padding longer than its DATA", Raw.frame(.data, flags: Raw.padded, stream: 1, [3, 0, 0]),
        .goAway(Code.protocolError)
      ),
    ]
    return rules.map { Offence("\($0.name) of \(kind.name)", body + $0.frame, $0.outcome) }
  }

  private static let body: [UInt8] = [0, 0, 0, 0, 1, 7]

  /// Requests whose body is as long as they say, or is not.
  static let contentLengths: [Offence] = kinds.flatMap { kind in
    let good: Outcome = kind.fields.isEmpty ? .status(.ok) : .http
    let malformed = Outcome.reset(Code.protocolError)
    func open(_ length: String, endsStream: Bool = false) -> [UInt8] {
      Raw.open(1, kind.fields + [("content-length", length)], endsStream: endsStream)
    }
    let whole = data(1, body)
    let halves = Raw.frame(.data, stream: 1, Array(body[..<3])) + data(1, Array(body[3...]))
    let padded = Raw.frame(.data, flags: Raw.endStream | Raw.padded, stream: 1, [2] + body + [0, 0])
    let withTrailers = Raw.frame(.data, stream: 1, body) + headers(block([("a", "b")]))
    let rules: [(name: String, bytes: [UInt8], outcome: Outcome)] = [
      ("that fits", open("6") + whole, good),
      ("that fits two frames", open("6") + halves, good),
      ("that fits a frame without its padding", open("6") + padded, good),
      ("that fits a body with trailers", open("6") + withTrailers, good),
      ("of 0 without a body", open("0", endsStream: true), good),
      ("below the body", open("5") + whole, malformed),
      ("above the body", open("7") + whole, malformed),
      ("below two frames", open("5") + halves, malformed),
      ("above two frames", open("7") + halves, malformed),
      ("above a body with trailers", open("7") + withTrailers, malformed),
      ("of 6 without a body", open("6", endsStream: true), malformed),
    ]
    return rules.map { Offence("8.1.1: a content-length \($0.name), in \(kind.name)", $0.bytes, $0.outcome) }
  }

  static let badContentLengths: [Offence] = [
    ["-6"], ["+6"], ["6, 6"], ["six"], [""], ["99999999999999999999"], ["6", "6"], ["6", "7"],
  ].map { values in
    Offence(
      "8.1.1: the content-length \(values)",
      Raw.frame(.headers, flags: 4, stream: 1, Raw.request() + block(values.map { ("content-length", $0) }))
        + data(1, body),
      .reset(Code.protocolError))
  }
}
