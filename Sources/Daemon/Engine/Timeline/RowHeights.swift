internal import Posts
internal import TextLayout
internal import ViewState

/// The heights of a list's loaded rows, laid out for one key, oldest first: what a pane's scroll bar is made from.
///
/// Rows that a window shows, rows that are committed and the newest ones are measured at once. All others count as an estimate until
/// ``measure(_:of:_:)`` has come to them, from the newest to the oldest; so "not measured" is a prefix, and one number says
/// how long it is (rule 22).
struct RowHeights {
  private var index = HeightsIndex()
  /// Rows of a lower rank may still count as ``estimate``.
  private(set) var estimatedRows = 0
  /// What a row counts for that was not measured.
  let estimate: Int

  /// Rows measured when the heights are made: what a reader is about to see.
  private static let rowsAtOnce = 256
  /// Rows, spread over the list, of which the mean height is the estimate.
  private static let samples = 64

  /// The heights of a list's rows. O(rows), a byte each; some three hundred are measured.
  init(_ key: LayoutKey, of columns: inout PostColumns) {
    let count = columns.count
    let measured = min(count, Self.rowsAtOnce)
    var sum = 0
    let samples = min(count, Self.samples)
    for sample in 0..<samples { sum += key.height(of: columns.post(at: sample * count / samples).post) }
    let estimate = samples == 0 ? key.estimatedHeight : (sum + samples / 2) / samples
    self.estimate = estimate
    estimatedRows = count - measured
    index = HeightsIndex(count: estimatedRows) { _ in estimate }
    for rank in estimatedRows..<count { index.append(key.height(of: columns.post(at: rank).post)) }
  }

  /// Whether every row is measured.
  var isExact: Bool { estimatedRows == 0 }

  /// Rows.
  var count: Int { index.count }

  /// Height of all rows.
  var total: Int { index.total }

  /// Bytes that the heights of so many rows take, about: a byte a row, sums, and room for rows to come.
  static func bytes(rows: Int) -> Int { 256 + rows * 3 / 2 }

  /// Height of the rows of lower rank than `rank`, which may be ``count``. O(log rows).
  func height(below rank: Int) -> Int { index.offset(ofRow: rank) }

  /// Notes how high a row is that was laid out. O(log rows).
  mutating func note(_ height: Int, at rank: Int) {
    guard rank < estimatedRows else { return }
    index.change(at: rank, to: height)
  }

  /// Measures rows that are estimates, the newest first, until about `budget` bytes of text are measured or all rows are.
  mutating func measure(_ key: LayoutKey, of columns: inout PostColumns, budget: Int) {
    var budget = budget
    while budget > 0, estimatedRows > 0 {
      estimatedRows -= 1
      let post = columns.post(at: estimatedRows).post
      index.change(at: estimatedRows, to: key.height(of: post))
      budget -= post.body.bytes.count + Self.bytesOfWork
    }
  }

  /// What a row costs to measure beside its text, in bytes of text.
  private static let bytesOfWork = 64

  /// Follows a change of the list.
  mutating func follow(_ edit: ListEdit, _ key: LayoutKey) {
    switch edit {
    case .inserted(let rank, let post):
      index.insert(key.height(of: post), at: rank)
      if rank < estimatedRows { estimatedRows += 1 }
    case .changed(let rank, let post): index.change(at: rank, to: key.height(of: post))
    case .removed(let rank):
      index.remove(at: rank)
      if rank < estimatedRows { estimatedRows -= 1 }
    case .prepended(let count):
      for _ in 0..<count { index.insert(estimate, at: 0) }
      estimatedRows += count
    case .replaced: preconditionFailure("heights of a list that was replaced are made again")
    }
  }
}

/// A change of a list's rows, by rank from the oldest at the time of the change.
enum ListEdit {
  /// A row came to stand at `rank`.
  case inserted(rank: Int, StoredPost)
  /// The row at `rank` reads differently.
  case changed(rank: Int, StoredPost)
  /// The row at `rank` went.
  case removed(rank: Int)
  /// Older rows were put before all others.
  case prepended(count: Int)
  /// Nothing is as it was.
  case replaced
}

extension LayoutKey {
  /// The height of a post's row. O(length).
  func height(of post: StoredPost) -> Int {
    measure(post.body.rowText, isRepost: post.repostedBy != nil).height
  }

  /// The height of what is above a row's text.
  func heightAboveText(isRepost: Bool) -> Int { isRepost ? 2 : 1 }

  /// The height of a line of text.
  var lineHeight: Int { 1 }

  /// What a row counts for where nothing was measured: two lines of text.
  var estimatedHeight: Int { 5 }
}

extension PackedBody {
  /// What a row says: the post's text, or that it cannot be read.
  var rowText: [UInt8] { unpacked()?.text.utf8 ?? Array("This post is damaged in the store.".utf8) }
}
