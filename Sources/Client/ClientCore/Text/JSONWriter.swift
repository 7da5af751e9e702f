/// Writes JSON (RFC 8259), one value after another, without white space.
///
/// Characters that a terminal could obey (controls, C1 and bidi controls) are written as `\u` escapes, so that JSON
/// shown with `cat` is as harmless as a painted row and nothing is lost. Ill-formed UTF-8 becomes U+FFFD.
struct JSONWriter {
  /// The bytes written so far.
  private(set) var bytes: [UInt8] = []
  /// For each open object or array, true if a comma precedes the next member or element.
  private var needsComma: [Bool] = []
  private var followsKey = false

  init() {}

  private mutating func beginValue() {
    if followsKey {
      followsKey = false
    } else if let last = needsComma.indices.last {
      if needsComma[last] { bytes.append(0x2C) }
      needsComma[last] = true
    }
  }

  /// Writes an object. `body` writes its members, each as a key and a value.
  mutating func object(_ body: (inout JSONWriter) -> Void) { nested("{", "}", body) }

  /// Writes an array. `body` writes its elements.
  mutating func array(_ body: (inout JSONWriter) -> Void) { nested("[", "]", body) }

  private mutating func nested(_ open: Unicode.Scalar, _ close: Unicode.Scalar, _ body: (inout JSONWriter) -> Void) {
    beginValue()
    bytes.append(UInt8(ascii: open))
    needsComma.append(false)
    body(&self)
    needsComma.removeLast()
    bytes.append(UInt8(ascii: close))
  }

  /// Writes the key of the next value. Keys are literals of the client and need no escapes.
  mutating func key(_ key: StaticString) {
    beginValue()
    bytes += Array("\"\(key)\":".utf8)
    followsKey = true
  }

  mutating func string(_ text: some Collection<UInt8>) {
    beginValue()
    bytes.append(0x22)
    HarmlessText.forEachScalar(of: text) { scalar in append(scalar ?? "\u{FFFD}") }
    bytes.append(0x22)
  }

  mutating func string(_ text: String) { string(Array(text.utf8)) }

  mutating func number(_ number: some BinaryInteger) {
    beginValue()
    bytes += Array(String(number).utf8)
  }

  mutating func bool(_ value: Bool) {
    beginValue()
    bytes += Array((value ? "true" : "false").utf8)
  }

  mutating func null() {
    beginValue()
    bytes += Array("null".utf8)
  }

  /// Writes a number that programs must not round, as a string: many readers hold numbers as doubles, which are exact
  /// only up to 2^53.
  mutating func identifier(_ id: UInt64) { string(String(id)) }

  private mutating func append(_ scalar: Unicode.Scalar) {
    switch scalar {
    case "\"": bytes += [0x5C, 0x22]
    case "\\": bytes += [0x5C, 0x5C]
    case "\n": bytes += [0x5C, 0x6E]
    case "\r": bytes += [0x5C, 0x72]
    case "\t": bytes += [0x5C, 0x74]
    case _ where HarmlessText.isHarmful(scalar):
      let digits = String(scalar.value, radix: 16)
      bytes += Array("\\u".utf8) + Array(repeating: 0x30, count: 4 - digits.utf8.count) + Array(digits.utf8)
    default: bytes.append(contentsOf: scalar.utf8)
    }
  }
}
