/// Reads a store, while a ``PostStore`` on another thread may write it.
///
/// Every call is a transaction of its own and sees a whole commit or nothing of it; readers never wait for the writer, nor
/// it for them (WAL, https://sqlite.org/wal.html). Synchronous, without threads of its own; one thread at a time may use
/// it. Calls are in the extensions beside this file: `+Timeline`, `+Conversation`, `+Authors`, `+Accounts`, `+Sessions`,
/// `+Export`, `+Reference`.
public class StoreReader {
  /// What all extensions read by.
  let connection: Connection

  /// Opens an existing store for reading.
  ///
  /// - Parameter vfs: the name of a registered SQLite VFS instead of the system's, for simulations of the disk.
  public convenience init(path: String, vfs: String? = nil) throws(StoreError) {
    let connection = try Connection(path: path, access: .readOnly, vfs: vfs)
    try connection.execute("PRAGMA cache_size = -\(StoreReader.cacheKiB)")
    guard try connection.integer("PRAGMA user_version") == Schema.version else {
      throw StoreError(kind: .notADatabase, message: "\(path) is not a store of this version: start the daemon on it first")
    }
    self.init(connection: connection)
  }

  /// Reads by a connection that is open and configured.
  init(connection: Connection) { self.connection = connection }

  /// Bounds what one connection keeps of the file in memory; allocated as it is used. The inner pages of all indexes of a
  /// store of a million posts fit into less than 1 MiB, and the kernel caches the rest.
  static let cacheKiB = 4_096

  /// The number of the state that the next read sees at least. O(1).
  public func currentRevision() throws(StoreError) -> UInt64 { try PostStore.readMeta(connection).revision }

  /// Gives back the memory that is not in use: worth a call after a large import or a scan.
  public func releaseMemory() { connection.releaseMemory() }
}
