internal import Dates
internal import Posts
internal import ViewState

/// The content of an account's navigation panes, which all its views share: the account's author, and the new entries
/// of each section.
struct AccountNavigation {
  /// The new entries of a section.
  struct News: Equatable {
    /// The newest seen entry; nil if none was seen.
    var seen: OrderKey?
    /// Number of newer entries.
    var count = 0
    /// True if ``count`` is only a lower bound.
    var isCapped = false
    /// The revision up to which ``count`` includes commits.
    var countedAt: UInt64 = 0
    /// The number that panes show: 0 while a view shows the section's newest rows.
    var shown = 0
    /// True if ``seen`` is not saved yet.
    var isUnsaved = false
    /// The instant at which ``seen`` was last saved.
    var savedAt: Instant?
  }

  /// The account's author; nil until the first load has ended.
  var author: AuthorID?
  var news: [SeenSection: News] = [:]
  var isLoading = false
  /// True if it has changed since it was requested, or must be requested again.
  var isOutdated = false

  /// True once its counts are known.
  var isLoaded: Bool { author != nil }

  /// Sets the counts of the store as of a revision. The caller counts later commits that it has already received.
  mutating func setFacts(_ facts: NavigationFacts, at revision: UInt64) {
    author = facts.author
    for section in SeenSection.allCases {
      let loaded = facts.news[section] ?? NavigationFacts.News(seen: nil, count: 0)
      var news = self.news[section] ?? News()
      // More was seen since the request: the entries newer than that must be counted again.
      if let seen = news.seen, loaded.seen.map({ $0 < seen }) ?? true {
        isOutdated = true
        continue
      }
      news.seen = loaded.seen
      news.count = loaded.count
      news.isCapped = loaded.count >= NavigationFacts.most
      news.countedAt = revision
      self.news[section] = news
    }
  }

  /// Counts the visible entries that a commit has added to a section (`come`) and those that it has removed, unless the
  /// commit is already counted. The store must count again if the previous count was capped, if the commit does not
  /// name its changes, or if removed entries may not have been counted: mentions may be notices, and if the account
  /// `hasMutes` all may have been hidden.
  mutating func count(
    _ digest: DigestedCommit, in section: SeenSection, of account: AccountID, _ come: [OrderKey], hasMutes: Bool
  ) {
    let (list, commit) = (section.key(of: account), digest.commit)
    guard commit.revision > news[section]?.countedAt ?? 0 else { return }
    if digest.reloaded.contains(list) { isOutdated = true }
    let seen = self.news[section]?.seen
    func isNew(_ key: OrderKey) -> Bool { seen.map { key > $0 } ?? true }
    let gone = (digest.left[list] ?? []).count(where: isNew)
    var news = self.news[section] ?? News()
    news.countedAt = commit.revision
    if gone > 0, news.count > 0 {
      if news.isCapped || hasMutes || section == .mentions {
        isOutdated = true
      } else {
        news.count = max(0, news.count - gone)
      }
    }
    news.count += come.count(where: isNew)
    self.news[section] = news
  }

  /// Marks everything up to an entry as seen; `newer` entries were above it at a revision.
  mutating func markSeen(upTo key: OrderKey, newer: Int, at revision: UInt64, in section: SeenSection) {
    var news = self.news[section] ?? News()
    news.seen = key
    news.count = newer
    news.countedAt = revision
    news.isCapped = false
    news.isUnsaved = true
    self.news[section] = news
  }

  /// Forgets when the seen entries were last saved: after the clock was set back, that may be in the future.
  mutating func forgetSaving() {
    for section in news.keys { news[section]?.savedAt = nil }
  }

  /// Returns the pane for a view: a row for each section with its number of new entries, one of them selected; a narrow
  /// strip if it is compact.
  func pane(selected: Section?, author: RowAuthor, _ layout: LayoutParameters, isCompact: Bool) -> Navigation {
    let metrics = PaneMetrics(layout)
    var pane = Navigation()
    pane.isCompact = isCompact
    pane.width = min(isCompact ? metrics.strip : metrics.menu, layout.width)
    pane.account = author
    pane.footer = "Stack"
    pane.rows = Section.allCases.map { section in
      var row = Navigation.Row(section: section, label: section.label, icon: section.icon)
      row.isSelected = section == selected
      if let shown = news.first(where: { $0.key.section == section })?.value.shown { row.unseen = shown }
      return row
    }
    return pane
  }
}

extension SeenSection {
  /// The section whose row in the navigation pane shows new entries.
  var section: Section {
    switch self {
    case .home: .timeline
    case .mentions: .mentions
    case .messages: .messages
    }
  }

  /// The section that a list belongs to; nil for other lists.
  init?(_ list: ListKey) {
    switch list {
    case .home: self = .home
    case .mentions: self = .mentions
    case .messages: self = .messages
    case .lists, .direct, .made, .author, .own, .search, .conversation, .launch, .filtered: return nil
    }
  }

  /// The section that a pane shows; nil for other content.
  init?(_ content: PaneContent) {
    switch content {
    case .timeline: self = .home
    case .mentions: self = .mentions
    case .messages: self = .messages
    case .lists, .profile, .search, .conversation, .author, .list, .direct, .launch: return nil
    }
  }

  /// Returns the section's list.
  func key(of account: AccountID) -> ListKey {
    switch self {
    case .home: .home(account)
    case .mentions: .mentions(account)
    case .messages: .messages(account)
    }
  }
}

extension Section {
  /// The label in the navigation pane.
  var label: String {
    switch self {
    case .timeline: "Timeline"
    case .mentions: "Mentions"
    case .lists: "Lists"
    case .messages: "Messages"
    case .profile: "Profile"
    case .search: "Search"
    }
  }

  /// The icon: one character that takes one cell in every terminal.
  var icon: String {
    switch self {
    case .timeline: "⌂"
    case .mentions: "@"
    case .lists: "≣"
    case .messages: "✉"
    case .profile: "☻"
    case .search: "⌕"
    }
  }
}
