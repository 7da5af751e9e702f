/// A value with a message of the schema.
public protocol WireMessage: Sendable {
  /// Reads a message. No type reachable from a message of this schema is recursive, so depth is bounded by the schema.
  init(decoding bytes: [UInt8]) throws(DecodingFailure)
  /// The message's bytes.
  func encoded() -> [UInt8]
}

/// A message that says once what its fields are; writing it and reading it both follow from that.
///
/// A declaration walks through the fields in the order of their numbers. Numbers and types are the schema's
/// (`Proto/`), and a test holds every declaration to it.
protocol DeclaredMessage: WireMessage {
  /// The schema's messages that it stands for, which have the same fields; the first is the one that it is read by.
  static var schema: MessageSchema { get }
  /// An empty message.
  init()
  /// Names each field to `fields`: writes the message where those write, and fills it where they read.
  mutating func walk(_ fields: inout WireFields) throws(DecodingFailure)
  /// The message's bytes where they are known already; empty otherwise.
  var encodedBefore: [UInt8] { get }
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
    guard let read else { throw .noMessage(of: Self.schema.shortName) }
    self = read
  }

  public func encoded() -> [UInt8] {
    let before = encodedBefore
    return before.isEmpty ? encodedByDeclaration() : before
  }

  /// The message's bytes, by what it declares alone.
  func encodedByDeclaration() -> [UInt8] {
    Self.schema.layout.pack { WireFields.fill($0, with: self) }
  }

  var encodedBefore: [UInt8] { [] }
}

/// Which messages of the schema a Swift type stands for.
struct MessageSchema: Sendable {
  /// Their full names.
  let names: [String]
  /// How the first is laid out in memory.
  let layout: MessageLayout

  /// The messages of these names in `stack.v1`.
  init(_ names: String...) { self.init(fullNames: names.map { "stack.v1.\($0)" }) }

  /// Messages by their full names.
  init(fullNames names: [String], in layouts: MessageLayouts = Schema.current.layouts) {
    guard let first = names.first, let layout = layouts[first] else {
      preconditionFailure("the schema has no message \(names)")
    }
    self.names = names
    self.layout = layout
  }

  /// The first name without its package.
  var shortName: String { names[0].split(separator: ".").last.map(String.init) ?? names[0] }
}
