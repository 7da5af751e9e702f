import TestSupport
import Testing

@testable import RPC

private typealias Raw = RawHTTP2

@Suite("Calls that wait until clients read")
struct WaitingCallTests {
  private static let response = 1000
  private static var limits: CallBudget.Limits {
    var limits = CallBudget.Limits()
    limits.connectionBytes = 4 * (response + 5)
    limits.accountBytes = 10 * (response + 5)
    limits.totalBytes = 20 * (response + 5)
    limits.connectionShareBytes = 0
    limits.accountShareBytes = 0
    return limits
  }

  private let budget = CallBudget(limits: limits)
  private let application = Application()

  /// Windows of 0, so that no message can be sent.
  private static let closed = Array(Raw.preface.prefix(24)) + Raw.frame(.settings, Raw.setting(4, 0))

  /// A client whose calls are answered at once when there is room.
  private func client(_ owner: CallOwner = .account(1)) throws -> RawClient {
    application.onCall = { call in
      call.countBytes(for: owner)
      call.onHalfClose = { call in
        do {
          try call.awaitRoom(forResponseOf: Self.response + 5, keeping: 1) {
            do { try call.send(message(Self.response)) } catch { Issue.record("the queue is empty") }
            call.finish()
          }
        } catch {
          call.finish(Status(.resourceExhausted, "too many"))
        }
      }
    }
    let client = try RawClient(budget: budget, application: application)
    client.send(Self.closed)
    return client
  }

  private func open(_ count: Int, on client: RawClient, from first: Int = 0) {
    for index in first..<first + count { client.send(Raw.open(UInt32(2 * index + 1), endsStream: true)) }
  }

  @Test("no more responses are made than a connection may hold, and all in the end")
  func connection() throws {
    let client = try client()
    defer { client.server.connectionLost() }
    open(100, on: client)
    #expect(application.calls.count == 100 && application.calls.count { $0.queuedBytes > 0 } == 4)
    #expect(budget.totalBytes == Self.limits.connectionBytes && budget.requestBytes == 96)
    // The client reads one response, then all.
    let windows = { Raw.frame(.windowUpdate, stream: $0, Raw.word(2000)) }
    #expect(client.send(windows(1)).of(.data).map(\.payload.count) == [1005])
    #expect(application.calls.count { $0.queuedBytes > 0 } == 4 && budget.requestBytes == 95)
    var received = 1
    client.send(Raw.frame(.windowUpdate, Raw.word(1 << 20)))
    for index in 1..<100 { received += client.send(windows(UInt32(2 * index + 1))).of(.data).count }
    #expect(received == 100 && client.server.openCalls == 0)
    #expect(budget.totalBytes == 0 && budget.requestBytes == 0)
  }

  @Test("connections of an account share what it may hold, and other accounts are served")
  func account() throws {
    let clients = try (0..<5).map { _ in try client() }
    defer { for client in clients { client.server.connectionLost() } }
    for client in clients { open(20, on: client) }
    #expect(application.calls.count { $0.queuedBytes > 0 } == 10)
    let other = try client(.account(2))
    defer { other.server.connectionLost() }
    open(1, on: other)
    #expect(application.calls.last?.queuedBytes == 1005)
    // A connection that closes makes room for the others.
    clients[0].server.connectionLost()
    for client in clients.dropFirst() { client.take() }
    #expect(application.calls.count { $0.queuedBytes > 0 } == 11)
    for client in clients + [other] { client.server.connectionLost() }
    #expect(budget.totalBytes == 0 && budget.requestBytes == 0 && !budget.hasWaiting)
  }

  @Test("calls that end while they wait are forgotten", arguments: [true, false])
  func ended(byDeadline: Bool) throws {
    var client = try client()
    defer { client.server.connectionLost() }
    open(4, on: client)
    for index in 4..<20 {
      let timeout = byDeadline ? [("grpc-timeout", "1S")] : []
      client.send(Raw.open(UInt32(2 * index + 1), timeout, endsStream: true))
      if !byDeadline { client.send(Raw.frame(.reset, stream: UInt32(2 * index + 1), Raw.word(8))) }
    }
    client.now += .seconds(1)
    client.server.timeReached(client.now)
    client.take()
    #expect(client.server.openCalls == 4 && budget.requestBytes == 0 && !budget.hasWaiting)
  }

  @Test("a call is refused if too many requests are kept already")
  func requests() throws {
    var limits = Self.limits
    limits.requestBytes = 3
    let budget = CallBudget(limits: limits)
    application.onCall = { call in
      call.onHalfClose = { call in
        do {
          try call.awaitRoom(forResponseOf: 4020, keeping: 1) {}
        } catch {
          call.finish(Status(.resourceExhausted, "too many"))
        }
      }
    }
    let client = try RawClient(budget: budget, application: application)
    defer { client.server.connectionLost() }
    client.send(Self.closed)
    open(5, on: client)
    #expect(application.calls.map(\.isOpen) == [true, true, true, true, false])
  }

  @Test(
    "requests that arrive in part are held up to a limit, and forgotten with their calls",
    arguments: [true, false])
  func incomplete(byReset: Bool) throws {
    var limits = Self.limits
    limits.heldConnectionBytes = 20_000
    let budget = CallBudget(limits: limits)
    let client = try RawClient(budget: budget, application: application)
    defer { client.server.connectionLost() }
    client.send(Raw.preface)
    // Of a message of 10,000 bytes, 4,000 arrive.
    let part = [0, 0, 0, 0x27, 0x10] + [UInt8](repeating: 1, count: 4000)
    let numbers = (0..<6).map { UInt32(2 * $0 + 1) }
    for number in numbers { client.send(Raw.open(number) + Raw.frame(.data, stream: number, part)) }
    #expect(application.calls.map(\.isOpen) == [true, true, true, true, true, false] && budget.heldBytes == 20_000)
    // The end of one makes room.
    let rest = [UInt8](repeating: 1, count: 6000)
    client.send(byReset ? Raw.frame(.reset, stream: 1, Raw.word(8)) : Raw.frame(.data, stream: 1, rest))
    #expect(budget.heldBytes == 16_000)
    client.send(Raw.open(13) + Raw.frame(.data, stream: 13, part))
    #expect(application.calls.last?.isOpen == true && budget.heldBytes == 20_000)
    client.server.connectionLost()
    #expect(budget.heldBytes == 0)
  }

  @Test("messages that are not consumed count as held, for the account that the call turns out to be of")
  func unconsumed() throws {
    let client = try RawClient(budget: budget, application: application)
    defer { client.server.connectionLost() }
    application.onCall = { call in
      call.receiveByHand(allowance: 1 << 20)
      call.onMessage = { _, _ in }
    }
    client.send(Raw.preface + Raw.open(1) + Raw.frame(.data, stream: 1, [0, 0, 0, 0, 3, 7, 7, 7, 0, 0, 0, 0, 9, 1]))
    let call = try #require(application.calls.first)
    #expect(budget.heldBytes == 4)
    call.countBytes(for: .account(1))
    call.consume(3)
    #expect(budget.heldBytes == 1 && budget.account(of: .account(1)).heldBytes == 1)
    #expect(budget.account(of: .unauthenticated).heldBytes == 0)
    call.finish()
    client.take()
    #expect(budget.heldBytes == 0)
  }

  @Test("streams are not asked for messages while there is no room")
  func pulling() throws {
    var pulled: [Int] = []
    application.onCall = { [application] call in
      let index = application.calls.count - 1
      call.onReadyToSend = { _ in
        pulled.append(index)
        return .message(message(Self.response))
      }
    }
    let client = try RawClient(budget: budget, application: application)
    defer { client.server.connectionLost() }
    // Each window has room for one byte, for which a message is made.
    client.send(Array(Raw.preface.prefix(24)) + Raw.frame(.settings, Raw.setting(4, 1)))
    for index in 0..<10 { client.send(Raw.open(UInt32(2 * index + 1))) }
    #expect(pulled == [0, 1, 2, 3, 4] && budget.totalBytes == 5 * 1004)
    // Two clients' messages go out whole, and there is room for two more.
    for stream: UInt32 in [1, 3] { client.send(Raw.frame(.windowUpdate, stream: stream, Raw.word(1004))) }
    #expect(pulled == [0, 1, 2, 3, 4, 5, 6])
  }

  @Test("a client that reads nothing is closed if others need the room, and is told why")
  func excessive() throws {
    var hoarder = try client()
    open(4, on: hoarder)
    let others = try (0..<2).map { _ in try client() }
    defer { for client in others { client.server.connectionLost() } }
    for client in others { open(4, on: client) }
    #expect(application.calls.count { $0.queuedBytes > 0 } == 10)
    #expect(hoarder.server.nextDeadline == hoarder.now + .seconds(10))
    // Others read all the time.
    for _ in 0..<2 {
      hoarder.now += .seconds(10)
      hoarder.server.timeReached(hoarder.now)
    }
    let frames = hoarder.take()
    #expect(frames.goAways == [Raw.ErrorCode.enhanceYourCalm] && hoarder.server.wantsClose)
    let reason = frames.of(.goAway).first?.payload.dropFirst(8) ?? []
    #expect(String(decoding: reason, as: UTF8.self).contains("does not read"))
    for client in others { client.take() }
    #expect(application.calls.suffix(8).count { $0.queuedBytes > 0 } == 8)
  }

  @Test("bytes that the socket has not accepted count too")
  func unsent() throws {
    let client = try client()
    client.server.outputWaits(Self.limits.connectionBytes)
    open(1, on: client)
    #expect(application.calls[0].queuedBytes == 0 && budget.requestBytes == 1)
    client.server.outputWaits(0)
    client.take()
    #expect(application.calls[0].queuedBytes == 1005 && budget.totalBytes == 1005)
    client.server.connectionLost()
    #expect(budget.totalBytes == 0)
  }
}
