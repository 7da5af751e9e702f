import RPC
import TestSupport

private typealias Raw = RawHTTP2
private typealias Code = RawHTTP2.ErrorCode

// Frames of the wrong size, on the wrong stream or with the wrong content. Sections are those of RFC 9113.

extension Offence {
  /// PING and GOAWAY carry eight bytes.
  private static let eightBytes = Raw.word(0) + Raw.word(0)

  static let frames: [Offence] = [
    Offence("4.1: a frame of an unknown type", Raw.frame(.unknown, flags: 255, stream: 3, [1, 2, 3]), .harmless),
    Offence("4.1: unknown flags", Raw.frame(.ping, flags: 0xF6, eightBytes), .harmless),
    Offence("4.1: the reserved bit of a stream", Raw.frame(.ping, stream: 1 << 31, eightBytes), .harmless),
    Offence(
      "4.2: DATA above the largest size",
      Raw.open(1) + Raw.frame(.data, stream: 1, [UInt8](repeating: 0, count: 16385)), .goAway(Code.frameSizeError)),
    Offence(
      "4.2: HEADERS above the largest size",
      Raw.open(1, [("x", String(repeating: "y", count: 16384))]), .goAway(Code.frameSizeError)),
    Offence("6.1: DATA on stream 0", Raw.frame(.data, [1]), .goAway(Code.protocolError)),
    Offence(
      "6.1: padding",
      Raw.open(1) + Raw.frame(.data, flags: Raw.endStream | Raw.padded, stream: 1, [3, 0, 0, 0, 0, 1, 7, 0, 0, 0]),
      .status(.ok)),
    Offence("6.2: HEADERS on stream 0", Raw.frame(.headers, flags: 5, Raw.request()), .goAway(Code.protocolError)),
    Offence(
      "6.2: padding", Raw.frame(.headers, flags: 5 | Raw.padded, stream: 1, [2] + Raw.request() + [0, 0]), .status(.ok)),
    Offence(
      "6.2: padding longer than its HEADERS",
      Raw.frame(.headers, flags: 5 | Raw.padded, stream: 1, [200] + Raw.request()), .goAway(Code.protocolError)),
    Offence(
      "6.2: HEADERS with a priority", Raw.frame(.headers, flags: 0x25, stream: 1, [0, 0, 0, 0, 255] + Raw.request()),
      .status(.ok)),
    Offence(
      "6.3: PRIORITY of a wrong size", Raw.frame(.priority, stream: 1, [0, 0, 0, 0]), .goAway(Code.frameSizeError)),
    Offence("6.3: PRIORITY on stream 0", Raw.frame(.priority, [0, 0, 0, 0, 0]), .goAway(Code.protocolError)),
    Offence("6.3: PRIORITY for a stream that may come", Raw.frame(.priority, stream: 11, [0, 0, 0, 3, 16]), .harmless),
    Offence(
      "6.3: exclusive PRIORITY, then a lower stream",
      Raw.frame(.priority, stream: 5, [128, 0, 0, 3, 16]) + Raw.call(1),
      .status(.ok)),
    Offence(
      "RFC 7540, 5.3.1: HEADERS that depend on themselves",
      Raw.frame(.headers, flags: 0x25, stream: 1, [0, 0, 0, 1, 255] + Raw.request()), .goAway(Code.protocolError)),
    Offence(
      "RFC 7540, 5.3.1: PRIORITY that depends on itself", Raw.frame(.priority, stream: 3, [0, 0, 0, 3, 255]),
      .goAway(Code.protocolError)),
    Offence(
      "6.4: RST_STREAM of a wrong size", Raw.open(1) + Raw.frame(.reset, stream: 1, [0]), .goAway(Code.frameSizeError)),
    Offence("6.4: RST_STREAM on stream 0", Raw.frame(.reset, Raw.word(8)), .goAway(Code.protocolError)),
    Offence("6.7: PING of a wrong size", Raw.frame(.ping, [0]), .goAway(Code.frameSizeError)),
    Offence("6.7: PING on a stream", Raw.frame(.ping, stream: 1, eightBytes), .goAway(Code.protocolError)),
    Offence(
      "6.7: an acknowledgement of a PING that was not sent", Raw.frame(.ping, flags: 1, Raw.word(1) + Raw.word(2)),
      .harmless),
    Offence("6.8: GOAWAY of a wrong size", Raw.frame(.goAway, [0, 0, 0]), .goAway(Code.frameSizeError)),
    Offence("6.8: GOAWAY on a stream", Raw.frame(.goAway, stream: 1, eightBytes), .goAway(Code.protocolError)),
    Offence(
      "7: RST_STREAM with an unknown code", Raw.open(1) + Raw.frame(.reset, stream: 1, Raw.word(0xFF)), .harmless),
    Offence(
      "8.4: PUSH_PROMISE by a client",
      Raw.open(1) + Raw.frame(.pushPromise, flags: 4, stream: 1, Raw.word(2) + Raw.request()),
      .goAway(Code.protocolError)),
  ]

  static let settings: [Offence] = [
    Offence("6.5: SETTINGS of a wrong size", Raw.frame(.settings, [0, 1, 2]), .goAway(Code.frameSizeError)),
    Offence("6.5: SETTINGS on a stream", Raw.frame(.settings, stream: 1), .goAway(Code.protocolError)),
    Offence(
      "6.5: an acknowledgement of SETTINGS with entries", Raw.frame(.settings, flags: 1, Raw.setting(3, 1)),
      .goAway(Code.frameSizeError)),
    Offence("6.5.2: ENABLE_PUSH of 2", Raw.frame(.settings, Raw.setting(2, 2)), .goAway(Code.protocolError)),
    Offence(
      "6.5.2: INITIAL_WINDOW_SIZE of 2^31", Raw.frame(.settings, Raw.setting(4, 1 << 31)),
      .goAway(Code.flowControlError)),
    Offence(
      "6.5.2: MAX_FRAME_SIZE of 16,383", Raw.frame(.settings, Raw.setting(5, 16383)), .goAway(Code.protocolError)),
    Offence(
      "6.5.2: MAX_FRAME_SIZE of 2^24", Raw.frame(.settings, Raw.setting(5, 1 << 24)), .goAway(Code.protocolError)),
    Offence("6.5.2: an unknown setting", Raw.frame(.settings, Raw.setting(99, 1)), .harmless),
    Offence(
      "SETTINGS with too many entries", Raw.frame(.settings, (0..<33).flatMap { _ in Raw.setting(3, 100) }),
      .goAway(Code.enhanceYourCalm)),
  ]

  static let windows: [Offence] = [
    Offence("6.9: WINDOW_UPDATE of a wrong size", Raw.frame(.windowUpdate, [0, 0, 1]), .goAway(Code.frameSizeError)),
    Offence("6.9: a window opened by 0", Raw.frame(.windowUpdate, Raw.word(0)), .goAway(Code.protocolError)),
    Offence(
      "6.9.1: a window above 2^31", Raw.frame(.windowUpdate, Raw.word(0x7FFF_FFFF)), .goAway(Code.flowControlError)),
    Offence(
      "6.9.2: a stream's window above 2^31 by SETTINGS",
      Raw.open(1) + Raw.frame(.windowUpdate, stream: 1, Raw.word(0x7FFF_0000))
        + Raw.frame(.settings, Raw.setting(4, 65_536)),
      .goAway(Code.flowControlError)),
  ]

  static let streamWindows: [Offence] = kinds.flatMap { kind in
    let open = Raw.open(1, kind.fields)
    return [
      Offence(
        "6.9: the window of \(kind.name) opened by 0", open + Raw.frame(.windowUpdate, stream: 1, Raw.word(0)),
        .goAway(Code.protocolError)),
      Offence(
        "6.9.1: the window of \(kind.name) above 2^31",
        open + Raw.frame(.windowUpdate, stream: 1, Raw.word(0x7FFF_FFFF)), .reset(Code.flowControlError)),
    ]
  }

  /// A header block that is not finished.
  private static let begun = Raw.frame(.headers, stream: 1, Raw.request())

  static let continuations: [Offence] = [
    Offence(
      "4.3: a header block interrupted by PING", begun + Raw.frame(.ping, eightBytes), .goAway(Code.protocolError)),
    Offence(
      "4.3: a header block interrupted by PRIORITY", begun + Raw.frame(.priority, stream: 1, [0, 0, 0, 3, 1]),
      .goAway(Code.protocolError)),
    Offence("4.3: a header block interrupted by HEADERS", begun + Raw.open(3), .goAway(Code.protocolError)),
    Offence(
      "4.3: a header block interrupted by DATA", begun + Raw.frame(.data, stream: 1, [0]), .goAway(Code.protocolError)),
    Offence(
      "4.3: a header block interrupted by WINDOW_UPDATE", begun + Raw.frame(.windowUpdate, Raw.word(1)),
      .goAway(Code.protocolError)),
    Offence(
      "5.5: a header block interrupted by an unknown frame", begun + Raw.frame(.unknown), .goAway(Code.protocolError)),
    Offence(
      "6.10: a header block in nine pieces",
      begun + (1...8).flatMap { Raw.frame(.continuation, flags: $0 / 8 * 4, stream: 1) }, .harmless),
    Offence("6.10: CONTINUATION on stream 0", begun + Raw.frame(.continuation, flags: 4), .goAway(Code.protocolError)),
    Offence(
      "6.10: CONTINUATION of another stream", begun + Raw.frame(.continuation, flags: 4, stream: 3),
      .goAway(Code.protocolError)),
    Offence(
      "6.10: CONTINUATION without HEADERS", Raw.frame(.continuation, flags: 4, stream: 1), .goAway(Code.protocolError)),
    Offence(
      "6.10: CONTINUATION after HEADERS with END_HEADERS",
      Raw.open(1) + Raw.frame(.continuation, flags: 4, stream: 1), .goAway(Code.protocolError)),
    Offence(
      "6.10: CONTINUATION after CONTINUATION with END_HEADERS",
      begun + Raw.frame(.continuation, flags: 4, stream: 1) + Raw.frame(.continuation, flags: 4, stream: 1),
      .goAway(Code.protocolError)),
    Offence(
      "6.10: CONTINUATION after DATA",
      Raw.open(1) + Raw.frame(.data, stream: 1) + Raw.frame(.continuation, flags: 4, stream: 1),
      .goAway(Code.protocolError)),
  ]

  /// Returns DATA that ends a stream.
  static func data(_ stream: UInt32, _ bytes: [UInt8]) -> [UInt8] {
    Raw.frame(.data, flags: Raw.endStream, stream: stream, bytes)
  }
}
