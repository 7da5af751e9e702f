internal import Posts
internal import ViewState

/// The lines of a post's row in a layout, and their beginnings in its text.
struct RowLines {
  private let layout: RowLayout
  /// Height of the parts above the text, with the day line.
  let top: Int
  /// Height of the row, including its day line.
  let height: Int
  /// Height of the day line; 0 if there is none.
  let dayHeight: Int
  /// Height of a line of text.
  let lineHeight: Int
  /// The first line below the text.
  var end: Int { min(top + textLines * lineHeight, height - 1) }
  /// Number of lines of text, with the one that stands for those that are folded away.
  private var textLines: Int { layout.lineEnds.count + (layout.foldedLines > 0 ? 1 : 0) }

  /// Lays out a row, as an account sees it, with a day line above it. O(length).
  init(_ post: StoredPost, for account: AccountID?, in key: LayoutKey, dayHeight: Int) {
    self.dayHeight = dayHeight
    layout = key.measure(post.body.rowText, RowParts(post, for: account))
    top = dayHeight + key.heightAboveText(isRepost: post.repostedBy != nil)
    height = dayHeight + layout.height
    lineHeight = key.lineHeight
  }

  /// Returns the offset of the first byte of text at the row's line `line`; nil outside of the text.
  func word(atLine line: Int) -> Int? {
    let number = (line - top) / lineHeight
    guard line >= top, number < textLines else { return nil }
    return number == 0 ? 0 : Int(layout.lineEnds[number - 1])
  }

  /// Returns the row's line at which the line of text with byte `word` begins.
  func line(ofWord word: Int) -> Int {
    top + layout.lineNumber(ofWord: word) * lineHeight
  }
}

extension RowLayout {
  /// Returns the number of the line of text with byte `word`: the line that stands for the others if it is folded away.
  func lineNumber(ofWord word: Int) -> Int {
    lineEnds.firstIndex { word < Int($0) } ?? (foldedLines > 0 ? lineEnds.count : lineEnds.count - 1)
  }
}
