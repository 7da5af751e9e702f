internal import CUV
internal import Synchronization

/// The only way from another thread to the loop: a bounded queue of `Sendable` values.
///
/// This object is the loop's end; `sender` is the end for other threads. All values queued when the loop wakes are
/// delivered in one call, in the order in which they were sent.
public final class Mailbox<Element: Sendable> {
  /// The end that any thread may hold.
  public let sender: Sender
  private let handle: AsyncHandle

  /// Opens a mailbox that keeps the loop running until it is closed.
  ///
  /// - Parameter limit: maximum number of queued values; `send` refuses more, and the sender decides what to do then.
  public init(loop: Loop, limit: Int, _ receive: @escaping ([Element]) -> Void) throws(UVError) {
    handle = try AsyncHandle(loop: loop)
    let sender = Sender(limit: limit, wake: handle.wake)
    self.sender = sender
    handle.onWoken = {
      let elements = sender.takeAll()
      if !elements.isEmpty { receive(elements) }
    }
  }

  /// True if the mailbox alone keeps `Loop.run()` from returning.
  public var keepsLoopRunning: Bool {
    get { handle.keepsLoopRunning }
    set { handle.keepsLoopRunning = newValue }
  }

  /// Removes and returns the queued values without calling `receive`.
  func takeAll() -> [Element] { sender.takeAll() }

  /// Refuses further values, and drops those not yet delivered.
  public func close() {
    sender.close()
    handle.close()
  }

  /// The end of a mailbox that any thread may hold.
  public final class Sender: Sendable {
    private struct State {
      var queue: [Element] = []
      var isClosed = false
    }

    private let state = Mutex(State())
    private let limit: Int
    private let wake: WakeUp

    fileprivate init(limit: Int, wake: WakeUp) {
      self.limit = limit
      self.wake = wake
    }

    /// Adds a value, from any thread. Returns false, and drops the value, if the mailbox is full or closed.
    public func send(_ element: Element) -> Bool {
      let wasAdded = state.withLock { state -> (added: Bool, first: Bool) in
        guard !state.isClosed, state.queue.count < limit else { return (false, false) }
        state.queue.append(element)
        return (true, state.queue.count == 1)
      }
      if wasAdded.first { wake.wake() }
      return wasAdded.added
    }

    fileprivate func takeAll() -> [Element] {
      state.withLock { state in
        let queue = state.queue
        state.queue = []
        return queue
      }
    }

    fileprivate func close() {
      wake.disconnect()
      state.withLock { state in
        state.isClosed = true
        state.queue = []
      }
    }
  }
}
