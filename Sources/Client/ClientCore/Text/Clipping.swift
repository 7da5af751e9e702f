/// Shortens the client's own lines (author, counts) to a width.
///
/// Rows are measured by the daemon, but not these lines: the daemon knows the text at the view's width, not what a
/// client puts above and below it. The client needs no width table for them either. It counts an *upper bound* that
/// holds for every width profile and every version of Unicode a terminal may have, and so never overflows; the price is
/// a name of emoji cut a few cells before it must be. Cuts are between grapheme clusters (UAX #29, the standard
/// library's).
package struct ClippedText: Equatable {
  /// Filtered text, ended by "…" where something was cut off.
  package let bytes: [UInt8]
  /// No terminal uses more cells than this for it.
  package let cells: Int

  /// As much of `text` as surely fits into `width` cells, with `end`, of one cell, where something was cut off; nothing
  /// where not even that fits. O(n).
  package init(_ text: some Collection<UInt8>, width: Int, end: String = "…") {
    let filtered = HarmlessText.filtered(text)
    let string = String(decoding: filtered, as: UTF8.self)
    var cells = 0
    // Bytes and cells up to which the text may stand if "…" has to follow.
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

  /// The most cells that any terminal gives to `text`.
  package static func upperBound(of text: some Collection<UInt8>) -> Int {
    String(decoding: text, as: UTF8.self).reduce(0) { $0 + upperBound(of: $1) }
  }

  /// The most cells that any terminal gives to a cluster: the sum of its scalars.
  package static func upperBound(of character: Character) -> Int {
    character.unicodeScalars.reduce(0) { $0 + upperBound(of: $1) }
  }

  /// Whether every terminal gives a cluster as many cells as the bound says: a letter, a sign or an ideograph by
  /// itself, or under marks that take none. Of emoji no one, since terminals differ in the Unicode that they know and
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
    // Zero everywhere: joiners, marks of direction, the variation selector for text.
    case 0x200B...0x200F, 0x2060...0x2064, 0xFE00...0xFE0E: return 0
    // Makes a narrow base wide where emoji sequences are two cells.
    case 0xFE0F: return 1
    // Box drawing, blocks and the shapes of which none is an emoji; Braille.
    case 0x2500...0x25A9, 0x25AC...0x25B5, 0x25B7...0x25BF, 0x25C1...0x25FA, 0x2800...0x28FF: return 1
    default: break
    }
    switch scalar.properties.generalCategory {
    case .nonspacingMark, .enclosingMark: return 0
    default: break
    }
    // EastAsianWidth.txt has nothing wide below U+1100, nor between the Hangul initials and U+231A.
    switch scalar.value {
    case ..<0x1100, 0x1160...0x2319, 0xFF61...0xFFDC: return 1
    default: return 2
    }
  }
}
