internal import Posts

/// How far the store has been read for a list, from the newest post down.
struct ReadingProgress {
  /// True once every row is there, of this reading or an earlier one.
  private(set) var isComplete = false
  /// True once the store has been read to the end since the list was last to be read again.
  private(set) var isCurrent = false
  /// Down to where it has been read since then; nil for not at all.
  private(set) var cursor: OrderKey?
  /// Down to where every row is there; nil while none is.
  private(set) var floor: OrderKey?
  /// The newest revision of the store that a page was read at.
  private(set) var readAt: UInt64 = 0
  /// How many posts are not loaded yet, as the store last said.
  var missing = 0
  /// True while something is on its way from the store.
  var isLoading = false
  /// What is on its way is not what the list waits for.
  var isRestarted = false

  /// Has everything read again, from the newest post on.
  mutating func restart() {
    isCurrent = false
    cursor = nil
    if isLoading { isRestarted = true }
  }

  /// A page was read down to `end`, as of a revision; nil for the end of the list.
  mutating func advance(to end: OrderKey?, at revision: UInt64) {
    readAt = max(readAt, revision)
    cursor = end
    floor = end.map { end in min(end, floor ?? end) }
  }

  /// Everything is there.
  mutating func finish() {
    isComplete = true
    isCurrent = true
    cursor = nil
    missing = 0
  }

  /// Reads on from a key: there is room for more rows.
  mutating func goOn(from key: OrderKey?) {
    isCurrent = false
    cursor = key
  }

  /// Notes about how many posts are not loaded yet: at least one where not all are.
  mutating func noteMissing(_ count: Int) { missing = isComplete ? 0 : max(1, count) }
}

/// What is known of a list beside its posts.
struct KnownFacts {
  var facts: ListFacts?
  /// Nothing can be shown before they are there.
  var isLacking: Bool
  /// They are on their way.
  var areLoading = false
  /// They have changed since they were asked for.
  var areOutdated = false
  /// The engine's revision when they came to be what they are.
  var changedAt: UInt64 = 0

  init(isLacking: Bool) { self.isLacking = isLacking }
}
