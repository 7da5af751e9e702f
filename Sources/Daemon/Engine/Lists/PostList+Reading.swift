internal import Posts

/// Reading progress, and the authors of a profile.
extension PostList {
  /// True when every row is loaded, by this pass over the store or an earlier one.
  var isComplete: Bool { progress.isComplete }

  /// True when the store has been read to the end since the last restart.
  var isCurrent: Bool { progress.isCurrent }

  /// The key down to which the store has been read since then; nil if nothing was read.
  var cursor: OrderKey? { progress.cursor }

  /// The key down to which every row is loaded; nil before the first page.
  var floor: OrderKey? { progress.floor }

  /// Returns true if the rows from the newest down to a key match the store.
  func isCurrent(downTo key: OrderKey) -> Bool { isCurrent || cursor.map { $0 <= key } ?? false }

  /// Returns the number of rows newer than a loaded one.
  func countNewer(than key: OrderKey) -> Int {
    var columns = columns
    return columns.count - columns.rank(lowerBound: key) - (columns.rank(of: key) == nil ? 0 : 1)
  }

  /// Returns the number of posts newer than a key, and the newest row that is not; nil if all rows are newer. Only for
  /// lists with the newest row on top. O(log rows).
  mutating func place(readTo key: OrderKey) -> (newer: Int, row: OrderKey?) {
    let index = displayedIndex(near: key)
    let found = self.key(displayed: index)
    // Placeholders are not posts.
    if found > key { return (count - placeholderRows.count, nil) }
    return (index - placeholderCount(above: key), found)
  }

  /// Returns the display index of the row with a key, or of the first row below its place. O(log rows).
  mutating func displayedIndex(ofCursor key: OrderKey) -> Int {
    let rank = columns.rank(lowerBound: key)
    guard isNewestFirst else { return rank }
    return rank < columns.count && columns.key(at: rank) == key ? columns.count - 1 - rank : columns.count - rank
  }

  /// The authors whose posts a profile contains, as far as they are known.
  var authors: Set<AuthorID> {
    switch (key.base, known.facts) {
    case (_, .profile(let facts)): facts.authors
    case (.author(_, let author), nil): [author]
    default: []
    }
  }
}
