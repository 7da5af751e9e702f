internal import OrderedCollections
internal import Posts
internal import ViewState

/// Sessions: their stacks, what they show, and where they are looked at.
extension StackEngine {
  /// Opens a session unless it is open. The store knows nothing of an ephemeral one, nor of that of nobody, who is not
  /// signed in: that is a launch pane.
  mutating func openSession(_ key: SessionKey) {
    guard sessions[key] == nil else { return }
    var session = Session(key: key)
    guard let root = key.account == AccountID(0) ? .launch : key.content else {
      sessions.insert(session)
      return load(.session(key), for: .session(key))
    }
    session.stack = PaneStack(root: root)
    session.storage = .refused
    sessions.insert(session)
    lists.use.watch(key, session.lists, insteadOf: [])
  }

  /// Forgets a session that nobody looks at and nothing waits for; it is stored, and so are its answers.
  mutating func dropSession(_ key: SessionKey) {
    guard sessions.mayForget(key), let session = sessions[key] else { return }
    lists.use.watch(key, [], insteadOf: session.lists)
    sessions.remove(key)
  }

  mutating func sessionLoaded(_ key: SessionKey, _ result: LoadResult) {
    guard sessions[key]?.isLoaded == false else { return }
    switch result {
    case .session(let saved):
      let (endedAt, limits) = (sessions.endedAt, limits)
      sessions.edit(key) { $0.load(saved, endedAt: endedAt, limits) }
      guard let session = sessions[key] else { return }
      lists.use.watch(key, session.lists, insteadOf: [])
      openLists(of: key)
      for slot in session.scenes {
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
    guard let session = sessions[key] else { return }
    let members = members(of: key)
    lists.use.watch(key, [], insteadOf: session.isLoaded ? session.lists : [])
    lists.use.look(at: key, false)
    sessions.remove(key)
    for entry in session.commands.waiting where !answerAgain(entry.command.requestID, entry.token, key) {
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
    guard let session = sessions[key], session.isLoaded, session.isLookedAt else { return }
    for list in session.lists { openList(list) }
  }

  /// Has a session and its views go to another stack, as of `revision`.
  mutating func show(_ stack: PaneStack, in key: SessionKey, revision: UInt64, isUrgent: Bool) {
    notePlaces(of: key)
    guard let old = sessions[key] else { return }
    lists.use.watch(key, stack.lists(of: key.account), insteadOf: old.lists)
    sessions.edit(key) { $0.show(stack, revision: revision) }
    sessions.expectPlaces(of: key, at: now)
    openLists(of: key)
    guard let session = sessions[key] else { return }
    for slot in session.scenes { scenes[slot].follow(stack, from: old.stack, at: session.places.current, &lists) }
    for view in members(of: key) { applyPendingViewport(view) }
    touchScenes(of: key, isCommit: true, isUrgent: isUrgent)
    if sessions[key]?.isLookedAt == false { savePlaces(of: key) }
  }

  /// What a list is about has gone, or this account may no longer see it: panes that show it close, those above them
  /// stay, and history does not bring them back. Views see that at once; it is stored as soon as it can be, and if it
  /// cannot be, the pane closes again when its list cannot be read.
  mutating func closePanes(about list: ListKey) {
    for key in sessions.all.filter({ $0.key.account == list.account && $0.isLoaded }).map(\.key) {
      guard var stack = sessions[key]?.stack else { continue }
      let isChanged = sessions.edit(key) {
        $0.commands.closePanes(in: &stack) { $0.close { $0.list(of: key.account) == list } }
      }
      if isChanged == true { show(stack, in: key, revision: revision, isUrgent: false) }
      startNextCommand(key)
    }
    dropUnusedLists()
  }

  // MARK: By name

  /// Answers which sessions an account has: those that are stored, and those that somebody looks at.
  mutating func sessionsLoaded(_ token: RequestToken, _ account: AccountID, _ result: LoadResult) {
    switch result {
    case .sessions(let stored):
      let summaries = sessions.summaries(of: account, stored) { stack in
        stack.panes.map { String(decoding: lists.header(of: $0, for: account).title, as: UTF8.self) }
      } viewCount: {
        members(of: $0.key).count
      }
      effects.append(.answerSessions(token, summaries))
    case .failed(let error): effects.append(.refuse(token, error))
    case .page, .conversation, .post, .pane, .session, .facts, .navigation: break
    }
  }

  /// Calls a session by another name. Whoever has opened one of that name meanwhile finds this one when opening it
  /// again.
  mutating func renameSession(_ key: SessionKey, to name: String) {
    let new = SessionKey(account: key.account, name: name)
    if sessions[new] != nil {
      abandonSession(new, EngineError(.aborted, "the session was given to another; attach again"))
    }
    notePlaces(of: key)
    guard let session = sessions[key] else { return }
    lists.use.watch(key, [], insteadOf: session.lists)
    lists.use.look(at: key, false)
    sessions.rename(key, to: new)
    lists.use.watch(new, session.lists, insteadOf: [])
    lists.use.look(at: new, session.isLookedAt)
    for slot in session.scenes { scenes.move(slot, to: new) }
    for view in members(of: new) { views[view].session = new }
    touchScenes(of: new, isCommit: true, isUrgent: true)
  }

  // MARK: Where it is looked at

  /// A view was used: where it looks is where its session is looked at. Line mode has no say in that, and an ephemeral
  /// session has no places.
  mutating func noteUse(_ view: ViewSlot) {
    let key = views[view].session
    guard sessions[key]?.isLoaded == true, !key.isPassing, !scenes[views[view].scene].identity.layout.isSinglePane
    else { return }
    sessions.edit(key) { $0.places.lastUsed = view }
    sessions.expectPlaces(of: key, at: now)
  }

  /// Brings a session's places up to what the view shows that was used last. O(panes), and for each that is looked at
  /// within a row the length of its text.
  mutating func notePlaces(of key: SessionKey) {
    guard let session = sessions[key], let view = session.places.lastUsed else { return }
    let scene = scenes[views[view].scene]
    let anchors = scene.anchors(of: session.stack, in: &lists)
    sessions.edit(key) { session in
      session.places.current.position = scene.viewpoint.position
      for record in session.stack.panes { session.places.current.anchors[record.id] = anchors[record.id] }
    }
  }

  /// Saves the places of sessions that may have changed, those that have waited for longest first.
  mutating func savePlaces(atMost limit: Int) {
    for key in sessions.takeDue(atMost: limit) { savePlaces(of: key) }
    sessions.waitForRest(at: now)
  }

  /// Saves a session's places if they have changed; once it can, if something else of it is being saved or it is about
  /// to go.
  mutating func savePlaces(of key: SessionKey) {
    guard sessions.takeTurn(key) else { return }
    notePlaces(of: key)
    sessions.edit(key) { $0.places.current.keep($0.stack.rememberedPanes) }
    guard let session = sessions[key], session.places.areUnsaved, session.mayBeStored else { return }
    send(session.places.current, of: key)
  }

  /// Saves what could not be saved while something else was: in time, or at once if nobody looks any more.
  mutating func savePlacesLater(of key: SessionKey) {
    guard sessions.mayHaveUnsavedPlaces(key), let session = sessions[key] else { return }
    if session.isLookedAt { sessions.expectPlaces(of: key, at: now) } else { savePlaces(of: key) }
  }

  /// Has the store save places.
  mutating func send(_ places: Places, of key: SessionKey) {
    sessions.edit(key) { $0.places.beginSaving(places) }
    effects.append(.savePlaces(key, places.encoded))
  }

  mutating func placesSaved(_ key: SessionKey, _ result: Result<UInt64, EngineError>) {
    guard let session = sessions[key], session.places.isSaving else { return }
    var read: (section: Section, anchor: RowAnchor)?
    if case .reading(let section, let anchor)? = session.commands.saving?.change { read = (section, anchor) }
    switch result {
    case .failure: sessions.placesNotSaved(key, at: now)
    case .success(let revision):
      self.revision = max(self.revision, revision)
      sessions.edit(key) {
        $0.storage = .stored
        $0.places.saveEnded(at: revision, read)
      }
    }
    if read != nil { finish(key, result) }
    if case .success = result { savePlacesLater(of: key) }
    startNextCommand(key)
  }

  // MARK: Commands

  /// Takes a command: one at a time for each session is carried out, stored before it is answered and before views show
  /// what it did. It begins when those before it have ended.
  mutating func enqueue(_ command: StackCommand, _ token: RequestToken, _ key: SessionKey) {
    guard key.account != AccountID(0) else {
      return effects.append(
        .refuse(token, EngineError(.permissionDenied, "sign in first; nobody's session cannot be changed")))
    }
    if answerAgain(command.requestID, token, key) { return }
    openSession(key)
    let limit = limits.sessions.waitingCommands
    guard sessions.edit(key, { $0.commands.add(command, token, limit: limit) }) == true else {
      let message = "too many commands wait for this session; try again"
      return effects.append(.refuse(token, EngineError(.resourceExhausted, message, reason: .busy)))
    }
    startNextCommand(key)
  }

  /// Answers a command that was carried out before; false if it was not.
  mutating func answerAgain(_ requestID: String, _ token: RequestToken, _ key: SessionKey) -> Bool {
    guard let answer = sessions.answer(to: requestID, key) else { return false }
    effects.append(.answerStack(token, pane: answer.paneID, revision: answer.revision))
    return true
  }

  /// Begins the first waiting command, unless one is being carried out. A session for which nothing more is to be done
  /// is forgotten.
  mutating func startNextCommand(_ key: SessionKey) {
    while let session = sessions[key], session.isLoaded, session.commands.saving == nil {
      if session.commands.hasClosedPanes { return store(.stack(session.stack), in: key) }
      guard let next = session.commands.waiting.first else { return dropSession(key) }
      if answerAgain(next.command.requestID, next.token, key) {
        sessions.edit(key) { $0.commands.takeFirst() }
        continue
      }
      do throws(EngineError) {
        guard try begin(next, in: key) else { return }
      } catch {
        refuseFirst(key, error)
      }
    }
  }

  /// Begins a command. True if it is done already; false if it waits for the store.
  private mutating func begin(_ next: CommandQueue.Waiting, in key: SessionKey) throws(EngineError) -> Bool {
    if case .read = next.command.action { notePlaces(of: key) }
    guard let session = sessions[key] else { return false }
    let context = CommandContext(revision: revision, limits: limits, sessions: sessions)
    switch try session.step(for: next, context, &lists) {
    case .answer(let pane):
      answer(next, pane: pane, in: key)
      return true
    case .find(let wanted): if !loads.isFinding(for: key) { load(wanted, for: .subject(key)) }
    case .store(let change, let pane): store(change, pane: pane, in: key)
    case .storeReading(let section, let anchor):
      store(.reading(section, anchor), pane: 0, in: key)
      var places = session.places.current
      places.readings[section] = Places.Reading(anchor: anchor, revision: nil)
      places.keep(session.stack.rememberedPanes)
      send(places, of: key)
    case .storeFirst: store(.stack(session.stack), in: key)
    case .end:
      answer(next, pane: 0, in: key)
      endSession(key)
      return true
    case .wait: break
    }
    return false
  }

  /// Answers the first waiting command, for which there was nothing to store.
  private mutating func answer(_ done: CommandQueue.Waiting, pane: UInt64, in key: SessionKey) {
    sessions.edit(key) { $0.commands.takeFirst() }
    effects.append(sessions.answer(done, pane: pane, revision: sessions[key]?.revisions.changed ?? 0, in: key))
    // Of a session that is not stored nothing is remembered, or anybody could have anything remembered.
    if !done.command.requestID.isEmpty { sessions.edit(key) { $0.commands.noteUnstoredAnswers($0.isStored) } }
  }

  /// Refuses the first waiting command.
  private mutating func refuseFirst(_ key: SessionKey, _ error: EngineError) {
    if let refused = sessions.edit(key, { $0.commands.takeFirst() }) ?? nil {
      effects.append(.refuse(refused.token, error))
    }
    dropUnusedLists()
  }

  /// What the first waiting command is about has been found, or not.
  mutating func subjectLoaded(_ key: SessionKey, _ result: LoadResult) {
    guard let session = sessions[key], let command = session.commands.waiting.first else { return }
    switch result {
    case .conversation(let subject, let posts, let authors, let revision):
      lists.cache.learn(authors)
      let list = ListKey.conversation(key.account, subject)
      if lists[list] == nil { fill(list, posts, revision: revision) }
      sessions.edit(key) { $0.commands.noteFirst { $0.content = .conversation(subject) } }
    case .pane(let content):
      sessions.edit(key) { $0.commands.noteFirst { $0.content = content } }
      // What it shows is read while the stack is stored.
      if session.isLookedAt { openList(content.list(of: key.account)) }
    case .post(let post, _, _): sessions.edit(key) { $0.commands.noteFirst { $0.row = post.orderKey } }
    case .page(let page):
      if let row = command.row, page.posts.first?.orderKey == row {
        sessions.edit(key) { $0.commands.noteFirst { $0.isRowInSection = true } }
      } else {
        refuseFirst(key, Session.noRow(command.row?.id))
      }
    case .failed(let error): refuseFirst(key, error)
    case .session, .sessions, .facts, .navigation: break
    }
    startNextCommand(key)
  }

  // MARK: Storing

  private mutating func store(_ change: CommandQueue.Saving.Change, pane: UInt64? = nil, in key: SessionKey) {
    if let effect = sessions.store(change, pane: pane, in: key) { effects.append(effect) }
  }

  mutating func sessionSaved(_ key: SessionKey, _ result: Result<UInt64, EngineError>) {
    if case .reading? = sessions[key]?.commands.saving?.change { return }
    finish(key, result)
  }

  /// What was to be stored is stored, or not.
  mutating func finish(_ key: SessionKey, _ result: Result<UInt64, EngineError>) {
    guard let saving = sessions.edit(key, { $0.commands.endSaving() }) ?? nil else { return }
    var key = key
    switch result {
    case .failure(let error):
      if let command = saving.command {
        effects.append(.refuse(command.token, error))
      } else if sessions[key]?.isStored == false,
        let waiting = sessions.edit(key, { $0.commands.takeFirst() }) ?? nil
      {
        // Nobody waited for this, but somebody for what was to come after it.
        effects.append(.refuse(waiting.token, error))
      }
    case .success(let revision):
      self.revision = max(self.revision, revision)
      noteStored(saving, in: key, at: revision)
      if let command = saving.command {
        effects.append(sessions.answer(command, pane: saving.paneID, revision: revision, in: key))
      }
      if case .end = saving.change { return endSession(key) }
      if case .name(let name) = saving.change {
        renameSession(key, to: name)
        key.name = name
        sessions.edit(key) { $0.revisions.changed = revision }
      }
    }
    savePlacesLater(of: key)
    dropUnusedLists()
    startNextCommand(key)
  }

  /// A change is stored: views are shown it.
  private mutating func noteStored(_ saving: CommandQueue.Saving, in key: SessionKey, at revision: UInt64) {
    switch saving.change {
    case .stack(let stack):
      sessions.edit(key) {
        $0.storage = .stored
        $0.commands.noteUnstoredAnswers(false)
      }
      if saving.command == nil {
        sessions.edit(key) { $0.revisions.changed = revision }
        touchScenes(of: key, isCommit: false)
      } else {
        show(stack, in: key, revision: revision, isUrgent: true)
      }
    case .reading(let section, _):
      let isRemembered = saving.command?.command.requestID.isEmpty == false
      if isRemembered { sessions.edit(key) { $0.commands.noteUnstoredAnswers(true) } }
      touchScenes(of: key, showing: [PaneContent(section).list(of: key.account)], isCommit: false)
    case .name, .end: sessions.noteEnd(at: revision)
    }
  }

  /// The session is no more.
  private mutating func endSession(_ key: SessionKey) {
    sessions.edit(key) { $0.places.lastUsed = nil }
    abandonSession(
      key, EngineError(.notFound, "the session \(key.name.shortened) was deleted; attach again to begin a new one"))
    dropUnusedLists()
  }
}
