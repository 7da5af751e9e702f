/// Shortens the client's own lines (author, counts) to a width.
///
/// The daemon measures the text of a row, but not the lines that a client puts above and below it. The client needs no
/// width table for them: it counts an *upper bound* that holds for every width profile and every version of Unicode a
/// terminal may have, so a line never overflows. The price is that a name made of emoji is cut a few cells early. Cuts
/// are between grapheme clusters (UAX #29, as in the standard library).
package struct ClippedText: Equatable {
  /// The filtered text, ending in "…" if it was cut.
  package let bytes: [UInt8]
  /// The most cells that any terminal uses for it.
  package let cells: Int

  /// Clips `text` to what is certain to fit into `width` cells, with `end`, which is one cell, if it was cut. Empty if
  /// not even `end` fits. O(n).
  package init(_ text: some Collection<UInt8>, width: Int, end: String = "…") {
    let filtered = HarmlessText.filtered(text)
    let string = String(decoding: filtered, as: UTF8.self)
    var cells = 0
    // The bytes and cells that fit if "…" has to follow.
    var cut = (bytes: 0, cells: 0)
    var bytes = 0
    for character in string {
      cells += Self.upperBound(of: character)
      bytes += character.utf8.count
      if cells > width {
        guard width >= 1 else { break }
        self.bytes = Array(filtered[..<cut.bytes]) + Array(end.utf8)
        self.cells = cut.cells + 1
        return
      }
      if cells < width { cut = (bytes, cells) }
    }
    self.bytes = width >= 1 ? filtered : []
    self.cells = width >= 1 ? cells : 0
  }

  /// Returns the most cells that any terminal uses for `text`.
  package static func upperBound(of text: some Collection<UInt8>) -> Int {
    String(decoding: text, as: UTF8.self).reduce(0) { $0 + upperBound(of: $1) }
  }

  /// Returns the most cells that any terminal uses for a cluster: the sum over its scalars.
  package static func upperBound(of character: Character) -> Int {
    character.unicodeScalars.reduce(0) { $0 + upperBound(of: $1) }
  }

  /// Returns true if every terminal uses exactly as many cells for a cluster as the bound: a letter, a sign or an
  /// ideograph, alone or with marks of no width. Never for emoji, since terminals differ in their version of Unicode and
  /// in what they join.
  package static func isCertain(_ character: Character) -> Bool {
    var scalars = character.unicodeScalars.makeIterator()
    guard let first = scalars.next(), isCertain(first) else { return false }
    while let mark = scalars.next() {
      guard mark.properties.generalCategory == .nonspacingMark, mark.value < 0xFE00 else { return false }
    }
    return true
  }

  private static func isCertain(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x20...0x7E: true
    case 0xAD: false
    case 0xA0..<0x1100:
      switch scalar.properties.generalCategory {
      case .spacingMark, .format, .unassigned, .nonspacingMark, .enclosingMark: false
      default: true
      }
    case 0x1E00...0x1FFF, 0x2010...0x2027, 0x2500...0x25A9: true
    case 0x2E80...0x2FD5, 0x3000...0x3029, 0x3030...0x303E, 0x3041...0x3096, 0x309B...0x30FF, 0x3105...0x312F,
      0x3131...0x318E,
      0x3400...0x4DB5, 0x4E00...0x9FCC, 0xAC00...0xD7A3, 0xF900...0xFAD9, 0xFF01...0xFF60, 0x20000...0x2A6D6:
      !scalar.properties.isEmoji
    default: false
    }
  }

  private static func upperBound(of scalar: Unicode.Scalar) -> Int {
    switch scalar.value {
    case 0x20...0x7E: return 1
    // Zero everywhere: joiners, direction marks, the text variation selector.
    case 0x200B...0x200F, 0x2060...0x2064, 0xFE00...0xFE0E: return 0
    // Makes a narrow base wide if emoji sequences take two cells.
    case 0xFE0F: return 1
    // Box drawing, blocks, the shapes that are not emoji, and Braille.
    case 0x2500...0x25A9, 0x25AC...0x25B5, 0x25B7...0x25BF, 0x25C1...0x25FA, 0x2800...0x28FF: return 1
    default: break
    }
    switch scalar.properties.generalCategory {
    case .nonspacingMark, .enclosingMark: return 0
    default: break
    }
    // EastAsianWidth.txt lists nothing wide below U+1100, or between the Hangul initials and U+231A.
    switch scalar.value {
    case ..<0x1100, 0x1160...0x2319, 0xFF61...0xFFDC: return 1
    default: return 2
    }
  }
}
