internal import Posts
internal import ViewState

/// What panes tell beside their rows: titles and profiles.
extension ListTable {
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
    let facts = open[record.list(of: account)]?.facts
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
