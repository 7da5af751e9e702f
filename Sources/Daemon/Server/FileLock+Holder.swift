internal import UV

/// The lock's file contains the ID of the process that holds it, so that a refused process can name it.
extension FileLock {
  /// Maximum number of bytes of a lock's file that are read.
  private static let holderLimitBytes = 32

  /// Takes the lock at `path` and writes this process's ID into its file. The lock is held even if that write fails.
  static func acquire(at path: String) throws(Failure) -> FileLock {
    let lock = try FileLock(path: path)
    try? lock.write(Array("\(Process.identifier)\n".utf8))
    return lock
  }

  /// Returns the process that holds the lock at `path`, as its file says; nil if the file names none. Call it only
  /// while the lock is held: a killed process leaves its ID.
  static func holder(of path: String) -> Int32? {
    guard let bytes = try? FileSystem.read(path, limit: holderLimitBytes) else { return nil }
    return Int32(String(decoding: bytes.filter { $0 > 0x20 }, as: UTF8.self))
  }

  /// Describes another daemon in a message.
  static func daemon(_ process: Int32?) -> String {
    process.map { "another daemon (process \($0))" } ?? "another daemon"
  }
}

extension FileLock.Problem {
  /// What is wrong with the lock's file and what to do, for a message that begins with its path.
  var advice: String {
    switch self {
    case .notAFile: "is not a regular file, so it cannot be locked; find out who put it there, and remove it"
    case .belongsToAnother: "belongs to another user; find out who put it there, and remove it"
    }
  }
}
