/// The client's filter for text from outside.
///
/// The daemon sends no control characters (types.proto), but a client prints to a terminal that obeys some of them, and
/// the other end of a socket may not be the real daemon. So everything that a client paints is filtered again: C0
/// including TAB and LF, DEL, C1, the line and paragraph separators, the bidi controls U+202A-202E and U+2066-2069, and
/// ill-formed UTF-8 never get through.
package enum HarmlessText {
  private static let replacement: [UInt8] = [0xEF, 0xBF, 0xBD]

  /// Appends `text`: TAB, LF and U+2028/9 become a space, the rest of the above U+FFFD. O(n); a plain copy for printable
  /// ASCII.
  package static func append(_ text: some Collection<UInt8>, to output: inout [UInt8]) {
    // A hot path: the loops below are specialised for an array.
    append(bytes: Array(text), to: &output)
  }

  private static func append(bytes text: [UInt8], to output: inout [UInt8]) {
    guard text.contains(where: { $0 < 0x20 || $0 > 0x7E }) else {
      output += text
      return
    }
    forEachScalar(of: text) { scalar in
      switch scalar.map({ disposition(of: $0) }) ?? .replaced {
      case .kept: output.append(contentsOf: UTF8.encode(scalar!)!)
      case .space: output.append(0x20)
      case .replaced: output += replacement
      }
    }
  }

  /// Returns `text` as it may be painted.
  package static func filtered(_ text: some Collection<UInt8>) -> [UInt8] {
    var output: [UInt8] = []
    append(text, to: &output)
    return output
  }

  /// Calls `body` with each scalar, and with nil for each maximal ill-formed subsequence.
  static func forEachScalar(of text: some Sequence<UInt8>, _ body: (Unicode.Scalar?) -> Void) {
    var decoder = UTF8()
    var source = text.makeIterator()
    while true {
      switch decoder.decode(&source) {
      case .emptyInput: return
      case .error: body(nil)
      case .scalarValue(let scalar): body(scalar)
      }
    }
  }

  private enum Disposition { case kept, space, replaced }

  private static func disposition(of scalar: Unicode.Scalar) -> Disposition {
    switch scalar.value {
    case 0x09, 0x0A, 0x2028, 0x2029: .space
    default: isHarmful(scalar) ? .replaced : .kept
    }
  }

  /// Returns true if a terminal or the bidi algorithm would treat `scalar` as a command rather than as text.
  static func isHarmful(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x00...0x1F, 0x7F...0x9F, 0x2028, 0x2029, 0x202A...0x202E, 0x2066...0x2069: true
    default: false
    }
  }
}
