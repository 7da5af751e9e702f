internal import CUV

/// What the shell may ask the operating system about its own process.
public enum Process {
  /// This process.
  public static var identifier: Int32 { uv_os_getpid() }

  /// The user who owns the files that this process makes.
  public static var effectiveUserID: UInt32 { cuv_effective_user_id() }

  /// The id of a group by name.
  ///
  /// - Throws: `noSuchFile` if there is no such group.
  public static func groupID(named name: String) throws(UVError) -> UInt32 {
    var result: UInt32 = 0
    try UVError.check(unsafe cuv_group_id(name, &result))
    return result
  }

  /// An environment variable; nil if it is not set.
  public static func environment(_ name: String) -> String? {
    unsafe getenv(name).map { unsafe String(cString: $0) }
  }

  /// Where this program's own file is.
  public static var executablePath: String? {
    unsafe withUnsafeTemporaryAllocation(of: CChar.self, capacity: 4096) { buffer -> String? in
      var size = buffer.count
      guard unsafe uv_exepath(buffer.baseAddress, &size) == 0, let path = buffer.baseAddress else { return nil }
      return unsafe String(cString: path)
    }
  }

  /// Whether there is such a process; another user's counts too, and one that has ended but that its parent has not
  /// asked about yet (a zombie) does not.
  public static func isRunning(_ identifier: Int32) -> Bool {
    let status = uv_kill(identifier, 0)
    guard status == 0 || status == UVError.notPermitted.rawValue else { return false }
    // proc(5): the state is the first letter behind the name, which is in parentheses and may hold any byte.
    guard let stat = try? FileSystem.read("/proc/\(identifier)/stat", limit: 4096),
      let end = stat.lastIndex(of: UInt8(ascii: ")"))
    else { return true }
    return !stat[end...].starts(with: ") Z".utf8)
  }

  /// Seconds that local time is ahead of UTC at an instant, given in seconds since 1970.
  public static func localOffset(at seconds: Int64) -> Int64 { cuv_local_offset(seconds) }

  /// Removes an environment variable, so that children do not inherit it.
  public static func removeFromEnvironment(_ name: String) { _ = unsafe uv_os_unsetenv(name) }

  /// Bytes from the kernel's random source, fit for secrets.
  public static func randomBytes(_ count: Int) throws(UVError) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: count)
    let status = unsafe bytes.withUnsafeMutableBytes { buffer in
      unsafe uv_random(nil, nil, buffer.baseAddress, buffer.count, 0, nil)
    }
    try UVError.check(status)
    return bytes
  }

  /// Where a program writes for people.
  public enum Output: Int32, Sendable {
    /// The result.
    case output = 1
    /// Everything else.
    case error = 2
  }

  /// Writes text at once, waiting for whoever reads it.
  ///
  /// - Throws: `brokenPipe` if nobody does.
  public static func write(_ text: String, to output: Output) throws(UVError) {
    var bytes = Array(text.utf8)[...]
    while !bytes.isEmpty {
      let taken = unsafe bytes.withUnsafeBytes { unsafe cuv_write(output.rawValue, $0.baseAddress, $0.count) }
      if taken == Int(UV_EINTR.rawValue) { continue }
      bytes = bytes.dropFirst(Int(try UVError.check(Int32(clamping: taken))))
    }
  }

  /// Sees that this process may have `count` descriptors open, if it may ask for so many; says how many it may have
  /// then.
  public static func allowDescriptors(_ count: Int) -> Int {
    Int(clamping: cuv_raise_descriptors(UInt64(max(0, count))))
  }

  /// Ends the process.
  public static func exit(_ code: Int32) -> Never { CUV.exit(code) }

  /// Descriptors that systemd has opened for this process (sd_listen_fds(3)): from 3 on, `LISTEN_FDS` of them if
  /// `LISTEN_PID` is this process. Takes both variables out of the environment.
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
