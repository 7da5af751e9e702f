import Dates
import TestSupport
import Testing

@testable import Mastodon

@Suite("Reading a timeline")
struct TimelineReaderTests {
  /// Answers all questions of a reader, at most `limit`. Returns them.
  @discardableResult
  static func read(
    _ reader: inout TimelineReader, from server: ModelTimeline, into daemon: inout ModelDaemon, limit: Int = 1_000
  ) -> [TimelineReader.Question] {
    var asked: [TimelineReader.Question] = []
    while asked.count < limit, let question = reader.question {
      asked.append(question)
      daemon.take(reader.answer(server.page(question)))
    }
    return asked
  }

  static func server(_ count: Int, limit: Int = .max, skips: Bool = false) -> ModelTimeline {
    var server = ModelTimeline(limit: limit, skips: skips)
    for _ in 0..<count { server.publish() }
    return server
  }

  private static func ids(_ daemon: ModelDaemon) -> Set<String> { Set(daemon.statuses.keys) }

  @Test("the first reading goes down to what the server has, at most twenty pages, and opens no gap") func first() {
    for (count, pages) in [(0, 1), (3, 2), (12, 4), (400, 21)] {
      let server = Self.server(count)
      var reader = TimelineReader()
      var daemon = ModelDaemon()
      reader.begin()
      #expect(reader.isHolding)
      let asked = Self.read(&reader, from: server, into: &daemon)
      #expect(asked.count == pages && asked.first == .newest && !reader.isHolding)
      #expect(daemon.statuses.count == min(count, 105))
      #expect(server.statuses.allSatisfy { daemon.stretch(at: $0.created) == nil })
    }
  }

  @Test("a short absence: the newest page, and the one below for late statuses") func short() {
    var server = Self.server(20)
    var reader = TimelineReader()
    var daemon = ModelDaemon()
    reader.begin()
    Self.read(&reader, from: server, into: &daemon)
    server.publish()
    server.publish(behind: 4)
    reader.begin()
    #expect(Self.read(&reader, from: server, into: &daemon) == [.newest, .below("s19", limit: 40)])
    #expect(Self.ids(daemon) == Set(server.statuses.map(\.id)))
    #expect(server.statuses.allSatisfy { daemon.stretch(at: $0.created) == nil })
  }

  @Test("a long absence: a gap, which is filled from its older end") func long() {
    var server = Self.server(20)
    var reader = TimelineReader()
    var daemon = ModelDaemon()
    reader.begin()
    Self.read(&reader, from: server, into: &daemon)
    for _ in 0..<22 { server.publish() }
    reader.begin()
    // The newest page, the one below the cursor, and one page of the gap.
    let begun = Self.read(&reader, from: server, into: &daemon, limit: 4)
    #expect(begun == [.newest, .below("s19", limit: 40), .above("s19"), .below("s20", limit: 1)])
    let missing = server.statuses.filter { daemon.stretch(at: $0.created) == .missing }.map(\.id)
    #expect(missing == (25...36).reversed().map { "s\($0)" })
    #expect(Self.read(&reader, from: server, into: &daemon).first == .above("s24"))
    #expect(Self.ids(daemon) == Set(server.statuses.map(\.id)))
    #expect(server.statuses.allSatisfy { daemon.stretch(at: $0.created) == nil } && reader.place.gaps.isEmpty)
  }

  @Test("a server that has forgotten: what it no longer has is lost") func horizon() {
    var server = Self.server(20, limit: 30)
    var reader = TimelineReader()
    var daemon = ModelDaemon()
    reader.begin()
    Self.read(&reader, from: server, into: &daemon)
    for _ in 0..<50 { server.publish() }
    server.forget()
    reader.begin()
    Self.read(&reader, from: server, into: &daemon)
    for number in 20..<70 {
      let status = server.published["s\(number)"]!
      #expect(daemon.stretch(at: status.created) == (number < 40 ? .lost : nil), "\(number)")
      #expect((daemon.statuses[status.id] != nil) == (number >= 40))
    }
  }

  @Test("a server that skips when it is asked upwards is asked downwards") func skipping() {
    var server = Self.server(20, skips: true)
    var reader = TimelineReader()
    var daemon = ModelDaemon()
    reader.begin()
    Self.read(&reader, from: server, into: &daemon)
    for _ in 0..<32 { server.publish() }
    reader.begin()
    let asked = Self.read(&reader, from: server, into: &daemon)
    #expect(asked.contains(.below("s47", limit: 40)) && Self.ids(daemon) == Set(server.statuses.map(\.id)))
    #expect(server.statuses.allSatisfy { daemon.stretch(at: $0.created) == nil })
  }

  @Test("twenty pages are read unasked; a person has the rest read") func limit() {
    var server = Self.server(20)
    var reader = TimelineReader()
    var daemon = ModelDaemon()
    reader.begin()
    Self.read(&reader, from: server, into: &daemon)
    for _ in 0..<200 { server.publish() }
    reader.begin()
    // The newest page, the one below the cursor, the question about the server's memory, and twenty pages.
    #expect(Self.read(&reader, from: server, into: &daemon).count == 23)
    let gap = server.statuses.filter { daemon.stretch(at: $0.created) == .missing }
    #expect(gap.count == 95)
    let isElsewhere = reader.fill(older: Instant(milliseconds: 0), newer: Instant(milliseconds: 1))
    let isFound = reader.fill(older: gap.last!.created, newer: gap.first!.created)
    #expect(!isElsewhere && isFound)
    Self.read(&reader, from: server, into: &daemon)
    #expect(Self.ids(daemon) == Set(server.statuses.map(\.id)))
    #expect(server.statuses.allSatisfy { daemon.stretch(at: $0.created) == nil })
  }

  @Test("a page that repeats its anchor is not read for ever") func repeating() {
    var reader = TimelineReader()
    reader.begin()
    let page = [TimelineStatus(id: "b", created: Instant(milliseconds: 2_000))]
    var asked = 0
    while reader.question != nil, asked < 100 {
      _ = reader.answer(page)
      asked += 1
    }
    #expect(asked < 10)
  }

  @Test("a place survives being written as text") func places() {
    var server = Self.server(20)
    var reader = TimelineReader()
    var daemon = ModelDaemon()
    reader.begin()
    Self.read(&reader, from: server, into: &daemon)
    for _ in 0..<300 { server.publish() }
    reader.begin()
    Self.read(&reader, from: server, into: &daemon)
    let text = reader.place.text
    #expect(reader.place.gaps.count == 1 && reader.place.newest.count == 8)
    #expect(TimelinePlace(text: text).text == text)
    #expect(
      TimelinePlace(text: "n a\ng\nx\n\nn b 7\ng c 8").newest == [
        TimelinePlace.End(id: "b", created: Instant(milliseconds: 7))
      ])
  }

  /// The law: once everything has been read, what the server has is here or in a gap, gaps are read as far as they are
  /// unasked, and what the server forgot before it could be read is said to be lost.
  @Test("nothing is lost silently, whatever happens", arguments: seeds(1...800 as ClosedRange<UInt64>))
  func law(seed: UInt64) {
    var world = World(seed: seed)
    for _ in 0..<Int.random(in: 5...120, using: &world.random) { world.step() }
    world.settle()
    world.check(seed)
  }
}

/// A server, the connection to it and the daemon, in all of which anything may happen.
private struct World {
  var random: SeededGenerator
  var server: ModelTimeline
  var reader = TimelineReader()
  var daemon = ModelDaemon()
  var held: [TimelineStatus] = []
  var isConnected = false
  /// Late statuses of this absence: the page below the cursor has room for few.
  var lateCount = 0
  var late: Set<String> = []
  /// The statuses of the time before anything was read.
  var early: Set<String> = []
  var hasRead = false

  init(seed: UInt64) {
    random = SeededGenerator(seed: seed)
    let limit = Bool.random(using: &random) ? Int.max : Int.random(in: 12...60, using: &random)
    server = ModelTimeline(limit: limit, skips: Int.random(in: 0..<4, using: &random) == 0)
    for _ in 0..<Int.random(in: 0...30, using: &random) { server.publish() }
    early = Set(server.published.keys)
  }

  mutating func step() {
    switch Int.random(in: 0..<20, using: &random) {
    case 0..<7: publish(behind: 0)
    case 7: for _ in 0..<Int.random(in: 1...80, using: &random) { publish(behind: 0) }
    case 8 where lateCount < 2 && server.statuses.count > 6:
      lateCount += 1
      publish(behind: Int.random(in: 1...2, using: &random))
    case 9: delete()
    case 10...15: answer()
    case 16: isConnected = false
    case 17: restart()
    default: connect()
    }
  }

  mutating func publish(behind position: Int) {
    let status = server.publish(behind: position)
    if !hasRead { early.insert(status.id) }
    if position > 0 { late.insert(status.id) }
    guard isConnected else { return }
    if reader.isHolding { held.append(status) } else { daemon.take(reader.receive(status)) }
  }

  /// Deletes one of the newest. A stream that is open tells of it.
  mutating func delete() {
    guard let id = server.delete(behind: Int.random(in: 0...3, using: &random)), isConnected else { return }
    held.removeAll { $0.id == id }
    daemon.remove(id)
  }

  mutating func connect() {
    guard !isConnected else { return }
    isConnected = true
    // Forgetting takes longer than reading.
    server.forget()
    held = []
    reader.begin()
  }

  mutating func answer() {
    guard isConnected, let question = reader.question else { return }
    daemon.take(reader.answer(server.page(question)))
    if !reader.isHolding {
      hasRead = true
      for status in held { daemon.take(reader.receive(status)) }
      held = []
    }
  }

  /// The program is killed, and goes on where the daemon says.
  mutating func restart() {
    reader = TimelineReader(place: TimelinePlace(text: reader.place.text))
    isConnected = false
  }

  mutating func settle() {
    connect()
    var count = 0
    while reader.question != nil, count < 1_000 {
      answer()
      count += 1
    }
    #expect(count < 1_000)
  }

  func check(_ seed: UInt64) {
    for status in server.statuses {
      let isHere = daemon.statuses[status.id] != nil
      let stretch = daemon.stretch(at: status.created)
      // What was there before the first reading, and lies deeper than it goes, is nobody's loss.
      if early.contains(status.id), !isHere { continue }
      #expect(isHere || stretch == .missing, "\(status.id) is neither here nor in a gap: seed \(seed)")
    }
    // A status that arrived late, and was forgotten before anybody could know of it, is in no gap.
    for (id, status) in server.published
    where !early.contains(id) && !late.contains(id) && !server.deleted.contains(id) {
      guard daemon.statuses[id] == nil, !server.statuses.contains(where: { $0.id == id }) else { continue }
      #expect(daemon.stretch(at: status.created) != nil, "\(id) was forgotten and is not in a gap: seed \(seed)")
    }
    // What remains of a gap is what twenty pages have not reached, if that is anything.
    for gap in reader.place.gaps {
      #expect(gap.pages == TimelineReader.pageLimit, "a gap is not read on: seed \(seed)")
    }
  }
}
