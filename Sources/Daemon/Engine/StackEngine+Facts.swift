internal import OrderedCollections
internal import Posts
internal import ViewState

/// What panes tell beside their rows: titles, profiles, and the lists of an account, which are rows of their own.
extension StackEngine {
  /// Asks for what is known of a list beside its posts, unless that is under way.
  mutating func loadFacts(_ key: ListKey) {
    guard key.hasFacts, let list = lists[key], !list.areFactsLoading else { return }
    lists[key]!.areFactsLoading = true
    load(.facts(key.base), for: .facts(key, slot: list.slot))
  }

  /// Asks once more: it has changed.
  mutating func loadFactsAgain(_ key: ListKey) {
    if lists[key]?.areFactsLoading == true { lists[key]!.areFactsOutdated = true } else { loadFacts(key) }
  }

  /// Takes what is known of a list, as it was asked for at a revision.
  mutating func factsLoaded(_ key: ListKey, _ slot: UInt32, _ result: LoadResult, askedAt asked: UInt64) {
    guard lists[key]?.slot == slot else { return }
    lists[key]!.areFactsLoading = false
    if lists[key]!.areFactsOutdated {
      lists[key]!.areFactsOutdated = false
      loadFacts(key)
    }
    switch result {
    case .facts(let facts, let authors, _): take(facts, authors, of: key, askedAt: asked)
    case .failed(let error): fail(key, error)
    default: break
    }
  }

  private mutating func take(_ facts: ListFacts, _ authors: [Author], of key: ListKey, askedAt asked: UInt64) {
    cache.learn(authors)
    let (old, isFirst) = (lists[key]!.authors, lists[key]!.isLackingFacts)
    lists[key]!.isLackingFacts = false
    guard facts != lists[key]!.facts else { return }
    lists[key]!.facts = facts
    lists[key]!.factsAt = revision
    switch facts {
    case .profile(let profile):
      guard profile.authors != old else { break }
      index.follow(profile.authors, insteadOf: old, lists[key]!.slot)
      // Until now nobody knew whose posts it has.
      if isFirst { replay(lists[key]!.slot, after: asked) } else { restart(key) }
    case .lists(let made, let author):
      replace(key, with: made.map { StoredPost(standingFor: $0, of: key.account, author: author) })
      applyPendingViewports(of: key, rows: [])
    case .made, .direct: break
    }
    touchViews(showing: [key], isCommit: false, isNaming: true)
    answerWaitingRows(of: key)
  }

  /// Whether a first frame that shows a list would show something.
  func isPresentable(_ key: ListKey) -> Bool {
    guard let list = lists[key], !list.isLackingFacts else { return false }
    // Of a list that is limited it may be long until the first row is found.
    let hasRows = list.columns.count > 0 || key != key.base && list.floor != nil
    return list.isComplete || hasRows && list.isNewestFirst
  }

  // MARK: Headers

  /// What stays of a pane while its rows change.
  func header(of record: PaneRecord, for account: AccountID) -> PaneHeader {
    let (kind, subject, title) = heading(of: record, for: account)
    var header = PaneHeader(paneID: record.id, kind: kind, subject: UInt64(subject), title: title.utf8)
    if case .search(let query) = record.content { header.query = Array(query.utf8) }
    if let filter = record.filter { header.filter = Array(filter.words.utf8) }
    return header
  }

  private func heading(of record: PaneRecord, for account: AccountID) -> (
    PaneHeader.Kind, subject: Int64, title: SafeText
  ) {
    let facts = lists[record.list(of: account)]?.facts
    switch record.content {
    case .timeline: return (.timeline, 0, "Timeline")
    case .mentions: return (.mentions, 0, "Mentions")
    case .lists: return (.lists, 0, "Lists")
    case .messages: return (.messages, 0, "Messages")
    case .profile:
      guard case .profile(let profile) = facts else { return (.profile, 0, "Profile") }
      return (.profile, profile.author.rawValue, named([profile.author], otherwise: "Profile"))
    case .search(let query): return (.search, 0, query.isEmpty ? "Search" : SafeText(line: query))
    case .conversation(let post): return (.conversation, post.rawValue, "Conversation")
    case .author(let author): return (.profile, author.rawValue, named([author], otherwise: "Profile"))
    case .list(let list):
      guard case .made(let made) = facts else { return (.list, list.rawValue, "List") }
      return (.list, list.rawValue, SafeText(line: made.name.utf8))
    case .direct(let circle):
      guard case .direct(let people) = facts else { return (.direct, circle.rawValue, "Messages") }
      return (.direct, circle.rawValue, named(people, otherwise: "Messages"))
    case .launch: return (.launch, 0, "Stack")
    }
  }

  /// "@ann, @bob".
  private func named(_ authors: [AuthorID], otherwise: SafeText) -> SafeText {
    let handles = authors.map { cache.handle(of: $0) }.filter { !$0.isEmpty }
    guard !handles.isEmpty else { return otherwise }
    return SafeText(trusted: Array(handles.map { [UInt8(ascii: "@")] + $0.utf8 }.joined(separator: Array(", ".utf8))))
  }

  /// What a pane tells of whom it is about; nil for what is no profile.
  mutating func profile(of list: PostList) -> ProfileSummary? {
    guard case .profile(let facts) = list.facts else { return nil }
    return ProfileSummary(author: cache.author(facts.author), posts: list.rowCount, facts)
  }
}
