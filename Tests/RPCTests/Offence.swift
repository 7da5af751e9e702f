import RPC
import TestSupport
import Testing

/// A protocol violation by a client, or something that looks like one, and its expected outcome.
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

  /// The rule, usually a section of RFC 9113, and what is done about it.
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

  init(_ name: String, before: [UInt8] = [], _ bytes: [UInt8], _ outcome: Outcome, hasPreface: Bool = true) {
    self.name = name
    self.before = before
    self.bytes = bytes
    self.outcome = outcome
    self.hasPreface = hasPreface
  }

  /// All offences. They include the cases of h2spec that apply to a server.
  static let all: [Offence] = [
    prefaces, frames, settings, windows, streamWindows, continuations, streamStates, streamOrder, headerBlocks, fields,
    connectionFields, pseudoFields, trailers, contentLengths, badContentLengths, grpcTypes, otherTypes, otherMethods,
    calls, largeMetadata, messages,
  ].flatMap { $0 }

  /// The requests for which the rules of streams and bodies are checked: they are answered in different ways.
  static let kinds: [(name: String, fields: [(String, String)])] = [("a call", []), ("a GET", [(":method", "GET")])]

  private static let magic = Array("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".utf8)

  /// Connections that do not begin as HTTP/2.
  private static let prefaces: [Offence] = [
    Offence(
      "3.4: a request of HTTP/1.1", Array("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n".utf8),
      .goAway(Code.protocolError), hasPreface: false),
    Offence(
      "3.4: a TLS ClientHello", [0x16, 3, 1, 1, 0, 1, 0, 0, 0xFC, 3, 3] + [UInt8](repeating: 7, count: 40),
      .goAway(Code.protocolError), hasPreface: false),
    Offence(
      "3.4: a preface that goes wrong", Array("PRI * HTTP/2.0\r\n\r\nXX\r\n\r\n".utf8), .goAway(Code.protocolError),
      hasPreface: false),
    Offence(
      "3.4: a preface without SETTINGS", magic + Raw.frame(.ping, Raw.word(0) + Raw.word(0)),
      .goAway(Code.protocolError), hasPreface: false),
    Offence(
      "3.4: a window opened before SETTINGS", magic + Raw.frame(.windowUpdate, Raw.word(1)),
      .goAway(Code.protocolError), hasPreface: false),
  ]
}
