internal import OrderedCollections
internal import Posts
internal import Search

/// Rows leave when somebody is muted, and return when that is taken back (behaviour.md, rule 48).
extension StackEngine {
  /// What becomes of a post that belongs to a list.
  enum Standing {
    /// The account may not see it.
    case barred
    /// The account does not want to see it.
    case withheld
    /// It is a row.
    case shown
  }

  /// What becomes of a post in a list, if it belongs there.
  mutating func standing(of post: StoredPost, in key: ListKey) -> Standing {
    guard sight.includes(post.audience, key.account) else { return .barred }
    return withholds(post, from: key) ? .withheld : .shown
  }

  /// Whether a post that the account may see is no row of a list to which it belongs.
  mutating func withholds(_ post: StoredPost, from key: ListKey) -> Bool {
    if hush.withholds(post, from: key) { return true }
    guard case .filtered(_, let filter) = key else { return false }
    return !passes(post, filter, for: key.account)
  }

  /// Takes what an account does not want to see: what it does not want to see any more leaves the open lists at once,
  /// and what it wants to see again is read from the store. Returns the slots of lists that this changes.
  @discardableResult
  mutating func learn(_ quiet: Quiet, of account: AccountID, at revision: UInt64) -> [UInt32] {
    guard let old = hush.learn(quiet, of: account, at: revision) else { return [] }
    let slots = index.lists(of: account).filter { (index.key(of: $0)?.quietness ?? .none) != .none }
    let isLess =
      !quiet.muted.union(quiet.blocked).isSuperset(of: old.muted.union(old.blocked))
      || !quiet.words.isSuperset(of: old.words)
      || !old.isEmpty && quiet.own != old.own
    for slot in slots {
      let key = index.key(of: slot)!
      let isWhole = withhold(from: key, hasNewWords: !quiet.words.isSubset(of: old.words))
      index.note(lists[key]!.takeMoves(), of: slot)
      if isLess || !isWhole { restart(key) } else { loadMore(key) }
    }
    if navigations[account] != nil {
      navigations[account]!.isOutdated = true
      if !navigations[account]!.isLoading { loadNavigation(account) }
    }
    return slots
  }

  /// Takes the rows out of a list that its account does not want to see; false where not all were looked at, because
  /// there are so many.
  private mutating func withhold(from key: ListKey, hasNewWords: Bool) -> Bool {
    let quiet = hush.quiet(of: key.account)
    var ranks = lists[key]!.columns.ranks { quiet.hides($0, repostedBy: $1) }
    let count = lists[key]!.columns.count
    var isWhole = true
    if hasNewWords, key.quietness == .all {
      let first = max(0, count - limits.quietRows)
      let gone = Set(ranks)
      for rank in first..<count where !gone.contains(rank) {
        // What is missing is no post, whatever its words.
        if lists[key]!.gapRows.contains(lists[key]!.columns.key(at: rank).id) { continue }
        if hush.withholds(lists[key]!.columns.post(at: rank), from: key) { ranks.append(rank) }
      }
      ranks.sort()
      isWhole = first == 0
    }
    lists[key]!.withhold(ranks: ranks)
    return isWhole
  }
}
