internal import FuzzSupport
internal import RPC

/// Answers each message with itself.
final class Echo: ServerCallHandler {
  var calls: [ServerCall] = []

  func handle(_ call: ServerCall) {
    calls.append(call)
    call.onMessage = { call, message in
      do { try call.send(message) } catch { call.finish(Status(.resourceExhausted)) }
    }
    call.onHalfClose = { $0.finish() }
  }
}

/// `ServerConnection.receive`: byte 0 is the size of the pieces (0: whole), byte 1 whether a good preface comes first
/// (even) and whether answers are read (below 128); then what the client sends. A connection keeps its limits, and
/// loses every call when it is lost.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
  var input = Input(start, count)
  let size = input.byte()
  let mode = input.byte()
  let limits = ConnectionLimits()
  let echo = Echo()
  guard let server = ServerConnection(limits: limits, peer: .unknown, handler: echo, at: .zero) else { return 0 }
  var output: [UInt8] = []
  var now = Duration.zero
  let preface = mode % 2 == 0 ? Array("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".utf8) + [0, 0, 0, 4, 0, 0, 0, 0, 0] : []
  for piece in Input.pieces(preface + input.all(), size: size) {
    server.receive(piece.span.bytes, at: now)
    if mode < 128 {
      output.removeAll(keepingCapacity: true)
      server.takeOutput(into: &output, limit: 1 << 16)
    }
    law(server.openCalls <= Int(limits.streams.concurrent), "more calls are open than may be")
    law(server.sessionMemoryBytes <= limits.floods.memoryBytes, "the session has more memory than it may have")
    if server.wantsClose { break }
    now += .milliseconds(10)
    if let deadline = server.nextDeadline, deadline <= now { server.timeReached(now) }
  }
  server.connectionLost()
  law(server.openCalls == 0 && echo.calls.allSatisfy { !$0.isOpen }, "a call outlives its connection")
  return 0
}
