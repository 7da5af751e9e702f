/// The messages of `grpc.testing.TestService`, as far as the interoperability tests use them.
///
/// They have their own codec instead of the product's: a test peer shares none of the code under test.
enum TestMessages {
  /// The status with which the client wants the call to end.
  struct EchoStatus: Equatable {
    var code = 0
    var message = ""

    init(_ bytes: ArraySlice<UInt8>) {
      for (number, value) in fields(of: bytes) ?? [] {
        if number == 1, case .number(let code) = value { self.code = Int(Int64(bitPattern: code)) }
        if number == 2, case .bytes(let text) = value { message = String(decoding: text, as: UTF8.self) }
      }
    }
  }

  /// `SimpleRequest`.
  struct SimpleRequest {
    /// Requested size of the response's payload in bytes.
    var responseSize = 0
    /// The status to end with; nil for OK.
    var responseStatus: EchoStatus?
    /// True if a compressed response was requested, or the request claims to be compressed.
    var asksForCompression = false

    /// Decodes the message. Returns nil if the bytes are not one.
    init?(decoding bytes: [UInt8]) {
      guard let fields = fields(of: bytes[...]) else { return nil }
      for (number, value) in fields {
        switch (number, value) {
        case (2, .number(let size)): responseSize = Int(Int32(truncatingIfNeeded: size))
        case (6, .bytes(let flag)), (8, .bytes(let flag)): asksForCompression = asksForCompression || isTrue(flag)
        case (7, .bytes(let status)): responseStatus = EchoStatus(status)
        case (2, _), (6, _), (7, _), (8, _): return nil
        default: break
        }
      }
    }
  }

  /// One response requested of a streaming call.
  struct ResponseParameters {
    /// Size of its payload in bytes.
    var size = 0
    /// Microseconds to wait before it.
    var intervalMicroseconds = 0

    init(_ bytes: ArraySlice<UInt8>) {
      for (number, value) in fields(of: bytes) ?? [] {
        if number == 1, case .number(let size) = value { self.size = Int(Int32(truncatingIfNeeded: size)) }
        if number == 2, case .number(let wait) = value { intervalMicroseconds = Int(Int32(truncatingIfNeeded: wait)) }
      }
    }
  }

  /// `StreamingOutputCallRequest`.
  struct StreamingOutputCallRequest {
    /// The responses to send, in order.
    var responses: [ResponseParameters] = []
    /// The status to end with; nil for OK.
    var responseStatus: EchoStatus?

    /// Decodes the message. Returns nil if the bytes are not one.
    init?(decoding bytes: [UInt8]) {
      guard let fields = fields(of: bytes[...]) else { return nil }
      for (number, value) in fields {
        switch (number, value) {
        case (2, .bytes(let parameters)): responses.append(ResponseParameters(parameters))
        case (7, .bytes(let status)): responseStatus = EchoStatus(status)
        case (2, _), (7, _): return nil
        default: break
        }
      }
    }
  }

  /// Returns the payload size of a `StreamingInputCallRequest` in bytes. Returns nil if the bytes are not one.
  static func inputPayloadSize(_ bytes: [UInt8]) -> Int? {
    guard let fields = fields(of: bytes[...]) else { return nil }
    var size = 0
    for case (1, .bytes(let payload)) in fields {
      for case (2, .bytes(let body)) in TestMessages.fields(of: payload) ?? [] { size = body.count }
    }
    return size
  }

  /// Returns the bytes of a `SimpleResponse` or a `StreamingOutputCallResponse`: a payload of `size` zeros, field 1 of
  /// both.
  static func response(payloadSize size: Int) -> [UInt8] {
    let body = size == 0 ? [] : [2 << 3 | 2] + varint(UInt64(size)) + [UInt8](repeating: 0, count: size)
    return [1 << 3 | 2] + varint(UInt64(body.count)) + body
  }

  /// Returns the bytes of a `StreamingInputCallResponse`.
  static func inputResponse(aggregatedPayloadSize size: Int) -> [UInt8] {
    size == 0 ? [] : [1 << 3] + varint(UInt64(Int32(clamping: size)))
  }

  private enum Value {
    case number(UInt64)
    case bytes(ArraySlice<UInt8>)
  }

  /// Returns the fields of a message, without those of types not used here. Returns nil if the bytes are not a message.
  private static func fields(of bytes: ArraySlice<UInt8>) -> [(number: UInt64, value: Value)]? {
    var rest = bytes
    var fields: [(UInt64, Value)] = []
    while !rest.isEmpty {
      guard let tag = readVarint(&rest), tag >> 3 != 0 else { return nil }
      switch tag & 7 {
      case 0:
        guard let number = readVarint(&rest) else { return nil }
        fields.append((tag >> 3, .number(number)))
      case 2:
        guard let length = readVarint(&rest), length <= UInt64(rest.count) else { return nil }
        fields.append((tag >> 3, .bytes(rest.prefix(Int(length)))))
        rest = rest.dropFirst(Int(length))
      case 1, 5:
        let length = tag & 7 == 1 ? 8 : 4
        guard length <= rest.count else { return nil }
        rest = rest.dropFirst(length)
      default: return nil
      }
    }
    return fields
  }

  /// Returns the value of a `BoolValue`.
  private static func isTrue(_ bytes: ArraySlice<UInt8>) -> Bool {
    (fields(of: bytes) ?? []).contains { field in
      if field.number == 1, case .number(let value) = field.value { value != 0 } else { false }
    }
  }

  private static func readVarint(_ bytes: inout ArraySlice<UInt8>) -> UInt64? {
    var value: UInt64 = 0
    for shift in stride(from: UInt64(0), to: 70, by: 7) {
      guard let byte = bytes.popFirst() else { return nil }
      value |= UInt64(byte & 0x7F) << shift
      if byte < 0x80 { return value }
    }
    return nil
  }

  private static func varint(_ value: UInt64) -> [UInt8] {
    var bytes: [UInt8] = []
    var rest = value
    while rest >= 0x80 {
      bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    return bytes + [UInt8(rest)]
  }
}
