/// The setting `follows` of a store: how an account of the daemon comes to be followed. The numbers are the schema's.
public enum FollowPolicy: UInt8, Sendable, CaseIterable {
  /// Accounts follow each other from the start, and any account may follow any other at once.
  case open = 1
  /// An account is followed only by the accounts that it has approved.
  case ask = 2

  /// The setting's value, as people write it.
  public var name: String {
    switch self {
    case .open: "open"
    case .ask: "ask"
    }
  }
}
