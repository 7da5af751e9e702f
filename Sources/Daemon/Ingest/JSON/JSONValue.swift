internal import CSIMDJSON

/// A value of the document a ``JSONParser`` read last: a place on its tape.
///
/// Valid until the parser reads the next document, so it is handed down in calls and never stored. That is what makes
/// the pointers in it safe: every index comes from the tape itself.
@safe struct JSONValue {
  private let tape: csj_tape
  private let index: Int

  /// The value at a place of a tape.
  @unsafe init(tape: csj_tape, index: Int) {
    unsafe self.tape = tape
    self.index = index
  }

  private var word: UInt64 { unsafe tape.words[index] }
  private var type: UInt8 { UInt8(truncatingIfNeeded: word >> 56) }

  var isObject: Bool { type == UInt8(ascii: "{") }
  var isArray: Bool { type == UInt8(ascii: "[") }
  var isNull: Bool { type == UInt8(ascii: "n") }

  /// The field `key` of an object; nil if there is none, if it is `null`, or if this is no object. Linear in the
  /// fields.
  subscript(_ key: StaticString) -> JSONValue? {
    let found = unsafe csj_find(tape, index, key.utf8Start, key.utf8CodeUnitCount)
    guard found != 0 else { return nil }
    let value = unsafe JSONValue(tape: tape, index: found)
    return value.isNull ? nil : value
  }

  /// The string; nil for anything else.
  var bytes: Bytes? {
    guard type == UInt8(ascii: "\"") else { return nil }
    let start = unsafe tape.strings + Int(word & 0xFF_FFFF_FFFF_FFFF)
    let length = unsafe UnsafeRawPointer(start).loadUnaligned(as: UInt32.self)
    return unsafe Bytes(base: start + 4, count: Int(length))
  }

  /// The string as a Swift string; nil for anything else.
  var string: String? { bytes?.string }

  /// `true`, `false`, or the strings of these; nil for anything else.
  var bool: Bool? {
    switch type {
    case UInt8(ascii: "t"): return true
    case UInt8(ascii: "f"): return false
    default:
      guard let bytes else { return nil }
      return bytes == "true" ? true : bytes == "false" ? false : nil
    }
  }

  /// A whole number, or a string of decimal digits (Twitter's archive writes every number so); nil for anything else.
  var integer: Int? {
    switch type {
    case UInt8(ascii: "l"): return unsafe Int(Int64(bitPattern: tape.words[index + 1]))
    case UInt8(ascii: "u"): return unsafe Int(exactly: tape.words[index + 1])
    default:
      guard let bytes else { return nil }
      return Self.integer(of: bytes)
    }
  }

  /// An id: a string as it is, a whole number in decimal (also above 2^63); nil for anything else.
  var id: String? {
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

  /// The elements of an array; none for anything else.
  var elements: Elements {
    guard isArray else { return unsafe Elements(tape: tape, next: 0, end: 0) }
    return unsafe Elements(tape: tape, next: index + 1, end: Int(UInt32(truncatingIfNeeded: word)) - 1)
  }

  /// The fields of an object, in the order of the document; none for anything else.
  var fields: Fields {
    guard isObject else { return unsafe Fields(tape: tape, next: 0, end: 0) }
    return unsafe Fields(tape: tape, next: index + 1, end: Int(UInt32(truncatingIfNeeded: word)) - 1)
  }

  /// The index after the value at `index`: containers carry theirs, numbers take two words, everything else one.
  @unsafe fileprivate static func index(after index: Int, on tape: csj_tape) -> Int {
    let word = unsafe tape.words[index]
    switch UInt8(truncatingIfNeeded: word >> 56) {
    case UInt8(ascii: "{"), UInt8(ascii: "["): return Int(UInt32(truncatingIfNeeded: word))
    case UInt8(ascii: "l"), UInt8(ascii: "u"), UInt8(ascii: "d"): return index + 2
    default: return index + 1
    }
  }

  /// Walks an array.
  @safe struct Elements: Sequence, IteratorProtocol {
    /// The elements of no array.
    static var none: Elements { unsafe Elements(tape: csj_tape(), next: 0, end: 0) }

    private let tape: csj_tape
    private var index: Int
    private let end: Int

    @unsafe fileprivate init(tape: csj_tape, next: Int, end: Int) {
      unsafe self.tape = tape
      self.index = next
      self.end = end
    }

    mutating func next() -> JSONValue? {
      guard index < end else { return nil }
      defer { unsafe index = JSONValue.index(after: index, on: tape) }
      return unsafe JSONValue(tape: tape, index: index)
    }
  }

  /// Walks an object.
  @safe struct Fields: Sequence, IteratorProtocol {
    private let tape: csj_tape
    private var index: Int
    private let end: Int

    @unsafe fileprivate init(tape: csj_tape, next: Int, end: Int) {
      unsafe self.tape = tape
      self.index = next
      self.end = end
    }

    mutating func next() -> (key: Bytes, value: JSONValue)? {
      guard index < end, let key = unsafe JSONValue(tape: tape, index: index).bytes else { return nil }
      let value = unsafe JSONValue(tape: tape, index: index + 1)
      unsafe index = JSONValue.index(after: index + 1, on: tape)
      return (key, value)
    }
  }
}
