package import Dates
package import Posts

/// Writes JSON into bytes and takes care of commas.
package struct JSONLinesWriter {
  package var bytes: [UInt8] = []
  /// True if the next field or element needs a comma before it.
  private var needsComma = false

  package init() {}

  /// Returns an object whose fields are written by `fields`.
  package static func object(_ fields: (inout JSONLinesWriter) -> Void) -> [UInt8] {
    var writer = JSONLinesWriter()
    writer.object(fields)
    return writer.bytes
  }

  /// Writes an object whose fields are written by `fields`.
  package mutating func object(_ fields: (inout JSONLinesWriter) -> Void) {
    bytes.append(UInt8(ascii: "{"))
    needsComma = false
    fields(&self)
    bytes.append(UInt8(ascii: "}"))
  }

  /// Writes a field with an object whose fields are written by `fields`.
  package mutating func object(_ key: StaticString, _ fields: (inout JSONLinesWriter) -> Void) {
    field(key) { $0.object(fields) }
  }

  /// Writes a field whose value is written by `value`.
  package mutating func field(_ key: StaticString, _ value: (inout JSONLinesWriter) -> Void) {
    if needsComma { bytes.append(UInt8(ascii: ",")) }
    bytes.append(UInt8(ascii: "\""))
    for index in 0..<key.utf8CodeUnitCount { unsafe bytes.append(key.utf8Start[index]) }
    bytes.append(UInt8(ascii: "\""))
    bytes.append(UInt8(ascii: ":"))
    value(&self)
    needsComma = true
  }

  /// Writes a field whose name is only known at run time.
  package mutating func field(_ key: [UInt8], _ value: (inout JSONLinesWriter) -> Void) {
    if needsComma { bytes.append(UInt8(ascii: ",")) }
    string(key)
    bytes.append(UInt8(ascii: ":"))
    value(&self)
    needsComma = true
  }

  /// Writes a string field.
  package mutating func field(_ key: StaticString, _ text: String) { field(key) { $0.string(Array(text.utf8)) } }

  /// Writes a string field unless it is empty.
  package mutating func text(_ key: StaticString, _ text: SafeText) {
    if !text.isEmpty { field(key) { $0.string(text.utf8) } }
  }

  /// Writes a field with a whole number.
  package mutating func number(_ key: StaticString, _ number: Int) {
    field(key) { $0.bytes += Array(String(number).utf8) }
  }

  /// Writes a field with true or false.
  package mutating func flag(_ key: StaticString, _ flag: Bool) { field(key) { $0.bytes += Array("\(flag)".utf8) } }

  /// Writes a field with a list whose elements are written by `write`.
  package mutating func list<Element>(
    _ key: StaticString, _ elements: [Element], _ write: (inout JSONLinesWriter, Element) -> Void
  ) {
    field(key) { writer in
      writer.bytes.append(UInt8(ascii: "["))
      for (index, element) in elements.enumerated() {
        if index > 0 { writer.bytes.append(UInt8(ascii: ",")) }
        write(&writer, element)
      }
      writer.bytes.append(UInt8(ascii: "]"))
    }
  }

  /// Writes a string of well-formed UTF-8, with only quotes, backslashes and control characters escaped.
  package mutating func string(_ text: [UInt8]) {
    bytes.append(UInt8(ascii: "\""))
    for byte in text {
      switch byte {
      case UInt8(ascii: "\""), UInt8(ascii: "\\"):
        bytes.append(UInt8(ascii: "\\"))
        bytes.append(byte)
      case 0x0A:
        bytes += [UInt8(ascii: "\\"), UInt8(ascii: "n")]
      case 0..<0x20:
        bytes += Array("\\u00".utf8)
        bytes.append(byte < 0x10 ? 0x30 : 0x31)
        bytes.append(byte & 15 < 10 ? 0x30 + byte & 15 : 0x61 + byte & 15 - 10)
      default:
        bytes.append(byte)
      }
    }
    bytes.append(UInt8(ascii: "\""))
  }

  /// Writes an instant: ISO 8601 in the years 0 to 9999, otherwise its milliseconds since 1970.
  package mutating func instant(_ instant: Instant) {
    var text: [UInt8] = []
    instant.appendISO8601(to: &text)
    if Instant(iso8601: text) == instant { string(text) } else { bytes += Array(String(instant.milliseconds).utf8) }
  }
}
