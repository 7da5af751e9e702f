internal import Posts
public import ViewState

/// The posts, accounts and sessions of a daemon in one SQLite file: a ``StoreReader`` that also writes.
///
/// There is one per file, on one thread, and it is the only writer. After ``commit(_:)`` has returned, the commit is on
/// the disk (WAL with `synchronous=FULL`, https://sqlite.org/pragma.html#pragma_synchronous) and survives a crash of
/// the process and of the machine.
public final class PostStore: StoreReader {
  /// The state after the last commit.
  private var meta: Meta
  /// True once a new store is synced to the disk (``syncNewStore()``).
  private var isSynced: Bool
  private var writer: StoreWriter
  /// Names of the sources with an upstream program.
  public var upstreams: Set<String> = [] { didSet { renewWriter() } }
  /// How far timelines have been read; nil if nobody reads: then no post is late.
  public var reading: TimelineReading? { didSet { renewWriter() } }
  /// True if the last writer closed the store. If not, it was killed or the machine went down; with `synchronous=FULL`
  /// no acknowledged commit was lost, so the epoch stays.
  public let wasClosed: Bool

  /// Opens the store at `path`, or creates it; its folder must exist. A file without write permission is opened for
  /// reading.
  ///
  /// - Parameters:
  ///   - epoch: a random number, not 0: the epoch of a store that is new or restored from a backup.
  ///   - follows: how accounts come to be followed, if the store is new.
  ///   - vfs: the name of a registered SQLite VFS instead of the system's, for simulations of the disk.
  public convenience init(
    path: String, epoch: UInt64, follows: FollowPolicy = .open, vfs: String? = nil
  ) throws(StoreError) {
    try self.init(path: path, epoch: epoch, follows: follows, vfs: vfs, durability: .full)
  }

  /// As ``init(path:epoch:follows:vfs:)``, with another durability, for simulations that show that less than `full` loses
  /// posts.
  package init(
    path: String, epoch: UInt64, follows: FollowPolicy = .open, vfs: String?, durability: Durability
  ) throws(StoreError) {
    let database = try Connection(path: path, access: .readWrite, vfs: vfs)
    try Schema.current.check(database)
    if !database.isReadOnly { try database.rewriteLog() }
    try database.configure(durability, cacheKiB: StoreReader.cacheKiB)
    isSynced = try !Schema.current.migrate(database, epoch: epoch, follows: follows, durability)
    meta = try Meta(of: database)
    wasClosed = meta.isClosed
    writer = StoreWriter(database, upstreams: [], reading: nil)
    super.init(database: database)
  }

  /// A value that changes when continuity is lost (docs/PROTOCOL.md, "Conventions").
  public var epoch: UInt64 { meta.epoch }

  /// The revision of the last commit; 0 in a new store.
  public var revision: UInt64 { meta.revision }

  /// True if the file can only be read, so that every commit fails.
  public var isReadOnly: Bool { database.isReadOnly }

  /// Performs the writes in one transaction, in order, and returns when they are on the disk.
  ///
  /// A refused write leaves nothing behind, and the others proceed. Each checks everything before it stores anything;
  /// if one has stored something all the same, the transaction is rolled back and performed again without it. If the
  /// disk fails, the transaction is rolled back and the error thrown. The revision grows by one if
  /// anything changed, whatever the number of writes; if nothing changed, the disk is not touched.
  public func commit(_ writes: [Write]) throws(StoreError) -> Commit {
    var refused: [Int: Outcome] = [:]
    while true {
      let known = refused.count
      do throws(StoreError) {
        return try commit(writes, &refused)
      } catch {
        guard refused.count > known else { throw error }
      }
    }
  }

  /// Performs the writes but for those that are refused; throws if one is that has stored something, which is in
  /// `refused` then.
  private func commit(_ writes: [Write], _ refused: inout [Int: Outcome]) throws(StoreError) -> Commit {
    let ((firstNewPost, outcomes, feeds), changes) = try transact { writer throws(StoreError) in
      var outcomes: [Outcome] = []
      outcomes.reserveCapacity(writes.count)
      for (index, write) in writes.enumerated() {
        let before = database.totalChanges
        let outcome = if let known = refused[index] { known } else { try writer.perform(write) }
        if case .refused = outcome, database.totalChanges != before {
          refused[index] = outcome
          throw StoreError(kind: .other, message: "a refused write has stored something")
        }
        outcomes.append(outcome)
      }
      return (writer.firstNewPost, outcomes, writer.feeds)
    }
    return Commit(
      revision: revision, firstNewPost: firstNewPost, outcomes: outcomes, changes: changes, feeds: feeds)
  }

  /// Finds the account of a Unix user or, without `uid`, the one with this name. It is created on first use, in a
  /// commit of its own.
  ///
  /// - Throws: ``StoreError`` by the disk; ``Refusal`` for a name that no account may have, if there is no `uid`, and
  ///   for one account too many.
  public func account(uid: UInt32?, name: String) throws -> Account {
    if let known = try AccountReader(database).account(uid: uid, name: name) { return known }
    return try transact { writer throws(StoreError) in try writer.openAccount(uid: uid, name: name) }.value.get()
  }

  /// Records that the store was closed in order, and moves the log into the file. It must be the last call; a store
  /// that is released without it loses nothing but takes longer to open.
  public func close() throws(StoreError) {
    if !meta.isClosed && !isReadOnly {
      try syncNewStore()
      var closed = meta
      closed.isClosed = true
      try closed.save(to: database)
      meta = closed
    }
    // If the disk is full, the log stays and is read when the store is opened again.
    try? database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
  }

  /// Runs `body` in a transaction. Returns its value and the other changes.
  private func transact<Value>(
    _ body: (StoreWriter) throws(StoreError) -> Value
  ) throws(StoreError) -> (value: Value, changes: Changes) {
    try syncNewStore()
    try database.run(.begin)
    do throws(StoreError) {
      meta = try Meta(of: database)
      writer.begin(after: meta)
      let value = try body(writer)
      let finished = try writer.finish()
      try database.run(.commit)
      writer.end()
      guard let (changes, saved) = finished else { return (value, Changes()) }
      meta = saved
      return (value, changes)
    } catch {
      // SQLite may have rolled back already (https://sqlite.org/lang_transaction.html, "response to errors").
      renewWriter()
      if database.isInTransaction { try? database.run(.rollback) }
      throw error
    }
  }

  private func renewWriter() { writer = StoreWriter(database, upstreams: upstreams, reading: reading) }

  /// Syncs a new store to the disk before anything is added to it.
  private func syncNewStore() throws(StoreError) {
    guard !isSynced else { return }
    try database.rewriteLog()
    isSynced = true
  }
}
