internal import Codecs

/// Clickable text: `OSC 8 ; ; URL ST`, text, `OSC 8 ; ; ST` (the "Hyperlinks in terminal emulators" convention of VTE
/// and iTerm2).
package enum Hyperlink {
  /// The start of a link, followed by its URL; with an empty URL, the end of a link.
  package static let opening = Array("\u{1B}]8;;".utf8)
  /// The string terminator.
  package static let terminator = Array("\u{1B}\\".utf8)

  /// The longest URL that becomes clickable, in bytes: the limit of VTE, the lowest documented one.
  package static let maximumBytes = 2083

  /// The schemes that may be linked: they open something to read or write, and never run a program.
  package static let schemes = ["http:", "https:", "gemini:", "mailto:"]

  /// Returns `url` as it may appear in an escape sequence, or nil if it may not. Bytes outside 0x21 to 0x7E, and the few
  /// others that URLs must not contain literally, are percent-encoded (RFC 3986, 2.1).
  package static func target(of url: [UInt8]) -> [UInt8]? {
    let head = url.prefix(8).map { 0x41...0x5A ~= $0 ? $0 | 0x20 : $0 }
    guard schemes.contains(where: { head.starts(with: $0.utf8) }) else { return nil }
    guard url.count <= maximumBytes else { return nil }
    var result: [UInt8] = []
    PercentCoding.append(url, to: &result) { byte in
      switch byte {
      case 0x22, 0x3C, 0x3E, 0x5C, 0x5E, 0x60, 0x7B...0x7D, 0...0x20, 0x7F...0xFF: false
      default: true
      }
    }
    return result.count <= maximumBytes ? result : nil
  }
}
