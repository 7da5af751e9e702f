/// Reads a store, while a ``PostStore`` on another thread may write it.
///
/// Every call is a transaction of its own and sees a whole commit or nothing of it; ``snapshot(_:)`` makes several
/// calls one. Readers never wait for the writer, nor it for them (WAL, https://sqlite.org/wal.html). Synchronous,
/// without threads of its own; one thread at a time may use it. Each call is answered by the reader of a feature. What
/// is handed out of posts and authors is what the account may see that it is asked for.
public class StoreReader {
  /// The connection that all features read by.
  let database: Connection

  /// Opens an existing store for reading.
  ///
  /// - Parameter vfs: the name of a registered SQLite VFS instead of the system's, for simulations of the disk.
  public convenience init(path: String, vfs: String? = nil) throws(StoreError) {
    let database = try Connection(path: path, access: .readOnly, vfs: vfs)
    try database.execute("PRAGMA cache_size = -\(StoreReader.cacheKiB)")
    guard try database.integer("PRAGMA user_version") == Schema.current.version else {
      throw StoreError(
        kind: .notADatabase, message: "\(path) is not a store of this version: start the daemon on it first")
    }
    self.init(database: database)
  }

  /// Reads by a connection that is open and configured.
  init(database: Connection) { self.database = database }

  /// Bounds what one connection keeps of the file in memory; allocated as it is used. The inner pages of all indexes of
  /// a store of a million posts fit into less than 1 MiB, and the kernel caches the rest.
  static let cacheKiB = 4_096

  /// The number of the state that the next read sees at least. O(1).
  public func currentRevision() throws(StoreError) -> UInt64 { try Meta(of: database).revision }

  /// All that `body` reads is of one state of the store.
  public func snapshot<Result>(_ body: () throws(StoreError) -> Result) throws(StoreError) -> Result {
    try database.snapshot(body)
  }

  /// Gives back the memory that is not in use: worth a call after a large import or a scan.
  public func releaseMemory() { database.releaseMemory() }

  /// What is wrong with the file, one line each: nothing for a sound one. Reads all of it, and makes out again what
  /// follows from the posts: lists, counts, members, the index of words.
  public func integrity() throws(StoreError) -> [String] { try StoreCheck(database).findings() }

  /// Writes a copy of the store to `path`, where nothing is yet, while everybody reads and writes on; it is on the disk
  /// when this returns. Only its owner may read it. Where that fails nothing is left of it.
  ///
  /// The copy has no epoch, and takes a new one when it is opened as a store: what clients hold of this store may be
  /// later than it.
  ///
  /// - Returns: Bytes of the copy.
  @discardableResult
  public func backup(to path: String) throws(StoreError) -> Int { try Backup(of: database).write(to: path) }
}
