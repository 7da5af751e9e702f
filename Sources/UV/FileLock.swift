internal import CUV

/// An exclusive lock on a file, held until `unlock()` or the end of the process, however it ends.
///
/// The file itself stays: removing it would let two processes lock two files of one name.
public final class FileLock {
  private var descriptor: Int32?
  private var hasContents = false

  /// Opens (or makes, with mode 0600) the file and locks it, without waiting.
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

  /// Puts a few bytes into the file in place of what is there, for others to read; they go with the lock.
  public func write(_ contents: [UInt8]) throws(UVError) {
    guard let descriptor else { throw .cancelled }
    hasContents = true
    let status = unsafe contents.withUnsafeBytes { unsafe cuv_replace_contents(descriptor, $0.baseAddress, $0.count) }
    try UVError.check(status)
  }

  /// Whether the locked file is still the one at `path`: where it is not, another process may lock what is there now.
  public func isFile(at path: String) -> Bool {
    guard let descriptor, let own = try? FileSystem.identity(of: descriptor) else { return false }
    return (try? FileSystem.identity(of: path)) == own
  }

  /// Lets go of the lock. Asking twice is harmless.
  public func unlock() {
    guard let opened = descriptor else { return }
    descriptor = nil
    if hasContents { _ = cuv_replace_contents(opened, nil, 0) }
    cuv_close(opened)
  }
}
