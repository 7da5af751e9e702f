internal import CUV

/// An exclusive lock on a file, held until `unlock()` or the end of the process, however it ends.
///
/// The file itself remains: removing it would allow two processes to lock two files with the same name.
public final class FileLock {
  /// The reason why a file cannot be locked.
  public enum Failure: Error, Sendable, Hashable {
    /// Another process holds the lock.
    case held
    /// What is at the path must not be locked and overwritten.
    case unusable(Problem)
    /// The kernel refuses.
    case system(UVError)
  }

  /// The reason why a file must not be locked and overwritten.
  public enum Problem: Sendable, Hashable {
    /// It is not a regular file: a symbolic link, which is not followed, or a directory.
    case notAFile
    /// It belongs to another user.
    case belongsToAnother
  }

  private var descriptor: Int32?
  private var hasContents = false

  /// Opens the file (or creates it, with mode 0600) and locks it, without waiting. Its contents will be replaced, so it
  /// must be a regular file of this user: in a folder that others may write to, a link could lead to any other file.
  public init(path: String) throws(Failure) {
    // Without O_NONBLOCK, a named pipe could make this wait.
    let opened = unsafe cuv_open(path, O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK, 0o600)
    guard opened >= 0 else { throw Self.failure(UVError(rawValue: opened)) }
    do throws(Failure) {
      try Self.check(opened)
      let status = cuv_lock_file(opened)
      if status != 0 { throw Self.failure(UVError(rawValue: status)) }
    } catch {
      cuv_close(opened)
      throw error
    }
    descriptor = opened
  }

  private static func check(_ opened: Int32) throws(Failure) {
    let status: FileSystem.Status
    do {
      status = try FileSystem.status(of: opened)
    } catch {
      throw .system(error)
    }
    guard status.kind == .regular else { throw .unusable(.notAFile) }
    guard status.owner == Process.effectiveUserID else { throw .unusable(.belongsToAnother) }
  }

  private static func failure(_ error: UVError) -> Failure {
    switch error {
    case .tryAgain: .held
    case .tooManyLinks, .isDirectory, .noSuchDevice: .unusable(.notAFile)
    default: .system(error)
    }
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
