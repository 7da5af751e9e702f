internal import Posts

/// What accounts did, step by step, so that they can take it back (docs/adr/0025). A step is written in the transaction
/// that it tells of.
extension PostStore {
  /// Where an account's journal is.
  struct Journal {
    /// The number last given.
    var last: Int64
    /// Whether there is anything to do again.
    var hasUndone: Bool
  }

  /// Notes what an account has done. From then on what it had taken back cannot be done again. Returns the step; while
  /// one is taken back or done again that is the step, and nothing is noted.
  @discardableResult
  func record(_ change: Step, of account: AccountID) throws(StoreError) -> StepID {
    if let step = transaction!.step { return step }
    var journal = try journal(of: account)
    if journal.hasUndone { try forgetSteps(.forgetUndone, account) }
    journal.last += 1
    journal.hasUndone = false
    let columns = change.columns
    let statement = try connection.statement(.insertStep)
    defer { statement.reset() }
    statement.bind(1, account.rawValue)
    statement.bind(2, journal.last)
    statement.bind(3, columns.kind)
    statement.bind(4, columns.isOn ? 1 : 0)
    statement.bind(5, columns.subject)
    statement.bind(6, columns.object)
    statement.bind(7, blob: columns.before)
    statement.bind(8, blob: columns.after)
    _ = try statement.step()
    noteChange()
    // Many at a time: who writes thousands of posts pays for one row each.
    if journal.last % StoreLimits.steps == 0 {
      try forgetSteps(.forgetSteps, account, upTo: journal.last - StoreLimits.steps)
    }
    journals[account] = journal
    return StepID(account: account, number: journal.last)
  }

  /// Takes back what an account did last, or does again what it took back last.
  func undo(_ undo: Undo) throws -> Undone {
    let account = try existing(undo.account)
    try check(requestID: undo.requestID)
    switch try made(by: undo.requestID, account.id) {
    case .step(let number): return try repeated(number, undo)
    case .obstacle(let number):
      var undone = try repeated(number, undo)
      undone.obstacle = .passedOver
      return undone
    case .post, .deletion, nil: break
    }
    guard let (step, change) = try nextStep(undo) else { throw Refusal.nothingToUndo(isRedo: undo.isRedo) }
    var undone = Undone(what: try words(change), post: change.post)
    transaction!.step = step
    defer { transaction!.step = nil }
    do {
      let next = undo.isRedo ? change : change.reversed
      undone.isIrrevocable = try isIrrevocable(next)
      undone.repost = try perform(next, step, undo)
      try set(step, state: undone.isIrrevocable ? .void : undo.isRedo ? .done : .undone)
      try remember(undo.requestID, account.id, .step(step.number))
    } catch let refusal as Refusal {
      undone.obstacle = refusal
      try set(step, state: .void)
      try remember(undo.requestID, account.id, .obstacle(step.number))
    }
    var journal = try journal(of: account.id)
    (undone.undoable, undone.redoable) = (try count(.done, account.id), try count(.undone, account.id))
    journal.hasUndone = undone.redoable > 0
    journals[account.id] = journal
    return undone
  }

  /// Whether a change cannot be taken back or done again: what a source elsewhere has been told to delete does not come
  /// back.
  private func isIrrevocable(_ change: Step) throws(StoreError) -> Bool {
    guard case .post(let post, isThere: false, _) = change, try self.post(post)?.subject == post else { return false }
    return try upstream(of: post) != nil
  }

  /// A step's state: the column `state`.
  private enum StepState: Int64 { case done, undone, void }

  private func repeated(_ number: Int64, _ undo: Undo) throws(StoreError) -> Undone {
    let step = StepID(account: undo.account, number: number)
    let change = try self.change(step)
    return Undone(
      what: try change.map { change throws(StoreError) in try words(change) } ?? "", post: change?.post,
      isRepeated: true,
      undoable: try count(.done, undo.account), redoable: try count(.undone, undo.account))
  }

  private func perform(_ change: Step, _ step: StepID, _ undo: Undo) throws -> ComposedPost? {
    let account = undo.account
    switch change {
    case .mark(let post, let mark, let isOn):
      return try self.mark(Marking(account: account, post: post, mark: mark, isOn: isOn, at: undo.at)).repost
    case .post(let post, isThere: true, let isMarked): try bringBack(post, of: step, isMarked: isMarked)
    case .post(let post, isThere: false, _): try takeAway(post, of: account)
    case .text(let post, _, let body): try rewriteOwn(post, as: body, account)
    case .quiet(let subject, let isOn): _ = try quiet(Quieting(account: account, subject: subject, isOn: isOn))
    case .follow(let author, isOn: true): _ = try follow(account, author)
    case .follow(let author, isOn: false): _ = try unfollow(account, author)
    case .list(let list, let name, let authors, isThere: true): try makeListAgain(account, list, name, authors)
    case .list(let list, _, _, isThere: false): _ = try deleteList(account, list)
    case .listName(let list, _, let name): _ = try renameList(account, list, name)
    case .listAuthor(let list, let author, isIn: true): _ = try addToList(account, list, author)
    case .listAuthor(let list, let author, isIn: false): _ = try removeFromList(account, list, author)
    case .reading(let changes): try sayAgain(changes, account)
    }
    return nil
  }

  // MARK: Rows

  /// Where an account's journal is; asked of the file once.
  private func journal(of account: AccountID) throws(StoreError) -> Journal {
    if let known = journals[account] { return known }
    let statement = try connection.statement(.journal)
    defer { statement.reset() }
    statement.bind(1, account.rawValue)
    _ = try statement.step()
    let journal = Journal(last: statement.integer(0), hasUndone: statement.integer(1) != 0)
    journals[account] = journal
    return journal
  }

  private func nextStep(_ undo: Undo) throws(StoreError) -> (StepID, Step)? {
    let statement = try connection.statement(undo.isRedo ? .firstUndone : .lastDone)
    defer { statement.reset() }
    statement.bind(1, undo.account.rawValue)
    guard try statement.step() else { return nil }
    guard let change = Step(row: statement) else {
      throw StoreError(
        kind: .corrupt, message: "the store \(connection.path) has a step of an unknown kind: restore a backup")
    }
    return (StepID(account: undo.account, number: statement.integer(0)), change)
  }

  private func change(_ step: StepID) throws(StoreError) -> Step? {
    let statement = try connection.statement(.step)
    defer { statement.reset() }
    statement.bind(1, step.account.rawValue)
    statement.bind(2, step.number)
    return try statement.step() ? Step(row: statement) : nil
  }

  private func set(_ step: StepID, state: StepState) throws(StoreError) {
    let statement = try connection.statement(.setStep)
    defer { statement.reset() }
    statement.bind(1, step.account.rawValue)
    statement.bind(2, step.number)
    statement.bind(3, state.rawValue)
    _ = try statement.step()
    noteChange()
  }

  private func count(_ state: StepState, _ account: AccountID) throws(StoreError) -> Int {
    let statement = try connection.statement(.stepCount)
    defer { statement.reset() }
    statement.bind(1, account.rawValue)
    statement.bind(2, state.rawValue)
    return try statement.step() ? Int(statement.integer(0)) : 0
  }

  /// Forgets steps, with what they had thrown away.
  private func forgetSteps(_ query: Query, _ account: AccountID, upTo last: Int64? = nil) throws(StoreError) {
    for query in [query, .forgetTrash] {
      let statement = try connection.statement(query)
      defer { statement.reset() }
      statement.bind(1, account.rawValue)
      if query == .forgetSteps { statement.bind(2, last) }
      _ = try statement.step()
    }
  }
}

extension Step {
  /// Reads a step's number and then its columns.
  fileprivate init?(row: Statement) {
    self.init(
      Columns(
        kind: row.integer(1), isOn: row.integer(2) != 0, subject: row.integer(3), object: row.integer(4),
        before: row.bytes(5),
        after: row.bytes(6)))
  }

  /// The post that it is about.
  fileprivate var post: PostID? {
    switch self {
    case .mark(let post, _, _), .post(let post, _, _), .text(let post, _, _): post
    case .reading(let changes): changes[0].post
    case .follow, .quiet, .list, .listName, .listAuthor: nil
    }
  }
}
