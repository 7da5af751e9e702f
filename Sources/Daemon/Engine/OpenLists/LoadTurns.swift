internal import OrderedCollections
internal import Posts

/// The order in which searches that only ephemeral sessions show are read: one page of one list at a time, so that
/// whatever else is asked of the store and the loop waits for one page at most. Accounts take turns, and first pages
/// come before later ones.
struct LoadTurns {
  private struct Waiting {
    var first: OrderedSet<ListKey> = []
    var later: OrderedSet<ListKey> = []
  }

  /// The account whose turn it is comes first.
  private var waiting: OrderedDictionary<AccountID, Waiting> = [:]
  /// The slot of the list whose page is being read; nil for none.
  private var reading: UInt32?

  /// True if the next list may be read.
  var isFree: Bool { reading == nil }

  /// Adds a list that needs a page, its first or a later one, unless it waits already.
  mutating func wait(_ key: ListKey, isFirst: Bool) {
    guard let account = key.account else { return }
    if isFirst {
      waiting[account, default: Waiting()].first.append(key)
    } else {
      waiting[account, default: Waiting()].later.append(key)
    }
  }

  /// Removes a list.
  mutating func remove(_ key: ListKey) {
    guard let account = key.account, var lists = waiting[account] else { return }
    lists.first.remove(key)
    lists.later.remove(key)
    waiting[account] = lists.first.isEmpty && lists.later.isEmpty ? nil : lists
  }

  /// Removes and returns the list whose turn it is; nil if none waits.
  mutating func next() -> ListKey? {
    guard let (account, lists) = waiting.elements.first, let key = lists.first.first ?? lists.later.first else {
      return nil
    }
    remove(key)
    // The account's other lists wait behind those of all others.
    if let rest = waiting.removeValue(forKey: account) { waiting[account] = rest }
    return key
  }

  /// Records that a page of the list in `slot` is being read.
  mutating func begin(_ slot: UInt32) { reading = slot }

  /// Records that a page was read or could not be read. Returns false if that was no turn.
  mutating func end(_ slot: UInt32) -> Bool {
    guard reading == slot else { return false }
    reading = nil
    return true
  }
}
