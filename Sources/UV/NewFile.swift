internal import CUV

/// A small file being created: empty at its path, with its final permissions, until it is finished. An unfinished file
/// is removed when the object is released.
public final class NewFile {
  private let path: String
  private let mode: UInt32
  private let descriptor: Int32
  private var isFinished = false

  /// Creates an empty file with `mode`. `fileExists` if something is at the path.
  public init(_ path: String, mode: UInt32) throws(UVError) {
    descriptor = try UVError.check(unsafe cuv_open(path, O_WRONLY | O_CREAT | O_EXCL, mode))
    self.path = path
    self.mode = mode
  }

  /// Writes the contents, sets exactly its mode, and flushes it to disk.
  public func finish(_ contents: [UInt8]) throws(UVError) {
    var written = 0
    while written < contents.count {
      let taken = unsafe contents[written...].withUnsafeBytes { bytes in
        unsafe cuv_write(descriptor, bytes.baseAddress, bytes.count)
      }
      written += Int(try UVError.check(Int32(clamping: taken)))
    }
    try UVError.check(cuv_seal_file(descriptor, mode))
    isFinished = true
  }

  deinit {
    cuv_close(descriptor)
    if !isFinished { try? FileSystem.remove(path) }
  }
}
