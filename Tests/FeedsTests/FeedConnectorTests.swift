import Dates
import HTTPSupport
import Ingest
import Posts
import Testing

@testable import Feeds

@Suite("The connector as a value")
struct FeedConnectorTests {
  static let start = Instant(seconds: 1_790_000_000)

  private func lines(_ effects: [FeedConnector.Effect]) -> [String] {
    effects.compactMap {
      if case .write(let line) = $0 { String(decoding: line, as: UTF8.self).trimmingNewline } else { nil }
    }
  }

  private func tell(_ connector: inout FeedConnector, _ line: String, at now: Instant = start) -> [FeedConnector.Effect]
  {
    connector.handle(.line(Array(line.utf8)), at: now)
  }

  @Test("it greets, makes no request before it is told to begin, and follows the daemon's clock") func beginning() {
    var connector = FeedConnector(seed: 1)
    #expect(lines(connector.handle(.time, at: Self.start)) == [#"{"say":"hello","protocol":2,"can":["feed"]}"#])
    let told = tell(&connector, #"{"tell":"feed","feed":"f1","url":"https://a.example/","cursors":{},"settings":{}}"#)
    #expect(told.isEmpty && connector.deadline(after: Self.start) == nil)
    let ready = tell(&connector, #"{"tell":"ready","now":1000000000000,"credit":8}"#)
    guard case .fetch(let check, let request)? = ready.last else {
      Issue.record("nothing is fetched: \(ready)")
      return
    }
    #expect(request.url.text == "https://a.example/" && request.validators.isEmpty && !request.allowsPrivateAddresses)
    let after = connector.handle(.fetched(check: check, .failure(FetchFailure("no network"))), at: Self.start)
    let batch = lines(after).last ?? ""
    #expect(batch.contains(#""items":[],"cursors":{"#) && batch.contains(#""last":"1000000000000""#))
    #expect(batch.contains("failing 1 1000000000000") && lines(after).count == 1)
    // The next check is an hour later by either clock, once this one is stored.
    #expect(connector.deadline(after: Self.start) == nil)
    let stored = tell(&connector, #"{"did":"1","revision":1}"#)
    #expect(lines(stored).first?.contains("no network") == true, "the status follows what was stored")
    let next = connector.deadline(after: Self.start).map { $0.seconds - Self.start.seconds } ?? 0
    #expect((3_000...4_000).contains(next))
  }

  @Test("a feed that was removed meanwhile is forgotten with its check") func removed() {
    var connector = FeedConnector(seed: 1)
    _ = tell(&connector, #"{"tell":"feed","feed":"f1","url":"https://a.example/"}"#)
    _ = tell(&connector, #"{"tell":"ready","now":1790000000000,"credit":8}"#)
    _ = tell(&connector, #"{"tell":"gone","feed":"f1"}"#)
    #expect(connector.handle(.fetched(check: 1, .failure(FetchFailure("late"))), at: Self.start).isEmpty)
    #expect(connector.deadline(after: Self.start) == nil)
  }

  @Test("invalid lines are logged or ignored", arguments: ["", "{", "[]", "7", #"{"tell":"feed"}"#])
  func nonsense(line: String) {
    var connector = FeedConnector(seed: 1)
    let effects = tell(&connector, line)
    #expect(effects.count <= 2 && connector.deadline(after: Self.start) == nil)
  }

  @Test("the state of a feed survives being stored") func cursors() throws {
    let url = try #require(WebURL("https://a.example/feed"))
    var memory = FeedMemory(url: url)
    memory.record.validators = .init(entityTag: [0x22, 0xFF, 0x22], lastModified: Array("x".utf8))
    memory.record.health = .failing(count: 4, since: Self.start)
    memory.record.next = Self.start.adding(milliseconds: 5_000)
    memory.record.lastCheck = Self.start
    memory.record.pace.skippedHours = [0, 23]
    memory.record.pace.minutes = 90
    memory.record.pace.halfPause = 0
    memory.record.moving = .init(target: url, count: 2, since: Self.start)
    (memory.record.freshUntil, memory.record.retryAfter) = (Self.start, Self.start)
    memory.record.wantedMinutes = 15
    memory.since = Self.start
    memory.known = "AAAA"
    memory.checks.add(.init(time: Self.start, wasConditional: true, outcome: "a b", next: nil))
    let cursors = memory.cursors.compactMapValues(\.self)
    #expect(FeedMemory(cursors, url: url, now: Self.start) == memory)
    // Another address has nothing of it but what is known of its items.
    let other = FeedMemory(cursors, url: try #require(WebURL("https://c.example/")), now: Self.start)
    #expect(other.record == FeedMemory(url: other.record.url).record && other.known == "AAAA")
  }

  @Test("all cursors together fit into what the daemon stores") func cursorSize() throws {
    let url = try #require(WebURL("https://a.example/feed"))
    var memory = FeedMemory(url: url)
    memory.known = String(repeating: "A", count: KnownItems.textBytes)
    let bytes = [UInt8](repeating: 0x41, count: FeedMemory.tagBytes)
    memory.record.validators = .init(entityTag: bytes, lastModified: bytes)
    for _ in 0..<20 {
      memory.checks.add(
        .init(
          time: Self.start, wasConditional: true, outcome: String(repeating: "é", count: 500), next: Self.start))
    }
    let size = memory.cursors.values.reduce(0) { $0 + ($1?.utf8.count ?? 0) }
    #expect(size <= 16 << 10)
    #expect(memory.checks.checks.last?.outcome == String(repeating: "é", count: 38) + "…")
    #expect(memory.checks.sentences.count == 10)
  }

  /// A document whose items have these identifiers, with some markup in each.
  private func document(_ identifiers: [String], more: String = "") -> [UInt8] {
    let items = identifiers.map { "<item><guid>\($0)</guid><title>Title \($0)</title>\(more)</item>" }.joined()
    return Array("<rss version='2.0'><channel><title>Town</title>\(items)</channel></rss>".utf8)
  }

  /// Answers the request among these effects, and reads the document if there is one. Returns the batches sent.
  private func respond(
    _ connector: inout FeedConnector, to effects: [FeedConnector.Effect], _ body: [UInt8], at now: Instant = start
  ) throws -> [String] {
    var effects = effects
    var said: [String] = []
    while let effect = effects.popLast() {
      switch effect {
      case .fetch(let check, let request):
        let fields = [(name: "ETag", value: Array("\"1\"".utf8))]
        let response = FetchResponse(status: 200, fields: fields, body: body, url: request.url)
        effects = connector.handle(.fetched(check: check, .success(response)), at: now)
      case .parse(let job): effects = connector.handle(.parsed(job.run()), at: now)
      case .write(let line): said.insert(String(decoding: line, as: UTF8.self), at: 0)
      case .log: break
      }
    }
    return said.filter { $0.contains(#""say":"batch""#) }
  }

  /// A connector that has been told of a feed and to begin, with what it does first.
  private func begun() -> (FeedConnector, [FeedConnector.Effect]) {
    var connector = FeedConnector(seed: 1)
    _ = tell(&connector, #"{"tell":"feed","feed":"f1","url":"https://a.example/"}"#)
    let effects = tell(&connector, #"{"tell":"ready","now":1790000000000,"credit":8}"#)
    return (connector, effects)
  }

  @Test("posts that the daemon refuses are not known: the next check brings them again") func refused() throws {
    var (connector, effects) = begun()
    #expect(try respond(&connector, to: effects, document(["1", "2"])).count == 1)
    let after = lines(tell(&connector, #"{"did":"1","ok":false,"reason":"it is too wide"}"#))
    #expect(after.last?.contains(#""batch":"2""#) == true && after.last?.contains("Title") == false)
    #expect(after.last?.contains(#""known":"","#) == true && after.last?.contains(#""etag":null"#) == true)
    #expect(after.first?.contains("the daemon refused posts: it is too wide") == true)
    _ = tell(&connector, #"{"did":"2","revision":1}"#)
    let next = try #require(connector.deadline(after: Self.start))
    #expect((54...66).contains((next.seconds - Self.start.seconds) / 60))
    effects = connector.handle(.time, at: next)
    guard case .fetch(_, let request)? = effects.last else { throw Missing() }
    #expect(request.validators.isEmpty)
    let again = try respond(&connector, to: effects, document(["1", "2"]), at: next)
    #expect(again.count == 1 && again[0].contains("Title 1") && again[0].contains("Title 2"))
    // A refusal of cursors alone is not followed by more of them.
    _ = tell(&connector, #"{"did":"3","ok":false}"#, at: next)
    #expect(lines(tell(&connector, #"{"did":"4","ok":false}"#, at: next)).isEmpty)
  }

  @Test("cursors are sent once the posts before them are stored, and not at all after a refusal") func order() throws {
    for isRefused in [false, true] {
      var (connector, effects) = begun()
      let identifiers = (0..<1_200).map { "\($0)" }
      let sent = try respond(&connector, to: effects, document(identifiers))
      #expect(sent.count == 2 && !sent.contains { $0.contains(#""known""#) })
      #expect(lines(tell(&connector, #"{"did":"2","revision":1}"#)).isEmpty)
      let last = lines(tell(&connector, isRefused ? #"{"did":"1","ok":false}"# : #"{"did":"1","revision":1}"#))
      #expect(last.first?.contains("Title 1199") == !isRefused)
      #expect(last.last?.contains(#""known":"","#) == isRefused)
    }
  }

  @Test("batches are cut by items and by bytes, and the daemon reads each") func size() throws {
    let link = "<description>&lt;a href='https://e.example/\(String(repeating: "\\", count: 8_000))'&gt;x&lt;/a&gt;"
    let media = (0..<16).map { "<enclosure url='https://e.example/\($0)?\(String(repeating: "\\", count: 8_000))'/>" }
    var (connector, effects) = begun()
    var lines = try respond(
      &connector, to: effects,
      document(
        (0..<40).map { "\($0)" },
        more: link + String(repeating: "\"", count: 16_000) + "</description>" + media.joined()))
    #expect(lines.count == 8)
    for number in 1... {
      effects = tell(&connector, #"{"did":"\#(number)","revision":1}"#)
      let more = self.lines(effects).filter { $0.contains(#""say":"batch""#) }
      if more.isEmpty, number >= lines.count { break }
      lines += more
    }
    var posts = 0
    for line in lines {
      var reader = UpstreamLine(source: "feed")
      reader.read(Array((line.hasSuffix("\n") ? line : line + "\n").utf8)) { message in
        guard case .success(.batch(let batch)) = message else {
          Issue.record("a line is not read: \(message)")
          return
        }
        #expect(line.utf8.count < UpstreamLine.limitBytes / 2 + (200 << 10))
        for item in batch.items { if case .post = item { posts += 1 } }
      }
    }
    #expect(posts == 40)
  }

  @Test("of a web page that was given the first feed is read, and of no other page") func offered() throws {
    func page(_ links: String...) -> [UInt8] {
      let tags = links.map { "<link rel='alternate' type='application/rss+xml' href='\($0)'/>" }.joined()
      return Array("<!doctype html><html><head>\(tags)</head></html>".utf8)
    }
    var (connector, effects) = begun()
    let links = page("http://a.example/insecure", "https://127.0.0.1/", "/feed", "/other")
    let batch = try #require(try respond(&connector, to: effects, links).first)
    #expect(batch.contains(#""items":[{"moved":"https://a.example/feed"}]"#) && batch.contains(#""offered":"1""#))
    #expect(batch.contains("a web page, which offers the feed https://a.example/feed"))
    #expect(tell(&connector, #"{"did":"1","revision":1}"#).count == 1, "how it fares, and no request yet")
    let next = try #require(connector.deadline(after: Self.start))
    #expect(next == Self.start.adding(milliseconds: FetchScheduler.hostPause))
    effects = connector.handle(.time, at: next)
    guard case .fetch(_, let request)? = effects.last else { throw Missing() }
    #expect(request.url.text == "https://a.example/feed")
    // The feed is another page: it fails.
    let second = try #require(try respond(&connector, to: effects, page("/third"), at: next).first)
    #expect(
      second.contains(#""items":[]"#) && second.contains("not a feed: a web page") && second.contains("failing 1"))
    // A feed whose place a page has taken fails too.
    (connector, effects) = begun()
    _ = try respond(&connector, to: effects, document(["1"]))
    _ = tell(&connector, #"{"did":"1","revision":1}"#)
    let later = try #require(connector.deadline(after: Self.start))
    let taken = try #require(
      try respond(&connector, to: connector.handle(.time, at: later), page("/feed"), at: later).first)
    #expect(taken.contains("not a feed: a web page"))
  }

  @Test("a feed whose cursors were forgotten is read from the beginning") func forgotten() throws {
    var (connector, effects) = begun()
    _ = try respond(&connector, to: effects, document(["1"]))
    _ = tell(&connector, #"{"did":"1","revision":1}"#)
    #expect(lines(tell(&connector, #"{"tell":"feed","feed":"f1","url":"https://a.example/"}"#)).count == 1)
    _ = tell(&connector, #"{"tell":"feed","feed":"f1","url":"https://a.example/","cursors":{}}"#)
    let next = try #require(connector.deadline(after: Self.start))
    #expect(next == Self.start.adding(milliseconds: FetchScheduler.hostPause))
    effects = connector.handle(.time, at: next)
    guard case .fetch(_, let request)? = effects.last else { throw Missing() }
    #expect(request.validators.isEmpty)
    #expect(try respond(&connector, to: effects, document(["1"]), at: next).first?.contains("Title 1") == true)
  }

  @Test("a feed whose new address the daemon refuses stays where it was, and says why") func notMoved() throws {
    var (connector, effects) = begun()
    let page = Array("<html><link rel='alternate' type='application/rss+xml' href='/feed'/></html>".utf8)
    _ = try respond(&connector, to: effects, page)
    let said = lines(
      tell(&connector, #"{"did":"1","revision":1,"refused":[{"item":0,"reason":"feed 7 has that address"}]}"#))
    #expect(said.first?.contains("not moved to https://a.example/feed: feed 7 has that address") == true)
    let next = try #require(connector.deadline(after: Self.start))
    effects = connector.handle(.time, at: next)
    guard case .fetch(_, let request)? = effects.last else { throw Missing() }
    #expect(request.url.text == "https://a.example/")
    // An item with another number is not the address.
    (connector, effects) = begun()
    _ = try respond(&connector, to: effects, page)
    let other = lines(tell(&connector, #"{"did":"1","revision":1,"refused":[{"item":1,"reason":"no"}]}"#))
    #expect(other.count == 1 && !other[0].contains("not moved"))
  }

  @Test("a feed that is added again has nothing to do with the answers to its predecessor") func addedAgain() throws {
    var (connector, effects) = begun()
    _ = try respond(&connector, to: effects, document(["1"]))
    _ = tell(&connector, #"{"tell":"gone","feed":"f1"}"#)
    effects = tell(&connector, #"{"tell":"feed","feed":"f1","url":"https://b.example/"}"#)
    guard case .fetch(let check, _)? = effects.last else { throw Missing() }
    let refusal = tell(&connector, #"{"did":"1","ok":false,"reason":"no such feed"}"#)
    #expect(lines(refusal).isEmpty && refusal.count == 1)
    let after = lines(connector.handle(.fetched(check: check, .failure(FetchFailure("no network"))), at: Self.start))
    #expect(after.last?.contains(#""batch":"2""#) == true)
  }
}

private struct Missing: Error {}

extension String {
  fileprivate var trimmingNewline: String { hasSuffix("\n") ? String(dropLast()) : self }
}
