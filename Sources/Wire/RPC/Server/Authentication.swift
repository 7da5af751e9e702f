/// Tells whether it is known who is at the other end of a connection: from the connection itself, or from a call. A
/// client that nothing is known of has a limited time to make such a call.
struct Authentication {
  private(set) var isEstablished: Bool
  /// By when a call must authenticate the client; nil where none need.
  private(set) var deadline: Duration?
  private let timeout: Duration?

  /// A client that has until `timeout` after `now`, for as long as it likes where that is nil.
  init(of peer: Peer, timeout: Duration?, at now: Duration) {
    self.timeout = timeout
    isEstablished = peer != .unknown
    deadline = isEstablished ? nil : timeout.map { now + $0 }
  }

  /// Records that a call has authenticated the client. Returns false where it was before.
  mutating func establish() -> Bool {
    guard !isEstablished else { return false }
    isEstablished = true
    deadline = nil
    return true
  }

  /// Gives the client as much time again, counted from `now`.
  mutating func extend(at now: Duration) { deadline = timeout.map { now + $0 } }

  /// Forgets the deadline, which has passed.
  mutating func expire() { deadline = nil }
}
