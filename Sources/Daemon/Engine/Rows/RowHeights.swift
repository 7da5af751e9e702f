internal import Posts
internal import TextLayout
internal import ViewState

/// The heights of a list's loaded rows in one layout, oldest first. They determine a pane's scroll bar.
///
/// Rows in a window, committed rows and the newest ones are measured at once. All others count as ``estimate`` until
/// ``measure(_:budget:)`` reaches them, from the newest to the oldest. The unmeasured rows are thus a prefix, whose
/// length is one number (docs/BEHAVIOUR.md, rule 22).
struct RowHeights {
  private var index = HeightsIndex()
  /// Rows of lower ranks may still count as ``estimate``.
  private(set) var estimatedRows = 0
  /// The height of a row that was not measured.
  let estimate: Int
  private let key: LayoutKey
  /// Nil if there are no day lines.
  let days: DayRule?

  /// Number of rows measured on creation: those that a reader is about to see.
  private static let rowsAtOnce = 256
  /// Number of rows measured between two checks of the budget.
  private static let rowsBetweenChecks = 32
  /// Number of rows, spread over the list, whose mean height is the estimate.
  private static let samples = 64

  /// Creates the heights of a list's rows. O(rows), a byte each; about three hundred rows are measured.
  init(_ key: LayoutKey, _ days: DayRule?, of list: inout PostList) {
    self.key = key
    self.days = days
    let count = list.count
    let measured = min(count, Self.rowsAtOnce)
    let samples = min(count, Self.samples)
    var sum = 0
    for sample in 0..<samples { sum += key.height(of: list.post(atRank: sample * count / samples), in: list) }
    estimate = key.heightScale.nearest(to: samples == 0 ? key.estimatedHeight : (sum + samples / 2) / samples)
    estimatedRows = count - measured
    index = HeightsIndex(repeating: estimate, count: count, scale: key.heightScale)
    measure(estimatedRows..<count, of: &list)
  }

  /// Creates the heights of the same rows, of which others are folded. O(rows), copied, and the changed rows measured.
  init(_ other: RowHeights, folding changed: [PostID], of list: inout PostList) {
    self = other
    for row in changed {
      guard let rank = list.rank(ofRow: row), rank >= estimatedRows else { continue }
      measure(rank..<rank + 1, of: &list)
    }
  }

  /// True when every row is measured.
  var isExact: Bool { estimatedRows == 0 }

  /// The height of all rows.
  var total: Int { index.total }

  /// Returns the approximate size of the heights of this many rows: a byte per row, sums, and room for further rows.
  static func bytes(rows: Int) -> Int { 256 + rows * 3 / 2 }

  /// Returns the height of all rows of ranks lower than `rank`, which may be the number of rows. O(log rows).
  func height(below rank: Int) -> Int { index.offset(ofRow: rank) }

  /// Returns the rank of the row at a line, counted from the top in display order; the nearest row for a line out of
  /// range; nil if there are no lines. O(log rows).
  func rank(atLine line: Int, newestFirst: Bool) -> Int? {
    index.row(atOffset: newestFirst ? total - 1 - line : line)?.row
  }

  /// Replaces an estimate with the height of a row that was laid out. O(log rows).
  mutating func setHeight(_ height: Int, at rank: Int) {
    guard rank < estimatedRows else { return }
    index.change(at: rank, to: height)
  }

  /// Measures unmeasured rows, newest first, until about `budget` bytes of text or all rows are measured.
  mutating func measure(_ list: inout PostList, budget: Int) {
    var budget = budget
    while budget > 0, estimatedRows > 0 {
      let ranks = max(0, estimatedRows - Self.rowsBetweenChecks)..<estimatedRows
      budget -= measure(ranks, of: &list)
      estimatedRows = ranks.lowerBound
    }
  }

  /// Measures rows and returns the approximate work, in bytes of text.
  @discardableResult
  private mutating func measure(_ ranks: Range<Int>, of list: inout PostList) -> Int {
    let keys = (0...Int(ThreadOrder.deepest)).map { key.at(depth: $0) }
    var work = 0
    var heights: [Int] = []
    heights.reserveCapacity(ranks.count)
    list.withTexts(in: ranks) { _, text, parts, depth in
      heights.append(keys[depth].height(of: text, parts))
      work += text.count + Self.bytesOfWork
    }
    for row in list.wholeRows where key.folding != .none {
      guard let rank = list.rank(ofRow: row), ranks.contains(rank) else { continue }
      let own = keys[list.depth(ofRank: rank)]
      heights[rank - ranks.lowerBound] = own.height(of: list.post(atRank: rank), in: list)
    }
    days?.add(to: &heights, from: ranks.lowerBound, of: &list)
    index.replace(from: ranks.lowerBound, with: heights.span)
    return work
  }

  /// Fixed cost of measuring a row, in bytes of text.
  private static let bytesOfWork = 64

  /// Applies edits that have led to the current list. O(edits log rows).
  mutating func applyEdits(_ edits: [ListEdit], of list: inout PostList) {
    var begun = BegunDays()
    for edit in edits {
      switch edit {
      case .inserted(let rank, let post):
        index.insert(key.height(of: post, in: list), at: rank)
        if rank < estimatedRows { estimatedRows += 1 }
      case .changed(let rank, let post): index.change(at: rank, to: key.height(of: post, in: list))
      case .removed(let rank):
        index.remove(at: rank)
        if rank < estimatedRows { estimatedRows -= 1 }
      case .prepended(let count):
        index.insert(contentsOf: [Int](repeating: estimate, count: count).span, at: 0)
        estimatedRows += count
      case .replaced: preconditionFailure("heights of a replaced list must be rebuilt")
      }
      if days != nil { begun.recordEdit(edit) }
    }
    for rank in begun.ranks where estimatedRows..<list.count ~= rank { measure(rank..<rank + 1, of: &list) }
  }
}

/// The rows that may have become, or ceased to be, the first of a day: changed rows and their neighbours.
private struct BegunDays {
  /// Ascending, as of the last edit.
  private(set) var ranks: [Int] = []

  mutating func recordEdit(_ edit: ListEdit) {
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

  /// Shifts the ranks from `rank` on. Most edits are at the newest end, where no rank needs to move.
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
  /// Returns the height of a post's row as `account` sees it. O(length).
  func height(of post: StoredPost, for account: AccountID?) -> Int {
    height(of: post.body.rowText.span, RowParts(post, for: account))
  }

  /// Returns the height of a post's row in a list. O(length).
  func height(of post: StoredPost, in list: PostList) -> Int {
    with(list.folding(of: post.id)).height(of: post, for: list.key.account)
  }
}
