internal import CUV

/// The few file operations that a listening daemon needs, done at once on the calling thread: they touch a handful of
/// small files at start and at the end, never during a turn that serves clients.
public enum FileSystem {
  /// What a path is.
  public struct Status: Sendable, Hashable {
    /// The lowest twelve bits of the mode: permissions, set-id and sticky.
    public let permissions: UInt32
    /// The owner's user id.
    public let owner: UInt32
    /// The group's id.
    public let group: UInt32
    /// What kind of file it is; symbolic links are not followed.
    public let kind: Kind
  }

  /// A kind of file, as far as anybody here asks.
  public enum Kind: Sendable, Hashable {
    /// A directory.
    case directory
    /// A file of bytes.
    case regular
    /// A Unix socket.
    case socket
    /// A symbolic link, a device, a named pipe.
    case other
  }

  /// What is at `path`: a link itself, or what it leads to.
  public static func status(of path: String, followingLink: Bool = false) throws(UVError) -> Status {
    var request = unsafe uv_fs_t()
    defer { unsafe uv_fs_req_cleanup(&request) }
    try UVError.check(
      followingLink ? unsafe uv_fs_stat(nil, &request, path, nil) : unsafe uv_fs_lstat(nil, &request, path, nil))
    let mode = unsafe UInt32(truncatingIfNeeded: cuv_stat_mode(&request))
    return unsafe Status(
      permissions: mode & 0o7777, owner: UInt32(truncatingIfNeeded: cuv_stat_owner(&request)),
      group: UInt32(truncatingIfNeeded: cuv_stat_group(&request)), kind: kind(ofMode: mode))
  }

  /// The kind of file that `st_mode` says.
  static func kind(ofMode mode: UInt32) -> Kind {
    switch mode & UInt32(S_IFMT) {
    case UInt32(S_IFDIR): .directory
    case UInt32(S_IFREG): .regular
    case UInt32(S_IFSOCK): .socket
    default: .other
    }
  }

  /// Makes one directory, with exactly `mode` whatever the umask.
  public static func makeDirectory(_ path: String, mode: UInt32) throws(UVError) {
    try unsafe perform { unsafe uv_fs_mkdir(nil, $0, path, Int32(bitPattern: mode), nil) }
    try changeMode(of: path, to: mode)
  }

  /// Makes a directory, and those above it, where they are missing, with mode 0700, as the XDG base directory
  /// specification asks. What is there already is left as it is.
  public static func makeDirectories(_ path: String) throws(UVError) {
    guard (try? status(of: path)) == nil else { return }
    if let parent = parent(of: path) { try makeDirectories(parent) }
    do {
      try makeDirectory(path, mode: 0o700)
    } catch .fileExists {
      // Somebody made it in the meantime, and that is as good.
    }
  }

  /// The directory of a path; nil for `/` and for a name without a slash.
  public static func parent(of path: String) -> String? {
    guard let slash = path.lastIndex(of: "/"), path.utf8.count > 1 else { return nil }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }

  /// chmod(2).
  public static func changeMode(of path: String, to mode: UInt32) throws(UVError) {
    try unsafe perform { unsafe uv_fs_chmod(nil, $0, path, Int32(bitPattern: mode), nil) }
  }

  /// Gives a path to a group, and leaves its owner. `notPermitted` unless the process is in the group or is root.
  public static func changeGroup(of path: String, to group: UInt32) throws(UVError) {
    try unsafe perform { unsafe uv_fs_chown(nil, $0, path, UInt32.max, group, nil) }
  }

  /// unlink(2).
  public static func remove(_ path: String) throws(UVError) {
    try unsafe perform { unsafe uv_fs_unlink(nil, $0, path, nil) }
  }

  /// The whole of a small file. `fileTooLarge` above `limit` bytes.
  public static func read(_ path: String, limit: Int) throws(UVError) -> [UInt8] {
    let descriptor = try UVError.check(unsafe cuv_open(path, O_RDONLY, 0))
    defer { cuv_close(descriptor) }
    var bytes: [UInt8] = []
    while true {
      var taken = 0
      let chunk = unsafe [UInt8](unsafeUninitializedCapacity: 4096) { buffer, count in
        taken = unsafe cuv_read(descriptor, buffer.baseAddress, buffer.count)
        count = max(0, taken)
      }
      try UVError.check(Int32(taken))
      if chunk.isEmpty { return bytes }
      guard bytes.count + chunk.count <= limit else { throw .fileTooLarge }
      bytes += chunk
    }
  }

  /// Writes a new small file with exactly `mode`, and sees it on disk. `fileExists` if something is at the path; where
  /// it cannot be written nothing is left there.
  public static func create(_ path: String, mode: UInt32, contents: [UInt8]) throws(UVError) {
    try NewFile(path, mode: mode).finish(contents)
  }

  private static func perform(_ body: (UnsafeMutablePointer<uv_fs_t>) -> Int32) throws(UVError) {
    var request = unsafe uv_fs_t()
    let status = unsafe withUnsafeMutablePointer(to: &request) { pointer in
      let status = unsafe body(pointer)
      unsafe uv_fs_req_cleanup(pointer)
      return status
    }
    try UVError.check(status)
  }
}
