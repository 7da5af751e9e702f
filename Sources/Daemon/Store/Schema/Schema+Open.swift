/// What is on the disk when a commit returns; SQLite's `synchronous`
/// (https://sqlite.org/pragma.html#pragma_synchronous).
package enum Durability: String, Sendable {
  /// The commit.
  case full = "FULL"
  /// Whatever the kernel has seen fit to write.
  case off = "OFF"
}

extension Schema {
  /// Refuses a file that is not ours or not yet ours to read, before anything is written to it.
  static func check(_ connection: Connection) throws(StoreError) {
    let application = try connection.integer("PRAGMA application_id")
    let found = try connection.integer("PRAGMA user_version")
    if application != applicationID {
      guard application == 0, try connection.integer("SELECT count(*) FROM sqlite_schema") == 0 else {
        throw StoreError(
          kind: .notADatabase,
          message: "\(connection.path) is a database of another program: move it away or choose another file")
      }
    }
    guard found <= version else {
      throw StoreError(
        kind: .newerSchema,
        message:
          "the store \(connection.path) was written by a later version of Stack (schema \(found), this one reads up to "
          + "\(version)): install that version or choose another file")
    }
  }

  /// Sets what is a property of the connection, and the journal mode, which is one of the file.
  ///
  /// The log goes into the file every 2,000 pages (8 MiB): often enough to keep it small, seldom enough that an import
  /// does not write the same pages of an index again and again.
  static func configure(_ connection: Connection, _ durability: Durability = .full) throws(StoreError) {
    if !connection.isReadOnly { try connection.execute("PRAGMA journal_mode = WAL") }
    try connection.execute(
      """
      PRAGMA synchronous = \(durability.rawValue);
      PRAGMA cache_size = -\(StoreReader.cacheKiB);
      PRAGMA temp_store = MEMORY;
      PRAGMA wal_autocheckpoint = 2000;
      PRAGMA journal_size_limit = \(8 << 20);
      """)
  }

  /// Brings the file to this version, each step in a transaction of its own. Returns whether the store is new; then it
  /// is not synced yet.
  @discardableResult
  static func migrate(
    _ connection: Connection, epoch: UInt64, _ durability: Durability = .full, migrations: [Migration] = migrations
  ) throws(StoreError) -> Bool {
    let found = Int(try connection.integer("PRAGMA user_version"))
    // What makes a new store is synced before the first commit (`settle`); until then there is nothing to lose. NORMAL
    // and not OFF: should this fail half-way, closing the connection moves the log into the file, and must not do that
    // unsynced either.
    let isNew = found == 0 && !connection.isReadOnly
    if isNew && durability == .full { try connection.execute("PRAGMA synchronous = NORMAL") }
    for index in found..<max(found, migrations.count) {
      try step(to: index + 1, migrations[index], connection)
    }
    try begin(epoch, connection)
    if isNew { try connection.execute("PRAGMA synchronous = \(durability.rawValue)") }
    return isNew
  }

  private static func step(to version: Int, _ migration: Migration, _ connection: Connection) throws(StoreError) {
    do {
      try connection.execute("BEGIN IMMEDIATE")
      try connection.execute(migration.sql)
      try migration.fill?(connection)
      try connection.execute("PRAGMA application_id = \(applicationID); PRAGMA user_version = \(version); COMMIT")
    } catch {
      if connection.isInTransaction { try? connection.run(.rollback) }
      throw error
    }
  }

  /// Gives a store that has none an epoch: a new one, or a backup (``PostStore/backup(to:)`` writes 0 into it).
  private static func begin(_ epoch: UInt64, _ connection: Connection) throws(StoreError) {
    precondition(epoch != 0, "0 marks a store without an epoch")
    guard try connection.integer("SELECT epoch FROM meta WHERE id = 1") == 0 else { return }
    try connection.execute(
      """
      INSERT INTO meta VALUES (1, \(Int64(bitPattern: epoch)), 0, 0, 1)
      ON CONFLICT (id) DO UPDATE SET epoch = excluded.epoch;
      """)
  }
}
