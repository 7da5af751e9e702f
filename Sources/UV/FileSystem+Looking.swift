internal import CUV

extension FileSystem {
  /// Returns the kind and the size of the file at `path`, following links, and when it was modified, in nanoseconds since
  /// 1970.
  public static func look(at path: String) throws(UVError) -> (kind: Kind, size: UInt64, modified: Int64) {
    var request = unsafe uv_fs_t()
    defer { unsafe uv_fs_req_cleanup(&request) }
    try UVError.check(unsafe uv_fs_stat(nil, &request, path, nil))
    let mode = unsafe UInt32(truncatingIfNeeded: cuv_stat_mode(&request))
    return unsafe (kind(ofMode: mode), cuv_stat_size(&request), cuv_stat_modified(&request))
  }

  /// Identifies a file, whatever its path: inode numbers are reused after a file is removed, so the creation time is
  /// included if the file system records it.
  public struct Identity: Sendable, Hashable {
    let device: UInt64
    let number: UInt64
    let createdAt: Int64

    init(_ request: inout uv_fs_t) {
      device = unsafe cuv_stat_device(&request)
      number = unsafe cuv_stat_number(&request)
      createdAt = unsafe cuv_stat_birth(&request)
    }
  }

  /// Returns the identity of the file at `path`. Does not follow symbolic links.
  public static func identity(of path: String) throws(UVError) -> Identity {
    var request = unsafe uv_fs_t()
    defer { unsafe uv_fs_req_cleanup(&request) }
    try UVError.check(unsafe uv_fs_lstat(nil, &request, path, nil))
    return unsafe Identity(&request)
  }

  /// Returns the identity of an open file.
  static func identity(of descriptor: Int32) throws(UVError) -> Identity {
    var request = unsafe uv_fs_t()
    defer { unsafe uv_fs_req_cleanup(&request) }
    try UVError.check(unsafe uv_fs_fstat(nil, &request, descriptor, nil))
    return unsafe Identity(&request)
  }

  /// Returns the names in a directory, unordered.
  public static func names(in directory: String) throws(UVError) -> [String] {
    var request = unsafe uv_fs_t()
    defer { unsafe uv_fs_req_cleanup(&request) }
    try UVError.check(unsafe uv_fs_scandir(nil, &request, directory, 0, nil))
    var names: [String] = []
    var entry = unsafe uv_dirent_t()
    while unsafe uv_fs_scandir_next(&request, &entry) == 0 { names.append(unsafe String(cString: entry.name)) }
    return names
  }

  /// Returns the target of a symbolic link.
  public static func target(ofLink path: String) throws(UVError) -> String {
    var request = unsafe uv_fs_t()
    defer { unsafe uv_fs_req_cleanup(&request) }
    try UVError.check(unsafe uv_fs_readlink(nil, &request, path, nil))
    return unsafe String(cString: request.ptr.assumingMemoryBound(to: CChar.self))
  }

  /// Returns true if this process may execute the file.
  public static func isExecutable(_ path: String) -> Bool {
    var request = unsafe uv_fs_t()
    defer { unsafe uv_fs_req_cleanup(&request) }
    return unsafe uv_fs_access(nil, &request, path, X_OK, nil) == 0
  }

  /// The working directory, to which relative paths refer.
  public static var currentDirectory: String? {
    unsafe withUnsafeTemporaryAllocation(of: CChar.self, capacity: 4096) { buffer -> String? in
      var size = buffer.count
      guard unsafe uv_cwd(buffer.baseAddress, &size) == 0, let path = buffer.baseAddress else { return nil }
      return unsafe String(cString: path)
    }
  }
}
