/// Clients of whom nothing is known before a call shows who they are.
extension ServerConnection {
  /// A call has shown who is at the other end.
  func vouch() {
    guard !isVouchedFor else { return }
    isVouchedFor = true
    strangerDeadline = nil
    let callback = onVouchedFor
    onVouchedFor = nil
    callback?(self)
  }

  /// Whether a call is open that has not been answered. What the client leaves open of one that has been is not looked
  /// at: a stranger's refused calls would keep its connection for ever. Linear in the number of open calls.
  public var isServing: Bool { calls.values.contains { $0.isOpen } }

  /// The time is over in which a stranger might have shown who it is: unless a call of it is being answered, the
  /// connection ends in good order.
  func strangerIsLate() {
    guard !isServing else { return strangerDeadline = limits.strangerTimeout.map { now + $0 } }
    strangerDeadline = nil
    shutDown(grace: .zero, at: now)
  }

  /// Ends the connection at once, and tells the client `reason` with the GOAWAY.
  public func turnAway(_ reason: String) {
    session.fail(HTTP2Session.ErrorCode.enhanceYourCalm, reason)
    failed()
  }

  /// What somebody is sent who gets no connection: SETTINGS, which come before anything else (RFC 9113, section 3.4),
  /// and a GOAWAY with `reason`.
  public static func refusal(_ reason: String) -> [UInt8] {
    [0, 0, 0, 4, 0, 0, 0, 0, 0] + HTTP2Session.goAway(lastStream: 0, HTTP2Session.ErrorCode.enhanceYourCalm, reason)
  }
}
