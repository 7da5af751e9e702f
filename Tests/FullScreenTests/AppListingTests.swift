import FullScreen
import Messages
import Terminal
import Testing
import ViewState

@Suite("Lists of the full screen")
struct AppListingTests {
  private func menu(_ user: ScreenUser) -> Menu? {
    if case .menu(let menu)? = user.app.state.overlay { menu } else { nil }
  }

  @Test("a draft is chosen from a list, edited and sent as the post, reply or edit that it is") func drafts() throws {
    var user = ScreenUser.reading()
    user.type(":drafts")
    user.key(.enter)
    var response = ListDraftsResponse()
    for (id, kind) in [(7, nil), (8, .answer), (9, .edit)] as [(UInt64, DraftKind?)] {
      var draft = DraftSummary()
      (draft.draftID, draft.text, draft.kind, draft.postID) = (id, "text \(id)", kind, kind == nil ? 0 : 42)
      response.drafts.append(draft)
    }
    let asked = try #require(user.calls(Method.listDrafts, as: PageRequest.self).first)
    user.answer(asked.number, response)
    #expect(menu(user)?.title == "Drafts" && menu(user)?.items.map(\.text) == ["text 7", "text 8", "text 9"])
    #expect(menu(user)?.items.map { $0.detail.prefix(5) } == ["post ", "reply", "edit "], "no numbers of posts")
    user.type("j")
    user.key(.enter)
    guard case .compose(let editor)? = user.app.state.overlay else { return #expect(Bool(false)) }
    #expect(editor.text == "text 8")
    user.type("!")
    user.key(.character("s"), .control)
    let sent = try #require(user.calls(Method.compose, as: ComposeRequest.self).first).1
    #expect(sent.text == "text 8!" && sent.inReplyTo == "42" && sent.draftID == 8)
  }

  @Test("sources are listed, those that need attention first, and open their profile") func sources() throws {
    var user = ScreenUser.reading()
    user.type("E")
    var response = ListSourcesResponse()
    for (number, state) in [(1, SourceState.polling), (2, .failing), (3, .live)] {
      var feed = SourceSummary(SourceName(source: "feed", login: "", feedID: UInt64(number)))
      (feed.title, feed.authorID, feed.status.state) = ("Feed \(number)", UInt64(50 + number), state)
      response.sources.append(feed)
    }
    user.answer(try #require(user.calls(Method.listSources, as: PageRequest.self).first).number, response)
    #expect(menu(user)?.title == "Sources")
    #expect(
      menu(user)?.items.map(\.text) == ["f2 · Feed 2 · failing", "f1 · Feed 1 · polling", "f3 · Feed 3 · live"])
    user.key(.enter)
    #expect(try #require(user.calls(Method.push, as: PushRequest.self).first).1.subject == .author("52"))
  }

  @Test("a list of sources that is longer than a menu says so, and what needs attention is in it") func many() throws {
    var user = ScreenUser.reading()
    user.type(":sources")
    user.key(.enter)
    var response = ListSourcesResponse()
    response.sources = (1...1_000).map { SourceSummary(SourceName(source: "feed", login: "", feedID: $0)) }
    response.sources[999].status.state = .failing
    response.nextPageToken = "more"
    user.answer(try #require(user.calls(Method.listSources, as: PageRequest.self).first).number, response)
    let items = try #require(menu(user)).items.map(\.text)
    #expect(items.count == 1_000 && items.first?.contains("f1000") == true)
    #expect(items.last == "Only 999 are shown. `stack-client sources` lists all.")
  }

  @Test("feeds are added and checked by command and key") func feeds() throws {
    var user = ScreenUser.reading()
    user.type("U")
    let refreshed = try #require(user.calls(Method.refresh, as: FeedRequest.self).first)
    #expect(refreshed.1.feedID == 0)
    user.answer(refreshed.number, EmptyMessage())
    #expect(user.text().contains("Asked your feeds for what is new."))
    user.type(":feed-add https://example.org/")
    user.key(.enter)
    let added = try #require(user.calls(Method.addFeed, as: AddFeedRequest.self).first)
    #expect(added.1.url == "https://example.org/")
  }

  @Test("a feed is left, and its checks are shown, by its ID, address or title, which Tab completes") func oneFeed()
    throws
  {
    var feeds = (1...3).map { SourceSummary(SourceName(source: "feed", login: "", feedID: $0)) }
    for (number, title) in ["Ferry news", "Tides", "tides"].enumerated() { feeds[number].title = title }
    (feeds[0].url, feeds[0].status.history) = ("https://ferry.example/feed", ["200 OK, 2 new posts"])
    var user = ScreenUser.reading()
    var news = WatchSourcesResponse()
    (news.sources, news.isComplete) = (feeds, true)
    user.happens(.sources(news))
    user.type(":feed-remove fe")
    #expect(user.calls(Method.listSources, as: PageRequest.self).isEmpty)
    user.key(.tab)
    user.key(.enter)
    let removal = try #require(user.calls(Method.removeFeed, as: FeedRequest.self).first)
    #expect(removal.1.feedID == 1)
    user.answer(removal.number, RevisionResponse(revision: 1))
    #expect(user.app.state.status.message == "Unsubscribed from Ferry news.")
    for name in ["f1", "1", "https://ferry.example/feed", "FERRY NEWS"] {
      user.type(":feed-why \(name)")
      user.key(.enter)
      guard case .message(let message)? = user.app.state.overlay else { return #expect(Bool(false), "\(name)") }
      #expect(message.lines.contains("200 OK, 2 new posts") && message.lines[0] == "Ferry news (f1)")
      user.key(.escape)
    }
    for (name, reason) in [
      ("tides", "Several feeds are called 'tides': f2, f3."), ("moon", "You follow no feed 'moon'."),
    ] {
      user.type(":feed-why \(name)")
      user.key(.enter)
      guard case .palette(let palette)? = user.app.state.overlay else { return #expect(Bool(false), "\(name)") }
      #expect(palette.failure == reason)
      user.key(.escape)
    }
    #expect(user.calls(Method.removeFeed, as: FeedRequest.self).isEmpty)
  }

  @Test("people are listed, and open their profile; an empty list is a notice") func people() throws {
    var user = ScreenUser.reading()
    user.type(":people")
    user.key(.enter)
    let ann = RowAuthor(id: 5, handle: Array("ann".utf8), displayName: Array("Ann".utf8), avatarURL: [])
    var person = ProfileSummary(author: ann)
    person.about = Array("I count gulls.".utf8)
    var response = ListPeopleResponse()
    response.people = [person]
    user.answer(try #require(user.calls(Method.listPeople, as: PageRequest.self).first).number, response)
    #expect(menu(user)?.items.first?.text == "Ann @ann")
    #expect(menu(user)?.items.first?.detail.hasPrefix("I count gulls. · ") == true)
    user.key(.enter)
    #expect(try #require(user.calls(Method.push, as: PushRequest.self).first).1.subject == .author("5"))

    user = ScreenUser.reading()
    user.type(":people")
    user.key(.enter)
    let asked = try #require(user.calls(Method.listPeople, as: PageRequest.self).first)
    user.key(.enter)
    #expect(user.look() == [], "the key is for the list that has not come")
    user.answer(asked.number, response)
    #expect(try #require(user.calls(Method.push, as: PushRequest.self).first).1.subject == .author("5"))

    var waiting = ScreenUser.reading()
    waiting.type(":outbox")
    waiting.key(.enter)
    var entry = OutboxItem()
    (entry.postID, entry.text, entry.action, entry.source) = (9, "later please", "post", "fake")
    var outbox = ListOutboxResponse()
    outbox.entries = [entry]
    waiting.answer(try #require(waiting.calls(Method.listOutbox, as: PageRequest.self).first).number, outbox)
    #expect(menu(waiting)?.items == [Menu.Item("later please", detail: "post at fake · waiting")])

    var other = ScreenUser.reading()
    other.type(":outbox")
    other.key(.enter)
    other.answer(try #require(other.calls(Method.listOutbox, as: PageRequest.self).first).number, ListOutboxResponse())
    #expect(menu(other) == nil && other.app.state.status.message == "The outbox is empty.")
  }

  @Test("keys open what was saved and favourited as live searches") func kept() throws {
    for (key, query) in [("'", "is:saved"), ("*", "is:favourited")] {
      var user = ScreenUser.reading()
      user.type(key)
      #expect(try #require(user.calls(Method.push, as: PushRequest.self).first).1.subject == .search(query))
    }
  }

  @Test("a mention of no one here is pointed out once, before the post is sent") func unknownName() throws {
    var user = ScreenUser.reading()
    user.type("c")
    let names = try #require(user.calls(Method.listPeople, as: PageRequest.self).first)
    var response = ListPeopleResponse()
    response.people = ["ann", "bob"].map {
      ProfileSummary(author: RowAuthor(id: 5, handle: Array($0.utf8), displayName: [], avatarURL: []))
    }
    user.answer(names.number, response)
    user.type("@bbo hi")
    user.key(.character("s"), .control)
    #expect(user.calls(Method.compose, as: ComposeRequest.self).isEmpty)
    guard case .compose(let editor)? = user.app.state.overlay else { return #expect(Bool(false)) }
    #expect(editor.failure == "There is no @bbo here. Send again to post anyway.")
    user.key(.character("s"), .control)
    #expect(user.calls(Method.compose, as: ComposeRequest.self).map(\.1.text) == ["@bbo hi"])
  }
}
