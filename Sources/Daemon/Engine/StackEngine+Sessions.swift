internal import OrderedCollections
internal import Posts
internal import ViewState

extension StackEngine {
  /// Opens a session unless it is open. The store knows nothing of a passing one, nor of that of nobody, who is not
  /// signed in: that is a launch pane.
  mutating func openSession(_ key: SessionKey) {
    guard sessions[key] == nil else { return }
    sessions[key] = Session(key: key)
    guard let root = key.account == AccountID(0) ? .launch : key.content else {
      return load(.session(key), for: .session(key))
    }
    sessions[key]!.stack = PaneStack(root: root)
    sessions[key]!.isLoaded = true
    sessions[key]!.mayBeStored = false
    watch(key, from: nil, to: sessions[key]!.stack)
  }

  /// Forgets a session that nobody looks at and nothing waits for; it is stored, and so are its answers.
  mutating func dropSession(_ key: SessionKey) {
    guard let session = sessions[key], session.isLoaded, session.saving == nil, session.waiting.isEmpty else { return }
    guard !session.hasUnstoredAnswers, session.scenes.isEmpty, !session.hasClosedPanes else { return }
    guard !session.isSavingPlaces, !unsavedPlaces.contains(key) else { return }
    watch(key, from: session.stack, to: nil)
    sessions[key] = nil
  }

  mutating func sessionLoaded(_ key: SessionKey, _ result: LoadResult) {
    guard sessions[key]?.isLoaded == false else { return }
    switch result {
    case .session(let bytes, let revision, let places, let placesRevision, let count):
      // A stack that cannot be read is as good as none: the timeline is there, and the next command saves a good one.
      sessions[key]!.stack = bytes.flatMap { PaneStack(decoding: $0) } ?? PaneStack()
      sessions[key]!.answers = Session.answers(in: bytes ?? [], revision: revision, limit: limits.rememberedRequests)
      sessions[key]!.changedRevision = revision
      if sessions[key]!.stack.hasFilters { sessions[key]!.filteredAt = revision }
      sessions[key]!.begunAt = bytes == nil ? sessionEndedAt : revision
      sessions[key]!.isStored = bytes != nil
      sessions[key]!.mayBeStored = bytes != nil || count < limits.sessions
      sessions[key]!.places = places.map { Places(decoding: $0, revision: placesRevision) } ?? Places()
      sessions[key]!.savedPlaces = sessions[key]!.places
      sessions[key]!.isLoaded = true
      watch(key, from: nil, to: sessions[key]!.stack)
      openLists(of: key)
      for slot in sessions[key]!.scenes {
        var scene = scenes[slot]
        begin(&scene)
        scenes[slot] = scene
      }
      for view in members(of: key) { applyPendingViewport(view) }
      touchScenes(of: key, isCommit: false)
      startNextCommand(key)
    case .failed(let error): abandonSession(key, error)
    case .page, .conversation, .post, .pane, .sessions, .facts, .navigation: break
    }
  }

  /// Ends the views of a session and refuses its commands. It is forgotten; what the store has of it stays.
  mutating func abandonSession(_ key: SessionKey, _ error: EngineError) {
    let waiting = sessions[key]!.waiting
    let members = members(of: key)
    watch(key, from: sessions[key]!.isLoaded ? sessions[key]!.stack : nil, to: nil)
    lists.use.look(at: key, false)
    sessions[key] = nil
    unsavedPlaces.remove(key)
    for entry in waiting where !answerAgain(entry.command.requestID, entry.token, key) {
      effects.append(.refuse(entry.token, error))
    }
    for view in members { end(view, error) }
  }

  /// The views of a session.
  func members(of key: SessionKey) -> [ViewSlot] {
    sessions[key]?.scenes.flatMap { scenes[$0].members } ?? []
  }

  /// Opens the lists of a session's panes, if anybody looks.
  mutating func openLists(of key: SessionKey) {
    guard let session = sessions[key], session.isLoaded, !session.scenes.isEmpty else { return }
    for list in session.lists { openList(list) }
  }

  /// Notes which lists a session shows, from one stack to the next; nil for none.
  private mutating func watch(_ key: SessionKey, from old: PaneStack?, to new: PaneStack?) {
    lists.use.watch(key, new?.lists(of: key.account) ?? [], insteadOf: old?.lists(of: key.account) ?? [])
  }

  /// Has a session and its views go to another stack, as of `revision`.
  mutating func adopt(_ stack: PaneStack, in key: SessionKey, revision: UInt64, isUrgent: Bool) {
    notePlaces(of: key)
    let old = sessions[key]!.stack
    watch(key, from: old, to: stack)
    sessions[key]!.stack = stack
    sessions[key]!.changedRevision = revision
    if old.hasFilters || stack.hasFilters { sessions[key]!.filteredAt = revision }
    let known = Set(old.rememberedPanes)
    if !old.panes.contains(where: { $0.id == stack.top.id }) { sessions[key]!.places.position = nil }
    if let root = stack.panes.first, let section = root.content.section, !known.contains(root.id) {
      // A section that is opened again begins where it has been read to.
      sessions[key]!.places.anchors[root.id] = sessions[key]!.places.readings[section]?.anchor
    }
    expectPlaces(of: key)
    openLists(of: key)
    for slot in sessions[key]!.scenes { scenes[slot].follow(stack, from: old, at: sessions[key]!.places, &lists) }
    for view in members(of: key) { applyPendingViewport(view) }
    touchScenes(of: key, isCommit: true, isUrgent: isUrgent)
    if sessions[key]!.scenes.isEmpty { savePlaces(of: key) }
  }

  /// What a list is about has gone, or this account may no longer see it: panes that show it close, those above them
  /// stay, and history does not bring them back. Views see that at once; it is stored as soon as it can be, and if it
  /// cannot be, the pane closes again when its list cannot be read.
  mutating func closePanes(about list: ListKey) {
    for key in Array(sessions.keys) where key.account == list.account && sessions[key]!.isLoaded {
      func close(_ stack: inout PaneStack) -> Bool { stack.close { $0.list(of: key.account) == list } }
      // What is being stored comes back to be shown.
      if case .stack(var stored) = sessions[key]!.saving?.change, close(&stored) {
        sessions[key]!.saving!.change = .stack(stored)
        sessions[key]!.hasClosedPanes = true
      }
      var stack = sessions[key]!.stack
      if close(&stack) {
        sessions[key]!.hasClosedPanes = true
        adopt(stack, in: key, revision: revision, isUrgent: false)
      }
      startNextCommand(key)
    }
    dropUnusedLists()
  }

  // MARK: By name

  /// Answers which sessions an account has: those that are stored, and those that somebody looks at.
  mutating func sessionsLoaded(_ token: RequestToken, _ account: AccountID, _ result: LoadResult) {
    switch result {
    case .sessions(let stored):
      var summaries: [SessionSummary] = []
      for saved in stored where sessions[SessionKey(account: account, name: saved.name)]?.isLoaded != true {
        let stack = PaneStack(decoding: saved.bytes) ?? PaneStack()
        let panes = titles(of: stack, for: account)
        summaries.append(SessionSummary(name: saved.name, panes: panes, views: 0, revision: saved.revision))
      }
      for session in sessions.values where session.key.account == account && session.isLoaded && !session.key.isPassing
      {
        guard session.isStored || !session.scenes.isEmpty else { continue }
        summaries.append(
          SessionSummary(
            name: session.key.name, panes: titles(of: session.stack, for: account),
            views: members(of: session.key).count,
            revision: session.changedRevision))
      }
      effects.append(.answerSessions(token, summaries.sorted { $0.name < $1.name }))
    case .failed(let error): effects.append(.refuse(token, error))
    case .page, .conversation, .post, .pane, .session, .facts, .navigation: break
    }
  }

  private func titles(of stack: PaneStack, for account: AccountID) -> [String] {
    stack.panes.map { String(decoding: lists.header(of: $0, for: account).title, as: UTF8.self) }
  }

  /// Calls a session by another name. Whoever has opened one of that name meanwhile finds this one when opening it
  /// again.
  mutating func renameSession(_ key: SessionKey, to name: String) {
    let new = SessionKey(account: key.account, name: name)
    if sessions[new] != nil {
      abandonSession(new, EngineError(.aborted, "the session was given to another; attach again"))
    }
    notePlaces(of: key)
    watch(key, from: sessions[key]!.stack, to: nil)
    var session = sessions.removeValue(forKey: key)!
    session.key = new
    sessions[new] = session
    lists.use.look(at: key, false)
    lists.use.look(at: new, !session.scenes.isEmpty)
    if unsavedPlaces.remove(key) != nil { unsavedPlaces.append(new) }
    watch(new, from: nil, to: session.stack)
    for slot in session.scenes { moveScene(slot, to: new) }
    for view in members(of: new) { views[view].session = new }
    touchScenes(of: new, isCommit: true, isUrgent: true)
  }
}

extension PaneStack {
  /// Whether a pane of any state is limited.
  var hasFilters: Bool { (past + [panes] + future).joined().contains { $0.filter != nil } }

  /// The lists of the panes, each once.
  func lists(of account: AccountID) -> [ListKey] {
    var lists: [ListKey] = []
    for pane in panes {
      let list = pane.list(of: account)
      if !lists.contains(list) { lists.append(list) }
    }
    return lists
  }
}

extension Session {
  /// The lists of its panes, each once.
  var lists: [ListKey] { stack.lists(of: key.account) }
}
