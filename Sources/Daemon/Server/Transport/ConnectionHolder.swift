/// The one for whom a connection is counted.
enum ConnectionHolder: Hashable {
  /// A user of this machine, on the Unix socket or by the daemon's own token.
  case user(UInt32)
  /// The account of an issued token.
  case account(Int64)
  /// A client over TCP that has shown no token.
  case unauthenticated
}
