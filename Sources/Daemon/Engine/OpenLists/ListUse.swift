internal import OrderedCollections
internal import Posts

/// The users of each list: sessions that show it, requests that wait for its rows, and lists kept for later use.
struct ListUse {
  private let limits: EngineLimits
  /// The sessions that show a list in one of their panes.
  private var showing: [ListKey: [SessionKey]] = [:]
  /// Sessions that have views.
  private var viewed: Set<SessionKey> = []
  /// Requests for rows that wait for lists to load.
  private(set) var requests: RowRequests
  /// The accounts whose timelines stay in memory while no session shows them, most recently used last.
  private var keptHomes: OrderedSet<AccountID> = []
  /// The lists kept for requests for rows, most recently requested last.
  private var unshown: OrderedSet<ListKey> = []

  init(limits: EngineLimits) {
    self.limits = limits
    requests = RowRequests(limits: limits)
  }

  // MARK: Sessions

  /// Returns the sessions that show a list, with and without views.
  func sessions(showing list: ListKey) -> [SessionKey] { showing[list] ?? [] }

  /// Sets the lists that a session shows; `before` are those that it showed until now.
  mutating func setLists(of session: SessionKey, to now: [ListKey], insteadOf before: [ListKey]) {
    for list in before where !now.contains(list) {
      showing[list]?.removeAll { $0 == session }
      if showing[list]?.isEmpty == true { showing[list] = nil }
    }
    for list in now where !before.contains(list) { showing[list, default: []].append(session) }
  }

  /// Records that a session has views, or no longer has any.
  mutating func setViewed(_ session: SessionKey, _ isViewed: Bool) {
    if isViewed { viewed.insert(session) } else { viewed.remove(session) }
  }

  /// Returns true if a session with views has a pane that shows the list.
  func isShown(_ list: ListKey) -> Bool { showing[list]?.contains { viewed.contains($0) } ?? false }

  /// Returns true if a list is a search that nothing but ephemeral sessions with views needs.
  func isEphemeral(_ list: ListKey) -> Bool {
    guard case .search = list.base, !unshown.contains(list), let sessions = showing[list] else { return false }
    return sessions.contains { viewed.contains($0) } && sessions.allSatisfy { $0.isEphemeral || !viewed.contains($0) }
  }

  // MARK: Requests

  /// Queues a request until its list is loaded. Returns false if too many are waiting.
  mutating func enqueue(_ request: RowRequests.Waiting) -> Bool { requests.add(request) }

  /// Removes a request that was answered or refused.
  mutating func noteAnswer(to token: RequestToken) { requests.remove(token) }

  /// Returns true if a request waits for a list.
  func isAwaited(_ list: ListKey) -> Bool { !requests.waiting(for: list).isEmpty }

  /// Keeps a list for requests for rows, as the most recently requested one. Returns true if others may be dropped.
  mutating func keepForRequests(_ list: ListKey) -> Bool {
    unshown.remove(list)
    unshown.append(list)
    guard unshown.count > limits.lists.unshown else { return false }
    let idle = unshown.filter { !isAwaited($0) }
    for list in idle.prefix(unshown.count - limits.lists.unshown) { unshown.remove(list) }
    return true
  }

  /// Stops keeping the lists that satisfy `isOld` and have no waiting request. Returns true if there were any.
  private mutating func stopKeeping(where isOld: (ListKey) -> Bool) -> Bool {
    let old = unshown.filter { isOld($0) && !isAwaited($0) }
    unshown.subtract(old)
    return !old.isEmpty
  }

  /// Forgets filtered lists with an earlier reading position, which no request names any more. Returns true if there
  /// were any.
  mutating func forgetOlder(than key: ListKey) -> Bool {
    guard case .filtered(let base, let filter) = key else { return false }
    return stopKeeping { other in
      guard case .filtered(base, let former) = other else { return false }
      return former.words == filter.words && former.since != filter.since
    }
  }

  // MARK: Retention

  /// Records that a list is opened. Returns true if the least recently used timeline may be dropped.
  mutating func noteUse(of list: ListKey) -> Bool {
    guard case .home(let account) = list else { return false }
    keptHomes.remove(account)
    keptHomes.append(account)
    guard keptHomes.count > limits.lists.keptHomes else { return false }
    keptHomes.removeFirst()
    return true
  }

  /// Returns true if more of a list should be loaded. A list that is only kept for requests waits for the next request.
  func isWanted(_ list: ListKey) -> Bool {
    if case .home(let account) = list, keptHomes.contains(account) { return true }
    return !unshown.contains(list) || isShown(list) || isAwaited(list)
  }

  /// Returns true if a list stays in memory. Recently used timelines do, so that the next view of one shows its first
  /// row at once.
  func isNeeded(_ list: ListKey) -> Bool {
    if case .home(let account) = list, keptHomes.contains(account) || isAwaited(list) { return true }
    return isShown(list) || unshown.contains(list)
  }

  /// Removes a closed list.
  mutating func close(_ list: ListKey) { unshown.remove(list) }
}
