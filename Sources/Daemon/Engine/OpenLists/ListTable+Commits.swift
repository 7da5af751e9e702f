internal import OrderedCollections
internal import Posts

/// Applies commits to open lists. For timelines, mentions, messages, direct conversations and the account's own lists
/// the store decides which posts enter and leave; profiles, searches and conversations decide for themselves. The cost
/// of a commit depends on its changes and on the lists they affect, not on the number of open lists.
extension ListTable {
  /// Starts to apply a commit: posts that an account may no longer see leave all its lists at once (ADR 0011). Returns
  /// the accounts that may now see posts that existed before; ``reloadLists(after:gained:renamed:)`` reads their lists
  /// again.
  mutating func beginCommit(_ commit: CommittedPosts) -> Set<AccountID> {
    touched = []
    let change = access.updateMembers(from: commit)
    for (account, group) in change.lost {
      for slot in open.index.lists(of: account) { edit(slot) { $0.removeAll(for: group) } }
    }
    return change.gained
  }

  /// Applies the changes of a transaction to every open list that they affect.
  mutating func apply(_ digest: DigestedCommit) {
    applyStoreDecisions(digest)
    applyDerivedChanges(digest)
    for slot in touched.sorted() {
      guard let key = open.index.key(of: slot) else { continue }
      open.edit(key) { $0.reorder() }
      // The subject of a conversation may have been deleted, or be no longer visible to this account. Ask the store
      // which it is; its panes then close.
      let lacksSubject = open.read(key) { $0.isComplete && $0.lacksSubject } ?? false
      if lacksSubject { restart(key) }
    }
    settleBudget()
  }

  /// Records that the current commit has changed lists in other ways.
  mutating func noteChange(of keys: [ListKey]) { touched.formUnion(keys.compactMap { open[$0]?.slot }) }

  /// The lists that the current commit has changed, in the order in which they were opened.
  var concerned: [ListKey] { touched.sorted().compactMap { open.index.key(of: $0) } }

  /// Edits a list with `change`, which returns true if it changed anything.
  private mutating func edit(_ slot: UInt32, _ change: (inout PostList) -> Bool) {
    guard let key = open.index.key(of: slot), open.edit(key, change) == true else { return }
    touched.insert(slot)
  }

  // MARK: Store decisions

  private mutating func applyStoreDecisions(_ digest: DigestedCommit) {
    let commit = digest.commit
    for gone in commit.changes.removed {
      for slot in open.index.lists(holding: gone.id) + open.index.homes { edit(slot) { $0.remove(gone) } }
    }
    for (key, gone) in digest.left {
      for slot in open.index.lists(showing: key) { edit(slot) { list in gone.reduce(false) { list.remove($1) || $0 } } }
    }
    for (key, come) in digest.entered {
      for slot in open.index.lists(showing: key) { enter(come, digest, slot, isReplay: false) }
    }
    for post in commit.changes.changed {
      for slot in open.index.homes { placePost(post, in: slot, isHeld: true) }
    }
    let homes = commit.changes.gaps.keys.map { ListKey.home($0) }
    for key in homes + commit.changes.followRequests.keys.map({ .mentions($0) }) {
      guard let slot = open[key]?.slot, let entries = commit.changes.placeholders(in: key) else { continue }
      edit(slot) { $0.setPlaceholders(entries) }
    }
  }

  private mutating func enter(_ ids: [PostID], _ digest: DigestedCommit, _ slot: UInt32, isReplay: Bool) {
    guard let key = open.index.key(of: slot) else { return }
    var visible: [StoredPost] = []
    var hidden: [StoredPost] = []
    for post in ids.compactMap({ digest.posts[$0] }) {
      switch access.level(of: post, in: key, by: cache.searchNames(of: post.author)) {
      case .forbidden: break
      case .hidden: hidden.append(post)
      case .visible: visible.append(post)
      }
    }
    edit(slot) { list in
      for post in visible { list.put(post, isCounted: !isReplay) }
      return hidden.reduce(false) { list.hide($1) || $0 } || !visible.isEmpty
    }
  }

  // MARK: Derived changes

  private mutating func applyDerivedChanges(_ digest: DigestedCommit) {
    let commit = digest.commit
    for post in commit.new { applyPost(post, digest, isNew: true, isEntry: true) }
    for post in commit.changes.originals { applyPost(post, digest, isNew: false, isEntry: false) }
    for post in commit.changes.changed { applyPost(post, digest, isNew: false, isEntry: true) }
  }

  private mutating func applyPost(_ post: StoredPost, _ digest: DigestedCommit, isNew: Bool, isEntry: Bool) {
    let holding = isNew ? [] : open.index.lists(holding: post.id)
    let found = open.searches(finding: post, by: cache.searchNames(of: post.author))
    var concerned = OrderedSet(holding)
    concerned.formUnion(found.sorted())
    if isEntry { concerned.formUnion(open.index.profiles(of: post.poster)) }
    for slot in concerned {
      placePost(post, in: slot, isHeld: holding.contains(slot), isNew: isNew, isFound: found.contains(slot))
    }
    guard post.repostedBy == nil else { return }
    var conversations = OrderedSet(open.index.lists(holding: post.id))
    if let parent = post.inReplyTo { conversations.formUnion(open.index.lists(holding: parent)) }
    conversations.formUnion(open.index.conversations(awaiting: post.id))
    for slot in conversations { placePost(post, digest, inConversation: slot) }
  }

  /// Inserts, updates or removes a post in a list according to its current state. `isFound` is true if the list's
  /// search finds it.
  private mutating func placePost(
    _ post: StoredPost, in slot: UInt32, isHeld: Bool, isNew: Bool = false, isFound: Bool = false
  ) {
    guard let key = open.index.key(of: slot) else { return }
    let belongs: Bool
    switch key.base {
    case .home, .mentions, .messages, .direct, .made: belongs = open.read(key) { $0.holds(post) } ?? false
    case .author, .own: belongs = open[key]?.authors.contains(post.poster) ?? false
    case .search: belongs = isFound
    case .conversation, .lists, .launch, .filtered: return
    }
    let level =
      belongs ? access.level(of: post, in: key, by: cache.searchNames(of: post.author)) : .forbidden
    let isSeen = level != .forbidden
    guard isSeen || isHeld else { return }
    let isKept = key.isKeptByStore
    edit(slot) { list in
      if isHeld, !isKept, !isSeen || list.columns.rank(of: post.orderKey) == nil {
        let isGone = list.remove(post.orderKey) || list.remove(post.id)
        guard isSeen else { return isGone }
      }
      switch level {
      case .forbidden: return list.remove(post.orderKey)
      case .hidden: return list.hide(post)
      case .visible:
        list.put(post, isCounted: isNew)
        return true
      }
    }
  }

  /// Updates a conversation: a reply to one of its posts enters with the new replies to that reply. If other posts must
  /// exist that the commit does not contain, the conversation is read again.
  private mutating func placePost(_ post: StoredPost, _ digest: DigestedCommit, inConversation slot: UInt32) {
    guard case .conversation(let account, let subject)? = open.index.key(of: slot), let key = open.index.key(of: slot)
    else {
      return
    }
    guard open[key]?.isComplete == true else { return }
    let isAwaited = open.index.conversations(awaiting: post.id).contains(slot) || post.id == subject
    var isLacking = false
    var waiting = [post]
    while let post = waiting.popLast() {
      let isSeen = access.includes(post.audience, account)
      if open.index.lists(holding: post.id).contains(slot), let known = open.read(key, { $0.key(of: post.id) }) ?? nil {
        if open.read(key, { $0.post(with: known)?.inReplyTo != post.inReplyTo }) == true { isLacking = true }
        edit(slot) { list in
          if !isSeen || known != post.orderKey { list.remove(known) }
          if isSeen { list.put(post, isCounted: false) }
          return true
        }
      } else if isSeen, let parent = post.inReplyTo, open.index.lists(holding: parent).contains(slot) {
        guard open[key]?.columns.count ?? 0 < limits.lists.conversationPosts else { continue }
        edit(slot) { list in
          list.put(post, isCounted: false)
          return true
        }
        // A post that existed before may already have replies.
        if !digest.isNew(post) { isLacking = true }
        waiting += (digest.replies[post.id] ?? []).filter { !open.index.lists(holding: $0.id).contains(slot) }
      } else if isSeen, isAwaited {
        isLacking = true
      }
    }
    if isLacking { restart(key) }
  }

  // MARK: Replaying and reloading

  /// Applies the commits since a list was read; if some of them were dropped, the list is read again.
  mutating func replay(_ key: ListKey, _ missed: [DigestedCommit]?) {
    guard let slot = open[key]?.slot else { return }
    guard let missed else { return restart(key) }
    let former = touched
    touched = []
    for digest in missed {
      let commit = digest.commit
      edit(slot) { list in commit.changes.removed.reduce(false) { list.remove($1) || $0 } }
      edit(slot) { list in digest.left[key.base, default: []].reduce(false) { list.remove($1) || $0 } }
      enter(digest.entered[key.base] ?? [], digest, slot, isReplay: true)
      if let entries = commit.changes.placeholders(in: key) { edit(slot) { $0.setPlaceholders(entries) } }
      for post in commit.changes.changed + (key.isKeptByStore ? [] : commit.new + commit.changes.originals) {
        replay(post, digest, slot, key)
      }
    }
    if touched.contains(slot) { open.edit(key) { $0.reorder() } }
    touched = former
  }

  private mutating func replay(_ post: StoredPost, _ digest: DigestedCommit, _ slot: UInt32, _ key: ListKey) {
    switch key.base {
    case .conversation:
      if post.repostedBy == nil { placePost(post, digest, inConversation: slot) }
    case .search:
      let isFound = open.searches(finding: post, by: cache.searchNames(of: post.author)).contains(slot)
      placePost(post, in: slot, isHeld: open.index.lists(holding: post.id).contains(slot), isFound: isFound)
    case .author, .own:
      guard !digest.isOriginal(post) else { return }
      placePost(post, in: slot, isHeld: open.index.lists(holding: post.id).contains(slot))
    default: placePost(post, in: slot, isHeld: true)
    }
  }

  /// Reads again the lists whose changes the commit does not describe, and the facts that it has changed.
  mutating func reloadLists(after digest: DigestedCommit, gained: Set<AccountID>, renamed: [SafeText]) {
    var slots = Set(digest.reloaded.flatMap { open.index.lists(showing: $0) })
    if !renamed.isEmpty {
      slots.formUnion(open.index.searches(naming: renamed))
      slots.formUnion(open.keys.filter { access.filtersByAuthor($0) }.compactMap { open[$0]?.slot })
    }
    for account in gained {
      slots.formUnion(open.index.lists(of: account).filter { open.index.key(of: $0)?.dependsOnAudience ?? false })
    }
    for key in slots.sorted().compactMap({ open.index.key(of: $0) }) { restart(key) }
    let commit = digest.commit
    guard commit.profilesChanged || !commit.changes.listsChanged.isEmpty else { return }
    for key in open.keys {
      switch key.base {
      case .author, .own: if commit.profilesChanged { loadFactsAgain(key) }
      case .lists(let account), .made(let account, _):
        if commit.changes.listsChanged.contains(account) { loadFactsAgain(key) }
      case .home, .mentions, .messages, .direct, .search, .conversation, .launch, .filtered: break
      }
    }
  }
}

extension Changes {
  /// Returns the entries of a list that are not posts, if they have changed.
  fileprivate func placeholders(in key: ListKey) -> [ListEntry]? {
    switch key {
    case .home(let account): gaps[account]?.map { .gap($0) }
    case .mentions(let account): followRequests[account]?.map { .followRequest($0) }
    default: nil
    }
  }
}

extension ListKey {
  /// True if commits name the posts that enter and leave the list.
  fileprivate var isKeptByStore: Bool { name != nil }

  /// True if a change of the account's audience groups may change the list without the commit naming its posts.
  fileprivate var dependsOnAudience: Bool {
    switch base {
    case .author, .search, .conversation: true
    case .home, .mentions, .messages, .direct, .made, .own, .lists, .launch, .filtered: false
    }
  }
}

extension StoredPost {
  /// The author in whose profile it appears: the reposter of a repost, otherwise its author.
  var poster: AuthorID { repostedBy ?? author }
}
