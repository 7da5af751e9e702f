internal import UV

/// Another daemon has the store.
public struct StoreInUse: Error, Equatable, CustomStringConvertible {
  /// The store's file.
  public let path: String
  /// Its process; nil where that is not known.
  public let process: Int32?

  /// One line that says what to do.
  public var description: String {
    "\(FileLock.daemon(process)) has the store \(path); stop it, or choose another file with --store"
  }
}

/// Keeps a second daemon away from a store: two would each believe that what they hold in memory is all there is.
final class StoreLock {
  private let path: String
  private let isNew: Bool
  private var lock: FileLock?

  /// Locks `store` until the lock is let go of or the process ends. Nothing is locked where no lock can be made beside
  /// it, as in a folder that cannot be written: there nobody changes the store.
  init(of store: String) throws(StoreInUse) {
    path = store + ".lock"
    isNew = StoreFolder.isMissing(path)
    do {
      lock = try FileLock.taken(at: path)
    } catch .tryAgain {
      throw StoreInUse(path: store, process: FileLock.holder(of: path))
    } catch {
      lock = nil
    }
  }

  /// Lets go of the lock. Asking twice is harmless.
  func unlock() { lock = nil }

  /// Lets go of the lock of a store that could not be opened, and takes the file away again if it was made for that: it
  /// may stand beside a file of somebody else's.
  func withdraw() {
    if isNew, lock?.isFile(at: path) == true { try? FileSystem.remove(path) }
    unlock()
  }
}
