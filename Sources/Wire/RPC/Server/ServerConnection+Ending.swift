// The ways in which a server ends a connection, or all of its calls.

extension ServerConnection {
  /// Records that a call has identified the client.
  func callerIdentified(as peer: Peer) {
    guard authentication.establish(as: peer) else { return }
    let callback = onAuthenticated
    onAuthenticated = nil
    callback?(self, peer)
  }

  /// Handles a client that has not authenticated in time: ends the connection gracefully, unless a call of it is being
  /// served.
  func authenticationTimedOut() {
    guard !isServing else { return authentication.extend(at: now) }
    authentication.expire()
    shutDown(grace: .zero, at: now)
  }

  /// Ends the connection at once, and sends the client `reason` with the GOAWAY.
  public func reject(_ reason: String) {
    session.fail(HTTP2Session.ErrorCode.enhanceYourCalm, reason)
    failed()
  }

  // MARK: Shutting down

  /// Stops accepting calls and lets open ones end by themselves until `grace` has passed: GOAWAY, a ping to know that
  /// it has been seen, then GOAWAY with the last accepted stream (RFC 9113 section 6.8). Idempotent.
  public func shutDown(grace: Duration, at now: Duration) {
    self.now = now
    switch phase {
    case .awaitingPreface:
      terminate(HTTP2Session.ErrorCode.none)
    case .serving:
      phase = .announcedShutDown(until: now + ServerConnection.shutDownStep, callsUntil: now + grace)
      session.announceShutDown()
      session.ping([UInt8(ascii: "s"), UInt8(ascii: "t"), UInt8(ascii: "o"), UInt8(ascii: "p"), 0, 0, 0, 0])
    case .announcedShutDown, .draining, .ending, .closing, .over: break
    }
  }

  func drain(callsUntil: Duration) {
    phase = .draining(callsUntil: callsUntil)
    session.refuseNewStreams()
    if callsUntil <= now { endCalls() }
  }

  func endCalls() {
    phase = .ending(until: now + ServerConnection.shutDownStep)
    for call in callsInOrder {
      call.interrupt(.shutDown, status: Status(.unavailable, "the daemon is shutting down"))
    }
  }

  /// Ends the open calls that satisfy `shouldEnd`, each with `status`. Must not be called from a call's callback. O(n
  /// log n).
  public func endCalls(with status: Status, where shouldEnd: (ServerCall) -> Bool) {
    for call in callsInOrder where shouldEnd(call) { call.interrupt(.refused(status), status: status) }
  }

  func terminate(_ errorCode: UInt32) {
    phase = .closing(until: now + ServerConnection.shutDownStep)
    session.terminate(errorCode)
  }
}
