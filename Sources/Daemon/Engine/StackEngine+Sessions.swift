internal import OrderedCollections
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
    guard session.answers.isEmpty, session.scenes.isEmpty else { return }
    watch(key, from: session.stack, to: nil)
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
      watch(key, from: nil, to: sessions[key]!.stack)
      openLists(of: key)
      for slot in sessions[key]!.scenes { noticeStack(slot) }
      for view in members(of: key) { applyPendingViewport(view) }
      touchScenes(of: key, isCommit: false)
      startNextCommand(key)
    case .failed(let error):
      let waiting = sessions[key]!.waiting
      let members = members(of: key)
      sessions[key] = nil
      for entry in waiting { effects.append(.refuse(entry.token, error)) }
      for view in members { end(view, error) }
    case .page, .conversation, .post, .facts, .navigation, .author, .list: break
    }
  }

  /// The views of a session.
  func members(of key: SessionKey) -> [ViewSlot] {
    sessions[key]?.scenes.flatMap { scenes[$0]?.members ?? [] } ?? []
  }

  /// Opens the lists of a session's panes, if anybody looks.
  mutating func openLists(of key: SessionKey) {
    guard let session = sessions[key], session.isLoaded, !session.scenes.isEmpty else { return }
    for list in session.lists { openList(list) }
  }

  /// Notes which lists a session shows, from one stack to the next; nil for none.
  private mutating func watch(_ key: SessionKey, from old: PaneStack?, to new: PaneStack?) {
    let (before, after) = (old?.lists(of: key.account) ?? [], new?.lists(of: key.account) ?? [])
    for list in before where !after.contains(list) {
      watching[list]?.removeAll { $0 == key }
      if watching[list]?.isEmpty == true { watching[list] = nil }
    }
    for list in after where !before.contains(list) { watching[list, default: []].append(key) }
  }

  private mutating func noticeStack(_ slot: Int) {
    let identity = scenes[slot]!.identity
    scenes[slot]!.notice(sessions[identity.session]!.stack, geometry(of: identity.session, identity.layout))
  }

  /// Takes a command. It begins when those before it have ended.
  mutating func enqueue(_ command: StackCommand, _ token: RequestToken, _ key: SessionKey) {
    openSession(key)
    if !command.requestID.isEmpty, let answer = sessions[key]!.answers.first(where: { $0.requestID == command.requestID }) {
      effects.append(.answerStack(token, pane: answer.paneID, revision: answer.revision))
      return
    }
    guard sessions[key]!.waiting.count < limits.waitingCommands else {
      let message = "too many commands wait for this session; try again"
      effects.append(.refuse(token, EngineError(.resourceExhausted, message, reason: .busy)))
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
    case .page, .post, .session, .facts, .navigation, .author, .list: break
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
      watch(key, from: sessions[key]!.stack, to: saving.stack)
      sessions[key]!.stack = saving.stack
      sessions[key]!.changedRevision = revision
      remember(saving, revision: revision, in: key)
      effects.append(.answerStack(saving.token, pane: saving.paneID, revision: revision))
      openLists(of: key)
      for view in members(of: key) { applyPendingViewport(view) }
      touchScenes(of: key, isCommit: true, isUrgent: true)
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

extension PaneStack {
  /// The lists of the panes, each once.
  func lists(of account: AccountID) -> [ListKey] {
    var lists: [ListKey] = []
    for pane in panes {
      let list = pane.content.list(of: account)
      if !lists.contains(list) { lists.append(list) }
    }
    return lists
  }
}

extension Session {
  /// The lists of its panes, each once.
  var lists: [ListKey] { stack.lists(of: key.account) }
}
