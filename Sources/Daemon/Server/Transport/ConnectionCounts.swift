/// Counts the open connections of each holder, and decides whether there is a place for another.
struct ConnectionCounts {
  /// The reason a connection gets no place.
  enum Obstacle: CaseIterable {
    /// All places are taken.
    case full
    /// All places over TCP are taken.
    case fullOverTCP
    /// All places of unauthenticated connections are taken.
    case tooManyUnauthenticated
    /// All places of one user or account are taken.
    case tooManyOfHolder
  }

  private let places: ConnectionPlaces
  /// Users who may take every place.
  private let owners: Set<ConnectionHolder>
  private var counts: [ConnectionHolder: Int] = [:]
  private var all = 0
  private var overTCP = 0

  /// - Parameters:
  ///   - places: the limits.
  ///   - owner: the user who runs the daemon. The limits of a holder apply neither to that user nor to root.
  init(places: ConnectionPlaces, owner: UInt32) {
    self.places = places
    owners = [.user(owner), .user(0)]
  }

  /// Returns the number of connections of a holder.
  func count(of holder: ConnectionHolder) -> Int { counts[holder] ?? 0 }

  /// Counts a new connection.
  mutating func add(_ holder: ConnectionHolder, overTCP isOverTCP: Bool) {
    all += 1
    if isOverTCP { overTCP += 1 }
    counts[holder, default: 0] += 1
  }

  /// Counts a connection that has closed no more.
  mutating func remove(_ holder: ConnectionHolder, overTCP isOverTCP: Bool) {
    all -= 1
    if isOverTCP { overTCP -= 1 }
    let left = count(of: holder) - 1
    counts[holder] = left > 0 ? left : nil
  }

  /// Counts an unauthenticated connection for `holder` from now on. Returns false if that has too many then.
  mutating func identify(as holder: ConnectionHolder) -> Bool {
    remove(.unauthenticated, overTCP: true)
    add(holder, overTCP: true)
    return owners.contains(holder) || count(of: holder) <= places.ofHolder
  }

  /// Returns the reason a new connection gets no place; nil if it gets one.
  func obstacle(to holder: ConnectionHolder) -> Obstacle? {
    let isOwner = owners.contains(holder)
    if holder == .unauthenticated {
      if count(of: holder) >= places.unauthenticated { return .tooManyUnauthenticated }
      if overTCP >= places.overTCP { return .fullOverTCP }
    } else if !isOwner, count(of: holder) >= places.ofHolder {
      return .tooManyOfHolder
    }
    return all >= places.all - (isOwner ? 0 : places.keptForOwner) ? .full : nil
  }

  /// Returns the holders of whose idle connections one is closed to make room for another, in the order in which they
  /// are asked: clients without a token first, then whoever would still have as many as the newcomer.
  func evictable(for holder: ConnectionHolder, because obstacle: Obstacle) -> [ConnectionHolder] {
    switch obstacle {
    case .tooManyOfHolder: return [holder]
    case .tooManyUnauthenticated, .fullOverTCP: return [.unauthenticated]
    case .full:
      guard holder != .unauthenticated else { return [holder] }
      let larger = counts.filter { $0.key != .unauthenticated && $0.value > count(of: holder) + 1 }
      return [.unauthenticated] + larger.sorted { $0.value > $1.value }.map(\.key)
    }
  }
}
