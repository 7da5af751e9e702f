internal import CUV

/// An exclusive lock on a file, held until `unlock()` or the end of the process, however it ends.
///
/// The file itself stays: removing it would let two processes lock two files of one name.
public final class FileLock {
  private var descriptor: Int32?

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

  /// Lets go of the lock. Asking twice is harmless.
  public func unlock() {
    guard let opened = descriptor else { return }
    descriptor = nil
    cuv_close(opened)
  }
}
