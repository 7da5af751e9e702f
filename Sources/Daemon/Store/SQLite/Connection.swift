internal import CSQLite

/// One connection to the database file: with ``Statement`` the only code that calls SQLite.
///
/// Opened without SQLite's mutex (`SQLITE_OPEN_NOMUTEX`), so one thread at a time may use it. Owns the `sqlite3`
/// handle.
@safe final class Connection {
  /// How the file is opened.
  enum Access {
    /// Read and write, created when missing. A file that may only be read is opened for reading.
    case readWrite
    /// Read only; the file must exist.
    case readOnly
  }

  /// The file, as it was named.
  let path: String
  let handle: OpaquePointer
  /// By the slots of queries.
  private var prepared: [Statement?] = []

  /// How long a call waits for another process's lock before it fails as busy. Ours never hold one longer than a
  /// commit.
  private static let busyTimeoutMilliseconds: Int32 = 2_000

  /// What is set once for the process, before SQLite is first used.
  private static let isConfigured: Bool = stack_sqlite3_disable_memory_statistics() == SQLITE_OK

  /// Opens `path` through the VFS named `vfs`, or the system's default one.
  init(path: String, access: Access, vfs: String?) throws(StoreError) {
    _ = Connection.isConfigured
    if access == .readWrite && vfs == nil { Connection.createPrivateFile(path) }
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

  /// The statement of `query`, prepared once for the connection's life. The caller resets it when done.
  func statement(_ query: Query) throws(StoreError) -> Statement {
    if query.slot < prepared.count, let statement = prepared[query.slot] { return statement }
    let statement = try prepare(query.sql)
    while prepared.count <= query.slot { prepared.append(nil) }
    prepared[query.slot] = statement
    return statement
  }

  /// A statement of its own, finalized when the last reference to it goes.
  func prepare(_ sql: String) throws(StoreError) -> Statement {
    var made: OpaquePointer?
    let code = unsafe sqlite3_prepare_v3(handle, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &made, nil)
    guard code == SQLITE_OK, let made = unsafe made else { throw lastError(code) }
    return unsafe Statement(taking: made, path: path)
  }

  /// Runs any number of statements without parameters; what they answer is thrown away.
  func execute(_ sql: String) throws(StoreError) {
    let code = unsafe sqlite3_exec(handle, sql, nil, nil, nil)
    guard code == SQLITE_OK else { throw lastError(code) }
  }

  /// The first column of the first row of `sql`; 0 where there is none.
  func integer(_ sql: String) throws(StoreError) -> Int64 {
    let statement = try prepare(sql)
    return try statement.step() ? statement.integer(0) : 0
  }

  /// Sets what is a property of the connection, and the journal mode, which is one of the file.
  ///
  /// The log goes into the file every 2,000 pages (8 MiB): often enough to keep it small, seldom enough that an import
  /// does not write the same pages of an index again and again.
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

  /// Rows that the last insert, update or delete changed.
  var changes: Int { unsafe Int(sqlite3_changes(handle)) }

  /// Whether a transaction is open.
  var isInTransaction: Bool { unsafe sqlite3_get_autocommit(handle) == 0 }

  /// Whether the file could be opened for reading only.
  var isReadOnly: Bool { unsafe sqlite3_db_readonly(handle, "main") == 1 }

  /// Gives back the memory that is not in use: the page cache, most of all.
  func releaseMemory() { _ = unsafe sqlite3_db_release_memory(handle) }

  /// Makes an empty file that only its owner may read, unless there is a file of this name; SQLite gives the files that
  /// it lays beside it the same mode. Returns 0, or the `errno` that says why there is none.
  @discardableResult
  static func createPrivateFile(_ path: String) -> Int32 { unsafe stack_create_private_file(path) }

  /// Removes a file, if it is there.
  static func removeFile(_ path: String) { unsafe stack_remove_file(path) }

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

  /// Whether the file can be read only by promising SQLite that nobody changes it: where neither it nor its folder can
  /// be written, there is no room for the index of the log (https://sqlite.org/wal.html, "read-only databases"). With
  /// an empty log it is whole.
  private static func needsImmutable(_ handle: OpaquePointer, _ path: String) -> Bool {
    guard unsafe sqlite3_db_readonly(handle, "main") == 1 else { return false }
    let code = unsafe sqlite3_exec(handle, "PRAGMA schema_version", nil, nil, nil) & 0xFF
    guard code == SQLITE_READONLY || code == SQLITE_CANTOPEN else { return false }
    return unsafe stack_file_is_empty(path + "-wal") != 0
  }

  /// The file as a URI (https://sqlite.org/uri.html) with that promise.
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
