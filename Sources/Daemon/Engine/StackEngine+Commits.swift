internal import OrderedCollections
internal import Posts

/// How commits come into open lists. Timelines, mentions, messages, direct conversations and made lists gain and lose
/// what the store says; profiles, searches and conversations find out for themselves. What a commit costs depends on
/// what it changes and on the lists that this concerns, not on how many lists are open.
extension StackEngine {
  /// Takes what a transaction changed into every open list that it concerns.
  mutating func receive(_ commit: CommittedPosts) {
    revision = max(revision, commit.revision)
    let renamed = cache.handlesChanged(by: commit.authors)
    let hasNewNames = cache.learn(commit.authors)
    if hasNewNames { namedAt = revision }
    let digest = DigestedCommit(commit)
    if !issuedLoads.isEmpty { journal.append(digest, limit: limits.journalPosts) }
    touched = []
    let seeing = sight.learn(commit)
    hide(seeing.lost)
    for (account, quiet) in commit.quiet.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
      touched.formUnion(learn(quiet, of: account, at: commit.revision))
    }
    takeStored(digest)
    takeFound(digest)
    for slot in touched.sorted() {
      reorder(slot)
      // What a conversation is about may be there no more, or not for this account: the store says which, and its panes
      // close.
      if let key = index.key(of: slot), lists[key]!.isComplete, lists[key]!.lacksSubject { restart(key) }
    }
    noteNews(digest)
    readAgain(commit, seeing.gained, renamed)
    closePanes(aboutConversationsOf: Set(commit.removed.lazy.map(\.id)))
    let concerned = hasNewNames ? Array(lists.keys) : touched.sorted().compactMap { index.key(of: $0) }
    for key in concerned { loadMore(key) }
    touchViews(showing: concerned, isCommit: true, isNaming: hasNewNames)
  }

  /// Posts are no more: whoever has a pane about one of them loses that. O(sessions), whatever the number of posts.
  private mutating func closePanes(aboutConversationsOf gone: Set<PostID>) {
    guard !gone.isEmpty else { return }
    var lists: OrderedSet<ListKey> = []
    for session in sessions.values {
      for post in session.stack.conversations.intersection(gone).sorted(by: { $0.rawValue < $1.rawValue }) {
        lists.append(.conversation(session.key.account, post))
      }
    }
    for list in lists { closePanes(about: list) }
  }

  /// Changes a list by `change`, which says whether anything happened.
  private mutating func edit(_ slot: UInt32, _ change: (inout PostList) -> Bool) {
    guard let key = index.key(of: slot) else { return }
    let isChanged = change(&lists[key]!)
    index.note(lists[key]!.takeMoves(), of: slot)
    if isChanged { touched.insert(slot) }
  }

  /// What accounts may not see any more goes from all their lists at once (ADR 0011); some are read again besides.
  private mutating func hide(_ lost: [(account: AccountID, circle: CircleID)]) {
    for (account, circle) in lost {
      for slot in index.lists(of: account) { edit(slot) { $0.removeAll(for: circle) } }
    }
  }

  private mutating func reorder(_ slot: UInt32) {
    guard let key = index.key(of: slot), let order = lists[key]!.order else { return }
    lists[key]!.reorder()
    index.note(lists[key]!.takeMoves(), of: slot)
    index.expect(lists[key]!.order?.awaited, insteadOf: order.awaited, slot)
  }

  // MARK: What the store decides

  private mutating func takeStored(_ digest: DigestedCommit) {
    let commit = digest.commit
    for gone in commit.removed {
      for slot in index.lists(holding: gone.id) + index.homes { edit(slot) { $0.remove(gone) } }
    }
    for (key, gone) in commit.left {
      for slot in index.lists(showing: key) { edit(slot) { list in gone.reduce(false) { list.remove($1) || $0 } } }
    }
    for (key, come) in commit.entered {
      for slot in index.lists(showing: key) { enter(come, digest, slot, isReplay: false) }
    }
    for post in commit.changed {
      for slot in index.homes { settle(post, slot, isHeld: true) }
    }
    for (account, gaps) in commit.gaps {
      if let slot = lists[.home(account)]?.slot { edit(slot) { $0.take(gaps: gaps) } }
    }
  }

  private mutating func enter(_ ids: [PostID], _ digest: DigestedCommit, _ slot: UInt32, isReplay: Bool) {
    guard let key = index.key(of: slot) else { return }
    var shown: [StoredPost] = []
    var withheld: [StoredPost] = []
    for post in ids.compactMap({ digest.posts[$0] }) {
      switch standing(of: post, in: key) {
      case .barred: break
      case .withheld: withheld.append(post)
      case .shown: shown.append(post)
      }
    }
    edit(slot) { list in
      for post in shown { list.put(post, isCounted: !isReplay) }
      return withheld.reduce(false) { list.withhold($1) || $0 } || !shown.isEmpty
    }
  }

  // MARK: What is found out here

  private mutating func takeFound(_ digest: DigestedCommit) {
    let commit = digest.commit
    for post in commit.new { take(post, digest, isNew: true, isEntry: true) }
    for post in commit.originals { take(post, digest, isNew: false, isEntry: false) }
    for post in commit.changed { take(post, digest, isNew: false, isEntry: true) }
  }

  private mutating func take(_ post: StoredPost, _ digest: DigestedCommit, isNew: Bool, isEntry: Bool) {
    let holding = isNew ? [] : index.lists(holding: post.id)
    let found = index.searches(finding: post, by: cache.handle(of: post.author))
    var concerned = OrderedSet(holding)
    concerned.formUnion(found.sorted())
    if isEntry { concerned.formUnion(index.profiles(of: post.poster)) }
    for slot in concerned {
      settle(post, slot, isHeld: holding.contains(slot), isNew: isNew, isFound: found.contains(slot))
    }
    guard post.repostedBy == nil else { return }
    var conversations = OrderedSet(index.lists(holding: post.id))
    if let parent = post.inReplyTo { conversations.formUnion(index.lists(holding: parent)) }
    conversations.formUnion(index.conversations(awaiting: post.id))
    for slot in conversations { settle(post, digest, inConversation: slot) }
  }

  /// Puts a post into a list, or takes it out, or neither, as it now is. `isFound`: a search's list finds it.
  private mutating func settle(
    _ post: StoredPost, _ slot: UInt32, isHeld: Bool, isNew: Bool = false, isFound: Bool = false
  ) {
    guard let key = index.key(of: slot) else { return }
    let belongs: Bool
    switch key.base {
    case .home, .mentions, .messages, .direct, .made: belongs = lists[key]!.holds(post)
    case .author, .own: belongs = lists[key]!.authors.contains(post.poster)
    case .search: belongs = isFound
    case .conversation, .lists, .launch, .filtered: return
    }
    let standing = belongs ? standing(of: post, in: key) : .barred
    let isSeen = standing != .barred
    guard isSeen || isHeld else { return }
    let isKept = key.isKeptByStore
    edit(slot) { list in
      if isHeld, !isKept, !isSeen || list.columns.rank(of: post.orderKey) == nil {
        let isGone = list.remove(post.orderKey) || list.remove(post.id)
        guard isSeen else { return isGone }
      }
      switch standing {
      case .barred: return list.remove(post.orderKey)
      case .withheld: return list.withhold(post)
      case .shown:
        list.put(post, isCounted: isNew)
        return true
      }
    }
  }

  /// A conversation gains what answers one of its posts, with the new replies to that; where something is known to be
  /// there that the commit does not bring, it is read again.
  private mutating func settle(_ post: StoredPost, _ digest: DigestedCommit, inConversation slot: UInt32) {
    guard case .conversation(let account, let subject)? = index.key(of: slot), let key = index.key(of: slot) else {
      return
    }
    guard lists[key]!.isComplete else { return }
    let isAwaited = index.conversations(awaiting: post.id).contains(slot) || post.id == subject
    var isLacking = false
    var waiting = [post]
    while let post = waiting.popLast() {
      let isSeen = sight.includes(post.audience, account)
      if index.lists(holding: post.id).contains(slot), let known = lists[key]!.key(of: post.id) {
        if lists[key]!.post(with: known)?.inReplyTo != post.inReplyTo { isLacking = true }
        edit(slot) { list in
          if !isSeen || known != post.orderKey { list.remove(known) }
          if isSeen { list.put(post, isCounted: false) }
          return true
        }
      } else if isSeen, let parent = post.inReplyTo, index.lists(holding: parent).contains(slot) {
        guard lists[key]!.columns.count < limits.conversationPosts else { continue }
        edit(slot) { list in
          list.put(post, isCounted: false)
          return true
        }
        // What was there before may have been answered before.
        if !digest.isNew(post) { isLacking = true }
        waiting += (digest.replies[post.id] ?? []).filter { !index.lists(holding: $0.id).contains(slot) }
      } else if isSeen, isAwaited {
        isLacking = true
      }
    }
    if isLacking { restart(key) }
  }

  // MARK: Again

  /// Takes what was committed after a revision into a list that has just been read as of that.
  mutating func replay(_ slot: UInt32, after revision: UInt64) {
    guard let key = index.key(of: slot) else { return }
    guard let commits = journal.commits(after: revision) else { return restart(key) }
    let former = touched
    touched = []
    for digest in commits {
      let commit = digest.commit
      edit(slot) { list in commit.removed.reduce(false) { list.remove($1) || $0 } }
      edit(slot) { list in commit.left[key.base, default: []].reduce(false) { list.remove($1) || $0 } }
      enter(commit.entered[key.base] ?? [], digest, slot, isReplay: true)
      if case .home(let account) = key, let gaps = commit.gaps[account] { edit(slot) { $0.take(gaps: gaps) } }
      for post in commit.changed + (key.isKeptByStore ? [] : commit.new + commit.originals) {
        replay(post, digest, slot, key)
      }
    }
    if touched.contains(slot) { reorder(slot) }
    touched = former
  }

  private mutating func replay(_ post: StoredPost, _ digest: DigestedCommit, _ slot: UInt32, _ key: ListKey) {
    switch key.base {
    case .conversation:
      if post.repostedBy == nil { settle(post, digest, inConversation: slot) }
    case .search:
      let isFound = index.searches(finding: post, by: cache.handle(of: post.author)).contains(slot)
      settle(post, slot, isHeld: index.lists(holding: post.id).contains(slot), isFound: isFound)
    case .author, .own:
      guard !digest.isOriginal(post) else { return }
      settle(post, slot, isHeld: index.lists(holding: post.id).contains(slot))
    default: settle(post, slot, isHeld: true)
    }
  }

  /// Has those lists read again of which the commit does not say how they changed, and what is known beside posts.
  private mutating func readAgain(_ commit: CommittedPosts, _ gained: Set<AccountID>, _ renamed: [SafeText]) {
    var slots = Set(commit.reloaded.flatMap { index.lists(showing: $0) })
    if !renamed.isEmpty {
      slots.formUnion(index.searches(naming: renamed))
      slots.formUnion(listsFilteredByAuthor.compactMap { lists[$0]?.slot })
    }
    for account in gained {
      slots.formUnion(index.lists(of: account).filter { index.key(of: $0)?.followsSight ?? false })
    }
    for key in slots.sorted().compactMap({ index.key(of: $0) }) { restart(key) }
    guard commit.profilesChanged || !commit.listsChanged.isEmpty else { return }
    for key in Array(lists.keys) {
      switch key.base {
      case .author, .own: if commit.profilesChanged { loadFactsAgain(key) }
      case .lists(let account), .made(let account, _): if commit.listsChanged.contains(account) { loadFactsAgain(key) }
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

extension PaneStack {
  /// The posts whose conversations its panes show, and those of states that may come back.
  fileprivate var conversations: Set<PostID> {
    var posts: Set<PostID> = []
    for panes in past + [panes] + future {
      for case .conversation(let post) in panes.lazy.map(\.content) { posts.insert(post) }
    }
    return posts
  }
}
