/// Connection limits, in all and by kind. Places that one kind leaves unused are not given to another: otherwise anyone
/// who can reach the port could keep the owner from the Unix socket.
struct ConnectionPlaces: Equatable {
  /// Maximum number of unauthenticated connections, however large the total limit is.
  private static let mostUnauthenticated = 256

  /// Limit for all connections.
  let all: Int
  /// Limit for connections over TCP.
  let overTCP: Int
  /// Limit for unauthenticated connections over TCP.
  let unauthenticated: Int

  /// Divides `all` places, at least one. A quarter is reserved for the Unix socket if there is one, and a quarter, at
  /// most 256, is for unauthenticated connections.
  init(all: Int, hasUnixSocket: Bool) {
    self.all = all
    let reserved = hasUnixSocket ? min(all - 1, (all + 3) / 4) : 0
    overTCP = all - reserved
    unauthenticated = max(1, min(Self.mostUnauthenticated, all / 4))
  }
}
