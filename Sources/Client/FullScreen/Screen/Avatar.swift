internal import ClientCore
internal import Terminal
internal import ViewState

/// An author's picture in cells: initials on a colour that is always the same for the author.
enum Avatar {
  /// The size in cells.
  static let width = 4
  static let height = 2

  /// Returns an index into the theme's colours. Mixes the bits of the id, so that authors with consecutive ids differ
  /// (the finalizer of SplitMix64).
  static func colour(of author: UInt64, among count: Int) -> Int {
    var bits = author &+ 0x9E37_79B9_7F4A_7C15
    bits = (bits ^ (bits >> 30)) &* 0xBF58_476D_1CE4_E5B9
    bits = (bits ^ (bits >> 27)) &* 0x94D0_49BB_1331_11EB
    return count > 0 ? Int((bits ^ (bits >> 31)) % UInt64(count)) : 0
  }

  /// Returns the initials of the first two words of the name, or of the handle if the name has none: at most four cells
  /// by any measure.
  static func initials(of author: RowAuthor) -> String {
    for text in [author.displayName, author.handle] {
      let words = String(decoding: HarmlessText.filtered(text), as: UTF8.self).split { !$0.isLetter && !$0.isNumber }
      let letters = words.prefix(2).compactMap(\.first).map { $0.uppercased() }
      guard let first = letters.first, CellText.width(first) <= width else { continue }
      let both = letters.joined()
      return CellText.width(both) <= 2 ? both : first
    }
    return "?"
  }

  /// Adds a line of an author's avatar, four cells wide.
  static func add(
    _ author: RowAuthor, line: Int, column: Int, isCovered: Bool = false, _ look: ScreenLook,
    to builder: inout LineBuilder
  ) {
    var style = look.theme[.avatar].over(look.theme[.text])
    let colours = look.theme.avatars
    if !colours.isEmpty { style.background = colours[colour(of: author.id, among: colours.count)] }
    if isCovered { style = style.dimmed }
    guard line == 0 else { return builder.add("", style, column: column, width: width) }
    let letters = initials(of: author)
    let before = (width - CellText.width(letters)) / 2
    builder.add(String(repeating: " ", count: max(0, before)) + letters, style, column: column, width: width)
  }
}
