internal import Posts

extension PostStore {
  /// Does the writes in one transaction, in their order, and returns when they are on the disk.
  ///
  /// Each write checks before it stores anything, so one that is refused leaves nothing behind and the others are done.
  /// Where the disk fails, none is done: the transaction is rolled back and the error thrown. The revision grows by one if
  /// anything changed, whatever the number of writes; otherwise the disk is not touched.
  public func commit(_ writes: [Write]) throws(StoreError) -> Commit {
    try settle()
    try connection.run(.begin)
    do throws(StoreError) {
      meta = try PostStore.readMeta(connection)
      transaction = Transaction(after: meta)
      let firstNewPost = PostID(meta.lastPost + 1)
      var outcomes: [Outcome] = []
      outcomes.reserveCapacity(writes.count)
      for write in writes { outcomes.append(try perform(write)) }
      try finish()
      return Commit(revision: revision, firstNewPost: firstNewPost, outcomes: outcomes)
    } catch {
      abandon()
      throw error
    }
  }

  private func perform(_ write: Write) throws(StoreError) -> Outcome {
    do {
      return switch write {
      case .importBatch(let posts, let owner): .imported(try importBatch(posts, owner: owner))
      case .compose(let composition): .composed(try compose(composition))
      case .saveSession(let account, let name, let bytes): try saveSession(account, name, bytes)
      case .deleteSession(let account, let name): try deleteSession(account, name)
      case .claimIdentity(let account, let source, let nativeID):
        .identityClaimed(try claimIdentity(account, source, nativeID))
      case .openAccount(let uid, let name): .accountOpened(try openAccount(uid, name))
      case .nameAuthor(let account, let handle, let displayName):
        .authorNamed(try nameAuthor(account, handle, displayName))
      }
    } catch let refusal as Refusal {
      return .refused(refusal)
    } catch {
      throw error as! StoreError  // the only other error in this module
    }
  }

  /// Notes that this transaction stores something.
  func noteChange() { transaction!.hasChanges = true }

  private func finish() throws(StoreError) {
    guard let done = transaction, done.hasChanges else {
      transaction = nil
      return try connection.run(.commit)
    }
    let statement = try connection.statement(.tally)
    for (audience, count) in done.tallies where count != 0 {
      defer { statement.reset() }
      statement.bind(1, audience.column)
      statement.bind(2, Int64(count))
      _ = try statement.step()
    }
    try PostStore.save(done.meta, connection)
    try connection.run(.commit)
    meta = done.meta
    transaction = nil
  }

  /// Takes everything back. SQLite may have rolled back already (https://sqlite.org/lang_transaction.html, "response to
  /// errors").
  private func abandon() {
    transaction = nil
    sources.removeAll()
    localSourceID = nil
    if connection.isInTransaction { try? connection.run(.rollback) }
  }
}
