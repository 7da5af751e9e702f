internal import OrderedCollections
internal import Posts
internal import ViewState

/// The purpose of a load.
enum LoadPurpose {
  case list(ListLoad)
  case navigation(AccountID)
  case session(SessionKey)
  /// The subject of a session's first waiting command.
  case subject(SessionKey)
  case sessions(RequestToken, AccountID)
  case rows(RequestToken, RowsRequest)
  case unreadRows(RequestToken, RowsRequest, Section)
}

/// The loads under way, and the commits that their results may lack.
struct LoadTable {
  /// A load that is under way.
  struct Issued {
    let load: Load
    let purpose: LoadPurpose
    /// The engine's revision when the load was requested.
    let revision: UInt64
  }

  private let limits: EngineLimits
  /// In the order in which they were requested.
  private var issued: OrderedDictionary<LoadID, Issued> = [:]
  private var next: UInt64 = 1
  private var log = CommitLog()

  init(limits: EngineLimits) { self.limits = limits }

  /// Adds a load requested at a revision and returns its ID.
  mutating func issue(_ load: Load, for purpose: LoadPurpose, at revision: UInt64) -> LoadID {
    let id = LoadID(next)
    next += 1
    issued[id] = Issued(load: load, purpose: purpose, revision: revision)
    return id
  }

  /// Removes a load that has ended; nil if it is not under way.
  mutating func end(_ id: LoadID) -> Issued? { issued.removeValue(forKey: id) }

  /// Returns true while the subject of a session's first waiting command is being loaded.
  func isFinding(for session: SessionKey) -> Bool {
    issued.values.contains { if case .subject(session) = $0.purpose { true } else { false } }
  }

  // MARK: Commits during loads

  /// Records a commit if there are loads under way, which may lack it.
  mutating func recordCommit(_ commit: DigestedCommit) {
    if !issued.isEmpty { log.append(commit, limit: limits.lists.loggedPosts) }
  }

  /// Returns the commits after a revision, oldest first; nil if one of them was dropped.
  func commits(after revision: UInt64) -> [DigestedCommit]? { log.commits(after: revision) }

  /// Drops the commits that no load under way can lack.
  mutating func forgetSeenCommits() { log.forget(upTo: issued.values.first?.revision ?? .max) }
}
