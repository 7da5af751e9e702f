internal import Dates
internal import Posts
internal import Search
internal import ViewState

/// Outcome of the first waiting command of a session.
enum CommandStep {
  /// Nothing to store; it is answered with this pane.
  case answer(pane: UInt64)
  /// The store must look up what it names.
  case find(Load)
  /// Its change must be stored.
  case store(CommandQueue.Saving.Change, pane: UInt64)
  /// A section's reading position must be stored, with the session's places.
  case storeReading(Section, RowAnchor)
  /// The session itself must be stored before it is renamed.
  case storeFirst
  /// The session ends; the store has nothing of it.
  case end
  /// It begins once the session's places are saved.
  case wait
}

/// State outside a session that its commands depend on.
struct CommandContext {
  /// The account that sent the command.
  let account: AccountID
  let revision: UInt64
  let limits: EngineLimits
  let sessions: SessionTable
  /// The layout and zone of the session's view that was used last, or of any other view of it; nil without views.
  let viewer: (layout: LayoutParameters, zone: Zone)?
}

extension Session {
  /// Decides the outcome of the first waiting command. Changes nothing.
  ///
  /// - Throws: the reason, if the command is refused.
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
        .aborted, "the session last changed at revision \(revisions.changed), not \(wanted); read it again and retry")
    }
    switch action {
    case .rename(let name): return try rename(to: name, context)
    case .delete: return try delete()
    default: break
    }
    if let subject = action.subject, next.content == nil { return .find(find(subject, context)) }
    if let lookup = try lookUpRow(for: next, context, &lists) { return lookup }
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

  private func find(_ subject: StackCommand.Subject, _ context: CommandContext) -> Load {
    guard case .conversation(let reference) = subject else { return .pane(context.account, subject) }
    return .conversation(context.account, reference: reference)
  }

  private func find(_ row: PostID, _ context: CommandContext) -> Load {
    .post(context.account, reference: "\(row.rawValue)")
  }

  private func checkRoom(_ context: CommandContext) throws(EngineError) {
    guard !mayBeStored else { return }
    throw EngineError(
      .resourceExhausted,
      "an account can have at most \(context.limits.sessions.perAccount) sessions; delete one first",
      limit: context.limits.sessions.perAccount)
  }

  // MARK: Rows that commands name

  /// Returns the lookup that decides whether the row that a command selects, collapses or folds is in its pane; nil if
  /// the row is there, or if its account may see it and it would stand beyond what is loaded of the pane's list.
  ///
  /// - Throws: NOT_FOUND if the row or the pane does not exist.
  private func lookUpRow(
    for next: CommandQueue.Waiting, _ context: CommandContext, _ lists: inout ListTable
  ) throws(EngineError) -> CommandStep? {
    let (wanted, row): (UInt64, UInt64)
    switch next.command.action {
    case .select(_, row: 0): return nil
    case .select(let pane, let id): (wanted, row) = (pane, id)
    case .collapse(let pane, let post, _): (wanted, row) = (pane, post)
    case .fold(let pane, let id, _): (wanted, row) = (pane, id)
    default: return nil
    }
    let pane = stack.panes[try stack.index(of: wanted)]
    let missing = EngineError(.notFound, "there is no row \(row) in pane \(pane.id)")
    if case .collapse = next.command.action {
      // The stack itself refuses to collapse posts elsewhere.
      guard case .conversation = pane.content else { return nil }
    }
    guard let id = Int64(exactly: row).map({ PostID($0) }) else { throw missing }
    // A collapsed post that is gone can still be expanded, and an unfolded row folded.
    if case .collapse(_, _, isCollapsed: false) = next.command.action, pane.collapsed.contains(id) { return nil }
    if case .fold(_, _, isFolded: true) = next.command.action, pane.unfolded.contains(id) { return nil }
    let list = pane.list(of: key.account)
    if lists.open.read(list, { $0.contains(id) }) == true { return nil }
    if let loaded = lists[list], loaded.isComplete, loaded.isCurrent { throw missing }
    switch pane.content {
    case .lists, .launch: return nil
    case .conversation(let subject):
      guard next.content != nil else { return .find(find(.conversation("\(subject.rawValue)"), context)) }
      // Loaded for this and still without the row: that is final, unless it is being reloaded.
      guard lists[list]?.isCurrent == false else { throw missing }
      return nil
    default:
      guard let place = next.row else { return .find(find(id, context)) }
      if let cursor = lists[list]?.cursor, cursor <= place { throw missing }
      return nil
    }
  }

  /// Parses the filter that a user typed for a pane. Unread posts are those newer than the session's current reading
  /// position, or marked unread: rows do not leave while they are read.
  private func filter(_ words: String, of pane: UInt64) throws(EngineError) -> ListFilter? {
    guard words.utf8.contains(where: { $0 != 0x20 }) else { return nil }
    let filter = try PostFilter(typed: words)
    guard filter.isUnread else { return ListFilter(words: filter.canonical) }
    let record = stack.panes[try stack.index(of: pane)]
    guard let section = record.content.section, section.isRead else { throw .unreadElsewhere(.failedPrecondition) }
    return ListFilter(words: filter.canonical, since: places.current.readings[section]?.anchor.key)
  }

  // MARK: Reading positions

  /// The error for a row that is not in the section.
  static func noRow(_ id: PostID?) -> EngineError {
    EngineError(.notFound, "there is no row \(id?.rawValue ?? 0) in that section")
  }

  private func read(
    _ section: Section, _ row: UInt64, _ line: Int, _ next: CommandQueue.Waiting, _ context: CommandContext,
    _ lists: inout ListTable
  ) throws(EngineError) -> CommandStep {
    guard section.isRead else {
      throw EngineError(.invalidArgument, "lists and searches have no reading position", field: "section")
    }
    // Views may be moving it; the revision is known once that is saved.
    guard !places.isSaving else { return .wait }
    let reading = places.current.readings[section]
    if next.command.ifRevision != 0, let reading { try check(next.command.ifRevision, of: reading, context) }
    let list = PaneContent(section).list(of: key.account)
    let id = PostID(Int64(clamping: row))
    let loaded = lists.open.read(list) { $0.key(of: id) } ?? nil
    if loaded == nil, let known = lists[list], known.isComplete, known.isCurrent { throw Self.noRow(id) }
    guard let row = loaded ?? next.row else { return .find(find(id, context)) }
    guard loaded != nil || next.isRowInSection else {
      // Asks for the newest row that is not above it: that is the row itself, if it is in the section.
      let above = OrderKey(createdAt: row.createdAt, id: PostID(row.id.rawValue &+ 1))
      return .find(.page(list, before: above, limit: 1))
    }
    let lines = context.viewer.flatMap { rowLines(of: row, in: section, $0.layout, $0.zone, &lists) }
    let named = min(max(0, line), lines.map { $0.height - 1 } ?? RowAnchor.largestNumber)
    let anchor = RowAnchor(key: row, place: lines?.place(atLine: named) ?? .head(named))
    if let reading {
      let isSameLine = reading.anchor.key == row && lines?.line(of: reading.anchor.place) == named
      if reading.anchor == anchor || isSameLine { return .answer(pane: 0) }
      guard anchor.isBeyond(reading.anchor, in: lines) else {
        throw EngineError(
          .failedPrecondition, "the section has been read past that row; reading positions only move forward")
      }
    }
    try checkRoom(context)
    return .storeReading(section, anchor)
  }

  /// Returns the lines of a row of a section's list, as a view with this layout shows or would show it; nil if the row
  /// is not loaded. O(length).
  private func rowLines(
    of row: OrderKey, in section: Section, _ layout: LayoutParameters, _ zone: Zone, _ lists: inout ListTable
  ) -> RowLines? {
    let isRoot = stack.panes[0].content.section == section
    let wanted = isRoot ? stack.panes.map(\.wantedWidth) : [0]
    let record = isRoot ? stack.panes[0] : PaneRecord(id: 0, content: PaneContent(section))
    return lists.rowLines(
      of: row, in: PaneContent(section).list(of: key.account), record, zone, layout,
      width: PaneGeometry(layout, wanted: wanted).widths[0])
  }

  private func check(
    _ wanted: UInt64, of reading: Places.Reading, _ context: CommandContext
  ) throws(EngineError) {
    guard let changed = reading.revision else {
      throw EngineError(
        .aborted, "a view has moved the reading position since revision \(wanted); read it again and retry")
    }
    guard changed <= wanted, wanted <= context.revision else {
      throw EngineError(
        .aborted, "the reading position last changed at revision \(changed), not \(wanted); read it again and retry")
    }
  }

  // MARK: The session itself

  private func rename(to name: String, _ context: CommandContext) throws(EngineError) -> CommandStep {
    try SessionKey.check(name, field: "name")
    guard !name.isEmpty else {
      throw EngineError(.invalidArgument, "name: a session's name cannot be empty", field: "name")
    }
    guard isStored || hasViews else { throw noSession }
    guard name != key.name else { return .answer(pane: stack.top.id) }
    guard context.sessions[SessionKey(account: context.account, name: name)]?.hasViews != true else {
      throw EngineError(.alreadyExists, "a session with that name exists and has views attached")
    }
    try checkRoom(context)
    guard !places.isSaving else { return .wait }
    // The store can only rename what it has.
    return isStored ? .store(.name(name), pane: stack.top.id) : .storeFirst
  }

  private func delete() throws(EngineError) -> CommandStep {
    guard isStored || hasViews else { throw noSession }
    guard !places.isSaving else { return .wait }
    return isStored ? .store(.end, pane: 0) : .end
  }

  private var noSession: EngineError {
    EngineError(.notFound, "there is no session \(key.name.shortened); list the sessions to see their names")
  }
}
