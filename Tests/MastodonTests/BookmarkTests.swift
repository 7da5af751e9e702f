import HTTPSupport
import Testing

@testable import Mastodon

@Suite("Bookmarks of a login")
struct BookmarkTests {
  private static let path = "/api/v1/bookmarks"

  /// A connector whose login has read its timelines, and asks for bookmarks next.
  private static func reading(_ cursor: String? = nil, isKept: Bool = true) -> ConnectorBench {
    let cursors = cursor.map { #"{"bookmarks":"\#($0)"}"# } ?? "{}"
    var bench = ConnectorBench.withLogin(cursors: cursors, keepsBookmarks: isKept)
    bench.connect()
    bench.answer(ConnectorBench.home)
    bench.answerNotifications()
    _ = bench.batches()
    return bench
  }

  private static func page(_ ids: [String]) -> String {
    "[\(ids.map { ServerTests.status($0) }.joined(separator: ","))]"
  }

  private static let next = [
    "link": #"<https://a.example/api/v1/bookmarks?max_id=b77>; rel="next", <x?min_id=b9>; rel="prev""#
  ]

  @Test("without being asked to, nothing is read and nothing said of them") func off() {
    #expect(Self.reading(isKept: false).fetches.isEmpty)
  }

  @Test("all pages are read the first time, by the server's own cursors, and are saved here") func first() {
    var bench = Self.reading()
    #expect(bench.fetches[0].request.url.query == "limit=40")
    bench.answer(Self.path, 200, Self.page(["9", "8"]), fields: Self.next)
    #expect(bench.fetches[0].request.url.query == "limit=40&max_id=b77")
    let first = bench.batches().joined()
    #expect(first.contains(#""in":["saved"]"#) && !first.contains(#""bookmarks":"#), "there may be more")
    bench.answer(Self.path, 200, Self.page(["5"]))
    let second = bench.batches().joined()
    #expect(second.contains(#""bookmarks":"9 8""#) && second.components(of: #""in":["saved"]"#) == 1)
    #expect(bench.fetches.isEmpty)
  }

  @Test("later only those above a known one are, also if the newest known one was removed") func later() {
    var bench = Self.reading("9 8 5")
    bench.answer(Self.path, 200, Self.page(["11", "8", "5"]), fields: Self.next)
    let batch = bench.batches().joined()
    #expect(batch.components(of: #""in":["saved"]"#) == 1 && batch.contains(#""bookmarks":"11 8 5 9""#))
    #expect(bench.fetches.isEmpty)
    bench.pass(seconds: 31 * 60)
  }

  @Test("a page that fails is read with the next connection, from the newest") func failure() {
    var bench = Self.reading("5")
    bench.answer(Self.path, 200, Self.page(["9"]), fields: Self.next)
    bench.answer(Self.path, 500, "{}")
    #expect(!bench.batches().joined().contains(#""bookmarks":"#) && bench.fetches.isEmpty)
  }

  @Test("no more than 20 pages are read in a row") func limit() {
    var bench = Self.reading()
    for number in 0..<20 {
      bench.answer(Self.path, 200, Self.page(["\(100 - number)"]), fields: Self.next)
      bench.pass(seconds: 1)
    }
    #expect(bench.fetches.isEmpty && bench.batches().joined().contains(#""bookmarks":"100""#))
  }

  @Test("saving and the opposite are bookmarks there") func marks() {
    var bench = WriterBench()
    let post = bench.server.publish("x", at: bench.now)
    #expect(bench.carryOut(WriterBench.wish("a", .save, post)) == .done())
    #expect(bench.server.requests.last == "POST /api/v1/statuses/\(post)/bookmark")
    #expect(bench.carryOut(WriterBench.wish("b", .unsave, post)) == .done())
    #expect(bench.server.requests.last == "POST /api/v1/statuses/\(post)/unbookmark")
  }
}

extension String {
  /// The number of times that a part occurs.
  fileprivate func components(of part: String) -> Int {
    split(separator: part, omittingEmptySubsequences: false).count - 1
  }
}
