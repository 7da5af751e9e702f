/// Calls in the order of their turns, each pointing to the next: it needs no memory, whatever its length. A call is in it once at most.
struct SenderChain {
  private var first: ServerCall?
  /// Kept by the chain that leads to it.
  private unowned(unsafe) var last: ServerCall?

  /// Whether nobody waits for a turn.
  var isEmpty: Bool { first == nil }

  /// Puts a call behind all others.
  mutating func append(_ call: ServerCall) {
    if let last = unsafe last { last.next = call } else { first = call }
    unsafe last = call
  }

  /// Takes the call out whose turn it is.
  mutating func next() -> ServerCall? {
    guard let call = first else { return nil }
    first = call.next
    if first == nil { unsafe last = nil }
    call.next = nil
    return call
  }

  /// Forgets all turns. O(calls), and no deeper a recursion for a longer chain.
  mutating func removeAll() {
    while next() != nil {}
  }
}
