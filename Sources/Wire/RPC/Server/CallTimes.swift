/// The times at which a call is ended from outside.
struct CallTimes {
  /// The time by which the client wants its response; nil for any.
  let deadline: Duration?
  private let lingerTimeout: Duration
  /// The time by which a message or the end of the client's half must arrive, and the status that ends the call
  /// otherwise.
  private var expectation: (until: Duration, status: Status)?
  /// The time at which the end was first seen to wait for the client, since bytes were last sent.
  private var lingersSince: Duration?

  /// - Parameter lingerTimeout: time after which a finished call ends if its client reads none of the rest.
  init(deadline: Duration?, lingerTimeout: Duration) {
    self.deadline = deadline
    self.lingerTimeout = lingerTimeout
  }

  /// Ends the call with `status` unless something arrives until then.
  mutating func expectMessage(until time: Duration, or status: Status) { expectation = (time, status) }

  /// What was expected has arrived.
  mutating func expectNothing() { expectation = nil }

  /// Bytes have been sent.
  mutating func bytesMoved() { lingersSince = nil }

  /// Returns the time at which something is next due; nil for never.
  ///
  /// - Parameter now: the connection's clock, which may stand still for long: then the result is too early, and that of
  ///   the next time is right.
  func next(isOpen: Bool, isFinishing: Bool, now: Duration) -> Duration? {
    var next = deadline
    func consider(_ time: Duration) { next = min(next ?? time, time) }
    if isOpen, let expectation { consider(expectation.until) }
    if isFinishing { consider((lingersSince ?? now) + lingerTimeout) }
    return next
  }

  /// Returns true if the deadline has passed.
  func isLate(at now: Duration) -> Bool { deadline.map { $0 <= now } ?? false }

  /// Returns the status that ends the call for a message that is late.
  func missedMessage(at now: Duration) -> Status? {
    expectation.flatMap { $0.until <= now ? $0.status : nil }
  }

  /// Returns true if a finished call has waited too long for its client to read the rest.
  mutating func lingersTooLong(at now: Duration) -> Bool {
    guard let since = lingersSince else {
      lingersSince = now
      return false
    }
    return since + lingerTimeout <= now
  }
}
