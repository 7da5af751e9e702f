internal import Dates
internal import OrderedCollections
internal import Posts
internal import ViewState

/// The navigation panes of accounts, where views have one: what is new in which section, and what was seen of it.
struct NavigationTable {
  private let limits: EngineLimits
  private var accounts: OrderedDictionary<AccountID, AccountNavigation> = [:]
  /// Accounts whose views have changed, or what is new for them.
  private var unsettled: Set<AccountID> = []
  /// When what was seen is next saved; nil while all is.
  private(set) var seenDue: Instant?

  init(limits: EngineLimits) { self.limits = limits }

  /// An account's navigation; nil where no view of it has one.
  subscript(account: AccountID) -> AccountNavigation? { accounts[account] }

  // MARK: Loading

  /// Begins to show an account's navigation. Returns what is to be read; nil where it is known or on its way.
  mutating func open(_ account: AccountID) -> Load? {
    guard accounts[account] == nil else { return nil }
    accounts[account] = AccountNavigation()
    return beginLoad(account)
  }

  /// What the store has counted for an account is no longer true. Returns what is to be read now; nil where that is
  /// under way, or nobody has the account's navigation.
  mutating func reload(_ account: AccountID) -> Load? {
    accounts[account]?.isOutdated = true
    return loadIfOutdated(account)
  }

  /// Returns what is to be read again of an account.
  mutating func loadIfOutdated(_ account: AccountID) -> Load? {
    guard let known = accounts[account], known.isOutdated, !known.isLoading else { return nil }
    return beginLoad(account)
  }

  /// Returns what is to be read again, of all accounts.
  mutating func loadsOfOutdated() -> [(account: AccountID, load: Load)] {
    accounts.keys.compactMap { account in loadIfOutdated(account).map { (account, $0) } }
  }

  private mutating func beginLoad(_ account: AccountID) -> Load? {
    guard let known = accounts[account] else { return nil }
    accounts[account]?.isLoading = true
    accounts[account]?.isOutdated = false
    return .navigation(account, seen: known.news.compactMapValues(\.seen))
  }

  /// Whether a load of an account's navigation is under way. It is then taken to have ended.
  mutating func endLoad(_ account: AccountID) -> Bool {
    guard accounts[account]?.isLoading == true else { return false }
    accounts[account]?.isLoading = false
    return true
  }

  /// Takes what the store has counted at a revision.
  mutating func receive(_ facts: NavigationFacts, of account: AccountID, at revision: UInt64) {
    accounts[account]?.take(facts, at: revision)
    unsettled.insert(account)
  }

  /// Forgets an account's navigation.
  mutating func close(_ account: AccountID) { accounts[account] = nil }

  // MARK: What is new

  /// Counts what a commit has brought into a section; see
  /// ``AccountNavigation/count(_:in:of:_:isQuiet:)``.
  mutating func count(
    _ digest: DigestedCommit, in section: SeenSection, of account: AccountID, _ come: [OrderKey], isQuiet: Bool
  ) {
    accounts[account]?.count(digest, in: section, of: account, come, isQuiet: isQuiet)
    unsettled.insert(account)
  }

  /// Accounts that have a navigation.
  var all: [AccountID] { Array(accounts.keys) }

  /// Posts have changed: for these accounts the store has to count again.
  mutating func outdate(_ concerned: [AccountID]) {
    for account in concerned { accounts[account]?.isOutdated = true }
  }

  /// An account's views have changed.
  mutating func noteChange(of account: AccountID) { unsettled.insert(account) }

  /// Accounts whose panes may have to show something else, each with the sections that have something new.
  var toSettle: [(account: AccountID, sections: [SeenSection])] {
    unsettled.compactMap { account in
      guard let known = accounts[account], known.isLoaded else { return nil }
      return (account, known.news.filter { $0.value.count > 0 }.map(\.key))
    }
  }

  /// Brings what an account's panes show to what is new now: nothing of sections whose newest rows a view shows. True
  /// if that has changed; its views are told before ``forgetChanges()``.
  mutating func settle(_ account: AccountID, watched: [SeenSection]) -> Bool {
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

  /// All accounts have been brought up to date, and their views told.
  mutating func forgetChanges() { unsettled = [] }

  // MARK: What was seen

  /// Notes that everything up to an entry was seen, above which there were `newer` at a revision.
  mutating func see(
    _ key: OrderKey, newer: Int, at revision: UInt64, in section: SeenSection, of account: AccountID
  ) {
    accounts[account]?.see(key, newer: newer, at: revision, in: section)
    unsettled.insert(account)
  }

  /// Returns what is to be saved of what an account has seen now; what was saved a short while ago waits, unless this
  /// `isLast`.
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

  /// Returns what is due to be saved, or everything that is not saved.
  mutating func saveAll(at now: Instant, isLast: Bool) -> [(AccountID, SeenSection, OrderKey)] {
    seenDue = nil
    return accounts.keys.flatMap { account in
      save(account, at: now, isLast: isLast).map { (account, $0.0, $0.1) }
    }
  }

  /// The store could not take what was seen: it is offered again a while later.
  mutating func notSaved(_ account: AccountID, _ section: SeenSection, at now: Instant) {
    guard accounts[account]?.news[section]?.seen != nil else { return }
    accounts[account]?.news[section]?.isUnsaved = true
    let due = now.adding(milliseconds: limits.sessions.seenMilliseconds)
    seenDue = min(seenDue ?? due, due)
  }

  /// The clock was set back: what was noted lies in the future.
  mutating func clockWentBack(to now: Instant) {
    for account in accounts.keys { accounts[account]?.forgetSaving() }
    seenDue = seenDue.map { min($0, now) }
  }
}
