internal import UV

/// Another daemon is using the store.
public struct StoreInUse: Error, Equatable, CustomStringConvertible {
  /// The store's file.
  public let path: String
  /// The other daemon's process; nil if unknown.
  public let process: Int32?

  /// One line that says what to do.
  public var description: String {
    "\(FileLock.daemon(process)) is using the store \(path); stop it, or choose another file with --store"
  }
}

/// Keeps a second daemon away from a store: each would assume that its memory holds the whole state.
final class StoreLock {
  private let path: String
  private let isNew: Bool
  private var lock: FileLock?

  /// Locks `store` until the lock is released or the process ends. Nothing is locked if no lock file can be created
  /// beside it, as in an unwritable folder: no daemon can change that store.
  init(of store: String) throws(StoreInUse) {
    path = store + ".lock"
    isNew = StoreFolder.isMissing(path)
    do {
      lock = try FileLock.acquire(at: path)
    } catch .tryAgain {
      throw StoreInUse(path: store, process: FileLock.holder(of: path))
    } catch {
      lock = nil
    }
  }

  /// Releases the lock. Idempotent.
  func unlock() { lock = nil }

  /// Releases the lock of a store that could not be opened, and removes the lock file if this process created it: it
  /// may lie beside a file that is not a store.
  func withdraw() {
    if isNew, lock?.isFile(at: path) == true { try? FileSystem.remove(path) }
    unlock()
  }
}
