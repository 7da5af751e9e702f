/// The services' view of the operating system and its users.
public protocol SystemFacts {
  /// The daemon's process ID.
  var processID: Int32 { get }
  /// The user who runs the daemon.
  var effectiveUserID: UInt32 { get }
  /// Returns `count` unpredictable bytes; nil if the system has none.
  func randomBytes(_ count: Int) -> [UInt8]?
  /// Returns the names of a user in the user database; nil for an unknown user.
  func userNames(of userID: UInt32) -> (name: String, fullName: String)?
  /// Returns the bytes of the zone file called `name` (a checked IANA name); nil if there is none.
  func zoneFile(_ name: String) -> [UInt8]?
  /// Returns the room on the disk of a file; nil if that is unknown.
  func diskSpace(of path: String) -> DiskSpace?
}

/// The room on a disk.
public struct DiskSpace {
  /// The bytes that the daemon's user may still write.
  public let freeBytes: UInt64
  /// The size of the file that was asked about.
  public let fileBytes: UInt64

  public init(freeBytes: UInt64, fileBytes: UInt64) { (self.freeBytes, self.fileBytes) = (freeBytes, fileBytes) }
}
