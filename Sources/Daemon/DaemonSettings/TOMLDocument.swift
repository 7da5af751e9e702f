internal import CTOML

/// A value of a TOML document, or an element of an array.
struct TOMLValue: Equatable, Sendable {
  enum Kind: Equatable, Sendable {
    case string, integer, float, boolean
    /// A date, an empty table or array, or an array or table within an array.
    case other
  }

  /// The keys of the tables that it is in, and its own. An element of an array has the keys of the array.
  let keys: [String]
  let isElement: Bool
  let kind: Kind
  /// A string's content, or a number or a truth value as TOML writes it.
  let text: String
  /// The position in the document, both counted from 1.
  let line: Int
  let column: Int
}

/// The first mistake in a TOML document.
struct TOMLError: Error, Equatable {
  /// A sentence without a full stop.
  let message: String
  let line: Int
  let column: Int
}

/// A TOML 1.0 document, read by toml++.
struct TOMLDocument {
  /// All values, in the order of the document.
  private(set) var values: [TOMLValue] = []

  init(_ bytes: [UInt8]) throws(TOMLError) {
    var error = ctoml_error()
    let isRead = unsafe withUnsafeMutablePointer(to: &self) { document in
      unsafe bytes.withUnsafeBufferPointer { bytes in
        unsafe bytes.withMemoryRebound(to: CChar.self) { bytes in
          unsafe ctoml_read(
            bytes.baseAddress, bytes.count, document,
            { unsafe $0!.assumingMemoryBound(to: TOMLDocument.self).pointee.values.append(TOMLValue($1!.pointee)) },
            &error)
        }
      }
    }
    guard isRead else {
      let message = unsafe withUnsafeBytes(of: &error.message) {
        unsafe String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
      }
      throw TOMLError(message: message, line: Int(error.line), column: Int(error.column))
    }
  }
}

extension TOMLValue {
  fileprivate init(_ value: ctoml_value) {
    let all = unsafe UnsafeBufferPointer(start: value.keys, count: value.key_count)
    keys = unsafe all.map { unsafe String($0) }
    isElement = unsafe value.is_element
    kind =
      switch unsafe value.kind {
      case CTOML_STRING: .string
      case CTOML_INTEGER: .integer
      case CTOML_FLOAT: .float
      case CTOML_BOOLEAN: .boolean
      default: .other
      }
    text = unsafe String(value.text)
    line = unsafe Int(value.line)
    column = unsafe Int(value.column)
  }
}

extension String {
  fileprivate init(_ text: ctoml_text) {
    self = unsafe String(
      decoding: UnsafeRawBufferPointer(start: text.bytes, count: text.size), as: UTF8.self)
  }
}
