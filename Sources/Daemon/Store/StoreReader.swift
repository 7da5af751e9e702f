/// Reads a store, while a ``PostStore`` on another thread may write it.
///
/// Every call is a transaction of its own and sees a whole commit or nothing of it; ``snapshot(_:)`` makes several
/// calls one. Readers never wait for the writer, nor it for them (WAL, https://sqlite.org/wal.html). Synchronous,
/// without threads of its own; one thread at a time may use it. Calls are in the extensions in the folders beside this
/// file. Whatever they hand out of posts and authors is what the account may see that they are asked for.
public class StoreReader {
  /// What all extensions read by.
  let connection: Connection

  /// Opens an existing store for reading.
  ///
  /// - Parameter vfs: the name of a registered SQLite VFS instead of the system's, for simulations of the disk.
  public convenience init(path: String, vfs: String? = nil) throws(StoreError) {
    let connection = try Connection(path: path, access: .readOnly, vfs: vfs)
    try connection.execute("PRAGMA cache_size = -\(StoreReader.cacheKiB)")
    guard try connection.integer("PRAGMA user_version") == Schema.current.version else {
      throw StoreError(
        kind: .notADatabase, message: "\(path) is not a store of this version: start the daemon on it first")
    }
    self.init(connection: connection)
  }

  /// Reads by a connection that is open and configured.
  init(connection: Connection) { self.connection = connection }

  /// Bounds what one connection keeps of the file in memory; allocated as it is used. The inner pages of all indexes of
  /// a store of a million posts fit into less than 1 MiB, and the kernel caches the rest.
  static let cacheKiB = 4_096

  /// The number of the state that the next read sees at least. O(1).
  public func currentRevision() throws(StoreError) -> UInt64 { try PostStore.readMeta(connection).revision }

  /// All that `body` reads is of one state of the store.
  public func snapshot<Result>(_ body: () throws(StoreError) -> Result) throws(StoreError) -> Result {
    if connection.isInTransaction { return try body() }
    try connection.run(.beginReading)
    do throws(StoreError) {
      let result = try body()
      try connection.run(.commit)
      return result
    } catch {
      if connection.isInTransaction { try? connection.run(.rollback) }
      throw error
    }
  }

  /// Gives back the memory that is not in use: worth a call after a large import or a scan.
  public func releaseMemory() { connection.releaseMemory() }
}
