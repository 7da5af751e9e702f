internal import Dates
internal import Posts

/// Takes back what accounts did last, and does again what they took back last.
struct Undoing {
  private let log: UndoLog
  private let words: StepWords
  private let accounts: AccountReader
  private let posts: PostReader
  private let requests: RequestLog
  private let outbox: Outbox
  private let actions: UndoActions

  init(_ connection: Connection, log: UndoLog, outbox: Outbox, actions: UndoActions) {
    words = StepWords(connection)
    accounts = AccountReader(connection)
    posts = PostReader(connection)
    requests = RequestLog(connection)
    (self.log, self.outbox, self.actions) = (log, outbox, actions)
  }

  /// Takes back what an account did last, or does again what it took back last.
  func undo(_ undo: Undo) throws -> Undone {
    let account = try accounts.existing(undo.account)
    try requests.check(undo.requestID)
    switch try requests.done(by: undo.requestID, account.id) {
    case .step(let number): return try repeated(number, undo)
    case .obstacle(let number):
      var undone = try repeated(number, undo)
      undone.obstacle = .passedOver
      return undone
    case .post, .deletion, nil: break
    }
    guard let (step, change) = try log.next(of: undo.account, isRedo: undo.isRedo) else {
      throw Refusal.nothingToUndo(isRedo: undo.isRedo)
    }
    var undone = Undone(what: try words.words(change), post: change.post)
    do {
      let next = undo.isRedo ? change : change.reversed
      undone.isIrrevocable = try isIrrevocable(next)
      undone.repost = try log.replaying(step) { try actions.perform(next, of: step, at: undo.at) }
      try log.set(step, undone.isIrrevocable ? .void : undo.isRedo ? .done : .undone)
      try requests.remember(undo.requestID, account.id, .step(step.number))
    } catch let refusal as Refusal {
      undone.obstacle = refusal
      try log.set(step, .void)
      try requests.remember(undo.requestID, account.id, .obstacle(step.number))
    }
    (undone.undoable, undone.redoable) = try counts(of: account.id)
    try log.noteUndone(undone.redoable > 0, of: account.id)
    return undone
  }

  /// Whether a change cannot be taken back or done again: what a source elsewhere has been told to delete does not come
  /// back.
  private func isIrrevocable(_ change: Step) throws(StoreError) -> Bool {
    guard case .post(let post, isThere: false, _) = change, try posts.post(post)?.subject == post else { return false }
    return try outbox.upstream(of: post) != nil
  }

  private func repeated(_ number: Int64, _ undo: Undo) throws(StoreError) -> Undone {
    let change = try log.step(StepID(account: undo.account, number: number))
    let (undoable, redoable) = try counts(of: undo.account)
    let what = if let change { try words.words(change) } else { "" }
    return Undone(what: what, post: change?.post, isRepeated: true, undoable: undoable, redoable: redoable)
  }

  private func counts(of account: AccountID) throws(StoreError) -> (undoable: Int, redoable: Int) {
    (try log.count(.done, of: account), try log.count(.undone, of: account))
  }
}

/// Does what steps tell.
struct UndoActions {
  let marks: Marks
  let readMarks: ReadMarks
  let trash: Trash
  let deleting: Deleting
  let editing: Editing
  let mutes: Mutes
  let following: Following
  let lists: MadeLists

  /// Does a change for the account of a step. Returns the repost that is new by it.
  func perform(_ change: Step, of step: StepID, at instant: Instant) throws -> ComposedPost? {
    let account = step.account
    switch change {
    case .mark(let post, let mark, let isOn):
      return try marks.mark(Marking(account: account, post: post, mark: mark, isOn: isOn, at: instant)).repost
    case .post(let post, isThere: true, let isMarked): try trash.bringBack(post, of: step, isMarked: isMarked)
    case .post(let post, isThere: false, _): try deleting.takeAway(post, of: account)
    case .text(let post, _, let body): try editing.rewriteOwn(post, as: body, account)
    case .quiet(let subject, let isOn): _ = try mutes.apply(Quieting(account: account, subject: subject, isOn: isOn))
    case .follow(let author, isOn: true): try following.follow(account, author)
    case .follow(let author, isOn: false): try following.unfollow(account, author)
    case .list(let list, let name, let authors, isThere: true): try lists.makeAgain(account, list, name, authors)
    case .list(let list, _, _, isThere: false): try lists.delete(account, list)
    case .listName(let list, _, let name): try lists.rename(account, list, name)
    case .listAuthor(let list, let author, isIn: true): try lists.add(account, list, author)
    case .listAuthor(let list, let author, isIn: false): try lists.remove(account, list, author)
    case .reading(let changes): try readMarks.markAgain(changes, account)
    }
    return nil
  }
}

extension Step {
  /// The post that it is about.
  fileprivate var post: PostID? {
    switch self {
    case .mark(let post, _, _), .post(let post, _, _), .text(let post, _, _): post
    case .reading(let changes): changes[0].post
    case .follow, .quiet, .list, .listName, .listAuthor: nil
    }
  }
}
