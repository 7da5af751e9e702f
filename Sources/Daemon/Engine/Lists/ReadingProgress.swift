internal import Posts

/// A list's progress through the store, from the newest post down.
struct ReadingProgress {
  /// True once every row is loaded, by this pass over the store or an earlier one.
  private(set) var isComplete = false
  /// True once the store has been read to the end since the last restart.
  private(set) var isCurrent = false
  /// The key down to which it has been read since then; nil if nothing was read.
  private(set) var cursor: OrderKey?
  /// The key down to which every row is loaded; nil before the first page.
  private(set) var floor: OrderKey?
  /// The newest revision at which a page was read.
  private(set) var readAt: UInt64 = 0
  /// Number of posts that are not loaded, by the store's last count.
  var missing = 0
  /// True while a load is under way.
  var isLoading = false
  /// True if the list was restarted during the load, so that its result is obsolete.
  var isRestarted = false

  /// Starts to read everything again, from the newest post.
  mutating func restart() {
    isCurrent = false
    cursor = nil
    if isLoading { isRestarted = true }
  }

  /// Records a page that was read down to `end`, as of a revision; nil means the end of the list.
  mutating func advance(to end: OrderKey?, at revision: UInt64) {
    readAt = max(readAt, revision)
    cursor = end
    floor = end.map { end in min(end, floor ?? end) }
  }

  /// Records that every row is loaded.
  mutating func finish() {
    isComplete = true
    isCurrent = true
    cursor = nil
    missing = 0
  }

  /// Continues to read from a key, because there is room for more rows.
  mutating func resume(from key: OrderKey?) {
    isCurrent = false
    cursor = key
  }

  /// Sets the approximate number of posts that are not loaded: at least one unless the list is complete.
  mutating func noteMissing(_ count: Int) { missing = isComplete ? 0 : max(1, count) }
}

/// The facts about a list, and the state of their loads.
struct KnownFacts {
  var facts: ListFacts?
  /// True while the list cannot be shown for lack of them.
  var isLacking: Bool
  /// True while they are being loaded.
  var areLoading = false
  /// True if they have changed since they were requested.
  var areOutdated = false
  /// The engine's revision at their last change.
  var changedAt: UInt64 = 0

  init(isLacking: Bool) { self.isLacking = isLacking }
}
