internal import Posts

/// How far a list is read and loaded, and whose posts a profile has.
extension PostList {
  /// Whether every row is there, of this reading or an earlier one.
  var isComplete: Bool { progress.isComplete }

  /// Whether the store has been read to the end since the list was last to be read again.
  var isCurrent: Bool { progress.isCurrent }

  /// Down to where it has been read since then; nil for not at all.
  var cursor: OrderKey? { progress.cursor }

  /// Down to where every row is there; nil while none is.
  var floor: OrderKey? { progress.floor }

  /// Whether the rows from the newest down to a key are those that the store has.
  func isCurrent(downTo key: OrderKey) -> Bool { isCurrent || cursor.map { $0 <= key } ?? false }

  /// How many rows are newer than one, which is loaded.
  func countNewer(than key: OrderKey) -> Int {
    var columns = columns
    return columns.count - columns.rank(lowerBound: key) - (columns.rank(of: key) == nil ? 0 : 1)
  }

  /// How many posts are newer than a key, and the newest row that is not; nil where all are. Of a list with the newest
  /// on top. O(log rows).
  mutating func place(readTo key: OrderKey) -> (newer: Int, row: OrderKey?) {
    let index = displayedIndex(near: key)
    let found = self.key(displayed: index)
    // Gaps are no posts.
    if found > key { return (count - gapRows.count, nil) }
    return (index - gapCount(above: key), found)
  }

  /// The display index of the row with a key, or of the first row below where it would stand. O(log rows).
  mutating func displayedIndex(ofCursor key: OrderKey) -> Int {
    let rank = columns.rank(lowerBound: key)
    guard isNewestFirst else { return rank }
    return rank < columns.count && columns.key(at: rank) == key ? columns.count - 1 - rank : columns.count - rank
  }

  /// Whose posts a profile has, as far as that is known.
  var authors: Set<AuthorID> {
    switch (key.base, known.facts) {
    case (_, .profile(let facts)): facts.authors
    case (.author(_, let author), nil): [author]
    default: []
    }
  }
}
