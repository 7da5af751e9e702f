internal import Dates
internal import Posts
internal import ViewState

/// Data that panes need from lists besides rows: titles, profiles, and the lines of a row.
extension ListTable {
  /// Returns a pane's header, which does not depend on its rows.
  func header(of record: PaneRecord, for account: AccountID?) -> PaneHeader {
    let (kind, subject, title) = heading(of: record, for: account)
    var header = PaneHeader(paneID: record.id, kind: kind, subject: UInt64(subject), title: title.utf8)
    if case .search(let query) = record.content { header.query = Array(query.utf8) }
    header.isPreview = record.isPreview
    if let filter = record.filter { header.filter = Array(filter.words.utf8) }
    return header
  }

  private func heading(of record: PaneRecord, for account: AccountID?) -> (
    PaneHeader.Kind, subject: Int64, title: SafeText
  ) {
    let facts = open[record.list(of: account)]?.known.facts
    switch record.content {
    case .timeline: return (.timeline, 0, "Timeline")
    case .mentions: return (.mentions, 0, "Mentions")
    case .lists: return (.lists, 0, "Lists")
    case .messages: return (.messages, 0, "Messages")
    case .profile:
      guard case .profile(let profile) = facts else { return (.profile, 0, "Profile") }
      return (.profile, profile.author.rawValue, named([profile.author], otherwise: "Profile"))
    case .search(let query): return (.search, 0, Self.title(ofSearch: record.typed.isEmpty ? query : record.typed))
    case .conversation(let post): return (.conversation, post.rawValue, "Conversation")
    case .author(let author): return (.profile, author.rawValue, named([author], otherwise: "Profile"))
    case .list(let list):
      guard case .made(let made) = facts else { return (.list, list.rawValue, "List") }
      return (.list, list.rawValue, SafeText(line: made.name.utf8))
    case .direct(let group):
      guard case .direct(let people, let others) = facts else { return (.direct, group.rawValue, "Messages") }
      return (.direct, group.rawValue, named(people, others, otherwise: "Messages"))
    case .launch: return (.launch, 0, "Stack")
    }
  }

  /// Returns the words of a search; those for what an account has kept have a name.
  private static func title(ofSearch words: String) -> SafeText {
    switch words {
    case "": "Search"
    case "is:saved": "Saved posts"
    case "is:favourited": "Favourites"
    default: SafeText(line: words)
    }
  }

  /// Returns the authors' handles and other names, such as "@ann, @bob"; `otherwise` if none is known.
  private func named(_ authors: [AuthorID], _ others: [SafeText] = [], otherwise: SafeText) -> SafeText {
    let handles =
      authors.map { cache.shownHandle(of: $0) }.filter { !$0.isEmpty } + others.map { [UInt8(ascii: "@")] + $0.utf8 }
    guard !handles.isEmpty else { return otherwise }
    return SafeText(trusted: Array(handles.joined(separator: Array(", ".utf8))))
  }

  /// Returns the summary that a profile's pane shows; nil for lists that are not profiles.
  mutating func profile(of list: PostList) -> ProfileSummary? {
    guard case .profile(let facts) = list.known.facts else { return nil }
    return ProfileSummary(author: cache.author(facts.author), posts: list.rowCount, facts)
  }

  // MARK: Lines

  /// Returns the lines of a row in a pane of `width`, with the day line above it; nil if the row is not loaded.
  /// O(length).
  mutating func rowLines(
    of key: OrderKey, in list: ListKey, _ pane: PaneRecord, _ zone: Zone, _ layout: LayoutParameters, width: Int
  ) -> RowLines? {
    let found = open.read(list) { list in
      list.arrange(for: pane)
      return (post: list.post(with: key), depth: list.depth(near: key), folding: list.folding(of: key.id))
    }
    guard let found, let post = found.post else { return nil }
    let layoutKey = LayoutKey(layout, paneWidth: width).at(depth: found.depth).with(found.folding)
    return RowLines(
      post, for: list.account, in: layoutKey, dayHeight: dayHeight(of: key, in: list, zone, layout, layoutKey))
  }

  /// Returns the height of the day line above a row; 0 if there is none.
  mutating func dayHeight(
    of key: OrderKey, in list: ListKey, _ zone: Zone, _ layout: LayoutParameters, _ layoutKey: LayoutKey
  ) -> Int {
    guard layout.hasDayLines else { return 0 }
    return open.read(list) { list in
      guard list.showsTimes else { return 0 }
      let days = DayRule(of: list, in: zone, height: layoutKey.dayHeight)
      return days.begins(displayed: list.displayedIndex(near: key), of: &list) ? days.height : 0
    } ?? 0
  }
}
