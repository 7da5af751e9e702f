internal import RPC
internal import UV

/// Sends the responses requested on one streaming call, in order and with their pauses.
///
/// It pulls: each response is created when it can be sent. It lives as long as the call's callbacks, which retain it.
final class StreamResponder {
  /// Responses that may be requested ahead of those sent.
  private static let maximumPending = 10_000

  /// The state of the pause before the next response. The call may be woken for other reasons meanwhile.
  private enum Pause {
    case notBegun
    case running
    case over
  }

  private let call: ServerCall
  private var timer: UV.Timer?
  private var pending: [TestMessages.ResponseParameters] = []
  private var next = 0
  private var pause = Pause.notBegun
  private var isEnding = false

  /// Responds on a call, from its first request on or once all requests have arrived.
  init(loop: Loop, call: ServerCall, startsAtEnd: Bool = false) {
    self.call = call
    // Without a timer, if memory is short, pauses are skipped.
    timer = try? UV.Timer(loop: loop) { [weak self] in self?.pauseEnded() }
    call.onInterrupted = { _, _ in self.stop() }
    if !startsAtEnd { start() }
  }

  private func start() { call.onReadyToSend = { _ in self.nextResponse() } }

  private func stop() {
    timer?.close()
    pending = []
  }

  /// Adds the responses of one request.
  func add(_ bytes: [UInt8]) {
    guard let request = TestMessages.StreamingOutputCallRequest(decoding: bytes) else {
      return finish(TestService.undecodable)
    }
    if let status = request.responseStatus, status.code != 0 {
      return finish(Status(StatusCode(rawValue: status.code), status.message))
    }
    guard request.responses.allSatisfy({ (0...TestService.messageLimitBytes).contains($0.size) }) else {
      return finish(TestService.badSize)
    }
    guard pending.count - next + request.responses.count <= StreamResponder.maximumPending else {
      return finish(Status(.resourceExhausted, "more than \(StreamResponder.maximumPending) responses are waiting"))
    }
    pending += request.responses
    call.wake()
  }

  /// Finishes the call after the last response, since no more requests will come.
  func endAfterLast() {
    isEnding = true
    if call.onReadyToSend == nil { start() }
    call.wake()
  }

  private func finish(_ status: Status) {
    let trailers = TestService.trailers(call)
    call.finish(status, trailers: trailers)
    stop()
  }

  private func pauseEnded() {
    pause = .over
    call.wake()
  }

  private func nextResponse() -> Pull {
    guard next < pending.count else {
      pending = []
      next = 0
      guard isEnding else { return .wait }
      stop()
      return .finish(.ok, trailers: TestService.trailers(call))
    }
    let response = pending[next]
    if response.intervalMicroseconds > 0, pause != .over, let timer, timer.isOpen {
      if pause == .notBegun { timer.arm(after: .microseconds(response.intervalMicroseconds)) }
      pause = .running
      return .wait
    }
    pause = .notBegun
    next += 1
    return .message(TestMessages.response(payloadSize: response.size))
  }
}
