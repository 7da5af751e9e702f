internal import CUV

extension FileSystem {
  /// What is at `path`, links followed, and how long it is.
  public static func look(at path: String) throws(UVError) -> (kind: Kind, size: UInt64) {
    var request = unsafe uv_fs_t()
    defer { unsafe uv_fs_req_cleanup(&request) }
    try UVError.check(unsafe uv_fs_stat(nil, &request, path, nil))
    let mode = unsafe UInt32(truncatingIfNeeded: cuv_stat_mode(&request))
    return unsafe (kind(ofMode: mode), cuv_stat_size(&request))
  }

  /// The names in a directory, in no order.
  public static func names(in directory: String) throws(UVError) -> [String] {
    var request = unsafe uv_fs_t()
    defer { unsafe uv_fs_req_cleanup(&request) }
    try UVError.check(unsafe uv_fs_scandir(nil, &request, directory, 0, nil))
    var names: [String] = []
    var entry = unsafe uv_dirent_t()
    while unsafe uv_fs_scandir_next(&request, &entry) == 0 { names.append(unsafe String(cString: entry.name)) }
    return names
  }

  /// What a symbolic link points to.
  public static func target(ofLink path: String) throws(UVError) -> String {
    var request = unsafe uv_fs_t()
    defer { unsafe uv_fs_req_cleanup(&request) }
    try UVError.check(unsafe uv_fs_readlink(nil, &request, path, nil))
    return unsafe String(cString: request.ptr.assumingMemoryBound(to: CChar.self))
  }

  /// Whether this process may execute the file.
  public static func isExecutable(_ path: String) -> Bool {
    var request = unsafe uv_fs_t()
    defer { unsafe uv_fs_req_cleanup(&request) }
    return unsafe uv_fs_access(nil, &request, path, X_OK, nil) == 0
  }

  /// The folder that relative paths begin at.
  public static var currentDirectory: String? {
    unsafe withUnsafeTemporaryAllocation(of: CChar.self, capacity: 4096) { buffer -> String? in
      var size = buffer.count
      guard unsafe uv_cwd(buffer.baseAddress, &size) == 0, let path = buffer.baseAddress else { return nil }
      return unsafe String(cString: path)
    }
  }
}
