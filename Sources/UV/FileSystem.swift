internal import CUV

/// The few file operations that a daemon needs, performed synchronously on the calling thread: they touch a handful of
/// small files at start and shutdown, never during a turn that serves clients.
public enum FileSystem {
  /// The attributes of a path.
  public struct Status: Sendable, Hashable {
    /// The lowest twelve bits of the mode: permissions, set-id and sticky.
    public let permissions: UInt32
    /// The owner's user ID.
    public let owner: UInt32
    /// The group ID.
    public let group: UInt32
    /// The kind of file. Symbolic links are not followed.
    public let kind: Kind

    fileprivate init(_ request: inout uv_fs_t) {
      let mode = unsafe UInt32(truncatingIfNeeded: cuv_stat_mode(&request))
      permissions = mode & 0o7777
      owner = unsafe UInt32(truncatingIfNeeded: cuv_stat_owner(&request))
      group = unsafe UInt32(truncatingIfNeeded: cuv_stat_group(&request))
      kind = FileSystem.kind(ofMode: mode)
    }

    /// True for a directory that members of its group may enter but not change, and others not even enter.
    public var isSharedWithGroup: Bool { permissions & 0o027 == 0 && permissions & 0o010 != 0 }
  }

  /// A kind of file, as far as callers distinguish it.
  public enum Kind: Sendable, Hashable {
    /// A directory.
    case directory
    /// A regular file.
    case regular
    /// A Unix socket.
    case socket
    /// A symbolic link, a device or a named pipe.
    case other
  }

  /// Returns the attributes of `path`: of a link itself, or of its target.
  public static func status(of path: String, followingLink: Bool = false) throws(UVError) -> Status {
    var request = unsafe uv_fs_t()
    defer { unsafe uv_fs_req_cleanup(&request) }
    try UVError.check(
      followingLink ? unsafe uv_fs_stat(nil, &request, path, nil) : unsafe uv_fs_lstat(nil, &request, path, nil))
    return unsafe Status(&request)
  }

  /// Returns the attributes of an open file.
  static func status(of descriptor: Int32) throws(UVError) -> Status {
    var request = unsafe uv_fs_t()
    defer { unsafe uv_fs_req_cleanup(&request) }
    try UVError.check(unsafe uv_fs_fstat(nil, &request, descriptor, nil))
    return unsafe Status(&request)
  }

  /// Returns the bytes that an ordinary user may still write in the file system of `path`.
  public static func freeBytes(at path: String) throws(UVError) -> UInt64 {
    var request = unsafe uv_fs_t()
    defer { unsafe uv_fs_req_cleanup(&request) }
    try UVError.check(unsafe uv_fs_statfs(nil, &request, path, nil))
    guard let found = unsafe request.ptr?.assumingMemoryBound(to: uv_statfs_t.self).pointee else { return 0 }
    return found.f_bavail.multipliedReportingOverflow(by: found.f_bsize).partialValue
  }

  /// Returns the kind of file encoded in `st_mode`.
  static func kind(ofMode mode: UInt32) -> Kind {
    switch mode & UInt32(S_IFMT) {
    case UInt32(S_IFDIR): .directory
    case UInt32(S_IFREG): .regular
    case UInt32(S_IFSOCK): .socket
    default: .other
    }
  }

  /// Creates one directory, with exactly `mode` whatever the umask.
  public static func makeDirectory(_ path: String, mode: UInt32) throws(UVError) {
    try unsafe perform { unsafe uv_fs_mkdir(nil, $0, path, Int32(bitPattern: mode), nil) }
    try changeMode(of: path, to: mode)
  }

  /// Creates a directory and its missing parents with mode 0700, as the XDG base directory specification asks. Leaves
  /// existing ones unchanged.
  public static func makeDirectories(_ path: String) throws(UVError) {
    guard (try? status(of: path)) == nil else { return }
    if let parent = parent(of: path) { try makeDirectories(parent) }
    do {
      try makeDirectory(path, mode: 0o700)
    } catch .fileExists {
      // Another process created it in the meantime, which is fine.
    }
  }

  /// Returns the parent directory of a path; nil for `/` and for a name without a slash.
  public static func parent(of path: String) -> String? {
    guard let slash = path.lastIndex(of: "/"), path.utf8.count > 1 else { return nil }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }

  /// chmod(2).
  public static func changeMode(of path: String, to mode: UInt32) throws(UVError) {
    try unsafe perform { unsafe uv_fs_chmod(nil, $0, path, Int32(bitPattern: mode), nil) }
  }

  /// Changes the group of a path, but not its owner. `notPermitted` unless the process is in the group or is root.
  public static func changeGroup(of path: String, to group: UInt32) throws(UVError) {
    try unsafe perform { unsafe uv_fs_chown(nil, $0, path, UInt32.max, group, nil) }
  }

  /// unlink(2).
  public static func remove(_ path: String) throws(UVError) {
    try unsafe perform { unsafe uv_fs_unlink(nil, $0, path, nil) }
  }

  /// Returns the contents of a small file. `fileTooLarge` above `limit` bytes.
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

  /// Writes a new small file with exactly `mode` and flushes it to disk. `fileExists` if something is at the path.
  /// After a failed write no file is left there.
  public static func create(_ path: String, mode: UInt32, contents: [UInt8]) throws(UVError) {
    try NewFile(path, mode: mode).finish(contents)
  }

  /// Replaces a small file, or creates it, with exactly `mode`: what is at the path is either the old contents or the new
  /// ones, whatever happens. Writes to `path` with `.new` behind it first.
  public static func replace(_ path: String, mode: UInt32, contents: [UInt8]) throws(UVError) {
    let new = path + ".new"
    do { try remove(new) } catch .noSuchFile {}
    try create(new, mode: mode, contents: contents)
    try unsafe perform { unsafe uv_fs_rename(nil, $0, new, path, nil) }
    guard let folder = parent(of: path) else { return }
    // Without this a crash of the machine could take the new name back.
    let descriptor = try UVError.check(unsafe cuv_open(folder, O_RDONLY, 0))
    defer { cuv_close(descriptor) }
    try unsafe perform { unsafe uv_fs_fsync(nil, $0, descriptor, nil) }
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
