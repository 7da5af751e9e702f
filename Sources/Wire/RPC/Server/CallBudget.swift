/// Counts the bytes that a server holds for its clients: what waits to be sent, what calls under way are expected to
/// respond, and requests that have arrived in part or are not consumed.
///
/// While a connection, an account or the whole server holds too much, calls wait: a response is not made, and a stream
/// is not asked for messages. They go on when clients have read enough, and connections take turns. A connection and an
/// account that hold little do not wait for others. Requests do not wait, since none of them might ever be complete
/// then: the call for which there is no room is refused.
public final class CallBudget {
  /// Limits in bytes, and of waiting.
  public struct Limits: Sendable, Hashable {
    /// Bytes of one connection; the smallest of the three limits.
    public var connectionBytes = 2 << 20
    /// Bytes of one account, on all of its connections.
    public var accountBytes = 8 << 20
    /// Bytes of all connections.
    public var totalBytes = 32 << 20
    /// Bytes below which a connection does not wait for others of its account.
    public var connectionShareBytes = 64 << 10
    /// Bytes below which an account does not wait for other accounts.
    public var accountShareBytes = 1 << 20
    /// Bytes of requests that are kept for calls that wait; a further call is refused.
    public var requestBytes = 8 << 20
    /// Bytes of requests of one connection that have arrived and are not consumed: all of its calls at the limit of an
    /// ordinary request.
    public var heldConnectionBytes = 8 << 20
    /// The same of one account, on all of its connections.
    public var heldAccountBytes = 16 << 20
    /// The same of all connections. An account below `accountShareBytes` is not refused.
    public var heldTotalBytes = 32 << 20
    /// Time after which a connection that has read nothing of what waits for it may be closed to make room.
    public var patience = Duration.seconds(10)

    /// The defaults.
    public init() {}
  }

  /// The bytes counted for one account.
  final class Account {
    fileprivate(set) var bytes = 0
    fileprivate(set) var heldBytes = 0
  }

  /// The count that has no room for a call.
  enum Obstacle {
    /// That of its connection.
    case connection
    /// That of its account.
    case account
    /// That of the whole server.
    case total
  }

  let limits: Limits
  /// Bytes of all connections.
  public private(set) var totalBytes = 0
  /// Bytes of the requests of calls that wait.
  public private(set) var requestBytes = 0
  /// Bytes of requests that have arrived and are not consumed.
  public private(set) var heldBytes = 0
  /// Called when most of what was held, if that was much, has been released.
  public var onRelease: (() -> Void)?
  /// True if `admit` may let a call go on.
  private var isAdmissionDue = false
  private var isAdmitting = false
  /// The most that was held since the last release.
  private var peakBytes = 0
  /// Counts by owner: at most one for each account of the server, and for each user of the machine.
  private var accounts: [CallOwner: Account] = [:]
  /// Connections with waiting calls, in the order of their turns.
  private var line: [ConnectionShare] = []
  /// Connections that have something to read.
  private var holders: [ObjectIdentifier: ConnectionShare] = [:]

  /// Creates a budget of which nothing is used.
  public init(limits: Limits = Limits()) { self.limits = limits }

  /// True if so little is held that no limit can be reached: all that an ordinary delivery checks.
  var isAmple: Bool { totalBytes < limits.connectionBytes }

  /// True if a call waits for room.
  var hasWaiting: Bool { !line.isEmpty }

  /// Returns the count of an owner.
  func account(of owner: CallOwner) -> Account {
    if let known = accounts[owner] { return known }
    let account = Account()
    accounts[owner] = account
    return account
  }

  /// Returns the count that has no room for another response of a call; nil if all have.
  func obstacle(to share: ConnectionShare, _ account: Account) -> Obstacle? {
    guard !isAmple else { return nil }
    if share.bytes >= limits.connectionBytes { return .connection }
    if share.bytes >= limits.connectionShareBytes, account.bytes >= limits.accountBytes { return .account }
    if account.bytes >= limits.accountShareBytes, totalBytes >= limits.totalBytes { return .total }
    return nil
  }

  /// Adds to the total, and to an account if there is one; a negative number subtracts.
  func add(_ bytes: Int, to account: Account?) {
    totalBytes += bytes
    account?.bytes += bytes
    peakBytes = max(peakBytes, totalBytes)
    guard bytes < 0 else { return }
    isAdmissionDue = !line.isEmpty
    guard peakBytes >= limits.connectionBytes, totalBytes < peakBytes / 4 else { return }
    peakBytes = totalBytes
    onRelease?()
  }

  /// Adds bytes of a request that is kept while its call waits. Returns false, and adds nothing, if that is too much.
  func keepRequest(_ bytes: Int) -> Bool {
    guard requestBytes + bytes <= limits.requestBytes else { return false }
    requestBytes += bytes
    return true
  }

  /// Subtracts bytes of a request that is no longer kept.
  func releaseRequest(_ bytes: Int) { requestBytes -= bytes }

  /// Adds to the bytes of requests that have arrived and are not consumed; `connectionBytes` are now those of the
  /// connection. Returns false if that is more, and too much.
  func hold(_ change: Int, for account: Account, ofConnectionWith connectionBytes: Int) -> Bool {
    heldBytes += change
    account.heldBytes += change
    guard change > 0, connectionBytes > limits.connectionShareBytes else { return true }
    return connectionBytes <= limits.heldConnectionBytes && account.heldBytes <= limits.heldAccountBytes
      && (account.heldBytes <= limits.accountShareBytes || heldBytes <= limits.heldTotalBytes)
  }

  // MARK: Connections

  /// Records that a connection has something to read, or no more.
  func setHolder(_ share: ConnectionShare, _ isHolder: Bool) {
    holders[ObjectIdentifier(share)] = isHolder ? share : nil
    if isHolder, hasWaiting { share.onWanted?() }
  }

  /// Gives a connection with a waiting call its place in the line.
  func enqueue(_ share: ConnectionShare) {
    line.append(share)
    guard line.count == 1 else { return }
    for holder in holders.values { holder.onWanted?() }
  }

  /// Removes a connection of which no call waits any more.
  func dequeue(_ share: ConnectionShare) { line.removeAll { $0 === share } }

  /// Lets waiting calls go on for which there is room now, one of each connection in turn. Linear in the number of
  /// connections with waiting calls.
  func admit() {
    guard isAdmissionDue, !isAdmitting else { return }
    isAdmitting = true
    isAdmissionDue = false
    var hasAdmitted = true
    while hasAdmitted {
      hasAdmitted = false
      // Calls that go on may end others, or make them wait.
      for share in line where share.admitNext() {
        hasAdmitted = true
        // The others come first next time.
        if let place = line.firstIndex(where: { $0 === share }) { line.append(line.remove(at: place)) }
      }
    }
    isAdmitting = false
  }

  /// Returns true if a connection, which has read nothing for long, has to make room: a call waits for what it holds,
  /// and no other such connection holds more. O(connections).
  func isExcessive(_ share: ConnectionShare, at now: Duration) -> Bool {
    let needed = line.compactMap(\.nextObstacle)
    let isTotal = needed.contains { $0.obstacle == .total }
    guard isTotal || needed.contains(where: { $0.obstacle == .account && $0.account === share.account }) else {
      return false
    }
    return !holders.values.contains {
      $0.bytes > share.bytes && $0.isStalled(at: now) && (isTotal || $0.account === share.account)
    }
  }
}
