internal import ViewState

/// The tables of a store. A new file gets them whole; an older one is migrated step by step to the same tables.
///
/// `PRAGMA user_version` is the version of a file. No migration is edited after a release: a change is a new migration
/// and the same change in `tables`.
struct Schema: Sendable {
  /// The statements that create a new file.
  let tables: String
  /// The oldest version that can be opened.
  let oldest: Int
  /// The migrations from the oldest version to this one, one per version.
  let migrations: [Migration]

  /// The version that is read and written.
  var version: Int { oldest + migrations.count }

  /// The schema of this build. Versions 1 to 13 were never released.
  static let current = Schema(tables: tables, oldest: 14, migrations: migrationsFrom14)

  /// "Stck": identifies the file as ours in its header (https://sqlite.org/fileformat.html, offset 68).
  static let applicationID: Int64 = 0x5374_636B

  /// Refuses a file that is not a store, or not of a supported version, before anything is written to it.
  func check(_ connection: Connection) throws(StoreError) {
    let application = try connection.integer("PRAGMA application_id")
    let found = try connection.integer("PRAGMA user_version")
    if application != Self.applicationID {
      guard application == 0, try connection.integer("SELECT count(*) FROM sqlite_schema") == 0 else {
        throw StoreError(
          kind: .notADatabase,
          message: "\(connection.path) is a database of another program; move it away or choose another file")
      }
    }
    guard found <= version else {
      throw StoreError(
        kind: .newerSchema,
        message:
          "the store \(connection.path) was written by a later version of Stack (schema \(found), this one reads up to "
          + "\(version)); install that version or choose another file")
    }
    guard found == 0 || found >= oldest else {
      throw StoreError(
        kind: .olderSchema,
        message:
          "the store \(connection.path) was written by an earlier version of Stack (schema \(found), this one reads "
          + "\(oldest) and later); export it with that version, move it away and import the export")
    }
  }

  /// Migrates the file to this version, each migration in a transaction of its own. `follows` is the setting of a new
  /// store. Returns true if the store is new; then it is not synced yet.
  @discardableResult
  func migrate(
    _ connection: Connection, epoch: UInt64, follows: FollowPolicy = .open, _ durability: Durability = .full
  ) throws(StoreError) -> Bool {
    let found = Int(try connection.integer("PRAGMA user_version"))
    // A new store is synced before its first commit (`syncNewStore`); until then there is nothing to lose. NORMAL
    // rather than OFF: if this fails half-way, closing the connection checkpoints the log into the file, and must not
    // do so unsynced either.
    let isNew = found == 0 && !connection.isReadOnly
    if isNew && durability == .full { try connection.execute("PRAGMA synchronous = NORMAL") }
    if found == 0 {
      try step(to: version, Migration(tables), connection)
    } else {
      for next in found..<max(found, version) { try step(to: next + 1, migrations[next - oldest], connection) }
    }
    try begin(epoch, follows, connection)
    if isNew { try connection.execute("PRAGMA synchronous = \(durability.rawValue)") }
    return isNew
  }

  private func step(to version: Int, _ migration: Migration, _ connection: Connection) throws(StoreError) {
    do {
      try connection.execute("BEGIN IMMEDIATE")
      try connection.execute(migration.sql)
      try migration.fill?(connection)
      try connection.execute("PRAGMA application_id = \(Self.applicationID); PRAGMA user_version = \(version); COMMIT")
    } catch {
      if connection.isInTransaction { try? connection.run(.rollback) }
      throw error
    }
  }

  /// Gives a store without an epoch one: a new store, or a backup, in which ``PostStore/backup(to:)`` writes 0.
  private func begin(_ epoch: UInt64, _ follows: FollowPolicy, _ connection: Connection) throws(StoreError) {
    precondition(epoch != 0, "0 marks a store without an epoch")
    guard try connection.integer("SELECT epoch FROM meta WHERE id = 1") == 0 else { return }
    try connection.execute(
      """
      INSERT INTO meta VALUES (1, \(Int64(bitPattern: epoch)), 0, 0, 1, \(follows.rawValue), 0)
      ON CONFLICT (id) DO UPDATE SET epoch = excluded.epoch;
      """)
  }
}
