internal import OrderedCollections
internal import Posts
internal import Search

/// Applies the results of loads.
extension ListTable {
  /// Applies a page of a list and the commits since it was read. Returns the page's rows; nil if the list is being read
  /// from its newest post again.
  mutating func receive(_ page: ListPage, of key: ListKey, missed: [DigestedCommit]?) -> [StoredPost]? {
    let isRestarted = open.edit(key) { $0.endLoad() } ?? false
    guard !isRestarted else {
      loadMore(key)
      return nil
    }
    cache.addAuthors(page.authors)
    let (visible, hidden) = partition(page.posts, for: key)
    open.edit(key) {
      // In a filtered list it is unknown which of the missing posts would pass.
      if let entries = page.placeholders, key == key.base { $0.setPlaceholders(entries) }
      $0.receive(
        page: visible, hidden: hidden, downTo: page.isLast ? nil : page.posts.last?.orderKey, total: page.total,
        at: page.revision)
    }
    replay(key, missed)
    settleBudget()
    return visible
  }

  /// Applies a loaded conversation with its authors and the commits since it was read. Returns true if it must be read
  /// again; its posts are applied anyway, since they are newer than the previous ones.
  mutating func receive(
    _ posts: [StoredPost], _ authors: [Author], of key: ListKey, missed: [DigestedCommit]?
  ) -> Bool {
    let isRestarted = open.edit(key) { $0.endLoad() } ?? false
    cache.addAuthors(authors)
    fill(key, posts, missed: missed)
    return isRestarted
  }

  /// Empties a list whose subject does not exist: it has no rows and needs no facts.
  mutating func empty(_ key: ListKey) {
    open.edit(key) {
      $0.known.isLacking = false
      $0.replace(with: [])
    }
  }

  /// Fills a conversation with posts that the store returned, and opens it unless it is open.
  mutating func fill(_ key: ListKey, _ posts: [StoredPost], missed: [DigestedCommit]?) {
    if open[key] == nil {
      if let account = key.account { access.trackAccount(account) }
      open.open(key, limits)
    }
    replace(key, with: access.admit(posts, to: key.account))
    replay(key, missed)
  }

  /// Sets the facts about a list, as of the engine's `revision`. Returns true if they have changed.
  mutating func receive(
    _ facts: ListFacts, _ authors: [Author], of key: ListKey, at revision: UInt64, missed: [DigestedCommit]?
  ) -> Bool {
    cache.addAuthors(authors)
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
      open.setAuthors(profile.authors, insteadOf: old, of: key)
      // Until now the authors of the profile were unknown.
      if isFirst { replay(key, missed) } else { restart(key) }
    case .lists(let made, let author):
      replace(key, with: made.map { StoredPost(placeholderFor: .list($0, author), of: key.account) })
    case .made, .direct: break
    }
    return true
  }

  /// Ends a load of the facts about a list, and loads them again if they have changed since.
  mutating func factsEnded(_ key: ListKey) {
    let isOutdated = open[key]?.known.areOutdated ?? false
    open.edit(key) {
      $0.known.areLoading = false
      $0.known.areOutdated = false
    }
    if isOutdated { loadFacts(key) }
  }

  // MARK: Mutes

  /// Sets an account's mutes. Newly muted posts leave the open lists at once; unmuted ones are read from the store.
  /// Returns the slots of the lists to which mutes apply; nil if the mutes are unchanged.
  mutating func setMuteList(_ muted: MuteList, of account: AccountID, at revision: UInt64) -> [UInt32]? {
    guard let old = access.setMuteList(muted, of: account, at: revision) else { return nil }
    let slots = open.index.lists(of: account).filter { (open.index.key(of: $0)?.muteScope ?? .none) != .none }
    for key in slots.compactMap({ open.index.key(of: $0) }) {
      let isWhole = hide(in: key, hidesMorePosts: muted.hidesMorePosts(than: old))
      if muted.isLess(than: old) || !isWhole { restart(key) } else { loadMore(key) }
    }
    return slots
  }

  /// Removes a list's muted rows. Returns false if there were too many rows to check all.
  private mutating func hide(in key: ListKey, hidesMorePosts: Bool) -> Bool {
    guard var list = open[key] else { return true }
    let (muted, scope) = (access.muted(by: key.account), key.muteScope)
    var ranks = list.columns.ranks { scope.hides($0, repostedBy: $1, by: muted) }
    var isWhole = true
    if hidesMorePosts, scope == .all {
      let first = max(0, list.columns.count - limits.lists.mutedRows)
      let gone = Set(ranks)
      for rank in first..<list.columns.count where !gone.contains(rank) {
        // Placeholders are not posts; word mutes do not apply to their texts.
        if list.placeholderRows.contains(list.columns.key(at: rank).id) { continue }
        if access.mutes(list.columns.post(at: rank), in: key) { ranks.append(rank) }
      }
      ranks.sort()
      isWhole = first == 0
    }
    open.edit(key) { $0.hide(ranks: ranks) }
    return isWhole
  }
}

extension ListPage {
  /// The entries of the list that are not posts, if the page has them.
  fileprivate var placeholders: [ListEntry]? {
    gaps?.map { .gap($0) } ?? followRequests?.map { .followRequest($0) }
  }
}
