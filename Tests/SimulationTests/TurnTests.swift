import Messages
import RPC
import Simulation
import Testing
import ViewState

@Suite("Clients take turns")
struct TurnTests {
  private static let layout = LayoutParameters(width: 80, height: 24)
  private static let rows = GetRowsRequest(layout: layout)

  /// A request that the store's reader has to answer.
  private static func conversation(_ post: UInt64) -> GetRowsRequest {
    var request = rows
    request.subject = .conversation("\(post)")
    return request
  }

  /// A daemon that handles one step in each turn, with clients of two accounts whose timelines are loaded.
  private struct Bench {
    let daemon: DirectDaemon
    let ann: DirectClient
    let bea: DirectClient
    let post: UInt64

    init() throws {
      daemon = try DirectDaemon(seed: 1)
      ann = try daemon.client(user: 1001)
      bea = try daemon.client(user: 1002)
      post = try ann.call(Method.compose, ComposeRequest(text: "ahoy"), ComposeResponse.self).postID
      for client in [ann, bea] { _ = try client.call(Method.getRows, rows, GetRowsResponse.self) }
      daemon.runUntilIdle()
      daemon.handleOneStepPerTurn()
    }
  }

  /// The order in which requests were answered.
  private final class Answers {
    var names: [String] = []

    func note(_ name: String) -> (Status) -> Void {
      { [unowned self] status in
        #expect(status.isOK)
        names.append(name)
      }
    }
  }

  @Test(
    "a request waits for one of another account's, however many that has", arguments: [Method.getRows, Method.measure])
  func accounts(method: String) throws {
    let bench = try Bench()
    defer { bench.daemon.close() }
    let answers = Answers()
    func send(_ client: DirectClient, _ name: String) throws {
      if method == Method.measure {
        try client.begin(method, MeasureRequest(text: name, width: 9), onEnd: answers.note(name))
      } else {
        try client.begin(method, Self.rows, onEnd: answers.note(name))
      }
    }
    for _ in 0..<128 { try send(bench.ann, "ann") }
    try send(bench.bea, "bea")
    bench.daemon.runUntilIdle()
    #expect(answers.names.count == 129 && answers.names.prefix(2) == ["ann", "bea"])
  }

  @Test("the connections of an account take turns too") func connections() throws {
    let bench = try Bench()
    defer { bench.daemon.close() }
    let other = try bench.daemon.client(user: 1001)
    let answers = Answers()
    for _ in 0..<100 { try bench.ann.begin(Method.getRows, Self.rows, onEnd: answers.note("first")) }
    for _ in 0..<2 { try other.begin(Method.getRows, Self.rows, onEnd: answers.note("second")) }
    try bench.bea.begin(Method.getRows, Self.rows, onEnd: answers.note("bea"))
    bench.daemon.runUntilIdle()
    #expect(answers.names.count == 103)
    #expect(answers.names.prefix(6) == ["first", "bea", "second", "first", "second", "first"])
  }

  @Test(
    "a view opens among another account's waiting requests, not after them, whether the store reads for them or not",
    arguments: [true, false])
  func views(readsStore: Bool) throws {
    let bench = try Bench()
    defer { bench.daemon.close() }
    let answers = Answers()
    let request = readsStore ? Self.conversation(bench.post) : Self.rows
    for _ in 0..<128 { try bench.ann.begin(Method.getRows, request, onEnd: answers.note("ann")) }
    let call = try bench.bea.start(Method.attach)
    call.onMessage = { _, _ in answers.names.append("bea") }
    try call.send(ClientFrame.hello(Hello(session: "", layout: Self.layout, client: "test")).encoded())
    bench.daemon.runUntilIdle()
    #expect(answers.names.count { $0 == "ann" } == 128)
    let first = try #require(answers.names.firstIndex(of: "bea"))
    #expect(first < 32, "\(first) answers came first")
  }

  @Test("a view opens among the loads of another account's session, not after them") func panes() throws {
    let bench = try Bench()
    defer { bench.daemon.close() }
    for number in 0..<50 {
      var push = PushRequest(.search("ahoy\(number)"))
      push.command.session = "wide"
      _ = try bench.ann.call(Method.push, push, PaneResponse.self)
    }
    let before = bench.daemon.jobs
    let wide = ClientFrame.hello(Hello(session: "wide", layout: Self.layout, client: "test"))
    try bench.ann.start(Method.attach).send(wide.encoded())
    let call = try bench.bea.start(Method.attach)
    var jobs: Int?
    call.onMessage = { [daemon = bench.daemon] _, _ in jobs = jobs ?? daemon.jobs }
    try call.send(ClientFrame.hello(Hello(session: "", layout: Self.layout, client: "test")).encoded())
    bench.daemon.runUntilIdle()
    #expect(bench.daemon.jobs - before > 50)
    let first = try #require(jobs) - before
    #expect(first < 30, "\(first) reads came first")
  }

  @Test("requests of a call that has ended are not worked off", arguments: [true, false])
  func closedRows(closesConnection: Bool) throws {
    let bench = try Bench()
    defer { bench.daemon.close() }
    let calls = try (0..<128).map { _ in try bench.ann.begin(Method.getRows, Self.rows) }
    bench.daemon.runStep()
    let before = bench.daemon.turns
    if closesConnection { bench.ann.close() } else { for call in calls { call.cancel() } }
    bench.daemon.runUntilIdle()
    // The first has its turn before the resets arrive.
    #expect(bench.daemon.turns - before <= 2)
    _ = try bench.bea.call(Method.getRows, Self.rows, GetRowsResponse.self)
  }

  @Test("the store reads nothing for calls that have ended, beyond the four that had begun") func closedReads() throws {
    let bench = try Bench()
    defer { bench.daemon.close() }
    let calls = try (0..<128).map { _ in try bench.ann.begin(Method.getRows, Self.conversation(bench.post)) }
    let before = bench.daemon.jobs
    for _ in 0..<20 { bench.daemon.runStep() }
    #expect(bench.daemon.jobs > before)
    let begun = bench.daemon.jobs
    for call in calls { call.cancel() }
    bench.daemon.runUntilIdle()
    #expect(bench.daemon.jobs - begun <= 4)
  }

  @Test("texts of calls that have ended are not measured, beyond the one that has begun") func closedMeasures() throws {
    let bench = try Bench()
    defer { bench.daemon.close() }
    let before = bench.daemon.jobs
    let calls = try (0..<128).map { _ in try bench.ann.begin(Method.measure, MeasureRequest(text: "ahoy", width: 9)) }
    bench.daemon.runStep()
    for call in calls { call.cancel() }
    bench.daemon.runUntilIdle()
    // The first was done in that step, and the second had begun.
    #expect(bench.daemon.jobs - before == 2)
  }

  @Test("a command is carried out although its client has left") func commands() throws {
    let bench = try Bench()
    defer { bench.daemon.close() }
    let view = try bench.bea.attach(Hello(session: "", layout: Self.layout, client: "test"))
    let other = try bench.daemon.client(user: 1002)
    try other.begin(Method.push, PushRequest(conversation: "\(bench.post)"))
    bench.daemon.runStep()
    other.close()
    bench.daemon.runUntilIdle()
    bench.daemon.advance(by: .seconds(1))
    #expect(view.mirror.panes.count == 2)
  }

  @Test("a view that was closed before its turn is never opened") func closedViews() throws {
    let bench = try Bench()
    defer { bench.daemon.close() }
    let hello = ClientFrame.hello(Hello(session: "", layout: Self.layout, client: "test"))
    let calls = try (0..<100).map { _ in
      let call = try bench.ann.start(Method.attach)
      try call.send(hello.encoded())
      return call
    }
    bench.daemon.runStep()
    let before = bench.daemon.turns
    for call in calls { call.cancel() }
    bench.daemon.runUntilIdle()
    #expect(bench.daemon.turns - before < 10)
  }
}

@Suite("Streams that end with an error")
struct ResetTests {
  /// Opens streams and cancels them, at most 100 on a connection, until the daemon ends one. Returns the number of
  /// cancelled streams before that.
  private func cancelStreams(of user: UInt32, on daemon: DirectDaemon) throws -> Int {
    var count = 0
    while count < 10_000 {
      let client = try daemon.client(user: user)
      defer { client.close() }
      for _ in 0..<100 {
        guard let call = try? client.start(Method.getRows) else { return count - 1 }
        daemon.runUntilIdle()
        call.cancel()
        daemon.runUntilIdle()
        count += 1
      }
    }
    return count
  }

  @Test("are counted over all connections of an account, and allowed again after a while") func accounts() throws {
    let daemon = try DirectDaemon(seed: 1)
    defer { daemon.close() }
    let other = try daemon.client(user: 1002)
    _ = try other.call(Method.whoAmI, EmptyMessage(), WhoAmIResponse.self)
    #expect(try cancelStreams(of: 1001, on: daemon) == 1000)
    #expect(try cancelStreams(of: 1001, on: daemon) == 0)
    #expect(try cancelStreams(of: 1002, on: daemon) == 1000, "an account of its own")
    _ = try other.call(Method.whoAmI, EmptyMessage(), WhoAmIResponse.self)
    daemon.advance(by: .seconds(3))
    #expect(try cancelStreams(of: 1001, on: daemon) == 300)
    daemon.advance(by: .seconds(60))
    #expect(try cancelStreams(of: 1001, on: daemon) == 1000)
  }
}
