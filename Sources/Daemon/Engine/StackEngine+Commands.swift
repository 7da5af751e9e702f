internal import OrderedCollections
internal import Posts
internal import Search
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
    guard sessions[key]!.waiting.count < limits.waitingCommands else {
      let message = "too many commands wait for this session; try again"
      return effects.append(.refuse(token, EngineError(.resourceExhausted, message, reason: .busy)))
    }
    sessions[key]!.waiting.append(Session.Waiting(token: token, command: command))
    startNextCommand(key)
  }

  /// Answers a command that was carried out before; false if it was not.
  mutating func answerAgain(_ requestID: String, _ token: RequestToken, _ key: SessionKey) -> Bool {
    guard !requestID.isEmpty else { return false }
    let last = lastAnswers.first { $0.session == key && $0.answer.requestID == requestID }
    guard let answer = sessions[key]?.answers.first(where: { $0.requestID == requestID }) ?? last?.answer else {
      return false
    }
    effects.append(.answerStack(token, pane: answer.paneID, revision: answer.revision))
    return true
  }

  /// Begins the first waiting command, unless one is being carried out. A session for which nothing more is to be done
  /// is forgotten.
  mutating func startNextCommand(_ key: SessionKey) {
    while let session = sessions[key], session.isLoaded, session.saving == nil {
      if session.hasClosedPanes { return store(.stack(session.stack), in: key) }
      guard let next = session.waiting.first else { return dropSession(key) }
      if answerAgain(next.command.requestID, next.token, key) {
        sessions[key]!.waiting.removeFirst()
        continue
      }
      do throws(EngineError) {
        guard try begin(next, in: key) else { return }
      } catch {
        sessions[key]!.waiting.removeFirst()
        effects.append(.refuse(next.token, error))
        dropUnusedLists()
      }
    }
  }

  /// Begins a command. True if it is done already; false if it waits for the store.
  private mutating func begin(_ next: Session.Waiting, in key: SessionKey) throws(EngineError) -> Bool {
    let session = sessions[key]!
    let action = next.command.action
    switch action {
    case .read(let section, let row, let line): return try read(section, row, line, next, in: key)
    default: break
    }
    let wanted = next.command.ifRevision
    guard wanted == 0 || wanted == session.changedRevision else {
      throw EngineError(
        .aborted, "the session last changed at revision \(session.changedRevision), not at \(wanted); look again")
    }
    switch action {
    case .rename(let name): return try rename(to: name, in: key)
    case .delete: return try delete(key)
    default: break
    }
    if let subject = action.subject, next.content == nil {
      find(subject, for: key)
      return false
    }
    guard try findRow(of: next, in: key) else { return false }
    var stack = session.stack
    let pane: UInt64
    if case .limit(let limited, let words) = action {
      pane = try stack.limit(limited, to: try filter(words, of: limited, in: session))
    } else {
      pane = try stack.apply(action, next.content, limit: limits.panes)
    }
    guard stack != session.stack else {
      answer(next, pane: pane, in: key)
      return true
    }
    guard session.mayBeStored else { throw tooManySessions }
    store(.stack(stack), pane: pane, in: key)
    return false
  }

  private var tooManySessions: EngineError {
    EngineError(
      .resourceExhausted, "an account keeps at most \(limits.sessions) sessions; delete one first",
      limit: limits.sessions)
  }

  /// Answers the first waiting command, for which there was nothing to store.
  private mutating func answer(_ done: Session.Waiting, pane: UInt64, in key: SessionKey) {
    sessions[key]!.waiting.removeFirst()
    answer(done, pane: pane, revision: sessions[key]!.changedRevision, in: key)
    // Of a session that is not stored nothing is remembered, or anybody could have anything remembered.
    if !done.command.requestID.isEmpty { sessions[key]!.hasUnstoredAnswers = sessions[key]!.isStored }
  }

  /// Answers a command, and remembers the answer for repeated requests, with the session or, once deleted, beside it.
  private mutating func answer(_ done: Session.Waiting, pane: UInt64, revision: UInt64, in key: SessionKey) {
    effects.append(.answerStack(done.token, pane: pane, revision: revision))
    guard !done.command.requestID.isEmpty else { return }
    let answer = Session.Answer(requestID: done.command.requestID, paneID: pane, revision: revision)
    switch done.command.action {
    case .rename, .delete:
      if lastAnswers.count >= limits.rememberedRequests { lastAnswers.removeFirst() }
      lastAnswers.append((key, answer))
    default:
      if sessions[key]!.answers.count >= limits.rememberedRequests { sessions[key]!.answers.removeFirst() }
      sessions[key]!.answers.append(answer)
    }
  }

  // MARK: What a command names

  /// Has the store find what a command is about.
  mutating func find(_ subject: StackCommand.Subject, for key: SessionKey) {
    guard !isFinding(for: key) else { return }
    switch subject {
    case .conversation(let reference): load(.conversation(key.account, reference: reference), for: .subject(key))
    case .author, .list, .direct, .search: load(.pane(key.account, subject), for: .subject(key))
    }
  }

  func isFinding(for key: SessionKey) -> Bool {
    loads.isFinding(for: key)
  }

  /// What the first waiting command is about has been found, or not.
  mutating func subjectLoaded(_ key: SessionKey, _ result: LoadResult) {
    guard let command = sessions[key]?.waiting.first else { return }
    switch result {
    case .conversation(let subject, let posts, let authors, let revision):
      lists.cache.learn(authors)
      let list = ListKey.conversation(key.account, subject)
      if lists[list] == nil { fill(list, posts, revision: revision) }
      sessions[key]!.waiting[0].content = .conversation(subject)
    case .pane(let content):
      sessions[key]!.waiting[0].content = content
      // What it shows is read while the stack is stored.
      if !sessions[key]!.scenes.isEmpty { openList(content.list(of: key.account)) }
    case .post(let post, _, _): sessions[key]!.waiting[0].row = post.orderKey
    case .page(let page):
      if let row = command.row, page.posts.first?.orderKey == row {
        sessions[key]!.waiting[0].isRowInSection = true
      } else {
        refuseFirst(key, Self.noRow(command.row?.id))
      }
    case .failed(let error): refuseFirst(key, error)
    case .session, .sessions, .facts, .navigation: break
    }
    startNextCommand(key)
  }

  /// Refuses the first waiting command.
  private mutating func refuseFirst(_ key: SessionKey, _ error: EngineError) {
    let command = sessions[key]!.waiting.removeFirst()
    effects.append(.refuse(command.token, error))
    dropUnusedLists()
  }

  // MARK: Reading positions

  /// A row that is not in the section.
  private static func noRow(_ id: PostID?) -> EngineError {
    EngineError(.notFound, "there is no row \(id?.rawValue ?? 0) in that section")
  }

  /// Has the store note how far a section was read.
  private mutating func read(
    _ section: Section, _ row: UInt64, _ line: Int, _ next: Session.Waiting, in key: SessionKey
  ) throws(EngineError) -> Bool {
    let session = sessions[key]!
    guard section.isRead else {
      throw EngineError(.invalidArgument, "lists and searches are not read from old to new", field: "section")
    }
    // Views may be moving it: the revision of that is known once it is saved.
    guard !session.isSavingPlaces else { return false }
    notePlaces(of: key)
    let reading = sessions[key]!.places.readings[section]
    let wanted = next.command.ifRevision
    if wanted != 0, let reading {
      guard let changed = reading.revision else {
        throw EngineError(.aborted, "views have moved the reading position since revision \(wanted); look again")
      }
      guard changed <= wanted, wanted <= revision else {
        throw EngineError(
          .aborted, "the reading position last changed at revision \(changed), not at \(wanted); look again")
      }
    }
    let list = PaneContent(section).list(of: key.account)
    let id = PostID(Int64(clamping: row))
    let loaded = lists.open.read(list) { $0.key(of: id) } ?? nil
    if loaded == nil, let known = lists[list], known.isComplete, known.isCurrent { throw Self.noRow(id) }
    guard let row = loaded ?? next.row else {
      find(row: id, for: key)
      return false
    }
    guard loaded != nil || next.isRowInSection else {
      // The newest that is not above it: itself, or it is not in the section.
      let above = OrderKey(createdAt: row.createdAt, id: PostID(row.id.rawValue &+ 1))
      if !isFinding(for: key) { load(.page(list, before: above, limit: 1), for: .subject(key)) }
      return false
    }
    let anchor = RowAnchor(key: row, place: .head(min(max(0, line), RowAnchor.largestNumber)))
    if let reading {
      if reading.anchor == anchor {
        answer(next, pane: 0, in: key)
        return true
      }
      guard anchor.isBeyond(reading.anchor) else {
        throw EngineError(
          .failedPrecondition, "the section has been read further than that; reading positions only move forward")
      }
    }
    guard session.mayBeStored else { throw tooManySessions }
    sessions[key]!.waiting.removeFirst()
    sessions[key]!.saving = Session.Saving(change: .reading(section, anchor), command: next, paneID: 0)
    var places = sessions[key]!.places
    places.readings[section] = Places.Reading(anchor: anchor, revision: nil)
    places.keep(session.stack.rememberedPanes)
    send(places, of: key)
    return false
  }

  /// The filter that somebody typed for a pane. What is unread is what is newer than how far the session has read now,
  /// or marked so: rows do not go while they are read.
  private func filter(_ words: String, of pane: UInt64, in session: Session) throws(EngineError) -> ListFilter? {
    guard words.utf8.contains(where: { $0 != 0x20 }) else { return nil }
    let filter = try PostFilter(typed: words)
    guard filter.isUnread else { return ListFilter(words: filter.canonical) }
    let record = session.stack.panes[try session.stack.index(of: pane)]
    guard let section = record.content.section, section.isRead else { throw .unreadElsewhere(.failedPrecondition) }
    return ListFilter(words: filter.canonical, since: session.places.readings[section]?.anchor.key)
  }

  // MARK: The session itself

  /// Has the store give the session another name.
  private mutating func rename(to name: String, in key: SessionKey) throws(EngineError) -> Bool {
    let session = sessions[key]!
    try SessionKey.check(name, field: "name")
    guard !name.isEmpty else {
      throw EngineError(.invalidArgument, "name: a session's name may not be empty", field: "name")
    }
    guard session.isStored || !session.scenes.isEmpty else { throw noSession(key) }
    guard name != key.name else {
      answer(session.waiting[0], pane: session.stack.top.id, in: key)
      return true
    }
    guard sessions[SessionKey(account: key.account, name: name)]?.scenes.isEmpty ?? true else {
      throw EngineError(.alreadyExists, "there is a session of that name; views are attached to it")
    }
    guard session.mayBeStored else { throw tooManySessions }
    guard !session.isSavingPlaces else { return false }
    // The store can only rename what it has.
    if session.isStored {
      store(.name(name), pane: session.stack.top.id, in: key)
    } else {
      store(.stack(session.stack), in: key)
    }
    return false
  }

  /// Has the store forget the session.
  private mutating func delete(_ key: SessionKey) throws(EngineError) -> Bool {
    let session = sessions[key]!
    guard session.isStored || !session.scenes.isEmpty else { throw noSession(key) }
    guard !session.isSavingPlaces else { return false }
    guard session.isStored else {
      answer(session.waiting[0], pane: 0, in: key)
      endSession(key)
      return true
    }
    store(.end, pane: 0, in: key)
    return false
  }

  private func noSession(_ key: SessionKey) -> EngineError {
    EngineError(.notFound, "there is no session \(key.name.shortened); list the sessions to see which there are")
  }

  /// The session is no more.
  private mutating func endSession(_ key: SessionKey) {
    sessions[key]!.lastUsed = nil
    abandonSession(
      key, EngineError(.notFound, "the session \(key.name.shortened) was deleted; attach again to begin a new one"))
    dropUnusedLists()
  }

  // MARK: Storing

  /// Has a change stored: that of the first waiting command which is about `pane`, or without a pane one that nobody
  /// waits for.
  private mutating func store(_ change: Session.Saving.Change, pane: UInt64? = nil, in key: SessionKey) {
    let command = pane == nil ? nil : sessions[key]!.waiting.removeFirst()
    sessions[key]!.saving = Session.Saving(change: change, command: command, paneID: pane ?? 0)
    switch change {
    case .stack(let stack):
      sessions[key]!.hasClosedPanes = false
      let bytes = sessions[key]!.encoded(stack, saving: command, pane: pane ?? 0, limit: limits.rememberedRequests)
      effects.append(.saveSession(key, bytes))
    case .name(let name): effects.append(.renameSession(key, to: name))
    case .end: effects.append(.deleteSession(key))
    case .reading: break
    }
  }

  mutating func sessionSaved(_ key: SessionKey, _ result: Result<UInt64, EngineError>) {
    switch sessions[key]?.saving?.change {
    case .stack, .name, .end: finish(key, result)
    case .reading, nil: return
    }
  }

  /// What was to be stored is stored, or not.
  mutating func finish(_ key: SessionKey, _ result: Result<UInt64, EngineError>) {
    guard let saving = sessions[key]?.saving else { return }
    sessions[key]!.saving = nil
    var key = key
    switch result {
    case .failure(let error):
      if let command = saving.command {
        effects.append(.refuse(command.token, error))
      } else if let waiting = sessions[key]!.waiting.first, !sessions[key]!.isStored {
        // Nobody waited for this, but somebody for what was to come after it.
        sessions[key]!.waiting.removeFirst()
        effects.append(.refuse(waiting.token, error))
      }
    case .success(let revision):
      self.revision = max(self.revision, revision)
      switch saving.change {
      case .stack(let stack):
        sessions[key]!.isStored = true
        sessions[key]!.hasUnstoredAnswers = false
        if saving.command == nil {
          sessions[key]!.changedRevision = revision
          touchScenes(of: key, isCommit: false)
        } else {
          adopt(stack, in: key, revision: revision, isUrgent: true)
        }
      case .reading(let section, _):
        touchScenes(of: key, showing: [PaneContent(section).list(of: key.account)], isCommit: false)
      case .name, .end: sessionEndedAt = max(sessionEndedAt, revision)
      }
      if let command = saving.command { answer(command, pane: saving.paneID, revision: revision, in: key) }
      switch saving.change {
      case .stack: break
      case .reading: if saving.command?.command.requestID.isEmpty == false { sessions[key]!.hasUnstoredAnswers = true }
      case .name(let name):
        renameSession(key, to: name)
        key.name = name
        sessions[key]!.changedRevision = revision
      case .end: return endSession(key)
      }
    }
    savePlacesLater(of: key)
    dropUnusedLists()
    startNextCommand(key)
  }
}

extension PaneStack {
  /// Carries out a command that changes the stack and returns the pane that it is about; `content` is what it opens. On
  /// an error the stack is as it was.
  fileprivate mutating func apply(
    _ action: StackCommand.Action, _ content: PaneContent?, limit: Int
  ) throws(EngineError) -> UInt64 {
    switch action {
    case .push(_, let origin, let width):
      return try push(try pushable(content), wantedWidth: try checked(width), from: origin, limit: limit)
    case .replace(let pane, _, let width):
      return try replace(pane, with: try pushable(content), wantedWidth: try checked(width))
    case .pop: return try pop()
    case .popTo(let pane): return try pop(to: pane)
    case .dropAll: return dropAll()
    case .open(let section, _): return open(content ?? PaneContent(section))
    case .back: return try back()
    case .forward: return try forward()
    case .select(let pane, let row): return try select(row, in: pane)
    case .resize(let pane, let width): return try resize(pane, to: try checked(width))
    case .collapse(let pane, let post, let isCollapsed):
      return try collapse(PostID(Int64(clamping: post)), isCollapsed, in: pane)
    case .limit, .read, .rename, .delete: return top.id
    }
  }

  private func pushable(_ content: PaneContent?) throws(EngineError) -> PaneContent {
    guard let content, content.isPushable else {
      throw EngineError(.invalidArgument, "a search that is pushed needs something to search for", field: "search")
    }
    return content
  }

  private func checked(_ width: Int) throws(EngineError) -> Int {
    guard 0...Self.maximumWidth ~= width else {
      throw EngineError(
        .invalidArgument, "a pane's width is 0 to \(Self.maximumWidth)", field: "width", limit: Self.maximumWidth)
    }
    return width
  }
}
