internal import UV

/// A lock's file has in it which process holds it: whoever is refused can say whom to stop.
extension FileLock {
  /// Bytes of a lock's file that are looked at.
  private static let holderLimitBytes = 32

  /// Takes the lock at `path`, and notes there that this process has it. Where that cannot be written the lock does
  /// without.
  static func taken(at path: String) throws(UVError) -> FileLock {
    let lock = try FileLock(path: path)
    try? lock.write(Array("\(Process.identifier)\n".utf8))
    return lock
  }

  /// The process that holds the lock at `path`, as its file says; nil where it says nothing. Only to be asked where
  /// somebody has the lock: one that was killed leaves its number.
  static func holder(of path: String) -> Int32? {
    guard let bytes = try? FileSystem.read(path, limit: holderLimitBytes) else { return nil }
    return Int32(String(decoding: bytes.filter { $0 > 0x20 }, as: UTF8.self))
  }

  /// A daemon in words.
  static func daemon(_ process: Int32?) -> String {
    process.map { "another daemon, process \($0)," } ?? "another daemon"
  }
}
