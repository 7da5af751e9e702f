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
    /// Their size.
    var bytes: Int
  }

  private let limits: EngineLimits
  // There may be thousands, so nothing that a view or a commit does walks over all of them.
  private var entries: [HeightsKey: Entry] = [:]
  /// Their keys by list, in the order in which they were made.
  private var keysByList: [ListKey: [HeightsKey]] = [:]
  /// The keys that no scene uses, in the order in which they were made or last used.
  private var unused: OrderedSet<HeightsKey> = []
  /// Size of all of them in bytes.
  private var totalBytes = 0
  /// Heights with unmeasured rows, in the order in which they were first shown.
  private var measuring: OrderedSet<HeightsKey> = []

  init(limits: EngineLimits) { self.limits = limits }

  /// The heights of a key; nil if none were made.
  subscript(key: HeightsKey) -> RowHeights? { entries[key]?.rows }

  /// True if rows still have to be measured.
  var isMeasuring: Bool { !measuring.isEmpty }

  /// Makes the heights of a list's rows in a layout, unless they exist or there is no room for more. O(rows), a byte
  /// each.
  mutating func make(_ key: HeightsKey, _ days: DayRule?, of lists: inout OpenLists, at now: Instant) {
    guard entries[key] == nil, let list = lists[key.list] else { return }
    let bytes = RowHeights.bytes(rows: list.rowCount)
    while totalBytes + bytes > limits.caches.heightsBytes, let oldest = unused.first { forget(oldest) }
    guard totalBytes + bytes <= limits.caches.heightsBytes else { return }
    // Only the rows that are folded in one and not in the other have other heights.
    let alike = keysByList[key.list]?.last { key.isLike($0) }.flatMap { other in
      entries[other].map { (rows: $0.rows, unfolded: other.unfolded) }
    }
    let rows = lists.read(key.list) { list in
      list.recordsEdits = true
      list.arrange(key.collapsed, unfolded: key.unfolded)
      guard let alike else { return RowHeights(key.layout, days, of: &list) }
      let other = Set(alike.unfolded).symmetricDifference(key.unfolded)
      return RowHeights(alike.rows, folding: other.sorted(), of: &list)
    }
    guard let rows else { return }
    entries[key] = Entry(rows: rows, notifiedAt: now, bytes: bytes)
    totalBytes += bytes
    keysByList[key.list, default: []].append(key)
    unused.append(key)
    if !rows.isExact { measuring.append(key) }
  }

  /// Records that a scene's panes are measured with other heights than before. Heights that no scene uses any more are
  /// kept, unless they are incomplete or too many. O(panes).
  mutating func use(_ new: [HeightsKey], insteadOf old: [HeightsKey], by slot: SceneSlot) {
    // They may have been dropped and made again since the scene began to show them.
    for key in new {
      entries[key]?.users.insert(slot)
      unused.remove(key)
    }
    guard new != old else { return }
    for key in old where !new.contains(key) {
      guard entries[key]?.users.remove(slot) != nil, let left = entries[key], left.users.isEmpty else { continue }
      if left.rows.isExact { unused.append(key) } else { forget(key) }
    }
    while unused.count > limits.caches.unusedHeights, let oldest = unused.first { forget(oldest) }
  }

  /// Drops all heights of a list that was closed.
  mutating func drop(_ list: ListKey) {
    for key in keysByList[list] ?? [] { forget(key) }
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
      let keys = keysByList[list.key] ?? []
      for key in keys {
        list.arrange(key.collapsed, unfolded: key.unfolded)
        if case .replaced = first {
          entries[key].map { entries[key]?.rows = RowHeights(key.layout, $0.rows.days, of: &list) }
        } else {
          entries[key]?.rows.applyEdits(edits, of: &list)
        }
        if entries[key]?.rows.isExact == false { measuring.append(key) }
        setBytes(RowHeights.bytes(rows: list.rowCount), of: key)
      }
      list.recordsEdits = !keys.isEmpty
    }
  }

  /// Measures some more rows, and returns the scenes to notify: when all rows are measured, and from time to time of
  /// better estimates.
  mutating func measureSlice(of lists: inout OpenLists, at now: Instant) -> [SceneSlot] {
    guard let key = measuring.first else { return [] }
    lists.read(key.list) { list in
      list.arrange(key.collapsed, unfolded: key.unfolded)
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
    for key in entries.keys { entries[key].map { entries[key]?.notifiedAt = min($0.notifiedAt, now) } }
  }

  private mutating func setBytes(_ bytes: Int, of key: HeightsKey) {
    totalBytes += bytes - (entries[key]?.bytes ?? bytes)
    entries[key]?.bytes = bytes
  }

  private mutating func forget(_ key: HeightsKey) {
    setBytes(0, of: key)
    entries[key] = nil
    unused.remove(key)
    measuring.remove(key)
    keysByList[key.list]?.removeAll { $0 == key }
    if keysByList[key.list]?.isEmpty == true { keysByList[key.list] = nil }
  }
}
