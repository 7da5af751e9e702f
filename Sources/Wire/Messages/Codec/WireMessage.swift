/// A value that corresponds to a message of the schema.
public protocol WireMessage: Sendable {
  /// Decodes a message. No type reachable from a message of this schema is recursive, so the schema bounds the depth.
  init(decoding bytes: [UInt8]) throws(DecodingFailure)
  /// Returns the message's bytes.
  func encoded() -> [UInt8]
}

/// A message that declares its fields once, for both writing and reading.
///
/// A declaration walks through the fields in the order of their numbers. Numbers and types are the schema's (`Proto/`),
/// and a test checks every declaration against it.
protocol DeclaredMessage: WireMessage {
  /// The schema's messages that it represents, which have the same fields; the first is the one it is decoded as.
  static var schema: MessageSchema { get }
  /// An empty message.
  init()
  /// Declares each field to `fields`: writes the message if those write, and fills it if they read.
  mutating func walk(_ fields: inout WireFields) throws(DecodingFailure)
  /// The message's bytes if they are already known; empty otherwise.
  var cachedEncoding: [UInt8] { get }
}

extension DeclaredMessage {
  public init(decoding bytes: [UInt8]) throws(DecodingFailure) {
    self.init()
    let layout = Self.schema.layout
    let read = try layout.unpack(bytes) { message throws(DecodingFailure) in
      var read = Self()
      var fields = WireFields(reading: message)
      try read.walk(&fields)
      return read
    }
    guard let read else { throw .invalidMessage(ofType: Self.schema.shortName) }
    self = read
  }

  public func encoded() -> [UInt8] {
    let cached = cachedEncoding
    return cached.isEmpty ? encodedByDeclaration() : cached
  }

  /// Returns the message's bytes by its declaration alone.
  func encodedByDeclaration() -> [UInt8] {
    Self.schema.layout.pack { WireFields.fill($0, with: self) }
  }

  var cachedEncoding: [UInt8] { [] }
}

/// The messages of the schema that a Swift type represents.
struct MessageSchema: Sendable {
  /// Their full names.
  let names: [String]
  /// The layout of the first in memory.
  let layout: MessageLayout

  /// The messages with these names in `stack.v1`.
  init(_ names: String...) { self.init(fullNames: names.map { "stack.v1.\($0)" }) }

  /// The messages with these full names.
  init(fullNames names: [String]) {
    guard let first = names.first, let layout = ProtoSchema.current.layouts[first] else {
      preconditionFailure("the schema has no message \(names)")
    }
    self.names = names
    self.layout = layout
  }

  /// The first name without its package.
  var shortName: String { names[0].split(separator: ".").last.map(String.init) ?? names[0] }
}
