internal import CUV

/// An exclusive lock on a file, held until `unlock()` or the end of the process, however it ends.
///
/// The file itself remains: removing it would allow two processes to lock two files with the same name.
public final class FileLock {
  private var descriptor: Int32?
  private var hasContents = false

  /// Opens the file (or creates it, with mode 0600) and locks it, without waiting.
  ///
  /// - Throws: `tryAgain` if another process holds it.
  public init(path: String) throws(UVError) {
    let opened = try UVError.check(unsafe cuv_open(path, O_RDWR | O_CREAT, 0o600))
    let status = cuv_lock_file(opened)
    guard status == 0 else {
      cuv_close(opened)
      throw UVError(rawValue: status)
    }
    descriptor = opened
  }

  deinit { unlock() }

  /// Replaces the file's contents with a few bytes for others to read; they are removed with the lock.
  public func write(_ contents: [UInt8]) throws(UVError) {
    guard let descriptor else { throw .cancelled }
    hasContents = true
    let status = unsafe contents.withUnsafeBytes { unsafe cuv_replace_contents(descriptor, $0.baseAddress, $0.count) }
    try UVError.check(status)
  }

  /// Returns true if the locked file is still the one at `path`. If it is not, another process may lock the file now
  /// there.
  public func isFile(at path: String) -> Bool {
    guard let descriptor, let own = try? FileSystem.identity(of: descriptor) else { return false }
    return (try? FileSystem.identity(of: path)) == own
  }

  /// Releases the lock. Idempotent.
  public func unlock() {
    guard let opened = descriptor else { return }
    descriptor = nil
    if hasContents { _ = cuv_replace_contents(opened, nil, 0) }
    cuv_close(opened)
  }
}
