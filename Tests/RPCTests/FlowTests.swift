import RPC
import Testing

@Suite("Flow control")
struct FlowTests {
  /// Limits of a client that accepts little at a time.
  private static func narrow(_ window: Int32) -> ConnectionLimits {
    var limits = ConnectionLimits()
    limits.streams.windowBytes = window
    return limits
  }

  @Test("asks a pulling call for a message only when there is room, and queues none", arguments: Cut.allCases)
  func pull(cut: Cut) throws {
    let pair = try Pair(cut, clientLimits: FlowTests.narrow(100))
    var made = 0
    pair.application.onCall = { call in
      call.onReadyToSend = { _ in
        made += 1
        return .message(message(45))
      }
    }
    let (call, response) = try pair.start()
    call.receiveByHand(allowance: 0)
    pair.exchange()
    // Two messages of 50 bytes on the wire fill the window of 100.
    #expect(made == 2)
    #expect(response.messages.count == 2)
    call.consume(45)
    pair.exchange()
    #expect(made == 2, "one message is still unconsumed")
    call.consume(45)
    pair.exchange()
    #expect(made == 4)
    #expect(pair.application.calls.first?.queuedBytes == 0)
    call.cancel()
  }

  @Test("does not ask a pulling call between wait and wake")
  func waitAndWake() throws {
    let pair = try Pair()
    var asked = 0
    var ready: [[UInt8]] = []
    var isDone = false
    pair.application.onCall = { call in
      call.onReadyToSend = { _ in
        asked += 1
        if let next = ready.first {
          ready.removeFirst()
          return .message(next)
        }
        return isDone ? .finish(Status(.outOfRange, "all gone"), trailers: Metadata()) : .wait
      }
    }
    let (_, response) = try pair.start()
    pair.exchange()
    #expect(asked == 1)
    #expect(response.initial != nil, "the headers leave at once")
    pair.exchange()
    #expect(asked == 1)
    ready = [[1], [2]]
    let served = try #require(pair.application.calls.first)
    served.wake()
    served.wake()
    pair.exchange()
    #expect(response.messages == [[1], [2]])
    isDone = true
    served.wake()
    pair.exchange()
    #expect(response.status == Status(.outOfRange, "all gone"))
  }

  @Test("refuses a push beyond the queue limit, and accepts it when there is room again")
  func pushLimit() throws {
    let pair = try Pair(clientLimits: FlowTests.narrow(100))
    pair.application.onCall = { $0.queueLimitBytes = 500 }
    let (call, response) = try pair.start()
    call.receiveByHand(allowance: 0)
    pair.exchange()
    let served = try #require(pair.application.calls.first)
    var taken = 0
    while (try? served.send(message(95))) != nil { taken += 1 }
    #expect(taken == 5)
    #expect(throws: SendError.queueFull) { try served.send(message(95)) }
    pair.exchange()
    #expect(response.messages.count == 1)
    for _ in 0..<taken {
      call.consume(95)
      pair.exchange()
    }
    #expect(response.messages.count == taken)
    #expect(served.queuedBytes == 0)
    try served.send(message(5000))
    #expect(throws: SendError.queueFull) { try served.send([1]) }
    call.cancel()
  }

  @Test("holds back the client of a slow call, and no other", arguments: Cut.allCases)
  func receiveByHand(cut: Cut) throws {
    let pair = try Pair(cut, serverLimits: FlowTests.narrow(1000))
    var received = 0
    pair.application.onCall = { call in
      if pair.application.calls.count > 1 { return echo(call) }
      call.receiveByHand(allowance: 1000)
      call.onMessage = { _, bytes in received += bytes.count }
      call.onHalfClose = { $0.finish() }
    }
    // Until a client has seen the server's SETTINGS, its window is HTTP/2's own 65,535 bytes.
    pair.exchange()
    let (upload, response) = try pair.start()
    var sent = 0
    upload.onReadyToSend = { _ in
      guard sent < 20_000 else { return .close }
      sent += 500
      return .message(message(500))
    }
    pair.exchange()
    // The allowance, the message that crossed it, and the window that was still open.
    #expect((1000...3000).contains(received))
    let stalled = received
    #expect(try pair.ask([1]).status == .ok, "other calls of the connection go on")
    #expect(received == stalled)
    let served = try #require(pair.application.calls.first)
    while response.status == nil {
      let before = received
      served.consume(received)
      pair.exchange()
      try #require(received > before || response.status != nil, "the upload stalled for good")
    }
    #expect(received == 20_000)
    #expect(response.status == .ok)
  }

  @Test("lets a message larger than the window arrive, even when messages are consumed manually")
  func largeMessage() throws {
    let pair = try Pair(.random, serverLimits: FlowTests.narrow(1000))
    pair.application.onCall = { call in
      call.receiveByHand(allowance: 0)
      call.messageLimitBytes = 100_000
      call.onMessage = { call, bytes in
        #expect(bytes == message(100_000))
        call.consume(bytes.count)
      }
      call.onHalfClose = { $0.finish() }
    }
    #expect(try pair.ask(message(100_000)).status == .ok)
  }

  @Test("takes no more output at a time than requested, and loses none", arguments: [1, 100, 20_000])
  func outputLimit(limit: Int) throws {
    var limits = ConnectionLimits()
    limits.streams.windowBytes = 1 << 20
    let pair = try Pair(clientLimits: limits)
    pair.outputLimit = limit
    pair.application.onCall = echo
    let calls = try (0..<5).map { _ in try pair.start() }
    for (call, _) in calls {
      try call.send(message(30_000))
      call.closeSend()
    }
    pair.exchange()
    for (_, response) in calls {
      #expect(response.messages == [message(30_000)])
      #expect(response.status == .ok)
    }
  }

  @Test("survives a cancel, from either end, between the promise of bytes and their sending", arguments: [true, false])
  func cancelWhilePromised(byClient: Bool) throws {
    var limits = ConnectionLimits()
    limits.streams.windowBytes = 1 << 20
    let pair = try Pair(serverLimits: limits, clientLimits: limits)
    pair.application.onCall = { call in
      if !byClient { try? call.send(message(60_000)) }
    }
    pair.exchange()
    pair.outputLimit = 1
    let (call, response) = try pair.start(timeout: .seconds(5))
    if byClient { try call.send(message(60_000)) }
    // One frame at a time, so that the next DATA frame is announced to nghttp2 and not yet written.
    func waiting() -> Int { byClient ? call.queuedBytes : pair.application.calls.first?.queuedBytes ?? 60_005 }
    while waiting() == 60_005 { try #require(pair.toServer() || pair.toClient()) }
    #expect(waiting() > 0)
    if byClient {
      call.cancel()
    } else {
      pair.now += .seconds(5)
      pair.server.timeReached(pair.now)
    }
    pair.exchange()
    #expect(response.status?.code == (byClient ? .cancelled : .deadlineExceeded))
    #expect(pair.application.calls.map(\.isOpen) == [false])
    pair.application.onCall = echo
    #expect(try pair.ask([1, 2, 3]).messages == [[1, 2, 3]], "the connection is still in step")
  }
}
