internal import CSIMDJSON

/// Reads one JSON document after the other into the same buffers.
///
/// Memory: about 14 times the largest document of up to 256 KiB it has seen; the buffers of a larger one are given
/// back.
@safe final class JSONParser {
  /// Why a document was not read.
  enum Failure: Error {
    /// Not JSON.
    case malformed
    /// No memory for it.
    case noMemory
  }

  /// Owned; freed in `deinit`.
  private let parser: OpaquePointer

  init() {
    guard let parser = unsafe csj_parser_create() else { fatalError("out of memory") }
    unsafe self.parser = parser
  }

  deinit { unsafe csj_parser_destroy(parser) }

  /// Parses `document` and calls `body` with its value, which is valid during that call only, and its text.
  ///
  /// Text a strict parser refuses (a lone surrogate, raw control characters, ill-formed UTF-8) is repaired first: one
  /// broken character must not cost a post. `body` then gets the repaired text. `document` comes back unchanged; it is
  /// `inout` because it is padded in place during the call.
  func parse<R>(_ document: inout [UInt8], _ body: (JSONValue, [UInt8]) throws -> R) throws -> R {
    var tape = unsafe csj_tape()
    switch unsafe read(&document, into: &tape) {
    case CSJ_OK:
      return try body(unsafe JSONValue(tape: tape, index: 1), document)
    case CSJ_BAD_TEXT:
      var repaired = JSONRepair.repaired(document)
      guard unsafe read(&repaired, into: &tape) == CSJ_OK else { throw Failure.malformed }
      return try body(unsafe JSONValue(tape: tape, index: 1), repaired)
    case CSJ_NO_MEMORY:
      throw Failure.noMemory
    default:
      throw Failure.malformed
    }
  }

  /// Parses with the padding simdjson wants behind the document, which is there only during the call.
  private func read(_ document: inout [UInt8], into tape: inout csj_tape) -> csj_result {
    let length = document.count
    document.reserveCapacity(length + Int(CSJ_PADDING))
    document.append(contentsOf: repeatElement(0, count: Int(CSJ_PADDING)))
    defer { document.removeLast(Int(CSJ_PADDING)) }
    return unsafe document.withUnsafeBufferPointer { bytes in
      unsafe csj_parse(parser, bytes.baseAddress!, length, &tape)
    }
  }

  /// `document` without the white space between its tokens; empty if a string in it is not closed.
  static func minified(_ document: [UInt8]) -> [UInt8] {
    guard !document.isEmpty else { return [] }
    return unsafe [UInt8](unsafeUninitializedCapacity: document.count + Int(CSJ_PADDING)) { room, count in
      count = unsafe document.withUnsafeBufferPointer { bytes in
        unsafe csj_minify(bytes.baseAddress!, bytes.count, room.baseAddress!)
      }
    }
  }
}
