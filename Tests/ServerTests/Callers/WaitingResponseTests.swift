import Engine
import Posts
import RPC
import Store
import TestSupport
import Testing

@testable import Services

private typealias Raw = RawHTTP2

@Suite("Responses that wait until clients read")
struct WaitingResponseTests {
  @Test("are made for a few calls of a connection, and for others as their clients read")
  func windows() throws {
    let service = PageService()
    let bench = try ClosedWindowBench(service)
    bench.send(Array(Raw.preface.prefix(24)) + Raw.frame(.settings, Raw.setting(4, 0)))
    for index in 0..<100 { bench.call(PageService.page, stream: UInt32(2 * index + 1)) }
    #expect(service.answered == 4 && bench.budget.totalBytes == 4 * (PageService.bytes + 5))
    #expect(bench.budget.requestBytes == 96)
    bench.send(Raw.frame(.windowUpdate, Raw.word(1 << 30)))
    for index in 0..<100 {
      bench.send(Raw.frame(.windowUpdate, stream: UInt32(2 * index + 1), Raw.word(1 << 20)))
    }
    #expect(service.answered == 100 && bench.budget.totalBytes == 0 && bench.budget.requestBytes == 0)
  }

  @Test("do not keep an administrator from looking")
  func exempt() throws {
    let service = PageService()
    let bench = try ClosedWindowBench(service)
    bench.send(Array(Raw.preface.prefix(24)) + Raw.frame(.settings, Raw.setting(4, 0)))
    for index in 0..<10 { bench.call(PageService.page, stream: UInt32(2 * index + 1)) }
    bench.call(PageService.status, stream: 101)
    #expect(service.answered == 4 && service.asked == 1)
  }
}

@Suite("Requests that are not ended")
struct UnendedRequestTests {
  @Test("count as held until they are answered, and end after 5 s")
  func unended() throws {
    let service = PageService()
    let bench = try ClosedWindowBench(service)
    bench.send(Raw.preface)
    for stream in [1, 3, 5] as [UInt32] {
      let message = Raw.frame(.data, stream: stream, [0, 0, 0, 0, 2, 7, 7])
      bench.send(Raw.open(stream, [(":path", PageService.status)]) + message)
    }
    #expect(bench.budget.heldBytes == 6 && service.asked == 0)
    bench.send(Raw.frame(.data, flags: Raw.endStream, stream: 3, []))
    #expect(bench.budget.heldBytes == 4 && service.asked == 1)
    bench.pass(.seconds(4))
    #expect(bench.openCalls == 2)
    bench.pass(.seconds(5))
    #expect(bench.openCalls == 0 && bench.budget.heldBytes == 0 && service.asked == 1)
  }

  @Test("that are too many at once are refused, while another connection's are answered")
  func tooMany() throws {
    let service = PageService()
    let bench = try ClosedWindowBench(service)
    bench.send(Raw.preface)
    // 60,000 bytes each, whole but not ended.
    let message = [0, 0, 0, 0xEA, 0x60] + [UInt8](repeating: 7, count: 60_000)
    for index in 0..<126 {
      let stream = UInt32(2 * index + 1)
      bench.send(Raw.open(stream, [(":path", PageService.status)]))
      for part in stride(from: 0, to: message.count, by: 16_000) {
        bench.send(Raw.frame(.data, stream: stream, Array(message[part..<min(part + 16_000, message.count)])))
      }
    }
    // 8 MiB of one connection.
    #expect(bench.openCalls == 126 && bench.budget.heldBytes == 126 * 60_000)
    for stream in [301, 303] as [UInt32] {
      bench.send(Raw.open(stream, [(":path", PageService.status)]))
      for part in stride(from: 0, to: message.count, by: 16_000) {
        bench.send(Raw.frame(.data, stream: stream, Array(message[part..<min(part + 16_000, message.count)])))
      }
    }
    #expect(bench.budget.heldBytes <= 8 << 20 && service.asked == 0)
    let other = try ClosedWindowBench(service, budget: bench.budget)
    other.send(Raw.preface)
    other.call(PageService.status, stream: 1)
    #expect(service.asked == 1)
  }
}

/// Answers with a page of maximum size, and counts.
private final class PageService: Service {
  static let name = "test.Page"
  static let page = "/test.Page/Page"
  static let status = "/test.Page/Status"
  static let bytes = ServiceMethod.longResponseBytes

  private(set) var answered = 0
  private(set) var asked = 0

  var methods: [String: ServiceMethod] {
    [
      Self.page: .request(.view, responseBytes: ServiceMethod.longResponseBytes) {
        [unowned self] call, _ throws(Status) in
        { _ in
          self.answered += 1
          call.finish(message: [UInt8](repeating: 7, count: Self.bytes))
        }
      },
      Self.status: .request(.view, responseBytes: 0) { [unowned self] call, _ throws(Status) in
        { _ in
          self.asked += 1
          call.finish(message: [])
        }
      },
    ]
  }
}

/// Knows one account.
private final class OneAccount: CallerDirectory {
  private let caller = Caller(
    account: Account(id: AccountID(3), uid: 7, name: "ann"), scopes: [.view], peer: .localUser(userID: 7, processID: 8))

  func find(_ peer: Peer, _ answer: @escaping (Result<Caller, EngineError>) -> Void) { answer(.success(caller)) }

  func knownAccount(of peer: Peer) -> AccountID? { caller.account.id }
}

/// A registry, and a client that writes its own frames.
private final class ClosedWindowBench {
  let budget: CallBudget
  private let directory = OneAccount()
  private let registry: ServiceRegistry
  private let server: ServerConnection

  init(_ service: some Service, budget: CallBudget = CallBudget()) throws {
    self.budget = budget
    registry = ServiceRegistry(authenticator: Authenticator(own: nil, daemonUser: 7), callers: directory)
    registry.register(service)
    server = try #require(
      ServerConnection(
        limits: ConnectionLimits(), budget: budget, peer: .localUser(userID: 7, processID: 8), handler: registry,
        at: .zero))
  }

  deinit { server.connectionLost() }

  var openCalls: Int { server.openCalls }

  /// Lets time pass, counted from the beginning.
  func pass(_ time: Duration) {
    server.timeReached(time)
    send([])
  }

  /// Sends bytes, and drops what the server sends.
  func send(_ bytes: [UInt8]) {
    unsafe server.receive(bytes.span.bytes, at: .zero)
    var output: [UInt8] = []
    while server.takeOutput(into: &output, limit: 1 << 20) { output = [] }
  }

  /// Makes a call with a request of one byte.
  func call(_ path: String, stream: UInt32) {
    send(
      Raw.open(stream, [(":path", path)])
        + Raw.frame(.data, flags: Raw.endStream, stream: stream, [0, 0, 0, 0, 1, 7]))
  }
}
