internal import Dates
internal import OrderedCollections
internal import Posts
internal import ViewState

/// The sessions in memory: those that views look at, or of which something is yet to be stored.
struct SessionTable {
  private let limits: EngineLimits
  private var sessions: OrderedDictionary<SessionKey, Session> = [:]
  /// Those whose places may have changed since they were saved, in the order in which that came about.
  private var unsaved: OrderedSet<SessionKey> = []
  /// When some of those are next saved.
  private(set) var placesDue: Instant?
  /// What commands answered that renamed or deleted their sessions, oldest first.
  private var lastAnswers: [(session: SessionKey, answer: CommandQueue.Answer)] = []
  /// The revision of the last commit by which a session lost its name.
  private(set) var endedAt: UInt64 = 0

  init(limits: EngineLimits) { self.limits = limits }

  /// The session of a key; nil where it is not in memory.
  subscript(key: SessionKey) -> Session? { sessions[key] }

  /// All of them, in the order in which they were opened.
  var all: [Session] { Array(sessions.values) }

  /// How many there are.
  var count: Int { sessions.count }

  /// Changes a session; nil where it is not in memory.
  @discardableResult
  mutating func edit<Result>(_ key: SessionKey, _ change: (inout Session) -> Result) -> Result? {
    guard let place = sessions.index(forKey: key) else { return nil }
    return change(&sessions.values[place])
  }

  /// Puts a session in.
  mutating func insert(_ session: Session) { sessions[session.key] = session }

  /// Forgets a session; what the store has of it stays.
  mutating func remove(_ key: SessionKey) {
    unsaved.remove(key)
    sessions[key] = nil
  }

  /// Whether a session may be forgotten: nobody looks at it, and it is stored with its answers and places.
  func mayForget(_ key: SessionKey) -> Bool { sessions[key]?.isIdle == true && !unsaved.contains(key) }

  /// Calls a session by another name.
  mutating func rename(_ key: SessionKey, to new: SessionKey) {
    guard var session = sessions.removeValue(forKey: key) else { return }
    session.key = new
    sessions[new] = session
    if unsaved.remove(key) != nil { unsaved.append(new) }
  }

  /// Notes that a session lost its name by a commit.
  mutating func noteEnd(at revision: UInt64) { endedAt = max(endedAt, revision) }

  /// Ephemeral sessions of an account.
  func passingCount(of account: AccountID) -> Int { sessions.keys.count { $0.account == account && $0.isPassing } }

  // MARK: Answers

  /// What a command was answered that was carried out before; nil where there was none.
  func answer(to requestID: String, _ key: SessionKey) -> CommandQueue.Answer? {
    guard !requestID.isEmpty else { return nil }
    let last = lastAnswers.first { $0.session == key && $0.answer.requestID == requestID }
    return sessions[key]?.commands.answer(to: requestID) ?? last?.answer
  }

  /// Answers a command, and remembers the answer for repeated requests: with the session or, once that is renamed or
  /// deleted, beside it.
  mutating func answer(
    _ done: CommandQueue.Waiting, pane: UInt64, revision: UInt64, in key: SessionKey
  ) -> Effect {
    let answer = CommandQueue.Answer(requestID: done.command.requestID, paneID: pane, revision: revision)
    let limit = limits.sessions.rememberedRequests
    switch done.command.action {
    case _ where answer.requestID.isEmpty: break
    case .rename, .delete:
      if lastAnswers.count >= limit { lastAnswers.removeFirst() }
      lastAnswers.append((key, answer))
    default: edit(key) { $0.commands.remember(answer, limit: limit) }
    }
    return .answerStack(done.token, pane: pane, revision: revision)
  }

  // MARK: Storing

  /// Begins to store a change: that of the first waiting command which is about `pane`, or without a pane one that
  /// nobody waits for. Returns what the store is to do; nil where that comes with the session's places.
  mutating func store(_ change: CommandQueue.Saving.Change, pane: UInt64?, in key: SessionKey) -> Effect? {
    edit(key) { session in
      if let pane { session.commands.beginSaving(change, pane: pane) } else { session.commands.beginSaving(change) }
    }
    switch change {
    case .stack(let stack):
      return sessions[key].map { session in
        let command = session.commands.saving?.command
        let bytes = session.encoded(stack, saving: command, pane: pane ?? 0, limit: limits.sessions.rememberedRequests)
        return .saveSession(key, bytes)
      }
    case .name(let name): return .renameSession(key, to: name)
    case .end: return .deleteSession(key)
    case .reading: return nil
    }
  }

  /// The sessions of an account: those that are `stored`, and those that views look at, by name.
  func summaries(
    of account: AccountID, _ stored: [StoredSession], titles: (PaneStack) -> [String], viewCount: (Session) -> Int
  ) -> [SessionSummary] {
    var summaries: [SessionSummary] = []
    for saved in stored where sessions[SessionKey(account: account, name: saved.name)]?.isLoaded != true {
      let stack = PaneStack(decoding: saved.bytes) ?? PaneStack()
      summaries.append(SessionSummary(name: saved.name, panes: titles(stack), views: 0, revision: saved.revision))
    }
    for session in sessions.values where session.key.account == account && session.isLoaded && !session.key.isPassing {
      guard session.isStored || session.isLookedAt else { continue }
      summaries.append(
        SessionSummary(
          name: session.key.name, panes: titles(session.stack), views: viewCount(session),
          revision: session.revisions.changed))
    }
    return summaries.sorted { $0.name < $1.name }
  }

  // MARK: Places

  /// There may be something to save of a session's places.
  mutating func expectPlaces(of key: SessionKey, at now: Instant) {
    unsaved.append(key)
    if placesDue == nil { placesDue = now.adding(milliseconds: limits.sessions.placesMilliseconds) }
  }

  /// Whether there may be something to save of a session's places.
  func mayHaveUnsavedPlaces(_ key: SessionKey) -> Bool { unsaved.contains(key) }

  /// The sessions whose places are saved now, at most `limit`: those that have waited for longest.
  mutating func takeDue(atMost limit: Int) -> [SessionKey] {
    placesDue = nil
    return Array(unsaved.prefix(limit))
  }

  /// Sees that what is left is saved later.
  mutating func waitForRest(at now: Instant) {
    if !unsaved.isEmpty { placesDue = now.adding(milliseconds: limits.sessions.placesMilliseconds) }
  }

  /// Takes a session's turn to have its places saved; false where there is nothing to save, or it has to wait until
  /// something else of it is saved.
  mutating func takeTurn(_ key: SessionKey) -> Bool {
    guard let session = sessions[key], session.isLoaded, unsaved.contains(key), !session.places.isSaving else {
      return false
    }
    switch session.commands.saving?.change {
    case .name, .end: return false
    case .stack, .reading, nil: unsaved.remove(key)
    }
    return true
  }

  /// A session's places could not be saved: it is tried again, unless nobody looks and too many wait for that.
  mutating func placesNotSaved(_ key: SessionKey, at now: Instant) {
    edit(key) { $0.places.saveFailed() }
    expectPlaces(of: key, at: now)
    if sessions[key]?.isLookedAt == false, unsaved.count > limits.sessions.unsaved { unsaved.remove(key) }
  }

  /// The clock was set back.
  mutating func clockWentBack(to now: Instant) {
    placesDue = placesDue.map { min($0, now.adding(milliseconds: limits.sessions.placesMilliseconds)) }
  }
}
