/// A JSON value (RFC 8259) with a strict reader, so that the client's writer is not tested by its own code.
enum JSONValue: Equatable {
  case object([(String, JSONValue)])
  case array([JSONValue])
  case string(String)
  case number(Double)
  case bool(Bool)
  case null

  /// Reads all of `text`; nil if it is not exactly one JSON value.
  init?(_ text: some Sequence<UInt8>) {
    var reader = JSONReader(Array(text))
    guard let value = reader.value(), reader.isAtEnd else { return nil }
    self = value
  }

  /// Returns the member of an object.
  subscript(_ key: String) -> JSONValue? {
    guard case .object(let members) = self else { return nil }
    return members.first { $0.0 == key }?.1
  }

  /// The keys of an object, in order.
  var keys: [String] {
    guard case .object(let members) = self else { return [] }
    return members.map(\.0)
  }

  static func == (left: JSONValue, right: JSONValue) -> Bool {
    switch (left, right) {
    case (.object(let mine), .object(let theirs)):
      mine.map(\.0) == theirs.map(\.0) && zip(mine, theirs).allSatisfy { $0.1 == $1.1 }
    case (.array(let mine), .array(let theirs)): mine == theirs
    case (.string(let mine), .string(let theirs)): mine == theirs
    case (.number(let mine), .number(let theirs)): mine == theirs
    case (.bool(let mine), .bool(let theirs)): mine == theirs
    case (.null, .null): true
    default: false
    }
  }
}

private struct JSONReader {
  private let bytes: [UInt8]
  private var index = 0

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  private mutating func skipSpace() {
    while index < bytes.count, [0x20, 0x09, 0x0A, 0x0D].contains(bytes[index]) { index += 1 }
  }

  var isAtEnd: Bool {
    mutating get {
      skipSpace()
      return index == bytes.count
    }
  }

  private mutating func skip(_ literal: String) -> Bool {
    skipSpace()
    guard bytes[index...].starts(with: literal.utf8) else { return false }
    index += literal.utf8.count
    return true
  }

  mutating func value() -> JSONValue? {
    if skip("{") { return object() }
    if skip("[") { return array() }
    if skip("\"") { return string().map { .string($0) } }
    if skip("true") { return .bool(true) }
    if skip("false") { return .bool(false) }
    if skip("null") { return .null }
    let digits = bytes[index...].prefix { Array("+-.eE0123456789".utf8).contains($0) }
    index += digits.count
    return Double(String(decoding: digits, as: UTF8.self)).map { .number($0) }
  }

  private mutating func object() -> JSONValue? {
    var members: [(String, JSONValue)] = []
    if skip("}") { return .object([]) }
    repeat {
      guard skip("\""), let key = string(), skip(":"), let value = value() else { return nil }
      members.append((key, value))
    } while skip(",")
    return skip("}") ? .object(members) : nil
  }

  private mutating func array() -> JSONValue? {
    var elements: [JSONValue] = []
    if skip("]") { return .array([]) }
    repeat {
      guard let value = value() else { return nil }
      elements.append(value)
    } while skip(",")
    return skip("]") ? .array(elements) : nil
  }

  private mutating func string() -> String? {
    var result: [UInt8] = []
    while index < bytes.count {
      let byte = bytes[index]
      index += 1
      switch byte {
      case 0x22: return String(validating: result, as: UTF8.self)
      case 0..<0x20: return nil
      case 0x5C:
        guard let scalar = escape() else { return nil }
        result += Array(String(Character(scalar)).utf8)
      default: result.append(byte)
      }
    }
    return nil
  }

  private mutating func escape() -> Unicode.Scalar? {
    guard index < bytes.count else { return nil }
    let byte = bytes[index]
    index += 1
    switch byte {
    case 0x22, 0x5C, 0x2F: return Unicode.Scalar(byte)
    case 0x6E: return "\n"
    case 0x72: return "\r"
    case 0x74: return "\t"
    case 0x75:
      guard index + 4 <= bytes.count else { return nil }
      let digits = String(decoding: bytes[index..<(index + 4)], as: UTF8.self)
      index += 4
      return UInt32(digits, radix: 16).flatMap(Unicode.Scalar.init)
    default: return nil
    }
  }
}
