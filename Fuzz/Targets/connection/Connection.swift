internal import FuzzSupport
internal import RPC

/// Replies to each message with the same message.
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

/// Fuzzes `ServerConnection.receive`. Byte 0 is the size of the pieces (0: one piece). Byte 1 is even if a valid preface
/// comes first, and below 128 if the client reads replies. The client's bytes follow. A connection keeps its limits, and
/// all its calls end with it.
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
    require(server.openCalls <= Int(limits.streams.concurrent), "too many calls are open")
    require(server.sessionMemoryBytes <= limits.floods.memoryBytes, "the session uses too much memory")
    if server.wantsClose { break }
    now += .milliseconds(10)
    if let deadline = server.nextDeadline, deadline <= now { server.timeReached(now) }
  }
  server.connectionLost()
  require(server.openCalls == 0 && echo.calls.allSatisfy { !$0.isOpen }, "a call outlives its connection")
  return 0
}
