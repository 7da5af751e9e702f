internal import ClientCore
internal import Terminal
internal import ViewState

/// Stands for an author where there is no picture: letters on a colour that is always the same for them.
enum Avatar {
  /// Cells of it.
  static let width = 4
  static let height = 2

  /// An index of the theme's colours: a mix of the bits of the id, so that authors who came one after the other differ
  /// (the finalizer of SplitMix64).
  static func colour(of author: UInt64, among count: Int) -> Int {
    var bits = author &+ 0x9E37_79B9_7F4A_7C15
    bits = (bits ^ (bits >> 30)) &* 0xBF58_476D_1CE4_E5B9
    bits = (bits ^ (bits >> 27)) &* 0x94D0_49BB_1331_11EB
    return count > 0 ? Int((bits ^ (bits >> 31)) % UInt64(count)) : 0
  }

  /// The first letters of the first two words of the name, of the handle where the name has none; at most four cells by
  /// any measure.
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
}

extension RowPainter {
  /// The lines of the author's block that are beside a line of the row.
  func avatar(_ line: Int, _ builder: inout LineBuilder) {
    let first = (row.day?.height ?? 0) + (fields.repostedBy == nil ? 0 : 1)
    let block = line - first
    guard 0..<Avatar.height ~= block, fields.kind != .notice, fields.kind != .list, fields.kind != .gap else {
      return builder.add([], column: left + 1, width: max(0, textX - left - 1), blank: base)
    }
    avatar(of: fields.author, line: block, column: left + 1, &builder)
    builder.add([], column: left + 1 + Avatar.width, width: max(0, textX - left - 1 - Avatar.width), blank: base)
  }

  private func avatar(of author: RowAuthor, line: Int, column: Int, _ builder: inout LineBuilder) {
    painter.avatar(of: author, line: line, column: column, isCovered: isCovered, &builder)
  }
}

extension ScreenPainter {
  /// A line of an author's block, of four cells.
  func avatar(of author: RowAuthor, line: Int, column: Int, isCovered: Bool = false, _ builder: inout LineBuilder) {
    var style = theme[.avatar].over(theme[.text])
    if !theme.avatars.isEmpty {
      style.background = theme.avatars[Avatar.colour(of: author.id, among: theme.avatars.count)]
    }
    if isCovered { style = style.dimmed }
    guard line == 0 else { return builder.add("", style, column: column, width: Avatar.width) }
    let initials = Avatar.initials(of: author)
    let before = (Avatar.width - CellText.width(initials)) / 2
    builder.add(String(repeating: " ", count: max(0, before)) + initials, style, column: column, width: Avatar.width)
  }
}
