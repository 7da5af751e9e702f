internal import OrderedCollections
internal import Posts

/// Who needs which list: sessions that show it, requests that wait for rows of it, and what is kept for the next.
struct ListUse {
  private let limits: EngineLimits
  /// The sessions that show a list in one of their panes.
  private var showing: [ListKey: [SessionKey]] = [:]
  /// Sessions that views look at.
  private var lookedAt: Set<SessionKey> = []
  /// Requests for rows that wait for lists to load.
  private(set) var requests: RowRequests
  /// Whose timelines were used last, the latest last: they stay in memory while nobody shows them.
  private var keptHomes: OrderedSet<AccountID> = []
  /// Lists that are kept for requests for rows, the one that was asked for last at the end.
  private var unshown: OrderedSet<ListKey> = []

  init(limits: EngineLimits) {
    self.limits = limits
    requests = RowRequests(limits: limits)
  }

  // MARK: Sessions

  /// The sessions that show a list, looked at or not.
  func sessions(showing list: ListKey) -> [SessionKey] { showing[list] ?? [] }

  /// Notes which lists a session shows now, and which it showed.
  mutating func watch(_ session: SessionKey, _ now: [ListKey], insteadOf before: [ListKey]) {
    for list in before where !now.contains(list) {
      showing[list]?.removeAll { $0 == session }
      if showing[list]?.isEmpty == true { showing[list] = nil }
    }
    for list in now where !before.contains(list) { showing[list, default: []].append(session) }
  }

  /// Notes whether views look at a session.
  mutating func look(at session: SessionKey, _ isLookedAt: Bool) {
    if isLookedAt { lookedAt.insert(session) } else { lookedAt.remove(session) }
  }

  /// Whether a session that views look at has a pane with the list.
  func isShown(_ list: ListKey) -> Bool { showing[list]?.contains { lookedAt.contains($0) } ?? false }

  // MARK: Requests

  /// Has a request wait for a list; false where too many wait.
  mutating func enqueue(_ request: RowRequests.Waiting) -> Bool { requests.add(request) }

  /// A request is answered, or refused.
  mutating func noteAnswer(to token: RequestToken) { requests.remove(token) }

  /// Whether a request waits for a list.
  func isAwaited(_ list: ListKey) -> Bool { !requests.waiting(for: list).isEmpty }

  /// Keeps a list for requests for rows, as one of the last that were asked for. True if others are kept no longer.
  mutating func keep(_ list: ListKey) -> Bool {
    unshown.remove(list)
    unshown.append(list)
    guard unshown.count > limits.lists.unshown else { return false }
    let idle = unshown.filter { !isAwaited($0) }
    for list in idle.prefix(unshown.count - limits.lists.unshown) { unshown.remove(list) }
    return true
  }

  /// Keeps lists no longer that no request waits for and that `isOld` is true of. True if there were such.
  mutating func forget(where isOld: (ListKey) -> Bool) -> Bool {
    let old = unshown.filter { isOld($0) && !isAwaited($0) }
    unshown.subtract(old)
    return !old.isEmpty
  }

  // MARK: What follows from that

  /// Notes that a timeline is opened. True if the one that nobody has looked at for longest may go.
  mutating func noteUse(of list: ListKey) -> Bool {
    guard case .home(let account) = list else { return false }
    keptHomes.remove(account)
    keptHomes.append(account)
    guard keptHomes.count > limits.lists.keptHomes else { return false }
    keptHomes.removeFirst()
    return true
  }

  /// Whether more of a list is to be loaded: one that is kept for requests waits until one asks.
  func isWanted(_ list: ListKey) -> Bool {
    if case .home(let account) = list, keptHomes.contains(account) { return true }
    return !unshown.contains(list) || isShown(list) || isAwaited(list)
  }

  /// Whether a list stays in memory: the timelines that were used last do, so that the next view of one sees its first
  /// row at once.
  func isNeeded(_ list: ListKey) -> Bool {
    if case .home(let account) = list, keptHomes.contains(account) || isAwaited(list) { return true }
    return isShown(list) || unshown.contains(list)
  }

  /// A list is closed.
  mutating func close(_ list: ListKey) { unshown.remove(list) }
}
