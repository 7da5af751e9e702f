internal import DequeModule
internal import Posts

/// The views that have frames to send. The accounts take turns, then the connections of an account.
///
/// A post may be due in thousands of views, and each of them makes its frame when it is woken. They are woken in
/// batches, with sockets and inputs in between, so that nobody waits for all of them.
struct ReadyViews<View> {
  /// Maximum views of a batch: the data of that many connections fits into the processor's cache.
  private static var largestBatch: Int { 64 }

  /// Never empty.
  private var lanes: [Origin: Deque<View>] = [:]
  /// The connections of an account that have views, in the order of their turns; never empty.
  private var connections: [AccountID?: Deque<Origin>] = [:]
  /// The accounts that have views, in the order of their turns.
  private var accounts = Deque<AccountID?>()
  private var batch = largestBatch

  /// Number of views that may be woken in a turn without waiting.
  var atOnce: Int { min(batch, 8) }

  /// True if no view waits.
  var isEmpty: Bool { accounts.isEmpty }

  /// Adds a view.
  mutating func append(_ view: View, of origin: Origin) {
    if lanes[origin]?.append(view) != nil { return }
    lanes[origin] = [view]
    if connections[origin.account]?.append(origin) != nil { return }
    connections[origin.account] = [origin]
    accounts.append(origin.account)
  }

  /// Removes and returns the views of the next batch. Those of a connection stay together, since they share a write.
  mutating func next() -> [View] {
    var views: [View] = []
    while views.count < batch, let account = accounts.popFirst() {
      guard let origin = connections[account]?.popFirst(), var lane = lanes[origin] else { continue }
      lanes[origin] = nil
      let count = min(batch - views.count, lane.count)
      views += lane.prefix(count)
      lane.removeFirst(count)
      if !lane.isEmpty {
        lanes[origin] = lane
        connections[account]?.append(origin)
      }
      if connections[account]?.isEmpty ?? true { connections[account] = nil } else { accounts.append(account) }
    }
    return views
  }

  /// Chooses the size of further batches: as many views as take no longer than `slice`, if as many as in the last batch
  /// took `duration`.
  mutating func took(_ duration: Duration, for count: Int, of slice: Duration) {
    let affordable = duration > .zero ? Int(slice / duration * Double(count)) : Self.largestBatch
    batch = min(max(affordable, 1), Self.largestBatch)
  }
}
