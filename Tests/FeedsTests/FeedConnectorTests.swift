import Dates
import HTTPSupport
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

  @Test("it says hello, asks for nothing before ready, and goes by the daemon's clock") func beginning() {
    var connector = FeedConnector(seed: 1)
    #expect(lines(connector.handle(.time, at: Self.start)) == [#"{"say":"hello","protocol":2,"can":["feed"]}"#])
    let told = tell(&connector, #"{"tell":"feed","feed":"f1","url":"https://a.example/","cursors":{},"settings":{}}"#)
    #expect(told.isEmpty && connector.deadline(after: Self.start) == nil)
    let ready = tell(&connector, #"{"tell":"ready","now":1000000000000,"credit":8}"#)
    guard case .fetch(let check, let url, let validators, let isLocal)? = ready.last else {
      Issue.record("nothing is fetched: \(ready)")
      return
    }
    #expect(url.text == "https://a.example/" && validators.isEmpty && !isLocal)
    let after = connector.handle(
      .fetched(check: check, FeedResponse(failure: "no network", address: "")), at: Self.start)
    let batch = lines(after).last ?? ""
    #expect(batch.contains(#""items":[],"cursors":{"#) && batch.contains(#""last":"1000000000000""#))
    #expect(batch.contains("failing 1 1000000000000") && lines(after).first?.contains("no network") == true)
    // The next check is an hour later by either clock.
    let next = connector.deadline(after: Self.start).map { $0.seconds - Self.start.seconds } ?? 0
    #expect((3_000...4_000).contains(next))
  }

  @Test("a feed that was removed meanwhile is forgotten with its check") func removed() {
    var connector = FeedConnector(seed: 1)
    _ = tell(&connector, #"{"tell":"feed","feed":"f1","url":"https://a.example/"}"#)
    _ = tell(&connector, #"{"tell":"ready","now":1790000000000,"credit":8}"#)
    _ = tell(&connector, #"{"tell":"gone","feed":"f1"}"#)
    let response = FeedResponse(failure: "late", address: "")
    #expect(connector.handle(.fetched(check: 1, response), at: Self.start).isEmpty)
    #expect(connector.deadline(after: Self.start) == nil)
  }

  @Test("lines that make no sense are told of, or passed over", arguments: ["", "{", "[]", "7", #"{"tell":"feed"}"#])
  func nonsense(line: String) {
    var connector = FeedConnector(seed: 1)
    let effects = tell(&connector, line)
    #expect(effects.count <= 2 && connector.deadline(after: Self.start) == nil)
  }

  @Test("what is stored of a feed is read as the same") func cursors() throws {
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
    memory.since = Self.start
    memory.known = "AAAA"
    memory.checks.add(.init(time: Self.start, wasConditional: true, outcome: "a b", next: nil))
    let cursors = memory.cursors.compactMapValues(\.self)
    #expect(FeedMemory(cursors, url: url, now: Self.start) == memory)
    // Another address has nothing of it but what is known of its items.
    let other = FeedMemory(cursors, url: try #require(WebURL("https://c.example/")), now: Self.start)
    #expect(other.record == FeedMemory(url: other.record.url).record && other.known == "AAAA")
  }

  @Test("all cursors together fit into what the daemon stores") func size() throws {
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
    #expect(memory.checks.sentences.count == 10)
  }
}

extension String {
  fileprivate var trimmingNewline: String { hasSuffix("\n") ? String(dropLast()) : self }
}
