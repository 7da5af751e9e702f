import Dates
import HTTPSupport
import Ingest
import TestSupport
import Testing

@testable import Mastodon

@Suite("Whatever happens while writing")
struct WritingLawTests {
  /// The law: each wish is answered once for good. One that is done was done once, one that is refused not at all,
  /// unless nobody can tell; so what is there is what the daemon believes to be there.
  @Test("each wish is done once or refused, and the posts here are those there", arguments: seeds(1...1_000))
  func law(seed: Int) {
    var world = WritingWorld(seed: UInt64(seed))
    for _ in 0..<Int.random(in: 10...120, using: &world.random) { world.step() }
    world.settle()
    world.check()
  }
}

/// A server, a writer that is killed now and then, and a daemon that asks again until it has an answer.
private struct WritingWorld {
  private struct Order {
    var wish: Wish
    /// The time to ask again; nil while it is with the writer.
    var next: Instant?
    var answer: Wish.Answer?
    var pause: Int64 = 1_000
  }

  private static let texts = ["one", "two", "three"]

  var random: SeededGenerator
  private let seed: UInt64
  private var server = ModelServer()
  private var writer: LoginWriter
  private var clock = ServerClock()
  private var now = RequestBudgetTests.now
  private var stored = WritingRecord()
  /// Records on their way to the daemon.
  private var storing: [WritingRecord] = []
  private var open: WriterQuestion?
  private var orders: [Order] = []
  private var calm = false

  init(seed: UInt64) {
    self.seed = seed
    random = SeededGenerator(seed: seed)
    server.keepsKeys = Bool.random(using: &random)
    server.tellsSource = Bool.random(using: &random)
    server.skew = Int64.random(in: -7_200_000...7_200_000, using: &random)
    writer = LoginWriter(record: stored, parser: JSONParser())
    // The clock is known from reading.
    clock.add(
      date: server.respond(to: MastodonServer(url: WebURL(ModelServer.origin)!).get("/x/y/z"), at: now).date, at: now)
  }

  mutating func step() {
    switch Int.random(in: 0..<20, using: &random) {
    case 0..<4: wish()
    case 4..<12: answer()
    case 12..<15: store()
    case 15: kill()
    case 16: now = now.adding(milliseconds: Int64.random(in: 0...90_000, using: &random))
    case 17 where Int.random(in: 0..<4, using: &random) == 0: now = now.adding(milliseconds: 3_000_000)
    default: now = now.adding(milliseconds: Int64.random(in: 0...5_000, using: &random))
    }
    askAgain()
    proceed()
  }

  /// Faults end, and all that is open is answered.
  mutating func settle() {
    calm = true
    for _ in 0..<3_000 where orders.contains(where: { $0.answer == nil }) {
      store()
      answer()
      now = now.adding(milliseconds: 1_000)
      askAgain()
      proceed()
    }
  }

  // MARK: - The daemon

  /// An account wants something.
  private mutating func wish() {
    let id = "w\(orders.count + 1)"
    let known = orders.compactMap { order -> String? in
      if case .post = order.wish.action, case .done(let uri, _) = order.answer, !uri.isEmpty { uri } else { nil }
    }
    let target = known.randomElement(using: &random)
    let text = Self.texts.randomElement(using: &random)!
    var writing = Wish.Writing(text: text, since: now)
    let isMark = Int.random(in: 0..<3, using: &random) == 0
    var action = Wish.Action.post(writing)
    if let target, isMark {
      // Commands about a post are sent one after another.
      guard !orders.contains(where: { $0.answer == nil && $0.wish.post.id == target }) else { return }
      writing.text = "edited \(id)"
      action = [.favourite, .unfavourite, .edit(writing), .delete].randomElement(using: &random)!
    } else if let target, Bool.random(using: &random) {
      writing.parent = Wish.PostName(id: target)
      action = .post(writing)
    }
    let post = Wish.PostName(id: isMark ? target ?? "" : "")
    let wish = Wish(id: id, account: "ann", login: "ann@a.example", action: action, post: post, isAgain: false)
    orders.append(Order(wish: wish, next: nil))
    writer.add(wish, at: now)
  }

  private mutating func askAgain() {
    for index in orders.indices {
      guard orders[index].answer == nil, let time = orders[index].next, time <= now else { continue }
      orders[index].wish.isAgain = true
      orders[index].next = nil
      writer.add(orders[index].wish, at: now)
    }
  }

  private mutating func collect() {
    for effect in writer.takeEffects() {
      switch effect {
      case .store(let record): storing.append(record)
      case .warn: Issue.record("no post here has files")
      case .answer(let id, let answer):
        guard let index = orders.firstIndex(where: { $0.wish.id == id }), orders[index].answer == nil else { continue }
        if case .later = answer {
          orders[index].next = now.adding(milliseconds: orders[index].pause)
          orders[index].pause = min(orders[index].pause * 2, 300_000)
        } else {
          orders[index].answer = answer
        }
      }
    }
  }

  private mutating func store() {
    guard !storing.isEmpty else { return }
    stored = storing.removeFirst()
    writer.stored(true)
    collect()
  }

  // MARK: - The program

  private mutating func proceed() {
    if open == nil { open = writer.next(server.facts(clock), at: now) }
    collect()
  }

  /// The server carries out the open request, unless a fault prevents it.
  private mutating func answer() {
    guard let question = open else { return }
    open = nil
    writer.answered(question, respond(to: question), host: ModelServer.host, at: now)
    collect()
    proceed()
  }

  private mutating func respond(to question: WriterQuestion) -> Result<FetchResponse, FetchFailure> {
    var fault = ModelServer.Fault.none
    if !calm, Bool.random(using: &random) { fault = ModelServer.Fault.allCases.randomElement(using: &random)! }
    return server.respond(
      to: question.request(to: MastodonServer(url: WebURL(ModelServer.origin)!)), fault, at: now)
  }

  /// The program ends. What it has sent may be carried out, what it has told the daemon may be stored.
  private mutating func kill() {
    if let question = open, Bool.random(using: &random) { _ = respond(to: question) }
    open = nil
    while !storing.isEmpty, Bool.random(using: &random) { stored = storing.removeFirst() }
    storing = []
    writer = LoginWriter(record: WritingRecord(text: stored.text), parser: JSONParser())
    for index in orders.indices where orders[index].answer == nil && orders[index].next == nil {
      orders[index].next = now.adding(milliseconds: 200)
    }
  }

  // MARK: - Checks

  func check() {
    var uris: [String: String] = [:]
    for order in orders {
      guard let answer = order.answer else {
        Issue.record("\(order.wish.id) is never answered: seed \(seed)")
        continue
      }
      guard case .post(let writing) = order.wish.action, case .done(let uri, _) = answer, !uri.isEmpty else { continue }
      #expect(uris[uri] == nil, "\(uri) is of \(order.wish.id) and \(uris[uri] ?? ""): seed \(seed)")
      uris[uri] = order.wish.id
      let made = server.made.first { ModelServer.uri($0.id) == uri }
      #expect(made?.text == writing.text, "\(order.wish.id) is \(made?.text ?? "nowhere"): seed \(seed)")
      #expect(made.map { $0.parent.map(ModelServer.uri) } == .some(writing.parent?.id), "seed \(seed)")
    }
    // What was made for a wish that is refused is known to be in doubt.
    let extra = server.made.filter { uris[ModelServer.uri($0.id)] == nil }
    let doubtful = orders.filter { order in
      guard case .post = order.wish.action else { return false }
      if case .refused(let reason) = order.answer { return reason.contains("not known") }
      return order.answer == .done()
    }
    #expect(extra.count <= doubtful.count, "posts nobody wanted: seed \(seed)")
    checkMarks(uris)
  }

  private func checkMarks(_ uris: [String: String]) {
    for uri in uris.keys {
      let done = orders.filter { $0.wish.post.id == uri && $0.answer == .done() }.map(\.wish.action)
      let status = server.statuses.first { ModelServer.uri($0.id) == uri }
      if done.contains(.delete) {
        #expect(status == nil, "\(uri) is deleted: seed \(seed)")
        continue
      }
      guard let status else { continue }
      let marks = done.filter { $0 == .favourite || $0 == .unfavourite }
      #expect(server.favourites.contains(status.id) == (marks.last == .favourite), "\(uri): seed \(seed)")
      for case .edit(let writing) in done.suffix(1) {
        #expect(status.text == writing.text, "\(uri): seed \(seed)")
      }
    }
  }
}

extension Result<FetchResponse, FetchFailure> {
  fileprivate var date: String? { (try? get())?.field("date") }
}
