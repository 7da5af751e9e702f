import Dates
import Engine
import Posts
import Testing
import ViewState

@Suite("Stale data, late names and clock changes")
struct StaleDataTests {
  private func text(_ row: PlacedRow?) -> String { String(decoding: row?.content.fields.text ?? [], as: UTF8.self) }

  @Test("a post changed after it was loaded is returned in its current form everywhere") func stale() {
    var harness = EngineHarness()
    harness.posts = [EngineHarness.post(1, text: "old")]
    harness.open(1)
    harness.commit(changed: [EngineHarness.post(1, text: "new")])
    var request = RowsRequest(account: EngineHarness.account, layout: EngineHarness.layout(), zone: .utc)
    request.subject = .post("1")
    harness.send(.rowsRequested(RequestToken(1), request))
    #expect(text(harness.answers[RequestToken(1)]?.rows.first) == "new")
    harness.command(2, .pushConversation(reference: "1", from: 0))
    #expect(text(harness.mirrors[ViewID(1)]?.panes.last?.rows.first) == "new")
  }

  @Test("an author who becomes known later gets a name in visible rows") func unknownAuthor() {
    var harness = EngineHarness()
    var post = EngineHarness.post(1)
    post.author = AuthorID(2)
    harness.posts = [post]
    harness.open(1)
    func name(_ harness: EngineHarness) -> String {
      let author = harness.mirrors[ViewID(1)]?.panes[0].rows.first?.content.fields.author
      return String(decoding: author?.displayName ?? [], as: UTF8.self)
    }
    #expect(name(harness) == "?")
    harness.pass(seconds: 1)
    harness.commit(authors: [Author(id: AuthorID(2), handle: "bo", displayName: "Bo", avatarURL: "")])
    #expect(name(harness) == "Bo")
  }

  @Test("an author whose name is given to an account says so in visible rows, and leaves searches for the name")
  func namesake() {
    var harness = EngineHarness()
    var author = Author(id: AuthorID(2), handle: "eve", displayName: "Eve", avatarURL: "", source: "twitter")
    harness.store.authors[author.id] = author
    var post = EngineHarness.post(1)
    post.author = author.id
    harness.posts = [post]
    harness.open(1)
    func found(_ token: UInt64) -> [RowAuthor]? {
      var request = RowsRequest(account: EngineHarness.account, layout: EngineHarness.layout(), zone: .utc)
      request.subject = .search("from:eve")
      harness.send(.rowsRequested(RequestToken(token), request))
      return harness.answers[RequestToken(token)]?.rows.map(\.content.fields.author)
    }
    #expect(found(1) == [RowAuthor(author)])
    author.isNamesake = true
    harness.store.authors[author.id] = author
    harness.pass(seconds: 1)
    harness.commit(authors: [author])
    let shown = harness.mirrors[ViewID(1)]?.panes[0].rows.map(\.content.fields.author)
    #expect(shown == [RowAuthor(author)] && shown?[0].source == Array("twitter".utf8) && shown?[0].isNamesake == true)
    #expect(found(2) == [])
    harness.command(3, .push(.author("2"), from: 0))
    let title = harness.mirrors[ViewID(1)]?.panes.last?.header.title ?? []
    #expect(String(decoding: title, as: UTF8.self) == "@eve (from twitter)")
  }

  @Test("a saved pane whose post is gone closes without ending a view") func goneSubject() {
    var harness = EngineHarness()
    harness.posts = [EngineHarness.post(1), EngineHarness.post(2)]
    harness.command(1, .pushConversation(reference: "2", from: 0))
    var restarted = EngineHarness()
    restarted.posts = [EngineHarness.post(1)]
    restarted.savedSessions = harness.savedSessions
    restarted.open(1)
    #expect(restarted.ended.isEmpty)
    #expect(restarted.mirrors[ViewID(1)]?.panes.map(\.rows.count) == [1])
    let saved = restarted.savedSessions.values.first.flatMap { PaneStack(decoding: $0) }
    #expect(saved?.panes.count == 1, "permanently")
  }

  @Test("replies that arrive newest first, as in an archive, all join the conversation") func newestFirst() {
    var harness = EngineHarness()
    harness.posts = [EngineHarness.post(1)]
    harness.open(1)
    harness.command(1, .pushConversation(reference: "1", from: 0))
    harness.pass(seconds: 1)
    harness.commit(new: [EngineHarness.post(3, inReplyTo: 2), EngineHarness.post(2, inReplyTo: 1)])
    #expect(harness.mirrors[ViewID(1)]?.panes[1].rows.map(\.rowID) == [1, 2, 3])
  }

  @Test("setting the clock back an hour delays no frame") func clock() {
    var harness = EngineHarness()
    harness.posts = [EngineHarness.post(1)]
    harness.open(1)
    harness.now = harness.now.adding(milliseconds: -3_600_000)
    harness.commit(new: [EngineHarness.post(2)])
    #expect(harness.mirrors[ViewID(1)]?.panes[0].rows.map(\.rowID) == [2, 1])
  }

  @Test("a clock set back is handled once, even if no label changes") func quietClock() {
    var harness = EngineHarness()
    harness.posts = [EngineHarness.post(1)]
    var layout = EngineHarness.layout()
    layout.timeStyle = .long
    harness.open(1, layout: layout)
    harness.now = harness.now.adding(milliseconds: -3_600_000)
    harness.send(.timePassed)
    #expect(harness.frames[ViewID(1)]?.count == 1)
    #expect(harness.engine.handle(.timePassed, at: harness.now) == [])
  }

  @Test("the first frame answers Hello's viewport; moves of two panes in one turn both apply") func viewports() {
    var harness = EngineHarness()
    harness.posts = (1...400).map { EngineHarness.post($0) } + [EngineHarness.post(500, inReplyTo: 1)]
    harness.command(1, .pushConversation(reference: "1", from: 0))
    var first = ViewportParameters()
    (first.paneID, first.anchorRow, first.generation) = (1, 100, 7)
    harness.open(1, layout: EngineHarness.layout(width: 140, singlePane: false), viewport: first)
    #expect(harness.frames[ViewID(1)]?.first?.generations.viewport == 7)
    harness.slow = [ViewID(1)]
    var second = ViewportParameters()
    (second.paneID, second.anchorRow, second.generation) = (1, 300, 8)
    harness.send(.viewportMoved(ViewID(1), second))
    (second.paneID, second.anchorRow, second.generation) = (1, 200, 9)
    harness.send(.viewportMoved(ViewID(1), second))
    (second.paneID, second.anchorRow, second.generation) = (2, 500, 10)
    harness.send(.viewportMoved(ViewID(1), second))
    harness.slow = []
    harness.send(.acknowledged(ViewID(1), frame: 3))
    let view = harness.mirrors[ViewID(1)]
    #expect(view?.viewportGeneration == 10)
    #expect(view?.panes[0].rows.contains { $0.rowID == 200 } == true, "the move of pane 1 was not lost")
  }

  @Test("a post that became private while older ones loaded does not come back with them")
  func privateWhileLoading() {
    var limits = EngineLimits()
    (limits.lists.firstSlice, limits.lists.laterSlice, limits.lists.chunkCapacity) = (2, 2, 2)
    var harness = EngineHarness(limits: limits)
    harness.posts = (1...4).map { EngineHarness.post($0, owner: AccountID(2)) }
    harness.holdsLoads = true
    harness.open(1)
    harness.answerLoads()
    harness.answerLoads()
    harness.commit(changed: [EngineHarness.post(1, visibility: .direct, owner: AccountID(2))])
    for _ in 0..<5 { harness.answerLoads() }
    harness.pass(seconds: 1)
    #expect(harness.mirrors[ViewID(1)]?.panes[0].rows.map(\.rowID) == [4, 3, 2])
  }
}
