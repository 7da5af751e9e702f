/// The client's end of a WebSocket connection (RFC 6455) as a state machine: bytes in, messages and bytes to send out.
///
/// No extensions. Pings are answered. Whoever owns the connection sends `takeOutput()` after each call, and closes the
/// connection after `closed` or `failed`.
public struct WebSocketClient {
  /// What arrived.
  public enum Event: Equatable, Sendable {
    case opened
    case text(String)
    case binary([UInt8])
    case pong([UInt8])
    /// The server closed the connection; the code is nil if it gave none.
    case closed(code: UInt16?, reason: String)
    case failed(WebSocketFailure)
  }

  private enum State { case opening, open, finished }

  /// Pings are not answered while more bytes than this wait to be sent: a pong for the latest would do (section 5.5.3).
  private static let pongBacklog = 16 << 10

  /// The most bytes of a message, in all its fragments.
  public let byteLimit: Int
  private var handshake: WebSocketHandshake
  private var state = State.opening
  private var input: ArraySlice<UInt8> = []
  private var output: [UInt8] = []
  /// The fragments of a message that is not whole, and whether it is a text.
  private var message: (isText: Bool, bytes: [UInt8])?

  /// Begins a connection to `host`, with its port, for `target`, a path with its query.
  public init(
    host: String, target: String, protocols: [String] = [], fields: [(name: String, value: String)] = [],
    byteLimit: Int = 1 << 20, using generator: inout some RandomNumberGenerator
  ) {
    let nonce = (0..<16).map { _ in UInt8.random(in: 0...255, using: &generator) }
    handshake = WebSocketHandshake(host: host, target: target, nonce: nonce, protocols: protocols, fields: fields)
    self.byteLimit = byteLimit
    output = handshake.request
  }

  /// Returns the bytes to send, and forgets them.
  public mutating func takeOutput() -> [UInt8] {
    defer { output = [] }
    return output
  }

  // MARK: - Receiving

  /// Reads bytes of the server. Events come in order; after `closed` or `failed` there are none. O(bytes).
  public mutating func receive(
    _ bytes: some Sequence<UInt8>, using generator: inout some RandomNumberGenerator
  ) -> [Event] {
    guard state != .finished else { return [] }
    input += bytes
    var events: [Event] = []
    do throws(WebSocketFailure) {
      if state == .opening {
        guard try handshake.accepts(&input) else { return [] }
        state = .open
        events.append(.opened)
      }
      while state != .finished, let frame = try WebSocketFrame.next(in: &input, limit: byteLimit) {
        if let event = try handle(frame, using: &generator) { events.append(event) }
      }
    } catch {
      fail(error, using: &generator)
      events.append(.failed(error))
    }
    // What was read is given back.
    if input.startIndex > 0 { input = ArraySlice(Array(input)) }
    return events
  }

  private mutating func handle(
    _ frame: WebSocketFrame, using generator: inout some RandomNumberGenerator
  ) throws(WebSocketFailure) -> Event? {
    switch frame.opcode {
    case .ping:
      if state == .open, output.count <= Self.pongBacklog {
        send(WebSocketFrame(opcode: .pong, payload: frame.payload), using: &generator)
      }
      return nil
    case .pong: return .pong(frame.payload)
    case .close: return try handleClose(frame.payload, using: &generator)
    case .text, .binary:
      guard message == nil else { throw .protocolError }
      message = (frame.opcode == .text, frame.payload)
    case .continuation:
      guard let count = message?.bytes.count else { throw .protocolError }
      guard count + frame.payload.count <= byteLimit else { throw .tooLong }
      message?.bytes += frame.payload
    }
    guard frame.isFinal, let whole = message else { return nil }
    message = nil
    guard whole.isText else { return .binary(whole.bytes) }
    guard let text = String(validating: whole.bytes, as: UTF8.self) else { throw .invalidText }
    return .text(text)
  }

  /// Answers a close frame with its code (section 5.5.1).
  private mutating func handleClose(
    _ payload: [UInt8], using generator: inout some RandomNumberGenerator
  ) throws(WebSocketFailure) -> Event {
    guard payload.count != 1 else { throw .protocolError }
    let code = payload.isEmpty ? nil : UInt16(payload[0]) << 8 | UInt16(payload[1])
    if let code, !Self.isValid(closeCode: code) { throw .protocolError }
    guard let reason = String(validating: payload.dropFirst(2), as: UTF8.self) else { throw .invalidText }
    if state == .open { send(WebSocketFrame(opcode: .close, payload: Array(payload.prefix(2))), using: &generator) }
    state = .finished
    return .closed(code: code, reason: reason)
  }

  /// Section 7.4: codes that a close frame may carry.
  private static func isValid(closeCode code: UInt16) -> Bool {
    switch code {
    case 1000...1003, 1007...1014, 3000...4999: true
    default: false
    }
  }

  private mutating func fail(_ failure: WebSocketFailure, using generator: inout some RandomNumberGenerator) {
    if let code = failure.closeCode, state == .open {
      send(WebSocketFrame(opcode: .close, payload: [UInt8(code >> 8), UInt8(code & 0xFF)]), using: &generator)
    }
    state = .finished
  }

  // MARK: - Sending

  /// Sends a ping. Ignored unless the connection is open.
  public mutating func ping(using generator: inout some RandomNumberGenerator) {
    guard state == .open else { return }
    send(WebSocketFrame(opcode: .ping, payload: []), using: &generator)
  }

  private mutating func send(_ frame: WebSocketFrame, using generator: inout some RandomNumberGenerator) {
    output += frame.encoded(mask: UInt32.random(in: .min ... .max, using: &generator))
  }
}
