import Dates
import HTTPSupport
import Posts
import TestSupport
import Testing

@testable import Mastodon

/// A server that lies, a network that breaks, a connector that is killed, and a daemon.
struct LyingWorld {
  private static let texts = ["one", "two", "three"]

  var random: SeededGenerator
  var server: LyingServer
  private(set) var daemon = ModelUpstream()
  private let seed: UInt64
  private var bench: ConnectorBench
  /// The connector's stream, while the server serves it.
  private var stream: Int?
  private var lateCount = 0
  private var late: Set<String> = []
  /// The statuses of the time before anything was read.
  private var early: Set<String> = []

  init(seed: UInt64, home: ModelTimeline? = nil) {
    self.seed = seed
    random = SeededGenerator(seed: seed)
    server = LyingServer(seed: seed)
    if let home { server.home = home }
    server.isHonest = home != nil
    early = Set(server.home.published.keys)
    bench = .withLogin()
    listen()
  }

  var now: Instant { bench.now }
  var hasStream: Bool { stream != nil }

  mutating func step() {
    switch Int.random(in: 0..<30, using: &random) {
    case 0..<6: publish()
    case 6: for _ in 0..<Int.random(in: 1...60, using: &random) { publish() }
    case 7 where lateCount < 2 && server.home.statuses.count > 6:
      lateCount += 1
      publish(behind: Int.random(in: 1...2, using: &random))
    case 8: remove(isDeleted: true)
    case 9: remove(isDeleted: false)
    case 10: daemon.order(Self.texts.randomElement(using: &random)!, at: now)
    case 11: kill()
    case 12: lose(seconds: Int64.random(in: 0...7_200, using: &random))
    case 13: server.buildingEnd = now.adding(milliseconds: Int64.random(in: 0...40_000, using: &random))
    case 14: cutStream()
    case 15..<19: pass(milliseconds: Int64.random(in: 0...90_000, using: &random))
    case 19..<22: store()
    default: answer()
    }
    if server.isAway, Int.random(in: 0..<3, using: &random) == 0 { comeBack() }
    listen()
  }

  // MARK: - What happens

  mutating func publish(behind position: Int = 0) {
    let status = server.publish(behind: position)
    if daemon.cursors["home"]?.isEmpty ?? true { early.insert(status.id) }
    if position > 0 { late.insert(status.id) }
    send("update", LyingServer.text(of: status))
  }

  private mutating func remove(isDeleted: Bool) {
    guard let id = server.remove(behind: Int.random(in: 0...3, using: &random), isDeleted: isDeleted) else { return }
    send("delete", id)
  }

  private mutating func send(_ event: String, _ payload: String) {
    guard let stream else { return }
    bench.take(.streamReceived(stream, Array("event: \(event)\ndata: \(payload)\n\n".utf8)))
    listen()
  }

  private mutating func cutStream() {
    guard let number = stream else { return }
    stream = nil
    bench.take(.streamEnded(number, "the connection broke"))
    // Forgetting takes longer than reading.
    server.forget()
  }

  /// The network goes, and so many seconds pass.
  mutating func lose(seconds: Int64) {
    server.isAway = true
    cutStream()
    pass(milliseconds: seconds * 1_000)
  }

  mutating func comeBack() { server.isAway = false }

  /// Lets time pass, with what is due meanwhile.
  mutating func pass(milliseconds: Int64) {
    let end = now.adding(milliseconds: milliseconds)
    while let time = bench.connector.deadline(after: now), time < end {
      // A server sends a comment every 15 s.
      let next = stream == nil ? time : min(time, now.adding(milliseconds: 15_000))
      bench.now = max(next, now.adding(milliseconds: 1))
      if let stream { bench.take(.streamReceived(stream, Array(":\n".utf8))) }
      bench.take(.time)
      if server.isAway { while !bench.fetches.isEmpty { answer() } }
      listen()
    }
    bench.now = max(end, now)
    bench.take(.time)
    listen()
  }

  /// The program is killed. What it has sent may be carried out, what it has told the daemon may be stored.
  private mutating func kill() {
    for (_, request) in bench.fetches where Bool.random(using: &random) { _ = server.respond(to: request, at: now) }
    daemon.restart(storing: Int.random(in: 0...3, using: &random), at: now)
    stream = nil
    bench = .withLogin(cursors: daemon.cursorText, now: now)
  }

  /// People have the gaps read on.
  mutating func fill(_ id: String) {
    guard let older = daemon.home.gaps.map(\.older).min(), let newer = daemon.home.gaps.map(\.newer).max() else {
      return
    }
    bench.tell(
      #"{"want":"older","id":"\#(id)","login":"ann@a.example","newer":\#(newer.milliseconds),"older":\#(older.milliseconds)}"#
    )
    listen()
    proceed()
  }

  // MARK: - The connector

  /// Carries out what the connector wants from the network and from the daemon, and checks where it asks.
  private mutating func listen() {
    for line in bench.lines { daemon.take(line, at: now) }
    bench.lines = []
    if let stream, bench.closed.contains(stream) { self.stream = nil }
    bench.closed = []
    for (_, request) in bench.fetches { checkOrigin(request, [LyingServer.address]) }
    for (number, request) in bench.streams + bench.sockets {
      checkOrigin(request, [LyingServer.address, LyingServer.streams])
      open(number, isSocket: bench.sockets.contains { $0.number == number })
    }
    for command in daemon.commands(at: now) { bench.tell(command) }
    guard !bench.lines.isEmpty || !bench.streams.isEmpty else { return }
    listen()
  }

  private mutating func open(_ number: Int, isSocket: Bool) {
    bench.streams.removeAll { $0.number == number }
    bench.sockets.removeAll { $0.number == number }
    let chance = server.isHonest ? 0 : Int.random(in: 0..<10, using: &random)
    if server.isAway || chance == 1 { return bench.take(.streamEnded(number, "could not connect")) }
    if isSocket {
      bench.take(.streamConnected(number))
      let refusal = "HTTP/1.1 307 Temporary Redirect\r\nLocation: \(LyingServer.elsewhere)/\r\n\r\n"
      return bench.take(.streamReceived(number, Array(refusal.utf8)))
    }
    if chance > 1 || server.isHonest { stream = number }
    bench.take(.streamOpened(number, status: stream == number ? 200 : [503, 307].randomElement(using: &random)!))
  }

  private func checkOrigin(_ request: FetchRequest, _ allowed: [String]) {
    #expect(allowed.contains(request.url.origin), "\(request.url.text) is asked: seed \(seed)")
    #expect(request.authorization == "Bearer t0k3n", "seed \(seed)")
  }

  /// The server answers one of the requests.
  private mutating func answer() {
    guard !bench.fetches.isEmpty else { return }
    let (number, request) = bench.fetches.remove(at: Int.random(in: 0..<bench.fetches.count, using: &random))
    bench.take(.fetched(number, server.respond(to: request, at: now)))
    listen()
  }

  private mutating func store() {
    guard let answer = daemon.store() else { return }
    bench.tell(answer)
    listen()
  }

  /// Answers everything that is asked now.
  mutating func proceed() {
    for _ in 0..<2_000 where !bench.fetches.isEmpty || daemon.hasUnstored {
      answer()
      store()
    }
  }

  /// Faults end, and all that is wanted is done. The stream begins anew, so that the newest page is read.
  mutating func settle() {
    server.isHonest = true
    comeBack()
    cutStream()
    server.buildingEnd = .distantPast
    pass(milliseconds: 400_000)
    for _ in 0..<1_000 {
      proceed()
      if ["live", "polling"].contains(daemon.state), daemon.orders.allSatisfy({ $0.answer != nil }) { break }
      pass(milliseconds: 2_000)
    }
    // A server without a stream is asked every minute.
    if daemon.state == "polling" { pass(milliseconds: 61_000) }
    proceed()
    #expect(["live", "polling"].contains(daemon.state), "it is \(daemon.state) in the end: seed \(seed)")
  }

  // MARK: - Checks

  func check() {
    for status in server.home.statuses where !early.contains(status.id) {
      let isHere = daemon.home.statuses[status.id] != nil
      let stretch = daemon.home.stretch(at: status.created)
      #expect(isHere || stretch == .missing, "\(status.id) is neither here nor in a gap: seed \(seed)")
    }
    // A status that arrived late, and was forgotten before anybody could know of it, is in no gap.
    for (id, status) in server.home.published
    where !early.contains(id) && !late.contains(id) && !server.home.deleted.contains(id) {
      guard daemon.home.statuses[id] == nil, !server.home.statuses.contains(where: { $0.id == id }) else { continue }
      #expect(daemon.home.stretch(at: status.created) != nil, "\(id) is lost, and no gap says so: seed \(seed)")
    }
    #expect(daemon.gone.isDisjoint(with: server.others), "what exists is said to be deleted: seed \(seed)")
    checkPosts()
  }

  private func checkPosts() {
    var made: [String: Int] = [:]
    for (index, order) in daemon.orders.enumerated() {
      guard let answer = order.answer else {
        Issue.record("command \(index) is never answered: seed \(seed)")
        continue
      }
      guard case .done(let uri, _) = answer, !uri.isEmpty else { continue }
      #expect(made[uri] == nil, "\(uri) is of commands \(index) and \(made[uri] ?? 0): seed \(seed)")
      made[uri] = index
      #expect(server.writings.made.first { ModelServer.uri($0.id) == uri }?.text == order.text, "seed \(seed)")
    }
    let extra = server.writings.made.filter { made[ModelServer.uri($0.id)] == nil }
    let doubtful = daemon.orders.filter { order in
      if case .refused(let reason) = order.answer { reason.contains("not known") } else { false }
    }
    #expect(extra.count <= doubtful.count, "posts nobody wanted: seed \(seed)")
  }
}
