/// What the services ask of the system about itself and its users.
public protocol SystemFacts {
  /// The daemon's process id.
  var processID: Int32 { get }
  /// The user that the daemon runs as.
  var effectiveUserID: UInt32 { get }
  /// So many bytes that nobody can guess; nil where the system has none to give.
  func randomBytes(_ count: Int) -> [UInt8]?
  /// What the user database calls a user; nil for one it does not know.
  func userNames(of userID: UInt32) -> (name: String, fullName: String)?
  /// The bytes of the zone file called `name` (a checked IANA name); nil where there is none.
  func zoneFile(_ name: String) -> [UInt8]?
}
