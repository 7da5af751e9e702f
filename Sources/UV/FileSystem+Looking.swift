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

  /// What tells a file from every other, whatever its path: a number is used again when its file has gone, so the time
  /// of its making is in it where the file system knows that.
  public struct Identity: Sendable, Hashable {
    let device: UInt64
    let number: UInt64
    let madeAt: Int64

    init(_ request: inout uv_fs_t) {
      device = unsafe cuv_stat_device(&request)
      number = unsafe cuv_stat_number(&request)
      madeAt = unsafe cuv_stat_birth(&request)
    }
  }

  /// Which file is at `path`; symbolic links are not followed.
  public static func identity(of path: String) throws(UVError) -> Identity {
    var request = unsafe uv_fs_t()
    defer { unsafe uv_fs_req_cleanup(&request) }
    try UVError.check(unsafe uv_fs_lstat(nil, &request, path, nil))
    return unsafe Identity(&request)
  }

  /// Which file is open.
  static func identity(of descriptor: Int32) throws(UVError) -> Identity {
    var request = unsafe uv_fs_t()
    defer { unsafe uv_fs_req_cleanup(&request) }
    try UVError.check(unsafe uv_fs_fstat(nil, &request, descriptor, nil))
    return unsafe Identity(&request)
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
