/// A queue of calls in the order of their turns, linked through `next`: it needs no memory, whatever its length. A call
/// is in it at most once.
struct SenderChain {
  private var first: ServerCall?
  /// Owned by the chain that leads to it.
  private unowned(unsafe) var last: ServerCall?

  /// True if no call waits for a turn.
  var isEmpty: Bool { first == nil }

  /// Adds a call at the end.
  mutating func append(_ call: ServerCall) {
    if let last = unsafe last { last.next = call } else { first = call }
    unsafe last = call
  }

  /// Removes and returns the call whose turn it is.
  mutating func next() -> ServerCall? {
    guard let call = first else { return nil }
    first = call.next
    if first == nil { unsafe last = nil }
    call.next = nil
    return call
  }

  /// Removes a call that has ended, if it is queued, so that a closed window never holds back more calls than are open.
  /// O(calls).
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

  /// Removes all calls. O(calls), without recursion that grows with the chain.
  mutating func removeAll() {
    while next() != nil {}
  }
}
