import RPC
import TestSupport
import Testing

/// A client that writes its own HTTP/2 frames, with a server of its own.
struct RawClient {
  let application: Application
  let server: ServerConnection
  var now = Duration.seconds(1)

  /// Connects to its own application, or to the one given.
  init(
    limits: ConnectionLimits = ConnectionLimits(), budget: CallBudget? = nil, application shared: Application? = nil
  ) throws {
    application = shared ?? Application()
    server = try #require(
      ServerConnection(limits: limits, budget: budget, peer: .unknown, handler: application, at: now))
    if shared == nil { application.onCall = echo }
  }

  /// Returns true if an ordinary call is answered.
  func isServed(stream: UInt32) -> Bool {
    let frames = send(RawHTTP2.call(stream)).filter { $0.stream == stream }
    return frames.of(.data).map(\.payload) == [[0, 0, 0, 0, 1, 7]] && frames.of(.headers).count == 2
  }

  /// Sends bytes, and returns the frames that the server sends in response.
  @discardableResult
  func send(_ bytes: [UInt8]) -> [RawHTTP2.Frame] {
    unsafe server.receive(bytes.span.bytes, at: now)
    return take()
  }

  /// Returns the frames that the server has to send.
  @discardableResult
  func take() -> [RawHTTP2.Frame] {
    var bytes: [UInt8] = []
    while server.takeOutput(into: &bytes, limit: 1 << 20) {}
    return RawHTTP2.frames(in: bytes)
  }
}
