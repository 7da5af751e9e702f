internal import Dates
internal import OrderedCollections
internal import Posts
internal import ViewState

/// Sessions in memory: those with views, or with something not stored yet.
struct SessionTable {
  private let limits: EngineLimits
  private var sessions: OrderedDictionary<SessionKey, Session> = [:]
  /// Sessions whose places may have changed since they were saved, in the order in which that came about.
  private var unsaved: OrderedSet<SessionKey> = []
  /// Instant of the next save of such places; nil if there are none.
  private(set) var placesDue: Instant?
  /// Answers of commands that renamed or deleted their sessions, oldest first.
  private var lastAnswers: [(session: SessionKey, answer: CommandQueue.Answer)] = []
  /// Revision of the last commit that renamed or deleted a session.
  private var endedAt: UInt64 = 0

  init(limits: EngineLimits) { self.limits = limits }

  /// The session of a key; nil if it is not in memory.
  subscript(key: SessionKey) -> Session? { sessions[key] }

  /// All sessions, in the order in which they were opened.
  var all: [Session] { Array(sessions.values) }

  /// Number of sessions.
  var count: Int { sessions.count }

  /// Changes a session and returns what `change` returns; nil if the session is not in memory.
  @discardableResult
  mutating func edit<Result>(_ key: SessionKey, _ change: (inout Session) -> Result) -> Result? {
    guard let place = sessions.index(forKey: key) else { return nil }
    return change(&sessions.values[place])
  }

  /// Adds a session.
  mutating func insert(_ session: Session) { sessions[session.key] = session }

  /// Applies what the store has of a session.
  mutating func load(_ key: SessionKey, _ saved: LoadedSession) {
    edit(key) { [endedAt, limits] in $0.load(saved, endedAt: endedAt, limits) }
  }

  /// Removes a session. What the store has of it stays.
  mutating func remove(_ key: SessionKey) {
    unsaved.remove(key)
    sessions[key] = nil
  }

  /// Returns true if a session may be removed: it has no views, and it is stored with its answers and places.
  func mayForget(_ key: SessionKey) -> Bool { sessions[key]?.isIdle == true && !unsaved.contains(key) }

  /// Renames a session.
  mutating func rename(_ key: SessionKey, to new: SessionKey) {
    guard var session = sessions.removeValue(forKey: key) else { return }
    session.key = new
    sessions[new] = session
    if unsaved.remove(key) != nil { unsaved.append(new) }
  }

  /// Records that a commit renamed or deleted a session.
  mutating func noteEnd(at revision: UInt64) { endedAt = max(endedAt, revision) }

  /// Returns the reason why an account may not open another ephemeral session; nil if it may. They are limited, since
  /// each may hold a list in memory.
  func refusalOfEphemeral(for account: AccountID) -> EngineError? {
    let most = limits.sessions.ephemeral
    guard sessions.keys.count(where: { $0.account == account && $0.isEphemeral }) >= most else { return nil }
    return EngineError(
      .resourceExhausted,
      "an account can have at most \(most) different sections and searches open; close one first", limit: most)
  }

  // MARK: Answers

  /// Returns the answer of a command that was carried out before; nil if there is none.
  func answer(to requestID: String, _ key: SessionKey) -> CommandQueue.Answer? {
    guard !requestID.isEmpty else { return nil }
    let last = lastAnswers.first { $0.session == key && $0.answer.requestID == requestID }
    return sessions[key]?.commands.answer(to: requestID) ?? last?.answer
  }

  /// Returns the effect that answers a command, and remembers the answer for repeated requests: with the session, or
  /// beside it once that is renamed or deleted.
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

  /// Begins to store a change: with `pane`, the change of the first waiting command, which is about that pane; without
  /// it, a change that no command waits for. Returns the effect for the store; nil if the change is saved with the
  /// session's places.
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

  /// Returns the sessions of an account by name: those that are `stored`, and those with views.
  func summaries(
    of account: AccountID, _ stored: [StoredSession], titles: (PaneStack) -> [String], views: (Session) -> [ViewID]
  ) -> [SessionListing] {
    var summaries: [SessionListing] = []
    for saved in stored where sessions[SessionKey(account: account, name: saved.name)]?.isLoaded != true {
      let stack = PaneStack(decoding: saved.bytes) ?? PaneStack()
      summaries.append(SessionListing(name: saved.name, panes: titles(stack), views: [], revision: saved.revision))
    }
    for session in sessions.values where session.key.account == account && session.isLoaded && !session.key.isEphemeral
    {
      guard session.isStored || session.hasViews else { continue }
      summaries.append(
        SessionListing(
          name: session.key.name, panes: titles(session.stack),
          views: views(session).sorted { $0.rawValue < $1.rawValue },
          revision: session.revisions.changed))
    }
    return summaries.sorted { $0.name < $1.name }
  }

  // MARK: Places

  /// Schedules a save of a session's places, which may have changed.
  mutating func expectPlaces(of key: SessionKey, at now: Instant) {
    unsaved.append(key)
    if placesDue == nil { placesDue = now.adding(milliseconds: limits.sessions.placesMilliseconds) }
  }

  /// Returns true if a session's places may have changed since they were saved.
  func mayHaveUnsavedPlaces(_ key: SessionKey) -> Bool { unsaved.contains(key) }

  /// Returns the sessions whose places are saved now, at most `limit`, longest waiting first.
  mutating func takeDue(atMost limit: Int) -> [SessionKey] {
    placesDue = nil
    return Array(unsaved.prefix(limit))
  }

  /// Schedules a later save for the sessions that are left.
  mutating func waitForRest(at now: Instant) {
    if !unsaved.isEmpty { placesDue = now.adding(milliseconds: limits.sessions.placesMilliseconds) }
  }

  /// Takes a session's turn to have its places saved; false if there is nothing to save, or if it must wait for another
  /// save of the session.
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

  /// Handles a failed save of a session's places. It is tried again, unless the session has no views and too many
  /// sessions wait for a save.
  mutating func placesNotSaved(_ key: SessionKey, at now: Instant) {
    edit(key) { $0.places.saveFailed() }
    expectPlaces(of: key, at: now)
    if sessions[key]?.hasViews == false, unsaved.count > limits.sessions.unsaved { unsaved.remove(key) }
  }

  /// Adjusts the next save to a clock that was set back.
  mutating func clockWentBack(to now: Instant) {
    placesDue = placesDue.map { min($0, now.adding(milliseconds: limits.sessions.placesMilliseconds)) }
  }
}
