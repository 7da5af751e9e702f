internal import Dates
internal import OrderedCollections
internal import Posts
internal import ViewState

/// The heights of rows, for each list and layout that is shown or was.
struct HeightsTable {
  private struct Entry {
    var rows: RowHeights
    /// The scenes that show a pane measured by them.
    var users: Set<SceneSlot> = []
    /// When those were last told of them.
    var toldAt: Instant
  }

  private let limits: EngineLimits
  private var entries: OrderedDictionary<HeightsKey, Entry> = [:]
  /// Those of which rows are yet to be measured, in the order in which they were first shown.
  private var measuring: OrderedSet<HeightsKey> = []

  init(limits: EngineLimits) { self.limits = limits }

  /// Heights that are kept, in the order in which they were made or last shown.
  var keys: [HeightsKey] { Array(entries.keys) }

  /// The heights of rows; nil where none were made.
  subscript(key: HeightsKey) -> RowHeights? { entries[key]?.rows }

  /// Whether rows are yet to be measured.
  var isMeasuring: Bool { !measuring.isEmpty }

  /// Makes the heights of a list's rows in a layout unless they are there, or there is no room for more. O(rows), a
  /// byte each.
  mutating func make(_ key: HeightsKey, _ days: DayRule?, of lists: inout OpenLists, at now: Instant) {
    guard entries[key] == nil, let list = lists[key.list] else { return }
    let room = limits.caches.heightsBytes - RowHeights.bytes(rows: list.rowCount)
    while bytes(of: lists) > room, let unused = entries.first(where: { $0.value.users.isEmpty })?.key {
      forget(unused)
    }
    guard bytes(of: lists) <= room else { return }
    let rows = lists.read(key.list) { list in
      list.isFollowed = true
      list.arrange(key.collapsed)
      return RowHeights(key.layout, days, of: &list)
    }
    guard let rows else { return }
    entries[key] = Entry(rows: rows, toldAt: now)
    if !rows.isExact { measuring.append(key) }
  }

  /// A scene shows panes that are measured by other heights than before. Those that nobody shows any more are kept,
  /// unless they are not complete or too many.
  mutating func use(_ new: [HeightsKey], insteadOf old: [HeightsKey], by slot: SceneSlot) {
    // They may have gone and been made again since the scene began to show them.
    for key in new { entries[key]?.users.insert(slot) }
    guard new != old else { return }
    for key in old where !new.contains(key) {
      guard entries[key]?.users.remove(slot) != nil, let left = entries[key], left.users.isEmpty else { continue }
      guard left.rows.isExact else {
        forget(key)
        continue
      }
      // The one that was shown last is the last to go.
      entries[key] = nil
      entries[key] = left
    }
    let unused = entries.filter { $0.value.users.isEmpty }.keys
    for key in unused.dropLast(limits.caches.unusedHeights) { forget(key) }
  }

  /// A list is closed, and all that was measured of it goes.
  mutating func drop(_ list: ListKey) {
    for key in keys where key.list == list { forget(key) }
  }

  /// Notes the heights of rows that a window shows, where they were estimates. O(rows of the window).
  mutating func note(_ rows: [PlacedRow], from first: Int, in list: PostList, _ key: HeightsKey) {
    guard entries[key]?.rows.isExact == false else { return }
    for (offset, row) in rows.enumerated() {
      entries[key]?.rows.note(row.height, at: list.rank(ofDisplayed: first + offset))
    }
  }

  /// Brings the heights of a list's rows up to what has changed in it.
  mutating func follow(_ key: ListKey, of lists: inout OpenLists) {
    guard lists[key]?.isFollowed == true else { return }
    lists.read(key) { list in
      let edits = list.takeEdits()
      guard let first = edits.first else { return }
      var isShown = false
      for key in keys where key.list == list.key {
        isShown = true
        list.arrange(key.collapsed)
        if case .replaced = first {
          entries[key].map { entries[key]?.rows = RowHeights(key.layout, $0.rows.days, of: &list) }
        } else {
          entries[key]?.rows.follow(edits, of: &list)
        }
        if entries[key]?.rows.isExact == false { measuring.append(key) }
      }
      list.isFollowed = isShown
    }
  }

  /// Measures some rows more, and returns the scenes that are to be told: when all rows are measured, and of better
  /// estimates now and then.
  mutating func measureSlice(of lists: inout OpenLists, at now: Instant) -> [SceneSlot] {
    guard let key = measuring.first else { return [] }
    lists.read(key.list) { list in
      list.arrange(key.collapsed)
      entries[key]?.rows.measure(&list, budget: limits.caches.measuredBytes)
    }
    guard let entry = entries[key] else { return [] }
    if entry.rows.isExact { measuring.removeFirst() }
    guard entry.rows.isExact || now >= entry.toldAt.adding(milliseconds: limits.caches.estimateMilliseconds) else {
      return []
    }
    entries[key]?.toldAt = now
    return entry.users.sorted()
  }

  /// The clock was set back: what was told lies in the future.
  mutating func clockWentBack(to now: Instant) {
    for key in keys { entries[key].map { entries[key]?.toldAt = min($0.toldAt, now) } }
  }

  private mutating func forget(_ key: HeightsKey) {
    entries[key] = nil
    measuring.remove(key)
  }

  /// Bytes of all heights, once their lists are loaded.
  private func bytes(of lists: OpenLists) -> Int {
    entries.keys.reduce(0) { $0 + RowHeights.bytes(rows: lists[$1.list]?.rowCount ?? 0) }
  }
}
