internal import Dates
internal import OrderedCollections
internal import Posts
internal import ViewState

/// Which rows, and how they are cut.
struct HeightsKey: Hashable {
  var list: ListKey
  /// What is collapsed in it.
  var collapsed: [PostID] = []
  var layout: LayoutKey
  /// The name of the zone whose days are told by lines of their own; nil where none are.
  var daysZone: String?
}

/// Heights of rows, and who is interested in them.
struct Heights {
  var rows: RowHeights
  /// Slots of the scenes that show a pane measured by them.
  var users: Set<SceneSlot> = []
  /// When those were last told of them.
  var toldAt: Instant
}

extension StackEngine {
  /// Makes the heights of a list's rows in a layout unless they are there, or there is no room for more. O(rows), a
  /// byte each.
  mutating func makeHeights(_ key: HeightsKey, _ days: DayRule?) {
    guard heights[key] == nil, let list = lists[key.list] else { return }
    let room = limits.heightsBytes - RowHeights.bytes(rows: list.rowCount)
    while heightsBytes > room, let unused = heights.first(where: { $0.value.users.isEmpty })?.key {
      forgetHeights(unused)
    }
    guard heightsBytes <= room else { return }
    lists[key.list]!.isFollowed = true
    lists[key.list]!.arrange(key.collapsed)
    heights[key] = Heights(rows: lists[key.list]!.heights(in: key.layout, days), toldAt: now)
    if !heights[key]!.rows.isExact { measuring.append(key) }
  }

  /// A scene shows panes that are measured by other heights than before. Those that nobody shows any more are kept,
  /// unless they are not complete or too many.
  mutating func useHeights(_ new: [HeightsKey], insteadOf old: [HeightsKey], by slot: SceneSlot) {
    // They may have gone and been made again since the scene began to show them.
    for key in new { heights[key]?.users.insert(slot) }
    guard new != old else { return }
    for key in old where !new.contains(key) {
      guard heights[key]?.users.remove(slot) != nil, heights[key]!.users.isEmpty else { continue }
      // The one that was shown last is the last to go.
      let kept = heights.removeValue(forKey: key)!
      if kept.rows.isExact { heights[key] = kept } else { forgetHeights(key) }
    }
    let unused = heights.keys.filter { heights[$0]!.users.isEmpty }
    for key in unused.dropLast(limits.unusedHeights) { forgetHeights(key) }
  }

  /// The list is gone, and all that was measured of it.
  mutating func dropHeights(of list: ListKey) {
    for key in Array(heights.keys) where key.list == list { forgetHeights(key) }
  }

  /// Notes the heights of rows that a window shows, where they were estimates. O(rows of the window).
  mutating func noteHeights(of rows: [PlacedRow], from first: Int, in list: PostList, _ key: HeightsKey) {
    guard heights[key]?.rows.isExact == false else { return }
    for (offset, row) in rows.enumerated() {
      heights[key]!.rows.note(row.height, at: list.rank(ofDisplayed: first + offset))
    }
  }

  /// Brings the heights of a list's rows up to what has changed in it.
  mutating func followEdits(of list: ListKey) {
    guard lists[list]?.isFollowed == true else { return }
    let edits = lists[list]!.takeEdits()
    guard !edits.isEmpty else { return }
    var isShown = false
    for key in Array(heights.keys) where key.list == list {
      isShown = true
      lists[list]!.arrange(key.collapsed)
      if case .replaced = edits[0] {
        heights[key]!.rows = lists[list]!.heights(in: key.layout, heights[key]!.rows.days)
      } else {
        heights[key]!.rows.follow(edits, of: &lists[list]!)
      }
      if !heights[key]!.rows.isExact { measuring.append(key) }
    }
    lists[list]!.isFollowed = isShown
  }

  /// Measures some rows more. Views are told when all rows are measured, and of better estimates now and then.
  mutating func measureSlice() {
    guard let key = measuring.first else { return }
    lists[key.list]!.arrange(key.collapsed)
    heights[key]!.rows.measure(&lists[key.list]!, budget: limits.measuredBytes)
    let isDone = heights[key]!.rows.isExact
    if isDone { measuring.removeFirst() }
    guard isDone || now >= heights[key]!.toldAt.adding(milliseconds: limits.estimateMilliseconds) else { return }
    heights[key]!.toldAt = now
    for slot in heights[key]!.users.sorted() { touch(slot, isCommit: false) }
  }

  private mutating func forgetHeights(_ key: HeightsKey) {
    heights[key] = nil
    measuring.remove(key)
  }

  /// Bytes of all heights, once their lists are loaded.
  private var heightsBytes: Int {
    heights.keys.reduce(0) { $0 + RowHeights.bytes(rows: lists[$1.list]?.rowCount ?? 0) }
  }
}
