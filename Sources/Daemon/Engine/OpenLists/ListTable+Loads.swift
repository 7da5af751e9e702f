internal import OrderedCollections
internal import Posts
internal import Search

/// What the store brings.
extension ListTable {
  /// Takes a page of a list, and what was committed since it was read. Returns its rows; nil where the list is to be
  /// read from its newest post on again, which has begun.
  mutating func receive(_ page: ListPage, of key: ListKey, missed: [DigestedCommit]?) -> [StoredPost]? {
    let isRestarted = open.edit(key) { $0.endLoad() } ?? false
    guard !isRestarted else {
      loadMore(key)
      return nil
    }
    cache.learn(page.authors)
    let (seen, hidden) = sorted(page.posts, for: key)
    open.edit(key) {
      // Of a list that is limited it is not known what passes of what is missing.
      if let gaps = page.gaps, key == key.base { $0.take(gaps: gaps) }
      $0.receive(
        page: seen, withheld: hidden, downTo: page.isLast ? nil : page.posts.last?.orderKey, total: page.total,
        at: page.revision)
    }
    replay(key, missed)
    return seen
  }

  /// Takes a conversation that was asked for, with who wrote it and what was committed since it was read. True if it is
  /// to be read again: its posts are nevertheless newer than those that it had.
  mutating func receive(
    _ posts: [StoredPost], _ authors: [Author], of key: ListKey, missed: [DigestedCommit]?
  ) -> Bool {
    let isRestarted = open.edit(key) { $0.endLoad() } ?? false
    cache.learn(authors)
    fill(key, posts, missed: missed)
    return isRestarted
  }

  /// What a list is about is not there: it has no rows, and nothing more is known of it.
  mutating func empty(_ key: ListKey) {
    open.edit(key) {
      $0.known.isLacking = false
      $0.replace(with: [])
    }
  }

  /// Fills a conversation with what the store read, and opens it where it is not open.
  mutating func fill(_ key: ListKey, _ posts: [StoredPost], missed: [DigestedCommit]?) {
    if open[key] == nil {
      access.open(key.account)
      open.open(key, limits)
    }
    replace(key, with: access.admit(posts, to: key.account))
    replay(key, missed)
  }

  /// Takes what is known of a list beside its posts, as the engine has it at `revision`. True if that is something else
  /// than was known.
  mutating func receive(
    _ facts: ListFacts, _ authors: [Author], of key: ListKey, at revision: UInt64, missed: [DigestedCommit]?
  ) -> Bool {
    cache.learn(authors)
    guard let list = open[key] else { return false }
    let (old, isFirst) = (list.authors, list.known.isLacking)
    open.edit(key) { $0.known.isLacking = false }
    guard facts != list.known.facts else { return false }
    open.edit(key) {
      $0.known.facts = facts
      $0.known.changedAt = revision
    }
    switch facts {
    case .profile(let profile):
      guard profile.authors != old else { break }
      open.follow(profile.authors, insteadOf: old, key)
      // Until now nobody knew whose posts it has.
      if isFirst { replay(key, missed) } else { restart(key) }
    case .lists(let made, let author):
      replace(key, with: made.map { StoredPost(placeholderFor: .list($0, author), of: key.account) })
    case .made, .direct: break
    }
    return true
  }

  /// The load of what is known of a list beside its posts has ended. What has changed since is asked for again.
  mutating func factsEnded(_ key: ListKey) {
    let isOutdated = open[key]?.known.areOutdated ?? false
    open.edit(key) {
      $0.known.areLoading = false
      $0.known.areOutdated = false
    }
    if isOutdated { loadFacts(key) }
  }

  // MARK: What is muted

  /// Takes what an account has muted: what it does not want to see any more leaves the open lists at once, and what it
  /// wants to see again is read from the store. Returns the lists that this changes; nil where it is as it was.
  mutating func learn(_ muted: Quiet, of account: AccountID, at revision: UInt64) -> [UInt32]? {
    guard let old = access.learn(muted, of: account, at: revision) else { return nil }
    let slots = open.index.lists(of: account).filter { (open.index.key(of: $0)?.quietness ?? .none) != .none }
    for key in slots.compactMap({ open.index.key(of: $0) }) {
      let isWhole = hide(in: key, hidesMorePosts: muted.hidesMorePosts(than: old))
      if muted.isLess(than: old) || !isWhole { restart(key) } else { loadMore(key) }
    }
    return slots
  }

  /// Takes the rows out of a list that its account has muted; false where not all were looked at, because there are so
  /// many.
  private mutating func hide(in key: ListKey, hidesMorePosts: Bool) -> Bool {
    guard var list = open[key] else { return true }
    let muted = access.muted(by: key.account)
    var ranks = list.columns.ranks { muted.hides($0, repostedBy: $1) }
    var isWhole = true
    if hidesMorePosts, key.quietness == .all {
      let first = max(0, list.columns.count - limits.lists.mutedRows)
      let gone = Set(ranks)
      for rank in first..<list.columns.count where !gone.contains(rank) {
        // What is missing is no post, whatever its words.
        if list.gapRows.contains(list.columns.key(at: rank).id) { continue }
        if access.mutes(list.columns.post(at: rank), in: key) { ranks.append(rank) }
      }
      ranks.sort()
      isWhole = first == 0
    }
    open.edit(key) { $0.withhold(ranks: ranks) }
    return isWhole
  }
}
