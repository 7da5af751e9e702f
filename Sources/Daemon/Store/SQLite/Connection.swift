internal import CSQLite

/// A connection to the database file. With ``Statement`` it is the only code that calls SQLite.
///
/// Opened without SQLite's mutex (`SQLITE_OPEN_NOMUTEX`), so one thread at a time may use it. Owns the `sqlite3`
/// handle.
@safe final class Connection {
  /// The mode in which the file is opened.
  enum Access {
    /// Read and write; created if missing. A file without write permission is opened for reading.
    case readWrite
    /// Read only; the file must exist.
    case readOnly
  }

  /// The path as given.
  let path: String
  let handle: OpaquePointer
  /// Prepared statements by the slots of their queries.
  private var prepared: [Statement?] = []

  /// Time that a call waits for another process's lock before it fails as busy. This program never holds a lock longer
  /// than a commit.
  private static let busyTimeoutMilliseconds: Int32 = 2_000

  /// Process-wide settings, made before SQLite is first used.
  private static let isConfigured: Bool = stack_sqlite3_disable_memory_statistics() == SQLITE_OK

  /// Opens `path` through the VFS named `vfs`, or the system's default one.
  init(path: String, access: Access, vfs: String?) throws(StoreError) {
    _ = Connection.isConfigured
    if access == .readWrite && vfs == nil { StoreFiles.createPrivate(path) }
    let mode = access == .readWrite ? SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE : SQLITE_OPEN_READONLY
    var handle = unsafe try Connection.open(path, mode, path, vfs)
    if vfs == nil, unsafe Connection.needsImmutable(handle, path) {
      unsafe sqlite3_close_v2(handle)
      unsafe handle = try Connection.open(
        Connection.immutableName(of: path), SQLITE_OPEN_READONLY | SQLITE_OPEN_URI, path, vfs)
    }
    unsafe self.handle = handle
    self.path = path
    unsafe sqlite3_busy_timeout(handle, Connection.busyTimeoutMilliseconds)
  }

  deinit {
    prepared.removeAll()
    unsafe sqlite3_close_v2(handle)
  }

  /// Returns the statement of `query`, prepared once per connection. The caller resets it when done.
  func statement(_ query: Query) throws(StoreError) -> Statement {
    if query.slot < prepared.count, let statement = prepared[query.slot] { return statement }
    let statement = try prepare(query.sql)
    while prepared.count <= query.slot { prepared.append(nil) }
    prepared[query.slot] = statement
    return statement
  }

  /// Returns a new statement, finalized when its last reference goes.
  func prepare(_ sql: String) throws(StoreError) -> Statement {
    var made: OpaquePointer?
    let code = unsafe sqlite3_prepare_v3(handle, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &made, nil)
    guard code == SQLITE_OK, let made = unsafe made else { throw lastError(code) }
    return unsafe Statement(taking: made, path: path)
  }

  /// Runs any number of statements without parameters; discards their rows.
  func execute(_ sql: String) throws(StoreError) {
    let code = unsafe sqlite3_exec(handle, sql, nil, nil, nil)
    guard code == SQLITE_OK else { throw lastError(code) }
  }

  /// Returns the first column of the first row of `sql`; 0 if there is none.
  func integer(_ sql: String) throws(StoreError) -> Int64 {
    let statement = try prepare(sql)
    return try statement.step() ? statement.integer(0) : 0
  }

  /// Sets the properties of the connection, and the journal mode of the file.
  ///
  /// The log is checkpointed every 2,000 pages (8 MiB): often enough to keep it small, rarely enough that an import
  /// does not write the same index pages again and again.
  func configure(_ durability: Durability = .full, cacheKiB: Int) throws(StoreError) {
    if !isReadOnly { try execute("PRAGMA journal_mode = WAL") }
    try execute(
      """
      PRAGMA synchronous = \(durability.rawValue);
      PRAGMA cache_size = -\(cacheKiB);
      PRAGMA temp_store = MEMORY;
      PRAGMA wal_autocheckpoint = 2000;
      PRAGMA journal_size_limit = \(8 << 20);
      """)
  }

  /// Number of rows changed by the last INSERT, UPDATE or DELETE.
  var changes: Int { unsafe Int(sqlite3_changes(handle)) }

  /// The number of rows changed since the connection was opened.
  var totalChanges: Int64 { unsafe sqlite3_total_changes64(handle) }

  /// True if a transaction is open.
  var isInTransaction: Bool { unsafe sqlite3_get_autocommit(handle) == 0 }

  /// True if the file could be opened for reading only.
  var isReadOnly: Bool { unsafe sqlite3_db_readonly(handle, "main") == 1 }

  /// The file as SQLite calls it: an absolute path without symbolic links, whose name its other files begin with.
  var fileName: String {
    guard let name = unsafe sqlite3_db_filename(handle, "main") else { return path }
    return unsafe String(cString: name)
  }

  /// Releases unused memory, mostly the page cache.
  func releaseMemory() { _ = unsafe sqlite3_db_release_memory(handle) }

  private static func open(
    _ name: String, _ mode: Int32, _ path: String, _ vfs: String?
  ) throws(StoreError) -> OpaquePointer {
    var opened: OpaquePointer?
    let code = unsafe sqlite3_open_v2(name, &opened, mode | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE, vfs)
    if code == SQLITE_OK, let handle = unsafe opened { return unsafe handle }
    let error = unsafe error(code, opened, path)
    unsafe sqlite3_close_v2(opened)
    throw error
  }

  /// Returns true if the file can only be read by promising SQLite that nobody changes it: if neither the file nor its
  /// folder can be written, there is no place for the index of the log (https://sqlite.org/wal.html, "read-only
  /// databases"). Without a log the file is complete.
  private static func needsImmutable(_ handle: OpaquePointer, _ path: String) -> Bool {
    guard unsafe sqlite3_db_readonly(handle, "main") == 1 else { return false }
    let code = unsafe sqlite3_exec(handle, "PRAGMA schema_version", nil, nil, nil) & 0xFF
    guard code == SQLITE_READONLY || code == SQLITE_CANTOPEN else { return false }
    return unsafe stack_file_is_empty(path + "-wal") != 0
  }

  /// Returns the file as a URI (https://sqlite.org/uri.html) with that promise.
  private static func immutableName(of path: String) -> String {
    var name = "file:"
    for character in path.unicodeScalars {
      switch character {
      case "%": name += "%25"
      case "?": name += "%3f"
      case "#": name += "%23"
      default: name.unicodeScalars.append(character)
      }
    }
    return name + "?immutable=1"
  }

  private func lastError(_ code: Int32) -> StoreError { unsafe Connection.error(code, handle, path) }

  private static func error(_ code: Int32, _ handle: OpaquePointer?, _ path: String) -> StoreError {
    let extended = unsafe handle.map { unsafe sqlite3_extended_errcode($0) } ?? code
    let errno = unsafe handle.map { unsafe sqlite3_system_errno($0) } ?? 0
    let detail = unsafe String(cString: handle.map { unsafe sqlite3_errmsg($0) } ?? sqlite3_errstr(code))
    return StoreError(code: extended, systemError: errno, detail: detail, path: path)
  }
}
