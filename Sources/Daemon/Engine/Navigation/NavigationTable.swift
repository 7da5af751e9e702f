internal import Dates
internal import OrderedCollections
internal import Posts
internal import ViewState

/// The navigation panes of accounts whose views have one: the new and the seen entries of each section.
struct NavigationTable {
  private let limits: EngineLimits
  private var accounts: OrderedDictionary<AccountID, AccountNavigation> = [:]
  /// Accounts whose views or new entries have changed.
  private var changed: Set<AccountID> = []
  /// The instant of the next save of seen entries; nil while everything is saved.
  private(set) var seenDue: Instant?

  init(limits: EngineLimits) { self.limits = limits }

  /// An account's navigation; nil if none of its views shows one.
  subscript(account: AccountID) -> AccountNavigation? { accounts[account] }

  // MARK: Loading

  /// Opens an account's navigation. Returns the load that this needs; nil if it is already open.
  mutating func open(_ account: AccountID) -> Load? {
    guard accounts[account] == nil else { return nil }
    accounts[account] = AccountNavigation()
    return beginLoad(account)
  }

  /// Marks the store's counts for an account as outdated. Returns the load to start; nil if one is under way, or if the
  /// navigation is not open.
  mutating func reload(_ account: AccountID) -> Load? {
    accounts[account]?.isOutdated = true
    return loadIfOutdated(account)
  }

  /// Returns a load of an account's counts if they are outdated and no load is under way.
  mutating func loadIfOutdated(_ account: AccountID) -> Load? {
    guard let known = accounts[account], known.isOutdated, !known.isLoading else { return nil }
    return beginLoad(account)
  }

  /// Returns the loads of all outdated counts.
  mutating func loadsOfOutdated() -> [(account: AccountID, load: Load)] {
    accounts.keys.compactMap { account in loadIfOutdated(account).map { (account, $0) } }
  }

  private mutating func beginLoad(_ account: AccountID) -> Load? {
    guard let known = accounts[account] else { return nil }
    accounts[account]?.isLoading = true
    accounts[account]?.isOutdated = false
    return .navigation(account, seen: known.news.compactMapValues(\.seen))
  }

  /// Ends the load of an account's navigation. Returns false if none was under way.
  mutating func endLoad(_ account: AccountID) -> Bool {
    guard accounts[account]?.isLoading == true else { return false }
    accounts[account]?.isLoading = false
    return true
  }

  /// Sets the counts of the store as of a revision.
  mutating func receive(_ facts: NavigationFacts, of account: AccountID, at revision: UInt64) {
    accounts[account]?.setFacts(facts, at: revision)
    changed.insert(account)
  }

  /// Closes an account's navigation.
  mutating func close(_ account: AccountID) { accounts[account] = nil }

  // MARK: New entries

  /// Counts a commit's changes to a section; see ``AccountNavigation/count(_:in:of:_:hasMutes:)``.
  mutating func count(
    _ digest: DigestedCommit, in section: SeenSection, of account: AccountID, _ come: [OrderKey], hasMutes: Bool
  ) {
    accounts[account]?.count(digest, in: section, of: account, come, hasMutes: hasMutes)
    changed.insert(account)
  }

  /// The accounts with an open navigation.
  var all: [AccountID] { Array(accounts.keys) }

  /// Marks the counts of these accounts as outdated.
  mutating func markOutdated(_ outdated: [AccountID]) {
    for account in outdated { accounts[account]?.isOutdated = true }
  }

  /// Records that an account's views have changed.
  mutating func noteChange(of account: AccountID?) { if let account { changed.insert(account) } }

  /// The accounts whose panes may have to change, each with the sections that have new entries.
  var changedAccounts: [(account: AccountID, sections: [SeenSection])] {
    changed.compactMap { account in
      guard let known = accounts[account], known.isLoaded else { return nil }
      return (account, known.news.filter { $0.value.count > 0 }.map(\.key))
    }
  }

  /// Updates the numbers that an account's panes show; they are 0 for `watched` sections, whose newest rows a view
  /// shows. Returns true if any number has changed; the caller updates the views before ``forgetChanges()``.
  mutating func updateShownCounts(of account: AccountID, watched: [SeenSection]) -> Bool {
    var isChanged = false
    for section in SeenSection.allCases {
      guard let news = accounts[account]?.news[section] else { continue }
      let shown = watched.contains(section) ? 0 : min(news.count, NavigationFacts.most)
      guard shown != news.shown else { continue }
      accounts[account]?.news[section]?.shown = shown
      isChanged = true
    }
    return isChanged
  }

  /// Clears ``changedAccounts``, after all of them and their views have been updated.
  mutating func forgetChanges() { changed = [] }

  // MARK: Seen entries

  /// Marks everything up to an entry as seen; `newer` entries were above it at a revision.
  mutating func markSeen(
    upTo key: OrderKey, newer: Int, at revision: UInt64, in section: SeenSection, of account: AccountID
  ) {
    accounts[account]?.markSeen(upTo: key, newer: newer, at: revision, in: section)
    changed.insert(account)
  }

  /// Returns the seen entries of an account that must be saved now. Sections that were saved a short while ago wait,
  /// unless this save `isLast`.
  mutating func save(_ account: AccountID, at now: Instant, isLast: Bool) -> [(SeenSection, OrderKey)] {
    var saved: [(SeenSection, OrderKey)] = []
    for section in SeenSection.allCases {
      guard let news = accounts[account]?.news[section], news.isUnsaved, let seen = news.seen else { continue }
      let due = news.savedAt?.adding(milliseconds: limits.sessions.seenMilliseconds) ?? now
      if due > now, !isLast {
        seenDue = min(seenDue ?? due, due)
      } else {
        saved.append((section, seen))
        accounts[account]?.news[section]?.isUnsaved = false
        accounts[account]?.news[section]?.savedAt = now
      }
    }
    return saved
  }

  /// Returns the seen entries of all accounts that are due to be saved, or, if this save `isLast`, all unsaved ones.
  mutating func saveAll(at now: Instant, isLast: Bool) -> [(AccountID, SeenSection, OrderKey)] {
    seenDue = nil
    return accounts.keys.flatMap { account in
      save(account, at: now, isLast: isLast).map { (account, $0.0, $0.1) }
    }
  }

  /// Schedules another save of a seen entry that the store failed to save.
  mutating func notSaved(_ account: AccountID, _ section: SeenSection, at now: Instant) {
    guard accounts[account]?.news[section]?.seen != nil else { return }
    accounts[account]?.news[section]?.isUnsaved = true
    let due = now.adding(milliseconds: limits.sessions.seenMilliseconds)
    seenDue = min(seenDue ?? due, due)
  }

  /// Adapts to a clock that was set back: recorded instants may be in the future.
  mutating func clockWentBack(to now: Instant) {
    for account in accounts.keys { accounts[account]?.forgetSaving() }
    seenDue = seenDue.map { min($0, now) }
  }
}
