/// HTTP/2 frames written by hand (RFC 9113 section 4.1), including invalid ones.
public enum RawHTTP2 {
  /// Frame types of RFC 9113 section 6.
  public enum FrameType: UInt8 {
    case data = 0
    case headers = 1
    case priority = 2
    case reset = 3
    case settings = 4
    case pushPromise = 5
    case ping = 6
    case goAway = 7
    case windowUpdate = 8
    case continuation = 9
    /// A type that RFC 9113 leaves to extensions.
    case unknown = 200
  }

  /// Error codes of RFC 9113 section 7.
  public enum ErrorCode {
    public static let none: UInt32 = 0
    public static let protocolError: UInt32 = 1
    public static let flowControlError: UInt32 = 3
    public static let streamClosed: UInt32 = 5
    public static let frameSizeError: UInt32 = 6
    public static let refusedStream: UInt32 = 7
    public static let cancel: UInt32 = 8
    public static let compressionError: UInt32 = 9
    public static let enhanceYourCalm: UInt32 = 11
  }

  /// A parsed frame.
  public struct Frame: Equatable, Sendable {
    public var type: UInt8
    public var flags: UInt8
    public var stream: UInt32
    public var payload: [UInt8]
  }

  /// END_STREAM of DATA and HEADERS.
  public static let endStream: UInt8 = 1
  /// END_HEADERS of HEADERS and CONTINUATION.
  public static let endHeaders: UInt8 = 4
  /// PADDED of DATA and HEADERS.
  public static let padded: UInt8 = 8

  /// The connection preface (RFC 9113 section 3.4) with empty SETTINGS.
  public static var preface: [UInt8] { Array("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".utf8) + frame(.settings) }

  /// Returns a frame.
  public static func frame(_ type: FrameType, flags: UInt8 = 0, stream: UInt32 = 0, _ payload: [UInt8] = []) -> [UInt8]
  {
    let count = payload.count
    return [
      UInt8(truncatingIfNeeded: count >> 16), UInt8(truncatingIfNeeded: count >> 8), UInt8(truncatingIfNeeded: count),
    ]
      + [type.rawValue, flags] + (0..<4).map { UInt8(truncatingIfNeeded: stream >> (24 - 8 * $0)) } + payload
  }

  /// Returns a field as an HPACK literal without indexing or Huffman code (RFC 7541 section 6.2.2).
  public static func field(_ name: String, _ value: String) -> [UInt8] {
    [0] + text(name) + text(value)
  }

  private static func text(_ text: String) -> [UInt8] {
    var count = text.utf8.count
    guard count >= 127 else { return [UInt8(count)] + text.utf8 }
    var bytes: [UInt8] = [127]
    count -= 127
    while count >= 128 {
      bytes.append(UInt8(count & 127) | 128)
      count >>= 7
    }
    return bytes + [UInt8(count)] + text.utf8
  }

  /// Returns the header block of a valid request, with changes: other values for its fields, and more fields.
  public static func request(_ changes: [(String, String)] = []) -> [UInt8] {
    var fields = [
      (":method", "POST"), (":scheme", "http"), (":path", "/a.B/C"), ("te", "trailers"),
      ("content-type", "application/grpc"),
    ]
    for change in changes {
      if let index = fields.firstIndex(where: { $0.0 == change.0 }) {
        fields[index] = change
      } else if change.0.hasPrefix(":") {
        fields.insert(change, at: 0)
      } else {
        fields.append(change)
      }
    }
    return fields.flatMap { field($0.0, $0.1) }
  }

  /// Returns HEADERS that open a stream with a valid request and optional changes.
  public static func open(_ stream: UInt32, _ changes: [(String, String)] = [], endsStream: Bool = false) -> [UInt8] {
    frame(.headers, flags: endHeaders | (endsStream ? endStream : 0), stream: stream, request(changes))
  }

  /// Returns a complete call on a stream, with one message of one byte as its request.
  public static func call(_ stream: UInt32) -> [UInt8] {
    open(stream) + frame(.data, flags: endStream, stream: stream, [0, 0, 0, 0, 1, 7])
  }

  /// Returns a 32-bit number as encoded in frames.
  public static func word(_ value: UInt32) -> [UInt8] {
    (0..<4).map { UInt8(truncatingIfNeeded: value >> (24 - 8 * $0)) }
  }

  /// Returns an entry of SETTINGS.
  public static func setting(_ identifier: UInt8, _ value: UInt32) -> [UInt8] { [0, identifier] + word(value) }

  /// Returns the complete frames at the start of some bytes.
  public static func frames(in bytes: [UInt8]) -> [Frame] {
    var rest = bytes[...]
    var frames: [Frame] = []
    while rest.count >= 9 {
      let head = Array(rest.prefix(9))
      let count = Int(head[0]) << 16 | Int(head[1]) << 8 | Int(head[2])
      guard rest.count >= 9 + count else { break }
      let stream = head[5...8].reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
      frames.append(
        Frame(type: head[3], flags: head[4], stream: stream, payload: Array(rest.dropFirst(9).prefix(count))))
      rest = rest.dropFirst(9 + count)
    }
    return frames
  }
}

extension [RawHTTP2.Frame] {
  /// The error codes of the streams that were reset.
  public var resets: [UInt32] { filter { $0.type == RawHTTP2.FrameType.reset.rawValue }.map { code($0.payload) } }

  /// The error codes of the GOAWAYs.
  public var goAways: [UInt32] {
    filter { $0.type == RawHTTP2.FrameType.goAway.rawValue }.map { code(Array<UInt8>($0.payload.dropFirst(4))) }
  }

  /// The debug data of the GOAWAYs.
  public var reasons: [String] {
    filter { $0.type == RawHTTP2.FrameType.goAway.rawValue }.map {
      String(decoding: $0.payload.dropFirst(8), as: UTF8.self)
    }
  }

  /// Returns the frames of one type.
  public func of(_ type: RawHTTP2.FrameType) -> [RawHTTP2.Frame] { filter { $0.type == type.rawValue } }

  private func code(_ payload: [UInt8]) -> UInt32 { payload.prefix(4).reduce(0) { $0 << 8 | UInt32($1) } }
}
