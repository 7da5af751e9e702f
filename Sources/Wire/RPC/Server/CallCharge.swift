/// What one call is counted with in the budget: the bytes of its queue, or of the response that is expected of it if
/// those are more, and what it holds of requests. Holds the making of a response back until there is room.
struct CallCharge {
  /// A response that is made once there is room.
  struct Response {
    /// The size that is expected.
    let expectedBytes: Int
    /// Bytes of the request, which is kept for it.
    let requestBytes: Int
    let make: () -> Void
  }

  /// The account that the call is counted for.
  private(set) var account: CallBudget.Account
  /// Bytes of the queue when they were last counted.
  private(set) var queuedBytes = 0
  /// Bytes of requests that have arrived and are not consumed, when they were last counted.
  private(set) var heldBytes = 0
  /// Bytes of the response that is expected; 0 before there is room for it, and after it was made.
  private var expectedBytes = 0
  /// The response that waits for room.
  private var waiting: Response?

  init(for account: CallBudget.Account) { self.account = account }

  private var bytes: Int { max(queuedBytes, expectedBytes) }

  /// Counts `queued` bytes instead of those of the last time.
  mutating func update(queued: Int, in share: ConnectionShare) {
    let before = (bytes, queuedBytes)
    queuedBytes = queued
    share.add(bytes - before.0, unread: queued - before.1, to: account)
  }

  /// Counts `held` bytes of requests instead of those of the last time. Returns false if that is more and there is no
  /// room for it.
  mutating func update(held: Int, in share: ConnectionShare) -> Bool {
    let change = held - heldBytes
    heldBytes = held
    return share.hold(change, for: account)
  }

  /// Counts the call for another account from now on.
  mutating func move(to other: CallBudget.Account, in share: ConnectionShare) {
    guard other !== account else { return }
    if bytes > 0 {
      share.add(-bytes, unread: 0, to: account)
      share.add(bytes, unread: 0, to: other)
    }
    if heldBytes > 0 {
      _ = share.hold(-heldBytes, for: account)
      _ = share.hold(heldBytes, for: other)
    }
    account = other
  }

  /// Holds a response back until `waiter` is told of room.
  ///
  /// - Throws: `queueFull` if too many bytes of requests are kept already.
  mutating func hold(
    _ response: Response, of waiter: any BudgetWaiter, in share: ConnectionShare
  ) throws(SendError) {
    guard share.keepRequest(response.requestBytes) else { throw .queueFull }
    waiting = response
    share.enqueue(waiter)
  }

  /// Counts a response, which is to be made now.
  mutating func expect(_ response: Response, in share: ConnectionShare) { expect(response.expectedBytes, in: share) }

  /// Counts the response that was held back, and returns it, to be made now; nil if there was none.
  mutating func release(in share: ConnectionShare) -> Response? {
    guard let response = waiting else { return nil }
    waiting = nil
    share.releaseRequest(response.requestBytes)
    expect(response, in: share)
    return response
  }

  /// Expects no response any more, whether one was made or not.
  mutating func expectNothing(in share: ConnectionShare) {
    if let waiting { share.releaseRequest(waiting.requestBytes) }
    waiting = nil
    expect(0, in: share)
  }

  private mutating func expect(_ bytes: Int, in share: ConnectionShare) {
    guard bytes != expectedBytes else { return }
    let before = self.bytes
    expectedBytes = bytes
    share.add(self.bytes - before, unread: 0, to: account)
  }
}
