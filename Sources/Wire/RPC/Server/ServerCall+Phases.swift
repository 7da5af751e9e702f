extension ServerCall {
  /// The state of the sending half.
  enum Sending {
    /// No headers sent yet: an error can still be sent in headers alone.
    case idle
    case open
    /// The status is decided, and is sent when the queue is empty.
    case finishing
    case ended
  }

  /// The side that acts next for messages to be sent.
  enum Turn {
    /// The application: it wakes the call when it has something to send.
    case none
    /// The connection: it gives the call its turn when it sends.
    case listed
    /// The client: it opens the window.
    case blocked
    /// Other clients, or this one: they read what the budget is spent on.
    case withoutRoom
  }

  /// The result of asking the application for messages.
  enum PullOutcome {
    /// There may be more than the frame has room for.
    case more
    /// None now.
    case none
    /// None may be made: the budget is spent.
    case withoutRoom
  }
}
