// The checks of requests that go on after their headers.

extension ServerConnection {
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
