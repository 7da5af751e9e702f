/// The folding of a row's text (docs/BEHAVIOUR.md, rule 49).
enum RowFolding: Hashable {
  /// The view asks for whole texts: every line is shown, and each empty one.
  case none
  /// A long text ends with a line that says how many more lines it has.
  case folded
  /// All lines are shown, but runs of empty lines are one.
  case whole
  /// The same, because the session has unfolded the row.
  case unfolded

  /// True if a run of empty lines, those with nothing but spaces included, is one line.
  var joinsEmptyLines: Bool { self != .none }

  /// Number of lines that a folded row shows, besides the last one that counts the others.
  static let shownLines = 20

  /// Returns true if a text of `lines` lines is folded: a single line is shown rather than counted.
  func folds(lines: Int) -> Bool { self == .folded && lines > Self.shownLines + 1 }

  /// Returns the number of lines that the text takes up in its row.
  func shownLines(of lines: Int) -> Int { folds(lines: lines) ? Self.shownLines + 1 : lines }
}
