import Services

/// The system under simulated daemons, with a few users and only the zone UTC.
struct SimulatedSystem: SystemFacts {
  /// The users that the system knows. Clients run as these, as actors, or as ``undoer``.
  static let users: [UInt32] = [1000, 1001]

  /// An unknown user, for a client that shares its account with no other.
  static let undoer: UInt32 = 1500

  let processID: Int32 = 1

  let effectiveUserID: UInt32 = 1000

  func randomBytes(_ count: Int) -> [UInt8]? { Array(repeating: 7, count: count) }

  func userNames(of userID: UInt32) -> (name: String, fullName: String)? {
    switch userID {
    case 1000: ("ann", "Ann Example")
    case 1001: ("bertil", "Bertil")
    default: nil
    }
  }

  func zoneFile(_ name: String) -> [UInt8]? { nil }

  func diskSpace(of path: String) -> DiskSpace? { nil }
}
