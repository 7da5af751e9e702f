// What a transport needs to decide which connections to accept and which to end.

extension ServerConnection {
  /// The number of open calls.
  public var openCalls: Int { calls.count }

  /// Heap bytes of the HTTP/2 session; at most `ConnectionLimits.Floods.memoryBytes`.
  public var sessionMemoryBytes: Int { session.memoryBytes }

  /// True if an open call has not been answered. Answered calls that the client leaves open do not count: otherwise an
  /// unauthenticated client could keep its connection forever with refused calls. Linear in the number of open calls.
  public var isServing: Bool { calls.values.contains { $0.isOpen } }

  /// Ends the connection at once, and sends the client `reason` with the GOAWAY.
  public func reject(_ reason: String) {
    session.fail(HTTP2Session.ErrorCode.enhanceYourCalm, reason)
    failed()
  }

  /// Returns the bytes sent to a client that gets no connection: SETTINGS, which come before anything else (RFC 9113,
  /// section 3.4), and a GOAWAY with `reason`.
  public static func refusal(_ reason: String) -> [UInt8] {
    [0, 0, 0, 4, 0, 0, 0, 0, 0] + HTTP2Session.goAway(lastStream: 0, HTTP2Session.ErrorCode.enhanceYourCalm, reason)
  }

  // MARK: Requests that go on after their headers

  /// Carries out what the body of a request calls for. Returns false if the request is malformed.
  func carryOut(_ action: RequestBodies.Action, on stream: Int32) -> Bool {
    switch action {
    case .none: break
    case .refuse:
      refuseMalformed(stream)
      return false
    case .answer(let httpStatus):
      session.respond(stream, [HeaderField(":status", httpStatus)], hasBody: false)
    }
    return true
  }

  /// Resets the stream of a malformed request (RFC 9113, section 8.1.1). Its call ends at once, so that the handler
  /// never takes what has arrived of it for a complete request.
  func refuseMalformed(_ stream: Int32) {
    bodies.remove(stream)
    session.reset(stream, HTTP2Session.ErrorCode.protocolError)
    remove(stream)?.streamLost(.cancelledByClient(errorCode: HTTP2Session.ErrorCode.protocolError))
  }
}
