/// Connection limits, in all and by kind. Places that one kind leaves unused are not given to another: otherwise anyone
/// who can reach the port could keep the owner from the Unix socket.
struct ConnectionPlaces: Equatable {
  /// Maximum number of unauthenticated connections, however large the total limit is.
  private static let mostUnauthenticated = 256
  /// Maximum number of places kept for the owner: enough to look, and to stop the daemon.
  private static let mostForOwner = 8

  /// Limit for all connections.
  let all: Int
  /// Limit for connections over TCP.
  let overTCP: Int
  /// Limit for unauthenticated connections over TCP.
  let unauthenticated: Int
  /// Limit for the connections of one user, or of one account over TCP; the owner has none.
  let ofHolder: Int
  /// Number of places that only the owner and root may take.
  let keptForOwner: Int

  /// Divides `all` places, at least one. A quarter is reserved for the Unix socket if there is one, a quarter, at most
  /// 256, is for unauthenticated connections, a quarter is the share of a user, and an eighth, at most 8, is kept for
  /// the owner.
  init(all: Int, hasUnixSocket: Bool) {
    self.all = all
    let reserved = hasUnixSocket ? min(all - 1, (all + 3) / 4) : 0
    overTCP = all - reserved
    unauthenticated = max(1, min(Self.mostUnauthenticated, all / 4))
    ofHolder = max(1, all / 4)
    keptForOwner = min(Self.mostForOwner, all / 8)
  }
}
