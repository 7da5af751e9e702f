internal import OrderedCollections
internal import Posts
internal import ViewState

/// Why the engine asked for a load.
enum LoadPurpose {
  case list(ListLoad)
  case navigation(AccountID)
  case session(SessionKey)
  /// What the first waiting command of a session names.
  case subject(SessionKey)
  case sessions(RequestToken, AccountID)
  case rows(RequestToken, RowsRequest)
  case unreadRows(RequestToken, RowsRequest, Section)
}

/// The loads that are under way, and the commits that what they bring may lack.
struct LoadTable {
  /// A load that is under way.
  struct Issued {
    let load: Load
    let purpose: LoadPurpose
    /// The engine's revision when it was asked for.
    let revision: UInt64
  }

  private let limits: EngineLimits
  /// In the order in which they were asked for.
  private var issued: OrderedDictionary<LoadID, Issued> = [:]
  private var next: UInt64 = 1
  private var log = CommitLog()

  init(limits: EngineLimits) { self.limits = limits }

  /// Notes a load that is asked for at a revision, and gives it a number.
  mutating func issue(_ load: Load, for purpose: LoadPurpose, at revision: UInt64) -> LoadID {
    let id = LoadID(next)
    next += 1
    issued[id] = Issued(load: load, purpose: purpose, revision: revision)
    return id
  }

  /// Takes a load out that has ended; nil for one that is not under way.
  mutating func end(_ id: LoadID) -> Issued? { issued.removeValue(forKey: id) }

  /// Whether what the first waiting command of a session names is being looked for.
  func isFinding(for session: SessionKey) -> Bool {
    issued.values.contains { if case .subject(session) = $0.purpose { true } else { false } }
  }

  // MARK: Commits meanwhile

  /// Notes a commit, for as long as something is being read that may lack it.
  mutating func note(_ commit: DigestedCommit) {
    if !issued.isEmpty { log.append(commit, limit: limits.lists.loggedPosts) }
  }

  /// The commits after a revision, oldest first; nil where one of them was forgotten.
  func commits(after revision: UInt64) -> [DigestedCommit]? { log.commits(after: revision) }

  /// Forgets the commits that nothing under way can lack.
  mutating func forgetSeenCommits() { log.forget(upTo: issued.values.first?.revision ?? .max) }
}
