internal import Posts
internal import Search
internal import ViewState

/// What the first waiting command of a session comes to.
enum CommandStep {
  /// Nothing is to be stored: it is answered with this pane.
  case answer(pane: UInt64)
  /// The store has to find what it names.
  case find(Load)
  /// Its change is to be stored.
  case store(CommandQueue.Saving.Change, pane: UInt64)
  /// How far a section was read is to be stored, with the session's places.
  case storeReading(Section, RowAnchor)
  /// The session itself is to be stored before it is renamed.
  case storeFirst
  /// The session goes, of which the store has nothing.
  case end
  /// Places are being saved: it begins once they are.
  case wait
}

/// What commands on a session need to know of others.
struct CommandContext {
  let revision: UInt64
  let limits: EngineLimits
  let sessions: SessionTable
}

extension Session {
  /// Decides what a command comes to that is the first to wait. Nothing is changed by it.
  ///
  /// - Throws: if it is refused.
  func step(
    for next: CommandQueue.Waiting, _ context: CommandContext, _ lists: inout ListTable
  ) throws(EngineError) -> CommandStep {
    let action = next.command.action
    if case .read(let section, let row, let line) = action {
      return try read(section, row, line, next, context, &lists)
    }
    let wanted = next.command.ifRevision
    guard wanted == 0 || wanted == revisions.changed else {
      throw EngineError(
        .aborted, "the session last changed at revision \(revisions.changed), not at \(wanted); look again")
    }
    switch action {
    case .rename(let name): return try rename(to: name, context)
    case .delete: return try delete()
    default: break
    }
    if let subject = action.subject, next.content == nil { return .find(find(subject)) }
    if let search = try search(for: next, &lists) { return search }
    var changed = stack
    let pane: UInt64
    if case .limit(let limited, let words) = action {
      pane = try changed.limit(limited, to: try filter(words, of: limited))
    } else {
      pane = try changed.apply(action, next.content, limit: context.limits.sessions.panes)
    }
    guard changed != stack else { return .answer(pane: pane) }
    try checkRoom(context)
    return .store(.stack(changed), pane: pane)
  }

  private func find(_ subject: StackCommand.Subject) -> Load {
    guard case .conversation(let reference) = subject else { return .pane(key.account, subject) }
    return .conversation(key.account, reference: reference)
  }

  private func find(_ row: PostID) -> Load { .post(key.account, reference: "\(row.rawValue)") }

  private func checkRoom(_ context: CommandContext) throws(EngineError) {
    guard !mayBeStored else { return }
    throw EngineError(
      .resourceExhausted, "an account keeps at most \(context.limits.sessions.perAccount) sessions; delete one first",
      limit: context.limits.sessions.perAccount)
  }

  // MARK: Rows that commands name

  /// What is to be found so that it is known whether the row that a command selects or collapses is in its pane; nil
  /// where it is, and for a row that its account may see and that would stand beyond what is loaded of the pane's list.
  ///
  /// - Throws: NOT_FOUND if it is not there, or no pane of that number is.
  private func search(
    for next: CommandQueue.Waiting, _ lists: inout ListTable
  ) throws(EngineError) -> CommandStep? {
    let (wanted, row): (UInt64, UInt64)
    switch next.command.action {
    case .select(_, row: 0): return nil
    case .select(let pane, let id): (wanted, row) = (pane, id)
    case .collapse(let pane, let post, _): (wanted, row) = (pane, post)
    default: return nil
    }
    let pane = stack.panes[try stack.index(of: wanted)]
    let missing = EngineError(.notFound, "there is no row \(row) in pane \(pane.id)")
    if case .collapse = next.command.action {
      // That there is nothing to collapse there is said by the stack.
      guard case .conversation = pane.content else { return nil }
    }
    guard let id = Int64(exactly: row).map({ PostID($0) }) else { throw missing }
    // What is collapsed and has gone since can be shown again.
    if case .collapse(_, _, isCollapsed: false) = next.command.action, pane.collapsed.contains(id) { return nil }
    let list = pane.list(of: key.account)
    if lists.open.read(list, { $0.contains(id) }) == true { return nil }
    if let loaded = lists[list], loaded.isComplete, loaded.isCurrent { throw missing }
    switch pane.content {
    case .lists, .launch: return nil
    case .conversation(let subject):
      guard next.content != nil else { return .find(find(.conversation("\(subject.rawValue)"))) }
      // Loaded for this, and still without the row: unless it is being read again, that is all of it.
      guard lists[list]?.isCurrent == false else { throw missing }
      return nil
    default:
      guard let place = next.row else { return .find(find(id)) }
      if let cursor = lists[list]?.cursor, cursor <= place { throw missing }
      return nil
    }
  }

  /// The filter that somebody typed for a pane. What is unread is what is newer than how far the session has read now,
  /// or marked so: rows do not go while they are read.
  private func filter(_ words: String, of pane: UInt64) throws(EngineError) -> ListFilter? {
    guard words.utf8.contains(where: { $0 != 0x20 }) else { return nil }
    let filter = try PostFilter(typed: words)
    guard filter.isUnread else { return ListFilter(words: filter.canonical) }
    let record = stack.panes[try stack.index(of: pane)]
    guard let section = record.content.section, section.isRead else { throw .unreadElsewhere(.failedPrecondition) }
    return ListFilter(words: filter.canonical, since: places.current.readings[section]?.anchor.key)
  }

  // MARK: Reading positions

  /// A row that is not in the section.
  static func noRow(_ id: PostID?) -> EngineError {
    EngineError(.notFound, "there is no row \(id?.rawValue ?? 0) in that section")
  }

  private func read(
    _ section: Section, _ row: UInt64, _ line: Int, _ next: CommandQueue.Waiting, _ context: CommandContext,
    _ lists: inout ListTable
  ) throws(EngineError) -> CommandStep {
    guard section.isRead else {
      throw EngineError(.invalidArgument, "lists and searches are not read from old to new", field: "section")
    }
    // Views may be moving it: the revision of that is known once it is saved.
    guard !places.isSaving else { return .wait }
    let reading = places.current.readings[section]
    if next.command.ifRevision != 0, let reading { try check(next.command.ifRevision, of: reading, context) }
    let list = PaneContent(section).list(of: key.account)
    let id = PostID(Int64(clamping: row))
    let loaded = lists.open.read(list) { $0.key(of: id) } ?? nil
    if loaded == nil, let known = lists[list], known.isComplete, known.isCurrent { throw Self.noRow(id) }
    guard let row = loaded ?? next.row else { return .find(find(id)) }
    guard loaded != nil || next.isRowInSection else {
      // The newest that is not above it: itself, or it is not in the section.
      let above = OrderKey(createdAt: row.createdAt, id: PostID(row.id.rawValue &+ 1))
      return .find(.page(list, before: above, limit: 1))
    }
    let anchor = RowAnchor(key: row, place: .head(min(max(0, line), RowAnchor.largestNumber)))
    if let reading {
      if reading.anchor == anchor { return .answer(pane: 0) }
      guard anchor.isBeyond(reading.anchor) else {
        throw EngineError(
          .failedPrecondition, "the section has been read further than that; reading positions only move forward")
      }
    }
    try checkRoom(context)
    return .storeReading(section, anchor)
  }

  private func check(
    _ wanted: UInt64, of reading: Places.Reading, _ context: CommandContext
  ) throws(EngineError) {
    guard let changed = reading.revision else {
      throw EngineError(.aborted, "views have moved the reading position since revision \(wanted); look again")
    }
    guard changed <= wanted, wanted <= context.revision else {
      throw EngineError(
        .aborted, "the reading position last changed at revision \(changed), not at \(wanted); look again")
    }
  }

  // MARK: The session itself

  private func rename(to name: String, _ context: CommandContext) throws(EngineError) -> CommandStep {
    try SessionKey.check(name, field: "name")
    guard !name.isEmpty else {
      throw EngineError(.invalidArgument, "name: a session's name may not be empty", field: "name")
    }
    guard isStored || isLookedAt else { throw noSession }
    guard name != key.name else { return .answer(pane: stack.top.id) }
    guard context.sessions[SessionKey(account: key.account, name: name)]?.isLookedAt != true else {
      throw EngineError(.alreadyExists, "there is a session of that name; views are attached to it")
    }
    try checkRoom(context)
    guard !places.isSaving else { return .wait }
    // The store can only rename what it has.
    return isStored ? .store(.name(name), pane: stack.top.id) : .storeFirst
  }

  private func delete() throws(EngineError) -> CommandStep {
    guard isStored || isLookedAt else { throw noSession }
    guard !places.isSaving else { return .wait }
    return isStored ? .store(.end, pane: 0) : .end
  }

  private var noSession: EngineError {
    EngineError(.notFound, "there is no session \(key.name.shortened); list the sessions to see which there are")
  }
}
