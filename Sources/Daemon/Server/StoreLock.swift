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
enum StoreLock {
  /// Locks the store at `path` until the lock is let go of or the process ends. Nil where no lock can be made beside it, as in a
  /// folder that cannot be written: there nobody changes the store.
  static func take(_ path: String) throws(StoreInUse) -> FileLock? {
    do {
      return try FileLock.taken(at: path + ".lock")
    } catch .tryAgain {
      throw StoreInUse(path: path, process: FileLock.holder(of: path + ".lock"))
    } catch {
      return nil
    }
  }
}
