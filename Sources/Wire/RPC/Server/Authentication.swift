/// Tracks whether the client of a connection is identified, by the connection itself or by a call. An unidentified
/// client has a limited time to make such a call.
struct Authentication {
  private(set) var isEstablished: Bool
  /// The time by which a call must authenticate the client; nil if none has to.
  private(set) var deadline: Duration?
  private let timeout: Duration?

  /// Gives the client until `timeout` after `now`, or unlimited time if that is nil.
  init(of peer: Peer, timeout: Duration?, at now: Duration) {
    self.timeout = timeout
    isEstablished = peer != .unknown
    deadline = isEstablished ? nil : timeout.map { now + $0 }
  }

  /// Records that a call has authenticated the client. Returns false if it already was.
  mutating func establish() -> Bool {
    guard !isEstablished else { return false }
    isEstablished = true
    deadline = nil
    return true
  }

  /// Gives the client the same time again, counted from `now`.
  mutating func extend(at now: Duration) { deadline = timeout.map { now + $0 } }

  /// Clears the deadline, which has passed.
  mutating func expire() { deadline = nil }
}
