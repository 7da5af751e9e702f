public import UV

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

/// The store's lock file cannot be used, because of what it is.
public struct UnusableLockFile: Error, Equatable, CustomStringConvertible {
  /// The lock file.
  public let path: String
  /// What is wrong with it.
  public let problem: FileLock.Problem

  /// One line that says what to do.
  public var description: String { "the lock file \(path) \(problem.advice)" }
}

/// Keeps a second daemon away from a store: each would assume that its memory holds the whole state.
final class StoreLock {
  private let path: String
  private let isNew: Bool
  private var lock: FileLock?

  /// Locks `store` until the lock is released or the process ends. Nothing is locked if no lock file can be created
  /// beside it, as in an unwritable folder: no daemon can change that store.
  ///
  /// - Throws: ``StoreInUse``, or ``UnusableLockFile`` for a link or a file of another user.
  init(of store: String) throws {
    path = store + ".lock"
    isNew = StoreFolder.isMissing(path)
    do {
      lock = try FileLock.acquire(at: path)
    } catch .held {
      throw StoreInUse(path: store, process: FileLock.holder(of: path))
    } catch .unusable(let problem) {
      throw UnusableLockFile(path: path, problem: problem)
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
