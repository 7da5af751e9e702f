import Services

/// The system that simulated daemons run on: a few users, and no zone but UTC.
struct SimulatedSystem: SystemFacts {
  /// Users whom the system knows; clients are of these and of one that it does not know.
  static let users: [UInt32] = [1000, 1001]

  /// One that it does not know, for a client whose account nobody else has.
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
}
