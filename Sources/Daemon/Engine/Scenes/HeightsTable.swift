internal import Dates
internal import OrderedCollections
internal import Posts
internal import ViewState

/// Row heights of each list and layout that is shown or was.
struct HeightsTable {
  private struct Entry {
    var rows: RowHeights
    /// Scenes that show a pane measured with them.
    var users: Set<SceneSlot> = []
    /// Instant at which those scenes were last notified of them.
    var notifiedAt: Instant
  }

  private let limits: EngineLimits
  private var entries: OrderedDictionary<HeightsKey, Entry> = [:]
  /// Heights with unmeasured rows, in the order in which they were first shown.
  private var measuring: OrderedSet<HeightsKey> = []

  init(limits: EngineLimits) { self.limits = limits }

  /// Keys of all heights, in the order in which they were made or last shown.
  var keys: [HeightsKey] { Array(entries.keys) }

  /// The heights of a key; nil if none were made.
  subscript(key: HeightsKey) -> RowHeights? { entries[key]?.rows }

  /// True if rows still have to be measured.
  var isMeasuring: Bool { !measuring.isEmpty }

  /// Makes the heights of a list's rows in a layout, unless they exist or there is no room for more. O(rows), a byte
  /// each.
  mutating func make(_ key: HeightsKey, _ days: DayRule?, of lists: inout OpenLists, at now: Instant) {
    guard entries[key] == nil, let list = lists[key.list] else { return }
    let room = limits.caches.heightsBytes - RowHeights.bytes(rows: list.rowCount)
    while bytes(of: lists) > room, let unused = entries.first(where: { $0.value.users.isEmpty })?.key {
      forget(unused)
    }
    guard bytes(of: lists) <= room else { return }
    let rows = lists.read(key.list) { list in
      list.recordsEdits = true
      list.arrange(key.collapsed)
      return RowHeights(key.layout, days, of: &list)
    }
    guard let rows else { return }
    entries[key] = Entry(rows: rows, notifiedAt: now)
    if !rows.isExact { measuring.append(key) }
  }

  /// Records that a scene's panes are measured with other heights than before. Heights that no scene uses any more are
  /// kept, unless they are incomplete or too many.
  mutating func use(_ new: [HeightsKey], insteadOf old: [HeightsKey], by slot: SceneSlot) {
    // They may have been dropped and made again since the scene began to show them.
    for key in new { entries[key]?.users.insert(slot) }
    guard new != old else { return }
    for key in old where !new.contains(key) {
      guard entries[key]?.users.remove(slot) != nil, let left = entries[key], left.users.isEmpty else { continue }
      guard left.rows.isExact else {
        forget(key)
        continue
      }
      // The heights shown last are dropped last.
      entries[key] = nil
      entries[key] = left
    }
    let unused = entries.filter { $0.value.users.isEmpty }.keys
    for key in unused.dropLast(limits.caches.unusedHeights) { forget(key) }
  }

  /// Drops all heights of a list that was closed.
  mutating func drop(_ list: ListKey) {
    for key in keys where key.list == list { forget(key) }
  }

  /// Records the heights of a window's rows, where they were estimates. O(rows of the window).
  mutating func recordHeights(of rows: [PlacedRow], from first: Int, in list: PostList, _ key: HeightsKey) {
    guard entries[key]?.rows.isExact == false else { return }
    for (offset, row) in rows.enumerated() {
      entries[key]?.rows.setHeight(row.height, at: list.rank(ofDisplayed: first + offset))
    }
  }

  /// Applies the edits of a list to its row heights.
  mutating func applyEdits(of key: ListKey, in lists: inout OpenLists) {
    guard lists[key]?.recordsEdits == true else { return }
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
          entries[key]?.rows.applyEdits(edits, of: &list)
        }
        if entries[key]?.rows.isExact == false { measuring.append(key) }
      }
      list.recordsEdits = isShown
    }
  }

  /// Measures some more rows, and returns the scenes to notify: when all rows are measured, and from time to time of
  /// better estimates.
  mutating func measureSlice(of lists: inout OpenLists, at now: Instant) -> [SceneSlot] {
    guard let key = measuring.first else { return [] }
    lists.read(key.list) { list in
      list.arrange(key.collapsed)
      entries[key]?.rows.measure(&list, budget: limits.caches.measuredBytes)
    }
    guard let entry = entries[key] else { return [] }
    if entry.rows.isExact { measuring.removeFirst() }
    guard entry.rows.isExact || now >= entry.notifiedAt.adding(milliseconds: limits.caches.estimateMilliseconds) else {
      return []
    }
    entries[key]?.notifiedAt = now
    return entry.users.sorted()
  }

  /// Adjusts recorded instants to a clock that was set back.
  mutating func clockWentBack(to now: Instant) {
    for key in keys { entries[key].map { entries[key]?.notifiedAt = min($0.notifiedAt, now) } }
  }

  private mutating func forget(_ key: HeightsKey) {
    entries[key] = nil
    measuring.remove(key)
  }

  /// Returns the size in bytes of all heights, once their lists are loaded.
  private func bytes(of lists: OpenLists) -> Int {
    entries.keys.reduce(0) { $0 + RowHeights.bytes(rows: lists[$1.list]?.rowCount ?? 0) }
  }
}
