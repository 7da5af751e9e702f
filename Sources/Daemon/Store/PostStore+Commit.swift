internal import Posts

extension PostStore {
  /// Does the writes in one transaction, in their order, and returns when they are on the disk.
  ///
  /// Each write checks before it stores anything, so one that is refused leaves nothing behind and the others are done.
  /// Where the disk fails, none is done: the transaction is rolled back and the error thrown. The revision grows by one
  /// if anything changed, whatever the number of writes; if nothing did, the disk is not touched.
  public func commit(_ writes: [Write]) throws(StoreError) -> Commit {
    try settle()
    try connection.run(.begin)
    do throws(StoreError) {
      meta = try PostStore.readMeta(connection)
      transaction = Transaction(after: meta)
      let firstNewPost = transaction!.firstNewPost
      var outcomes: [Outcome] = []
      outcomes.reserveCapacity(writes.count)
      for write in writes { outcomes.append(try perform(write)) }
      let changes = try finish()
      return Commit(revision: revision, firstNewPost: firstNewPost, outcomes: outcomes, changes: changes)
    } catch {
      abandon()
      throw error
    }
  }

  private func perform(_ write: Write) throws(StoreError) -> Outcome {
    do {
      return switch write {
      case .importBatch(let posts, let owner): .imported(try importBatch(posts, owner: owner))
      case .noteGap(let account, let note): try noteGap(account, note)
      case .compose(let composition): .composed(try compose(composition))
      case .deletePost(let account, let post, let requestID): try deletePost(account, post, requestID)
      case .edit(let edition): .edited(try edit(edition))
      case .saveDraft(let draft): .draftSaved(try saveDraft(draft))
      case .deleteDraft(let account, let draft): try deleteDraft(account, draft)
      case .mark(let marking): .marked(try mark(marking))
      case .markRead(let marking): .readMarked(try markRead(marking))
      case .undo(let undo): .undone(try self.undo(undo))
      case .retry(let account, let post, let requestID): .settled(try retry(account, post, requestID))
      case .discard(let account, let post, let requestID): .settled(try discard(account, post, requestID))
      case .takeOutgoing(let source, let limit, let again): .outgoing(try takeOutgoing(source, limit, again: again))
      case .takeAnswer(let source, let answer): .settled(try takeAnswer(source, answer))
      case .quiet(let quieting): .quieted(try quiet(quieting))

      case .follow(let account, let author): try follow(account, author)
      case .unfollow(let account, let author): try unfollow(account, author)
      case .makeList(let account, let name): try makeList(account, name)
      case .renameList(let account, let list, let name): try renameList(account, list, name)
      case .deleteList(let account, let list): try deleteList(account, list)
      case .addToList(let account, let list, let author): try addToList(account, list, author)
      case .removeFromList(let account, let list, let author): try removeFromList(account, list, author)
      case .markSeen(let account, let section, let key): try markSeen(account, section, key)

      case .saveSession(let account, let name, let bytes): try saveSession(account, name, bytes)
      case .savePlaces(let account, let session, let bytes): try savePlaces(account, session, bytes)
      case .renameSession(let account, let name, let newName): try renameSession(account, name, newName)
      case .deleteSession(let account, let name): try deleteSession(account, name)

      case .openAccount(let uid, let name): .accountOpened(try openAccount(uid, name))
      case .makeAccount(let name): .accountOpened(try makeAccount(name))
      case .setPostLimit(let account, let limit): .accountOpened(try setPostLimit(account, limit))
      case .nameAuthor(let account, let handle, let displayName):
        .authorNamed(try nameAuthor(account, handle, displayName))
      case .claimIdentity(let account, let source, let nativeID):
        .identityClaimed(try claimIdentity(account, source, nativeID))
      case .issueToken(let token): .tokenIssued(try issue(token))
      case .revokeToken(let account, let id): .tokenRevoked(try revokeToken(account, id))
      }
    } catch let refusal as Refusal {
      return .refused(refusal)
    } catch {
      throw error as! StoreError  // the only other error in this module
    }
  }

  /// Notes that this transaction stores something.
  func noteChange() { transaction!.hasChanges = true }

  /// Notes that an outcome has this post.
  func note(_ post: StoredPost) {
    if post.id < transaction!.firstNewPost { transaction!.reported.insert(post.id) }
    if case .circle(let circle) = post.audience { transaction!.circles.insert(circle) }
  }

  /// Ends the transaction. Returns what it did beside the outcomes.
  private func finish() throws(StoreError) -> Changes {
    for account in transaction!.renamed.sorted(by: { $0.rawValue < $1.rawValue }) { try findMentions(of: account) }
    try countAnswers()
    guard let done = transaction, done.hasChanges else {
      transaction = nil
      try connection.run(.commit)
      return Changes()
    }
    try saveTallies(done)
    try saveSearch(done)
    let changes = try tell()
    var saved = done.meta
    saved.revision = done.revision
    try PostStore.save(saved, connection)
    try connection.run(.commit)
    meta = saved
    transaction = nil
    return changes
  }

  private func saveTallies(_ done: Transaction) throws(StoreError) {
    let tally = try connection.statement(.tally)
    // In order, as everything that is written: the same commits make the same file.
    for (list, count) in done.tallies.sorted(by: { $0.key < $1.key }) where count != 0 {
      defer { tally.reset() }
      tally.bind(1, list)
      tally.bind(2, Int64(count))
      _ = try tally.step()
    }
    let authorTally = try connection.statement(.authorTally)
    for (key, count) in done.authorTallies.sorted(by: { $0.key < $1.key }) {
      defer { authorTally.reset() }
      authorTally.bind(1, key.author.rawValue)
      authorTally.bind(2, key.audience.number)
      authorTally.bind(3, Int64(count.entries))
      authorTally.bind(4, Int64(count.others))
      _ = try authorTally.step()
    }
  }

  /// The changes, with the posts and members that go with them.
  private func tell() throws(StoreError) -> Changes {
    var changes = transaction!.changes.tidied()
    var missing = transaction!.touched.subtracting(transaction!.reported)
    for posts in changes.entered.values {
      for id in posts where id < transaction!.firstNewPost && !transaction!.reported.contains(id) { missing.insert(id) }
    }
    for id in missing.sorted(by: { $0.rawValue < $1.rawValue }) {
      guard let post = try post(id) else { continue }
      note(post)
      if try isEntry(id) { changes.changed.append(post) } else { changes.originals.append(post) }
    }
    for account in transaction!.gapsChanged { changes.gaps[account] = try gaps(of: account) }
    changes.members = try members(of: transaction!.circles)
    for account in transaction!.quieted.sorted(by: { $0.rawValue < $1.rawValue }) {
      changes.quiet[account] = try quiet(of: account)
    }
    return changes
  }

  /// Takes everything back. SQLite may have rolled back already (https://sqlite.org/lang_transaction.html, "response to
  /// errors").
  private func abandon() {
    transaction = nil
    lookups = Lookups()
    journals.removeAll()
    sources.removeAll()
    localSourceID = nil
    if connection.isInTransaction { try? connection.run(.rollback) }
  }
}
