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
      var summaries: [SessionSummary] = []
      for saved in stored where sessions[SessionKey(account: account, name: saved.name)]?.isLoaded != true {
        let stack = PaneStack(decoding: saved.bytes) ?? PaneStack()
        let panes = titles(of: stack, for: account)
        summaries.append(SessionSummary(name: saved.name, panes: panes, views: 0, revision: saved.revision))
      }
      for session in sessions.all where session.key.account == account && session.isLoaded && !session.key.isPassing {
        guard session.isStored || session.isLookedAt else { continue }
        summaries.append(
          SessionSummary(
            name: session.key.name, panes: titles(of: session.stack, for: account),
            views: members(of: session.key).count, revision: session.revisions.changed))
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
    guard let session = sessions[key] else { return }
    lists.use.watch(key, [], insteadOf: session.lists)
    lists.use.look(at: key, false)
    sessions.rename(key, to: new)
    lists.use.watch(new, session.lists, insteadOf: [])
    lists.use.look(at: new, session.isLookedAt)
    for slot in session.scenes { moveScene(slot, to: new) }
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

  /// Has a scene that shows nothing begin where its session is looked at (rule 14).
  mutating func begin(_ scene: inout Scene) {
    let key = scene.identity.session
    guard sessions[key]?.isLoaded == true else { return }
    notePlaces(of: key)
    if let session = sessions[key] { scene.begin(session.stack, at: session.places.current, &lists) }
  }

  /// Scenes that wait for rows of a list to look there may have them now.
  mutating func settleScenes(showing list: ListKey) {
    for session in lists.use.sessions(showing: list).compactMap({ sessions[$0] }) {
      for slot in session.scenes { scenes[slot].settle(session.stack, &lists) }
    }
  }

  /// A root pane is about to be shown: where its first row is later than what the session has read of the section, it
  /// has read that far now (rule 39). Says in the pane's status how far that is.
  mutating func read(_ pane: inout Pane, _ renderer: PaneRenderer, of scene: Scene, _ slot: SceneSlot) {
    let (record, key) = (renderer.record, scene.identity.session)
    // What a filter hides has not been read.
    guard let section = record.content.section, section.isRead, !key.isPassing,
      record.filter.map({ $0.words == "is:unread" }) ?? true
    else { return }
    let old = sessions[key]?.places.current.readings[section]?.anchor
    if let anchor = renderer.anchorRead(in: pane, beyond: old, of: scene, &lists) {
      sessions.edit(key) { $0.places.current.readings[section] = Places.Reading(anchor: anchor, revision: nil) }
      sessions.expectPlaces(of: key, at: now)
      touchOthers(than: slot, showing: record.list(of: key.account), in: key)
    }
    guard let reading = sessions[key]?.places.current.readings[section]?.anchor else { return }
    renderer.tell(reading, in: &pane, of: scene, &lists)
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
}
