import RPC
import Testing

@Suite("A call")
struct CallTests {
  @Test("carries messages of all sizes both ways, in order", arguments: Cut.allCases)
  func echoes(cut: Cut) throws {
    let pair = try Pair(cut)
    pair.application.onCall = echo
    let sizes = cut == .whole ? [0, 1, 16384, 16379, 65536, 5, 60000] : [0, 1, 300, 5]
    let (call, response) = try pair.start()
    for size in sizes {
      try call.send(message(size))
      pair.exchange()
    }
    call.closeSend()
    pair.exchange()
    #expect(response.messages == sizes.map(message))
    #expect(response.status == .ok)
    #expect(pair.server.openCalls == 0 && pair.client.openCalls == 0)
    #expect(!call.isOpen && pair.application.calls.allSatisfy { !$0.isOpen })
  }

  @Test("carries metadata, text and binary, in both directions, before and after messages", arguments: Cut.allCases)
  func metadata(cut: Cut) throws {
    let pair = try Pair(cut)
    var sent = Metadata()
    try sent.add("x-text", "a, b")
    try sent.add("X-Again", "1")
    try sent.add("x-again", "2")
    for bytes in [[], [0], [0xAB, 0xFF], [1, 2, 3]] as [[UInt8]] { try sent.add("x-some-bin", binary: bytes) }
    pair.application.onCall = { call in
      #expect(call.metadata.entries.filter { $0.name != "user-agent" } == sent.entries)
      #expect(call.path == "/test.Service/Method")
      #expect(call.peer == .localUser(userID: 7, processID: 8))
      call.sendInitialMetadata(sent)
      call.onHalfClose = { $0.finish(.ok, trailers: sent) }
    }
    let response = try pair.ask([], metadata: sent)
    #expect(response.initial == sent)
    #expect(response.end?.trailers == sent)
  }

  @Test(
    "delivers its status, with any message and details, alone or after messages",
    arguments: [
      Status(.notFound), Status(.internal, "100% sure"), Status(.aborted, "naïve – 😀\n\t\"quoted\"\r"),
      Status(.unknown, " edges "), Status(StatusCode(rawValue: 77), "of no kind"),
      Status(.dataLoss, "more", details: [0, 1, 2, 255]),
    ], [0, 2])
  func status(status: Status, messages: Int) throws {
    let pair = try Pair(.bytes)
    pair.application.onCall = { call in
      for _ in 0..<messages { try? call.send([1]) }
      call.finish(status)
    }
    let response = try pair.ask([1])
    #expect(response.status == status)
    #expect(response.messages.count == messages)
    #expect((response.initial == nil) == (messages == 0), "an error without messages is sent in trailers only")
  }

  @Test("ended early by its server stops its client without an error")
  func earlyEnd() throws {
    let pair = try Pair()
    pair.application.onCall = { $0.finish(Status(.permissionDenied, "no")) }
    let (call, response) = try pair.start()
    pair.exchange()
    #expect(response.status == Status(.permissionDenied, "no"))
    #expect(throws: SendError.callEnded) { try call.send([1]) }
    #expect(pair.server.openCalls == 0)
  }

  @Test("cancelled by its client is reported to its server once", arguments: Cut.allCases)
  func cancel(cut: Cut) throws {
    let pair = try Pair(cut)
    var interruptions: [CallInterruption] = []
    pair.application.onCall = { $0.onInterrupted = { interruptions.append($1) } }
    let (call, response) = try pair.start()
    pair.exchange()
    call.cancel()
    call.cancel()
    #expect(response.status?.code == .cancelled)
    pair.exchange()
    #expect(interruptions == [.cancelledByClient(errorCode: 8)])
    let served = try #require(pair.application.calls.first)
    #expect(!served.isOpen)
    #expect(throws: SendError.callEnded) { try served.send([1]) }
    served.finish()
    pair.exchange()
  }

  @Test(
    "with queued responses ends when its server revokes its authorization; others continue",
    arguments: Cut.allCases)
  func revoked(cut: Cut) throws {
    let pair = try Pair(cut)
    var interruptions: [CallInterruption] = []
    pair.application.onCall = { call in
      call.onInterrupted = { interruptions.append($1) }
      call.onMessage = { call, message in try? call.send(message) }
    }
    let (call, response) = try pair.start("/test.Service/Revoked")
    let (other, otherResponse) = try pair.start("/test.Service/Other")
    try call.send([1])
    pair.exchange()
    let waiting = try #require(pair.application.calls.first)
    try waiting.send([2])
    let status = Status(.unauthenticated, "the token was taken back")
    pair.server.endCalls(with: status) { $0.path.hasSuffix("Revoked") }
    #expect(interruptions == [.refused(status)] && !waiting.isOpen)
    try other.send([3])
    pair.exchange()
    #expect(response.messages == [[1]] && response.status == status)
    #expect(otherResponse.messages == [[3]] && otherResponse.status == nil)
  }

  @Test("ends at its deadline on both sides, each by its own clock")
  func deadline() throws {
    let pair = try Pair()
    var interruptions: [CallInterruption] = []
    pair.application.onCall = { $0.onInterrupted = { interruptions.append($1) } }
    let (_, response) = try pair.start(timeout: .milliseconds(1500))
    pair.exchange()
    #expect(pair.application.calls.first?.deadline == pair.now + .milliseconds(1500))
    #expect(pair.server.nextDeadline == pair.now + .milliseconds(1500))
    pair.now += .milliseconds(1499)
    pair.server.timeReached(pair.now)
    #expect(interruptions == [])
    pair.now += .milliseconds(1)
    pair.server.timeReached(pair.now)
    #expect(interruptions == [.deadlineExceeded])
    pair.exchange()
    #expect(response.status?.code == .deadlineExceeded)
    #expect(pair.client.nextDeadline == nil)
  }

  @Test("ends at its deadline even if its server sends nothing")
  func clientDeadline() throws {
    let pair = try Pair()
    let (_, response) = try pair.start(timeout: .seconds(1))
    pair.toServer()
    pair.now += .seconds(1)
    pair.client.timeReached(pair.now)
    #expect(response.status?.code == .deadlineExceeded)
  }

  @Test("that was finished is reset at its deadline if its client does not read its last message")
  func deadlineWhileFinishing() throws {
    var limits = ConnectionLimits()
    limits.streams.windowBytes = 100
    let pair = try Pair(clientLimits: limits)
    pair.application.onCall = { call in
      try? call.send(message(1000))
      call.finish()
    }
    let (call, response) = try pair.start(timeout: .seconds(1))
    call.receiveByHand(allowance: -1)
    pair.exchange()
    #expect(response.status == nil)
    #expect(pair.server.openCalls == 1)
    pair.now += .seconds(1)
    pair.server.timeReached(pair.now)
    pair.exchange()
    #expect(pair.server.openCalls == 0)
    #expect(pair.server.nextDeadline == pair.now + limits.times.idle)
  }

  @Test(
    "ends if an expected message does not arrive in time, and not if it does",
    arguments: [false, true])
  func expectation(arrives: Bool) throws {
    let pair = try Pair()
    let late = Status(.deadlineExceeded, "no hello")
    pair.application.onCall = { $0.expectMessage(within: .seconds(5), or: late) }
    let (call, response) = try pair.start()
    pair.exchange()
    #expect(pair.server.nextDeadline == pair.now + .seconds(5))
    if arrives { try call.send([1]) }
    pair.exchange()
    pair.now += .seconds(5)
    pair.server.timeReached(pair.now)
    pair.exchange()
    #expect(response.status == (arrives ? nil : late))
  }

  @Test(
    "is given up with its status, or with an equivalent reset if part of a message is stuck",
    arguments: [false, true])
  func givenUp(isStuck: Bool) throws {
    var limits = ConnectionLimits()
    limits.streams.windowBytes = 100
    let pair = try Pair(clientLimits: limits)
    pair.application.onCall = { call in try? call.send(message(isStuck ? 1000 : 10)) }
    let (call, response) = try pair.start()
    call.receiveByHand(allowance: -1)
    pair.exchange()
    let server = try #require(pair.application.calls.first)
    #expect(server.sentBytes == (isStuck ? 100 : 15))
    server.giveUp(Status(.resourceExhausted, "stalled"))
    pair.exchange()
    #expect(response.status?.code == .resourceExhausted)
    #expect(pair.server.openCalls == 0)
  }

  @Test("ends on both sides when the connection is lost")
  func lost() throws {
    let pair = try Pair()
    var interruptions: [CallInterruption] = []
    pair.application.onCall = { $0.onInterrupted = { interruptions.append($1) } }
    let (_, response) = try pair.start()
    pair.exchange()
    pair.server.connectionLost()
    pair.server.connectionLost()
    #expect(interruptions == [.connectionLost])
    pair.client.connectionLost("the cable was cut")
    #expect(response.status == Status(.unavailable, "the cable was cut"))
    #expect(throws: Status.self) { try pair.start() }
    #expect(pair.server.wantsClose && pair.client.wantsClose)
  }

  @Test("above the server's stream limit waits in the client until there is room")
  func concurrency() throws {
    var limits = ConnectionLimits()
    limits.streams.concurrent = 2
    let pair = try Pair(serverLimits: limits)
    var responses: [Response] = []
    pair.exchange()
    for _ in 0..<5 {
      let (call, response) = try pair.start()
      call.closeSend()
      responses.append(response)
    }
    pair.exchange()
    #expect(pair.application.calls.count == 2)
    var served = 0
    while served < pair.application.calls.count {
      pair.application.calls[served].finish()
      served += 1
      pair.exchange()
    }
    #expect(responses.map(\.status) == Array(repeating: .ok, count: 5))
  }

  @Test("announces output once, until it is taken")
  func announcements() throws {
    let pair = try Pair()
    pair.application.onCall = echo
    let (call, _) = try pair.start()
    pair.exchange()
    var announced = 0
    pair.server.onOutput = { announced += 1 }
    let served = try #require(pair.application.calls.first)
    try served.send([1])
    try served.send([2])
    #expect(announced == 1)
    pair.toClient()
    #expect(!pair.server.hasOutput)
    try served.send([3])
    #expect(announced == 2)
    call.cancel()
  }
}
