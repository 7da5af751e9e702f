import RPC
import TestSupport

private typealias Raw = RawHTTP2
private typealias Code = RawHTTP2.ErrorCode

// What may arrive in each state of a stream, and in which order streams are opened. Sections are those of RFC 9113.

extension Offence {
  private static let reset = Raw.frame(.reset, stream: 1, Raw.word(8))

  /// Frames on a stream that the client has ended.
  static let streamStates: [Offence] = kinds.flatMap { kind in
    let open = Raw.open(1, kind.fields)
    let ended = Raw.open(1, kind.fields, endsStream: true)
    let states: [(name: String, before: [UInt8], bytes: [UInt8])] = [
      ("half-closed", [], ended), ("closed by END_STREAM", ended, []), ("closed by RST_STREAM", open, reset),
    ]
    let frames: [(name: String, bytes: [UInt8], outcome: Outcome)] = [
      ("DATA", Raw.frame(.data, stream: 1, [0]), .goAway(Code.streamClosed)),
      ("HEADERS", Raw.open(1, endsStream: true), .goAway(Code.streamClosed)),
      ("CONTINUATION", Raw.frame(.continuation, flags: 4, stream: 1), .goAway(Code.protocolError)),
      ("PRIORITY", Raw.frame(.priority, stream: 1, [0, 0, 0, 3, 1]), .harmless),
      ("WINDOW_UPDATE", Raw.frame(.windowUpdate, stream: 1, Raw.word(1)), .harmless),
      ("RST_STREAM", reset, .harmless),
    ]
    return states.flatMap { state in
      frames.map { frame in
        Offence(
          "5.1: \(frame.name) after \(kind.name), \(state.name)", before: state.before, state.bytes + frame.bytes,
          frame.outcome)
      }
    }
  }

  /// A call that is refused at once, so that we reset its stream before the client has ended it.
  private static let refused = Raw.open(1, [("grpc-encoding", "snappy")])

  static let streamOrder: [Offence] = [
    Offence("5.1: DATA on an idle stream", Raw.frame(.data, stream: 7, [1]), .goAway(Code.protocolError)),
    Offence(
      "5.1: RST_STREAM on an idle stream", Raw.frame(.reset, stream: 9, Raw.word(8)), .goAway(Code.protocolError)),
    Offence(
      "5.1: WINDOW_UPDATE on an idle stream", Raw.frame(.windowUpdate, stream: 9, Raw.word(1)),
      .goAway(Code.protocolError)),
    Offence(
      "5.1: DATA and trailers that cross our RST_STREAM", before: refused,
      Raw.frame(.data, stream: 1, [0]) + Raw.frame(.headers, flags: 5, stream: 1, Raw.field("a", "b")),
      .status(.unimplemented)),
    Offence(
      "5.1: DATA that crosses our RST_STREAM, and DATA after it", before: refused, data(1, [0]) + data(1, [0]),
      .goAway(Code.streamClosed)),
    Offence("5.1.1: HEADERS on an even stream", Raw.open(2, endsStream: true), .goAway(Code.protocolError)),
    Offence(
      "5.1.1: HEADERS below the last stream", before: Raw.open(5, endsStream: true), Raw.open(3, endsStream: true),
      .goAway(Code.protocolError)),
    Offence(
      "5.1.1: DATA on a stream that was skipped", Raw.open(5) + Raw.frame(.data, stream: 3, [0]),
      .goAway(Code.streamClosed)),
    Offence(
      "5.1.1: streams that are skipped", Raw.open(9, endsStream: true) + Raw.open(99, endsStream: true), .harmless),
  ]
}
