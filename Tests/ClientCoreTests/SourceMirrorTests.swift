import ClientCore
import Messages
import Testing

@Suite("The mirror of an account's sources")
struct SourceMirrorTests {
  private static func feed(_ number: UInt64, _ state: SourceState = .polling) -> SourceSummary {
    var feed = SourceSummary(SourceName(source: "feed", login: "", feedID: number))
    feed.status.state = state
    return feed
  }

  private static func news(
    _ sources: [SourceSummary], gone: [SourceSummary] = [], isComplete: Bool = true
  ) -> WatchSourcesResponse {
    var news = WatchSourcesResponse()
    (news.sources, news.gone, news.isComplete) = (sources, gone, isComplete)
    return news
  }

  @Test("is whole with the first complete message, and stays so") func complete() {
    var mirror = SourceMirror()
    #expect(mirror.apply(Self.news([Self.feed(2)], isComplete: false)) == [.inserted(Self.feed(2))])
    #expect(!mirror.isComplete)
    _ = mirror.apply(Self.news([Self.feed(1)]))
    #expect(mirror.isComplete && mirror.sources.map(\.feedID) == [1, 2])
    #expect(mirror.apply(Self.news([Self.feed(1)], isComplete: false)) == [] && mirror.isComplete)
  }

  @Test("reports what differs") func changes() {
    var mirror = SourceMirror()
    _ = mirror.apply(Self.news([Self.feed(1), Self.feed(2)]))
    #expect(mirror.apply(Self.news([Self.feed(1, .failing), Self.feed(2)])) == [.changed(Self.feed(1, .failing))])
    let gone = Self.news([], gone: [SourceSummary(Self.feed(1).name), SourceSummary(Self.feed(9).name)])
    #expect(mirror.apply(gone) == [.removed(Self.feed(1, .failing))])
    #expect(mirror.sources == [Self.feed(2)])
  }

  @Test("tells how far new feeds have been read, and of some of them what failed") func progress() {
    var mirror = SourceMirror()
    _ = mirror.apply(Self.news([Self.feed(1), Self.feed(2, .connecting)], isComplete: false))
    #expect(FeedProgress(of: [1, 2], in: mirror).read == 0, "not before the list is whole")
    _ = mirror.apply(Self.news([Self.feed(3, .connecting), Self.feed(4, .waiting)]))
    #expect(mirror.progress == "2 of 4 feeds read")
    let some = FeedProgress(of: [1, 3, 4], in: mirror)
    #expect(!some.isComplete && some.line == "read 1 of 3 feeds, 1 failed")
    _ = mirror.apply(Self.news([Self.feed(3)]))
    let all = FeedProgress(of: [1, 3, 4], in: mirror)
    #expect(all.isComplete && all.line == "read 2 of 3 feeds, 1 failed" && mirror.progress == "3 of 4 feeds read")
    _ = mirror.apply(Self.news([Self.feed(2)]))
    #expect(mirror.progress.isEmpty)
    #expect(!FeedProgress(of: [9], in: mirror).isComplete, "one that is not listed yet")
  }

  @Test("after a reconnection loses what the daemon does not name, once it is complete") func reconnected() {
    var mirror = SourceMirror()
    _ = mirror.apply(Self.news([Self.feed(1), Self.feed(2), Self.feed(3)]))
    mirror.restart()
    #expect(mirror.apply(Self.news([Self.feed(3)], isComplete: false)) == [] && mirror.sources.count == 3)
    #expect(mirror.apply(Self.news([Self.feed(1, .live)])) == [.changed(Self.feed(1, .live)), .removed(Self.feed(2))])
    #expect(mirror.sources == [Self.feed(1, .live), Self.feed(3)])
  }
}
