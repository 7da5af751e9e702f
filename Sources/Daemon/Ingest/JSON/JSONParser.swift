internal import CSIMDJSON

/// Parses JSON documents one after the other into the same buffers.
///
/// Memory: about 14 times the largest document so far, up to 256 KiB; the buffers of a larger one are freed.
@safe package final class JSONParser {
  /// A reason why a document was not parsed.
  package enum Failure: Error {
    /// Not JSON, or JSON beyond the parser's limits; the text says what is wrong.
    case malformed(String)
    /// Out of memory.
    case noMemory
  }

  /// Owned; freed in `deinit`.
  private let parser: OpaquePointer

  /// Creates a parser without buffers yet.
  package init() {
    guard let parser = unsafe csj_parser_create() else { fatalError("out of memory") }
    unsafe self.parser = parser
  }

  deinit { unsafe csj_parser_destroy(parser) }

  /// Parses `document` and calls `body` with its value, which is valid only during that call, and its text.
  ///
  /// Text that a strict parser refuses (a lone surrogate, raw control characters, ill-formed UTF-8) is repaired first,
  /// since one broken character must not lose a post; `body` then receives the repaired text. `document` is unchanged
  /// afterwards; it is `inout` because it is padded in place during the call.
  package func parse<R>(_ document: inout [UInt8], _ body: (JSONValue, [UInt8]) throws -> R) throws -> R {
    var tape = unsafe csj_tape()
    switch unsafe read(&document, into: &tape) {
    case CSJ_OK:
      return try body(unsafe JSONValue(tape: tape, index: 1), document)
    case CSJ_BAD_TEXT:
      var repaired = JSONRepair.repaired(document)
      let result = unsafe read(&repaired, into: &tape)
      guard result == CSJ_OK else { throw Self.failure(result) }
      return try body(unsafe JSONValue(tape: tape, index: 1), repaired)
    case let result:
      throw Self.failure(result)
    }
  }

  private static func failure(_ result: csj_result) -> Failure {
    switch result {
    case CSJ_NO_MEMORY: .noMemory
    case CSJ_TOO_DEEP: .malformed("nested too deeply to be read")
    case CSJ_BAD_NUMBER: .malformed("damaged: a number is malformed or too large")
    default: .malformed("damaged: not well-formed JSON")
    }
  }

  /// Parses with the padding that simdjson requires after the document; the padding exists only during the call.
  private func read(_ document: inout [UInt8], into tape: inout csj_tape) -> csj_result {
    let length = document.count
    document.reserveCapacity(length + Int(CSJ_PADDING))
    document.append(contentsOf: repeatElement(0, count: Int(CSJ_PADDING)))
    defer { document.removeLast(Int(CSJ_PADDING)) }
    return unsafe document.withUnsafeBufferPointer { bytes in
      unsafe csj_parse(parser, bytes.baseAddress!, length, &tape)
    }
  }

  /// Returns `document` without the white space between its tokens; empty if a string in it is not closed.
  static func minified(_ document: [UInt8]) -> [UInt8] {
    guard !document.isEmpty else { return [] }
    return unsafe [UInt8](unsafeUninitializedCapacity: document.count + Int(CSJ_PADDING)) { room, count in
      count = unsafe document.withUnsafeBufferPointer { bytes in
        unsafe csj_minify(bytes.baseAddress!, bytes.count, room.baseAddress!)
      }
    }
  }
}
