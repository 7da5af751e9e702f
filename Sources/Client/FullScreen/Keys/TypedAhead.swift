internal import Terminal

/// Keys that are typed ahead: they wait for what they are meant for, so that each acts on what the ones before it have
/// led to.
struct TypedAhead {
  /// The command that changes which pane is the topmost, which then gets the keys.
  enum Opening: Equatable {
    case none
    /// The number of its call, which has no answer.
    case asked(UInt64)
    /// The first revision that shows what it did.
    case answered(UInt64)
  }

  /// The time for which keys wait for what they are meant for, unless the daemon has still to answer: then only moves are
  /// made meanwhile.
  static let patience: Int64 = 300
  /// Keys that wait at most.
  private static let limit = 64

  private(set) var opening = Opening.none
  /// In the order in which they were typed.
  private var keys: [Key] = []
  /// Until when they wait; nil where they wait for an answer.
  private(set) var end: Int64?

  // MARK: Keys

  /// No key waits.
  var isEmpty: Bool { keys.isEmpty }
  /// Keys that wait.
  var count: Int { keys.count }
  /// The one that was typed first.
  var first: Key? { keys.first }

  /// Keeps a key; false where there are too many.
  mutating func keep(_ key: Key, at now: Int64) -> Bool {
    guard keys.count < Self.limit else { return false }
    if keys.isEmpty { end = now + Self.patience }
    keys.append(key)
    return true
  }

  /// Takes the one that was typed first.
  mutating func takeFirst() -> Key? { keys.isEmpty ? nil : keys.removeFirst() }

  /// Gives those that are left some more time.
  mutating func waitOn(from now: Int64) { end = keys.isEmpty ? nil : now + Self.patience }

  /// Their time is over.
  mutating func stopWaiting() { end = nil }

  /// Forgets them: what they wait for does not come.
  mutating func forgetKeys() { (keys, end) = ([], nil) }

  // MARK: What they wait for

  /// A command under way has no answer.
  var isUnanswered: Bool { if case .asked = opening { true } else { false } }

  /// Keys wait for a command from now on.
  mutating func opens(_ call: UInt64) { opening = .asked(call) }

  /// A command has been answered, and shows at a revision. False where keys do not wait for it.
  mutating func answered(_ call: UInt64, at revision: UInt64, shown: UInt64) -> Bool {
    guard opening == .asked(call) else { return false }
    opening = revision > shown ? .answered(revision) : .none
    return true
  }

  /// A command was refused: keys for a pane that never comes go with it.
  mutating func refused(_ call: UInt64) {
    guard opening == .asked(call) else { return }
    forgetAll()
  }

  /// A revision is shown, with another topmost pane or not: the frame may be here before the answer.
  mutating func shown(_ revision: UInt64, hasOtherTop: Bool) {
    if case .answered(let wanted) = opening, revision >= wanted { opening = .none }
    if hasOtherTop { opening = .none }
  }

  /// Waits no longer for a command.
  mutating func stopOpening() { opening = .none }

  /// Nothing comes any more.
  mutating func forgetAll() {
    opening = .none
    forgetKeys()
  }
}
