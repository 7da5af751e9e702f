internal import Dates
internal import Posts

/// Undoes accounts' last changes, and redoes the last undone ones.
struct Undoing {
  private let log: UndoLog
  private let descriptions: UndoDescriptions
  private let accounts: AccountReader
  private let posts: PostReader
  private let requests: RequestLog
  private let outbox: Outbox
  private let actions: UndoActions

  init(_ connection: Connection, log: UndoLog, outbox: Outbox, actions: UndoActions) {
    descriptions = UndoDescriptions(connection)
    accounts = AccountReader(connection)
    posts = PostReader(connection)
    requests = RequestLog(connection)
    (self.log, self.outbox, self.actions) = (log, outbox, actions)
  }

  /// Undoes an account's last change, or redoes the last undone one.
  func undo(_ undo: Undo) throws -> Undone {
    let account = try accounts.existing(undo.account)
    try requests.check(undo.requestID)
    switch try requests.record(for: undo.requestID, account.id) {
    case .entry(let number): return try repeated(number, undo)
    case .obstacle(let number):
      var undone = try repeated(number, undo)
      undone.obstacle = .passedOver
      return undone
    case .post, .deletion, nil: break
    }
    guard let (undoEntry, change) = try log.next(of: undo.account, isRedo: undo.isRedo) else {
      throw Refusal.nothingToUndo(isRedo: undo.isRedo)
    }
    var undone = Undone(what: try descriptions.description(of: change), post: change.post)
    do {
      let next = undo.isRedo ? change : change.reversed
      undone.isIrrevocable = try isIrrevocable(next)
      undone.repost = try log.replaying(undoEntry) { try actions.perform(next, of: undoEntry, at: undo.at) }
      try log.setState(of: undoEntry, to: undone.isIrrevocable ? .void : undo.isRedo ? .done : .undone)
      try requests.remember(undo.requestID, account.id, .entry(undoEntry.number))
    } catch let refusal as Refusal where !refusal.isAboutRoom {
      undone.obstacle = refusal
      try log.setState(of: undoEntry, to: .void)
      try requests.remember(undo.requestID, account.id, .obstacle(undoEntry.number))
    }
    (undone.undoable, undone.redoable) = try counts(of: account.id)
    try log.noteUndone(undone.redoable > 0, of: account.id)
    return undone
  }

  /// Returns true if a change cannot be reversed: a post that its source was told to delete does not come back.
  private func isIrrevocable(_ change: UndoEntry) throws(StoreError) -> Bool {
    guard case .post(let post, isThere: false, _) = change, try posts.post(post)?.subject == post else { return false }
    return try outbox.upstream(of: post, for: .delete) != nil
  }

  private func repeated(_ number: Int64, _ undo: Undo) throws(StoreError) -> Undone {
    let change = try log.entry(UndoEntryID(account: undo.account, number: number))
    let (undoable, redoable) = try counts(of: undo.account)
    let what = if let change { try descriptions.description(of: change) } else { "" }
    return Undone(what: what, post: change?.post, isRepeated: true, undoable: undoable, redoable: redoable)
  }

  private func counts(of account: AccountID) throws(StoreError) -> (undoable: Int, redoable: Int) {
    (try log.count(.done, of: account), try log.count(.undone, of: account))
  }
}

/// Performs the changes of undo entries.
struct UndoActions {
  let marks: Marks
  let readMarks: ReadMarks
  let deletedPosts: DeletedPosts
  let deleting: Deleting
  let editing: Editing
  let mutes: Mutes
  let following: Following
  let lists: MadeLists

  /// Performs a change for the account of an undo entry. Returns the new repost, if any.
  func perform(_ change: UndoEntry, of undoEntry: UndoEntryID, at instant: Instant) throws -> ComposedPost? {
    let account = undoEntry.account
    switch change {
    case .mark(let post, let mark, let isOn):
      return try marks.mark(Marking(account: account, post: post, mark: mark, isOn: isOn, at: instant)).repost
    case .post(let post, isThere: true, let isMarked):
      try deletedPosts.bringBack(post, of: undoEntry, isMarked: isMarked)
    case .post(let post, isThere: false, _): try deleting.deletePost(post, of: account)
    case .text(let post, _, let text): try editing.rewriteOwn(post, as: text, account)
    case .mute(let subject, let isOn): _ = try mutes.apply(MuteChange(account: account, subject: subject, isOn: isOn))
    case .follow(let author, isOn: true): _ = try following.follow(account, author, at: instant)
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

extension UndoEntry {
  /// The post that the change is about.
  fileprivate var post: PostID? {
    switch self {
    case .mark(let post, _, _), .post(let post, _, _), .text(let post, _, _): post
    case .reading(let changes): changes[0].post
    case .follow, .mute, .list, .listName, .listAuthor: nil
    }
  }
}
