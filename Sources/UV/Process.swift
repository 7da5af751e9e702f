internal import CUV

/// Information about this process, and operations on it, from the operating system.
public enum Process {
  /// The ID of this process.
  public static var identifier: Int32 { uv_os_getpid() }

  /// The user that owns the files this process creates.
  public static var effectiveUserID: UInt32 { cuv_effective_user_id() }

  /// Returns the ID of a group by name.
  ///
  /// - Throws: `noSuchFile` if there is no such group.
  public static func groupID(named name: String) throws(UVError) -> UInt32 {
    var result: UInt32 = 0
    try UVError.check(unsafe cuv_group_id(name, &result))
    return result
  }

  /// Returns the name of a group by its ID; nil if there is none, or if it is longer than 255 bytes.
  public static func groupName(of id: UInt32) -> String? {
    unsafe withUnsafeTemporaryAllocation(of: CChar.self, capacity: 256) { buffer -> String? in
      guard unsafe cuv_group_name(id, buffer.baseAddress, buffer.count) == 0, let name = buffer.baseAddress else {
        return nil
      }
      return unsafe String(cString: name)
    }
  }

  /// Returns an environment variable; nil if it is not set.
  public static func environment(_ name: String) -> String? {
    unsafe getenv(name).map { unsafe String(cString: $0) }
  }

  /// The path of this program's executable.
  public static var executablePath: String? {
    unsafe withUnsafeTemporaryAllocation(of: CChar.self, capacity: 4096) { buffer -> String? in
      var size = buffer.count
      guard unsafe uv_exepath(buffer.baseAddress, &size) == 0, let path = buffer.baseAddress else { return nil }
      return unsafe String(cString: path)
    }
  }

  /// Returns true if the process exists, also for another user's. A process that has ended but was not yet reaped by
  /// its parent (a zombie) does not count.
  public static func isRunning(_ identifier: Int32) -> Bool {
    let status = uv_kill(identifier, 0)
    guard status == 0 || status == UVError.notPermitted.rawValue else { return false }
    // proc(5): the state is the first letter after the name, which is in parentheses and may contain any byte.
    guard let stat = try? FileSystem.read("/proc/\(identifier)/stat", limit: 4096),
      let end = stat.lastIndex(of: UInt8(ascii: ")"))
    else { return true }
    return !stat[end...].starts(with: ") Z".utf8)
  }

  /// Returns the seconds that local time is ahead of UTC at a time in seconds since 1970.
  public static func localOffset(at seconds: Int64) -> Int64 { cuv_local_offset(seconds) }

  /// Removes an environment variable, so that children do not inherit it.
  public static func removeFromEnvironment(_ name: String) { _ = unsafe uv_os_unsetenv(name) }

  /// Returns bytes from the kernel's random source, suitable for secrets.
  public static func randomBytes(_ count: Int) throws(UVError) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: count)
    let status = unsafe bytes.withUnsafeMutableBytes { buffer in
      unsafe uv_random(nil, nil, buffer.baseAddress, buffer.count, 0, nil)
    }
    try UVError.check(status)
    return bytes
  }

  /// The standard stream for a program's text output.
  public enum Output: Int32, Sendable {
    /// Results.
    case output = 1
    /// Everything else.
    case error = 2
  }

  /// Writes text synchronously, waiting for its reader.
  ///
  /// - Throws: `brokenPipe` if the reader has gone.
  public static func write(_ text: String, to output: Output) throws(UVError) {
    var bytes = Array(text.utf8)[...]
    while !bytes.isEmpty {
      let taken = unsafe bytes.withUnsafeBytes { unsafe cuv_write(output.rawValue, $0.baseAddress, $0.count) }
      if taken == Int(UV_EINTR.rawValue) { continue }
      bytes = bytes.dropFirst(Int(try UVError.check(Int32(clamping: taken))))
    }
  }

  /// Raises the limit of open descriptors to `count`, as far as permitted. Returns the resulting limit.
  public static func allowDescriptors(_ count: Int) -> Int {
    Int(clamping: cuv_raise_descriptors(UInt64(max(0, count))))
  }

  /// Ends the process.
  public static func exit(_ code: Int32) -> Never { CUV.exit(code) }

  /// Returns the descriptors that systemd has opened for this process (sd_listen_fds(3)): from 3 on, `LISTEN_FDS` of
  /// them if `LISTEN_PID` is this process. Removes both variables from the environment.
  public static func takeInheritedSockets() -> [Int32] {
    defer {
      for name in ["LISTEN_PID", "LISTEN_FDS", "LISTEN_FDNAMES"] { removeFromEnvironment(name) }
    }
    guard environment("LISTEN_PID").flatMap({ Int32($0) }) == identifier,
      let count = environment("LISTEN_FDS").flatMap({ Int32($0) }), (1...64).contains(count)
    else { return [] }
    return Array(3..<3 + count)
  }
}
