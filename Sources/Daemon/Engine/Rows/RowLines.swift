internal import Posts
internal import ViewState

/// The lines of a post's row in a layout, and where in its text they begin.
struct RowLines {
  private let layout: RowLayout
  /// Height of what is above the text.
  private let top: Int
  /// Height of the row, with the line of its day.
  let height: Int
  /// Height of that line; 0 without one.
  let dayHeight: Int
  /// Height of a line of text.
  private let lineHeight: Int

  /// Lays a row out, with the line of a day above it. O(length).
  init(_ post: StoredPost, in key: LayoutKey, dayHeight: Int) {
    let isRepost = post.repostedBy != nil
    self.dayHeight = dayHeight
    layout = key.measure(post.body.rowText, isRepost: isRepost)
    top = dayHeight + key.heightAboveText(isRepost: isRepost)
    height = dayHeight + layout.height
    lineHeight = key.lineHeight
  }

  /// The first byte of the line of text that the row's line `line` belongs to; nil outside of the text.
  func word(atLine line: Int) -> Int? {
    let number = (line - top) / lineHeight
    guard line >= top, number < layout.lineEnds.count else { return nil }
    return number == 0 ? 0 : Int(layout.lineEnds[number - 1])
  }

  /// The row's line at which the line of text with byte `word` begins.
  func line(ofWord word: Int) -> Int {
    let number = layout.lineEnds.firstIndex { word < Int($0) } ?? layout.lineEnds.count - 1
    return top + number * lineHeight
  }
}
