/// The client's own filter for text from outside.
///
/// The daemon sends no control characters (types.proto), but a client prints to a terminal that obeys some of them, and
/// the other end of a socket is not always the daemon it should be. So everything that a client paints passes here
/// again (clients.md, 1.9): C0 with TAB and LF, DEL, C1, the line and paragraph separators and the bidi controls
/// U+202A-202E and U+2066-2069 never leave, nor does ill-formed UTF-8.
package enum HarmlessText {
  private static let replacement: [UInt8] = [0xEF, 0xBF, 0xBD]

  /// Appends `text`: TAB, LF and U+2028/9 as a space, anything else of the above as U+FFFD. O(n); a copy for printable
  /// ASCII.
  package static func append(_ text: some Collection<UInt8>, to output: inout [UInt8]) {
    // Everything that is painted comes through here: what is called with each byte must know its type.
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

  /// `text` as it may be painted.
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

  /// Whether a terminal or a bidi algorithm would take `scalar` as an order instead of as text.
  static func isHarmful(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x00...0x1F, 0x7F...0x9F, 0x2028, 0x2029, 0x202A...0x202E, 0x2066...0x2069: true
    default: false
    }
  }
}
