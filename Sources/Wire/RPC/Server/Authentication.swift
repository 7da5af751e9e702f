/// Tracks whether the client of a connection is identified, by the connection itself or by a call. An unidentified
/// client has a limited time to make such a call.
struct Authentication {
  /// The client, as the connection or the last call with a valid token identifies it.
  private(set) var peer: Peer
  /// The time by which a call must authenticate the client; nil if none has to.
  private(set) var deadline: Duration?
  private let timeout: Duration?

  /// Gives the client until `timeout` after `now`, or unlimited time if that is nil.
  init(of peer: Peer, timeout: Duration?, at now: Duration) {
    self.timeout = timeout
    self.peer = peer
    deadline = peer == .unknown ? timeout.map { now + $0 } : nil
  }

  var isEstablished: Bool { peer != .unknown }

  /// Records that a call has authenticated the client as `peer`. Returns false if it already was authenticated.
  mutating func establish(as peer: Peer) -> Bool {
    defer { self.peer = peer }
    guard !isEstablished else { return false }
    deadline = nil
    return true
  }

  /// Returns the client that a stream belongs to: `caller`, whom its call has identified, otherwise the connection's.
  func owner(ofStreamOf caller: Peer?) -> Peer {
    guard let caller, caller != .unknown else { return peer }
    return caller
  }

  /// Gives the client the same time again, counted from `now`.
  mutating func extend(at now: Duration) { deadline = timeout.map { now + $0 } }

  /// Clears the deadline, which has passed.
  mutating func expire() { deadline = nil }
}
