/// Reads a store, while a ``PostStore`` on another thread may write it.
///
/// Every call is a transaction of its own and sees only whole commits; ``snapshot(_:)`` combines several calls. Readers
/// and the writer never wait for each other (WAL, https://sqlite.org/wal.html). Synchronous, without threads of its
/// own; one thread at a time may use it. Each call is delegated to the reader of a feature. Methods that take an
/// account return only posts and authors that it may see.
public class StoreReader {
  /// The connection shared by all features.
  let database: Connection

  /// Opens an existing store for reading.
  ///
  /// - Parameter vfs: the name of a registered SQLite VFS instead of the system's, for simulations of the disk.
  public convenience init(path: String, vfs: String? = nil) throws(StoreError) {
    let database = try Connection(path: path, access: .readOnly, vfs: vfs)
    try database.execute("PRAGMA cache_size = -\(StoreReader.cacheKiB)")
    guard try database.integer("PRAGMA user_version") == Schema.current.version else {
      throw StoreError(
        kind: .notADatabase, message: "\(path) is not a store of this version; start the daemon on it first")
    }
    self.init(database: database)
  }

  /// Reads through a connection that is open and configured.
  init(database: Connection) { self.database = database }

  /// Limit of a connection's page cache; allocated as it is used. The inner pages of all indexes of a store of a
  /// million posts fit into less than 1 MiB, and the kernel caches the rest.
  static let cacheKiB = 4_096

  /// Returns a revision that the next read sees at least. O(1).
  public func currentRevision() throws(StoreError) -> UInt64 { try Meta(of: database).revision }

  /// Runs `body` so that all its reads see one state of the store.
  public func snapshot<Result>(_ body: () throws(StoreError) -> Result) throws(StoreError) -> Result {
    try database.snapshot(body)
  }

  /// Releases unused memory: worthwhile after a large import or a scan.
  public func releaseMemory() { database.releaseMemory() }

  /// Checks the file and returns one line per problem; none for a sound file. Reads all of it, and recomputes
  /// everything derived from posts: lists, counts, members, the search index.
  public func integrity() throws(StoreError) -> [String] { try StoreCheck(database).findings() }

  /// Writes a copy of the store to `path`, where nothing may exist, while readers and the writer continue. The copy is
  /// on the disk when this returns, and only its owner may read it. It is written to `path` and ".partial", and gets
  /// its name when it is complete. A failure leaves no file behind; a kill leaves at most the partial one, which the
  /// next copy to the same path replaces.
  ///
  /// The copy has no epoch and gets a new one when it is opened as a store, because clients may have seen later states
  /// of this store.
  ///
  /// - Returns: the size of the copy in bytes.
  @discardableResult
  public func backup(to path: String) throws(StoreError) -> Int { try Backup(of: database, to: path).write() }
}
