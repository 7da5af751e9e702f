import RPC
import TestSupport
import Testing

private typealias Code = RawHTTP2.ErrorCode

/// Something small that a client repeats.
struct Flood: Sendable, CustomTestStringConvertible {
  var name: String
  /// The bytes sent once, after the preface.
  var opening: [UInt8] = []
  /// The bytes sent in each step; the argument counts from 0.
  var step: @Sendable (UInt32) -> [UInt8]
  /// True if the client reads the server's output.
  var reads = true
  /// The time each step takes.
  var time = Duration.zero
  /// The number of steps that end the connection.
  var steps: ClosedRange<Int>
  /// The reason in the GOAWAY beside ENHANCE_YOUR_CALM.
  var reason: String

  var testDescription: String { name }

  private typealias Raw = RawHTTP2

  /// The n-th stream that a client opens.
  private static func stream(_ step: UInt32) -> UInt32 { 2 * step + 1 }

  private static let resets = "too many streams ended with an error"
  private static let overhead = "too many frames without payload"
  private static let unread = "acknowledgements of SETTINGS and PING are not being read"
  private static let pieces = "a header block has too many CONTINUATION frames"

  static let all = [
    Flood(
      name: "rapid reset (CVE-2023-44487)",
      step: { Raw.open(stream($0)) + Raw.frame(.reset, stream: stream($0), Raw.word(8)) },
      steps: 200...202, reason: resets),
    Flood(
      name: "rapid reset without an error",
      step: { Raw.open(stream($0)) + Raw.frame(.reset, stream: stream($0), Raw.word(0)) },
      steps: 200...202, reason: resets),
    Flood(
      name: "rapid reset without an error, of malformed requests",
      step: { Raw.open(stream($0), [("te", "gzip")]) + Raw.frame(.reset, stream: stream($0), Raw.word(0)) },
      steps: 200...202, reason: resets),
    Flood(
      name: "deadlines that have passed", step: { Raw.open(stream($0), [("grpc-timeout", "1n")]) },
      time: .milliseconds(1), steps: 200...202, reason: resets),
    Flood(
      name: "resets provoked by the client (CVE-2025-8671)",
      step: { Raw.open(stream($0)) + Raw.frame(.windowUpdate, stream: stream($0), Raw.word(0x7FFF_FFFF)) },
      steps: 200...202, reason: resets),
    Flood(
      name: "malformed requests", step: { Raw.open(stream($0), [("te", "gzip")]) }, steps: 200...202, reason: resets
    ),
    Flood(
      name: "malformed requests, responses unread", step: { Raw.open(stream($0), [("te", "gzip")]) },
      reads: false,
      steps: 200...400, reason: resets),
    Flood(
      name: "more streams than allowed, responses unread", step: { Raw.open(stream($0)) }, reads: false,
      steps: 328...330, reason: resets),
    Flood(
      name: "requests that are not gRPC and do not end", step: { Raw.open(stream($0), [(":method", "GET")]) },
      steps: 328...330, reason: resets),
    Flood(
      name: "CONTINUATION (CVE-2024-28182)", opening: Raw.frame(.headers, stream: 1, Raw.request()),
      step: { _ in Raw.frame(.continuation, stream: 1, Raw.field("a", "b")) }, steps: 72...74, reason: pieces),
    Flood(
      name: "CONTINUATION without a byte", opening: Raw.frame(.headers, stream: 1),
      step: { _ in Raw.frame(.continuation, stream: 1) }, steps: 72...74, reason: pieces),
    Flood(
      name: "SETTINGS", step: { _ in Raw.frame(.settings, Raw.setting(3, 7)) }, steps: 4000...5000, reason: overhead),
    Flood(
      name: "SETTINGS, acknowledgements unread", step: { _ in Raw.frame(.settings) }, reads: false, steps: 99...102,
      reason: unread),
    Flood(
      name: "PING", step: { _ in Raw.frame(.ping, Raw.word(0) + Raw.word(0)) }, steps: 5...5, reason: "too_many_pings"),
    Flood(
      name: "acknowledgements without a PING", step: { _ in Raw.frame(.ping, flags: 1, Raw.word(0) + Raw.word(0)) },
      steps: 3500...4000, reason: overhead),
    Flood(
      name: "WINDOW_UPDATE", step: { _ in Raw.frame(.windowUpdate, Raw.word(1)) }, steps: 4500...5500, reason: overhead),
    Flood(
      name: "WINDOW_UPDATE of a stream", opening: Raw.open(1),
      step: { _ in Raw.frame(.windowUpdate, stream: 1, Raw.word(1)) },
      steps: 4500...5500, reason: overhead),
    Flood(
      name: "frames without payload, after headers that expand to the same size",
      opening: Raw.frame(
        .headers, flags: 5, stream: 1,
        Raw.request() + [0x40] + Raw.field("x", String(repeating: "y", count: 3900)).dropFirst()),
      step: {
        Raw.frame(.headers, flags: 5, stream: stream($0 + 1), Raw.request() + [0xBE])
          + Raw.frame(.unknown, message(3600))
      },
      steps: 17...20, reason: overhead),
    Flood(
      name: "DATA without data", opening: Raw.open(1), step: { _ in Raw.frame(.data, stream: 1) }, steps: 7000...7500,
      reason: overhead),
    Flood(
      name: "DATA that is only padding", opening: Raw.open(1),
      step: { _ in Raw.frame(.data, flags: Raw.padded, stream: 1, [255] + [UInt8](repeating: 0, count: 255)) },
      steps: 240...260, reason: overhead),
    Flood(
      name: "PRIORITY", step: { Raw.frame(.priority, stream: stream($0 % 100_000), Raw.word(0) + [1]) },
      steps: 4500...5000,
      reason: overhead),
    Flood(
      name: "frames of unknown types", step: { _ in Raw.frame(.unknown, [UInt8](repeating: 0, count: 16384)) },
      steps: 4...5, reason: overhead),
    Flood(
      name: "RST_STREAM for a stream that has ended", opening: Raw.call(1),
      step: { _ in Raw.frame(.reset, stream: 1, Raw.word(8)) }, steps: 4500...5500, reason: overhead),
  ]
}

@Suite("Flood protection")
struct FloodTests {
  @Test(
    "cuts off a flooding client, which costs little until then, and does not delay others", arguments: Flood.all)
  func table(flood: Flood) throws {
    let application = Application()
    application.onCall = echo
    var client = try RawClient(application: application)
    let other = try RawClient(application: application)
    other.send(RawHTTP2.preface)
    var frames = client.send(RawHTTP2.preface + flood.opening)
    var steps = 0
    var memory = 0
    while !client.server.wantsClose, steps < 10_000 {
      let bytes = flood.step(UInt32(steps))
      if flood.reads {
        frames += client.send(bytes)
      } else {
        unsafe client.server.receive(bytes.span.bytes, at: client.now)
        // A failed connection still has a GOAWAY to send, which is never read.
        if client.server.nextDeadline == client.now + .seconds(1) { frames += client.take() }
      }
      client.now += flood.time
      if flood.time > .zero {
        client.server.timeReached(client.now)
        frames += client.take()
      }
      steps += 1
      memory = max(memory, client.server.sessionMemoryBytes)
      #expect(client.server.openCalls <= 128)
      if steps == flood.steps.lowerBound / 2 { #expect(other.isServed(stream: 1)) }
    }
    #expect(flood.steps.contains(steps), "\(steps)")
    #expect(frames.goAways == [Code.enhanceYourCalm])
    #expect(frames.reasons == [flood.reason])
    #expect(memory < 192 << 10, "\(memory) bytes")
    client.server.connectionLost()
    #expect(client.server.openCalls == 0 && application.calls.allSatisfy { !$0.isOpen })
    #expect(other.isServed(stream: 3))
  }

  @Test("ends a connection whose caller has had too many failed streams on all of its connections")
  func callers() throws {
    let application = Application()
    application.onCall = { $0.peer = .tokenHolder(7) }
    var failures: [Peer] = []
    application.onStreamFailed = {
      failures.append($0)
      return failures.count < 4
    }
    func reset(_ client: RawClient, _ stream: UInt32) -> [RawHTTP2.Frame] {
      client.send(RawHTTP2.open(stream) + RawHTTP2.frame(.reset, stream: stream, RawHTTP2.word(8)))
    }
    let clients = try [RawClient(application: application), RawClient(application: application)]
    for client in clients { client.send(RawHTTP2.preface) }
    for stream: UInt32 in [1, 3] { #expect(reset(clients[0], stream).goAways == []) }
    // Malformed, so it has no call: it is charged to the caller of the calls before it.
    #expect(clients[0].send(RawHTTP2.open(5, [("te", "gzip")])).goAways == [])
    let frames = reset(clients[1], 1)
    #expect(frames.goAways == [Code.enhanceYourCalm] && frames.reasons == ["too many streams ended with an error"])
    #expect(failures == Array(repeating: .tokenHolder(7), count: 4))
  }

  @Test("ends a call whose responses are not read, at its queue limit")
  func unreadResponses() throws {
    var limits = ConnectionLimits()
    limits.messages.queuedBytes = 1000
    let client = try RawClient(limits: limits)
    client.send(RawHTTP2.preface + RawHTTP2.open(1))
    let call = try #require(client.application.calls.first)
    var sent = 0
    while call.isOpen, sent < 1000 {
      let bytes = RawHTTP2.frame(.data, stream: 1, [0, 0, 0, 0, 0])
      unsafe client.server.receive(bytes.span.bytes, at: client.now)
      sent += 1
      #expect(call.queuedBytes <= 1000)
    }
    #expect((200...202).contains(sent))
    #expect(try ResponseBlock(try #require(client.take().of(.headers).last).payload).status?.code == .resourceExhausted)
  }

  @Test("keeps a connection within its memory limit")
  func memory() throws {
    var limits = ConnectionLimits()
    limits.floods.memoryBytes = 40_000
    limits.streams.concurrent = 10_000
    let client = try RawClient(limits: limits)
    client.send(RawHTTP2.preface)
    var frames: [RawHTTP2.Frame] = []
    var stream: UInt32 = 1
    while !client.server.wantsClose, stream < 10_000 {
      frames += client.send(RawHTTP2.open(stream))
      #expect(client.server.sessionMemoryBytes <= 40_000)
      stream += 2
    }
    #expect(frames.goAways == [Code.enhanceYourCalm])
    #expect(frames.reasons == ["the connection exceeds its memory limit"])
    #expect(client.server.openCalls == 0)
  }

  @Test("cuts off a client that pings too often, but not for pings while messages are sent")
  func pings() throws {
    var client = try RawClient()
    client.send(RawHTTP2.preface)
    let ping = RawHTTP2.frame(.ping, [0, 0, 0, 0, 0, 0, 0, 0])
    for _ in 0..<5 {
      client.now += .seconds(10)
      #expect(client.send(ping).goAways == [])
    }
    var stream: UInt32 = 1
    for _ in 0..<20 {
      #expect(client.send(ping).goAways == [])
      #expect(client.isServed(stream: stream))
      stream += 2
    }
    var frames: [RawHTTP2.Frame] = []
    for _ in 0..<5 { frames += client.send(ping) }
    #expect(frames.goAways == [Code.enhanceYourCalm])
    #expect(frames.reasons == ["too_many_pings"])
  }

  @Test("allows acknowledging every message of a long stream")
  func longStream() throws {
    let client = try RawClient()
    client.send(RawHTTP2.preface)
    client.application.onCall = { $0.sendInitialMetadata() }
    client.send(RawHTTP2.open(1))
    let call = try #require(client.application.calls.first)
    var received = 0
    for _ in 0..<5000 {
      try call.send(message(60))
      let updates =
        RawHTTP2.frame(.windowUpdate, RawHTTP2.word(74)) + RawHTTP2.frame(.windowUpdate, stream: 1, RawHTTP2.word(74))
      received += client.take().of(.data).count
      client.send(updates + RawHTTP2.frame(.ping, RawHTTP2.word(0) + RawHTTP2.word(0)))
    }
    #expect(received == 5000 && !client.server.wantsClose)
  }

  @Test("allows more with time", arguments: [62, 64])
  func time(seconds: Int) throws {
    var client = try RawClient()
    client.send(RawHTTP2.preface)
    // 65,000 of the 65,536 bytes allowed at once; then 1,024 more in each second.
    let updates = (0..<5000).flatMap { _ in RawHTTP2.frame(.windowUpdate, RawHTTP2.word(1)) }
    #expect(client.send(updates).goAways == [])
    client.now += .seconds(seconds)
    #expect(client.send(updates).goAways == (seconds < 64 ? [Code.enhanceYourCalm] : []))
  }

  @Test(
    "cuts off a client that sends a message in one-byte frames, but not in larger ones, or byte by byte",
    arguments: [1, 9, 1000])
  func smallFrames(bytes: Int) throws {
    let client = try RawClient()
    client.send(RawHTTP2.preface + RawHTTP2.open(1))
    var goAways: [UInt32] = []
    for _ in 0..<10 where goAways.isEmpty {
      var body = ([0, 0, 0, 0x27, 0x10] + message(10_000))[...]
      while !body.isEmpty, goAways.isEmpty {
        // Byte by byte, so that the result does not depend on how the kernel splits the data.
        for byte in RawHTTP2.frame(.data, stream: 1, Array(body.prefix(bytes))) {
          goAways += client.send([byte]).goAways
        }
        body = body.dropFirst(bytes)
      }
    }
    #expect(goAways == (bytes == 1 ? [Code.enhanceYourCalm] : []))
    #expect(client.server.wantsClose == (bytes == 1))
  }

  @Test("allows cancelling answered calls")
  func lateResets() throws {
    let client = try RawClient()
    client.application.onCall = { $0.finish() }
    client.send(RawHTTP2.preface)
    for step in 0..<1000 {
      let stream = UInt32(2 * step + 1)
      // gRPC for Go resets streams it has not ended itself, even though it has the status.
      let frames =
        client.send(RawHTTP2.open(stream)) + client.send(RawHTTP2.frame(.reset, stream: stream, RawHTTP2.word(0)))
      #expect(frames.goAways == [])
    }
    #expect(!client.server.wantsClose)
  }
}
