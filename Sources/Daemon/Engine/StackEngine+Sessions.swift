internal import OrderedCollections
internal import Posts
internal import ViewState

/// Sessions: their stacks, commands and places.
extension StackEngine {
  /// Opens a session unless it is open. Ephemeral sessions and the signed-out session, a launch pane, are not loaded
  /// from the store.
  mutating func openSession(_ key: SessionKey) {
    guard sessions[key] == nil else { return }
    var session = Session(key: key)
    switch key {
    case .named(let account, let name):
      sessions.insert(session)
      return load(.session(account, name), for: .session(key))
    case .ephemeral(_, let content): session.stack = PaneStack(root: content)
    case .signedOut: session.stack = PaneStack(root: .launch)
    }
    session.storage = .refused
    sessions.insert(session)
    lists.use.setLists(of: key, to: session.lists, insteadOf: [])
  }

  /// Drops a session that has no views and no pending work, and is stored with its answers.
  mutating func dropSession(_ key: SessionKey) {
    guard sessions.mayForget(key), let session = sessions[key] else { return }
    lists.use.setLists(of: key, to: [], insteadOf: session.lists)
    sessions.remove(key)
  }

  mutating func sessionLoaded(_ key: SessionKey, _ result: LoadResult) {
    guard sessions[key]?.isLoaded == false else { return }
    switch result {
    case .session(let saved):
      sessions.load(key, saved)
      guard let session = sessions[key] else { return }
      lists.use.setLists(of: key, to: session.lists, insteadOf: [])
      openLists(of: key)
      for slot in session.scenes {
        var scene = scenes[slot]
        begin(&scene)
        scenes[slot] = scene
      }
      updatePreviews(of: key)
      for view in members(of: key) { applyPendingViewport(view) }
      touchScenes(of: key, isCommit: false)
      startNextCommand(key)
    case .failed(let error): abandonSession(key, error)
    case .page, .conversation, .post, .pane, .sessions, .facts, .navigation: break
    }
  }

  /// Ends the views of a session, refuses its commands and drops it from memory. What the store has of it stays.
  mutating func abandonSession(_ key: SessionKey, _ error: EngineError) {
    guard let session = sessions[key] else { return }
    let members = members(of: key)
    lists.use.setLists(of: key, to: [], insteadOf: session.isLoaded ? session.lists : [])
    lists.use.setViewed(key, false)
    sessions.remove(key)
    for entry in session.commands.waiting where !answerAgain(entry.command.requestID, entry.token, key) {
      effects.append(.refuse(entry.token, error))
    }
    for view in members { end(view, error) }
  }

  /// Returns the views of a session.
  func members(of key: SessionKey) -> [ViewSlot] {
    sessions[key]?.scenes.flatMap { scenes[$0].members } ?? []
  }

  /// Opens the lists of a session's panes, if it has views.
  mutating func openLists(of key: SessionKey) {
    guard let session = sessions[key], session.isLoaded, session.hasViews else { return }
    for list in session.lists { openList(list) }
  }

  /// Switches a session and its views to another stack, as of `revision`.
  mutating func show(_ stack: PaneStack, in key: SessionKey, revision: UInt64, isUrgent: Bool) {
    notePlaces(of: key)
    guard let old = sessions[key] else { return }
    sessions.edit(key) { $0.show(stack, revision: revision) }
    lists.use.setLists(of: key, to: sessions[key]?.lists ?? [], insteadOf: old.lists)
    sessions.expectPlaces(of: key, at: now)
    openLists(of: key)
    guard let session = sessions[key] else { return }
    for slot in session.scenes { scenes[slot].adoptStack(stack, from: old.stack, at: session.places.current, &lists) }
    updatePreviews(of: key)
    for view in members(of: key) { applyPendingViewport(view) }
    touchScenes(of: key, isCommit: true, isUrgent: isUrgent)
    if sessions[key]?.hasViews == false { savePlaces(of: key) }
  }

  /// Closes panes about a list whose subject is gone or no longer visible to its account. Panes above them stay, and
  /// history does not bring the closed ones back. Views see the change at once; it is stored as soon as possible. If it
  /// cannot be stored, the pane closes again when its list cannot be read.
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

  // MARK: Listing and renaming

  /// Answers with the sessions of an account: those that are stored, and those with views.
  mutating func sessionsLoaded(_ token: RequestToken, _ account: AccountID, _ result: LoadResult) {
    switch result {
    case .sessions(let stored):
      let summaries = sessions.summaries(of: account, stored) { stack in
        stack.panes.map { String(decoding: lists.header(of: $0, for: account).title, as: UTF8.self) }
      } views: {
        members(of: $0.key).map { views[$0].id }
      }
      effects.append(.answerSessions(token, summaries))
    case .failed(let error): effects.append(.refuse(token, error))
    case .page, .conversation, .post, .pane, .session, .facts, .navigation: break
    }
  }

  /// Renames a session. Views that opened a session with the new name meanwhile end, and show this one when they attach
  /// again.
  mutating func renameSession(_ key: SessionKey, to new: SessionKey) {
    if sessions[new] != nil {
      abandonSession(new, EngineError(.aborted, "another session was renamed to this name; attach again"))
    }
    notePlaces(of: key)
    guard let session = sessions[key] else { return }
    lists.use.setLists(of: key, to: [], insteadOf: session.lists)
    lists.use.setViewed(key, false)
    sessions.rename(key, to: new)
    lists.use.setLists(of: new, to: session.lists, insteadOf: [])
    lists.use.setViewed(new, session.hasViews)
    for slot in session.scenes { scenes.move(slot, to: new) }
    for view in members(of: new) { views[view].session = new }
    touchScenes(of: new, isCommit: true, isUrgent: true)
  }

  // MARK: Places

  /// Records that a view was used last, which makes its places those of its session. Ignores views that only look, and
  /// views in line mode, which have no places.
  mutating func noteUse(_ view: ViewSlot) {
    let key = views[view].session
    let identity = scenes[views[view].scene].identity
    guard sessions[key]?.isLoaded == true, !identity.onlyLooks, !identity.layout.isSinglePane else { return }
    sessions.edit(key) { $0.places.lastUsed = view }
    sessions.expectPlaces(of: key, at: now)
  }

  /// Updates a session's places from the view that was used last. O(panes), plus the text length of each row that a
  /// pane is scrolled into.
  mutating func notePlaces(of key: SessionKey) {
    guard let session = sessions[key], let view = session.places.lastUsed else { return }
    let scene = scenes[views[view].scene]
    let anchors = scene.anchors(of: session.stack, in: &lists)
    sessions.edit(key) { session in
      session.places.current.position = scene.viewpoint.position
      for record in session.stack.panes { session.places.current.anchors[record.id] = anchors[record.id] }
    }
  }

  /// Saves the places of sessions that may have changed, longest waiting first.
  mutating func savePlaces(atMost limit: Int) {
    for key in sessions.takeDue(atMost: limit) { savePlaces(of: key) }
    sessions.waitForRest(at: now)
  }

  /// Saves a session's places if they have changed; later, if something else of it is being saved or it is about to be
  /// renamed or deleted.
  mutating func savePlaces(of key: SessionKey) {
    guard sessions.takeTurn(key) else { return }
    notePlaces(of: key)
    sessions.edit(key) { $0.places.current.keepAnchors(of: $0.stack.rememberedPanes) }
    guard let session = sessions[key], session.places.areUnsaved, session.mayBeStored else { return }
    send(session.places.current, of: key)
  }

  /// Saves places that had to wait for another save: in time, or at once if the session has no views.
  mutating func savePlacesLater(of key: SessionKey) {
    guard sessions.mayHaveUnsavedPlaces(key), let session = sessions[key] else { return }
    if session.hasViews { sessions.expectPlaces(of: key, at: now) } else { savePlaces(of: key) }
  }

  /// Asks the store to save places.
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

  /// Queues a command. A session carries out one command at a time, in order, and stores its change before it is
  /// answered and before views show it.
  mutating func enqueue(_ command: StackCommand, _ token: RequestToken, _ key: SessionKey) {
    guard case .named = key else {
      return effects.append(
        .refuse(token, EngineError(.permissionDenied, "sign in first; a signed-out session cannot be changed")))
    }
    if answerAgain(command.requestID, token, key) { return }
    openSession(key)
    let limit = limits.sessions.waitingCommands
    guard sessions.edit(key, { $0.commands.add(command, token, limit: limit) }) == true else {
      let message = "too many commands are waiting for this session; try again"
      return effects.append(.refuse(token, EngineError(.resourceExhausted, message, reason: .busy)))
    }
    startNextCommand(key)
  }

  /// Repeats the answer of a command that was carried out before; false if there is none.
  mutating func answerAgain(_ requestID: String, _ token: RequestToken, _ key: SessionKey) -> Bool {
    guard let answer = sessions.answer(to: requestID, key) else { return false }
    effects.append(.answerStack(token, pane: answer.paneID, revision: answer.revision))
    return true
  }

  /// Begins the first waiting command, unless one is under way. Drops the session if nothing is left to do for it.
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

  /// Begins a command. Returns true if it is done already, false if it waits for the store.
  private mutating func begin(_ next: CommandQueue.Waiting, in key: SessionKey) throws(EngineError) -> Bool {
    if case .read = next.command.action { notePlaces(of: key) }
    guard let session = sessions[key], let account = key.account else { return false }
    let shown = session.places.lastUsed.map { views[$0].scene } ?? session.scenes.first
    let context = CommandContext(
      account: account, revision: revision, limits: limits, sessions: sessions,
      viewer: shown.map { (scenes[$0].identity.layout, scenes[$0].zone) })
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
      places.keepAnchors(of: session.stack.rememberedPanes)
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

  /// Answers the first waiting command, which had nothing to store.
  private mutating func answer(_ done: CommandQueue.Waiting, pane: UInt64, in key: SessionKey) {
    sessions.edit(key) { $0.commands.takeFirst() }
    effects.append(sessions.answer(done, pane: pane, revision: sessions[key]?.revisions.changed ?? 0, in: key))
    // Request ids are remembered for stored sessions only; otherwise any client could fill memory.
    if !done.command.requestID.isEmpty { sessions.edit(key) { $0.commands.noteUnstoredAnswers($0.isStored) } }
  }

  /// Refuses the first waiting command.
  private mutating func refuseFirst(_ key: SessionKey, _ error: EngineError) {
    if let refused = sessions.edit(key, { $0.commands.takeFirst() }) ?? nil {
      effects.append(.refuse(refused.token, error))
    }
    dropUnusedLists()
  }

  /// Handles the result of looking up what the first waiting command names.
  mutating func subjectLoaded(_ key: SessionKey, _ result: LoadResult) {
    guard let session = sessions[key], let command = session.commands.waiting.first else { return }
    switch result {
    case .conversation(let subject, let posts, let authors, let revision):
      lists.cache.addAuthors(authors)
      let list = PaneContent.conversation(subject).list(of: key.account)
      if lists[list] == nil { fill(list, posts, revision: revision) }
      sessions.edit(key) { $0.commands.updateFirst { $0.content = .conversation(subject) } }
    case .pane(let content):
      sessions.edit(key) { $0.commands.updateFirst { $0.content = content } }
      // Its list is read while the stack is stored.
      if session.hasViews { openList(content.list(of: key.account)) }
    case .post(let post, _, _): sessions.edit(key) { $0.commands.updateFirst { $0.row = post.orderKey } }
    case .page(let page):
      if let row = command.row, page.posts.first?.orderKey == row {
        sessions.edit(key) { $0.commands.updateFirst { $0.isRowInSection = true } }
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

  /// Handles the end of a save.
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
        // No command waited for this save, but one waited for what was to follow it.
        effects.append(.refuse(waiting.token, error))
      }
    case .success(let revision):
      self.revision = max(self.revision, revision)
      noteStored(saving, in: key, at: revision)
      if let command = saving.command {
        effects.append(sessions.answer(command, pane: saving.paneID, revision: revision, in: key))
      }
      if case .end = saving.change { return endSession(key) }
      if case .name(let name) = saving.change, let account = key.account {
        renameSession(key, to: .named(account, name))
        key = .named(account, name)
        sessions.edit(key) { $0.revisions.changed = revision }
      }
    }
    savePlacesLater(of: key)
    dropUnusedLists()
    startNextCommand(key)
  }

  /// Applies a stored change and shows it to views.
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

  /// Ends a session that was deleted.
  private mutating func endSession(_ key: SessionKey) {
    sessions.edit(key) { $0.places.lastUsed = nil }
    abandonSession(
      key, EngineError(.notFound, "session \(key.name.shortened) was deleted; attach again to start a new one"))
    dropUnusedLists()
  }
}
