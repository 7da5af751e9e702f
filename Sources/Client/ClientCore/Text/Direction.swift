/// The direction of text, as far as a client needs it: it never reorders text, it only isolates fields from each other.
package enum Direction {
  /// U+2068 FIRST STRONG ISOLATE in UTF-8.
  package static let firstStrongIsolate: [UInt8] = [0xE2, 0x81, 0xA8]
  /// U+2069 POP DIRECTIONAL ISOLATE in UTF-8.
  package static let popIsolate: [UInt8] = [0xE2, 0x81, 0xA9]

  /// Returns true if `text` contains right-to-left text: the blocks whose unassigned code points default to R or AL
  /// (DerivedBidiClass.txt of Unicode 15.0), or the marks U+061C and U+200F.
  package static func hasRightToLeft(_ text: some Collection<UInt8>) -> Bool {
    // The first of them, U+0590, begins with 0xD6 in UTF-8, so ASCII and Latin texts return here.
    guard text.contains(where: { $0 >= 0xD6 }) else { return false }
    var found = false
    HarmlessText.forEachScalar(of: text) { scalar in
      switch scalar?.value ?? 0 {
      case 0x0590...0x08FF, 0x200F, 0xFB1D...0xFDFF, 0xFE70...0xFEFE, 0x10800...0x10FFF, 0x1E800...0x1EFFF: found = true
      default: break
      }
    }
    return found
  }
}
