internal import CProtobufC

/// Bytes that are not the message they should be.
public struct DecodingFailure: Error, Equatable, Sendable {
  /// What was wrong, for the status message of the call.
  public let reason: String
  /// The field that is wrong, by its path; nil where it is no single one.
  public let field: String?
  /// The limit that it breaks; nil where there is none.
  public let limit: Int?

  /// A failure for `reason`.
  public init(_ reason: String, field: String? = nil, limit: Int? = nil) {
    self.reason = reason
    self.field = field
    self.limit = limit
  }

  /// Bytes that are no message of a type.
  static func noMessage(of type: String) -> DecodingFailure { DecodingFailure(Self.noMessage + type) }

  private static let noMessage = "not a message of type "

  /// The same; where the bytes are no message at all it is said that they are none of `type`. For schema messages that
  /// one Swift type stands for, of which only the method knows which it is.
  public func naming(_ type: String) -> DecodingFailure {
    reason.hasPrefix(Self.noMessage) ? .noMessage(of: type) : self
  }

  /// A failure of one field: `problem` goes on with the sentence that its path begins.
  init(field: String, _ problem: String, limit: Int? = nil) {
    self.init("\(field) \(problem)", field: field, limit: limit)
  }
}

/// A value with a message of the schema.
public protocol WireMessage: Sendable {
  /// Reads a message. No type reachable from a message of this schema is recursive, so depth is bounded by the schema.
  init(decoding bytes: [UInt8]) throws(DecodingFailure)
  /// The message's bytes.
  func encoded() -> [UInt8]
}

/// Unpacks `bytes` with a generated function, lends the structure to `body`, and frees it.
func decode<Message, Value>(
  _ bytes: [UInt8], _ name: StaticString,
  _ unpack: (UnsafeMutablePointer<ProtobufCAllocator>?, Int, UnsafePointer<UInt8>?) -> UnsafeMutablePointer<Message>?,
  _ body: (Message) throws(DecodingFailure) -> Value
) throws(DecodingFailure) -> Value {
  let pointer = unsafe bytes.withUnsafeBufferPointer { buffer in
    unsafe unpack(nil, buffer.count, buffer.baseAddress)
  }
  guard let pointer = unsafe pointer else { throw .noMessage(of: "\(name)") }
  defer {
    let base = unsafe UnsafeMutableRawPointer(pointer).assumingMemoryBound(to: ProtobufCMessage.self)
    unsafe protobuf_c_message_free_unpacked(base, nil)
  }
  return unsafe try body(pointer.pointee)
}

/// The bytes of a C string, which protobuf-c ends at the first NUL.
func bytes(_ string: UnsafeMutablePointer<CChar>?) -> [UInt8] {
  guard let string = unsafe string else { return [] }
  var count = 0
  while unsafe string[count] != 0 { count += 1 }
  return unsafe string.withMemoryRebound(to: UInt8.self, capacity: count) { pointer in
    unsafe Array(UnsafeBufferPointer(start: pointer, count: count))
  }
}

/// A C string as a Swift one; ill-formed UTF-8, which protobuf-c does not look for, is replaced.
func text(_ string: UnsafeMutablePointer<CChar>?) -> String {
  unsafe String(decoding: bytes(string), as: UTF8.self)
}

/// The bytes of a `bytes` field.
func bytes(_ data: ProtobufCBinaryData) -> [UInt8] {
  unsafe Array(UnsafeBufferPointer(start: data.data, count: data.len))
}

/// A repeated scalar field.
func array<Element>(_ pointer: UnsafeMutablePointer<Element>?, _ count: Int) -> [Element] {
  unsafe Array(UnsafeBufferPointer(start: pointer, count: count))
}

/// A repeated message or string field, each element read by `read`.
func array<Message, Value>(
  _ pointer: UnsafeMutablePointer<UnsafeMutablePointer<Message>?>?, _ count: Int,
  _ read: (UnsafeMutablePointer<Message>) throws(DecodingFailure) -> Value
) throws(DecodingFailure) -> [Value] {
  var values: [Value] = []
  values.reserveCapacity(count)
  for index in 0..<count {
    // protobuf-c never leaves a hole in a repeated field.
    values.append(unsafe try read(pointer![index]!))
  }
  return values
}
