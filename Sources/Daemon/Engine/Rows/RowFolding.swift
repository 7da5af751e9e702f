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

  /// Number of lines that a folded row shows, besides the last one that counts the others.
  static let shownLines = 20

  /// Returns true if a text of `lines` lines is folded: a single line is shown rather than counted.
  func folds(lines: Int) -> Bool { self == .folded && lines > Self.shownLines + 1 }

  /// Returns the number of lines that the text takes up in its row.
  func shownLines(of lines: Int) -> Int { folds(lines: lines) ? Self.shownLines + 1 : lines }
}

/// Joins runs of empty lines, those with nothing but spaces included.
enum EmptyLines {
  /// Makes one line of each run of empty lines. O(lines + bytes of empty lines).
  static func join(_ lineEnds: inout [UInt32], of text: Span<UInt8>) {
    var kept = 0
    var wasEmpty = false
    var start = 0
    for index in lineEnds.indices {
      let end = Int(lineEnds[index])
      let isEmpty = isEmpty(start..<end, of: text)
      if !isEmpty || !wasEmpty { kept += 1 }
      lineEnds[kept - 1] = lineEnds[index]
      (wasEmpty, start) = (isEmpty, end)
    }
    lineEnds.removeLast(lineEnds.count - kept)
  }

  /// Returns false if a text certainly has no two empty lines in a row, in whatever way it is wrapped. O(length).
  static func mayJoin(in text: Span<UInt8>) -> Bool {
    // A run of blanks at the beginning is a line from its first line feed on.
    var feeds = 1
    for index in text.indices {
      switch text[index] {
      case 0x0A: feeds += 1
      case 0x20: continue
      default: feeds = 0
      }
      if feeds == 3 { return true }
    }
    return feeds == 2
  }

  private static func isEmpty(_ line: Range<Int>, of text: Span<UInt8>) -> Bool {
    for index in line where text[index] != 0x20 && text[index] != 0x0A { return false }
    return true
  }
}
