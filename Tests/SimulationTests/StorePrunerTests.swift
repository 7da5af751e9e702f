import Dates
import Messages
import Posts
import RPC
import Services
import Simulation
import Testing

@Suite("Old posts are removed while the daemon runs")
struct StorePrunerTests {
  /// The program of the feeds, as a test speaks for it.
  private final class FakeProgram: UpstreamProgram {
    let say: (UpstreamMessage) -> Void
    init(_ say: @escaping (UpstreamMessage) -> Void) { self.say = say }

    func send(_: UpstreamCommand) {}
    func send(_: UpstreamNotice) {}
    func whenTaken(_ body: @escaping () -> Void) { body() }
    func close() {}
  }

  /// A daemon with a feed of 450 posts, its client, and the feed as a watch holds it.
  private final class Setting {
    let daemon: DirectDaemon
    let client: DirectClient
    private(set) var feed = SourceSummary()

    init() throws {
      var program: FakeProgram?
      daemon = try DirectDaemon(
        seed: 1,
        upstreams: Upstreams(sources: ["feed"], patience: .seconds(30), log: { _ in }) { _, say, _ in
          program = FakeProgram(say)
          return program!
        })
      client = try daemon.client(user: DirectDaemon.user)
      program?.say(.hello(UpstreamHello(readsFeeds: true)))
      daemon.runUntilIdle()
      _ = try client.call(Method.addFeed, AddFeedRequest(url: "https://e.example/"), FeedResponse.self)
      let author = ImportedAuthor(nativeID: "f1", handle: .empty, displayName: .empty)
      let items = (0..<450).map { number in
        UpstreamItem.post(
          ImportedPost(
            source: "feed", nativeID: "f1/\(number)", author: author, createdAt: Instant(seconds: Int64(number)),
            body: PostBody(text: "Otter.")), in: .home, unfiled: [])
      }
      program?.say(.batch(UpstreamBatch(number: "1", subject: .feed("f1"), items: items)))
      daemon.runUntilIdle()
      let call = try client.start(Method.watchSources)
      call.onMessage = { [unowned self] _, bytes in
        if let feed = try? WatchSourcesResponse(decoding: bytes).sources.last { self.feed = feed }
      }
      try call.send(EmptyMessage().encoded())
      call.closeSend()
      daemon.runUntilIdle()
    }

    /// Begins to set the number of posts that are kept of feeds.
    func keep(_ posts: UInt32) throws {
      try client.begin(Method.setRetention, SetRetentionRequest(source: "feed", keep: Keep(posts: posts)))
    }
  }

  @Test("a limit that is set during a removal applies two seconds after it, and a watch is told what went")
  func limit() throws {
    let setting = try Setting()
    let daemon = setting.daemon
    defer { daemon.close() }
    try setting.keep(300)
    daemon.runUntilIdle()
    #expect(setting.feed.retention.keep.posts == 300 && setting.feed.retention.removedPosts == 0)
    daemon.fireTimers(after: .seconds(2))
    let jobs = daemon.jobs
    while daemon.jobs == jobs { daemon.runStep() }
    // What is due has been read, and nothing has been removed.
    try setting.keep(10)
    daemon.runUntilIdle()
    #expect(setting.feed.retention.keep.posts == 10 && setting.feed.retention.removedPosts == 150)
    daemon.advance(by: .seconds(2))
    #expect(setting.feed.retention.removedPosts == 440)
  }
}
