internal import CUV
internal import Synchronization

/// The only door from another thread to the loop: a bounded queue of `Sendable` values.
///
/// The loop's half is this object; `sender` is the other threads' half. Everything that is in the queue when the loop
/// wakes is delivered in one call, in the order in which it was sent.
public final class Mailbox<Element: Sendable> {
  /// The half that any thread may hold.
  public let sender: Sender
  private let handle: AsyncHandle

  /// Opens a mailbox that keeps the loop running until it is closed.
  ///
  /// - Parameter limit: values that may wait; beyond it `send` refuses, and what to do then is the sender's to decide.
  public init(loop: Loop, limit: Int, _ receive: @escaping ([Element]) -> Void) throws(UVError) {
    handle = try AsyncHandle(loop: loop)
    let sender = Sender(limit: limit, wake: handle.wake)
    self.sender = sender
    handle.onWoken = {
      let elements = sender.takeAll()
      if !elements.isEmpty { receive(elements) }
    }
  }

  /// Whether the mailbox alone keeps `Loop.run()` from returning.
  public var keepsLoopRunning: Bool {
    get { handle.keepsLoopRunning }
    set { handle.keepsLoopRunning = newValue }
  }

  /// Takes what is waiting without a call to `receive`.
  func takeAll() -> [Element] { sender.takeAll() }

  /// Refuses what is sent from now on, and drops what has not been delivered.
  public func close() {
    sender.close()
    handle.close()
  }

  /// The half of a mailbox that any thread may hold.
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

    /// Adds a value, from any thread. False if the mailbox is full or closed: the value is then not delivered.
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
