internal import Posts

/// The posts, accounts and sessions of a daemon in one SQLite file: a ``StoreReader`` that also writes.
///
/// One for a file, on one thread, the only writer. What ``commit(_:)`` has returned is on the disk (WAL with
/// `synchronous=FULL`, https://sqlite.org/pragma.html#pragma_synchronous) and survives a crash of the process and of
/// the machine.
public final class PostStore: StoreReader {
  /// The state after the last commit.
  private var meta: Meta
  /// Whether what made a new store is on the disk: ``settle()``.
  private var isSettled: Bool
  private var memory: WriterMemory
  /// Names of the sources elsewhere that have a program to tell them what is done here to their posts.
  public var upstreams: Set<String> = []
  /// Whether the last one to write this store closed it. If not, it was killed or the machine went down; with
  /// `synchronous=FULL` nothing acknowledged was lost by that, so the epoch stays.
  public let wasClosed: Bool

  /// Opens the store at `path`, or makes it; its folder must exist. A file that cannot be written is opened for
  /// reading.
  ///
  /// - Parameters:
  ///   - epoch: a random number, not 0: the epoch of a store that is new or restored from a backup.
  ///   - vfs: the name of a registered SQLite VFS instead of the system's, for simulations of the disk.
  public convenience init(path: String, epoch: UInt64, vfs: String? = nil) throws(StoreError) {
    try self.init(path: path, epoch: epoch, vfs: vfs, durability: .full)
  }

  /// As ``init(path:epoch:vfs:)``, with a durability of its own for simulations, which show that less than `full` loses
  /// posts.
  package init(path: String, epoch: UInt64, vfs: String?, durability: Durability) throws(StoreError) {
    let database = try Connection(path: path, access: .readWrite, vfs: vfs)
    try Schema.current.check(database)
    if !database.isReadOnly { try database.rewriteLog() }
    try database.configure(durability, cacheKiB: StoreReader.cacheKiB)
    isSettled = try !Schema.current.migrate(database, epoch: epoch, durability)
    meta = try Meta(of: database)
    wasClosed = meta.isClosed
    memory = WriterMemory(database)
    super.init(database: database)
  }

  /// A value that changes when continuity is lost (protocol.md, section 2).
  public var epoch: UInt64 { meta.epoch }

  /// The number of the state after the last commit; 0 in a new store.
  public var revision: UInt64 { meta.revision }

  /// Whether the file can only be read: every commit fails.
  public var isReadOnly: Bool { database.isReadOnly }

  /// Does the writes in one transaction, in their order, and returns when they are on the disk.
  ///
  /// Each write checks before it stores anything, so one that is refused leaves nothing behind and the others are done.
  /// Where the disk fails, none is done: the transaction is rolled back and the error thrown. The revision grows by one
  /// if anything changed, whatever the number of writes; if nothing did, the disk is not touched.
  public func commit(_ writes: [Write]) throws(StoreError) -> Commit {
    let ((firstNewPost, outcomes), changes) = try transact { writer throws(StoreError) in
      var outcomes: [Outcome] = []
      outcomes.reserveCapacity(writes.count)
      for write in writes { outcomes.append(try writer.perform(write)) }
      return (writer.firstNewPost, outcomes)
    }
    return Commit(revision: revision, firstNewPost: firstNewPost, outcomes: outcomes, changes: changes)
  }

  /// The account of a Unix user, or without `uid` the one of this name; made on first use, which is a
  /// commit of its own.
  ///
  /// - Throws: ``StoreError`` by the disk, ``Refusal`` without `uid` for a name that no account may have, and for one
  ///   account too many.
  public func account(uid: UInt32?, name: String) throws -> Account {
    if let known = try AccountReader(database).account(uid: uid, name: name) { return known }
    return try transact { writer throws(StoreError) in try writer.openAccount(uid: uid, name: name) }.value.get()
  }

  /// Notes that the store was closed in order and moves the log into the file. The last call before letting go of it; a
  /// store that is only let go of loses nothing, but takes longer to open.
  public func close() throws(StoreError) {
    if !meta.isClosed && !isReadOnly {
      try settle()
      var closed = meta
      closed.isClosed = true
      try closed.save(to: database)
      meta = closed
    }
    // Without room for it the log simply stays, and is read when the store is opened again.
    try? database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
  }

  /// Does `body` in a transaction of its own. Returns its value, and what was done beside that.
  private func transact<Value>(
    _ body: (StoreWriter) throws(StoreError) -> Value
  ) throws(StoreError) -> (value: Value, changes: Changes) {
    try settle()
    try database.run(.begin)
    do throws(StoreError) {
      meta = try Meta(of: database)
      let writer = StoreWriter(database, after: meta, memory, upstreams: upstreams)
      let value = try body(writer)
      let finished = try writer.finish()
      try database.run(.commit)
      guard let (changes, saved) = finished else { return (value, Changes()) }
      meta = saved
      return (value, changes)
    } catch {
      // SQLite may have rolled back already (https://sqlite.org/lang_transaction.html, "response to errors").
      memory = WriterMemory(database)
      if database.isInTransaction { try? database.run(.rollback) }
      throw error
    }
  }

  /// Sees that what made a new store is on the disk, before anything is added to it.
  private func settle() throws(StoreError) {
    guard !isSettled else { return }
    try database.rewriteLog()
    isSettled = true
  }
}
