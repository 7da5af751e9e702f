internal import Terminal

/// Keys typed ahead. They wait for what they are meant for, so that each acts on the result of the ones before it.
struct TypedAhead {
  /// A command that changes the topmost pane, which then gets the keys.
  enum Opening: Equatable {
    case none
    /// The number of its unanswered call.
    case asked(UInt64)
    /// The first revision that shows its effect.
    case answered(UInt64)
  }

  /// The time keys wait for what they are meant for. While the daemon has not answered, only moves are made after that.
  static let patience: Int64 = 300
  /// The largest number of queued keys.
  private static let limit = 64

  private(set) var opening = Opening.none
  /// The queued keys, in the order in which they were typed.
  private var queuedKeys: [Key] = []
  /// The end of the wait; nil while waiting for an answer.
  private(set) var end: Int64?

  // MARK: Keys

  /// True if no key is queued.
  var isEmpty: Bool { queuedKeys.isEmpty }
  /// The number of queued keys.
  var count: Int { queuedKeys.count }
  /// The key typed first.
  var first: Key? { queuedKeys.first }

  /// Queues a key. Returns false if too many are queued.
  mutating func queueKey(_ key: Key, at now: Int64) -> Bool {
    guard queuedKeys.count < Self.limit else { return false }
    if queuedKeys.isEmpty { end = now + Self.patience }
    queuedKeys.append(key)
    return true
  }

  /// Removes and returns the key typed first.
  mutating func takeFirst() -> Key? { queuedKeys.isEmpty ? nil : queuedKeys.removeFirst() }

  /// Extends the wait for the remaining keys.
  mutating func waitOn(from now: Int64) { end = queuedKeys.isEmpty ? nil : now + Self.patience }

  /// Ends the wait.
  mutating func stopWaiting() { end = nil }

  /// Drops the queued keys: what they wait for will not come.
  mutating func forgetKeys() { (queuedKeys, end) = ([], nil) }

  // MARK: The awaited command

  /// True if a command is unanswered.
  var isUnanswered: Bool { if case .asked = opening { true } else { false } }

  /// Makes keys wait for a command.
  mutating func opens(_ call: UInt64) { opening = .asked(call) }

  /// Records the answer to a command whose effect shows at `revision`. Returns false if keys do not wait for it.
  mutating func answered(_ call: UInt64, at revision: UInt64, shown: UInt64) -> Bool {
    guard opening == .asked(call) else { return false }
    opening = revision > shown ? .answered(revision) : .none
    return true
  }

  /// Records that a command was refused: keys for a pane that never opens are dropped.
  mutating func refused(_ call: UInt64) {
    guard opening == .asked(call) else { return }
    forgetAll()
  }

  /// Records that a revision is shown, perhaps with another topmost pane. The frame may arrive before the answer.
  mutating func shown(_ revision: UInt64, hasOtherTop: Bool) {
    if case .answered(let wanted) = opening, revision >= wanted { opening = .none }
    if hasOtherTop { opening = .none }
  }

  /// Stops waiting for a command.
  mutating func stopOpening() { opening = .none }

  /// Drops everything: nothing else will come.
  mutating func forgetAll() {
    opening = .none
    forgetKeys()
  }
}
