import Codecs
@testable import RPC
import TestSupport
import Testing

@Suite("gRPC over HTTP/2: encodings")
struct GrammarTests {
  @Test(
    "writes messages percent-encoded and reads them back",
    arguments: [
      ("", ""), ("plain text", "plain text"), ("100%", "100%25"), ("\t\r\n", "%09%0D%0A"), ("é", "%C3%A9"),
      ("😈", "%F0%9F%98%88"), ("~\u{7F}", "~%7F"),
    ])
  func percent(text: String, encoded: String) {
    #expect(PercentEncoding.encode(text) == encoded)
    #expect(PercentEncoding.decode(encoded) == text)
  }

  @Test(
    "keeps badly encoded messages",
    arguments: [("%", "%"), ("%4", "%4"), ("%zz", "%zz"), ("a%41%", "aA%"), ("%c3%a9", "é"), ("%FF", "\u{FFFD}")])
  func badPercent(encoded: String, text: String) {
    #expect(PercentEncoding.decode(encoded) == text)
  }

  @Test(
    "writes base64 without padding and reads it either way (RFC 4648 section 10)",
    arguments: [
      ("", "", ""), ("f", "Zg", "Zg=="), ("fo", "Zm8", "Zm8="), ("foo", "Zm9v", "Zm9v"), ("foob", "Zm9vYg", "Zm9vYg=="),
      ("fooba", "Zm9vYmE", "Zm9vYmE="), ("foobar", "Zm9vYmFy", "Zm9vYmFy"),
    ])
  func base64(text: String, short: String, padded: String) {
    #expect(Base64.encode(Array(text.utf8)) == short)
    #expect(Base64.decode(Substring(short).utf8) == Array(text.utf8))
    #expect(Base64.decode(Substring(padded).utf8) == Array(text.utf8))
  }

  @Test(
    "refuses what is not base64",
    arguments: ["A", "AAAAA", "====", "Zg=", "Z===", "Zm9v=", "Zm 9", "Zm-v", "é", "Zg==Zg=="])
  func badBase64(text: String) {
    #expect(Base64.decode(Substring(text).utf8) == nil)
  }

  @Test("carries any bytes through base64")
  func anyBytes() {
    var random = SeededGenerator(seed: 1)
    for count in 0..<200 {
      let bytes = (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) }
      #expect(Base64.decode(Substring(Base64.encode(bytes)).utf8) == bytes)
    }
  }

  @Test(
    "reads timeouts",
    arguments: [
      ("1n", .nanoseconds(1)), ("15u", .microseconds(15)), ("0m", .zero), ("99999999m", .milliseconds(99_999_999)),
      ("1S", .seconds(1)),
      ("2M", .seconds(120)), ("3H", .seconds(10_800)), ("99999999H", .seconds(359_999_996_400)),
    ] as [(String, Duration)])
  func timeouts(text: String, timeout: Duration) {
    #expect(Timeout.parse(text) == timeout)
  }

  @Test("refuses other timeouts", arguments: ["", "1", "m", "123456789m", "-1m", "1.5S", "1 S", "1s", "1h", "١S"])
  func badTimeouts(text: String) {
    #expect(Timeout.parse(text) == nil)
  }

  @Test(
    "writes timeouts in the finest unit that fits, rounded up",
    arguments: [
      (.zero, "0n"), (.nanoseconds(-5), "0n"), (.nanoseconds(99_999_999), "99999999n"), (.milliseconds(100), "100000u"),
      (.seconds(1), "1000000u"), (.seconds(100), "100000m"), (.nanoseconds(100_000_000_001), "100001m"),
      (.seconds(100_000), "100000S"), (.seconds(100_000_000), "1666667M"), (.seconds(6_000_000_000_0), "16666667H"),
    ] as [(Duration, String)])
  func writtenTimeouts(timeout: Duration, text: String) {
    #expect(Timeout.format(timeout) == text)
  }

  @Test(
    "rejects reserved names of gRPC and HTTP in metadata",
    arguments: ["", "a b", "é", ":path", "grpc-status", "content-type", "te", "connection", "a\n"])
  func badNames(name: String) {
    var metadata = Metadata()
    #expect(throws: Metadata.Invalid.name) { try metadata.add(name, "x") }
  }

  @Test("rejects metadata values that no header can carry", arguments: ["é", "a\n", "\u{7F}", " a", "a "])
  func badValues(value: String) {
    var metadata = Metadata()
    #expect(throws: Metadata.Invalid.value) { try metadata.add("x", value) }
    #expect(throws: Metadata.Invalid.value) { try metadata.add("x-bin", "a") }
    #expect(throws: Metadata.Invalid.value) { try metadata.add("x", binary: [1]) }
    #expect(metadata.entries.isEmpty)
  }

  @Test("finds the first metadata value of a name")
  func lookup() throws {
    var metadata = Metadata()
    try metadata.add("A", "1")
    try metadata.add("a", "2")
    try metadata.add("b-bin", binary: [9])
    #expect(metadata.text("a") == "1")
    #expect(metadata.binary("b-bin") == [9])
    #expect(metadata.text("b-bin") == nil && metadata.binary("a") == nil && metadata.text("c") == nil)
  }

  @Test("names status codes as gRPC's documents do")
  func names() {
    #expect(StatusCode.unauthenticated.description == "UNAUTHENTICATED")
    #expect(StatusCode(rawValue: 17).description == "17")
    #expect(Status(.notFound, "no pane").description == "NOT_FOUND: no pane")
  }
}

@Suite("The header block of a request")
struct RequestHeadersTests {
  /// A block that begins a call.
  private static let good = [
    (":method", "POST"), (":scheme", "http"), (":path", "/a.B/C"), (":authority", "localhost"), ("te", "trailers"),
    ("content-type", "application/grpc"),
  ]

  private static func verdict(
    _ fields: [(String, String)], limit: Int = 8192
  ) -> RequestHeaders.Verdict {
    var headers = RequestHeaders(areTrailers: false)
    for (name, value) in fields { headers.receive(name: name, value: value, limit: limit) }
    return headers.verdict(limit: limit)
  }

  @Test(
    "may have any :authority or none, as stubs on Unix sockets do",
    arguments: ["", "/tmp/a.sock", "%2Ftmp%2Fa.sock", "unix:/a", "127.0.0.1:1"])
  func authority(value: String) {
    let fields = Self.good.map { $0.0 == ":authority" ? ($0.0, value) : $0 }
    #expect(Self.verdict(fields) == .call(path: "/a.B/C", metadata: Metadata(), timeout: nil))
    #expect(
      Self.verdict(Self.good.filter { $0.0 != ":authority" })
        == .call(path: "/a.B/C", metadata: Metadata(), timeout: nil))
  }

  @Test(
    "begins a call with its path, metadata and timeout",
    arguments: ["application/grpc", "application/grpc+proto", "application/grpc; charset=utf-8", "Application/GRPC"])
  func contentType(value: String) throws {
    var metadata = Metadata()
    try metadata.add("x", "1")
    let fields =
      Self.good.dropLast() + [
        ("content-type", value), ("grpc-timeout", "5S"), ("x", "1"), ("grpc-encoding", "identity"),
      ]
    #expect(Self.verdict(Array(fields)) == .call(path: "/a.B/C", metadata: metadata, timeout: .seconds(5)))
  }

  @Test(
    "is malformed with a forbidden field",
    arguments: [
      [("x", "1"), (":path", "/late")], [(":path", "/twice")], [(":unknown", "1")], [("X", "1")], [("a b", "1")],
      [("", "1")],
      [("connection", "close")], [("transfer-encoding", "chunked")], [("te", "gzip")], [("x", "a\u{0}b")],
      [("x", "a\r\nb")],
    ])
  func malformed(extra: [(String, String)]) {
    #expect(Self.verdict(Self.good + extra) == .malformed)
  }

  @Test("is malformed without a required pseudo-field", arguments: [":method", ":scheme", ":path"])
  func missing(name: String) {
    #expect(Self.verdict(Self.good.filter { $0.0 != name }) == .malformed)
  }

  @Test(
    "that is HTTP but not gRPC gets an HTTP status",
    arguments: [
      (":method", "GET", "405"), ("content-type", "text/html", "415"), ("content-type", "application/grpc-web", "415"),
      ("content-type", "application/grpc+json", "415"),
    ])
  func notGRPC(name: String, value: String, status: String) {
    #expect(Self.verdict(Self.good.map { $0.0 == name ? (name, value) : $0 }) == .notGRPC(httpStatus: status))
  }

  @Test(
    "with an unsupported value is refused with the right code",
    arguments: [
      ("grpc-encoding", "gzip", StatusCode.unimplemented), ("grpc-timeout", "soon", .internal),
      ("x-bin", "?", .invalidArgument),
    ])
  func refused(name: String, value: String, code: StatusCode) {
    guard case .refused(let status) = Self.verdict(Self.good + [(name, value)]) else { return #expect(Bool(false)) }
    #expect(status.code == code)
  }

  @Test("is refused above the limit, and accepted at it")
  func limit() {
    let size = Self.good.reduce(0) { $0 + $1.0.utf8.count + $1.1.utf8.count + 32 }
    #expect(Self.verdict(Self.good, limit: size) == .call(path: "/a.B/C", metadata: Metadata(), timeout: nil))
    guard case .refused(let status) = Self.verdict(Self.good, limit: size - 1) else { return #expect(Bool(false)) }
    #expect(status.code == .resourceExhausted)
  }
}
