internal import OrderedCollections
internal import Posts

/// How commits come into open lists. Timelines, mentions, messages, direct conversations and made lists gain and lose
/// what the store says; profiles, searches and conversations find out for themselves. What a commit costs depends on
/// what it changes and on the lists that this concerns, not on how many lists are open.
extension ListTable {
  /// Begins to take a commit: what accounts may not see any more goes from all their lists at once (ADR 0011). Returns
  /// the accounts that may see something that was there before; their lists are read again by
  /// ``readAgain(_:gained:renamed:)``.
  mutating func begin(_ commit: CommittedPosts) -> Set<AccountID> {
    touched = []
    let seeing = access.learn(commit)
    for (account, circle) in seeing.lost {
      for slot in open.index.lists(of: account) { edit(slot) { $0.removeAll(for: circle) } }
    }
    return seeing.gained
  }

  /// Takes what a transaction changed into every open list that it concerns.
  mutating func apply(_ digest: DigestedCommit) {
    takeStored(digest)
    takeFound(digest)
    for slot in touched.sorted() {
      guard let key = open.index.key(of: slot) else { continue }
      open.edit(key) { $0.reorder() }
      // What a conversation is about may be there no more, or not for this account: the store says which, and its panes
      // close.
      let lacksSubject = open.read(key) { $0.isComplete && $0.lacksSubject } ?? false
      if lacksSubject { restart(key) }
    }
  }

  /// Notes that lists have changed by what else the commit at hand says.
  mutating func noteChange(of keys: [ListKey]) { touched.formUnion(keys.compactMap { open[$0]?.slot }) }

  /// The lists that the commit at hand has changed, in the order in which they were opened.
  var concerned: [ListKey] { touched.sorted().compactMap { open.index.key(of: $0) } }

  /// Changes a list by `change`, which says whether anything happened.
  private mutating func edit(_ slot: UInt32, _ change: (inout PostList) -> Bool) {
    guard let key = open.index.key(of: slot), open.edit(key, change) == true else { return }
    touched.insert(slot)
  }

  // MARK: What the store decides

  private mutating func takeStored(_ digest: DigestedCommit) {
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
      for slot in open.index.homes { settle(post, slot, isHeld: true) }
    }
    for (account, gaps) in commit.changes.gaps {
      if let slot = open[.home(account)]?.slot { edit(slot) { $0.take(gaps: gaps) } }
    }
  }

  private mutating func enter(_ ids: [PostID], _ digest: DigestedCommit, _ slot: UInt32, isReplay: Bool) {
    guard let key = open.index.key(of: slot) else { return }
    var shown: [StoredPost] = []
    var hidden: [StoredPost] = []
    for post in ids.compactMap({ digest.posts[$0] }) {
      switch access.level(of: post, in: key, by: cache.handle(of: post.author)) {
      case .forbidden: break
      case .hidden: hidden.append(post)
      case .visible: shown.append(post)
      }
    }
    edit(slot) { list in
      for post in shown { list.put(post, isCounted: !isReplay) }
      return hidden.reduce(false) { list.withhold($1) || $0 } || !shown.isEmpty
    }
  }

  // MARK: What is found out here

  private mutating func takeFound(_ digest: DigestedCommit) {
    let commit = digest.commit
    for post in commit.new { take(post, digest, isNew: true, isEntry: true) }
    for post in commit.changes.originals { take(post, digest, isNew: false, isEntry: false) }
    for post in commit.changes.changed { take(post, digest, isNew: false, isEntry: true) }
  }

  private mutating func take(_ post: StoredPost, _ digest: DigestedCommit, isNew: Bool, isEntry: Bool) {
    let holding = isNew ? [] : open.index.lists(holding: post.id)
    let found = open.searches(finding: post, by: cache.handle(of: post.author))
    var concerned = OrderedSet(holding)
    concerned.formUnion(found.sorted())
    if isEntry { concerned.formUnion(open.index.profiles(of: post.poster)) }
    for slot in concerned {
      settle(post, slot, isHeld: holding.contains(slot), isNew: isNew, isFound: found.contains(slot))
    }
    guard post.repostedBy == nil else { return }
    var conversations = OrderedSet(open.index.lists(holding: post.id))
    if let parent = post.inReplyTo { conversations.formUnion(open.index.lists(holding: parent)) }
    conversations.formUnion(open.index.conversations(awaiting: post.id))
    for slot in conversations { settle(post, digest, inConversation: slot) }
  }

  /// Puts a post into a list, or takes it out, or neither, as it now is. `isFound`: a search's list finds it.
  private mutating func settle(
    _ post: StoredPost, _ slot: UInt32, isHeld: Bool, isNew: Bool = false, isFound: Bool = false
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
      belongs ? access.level(of: post, in: key, by: cache.handle(of: post.author)) : .forbidden
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
      case .hidden: return list.withhold(post)
      case .visible:
        list.put(post, isCounted: isNew)
        return true
      }
    }
  }

  /// A conversation gains what answers one of its posts, with the new replies to that; where something is known to be
  /// there that the commit does not bring, it is read again.
  private mutating func settle(_ post: StoredPost, _ digest: DigestedCommit, inConversation slot: UInt32) {
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
        // What was there before may have been answered before.
        if !digest.isNew(post) { isLacking = true }
        waiting += (digest.replies[post.id] ?? []).filter { !open.index.lists(holding: $0.id).contains(slot) }
      } else if isSeen, isAwaited {
        isLacking = true
      }
    }
    if isLacking { restart(key) }
  }

  // MARK: Again

  /// Takes what was committed since a list was read into it; where that is not known any more, the list is read again.
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
      if case .home(let account) = key, let gaps = commit.changes.gaps[account] { edit(slot) { $0.take(gaps: gaps) } }
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
      if post.repostedBy == nil { settle(post, digest, inConversation: slot) }
    case .search:
      let isFound = open.searches(finding: post, by: cache.handle(of: post.author)).contains(slot)
      settle(post, slot, isHeld: open.index.lists(holding: post.id).contains(slot), isFound: isFound)
    case .author, .own:
      guard !digest.isOriginal(post) else { return }
      settle(post, slot, isHeld: open.index.lists(holding: post.id).contains(slot))
    default: settle(post, slot, isHeld: true)
    }
  }

  /// Has those lists read again of which the commit does not say how they changed, and what is known beside posts.
  mutating func readAgain(_ digest: DigestedCommit, gained: Set<AccountID>, renamed: [SafeText]) {
    var slots = Set(digest.reloaded.flatMap { open.index.lists(showing: $0) })
    if !renamed.isEmpty {
      slots.formUnion(open.index.searches(naming: renamed))
      slots.formUnion(open.keys.filter { access.asksForAuthors($0) }.compactMap { open[$0]?.slot })
    }
    for account in gained {
      slots.formUnion(open.index.lists(of: account).filter { open.index.key(of: $0)?.followsSight ?? false })
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

extension ListKey {
  /// Whether commits say what comes into the list and goes from it.
  fileprivate var isKeptByStore: Bool { name != nil }

  /// Whether it may be another list once the account is in another circle, without a word of the store.
  fileprivate var followsSight: Bool {
    switch base {
    case .author, .search, .conversation: true
    case .home, .mentions, .messages, .direct, .made, .own, .lists, .launch, .filtered: false
    }
  }
}

extension StoredPost {
  /// Whose profile it is in: who wrote it, or who reposted it.
  var poster: AuthorID { repostedBy ?? author }
}
