/// Calls in the order of their turns, each pointing to the next: it needs no memory, whatever its length. A call is in
/// it once at most.
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

  /// Takes a call out that is gone, if it is in it, so that what waits behind a closed window is never more than what
  /// is open. O(calls).
  mutating func remove(_ call: ServerCall) {
    var previous: ServerCall?
    var place = first
    while let here = place, here !== call {
      previous = here
      place = here.next
    }
    guard place != nil else { return }
    if let previous { previous.next = call.next } else { first = call.next }
    if call.next == nil { unsafe last = previous }
    call.next = nil
  }

  /// Forgets all turns. O(calls), and no deeper a recursion for a longer chain.
  mutating func removeAll() {
    while next() != nil {}
  }
}
