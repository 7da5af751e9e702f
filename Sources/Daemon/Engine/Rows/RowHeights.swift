internal import Posts
internal import TextLayout
internal import ViewState

/// The heights of a list's loaded rows, laid out for one key, oldest first: what a pane's scroll bar is made from.
///
/// Rows that a window shows, rows that are committed and the newest ones are measured at once. All others count as an
/// estimate until ``measure(_:budget:)`` has come to them, from the newest to the oldest; so "not measured" is a
/// prefix, and one number says how long it is (rule 22).
struct RowHeights {
  private var index = HeightsIndex()
  /// Rows of a lower rank may still count as ``estimate``.
  private(set) var estimatedRows = 0
  /// What a row counts for that was not measured.
  let estimate: Int
  private let key: LayoutKey
  /// Nil where days are not told.
  let days: DayRule?

  /// Rows measured when the heights are made: what a reader is about to see.
  private static let rowsAtOnce = 256
  /// Rows measured before the budget is looked at again.
  private static let rowsBetweenLooks = 32
  /// Rows, spread over the list, of which the mean height is the estimate.
  private static let samples = 64

  /// The heights of a list's rows. O(rows), a byte each; some three hundred are measured.
  init(_ key: LayoutKey, _ days: DayRule?, of list: inout PostList) {
    self.key = key
    self.days = days
    let count = list.count
    let measured = min(count, Self.rowsAtOnce)
    let samples = min(count, Self.samples)
    var sum = 0
    for sample in 0..<samples { sum += key.height(of: list.post(atRank: sample * count / samples)) }
    estimate = key.heightScale.nearest(to: samples == 0 ? key.estimatedHeight : (sum + samples / 2) / samples)
    estimatedRows = count - measured
    index = HeightsIndex(repeating: estimate, count: count, scale: key.heightScale)
    measure(estimatedRows..<count, of: &list)
  }

  /// Whether every row is measured.
  var isExact: Bool { estimatedRows == 0 }

  /// Height of all rows.
  var total: Int { index.total }

  /// Bytes that the heights of so many rows take, about: a byte a row, sums, and room for rows to come.
  static func bytes(rows: Int) -> Int { 256 + rows * 3 / 2 }

  /// Height of the rows of lower rank than `rank`, which may be ``count``. O(log rows).
  func height(below rank: Int) -> Int { index.offset(ofRow: rank) }

  /// The rank of the row with a line, counted from the top as rows are shown: the nearest where there is no such line;
  /// nil without lines. O(log rows).
  func rank(atLine line: Int, newestFirst: Bool) -> Int? {
    index.row(atOffset: newestFirst ? total - 1 - line : line)?.row
  }

  /// Notes how high a row is that was laid out. O(log rows).
  mutating func note(_ height: Int, at rank: Int) {
    guard rank < estimatedRows else { return }
    index.change(at: rank, to: height)
  }

  /// Measures rows that are estimates, the newest first, until about `budget` bytes of text are measured or all rows
  /// are.
  mutating func measure(_ list: inout PostList, budget: Int) {
    var budget = budget
    while budget > 0, estimatedRows > 0 {
      let ranks = max(0, estimatedRows - Self.rowsBetweenLooks)..<estimatedRows
      budget -= measure(ranks, of: &list)
      estimatedRows = ranks.lowerBound
    }
  }

  /// Measures rows, and returns about how much work that was, in bytes of text.
  @discardableResult
  private mutating func measure(_ ranks: Range<Int>, of list: inout PostList) -> Int {
    let keys = (0...Int(ThreadOrder.deepest)).map { key.at(depth: $0) }
    var work = 0
    var heights: [Int] = []
    heights.reserveCapacity(ranks.count)
    list.withTexts(in: ranks) { _, text, isRepost, depth in
      heights.append(keys[depth].height(of: text, isRepost: isRepost))
      work += text.count + Self.bytesOfWork
    }
    days?.add(to: &heights, from: ranks.lowerBound, of: &list)
    index.replace(from: ranks.lowerBound, with: heights.span)
    return work
  }

  /// What a row costs to measure beside its text, in bytes of text.
  private static let bytesOfWork = 64

  /// Follows changes of the list, which have led to what it is. O(changes log rows).
  mutating func follow(_ edits: [ListEdit], of list: inout PostList) {
    var begun = BegunDays()
    for edit in edits {
      switch edit {
      case .inserted(let rank, let post):
        index.insert(key.height(of: post), at: rank)
        if rank < estimatedRows { estimatedRows += 1 }
      case .changed(let rank, let post): index.change(at: rank, to: key.height(of: post))
      case .removed(let rank):
        index.remove(at: rank)
        if rank < estimatedRows { estimatedRows -= 1 }
      case .prepended(let count):
        index.insert(contentsOf: [Int](repeating: estimate, count: count).span, at: 0)
        estimatedRows += count
      case .replaced: preconditionFailure("heights of a list that was replaced are made again")
      }
      if days != nil { begun.note(edit) }
    }
    for rank in begun.ranks where estimatedRows..<list.count ~= rank { measure(rank..<rank + 1, of: &list) }
  }
}

/// The rows with which a day may begin since the list has changed, or may begin no longer: those that changed, and
/// their neighbours.
private struct BegunDays {
  /// Ascending, as of the last change.
  private(set) var ranks: [Int] = []

  mutating func note(_ edit: ListEdit) {
    switch edit {
    case .inserted(let rank, _):
      shift(from: rank, by: 1)
      for rank in rank - 1...rank + 1 { add(rank) }
    case .changed(let rank, _): add(rank)
    case .removed(let rank):
      if let index = ranks.lastIndex(of: rank) { ranks.remove(at: index) }
      shift(from: rank, by: -1)
      for rank in rank - 1...rank { add(rank) }
    case .prepended(let count):
      shift(from: 0, by: count)
      for rank in count - 1...count { add(rank) }
    case .replaced: ranks = []
    }
  }

  /// Edits come mostly at the newest end, where nothing is above them.
  private mutating func shift(from rank: Int, by distance: Int) {
    var index = ranks.count - 1
    while index >= 0, ranks[index] >= rank {
      ranks[index] += distance
      index -= 1
    }
  }

  private mutating func add(_ rank: Int) {
    var index = ranks.count
    while index > 0, ranks[index - 1] > rank { index -= 1 }
    if index == 0 || ranks[index - 1] != rank { ranks.insert(rank, at: index) }
  }
}

extension LayoutKey {
  /// The height of a post's row. O(length).
  func height(of post: StoredPost) -> Int {
    height(of: post.body.rowText.span, isRepost: post.repostedBy != nil)
  }
}
