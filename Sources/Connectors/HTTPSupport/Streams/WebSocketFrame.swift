/// A frame of WebSocket (RFC 6455, section 5.2), without extensions.
struct WebSocketFrame: Equatable {
  enum Opcode: UInt8 {
    case continuation = 0
    case text = 1
    case binary = 2
    case close = 8
    case ping = 9
    case pong = 10

    var isControl: Bool { rawValue >= 8 }
  }

  var isFinal = true
  var opcode: Opcode
  var payload: [UInt8]

  /// Writes a frame of a client, which is masked (section 5.3).
  func encoded(mask: UInt32) -> [UInt8] {
    let key = stride(from: 24, through: 0, by: -8).map { UInt8(truncatingIfNeeded: mask >> UInt32($0)) }
    var bytes = [(isFinal ? 0x80 : 0) | opcode.rawValue]
    switch payload.count {
    case ...125: bytes.append(0x80 | UInt8(payload.count))
    case ...0xFFFF: bytes += [0x80 | 126, UInt8(payload.count >> 8), UInt8(truncatingIfNeeded: payload.count)]
    default:
      let count = UInt64(payload.count)
      bytes.append(0x80 | 127)
      bytes += stride(from: 56, through: 0, by: -8).map { UInt8(truncatingIfNeeded: count >> UInt64($0)) }
    }
    return bytes + key + zip(payload, 0...).map { $0 ^ key[$1 & 3] }
  }

  /// Reads the frame of a server at the beginning of `bytes`, and removes it from them. Returns nil if it is not whole.
  /// Throws before its payload has arrived if it breaks a rule or is longer than `limit`.
  static func next(in bytes: inout ArraySlice<UInt8>, limit: Int) throws(WebSocketFailure) -> WebSocketFrame? {
    guard bytes.count >= 2 else { return nil }
    let start = bytes.startIndex
    let (first, second) = (bytes[start], bytes[start + 1])
    guard first & 0x70 == 0, let opcode = Opcode(rawValue: first & 0x0F) else { throw .protocolError }
    // Servers do not mask (section 5.1).
    guard second & 0x80 == 0 else { throw .protocolError }
    let isFinal = first & 0x80 != 0
    let short = Int(second)
    guard !opcode.isControl || (isFinal && short <= 125) else { throw .protocolError }
    let extra = short == 126 ? 2 : short == 127 ? 8 : 0
    guard bytes.count >= 2 + extra else { return nil }
    let long = bytes[(start + 2)..<(start + 2 + extra)].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    // The most significant bit is zero.
    guard long >> 63 == 0 else { throw .protocolError }
    guard let count = extra == 0 ? short : Int(exactly: long), count <= limit else { throw .tooLong }
    guard bytes.count >= 2 + extra + count else { return nil }
    let payload = Array(bytes[(start + 2 + extra)..<(start + 2 + extra + count)])
    bytes = bytes[(start + 2 + extra + count)...]
    return WebSocketFrame(isFinal: isFinal, opcode: opcode, payload: payload)
  }
}

/// The reason why a WebSocket connection fails.
public enum WebSocketFailure: Error, Equatable, Sendable {
  /// The server broke a rule of RFC 6455.
  case protocolError
  /// A text is not UTF-8.
  case invalidText
  /// A message is longer than the limit.
  case tooLong
  /// The server answered the handshake with this status in place of 101.
  case refused(status: Int)
  /// The answer to the handshake is not one of WebSocket.
  case invalidHandshake

  /// The status code of the close frame that says so (section 7.4.1); nil while there is no connection to close.
  var closeCode: UInt16? {
    switch self {
    case .protocolError: 1002
    case .invalidText: 1007
    case .tooLong: 1009
    case .refused, .invalidHandshake: nil
    }
  }
}
