import Messages
import Posts
import RPC
import Services
import Simulation
import Testing

extension FakeProgram {
  fileprivate func say(_ feed: String, _ state: UpstreamStatus.State, reason: SafeText = .empty) {
    say(.status(UpstreamStatus(subject: .feed(feed), state: state, reason: reason)))
  }
}

@Suite("WatchSources reports the changes of logins and feeds")
struct SourceWatchTests {
  /// A daemon with a program that reads feeds, a client, and the news that it has received.
  private final class Setting {
    /// The processes of the program, oldest first.
    private final class Processes {
      var programs: [FakeProgram] = []
      var ends: [(UpstreamEnd) -> Void] = []
      var log: [String] = []
    }

    let daemon: DirectDaemon
    let client: DirectClient
    var program: FakeProgram { processes.programs.last! }
    var log: [String] { processes.log }
    private let processes: Processes
    private(set) var news: [WatchSourcesResponse] = []
    private(set) var end: Status?

    init(feeds: Int = 0) throws {
      let processes = Processes()
      self.processes = processes
      daemon = try DirectDaemon(
        seed: 1,
        upstreams: Upstreams(
          sources: ["feed"], patience: .seconds(30), log: { processes.log.append($0) }
        ) { _, say, end in
          processes.ends.append(end)
          processes.programs.append(FakeProgram(say, end))
          return processes.programs.last!
        })
      client = try daemon.client(user: DirectDaemon.user)
      program.say(.hello(UpstreamHello(readsFeeds: true)))
      daemon.runUntilIdle()
      for number in 0..<feeds { _ = try add(number) }
    }

    func add(_ number: Int) throws -> SourceSummary {
      try client.call(Method.addFeed, AddFeedRequest(url: "https://e.example/\(number)"), FeedResponse.self).feed
    }

    func crash() {
      processes.ends.last!(UpstreamEnd(reason: "it died"))
      daemon.runUntilIdle()
    }

    /// Opens a watch. What arrives at it is in ``news``.
    func watch() throws {
      let call = try client.start(Method.watchSources)
      call.onMessage = { [unowned self] _, bytes in
        news.append((try? WatchSourcesResponse(decoding: bytes)) ?? WatchSourcesResponse())
      }
      call.onEnd = { [unowned self] _, status, _ in end = status }
      try call.send(EmptyMessage().encoded())
      call.closeSend()
      daemon.runUntilIdle()
    }

    func takeNews() -> [WatchSourcesResponse] {
      daemon.runUntilIdle()
      defer { news = [] }
      return news
    }
  }

  @Test("first all, at most 100 in a message, the last of which is complete") func first() throws {
    let setting = try Setting(feeds: 120)
    defer { setting.daemon.close() }
    try setting.watch()
    let news = setting.takeNews()
    #expect(news.map(\.sources.count) == [100, 20] && news.map(\.isComplete) == [false, true])
    #expect(news.flatMap(\.sources).map(\.feedID) == Array(1...120))
  }

  @Test("an account without sources is told so") func nothing() throws {
    let setting = try Setting()
    defer { setting.daemon.close() }
    try setting.watch()
    let news = setting.takeNews()
    #expect(news.count == 1 && news[0].isComplete && news[0].sources.isEmpty)
  }

  @Test("then what is added, changes, or is removed") func changes() throws {
    let setting = try Setting(feeds: 1)
    defer { setting.daemon.close() }
    try setting.watch()
    _ = setting.takeNews()
    let added = try setting.add(1)
    #expect(setting.takeNews().flatMap(\.sources) == [added])
    setting.program.say("f2", .failing, reason: "404")
    let failing = setting.takeNews()
    #expect(failing.count == 1 && failing[0].isComplete)
    #expect(failing[0].sources.map(\.feedID) == [2] && failing[0].sources[0].status.reason == "404")
    setting.program.say("f2", .failing, reason: "404")
    #expect(setting.takeNews().isEmpty, "nothing has changed")
    _ = try setting.client.call(Method.removeFeed, FeedRequest(feedID: 2), RevisionResponse.self)
    let gone = setting.takeNews()
    #expect(gone.flatMap(\.gone).map(\.feedID) == [2] && gone.flatMap(\.sources).isEmpty)
  }

  @Test("a feed's own title, and a program that ends, are news") func others() throws {
    let setting = try Setting(feeds: 1)
    defer { setting.daemon.close() }
    try setting.watch()
    _ = setting.takeNews()
    let title = ImportedAuthor(nativeID: "f1", handle: .empty, displayName: "Gulls Weekly")
    setting.program.say(
      .batch(UpstreamBatch(number: "1", subject: .feed("f1"), items: [.person(title, unkept: [])])))
    #expect(setting.takeNews().flatMap(\.sources).map(\.title) == ["Gulls Weekly"])
    setting.crash()
    #expect(setting.takeNews().flatMap(\.sources).map(\.status.state) == [.failing])
  }

  @Test("a limit of all feeds is news of each, and the address of this machine is for its account alone") func limit()
    throws
  {
    let setting = try Setting(feeds: 2)
    defer { setting.daemon.close() }
    let local = try setting.client.call(Method.addFeed, AddFeedRequest(url: "http://127.0.0.1/"), FeedResponse.self)
    #expect(local.feed.isPrivate)
    try setting.watch()
    #expect(setting.takeNews().flatMap(\.sources).map(\.isPrivate) == [false, false, true])
    let request = SetRetentionRequest(source: "feed", keep: Keep(days: 9))
    _ = try setting.client.call(Method.setRetention, request, EmptyMessage.self)
    #expect(setting.takeNews().flatMap(\.sources).map(\.retention.keep.days) == [9, 9, 9])
    let move = SetFeedRequest(feedID: 1, .url("http://127.0.0.1/1"))
    #expect(throws: Status.self) { try setting.client.call(Method.setFeed, move, FeedResponse.self) }
  }

  @Test("a disk that is nearly full is news, and a line in the log") func disk() throws {
    let setting = try Setting()
    defer { setting.daemon.close() }
    func store() throws -> StoreStatus {
      try setting.client.call(Method.getStore, EmptyMessage(), StoreStatus.self)
    }
    try setting.watch()
    #expect(try setting.takeNews().map(\.isDiskShort) == [false] && !store().isDiskShort && store().freeDiskBytes == 0)
    setting.daemon.freeBytes = 255_000_000
    _ = try setting.add(1)
    #expect(setting.takeNews().allSatisfy { !$0.isDiskShort }, "the daemon looks once a minute")
    setting.daemon.advance(by: .seconds(60))
    _ = try setting.add(2)
    #expect(setting.takeNews().last?.isDiskShort == true)
    #expect(try store().isDiskShort && store().freeDiskBytes == 255_000_000)
    setting.daemon.advance(by: .seconds(60))
    _ = try setting.add(3)
    let news = setting.takeNews()
    #expect(news.allSatisfy { $0.isDiskShort })
    #expect(setting.log.count == 1 && setting.log[0].contains("255 MB are free"))
    setting.daemon.freeBytes = 256_000_000
    #expect(try !store().isDiskShort && setting.takeNews().map(\.isDiskShort) == [false])
    #expect(setting.log.count == 2)
  }

  @Test("a source that changes again before it is sent is sent once, as it is then") func replaced() throws {
    let setting = try Setting(feeds: 3)
    defer { setting.daemon.close() }
    try setting.watch()
    _ = setting.takeNews()
    for number in 0..<1_000 { setting.program.say("f\(number % 3 + 1)", number < 900 ? .failing : .live) }
    let news = setting.takeNews()
    #expect(news.flatMap(\.sources).map(\.feedID) == [1, 2, 3])
    #expect(news.flatMap(\.sources).allSatisfy { $0.status.state == .live })
  }

  @Test("another account hears nothing of them, and 16 may be open") func limits() throws {
    let setting = try Setting(feeds: 1)
    defer { setting.daemon.close() }
    for _ in 0..<16 { try setting.watch() }
    #expect(setting.takeNews().count == 16 && setting.end == nil)
    try setting.watch()
    #expect(setting.end?.code == .resourceExhausted && setting.takeNews().isEmpty)
    let other = try setting.daemon.client(user: 1001)
    var heard: [WatchSourcesResponse] = []
    let call = try other.start(Method.watchSources)
    call.onMessage = { _, bytes in if let news = try? WatchSourcesResponse(decoding: bytes) { heard.append(news) } }
    try call.send(EmptyMessage().encoded())
    call.closeSend()
    setting.program.say("f1", .failing)
    setting.daemon.runUntilIdle()
    #expect(heard.count == 1 && heard[0].sources.isEmpty && heard[0].isComplete)
  }
}
