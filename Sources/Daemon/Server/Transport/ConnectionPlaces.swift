/// How many connections there may be at once, and of whom. What one kind does not use the other may not either: whoever
/// can reach the port could otherwise keep the owner from the Unix socket.
struct ConnectionPlaces: Equatable {
  /// The most that anybody has who has shown no token, however many there may be in all.
  private static let mostStrangers = 256

  /// All together.
  let all: Int
  /// Those over TCP.
  let overTCP: Int
  /// Those over TCP that have not shown a token yet.
  let strangers: Int

  /// Of `all`, at least one, a quarter is for the Unix socket alone where there is one, and a quarter, at most 256, for
  /// strangers.
  init(all: Int, hasUnixSocket: Bool) {
    self.all = all
    let reserved = hasUnixSocket ? min(all - 1, (all + 3) / 4) : 0
    overTCP = all - reserved
    strangers = max(1, min(Self.mostStrangers, all / 4))
  }
}
