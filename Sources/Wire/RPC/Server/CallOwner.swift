/// The caller for whom a server counts what a call takes.
public enum CallOwner: Sendable, Hashable {
  /// The account with this number.
  case account(Int64)
  /// A user of this machine whose account is not known yet.
  case user(UInt32)
  /// All callers without a valid token together. The port is on the loopback interface, where a process may choose any
  /// of 2^24 addresses, so an address tells nothing.
  case unauthenticated
}
