internal import Posts

extension StackEngine {
  /// Opens a session unless it is open.
  mutating func openSession(_ key: SessionKey) {
    guard sessions[key] == nil else { return }
    sessions[key] = Session(key: key)
    load(.session(key), for: .session(key))
  }

  /// Forgets a session that nobody looks at and nothing waits for; it is stored. Answers are kept for those who ask again.
  mutating func dropSession(_ key: SessionKey) {
    guard let session = sessions[key], session.isLoaded, session.saving == nil, session.waiting.isEmpty else { return }
    guard session.answers.isEmpty, !views.values.contains(where: { $0.session == key }) else { return }
    sessions[key] = nil
  }

  mutating func sessionLoaded(_ key: SessionKey, _ result: LoadResult) {
    guard sessions[key] != nil else { return }
    switch result {
    case .session(let bytes, let revision):
      // A stack that cannot be read is as good as none: the timeline is there, and the next command saves a good one.
      sessions[key]!.stack = bytes.flatMap { PaneStack(decoding: $0) } ?? PaneStack()
      sessions[key]!.changedRevision = revision
      sessions[key]!.isLoaded = true
      openListsOfViews(on: key)
      startNextCommand(key)
    case .failed(let error):
      let waiting = sessions.removeValue(forKey: key)?.waiting ?? []
      for entry in waiting { effects.append(.refuse(entry.token, error)) }
      for (id, view) in views where view.session == key {
        views[id] = nil
        effects.append(.endView(id, error))
      }
    case .timeline, .conversation, .post: break
    }
  }

  private mutating func openListsOfViews(on key: SessionKey) {
    for (id, view) in views where view.session == key {
      views[id]!.isDirty = true
      for list in lists(shownBy: view) { openList(list) }
    }
  }

  /// Takes a command. It begins when those before it have ended.
  mutating func enqueue(_ command: StackCommand, _ token: RequestToken, _ key: SessionKey) {
    openSession(key)
    if !command.requestID.isEmpty, let answer = sessions[key]!.answers.first(where: { $0.requestID == command.requestID }) {
      effects.append(.answerStack(token, pane: answer.paneID, revision: answer.revision))
      return
    }
    guard sessions[key]!.waiting.count < limits.waitingCommands else {
      effects.append(.refuse(token, EngineError(.resourceExhausted, "too many commands wait for this session; try again")))
      return
    }
    sessions[key]!.waiting.append(Session.Waiting(token: token, command: command, subject: nil))
    startNextCommand(key)
  }

  /// Begins the first waiting command, unless one is being carried out.
  private mutating func startNextCommand(_ key: SessionKey) {
    guard let session = sessions[key], session.isLoaded, session.saving == nil, let next = session.waiting.first else {
      return
    }
    if !next.command.requestID.isEmpty,
      let answer = session.answers.first(where: { $0.requestID == next.command.requestID })
    {
      sessions[key]!.waiting.removeFirst()
      effects.append(.answerStack(next.token, pane: answer.paneID, revision: answer.revision))
      return startNextCommand(key)
    }
    let wanted = next.command.ifRevision
    if wanted != 0 && wanted != session.changedRevision {
      let message = "the session last changed at revision \(session.changedRevision), not at \(wanted); look again"
      return refuseFirst(key, EngineError(.aborted, message))
    }
    switch next.command.action {
    case .pop: save(key) { stack throws(EngineError) in try stack.pop() }
    case .pushConversation(let reference, let origin):
      guard let subject = next.subject else {
        guard !loads.values.contains(where: { $0.isPush(for: key) }) else { return }
        return load(.conversation(key.account, reference: reference), for: .push(key))
      }
      let limit = limits.panes
      save(key) { stack throws(EngineError) in
        try stack.push(.conversation(subject), from: origin, limit: limit)
      }
    }
  }

  private mutating func refuseFirst(_ key: SessionKey, _ error: EngineError) {
    let refused = sessions[key]!.waiting.removeFirst()
    effects.append(.refuse(refused.token, error))
    dropUnusedLists()
    startNextCommand(key)
  }

  /// The post a push is about has been found, with its conversation, or not.
  mutating func pushSubjectLoaded(_ key: SessionKey, _ result: LoadResult) {
    guard sessions[key]?.waiting.isEmpty == false else { return }
    switch result {
    case .conversation(let subject, let posts, let authors, let revision):
      cache.learn(authors)
      let list = ListKey.conversation(key.account, subject)
      if lists[list] == nil { fill(list, posts, revision: revision) }
      sessions[key]!.waiting[0].subject = subject
      startNextCommand(key)
    case .failed(let error): refuseFirst(key, error)
    case .timeline, .post, .session: break
    }
  }

  /// Applies a change to a copy of the stack and has it saved; views see it once it is.
  private mutating func save(
    _ key: SessionKey, _ change: (inout PaneStack) throws(EngineError) -> UInt64
  ) {
    var stack = sessions[key]!.stack
    do throws(EngineError) {
      let paneID = try change(&stack)
      let next = sessions[key]!.waiting.removeFirst()
      sessions[key]!.saving = Session.Saving(
        token: next.token, requestID: next.command.requestID, stack: stack, paneID: paneID)
      effects.append(.saveSession(key, stack.encoded))
    } catch {
      refuseFirst(key, error)
    }
  }

  mutating func sessionSaved(_ key: SessionKey, _ result: Result<UInt64, EngineError>) {
    guard let saving = sessions[key]?.saving else { return }
    sessions[key]!.saving = nil
    switch result {
    case .failure(let error): effects.append(.refuse(saving.token, error))
    case .success(let revision):
      self.revision = max(self.revision, revision)
      sessions[key]!.stack = saving.stack
      sessions[key]!.changedRevision = revision
      remember(saving, revision: revision, in: key)
      effects.append(.answerStack(saving.token, pane: saving.paneID, revision: revision))
      for (id, view) in views where view.session == key {
        views[id]!.isDirty = true
        views[id]!.isUrgent = true
        for list in lists(shownBy: view) { openList(list) }
      }
    }
    dropUnusedLists()
    startNextCommand(key)
  }

  private mutating func remember(_ saving: Session.Saving, revision: UInt64, in key: SessionKey) {
    guard !saving.requestID.isEmpty else { return }
    if sessions[key]!.answers.count >= limits.rememberedRequests { sessions[key]!.answers.removeFirst() }
    sessions[key]!.answers.append(
      Session.Answer(requestID: saving.requestID, paneID: saving.paneID, revision: revision))
  }
}

extension StackEngine.LoadPurpose {
  fileprivate func isPush(for key: SessionKey) -> Bool {
    if case .push(key) = self { return true }
    return false
  }
}
