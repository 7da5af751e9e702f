internal import Dates
internal import OrderedCollections
internal import Posts
internal import ViewState

/// Which rows, and how they are cut.
struct HeightsKey: Hashable {
  var list: ListKey
  var layout: LayoutKey
}

/// Heights of rows, and who is interested in them.
struct Heights {
  var rows: RowHeights
  /// Scenes that show a pane measured by them.
  var users = 0
  /// When those were last told of them.
  var toldAt: Instant
}

extension StackEngine {
  /// Makes the heights of a list's rows in a layout unless they are there, or there is no room for more. O(rows), a byte each.
  mutating func makeHeights(_ key: HeightsKey) {
    guard heights[key] == nil, let list = lists[key.list] else { return }
    let room = limits.heightsBytes - RowHeights.bytes(rows: list.columns.count)
    while heightsBytes > room, let unused = heights.first(where: { $0.value.users == 0 })?.key { forgetHeights(unused) }
    guard heightsBytes <= room else { return }
    lists[key.list]!.isFollowed = true
    heights[key] = Heights(rows: lists[key.list]!.heights(in: key.layout), toldAt: now)
    if !heights[key]!.rows.isExact { measuring.append(key) }
  }

  /// A scene shows panes that are measured by other heights than before. Those that nobody shows any more are kept, unless they are
  /// not complete or too many.
  mutating func useHeights(_ new: [HeightsKey], insteadOf old: [HeightsKey]) {
    guard new != old else { return }
    for key in new { heights[key]?.users += 1 }
    for key in old {
      guard let entry = heights[key] else { continue }
      heights[key]!.users -= 1
      guard entry.users == 1 else { continue }
      // The one that was shown last is the last to go.
      let kept = heights.removeValue(forKey: key)!
      if kept.rows.isExact { heights[key] = kept } else { forgetHeights(key) }
    }
    let unused = heights.filter { $0.value.users == 0 }
    for key in unused.keys.dropLast(limits.unusedHeights) { forgetHeights(key) }
  }

  /// The list is gone, and all that was measured of it.
  mutating func dropHeights(of list: ListKey) {
    for key in Array(heights.keys) where key.list == list { forgetHeights(key) }
  }

  /// Notes the heights of rows that a window shows, where they were estimates. O(rows of the window).
  mutating func noteHeights(of window: Window, in list: PostList, _ key: HeightsKey) {
    guard let entry = heights[key], !entry.rows.isExact else { return }
    for (offset, row) in window.rows.enumerated() {
      heights[key]!.rows.note(row.layout.height, at: list.rank(ofDisplayed: window.first + offset))
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
      for edit in edits {
        if case .replaced = edit {
          heights[key]!.rows = lists[list]!.heights(in: key.layout)
        } else {
          heights[key]!.rows.follow(edit, key.layout)
        }
      }
      if !heights[key]!.rows.isExact { measuring.append(key) }
    }
    lists[list]!.isFollowed = isShown
  }

  /// Measures some rows more. Views are told when all rows are measured, and of better estimates now and then.
  mutating func measureSlice() {
    guard let key = measuring.first else { return }
    lists[key.list]!.measure(&heights[key]!.rows, in: key.layout, budget: limits.measuredBytes)
    let isDone = heights[key]!.rows.isExact
    if isDone { measuring.removeFirst() }
    guard isDone || now >= heights[key]!.toldAt.adding(milliseconds: limits.estimateMilliseconds) else { return }
    heights[key]!.toldAt = now
    let sessions = watching[key.list] ?? []
    for slot in sessions.flatMap({ self.sessions[$0]?.scenes ?? [] }) where scenes[slot]!.heights.contains(key) {
      touch(slot, isCommit: false)
    }
  }

  private mutating func forgetHeights(_ key: HeightsKey) {
    heights[key] = nil
    measuring.remove(key)
  }

  /// Bytes of all heights.
  private var heightsBytes: Int { heights.values.reduce(0) { $0 + RowHeights.bytes(rows: $1.rows.count) } }
}
