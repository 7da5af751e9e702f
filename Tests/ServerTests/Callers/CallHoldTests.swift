import Engine
import Posts
import RPC
import Store
import Testing

@testable import Services

@Suite("Calls that arrive before their account is known")
struct CallHoldTests {
  @Test("early messages are delivered in order once the account is known") func order() throws {
    let bench = try HoldBench()
    let call = try bench.client.start("/test.Late/Stream", at: .zero)
    for number in 0..<100 { try call.send([UInt8(number)]) }
    call.closeSend()
    bench.exchangeBytes()
    #expect(bench.service.callers.isEmpty && bench.service.messages.isEmpty)
    bench.directory.answer(.success(bench.caller))
    bench.exchangeBytes()
    #expect(bench.service.callers == [bench.caller.account.id])
    #expect(bench.service.messages == (0..<100).map { [UInt8($0)] } && bench.service.isHalfClosed)
  }

  @Test("a client that sends much early is held back, and continues afterwards") func flowControl() throws {
    let bench = try HoldBench()
    let call = try bench.client.start("/test.Late/Stream", at: .zero)
    for _ in 0..<40 { try call.send([UInt8](repeating: 7, count: 10_000)) }
    bench.exchangeBytes()
    // The first message, and a window behind it.
    #expect(call.queuedBytes >= 40 * 10_000 - 2 * 65_536)
    bench.directory.answer(.success(bench.caller))
    bench.exchangeBytes()
    #expect(call.queuedBytes == 0 && bench.service.messages.count == 40)
  }

  @Test("a call whose account cannot be found ends, whatever was sent") func refusal() throws {
    let bench = try HoldBench()
    let call = try bench.client.start("/test.Late/Stream", at: .zero)
    var end: Status?
    call.onEnd = { _, status, _ in end = status }
    try call.send([1])
    bench.exchangeBytes()
    bench.directory.answer(.failure(EngineError(.unavailable, "the store is away")))
    bench.exchangeBytes()
    #expect(end?.code == .unavailable && end?.message == "the store is away")
    #expect(bench.service.callers.isEmpty)
  }

  @Test("a call cancelled in the meantime never begins") func cancellation() throws {
    let bench = try HoldBench()
    let call = try bench.client.start("/test.Late/Stream", at: .zero)
    bench.exchangeBytes()
    call.cancel()
    bench.exchangeBytes()
    bench.directory.answer(.success(bench.caller))
    #expect(bench.service.callers.isEmpty)
  }

  @Test("an undecodable request is refused before its account is looked up") func badRequest() throws {
    let bench = try HoldBench()
    let call = try bench.client.start("/test.Late/Once", at: .zero)
    var end: Status?
    call.onEnd = { _, status, _ in end = status }
    try call.send([])
    call.closeSend()
    bench.exchangeBytes()
    #expect(end?.code == .invalidArgument && bench.directory.waitingCount == 0)
  }
}

/// Finds callers when the test says so.
private final class LateDirectory: CallerDirectory {
  private var waiting: [(Result<Caller, EngineError>) -> Void] = []

  var waitingCount: Int { waiting.count }

  func find(_ peer: Peer, _ answer: @escaping (Result<Caller, EngineError>) -> Void) { waiting.append(answer) }

  func knownAccount(of peer: Peer) -> AccountID? { nil }

  func answer(_ result: Result<Caller, EngineError>) {
    for answer in waiting { answer(result) }
    waiting = []
  }
}

/// Records the callers and messages it gets.
private final class LateService: Service {
  static let name = "test.Late"

  private(set) var callers: [AccountID] = []
  private(set) var messages: [[UInt8]] = []
  private(set) var isHalfClosed = false

  var methods: [String: ServiceMethod] {
    [
      "/test.Late/Stream": .stream(.view) { [unowned self] call, caller in
        callers.append(caller.account.id)
        call.onMessage = { [unowned self] _, message in messages.append(message) }
        call.onHalfClose = { [unowned self] _ in isHalfClosed = true }
      },
      "/test.Late/Once": .request(.view) { call, bytes throws(Status) in
        guard !bytes.isEmpty else { throw Status(.invalidArgument, "the request is empty") }
        return { _ in call.finish(message: bytes) }
      },
    ]
  }
}

/// A client and a registry connected in memory.
private final class HoldBench {
  let caller = Caller(
    account: Account(id: AccountID(3), uid: 7, name: "ann"), scopes: [.view], peer: .localUser(userID: 7, processID: 8))
  let directory = LateDirectory()
  let service = LateService()
  let client: ClientConnection
  private let registry: ServiceRegistry
  private let server: ServerConnection

  init() throws {
    registry = ServiceRegistry(authenticator: Authenticator(own: nil, daemonUser: 7), callers: directory)
    registry.register(service)
    client = try #require(ClientConnection(limits: ConnectionLimits(), at: .zero))
    server = try #require(
      ServerConnection(
        limits: ConnectionLimits(), peer: .localUser(userID: 7, processID: 8), handler: registry, at: .zero))
  }

  deinit {
    client.connectionLost("the test is over")
    server.connectionLost()
  }

  /// Carries bytes both ways until neither end has any.
  func exchangeBytes() {
    while true {
      var up: [UInt8] = []
      var down: [UInt8] = []
      client.takeOutput(into: &up, limit: 1 << 18)
      if !up.isEmpty { unsafe server.receive(up.span.bytes, at: .zero) }
      server.takeOutput(into: &down, limit: 1 << 18)
      if !down.isEmpty { unsafe client.receive(down.span.bytes, at: .zero) }
      if up.isEmpty && down.isEmpty { return }
    }
  }
}
