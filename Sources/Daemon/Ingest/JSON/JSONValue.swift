internal import CSIMDJSON

/// A value of the document that a ``JSONParser`` parsed last: an index on its tape.
///
/// Valid until the parser parses the next document, so it is passed down in calls and never stored. This makes its
/// pointers safe: every index comes from the tape itself.
@safe package struct JSONValue {
  private let tape: csj_tape
  private let index: Int

  /// Creates the value at an index of a tape.
  @unsafe init(tape: csj_tape, index: Int) {
    unsafe self.tape = tape
    self.index = index
  }

  private var word: UInt64 { unsafe tape.words[index] }
  private var type: UInt8 { UInt8(truncatingIfNeeded: word >> 56) }

  /// True for an object.
  package var isObject: Bool { type == UInt8(ascii: "{") }
  /// True for an array.
  package var isArray: Bool { type == UInt8(ascii: "[") }
  var isNull: Bool { type == UInt8(ascii: "n") }

  /// The field `key` of an object; nil if it is missing or `null`, or if this is not an object. Linear in the fields.
  package subscript(_ key: StaticString) -> JSONValue? {
    let found = unsafe csj_find(tape, index, key.utf8Start, key.utf8CodeUnitCount)
    guard found != 0 else { return nil }
    let value = unsafe JSONValue(tape: tape, index: found)
    return value.isNull ? nil : value
  }

  /// The string; nil for anything else.
  package var bytes: Bytes? {
    guard type == UInt8(ascii: "\"") else { return nil }
    let start = unsafe tape.strings + Int(word & 0xFF_FFFF_FFFF_FFFF)
    let length = unsafe UnsafeRawPointer(start).loadUnaligned(as: UInt32.self)
    return unsafe Bytes(base: start + 4, count: Int(length))
  }

  /// The string as a Swift string; nil for anything else.
  package var string: String? { bytes?.string }

  /// `true` or `false`, also as a string; nil for anything else.
  package var bool: Bool? {
    switch type {
    case UInt8(ascii: "t"): return true
    case UInt8(ascii: "f"): return false
    default:
      guard let bytes else { return nil }
      return bytes == "true" ? true : bytes == "false" ? false : nil
    }
  }

  /// A whole number, also as a string of decimal digits (Twitter's archive writes all numbers like this); nil for
  /// anything else.
  package var integer: Int? {
    switch type {
    case UInt8(ascii: "l"): return unsafe Int(Int64(bitPattern: tape.words[index + 1]))
    case UInt8(ascii: "u"): return unsafe Int(exactly: tape.words[index + 1])
    default:
      guard let bytes else { return nil }
      return Self.integer(of: bytes)
    }
  }

  /// An ID: a string unchanged, or a whole number in decimal (even above 2^63); nil for anything else.
  package var id: String? {
    switch type {
    case UInt8(ascii: "u"): return unsafe String(tape.words[index + 1])
    case UInt8(ascii: "\""): return string
    default: return integer.map { String($0) }
    }
  }

  private static func integer(of bytes: Bytes) -> Int? {
    let negative = bytes.first == UInt8(ascii: "-")
    var value = 0
    let digits = bytes.dropFirst(negative ? 1 : 0)
    guard !digits.isEmpty, digits.count <= 18 else { return nil }
    for byte in digits {
      guard byte >= 0x30, byte <= 0x39 else { return nil }
      value = value * 10 + Int(byte - 0x30)
    }
    return negative ? -value : value
  }

  /// The elements of an array; empty for anything else.
  package var elements: Elements {
    guard isArray else { return unsafe Elements(tape: tape, next: 0, end: 0) }
    return unsafe Elements(tape: tape, next: index + 1, end: Int(UInt32(truncatingIfNeeded: word)) - 1)
  }

  /// The fields of an object, in the order of the document; empty for anything else.
  package var fields: Fields {
    guard isObject else { return unsafe Fields(tape: tape, next: 0, end: 0) }
    return unsafe Fields(tape: tape, next: index + 1, end: Int(UInt32(truncatingIfNeeded: word)) - 1)
  }

  /// Returns the index after the value at `index`: containers contain theirs, numbers take two words, all others one.
  @unsafe fileprivate static func index(after index: Int, on tape: csj_tape) -> Int {
    let word = unsafe tape.words[index]
    switch UInt8(truncatingIfNeeded: word >> 56) {
    case UInt8(ascii: "{"), UInt8(ascii: "["): return Int(UInt32(truncatingIfNeeded: word))
    case UInt8(ascii: "l"), UInt8(ascii: "u"), UInt8(ascii: "d"): return index + 2
    default: return index + 1
    }
  }

  /// Iterates over an array.
  @safe package struct Elements: Sequence, IteratorProtocol {
    /// An empty sequence.
    package static var none: Elements { unsafe Elements(tape: csj_tape(), next: 0, end: 0) }

    private let tape: csj_tape
    private var index: Int
    private let end: Int

    @unsafe fileprivate init(tape: csj_tape, next: Int, end: Int) {
      unsafe self.tape = tape
      self.index = next
      self.end = end
    }

    package mutating func next() -> JSONValue? {
      guard index < end else { return nil }
      defer { unsafe index = JSONValue.index(after: index, on: tape) }
      return unsafe JSONValue(tape: tape, index: index)
    }
  }

  /// Iterates over an object.
  @safe package struct Fields: Sequence, IteratorProtocol {
    /// An empty sequence.
    package static var none: Fields { unsafe Fields(tape: csj_tape(), next: 0, end: 0) }

    private let tape: csj_tape
    private var index: Int
    private let end: Int

    @unsafe fileprivate init(tape: csj_tape, next: Int, end: Int) {
      unsafe self.tape = tape
      self.index = next
      self.end = end
    }

    package mutating func next() -> (key: Bytes, value: JSONValue)? {
      guard index < end, let key = unsafe JSONValue(tape: tape, index: index).bytes else { return nil }
      let value = unsafe JSONValue(tape: tape, index: index + 1)
      unsafe index = JSONValue.index(after: index + 1, on: tape)
      return (key, value)
    }
  }
}
