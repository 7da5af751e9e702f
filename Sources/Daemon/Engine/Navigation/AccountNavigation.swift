internal import Dates
internal import Posts
internal import ViewState

/// What the navigation panes of an account's views show, the same in all of them: whose they are, and what is new in
/// which section.
struct AccountNavigation {
  /// What is new in a section.
  struct News: Equatable {
    /// The newest entry that was seen; nil for none.
    var seen: OrderKey?
    /// Entries that are newer.
    var count = 0
    /// There are at least ``count``; how many it is not known.
    var isCapped = false
    /// The revision up to which commits are in ``count``.
    var countedAt: UInt64 = 0
    /// What panes show: nothing while a view shows the section's newest rows.
    var shown = 0
    /// What was seen is yet to be saved.
    var isUnsaved = false
    /// It was last saved then.
    var savedAt: Instant?

  }

  /// The account's author.
  var author = AuthorID(0)
  var news: [SeenSection: News] = [:]
  var isLoaded = false
  var isLoading = false
  /// It has changed since it was asked for, or has to be asked for again.
  var isOutdated = false

  /// Takes what the store has counted at a revision. What was committed after that, and is told already, is to be
  /// counted by who calls.
  mutating func take(_ facts: NavigationFacts, at revision: UInt64) {
    author = facts.author
    isLoaded = true
    for section in SeenSection.allCases {
      let told = facts.news[section] ?? NavigationFacts.News(seen: nil, count: 0)
      var news = self.news[section] ?? News()
      // What was seen meanwhile was not asked for: how much is newer than that is asked for again.
      if let seen = news.seen, told.seen.map({ $0 < seen }) ?? true {
        isOutdated = true
        continue
      }
      news.seen = told.seen
      news.count = told.count
      news.isCapped = told.count >= NavigationFacts.most
      news.countedAt = revision
      self.news[section] = news
    }
  }

  /// Counts what a commit has brought into a section, of which `come` is shown, and taken from it, unless that is
  /// counted already. Where it is not known how many there were, what has changed, or because it `isQuiet` what of that
  /// was shown, the store has to count again.
  mutating func count(
    _ digest: DigestedCommit, in section: SeenSection, of account: AccountID, _ come: [OrderKey], isQuiet: Bool
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
      if news.isCapped || isQuiet { isOutdated = true } else { news.count = max(0, news.count - gone) }
    }
    news.count += come.count(where: isNew)
    self.news[section] = news
  }

  /// Notes that everything up to an entry was seen, above which there were `newer` at a revision.
  mutating func see(_ key: OrderKey, newer: Int, at revision: UInt64, in section: SeenSection) {
    var news = self.news[section] ?? News()
    news.seen = key
    news.count = newer
    news.countedAt = revision
    news.isCapped = false
    news.isUnsaved = true
    self.news[section] = news
  }

  /// Forgets when it was last saved, which may lie in the future because the clock was set back.
  mutating func forgetSaving() {
    for section in news.keys { news[section]?.savedAt = nil }
  }

  /// The pane in a view: rows with what is new in each, one of them selected; or a strip of them where it is compact.
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
  /// The row of the navigation pane that glows.
  var section: Section {
    switch self {
    case .home: .timeline
    case .mentions: .mentions
    case .messages: .messages
    }
  }

  /// The section that a list is, if it is one of these.
  init?(_ list: ListKey) {
    switch list {
    case .home: self = .home
    case .mentions: self = .mentions
    case .messages: self = .messages
    case .lists, .direct, .made, .author, .own, .search, .conversation, .launch, .filtered: return nil
    }
  }

  /// The section that a pane shows, if it is one of these.
  init?(_ content: PaneContent) {
    switch content {
    case .timeline: self = .home
    case .mentions: self = .mentions
    case .messages: self = .messages
    case .lists, .profile, .search, .conversation, .author, .list, .direct, .launch: return nil
    }
  }

  /// Its list.
  func key(of account: AccountID) -> ListKey {
    switch self {
    case .home: .home(account)
    case .mentions: .mentions(account)
    case .messages: .messages(account)
    }
  }
}

extension Section {
  /// What the navigation pane calls it.
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

  /// One character, of one cell in every terminal.
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
