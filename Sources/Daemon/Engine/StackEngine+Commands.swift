internal import OrderedCollections
internal import Posts
internal import ViewState

/// Commands on sessions: one at a time for each session, stored before they are answered and before views show what
/// they did.
extension StackEngine {
  /// Takes a command. It begins when those before it have ended.
  mutating func enqueue(_ command: StackCommand, _ token: RequestToken, _ key: SessionKey) {
    guard key.account != AccountID(0) else {
      return effects.append(
        .refuse(token, EngineError(.permissionDenied, "sign in first; nobody's session cannot be changed")))
    }
    if answerAgain(command.requestID, token, key) { return }
    openSession(key)
    let limit = limits.waitingCommands
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
    let others = sessions
    let context = CommandContext(revision: revision, limits: limits) {
      others[SessionKey(account: key.account, name: $0)]?.isLookedAt ?? false
    }
    switch try session.step(for: next, context, &lists) {
    case .answer(let pane):
      answer(next, pane: pane, in: key)
      return true
    case .find(let subject): find(subject, for: key)
    case .findRow(let id):
      load(.post(key.account, reference: "\(id.rawValue)"), forSubjectOf: key)
    case .findInList(let list, let before): load(.page(list, before: before, limit: 1), forSubjectOf: key)
    case .store(let change, let pane): store(change, pane: pane, in: key)
    case .storeReading(let section, let anchor):
      sessions.edit(key) { $0.commands.beginSaving(.reading(section, anchor), pane: 0) }
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
    answer(done, pane: pane, revision: sessions[key]?.revisions.changed ?? 0, in: key)
    // Of a session that is not stored nothing is remembered, or anybody could have anything remembered.
    if !done.command.requestID.isEmpty { sessions.edit(key) { $0.commands.noteUnstoredAnswers($0.isStored) } }
  }

  /// Answers a command, and remembers the answer for repeated requests.
  private mutating func answer(_ done: CommandQueue.Waiting, pane: UInt64, revision: UInt64, in key: SessionKey) {
    effects.append(.answerStack(done.token, pane: pane, revision: revision))
    let answer = CommandQueue.Answer(requestID: done.command.requestID, paneID: pane, revision: revision)
    sessions.remember(answer, to: done.command.action, in: key)
  }

  /// Refuses the first waiting command.
  private mutating func refuseFirst(_ key: SessionKey, _ error: EngineError) {
    if let refused = sessions.edit(key, { $0.commands.takeFirst() }) ?? nil {
      effects.append(.refuse(refused.token, error))
    }
    dropUnusedLists()
  }

  // MARK: What a command names

  /// Has the store find what a command is about.
  private mutating func find(_ subject: StackCommand.Subject, for key: SessionKey) {
    switch subject {
    case .conversation(let reference): load(.conversation(key.account, reference: reference), forSubjectOf: key)
    case .author, .list, .direct, .search: load(.pane(key.account, subject), forSubjectOf: key)
    }
  }

  private mutating func load(_ wanted: Load, forSubjectOf key: SessionKey) {
    if !loads.isFinding(for: key) { load(wanted, for: .subject(key)) }
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

  /// Has a change stored: that of the first waiting command which is about `pane`, or without a pane one that nobody
  /// waits for.
  private mutating func store(_ change: CommandQueue.Saving.Change, pane: UInt64? = nil, in key: SessionKey) {
    sessions.edit(key) { session in
      if let pane { session.commands.beginSaving(change, pane: pane) } else { session.commands.beginSaving(change) }
    }
    switch change {
    case .stack(let stack):
      guard let session = sessions[key] else { return }
      let command = session.commands.saving?.command
      let bytes = session.encoded(stack, saving: command, pane: pane ?? 0, limit: limits.rememberedRequests)
      effects.append(.saveSession(key, bytes))
    case .name(let name): effects.append(.renameSession(key, to: name))
    case .end: effects.append(.deleteSession(key))
    case .reading: break
    }
  }

  mutating func sessionSaved(_ key: SessionKey, _ result: Result<UInt64, EngineError>) {
    switch sessions[key]?.commands.saving?.change {
    case .stack, .name, .end: finish(key, result)
    case .reading, nil: return
    }
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
      if let command = saving.command { answer(command, pane: saving.paneID, revision: revision, in: key) }
      switch saving.change {
      case .stack: break
      case .reading:
        if saving.command?.command.requestID.isEmpty == false {
          sessions.edit(key) { $0.commands.noteUnstoredAnswers(true) }
        }
      case .name(let name):
        renameSession(key, to: name)
        key.name = name
        sessions.edit(key) { $0.revisions.changed = revision }
      case .end: return endSession(key)
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
