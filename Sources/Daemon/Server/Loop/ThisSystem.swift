internal import Services
internal import UV

/// The operating system that this process runs on.
struct ThisSystem: SystemFacts {
  private static let zoneFolder = "/usr/share/zoneinfo"
  /// Zone files are a few KiB; anything larger is not one.
  private static let zoneFileLimitBytes = 1 << 20

  var processID: Int32 { Process.identifier }

  var effectiveUserID: UInt32 { Process.effectiveUserID }

  func randomBytes(_ count: Int) -> [UInt8]? { try? Process.randomBytes(count) }

  func userNames(of userID: UInt32) -> (name: String, fullName: String)? { Process.userNames(of: userID) }

  func zoneFile(_ name: String) -> [UInt8]? {
    try? FileSystem.read("\(Self.zoneFolder)/\(name)", limit: Self.zoneFileLimitBytes)
  }

  func diskSpace(of path: String) -> DiskSpace? {
    guard let free = try? FileSystem.freeBytes(at: path), let file = try? FileSystem.look(at: path) else { return nil }
    return DiskSpace(freeBytes: free, fileBytes: file.size)
  }
}
