import RPC
import Testing

/// A client that writes HTTP/2 frames by hand (RFC 9113 section 4.1), so that it can write wrong ones.
struct RawClient {
  /// Frame types of RFC 9113 section 6.
  enum FrameType: UInt8 {
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
  enum ErrorCode {
    static let none: UInt32 = 0
    static let protocolError: UInt32 = 1
    static let flowControlError: UInt32 = 3
    static let streamClosed: UInt32 = 5
    static let frameSizeError: UInt32 = 6
    static let refusedStream: UInt32 = 7
    static let cancel: UInt32 = 8
    static let compressionError: UInt32 = 9
    static let enhanceYourCalm: UInt32 = 11
  }

  /// One frame that the server sent.
  struct Frame: Equatable {
    var type: UInt8
    var flags: UInt8
    var stream: UInt32
    var payload: [UInt8]
  }

  static let endStream: UInt8 = 1
  static let endHeaders: UInt8 = 4
  static let padded: UInt8 = 8

  let application: Application
  let server: ServerConnection
  var now = Duration.seconds(1)

  /// A connection; of another application than its own, if one is given.
  init(limits: ConnectionLimits = ConnectionLimits(), application shared: Application? = nil) throws {
    application = shared ?? Application()
    server = try #require(ServerConnection(limits: limits, peer: .unknown, handler: application, at: now))
    if shared == nil { application.onCall = echo }
  }

  /// The connection preface (RFC 9113 section 3.4) with empty SETTINGS.
  static var preface: [UInt8] { Array("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".utf8) + frame(.settings) }

  static func frame(_ type: FrameType, flags: UInt8 = 0, stream: UInt32 = 0, _ payload: [UInt8] = []) -> [UInt8] {
    let count = payload.count
    return [UInt8(truncatingIfNeeded: count >> 16), UInt8(truncatingIfNeeded: count >> 8), UInt8(truncatingIfNeeded: count)]
      + [type.rawValue, flags] + (0..<4).map { UInt8(truncatingIfNeeded: stream >> (24 - 8 * $0)) } + payload
  }

  /// A field as HPACK's literal without indexing and without Huffman's code (RFC 7541 section 6.2.2).
  static func field(_ name: String, _ value: String) -> [UInt8] {
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

  /// The header block of a good request, with changes: other values for fields that it has, and more fields.
  static func request(_ changes: [(String, String)] = []) -> [UInt8] {
    var fields = [
      (":method", "POST"), (":scheme", "http"), (":path", "/a.B/C"), ("te", "trailers"), ("content-type", "application/grpc"),
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

  /// HEADERS that open a stream with a good request, or with one that has changes.
  static func open(_ stream: UInt32, _ changes: [(String, String)] = [], endsStream: Bool = false) -> [UInt8] {
    frame(.headers, flags: endHeaders | (endsStream ? endStream : 0), stream: stream, request(changes))
  }

  /// A whole call on a stream: its request is one message of one byte.
  static func call(_ stream: UInt32) -> [UInt8] {
    open(stream) + frame(.data, flags: endStream, stream: stream, [0, 0, 0, 0, 1, 7])
  }

  /// A number of 32 bits as frames have it.
  static func word(_ value: UInt32) -> [UInt8] { (0..<4).map { UInt8(truncatingIfNeeded: value >> (24 - 8 * $0)) } }

  /// One entry of SETTINGS.
  static func setting(_ identifier: UInt8, _ value: UInt32) -> [UInt8] { [0, identifier] + word(value) }

  /// Whether an ordinary call gets its answer now.
  func isServed(stream: UInt32) -> Bool {
    let frames = send(RawClient.call(stream)).filter { $0.stream == stream }
    return frames.of(.data).map(\.payload) == [[0, 0, 0, 0, 1, 7]] && frames.of(.headers).count == 2
  }

  /// Sends bytes, and returns the frames that the server answers with.
  @discardableResult
  func send(_ bytes: [UInt8]) -> [Frame] {
    unsafe server.receive(bytes.span.bytes, at: now)
    return take()
  }

  /// The frames that the server has to send.
  func take() -> [Frame] {
    var bytes: [UInt8] = []
    while server.takeOutput(into: &bytes, limit: 1 << 20) {}
    var rest = bytes[...]
    var frames: [Frame] = []
    while rest.count >= 9 {
      let head = Array(rest.prefix(9))
      let count = Int(head[0]) << 16 | Int(head[1]) << 8 | Int(head[2])
      let stream = head[5...8].reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
      frames.append(Frame(type: head[3], flags: head[4], stream: stream, payload: Array(rest.dropFirst(9).prefix(count))))
      rest = rest.dropFirst(9 + count)
    }
    return frames
  }
}

extension [RawClient.Frame] {
  /// The error codes of the streams that were reset.
  var resets: [UInt32] { filter { $0.type == RawClient.FrameType.reset.rawValue }.map { code($0.payload) } }

  /// The error codes of the GOAWAYs.
  var goAways: [UInt32] { filter { $0.type == RawClient.FrameType.goAway.rawValue }.map { code(Array<UInt8>($0.payload.dropFirst(4))) } }

  /// What the GOAWAYs say beside their codes.
  var reasons: [String] {
    filter { $0.type == RawClient.FrameType.goAway.rawValue }.map { String(decoding: $0.payload.dropFirst(8), as: UTF8.self) }
  }

  /// Frames of one type.
  func of(_ type: RawClient.FrameType) -> [RawClient.Frame] { filter { $0.type == type.rawValue } }

  private func code(_ payload: [UInt8]) -> UInt32 { payload.prefix(4).reduce(0) { $0 << 8 | UInt32($1) } }
}
