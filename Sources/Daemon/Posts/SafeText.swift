/// UTF-8 text that is valid and harmless by construction. Every string from outside is converted once, where it enters.
///
/// A TAB becomes one space. U+2028, U+2029 and CR LF become LF. Every other C0 control except LF, DEL, C1 controls and
/// the bidi controls U+202A-202E and U+2066-2069 become U+FFFD, as does each maximal ill-formed UTF-8 subsequence
/// (Unicode 15.0 section 3.9), including lone surrogates (docs/BEHAVIOUR.md, rule 21). NUL never survives, so the bytes
/// can be passed to C as a string.
public struct SafeText: Hashable, Sendable {
  /// Well-formed UTF-8 without controls other than LF.
  public let utf8: [UInt8]

  /// No text.
  public static let empty = SafeText(trusted: [])

  /// Cleans `bytes` and preserves line feeds; O(n).
  public init(sanitizing bytes: some Sequence<UInt8>) {
    self.utf8 = Sanitizer.clean(Array(bytes), lineFeeds: true)
  }

  /// Cleans a Swift string and preserves line feeds.
  public init(_ string: String) { self.init(sanitizing: string.utf8) }

  /// Cleans `bytes` for a single-line use (names, handles, titles): line feeds become spaces.
  public init(line bytes: some Sequence<UInt8>) {
    self.utf8 = Sanitizer.clean(Array(bytes), lineFeeds: false)
  }

  /// Cleans a Swift string for a single-line use.
  public init(line string: String) { self.init(line: string.utf8) }

  /// Wraps bytes known to be clean: made by this type, or read back from the store, which holds only such bytes.
  public init(trusted bytes: [UInt8]) { self.utf8 = bytes }

  public var isEmpty: Bool { utf8.isEmpty }
  public var count: Int { utf8.count }

  /// The text as a Swift string; O(n).
  public var string: String { String(decoding: utf8, as: UTF8.self) }
}

extension SafeText: ExpressibleByStringLiteral {
  public init(stringLiteral value: String) { self.init(value) }
}

extension SafeText: CustomStringConvertible {
  public var description: String { string }
}

/// The conversion that all text from outside passes through.
enum Sanitizer {
  private static let replacement: [UInt8] = [0xEF, 0xBF, 0xBD]

  static func clean(_ input: [UInt8], lineFeeds: Bool) -> [UInt8] {
    if isPlain(input) { return input }
    var output: [UInt8] = []
    output.reserveCapacity(input.count)
    var decoder = UTF8()
    var source = input.makeIterator()
    var previousWasCR = false
    decoding: while true {
      switch decoder.decode(&source) {
      case .emptyInput: break decoding
      case .error:
        previousWasCR = false
        output += replacement
      case .scalarValue(let scalar):
        let afterCR = previousWasCR
        previousWasCR = scalar == "\r"
        if scalar == "\n" && afterCR { continue }
        append(scalar, lineFeeds: lineFeeds, to: &output)
      }
    }
    return output
  }

  /// True for printable ASCII, which most texts are; it needs no cleaning.
  private static func isPlain(_ input: [UInt8]) -> Bool {
    for byte in input where byte < 0x20 || byte > 0x7E { return false }
    return true
  }

  private static func append(_ scalar: Unicode.Scalar, lineFeeds: Bool, to output: inout [UInt8]) {
    switch scalar.value {
    case 0x09: output.append(0x20)
    case 0x0A, 0x0D, 0x2028, 0x2029: output.append(lineFeeds ? 0x0A : 0x20)
    case 0x00...0x1F, 0x7F...0x9F, 0x202A...0x202E, 0x2066...0x2069: output += replacement
    default: output.append(contentsOf: UTF8.encode(scalar)!)
    }
  }
}
