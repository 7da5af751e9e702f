internal import Posts

/// The posts, accounts and sessions of a daemon in one SQLite file: a ``StoreReader`` that also writes.
///
/// One for a file, on one thread, the only writer. What ``commit(_:)`` has returned is on the disk (WAL with
/// `synchronous=FULL`, https://sqlite.org/pragma.html#pragma_synchronous) and survives a crash of the process and of
/// the machine.
public final class PostStore: StoreReader {
  /// The state after the last commit.
  var meta: Meta
  /// The open transaction; nil outside of ``commit(_:)``.
  var transaction: Transaction?
  /// Whether what made a new store is on the disk: ``settle()``.
  var isSettled: Bool
  /// Numbers of the sources met so far.
  var sources: [String: Int64] = [:]
  /// What is remembered of who reads what.
  var lookups = Lookups()
  /// Where the journals of accounts are; of those that have done something.
  var journals: [AccountID: Journal] = [:]
  /// The number of ``localSource``, once asked for.
  var localSourceID: Int64?
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
    let connection = try Connection(path: path, access: .readWrite, vfs: vfs)
    try Schema.current.check(connection)
    if !connection.isReadOnly { try connection.rewriteLog() }
    try connection.configure(durability, cacheKiB: StoreReader.cacheKiB)
    isSettled = try !Schema.current.migrate(connection, epoch: epoch, durability)
    meta = try PostStore.readMeta(connection)
    wasClosed = meta.isClosed
    super.init(connection: connection)
  }

  /// A value that changes when continuity is lost (protocol.md, section 2).
  public var epoch: UInt64 { meta.epoch }

  /// The number of the state after the last commit; 0 in a new store.
  public var revision: UInt64 { meta.revision }

  /// Whether the file can only be read: every commit fails.
  public var isReadOnly: Bool { connection.isReadOnly }

  /// Notes that the store was closed in order and moves the log into the file. The last call before letting go of it; a
  /// store that is only let go of loses nothing, but takes longer to open.
  public func close() throws(StoreError) {
    if !meta.isClosed && !isReadOnly {
      try settle()
      try PostStore.save(Meta(epoch: epoch, revision: revision, lastPost: meta.lastPost, isClosed: true), connection)
      meta.isClosed = true
    }
    // Without room for it the log simply stays, and is read when the store is opened again.
    try? connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
  }

  /// The row of `meta`; without it the file is damaged.
  static func readMeta(_ connection: Connection) throws(StoreError) -> Meta {
    let statement = try connection.statement(.readMeta)
    defer { statement.reset() }
    guard try statement.step() else {
      throw StoreError(
        kind: .corrupt, message: "the store \(connection.path) has lost its first record: restore a backup")
    }
    return Meta(
      epoch: UInt64(bitPattern: statement.integer(0)), revision: UInt64(bitPattern: statement.integer(1)),
      lastPost: statement.integer(2), isClosed: statement.integer(3) != 0)
  }

  /// Writes all of `meta` but the epoch.
  static func save(_ meta: Meta, _ connection: Connection) throws(StoreError) {
    let statement = try connection.statement(.saveMeta)
    defer { statement.reset() }
    statement.bind(1, Int64(bitPattern: meta.revision))
    statement.bind(2, meta.lastPost)
    statement.bind(3, meta.isClosed ? 1 : 0)
    _ = try statement.step()
  }
}
