import FullScreen
import Messages
import Testing

@Suite("What is wrong with sources, in the status line")
struct SourceTroubleTests {
  private static func source(_ feed: UInt64, _ state: SourceState, login: String = "") -> SourceSummary {
    var source = SourceSummary(SourceName(source: "any", login: login, feedID: feed))
    source.status.state = state
    return source
  }

  private static func news(_ sources: SourceSummary..., isComplete: Bool = true) -> AppEvent {
    var news = WatchSourcesResponse()
    (news.sources, news.isComplete) = (sources, isComplete)
    return .sources(news)
  }

  /// A user who looks at a timeline, and whose picture is up to date.
  private func reading() -> ScreenUser {
    var user = ScreenUser.reading()
    _ = user.text()
    return user
  }

  /// Lets the time of the next tick come.
  private func tick(_ user: inout ScreenUser) throws {
    user.now = try #require(user.app.nextTick)
    user.happens(.tick)
  }

  @Test("sources are watched on every connection") func watched() {
    var user = ScreenUser()
    user.happens(.connected)
    #expect(user.look().contains(.watchSources))
    user.happens(.disconnected("gone"))
    user.happens(.connected)
    #expect(user.look().contains(.watchSources))
  }

  @Test("it is shown once it has lasted, follows the numbers, and is gone as soon as all is well") func shown() throws {
    var user = reading()
    user.happens(Self.news(Self.source(1, .failing), Self.source(2, .failing), Self.source(3, .polling)))
    #expect(user.app.state.status.sources == "" && !user.app.isDirty && user.app.nextTick == user.now + 5_000)
    user.now += 4_999
    user.happens(Self.news(Self.source(1, .waiting)))
    #expect(user.app.state.status.sources == "")
    try tick(&user)
    #expect(user.app.state.status.sources == "1 feed failing" && user.text().contains("1 feed failing"))
    #expect(user.app.nextTick == nil)
    user.happens(Self.news(Self.source(4, .off)))
    #expect(user.app.isDirty && user.app.state.status.sources == "1 feed failing, 1 feed off")
    user.happens(Self.news(Self.source(2, .polling), Self.source(4, .live)))
    #expect(user.app.isDirty && user.app.state.status.sources == "" && !user.text().contains("failing"))
  }

  @Test("how far new feeds have been read is shown at once, until all have been") func progress() {
    var user = reading()
    user.happens(
      Self.news(
        Self.source(1, .connecting), Self.source(2, .connecting), Self.source(3, .polling), Self.source(4, .waiting),
        Self.source(0, .connecting, login: "ann")))
    #expect(user.text().contains("2 of 4 feeds read") && user.app.nextTick == nil)
    user.happens(Self.news(Self.source(1, .polling)))
    #expect(user.text().contains("3 of 4 feeds read"))
    user.happens(Self.news(Self.source(2, .failing)))
    #expect(!user.text().contains("feeds read"))
  }

  @Test("what is well again soon is never shown, and news that change no word paint nothing") func calm() throws {
    var user = reading()
    user.happens(Self.news(Self.source(1, .failing)))
    user.now += 1_000
    user.happens(Self.news(Self.source(1, .polling)))
    #expect(user.app.nextTick == nil && user.app.state.status.sources == "" && !user.app.isDirty)
    user.happens(Self.news(Self.source(1, .failing)))
    #expect(user.app.nextTick == user.now + 5_000, "its time begins anew")
    try tick(&user)
    _ = user.text()
    user.happens(Self.news(Self.source(2, .polling)))
    #expect(!user.app.isDirty)
  }

  @Test("logins are named, and so is what they need") func logins() throws {
    var user = reading()
    user.happens(
      Self.news(
        Self.source(0, .signedOut, login: "ann@social.example"), Self.source(1, .failing), Self.source(2, .failing)))
    try tick(&user)
    #expect(user.app.state.status.sources == "ann@social.example signed out, 2 feeds failing")
  }

  @Test("so is a disk that is nearly full") func disk() throws {
    var user = reading()
    var news = WatchSourcesResponse()
    (news.isComplete, news.isDiskShort) = (true, true)
    user.happens(.sources(news))
    try tick(&user)
    #expect(user.text().contains("disk nearly full"))
    user.happens(Self.news(Self.source(1, .polling)))
    #expect(!user.text().contains("disk"))
  }

  @Test("nothing is said before the list is whole, while there is no connection, or without news") func unknown() throws
  {
    var user = reading()
    user.happens(Self.news(Self.source(1, .failing), isComplete: false))
    #expect(user.app.nextTick == nil)
    user.happens(Self.news())
    try tick(&user)
    #expect(user.app.state.status.sources == "1 feed failing")
    user.happens(.disconnected("gone"))
    #expect(user.app.state.status.sources == "")
    user.happens(.connected)
    user.show(ScreenUser.view(40).snapshot, isFirst: true)
    #expect(user.app.state.status.sources == "1 feed failing", "as before, until the daemon says otherwise")
    user.happens(Self.news())
    #expect(user.app.state.status.sources == "", "the feed is no longer listed")
    user.happens(Self.news(Self.source(1, .failing)))
    try tick(&user)
    user.happens(.sources(nil))
    #expect(user.app.state.status.sources == "")
  }
}
