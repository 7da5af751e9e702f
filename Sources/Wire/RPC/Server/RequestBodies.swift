/// The bodies of requests that have to be measured: those with a `content-length`, and those that are not gRPC, which
/// get an HTTP status once they are complete. Nothing is kept of other requests.
struct RequestBodies {
  /// The action that a body calls for.
  enum Action: Equatable {
    /// Go on.
    case none
    /// Reset the stream: the body does not have its declared length (RFC 9113, section 8.1.1).
    case refuse
    /// Respond with this HTTP status.
    case answer(httpStatus: String)
  }

  private struct Body {
    let declaredBytes: Int?
    /// The status to respond with; nil for a call, or once it has been sent.
    var pendingStatus: String?
    var receivedBytes = 0
  }

  /// Bytes of a body after which a request that is not gRPC gets its status without waiting for the end.
  static let patienceBytes = 65536

  private var bodies: [Int32: Body] = [:]

  /// Begins measuring a body that is still to come, if there is a reason to.
  mutating func begin(_ stream: Int32, declaredBytes: Int?, httpStatus: String? = nil) {
    guard declaredBytes != nil || httpStatus != nil else { return }
    bodies[stream] = Body(declaredBytes: declaredBytes, pendingStatus: httpStatus)
  }

  /// Counts bytes of a body, without padding.
  mutating func add(_ byteCount: Int, to stream: Int32) -> Action {
    guard var body = bodies[stream] else { return .none }
    body.receivedBytes += byteCount
    defer { bodies[stream] = body }
    if let declared = body.declaredBytes, body.receivedBytes > declared { return .refuse }
    guard let httpStatus = body.pendingStatus, body.receivedBytes > RequestBodies.patienceBytes else { return .none }
    body.pendingStatus = nil
    return .answer(httpStatus: httpStatus)
  }

  /// Ends measuring a body that is complete.
  mutating func complete(_ stream: Int32) -> Action {
    guard let body = bodies.removeValue(forKey: stream) else { return .none }
    if let declared = body.declaredBytes, body.receivedBytes != declared { return .refuse }
    return body.pendingStatus.map { .answer(httpStatus: $0) } ?? .none
  }

  /// Stops measuring a body. Returns false if it was complete, or was not measured.
  @discardableResult
  mutating func remove(_ stream: Int32) -> Bool { bodies.removeValue(forKey: stream) != nil }
}
