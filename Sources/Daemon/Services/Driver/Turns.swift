internal import DequeModule
internal import Posts

/// The account and the connection that queued work comes from.
struct Origin: Hashable {
  /// Nil for clients that are not signed in; they share one turn.
  let account: AccountID?
  let connection: ObjectIdentifier
}

/// Queued work of clients, handed out in turns: the accounts take turns, then the connections of an account, and the
/// work of a connection stays in order.
///
/// A client therefore waits for one piece of work of every other account, however much any of them has queued.
final class Turns<Work> {
  /// A piece of work.
  struct Entry {
    /// Ascends in the order of arrival.
    let number: UInt64
    let origin: Origin
    /// Memory that it keeps while it waits.
    let bytes: Int
    let work: Work
  }

  /// The queue of one account on one connection. Kept while it has work or is in use.
  final class Lane {
    let origin: Origin
    fileprivate unowned let account: Account
    fileprivate var entries = Deque<Entry>()
    fileprivate var users = 0

    fileprivate init(_ origin: Origin, _ account: Account) {
      self.origin = origin
      self.account = account
    }
  }

  fileprivate final class Account {
    /// The lanes that have work, in the order of their turns.
    var lanes = Deque<Lane>()
    /// Pieces of work that were handed out and have not been finished.
    var unfinished = 0
    /// Bytes of all its entries.
    var bytes = 0
    /// True if it is in ``Turns/ready``.
    var isReady = false
  }

  /// Maximum pieces of work of an account that are unfinished at once; nil if work need not be finished.
  private let window: Int?
  /// Maximum bytes of an account's entries.
  private let limitBytes: Int
  /// All accounts that have ever had work. Never removed, since the daemon has at most 1,000.
  private var accounts: [AccountID?: Account] = [:]
  private var lanes: [Origin: Lane] = [:]
  /// The accounts that may have work handed out, in the order of their turns.
  private var ready = Deque<Account>()

  init(window: Int? = nil, limitBytes: Int) {
    self.window = window
    self.limitBytes = limitBytes
  }

  /// The number of the entry that ``next()`` returns; nil if there is none, or if every account that has some must finish
  /// other work first.
  var nextNumber: UInt64? { ready.first?.lanes.first?.entries.first?.number }

  // MARK: Lanes

  /// Returns the lane of an origin, and keeps it until ``leave(_:)``. Saves long-lived streams the look-up.
  func join(_ origin: Origin) -> Lane {
    let lane = lane(of: origin)
    lane.users += 1
    return lane
  }

  /// Ends one use of a lane.
  func leave(_ lane: Lane) {
    lane.users -= 1
    dropIfUnused(lane)
  }

  private func lane(of origin: Origin) -> Lane {
    if let lane = lanes[origin] { return lane }
    let account = accounts[origin.account] ?? Account()
    accounts[origin.account] = account
    let lane = Lane(origin, account)
    lanes[origin] = lane
    return lane
  }

  private func dropIfUnused(_ lane: Lane) {
    if lane.users == 0, lane.entries.isEmpty { lanes[lane.origin] = nil }
  }

  // MARK: Work

  /// Queues work. Returns false if that would exceed the account's bytes; work of 0 bytes is always queued.
  @discardableResult
  func append(_ work: Work, number: UInt64, bytes: Int = 0, to lane: Lane) -> Bool {
    let account = lane.account
    guard bytes == 0 || account.bytes + bytes <= limitBytes else { return false }
    account.bytes += bytes
    if lane.entries.isEmpty { account.lanes.append(lane) }
    lane.entries.append(Entry(number: number, origin: lane.origin, bytes: bytes, work: work))
    makeReady(account)
    return true
  }

  /// Queues work of an origin. Returns false if that would exceed the account's bytes.
  func append(_ work: Work, number: UInt64, bytes: Int, of origin: Origin) -> Bool {
    let lane = join(origin)
    defer { leave(lane) }
    return append(work, number: number, bytes: bytes, to: lane)
  }

  /// Removes and returns the work whose turn it is.
  func next() -> Entry? {
    guard let account = ready.popFirst() else { return nil }
    account.isReady = false
    guard let lane = account.lanes.popFirst(), let entry = lane.entries.popFirst() else { return nil }
    account.bytes -= entry.bytes
    if window != nil { account.unfinished += 1 }
    if lane.entries.isEmpty { dropIfUnused(lane) } else { account.lanes.append(lane) }
    makeReady(account)
    return entry
  }

  /// Records that work which ``next()`` returned is finished.
  func finish(_ account: AccountID?) {
    guard let account = accounts[account] else { return }
    account.unfinished -= 1
    makeReady(account)
  }

  /// Removes the entries of an origin that nobody needs any more. O(entries of the origin + lanes of the account +
  /// accounts).
  func withdraw(from origin: Origin, where isUnneeded: (Entry) -> Bool) {
    guard let lane = lanes[origin], !lane.entries.isEmpty else { return }
    let account = lane.account
    for entry in lane.entries where isUnneeded(entry) { account.bytes -= entry.bytes }
    lane.entries.removeAll(where: isUnneeded)
    guard lane.entries.isEmpty else { return }
    dropIfUnused(lane)
    account.lanes.removeAll { $0 === lane }
    guard account.lanes.isEmpty, account.isReady else { return }
    account.isReady = false
    ready.removeAll { $0 === account }
  }

  private func makeReady(_ account: Account) {
    guard !account.isReady, !account.lanes.isEmpty, account.unfinished < window ?? .max else { return }
    account.isReady = true
    ready.append(account)
  }
}
