import Dates
import OrderedCollections
import Posts
import Testing
import ViewState

@testable import Engine

@Suite("Pane filters")
struct FilterTests {
  private static let session = SessionKey(account: EngineHarness.account, name: "")

  /// Creates posts 1 to 60; every third is a repost and every fifth has a picture.
  private func world(limits: EngineLimits = EngineLimits()) -> EngineHarness {
    var harness = EngineHarness(limits: limits)
    harness.posts = (1...60).map(post)
    harness.hasSeenEverything()
    return harness
  }

  private func post(_ id: Int64) -> StoredPost {
    var post = EngineHarness.post(id)
    var body = PostBody(text: SafeText("post \(id)"))
    if id % 5 == 0 { body.media = [Media(kind: .image, url: "https://example.org/a", altText: "")] }
    post.body = PackedBody(body)
    if id % 3 == 0 { (post.subject, post.repostedBy) = (PostID(1), AuthorID(1)) }
    return post
  }

  private func open(_ harness: inout EngineHarness, _ view: UInt64 = 1, session: String = "") {
    harness.open(view, layout: EngineHarness.layout(width: 120, height: 30, singlePane: false), session: session)
    harness.pass(seconds: 1)
  }

  /// Scrolls a view down, and adds posts above.
  private func openAndMiss(_ harness: inout EngineHarness, _ posts: [Int64]) {
    open(&harness)
    harness.scroll(1, pane: pane(harness).header.paneID, to: 31)
    harness.pass(seconds: 1)
    harness.commit(new: posts.map(post))
    harness.pass(seconds: 1)
  }

  private func limit(_ harness: inout EngineHarness, _ words: String, pane: UInt64 = 0, token: UInt64 = 1) {
    harness.command(token, .limit(pane: pane, to: words))
    harness.pass(seconds: 1)
  }

  private func pane(_ harness: EngineHarness, _ view: UInt64 = 1) -> Pane { harness.mirrors[ViewID(view)]!.panes.last! }

  private func check(_ harness: EngineHarness, count: Int, _ note: String) {
    let pane = pane(harness)
    #expect(pane.status.rowCount == count, "\(note)")
    for (offset, row) in pane.rows.enumerated() {
      let index = pane.status.rowsAbove + offset
      #expect(row.caps == [index == 0 ? .top : [], index == count - 1 ? .bottom : []], "\(note), row \(index)")
    }
  }

  @Test("a filter applies to every view of the session and is shown there; back cancels it") func limiting() {
    var harness = world()
    open(&harness)
    open(&harness, 2)
    open(&harness, 3, session: "other")
    limit(&harness, "-IS:repost")
    #expect(pane(harness).header.filter == Array("-is:repost".utf8) && pane(harness, 2).header == pane(harness).header)
    check(harness, count: 40, "limited")
    #expect(pane(harness, 3).status.rowCount == 60 && pane(harness, 3).header.filter.isEmpty)
    limit(&harness, "-is:repost has:media")
    check(harness, count: 8, "limited more")
    harness.command(2, .back)
    harness.pass(seconds: 1)
    check(harness, count: 40, "back")
    harness.command(3, .back)
    harness.pass(seconds: 1)
    check(harness, count: 60, "back again")
    #expect(pane(harness).header.filter.isEmpty)
    harness.command(4, .forward)
    harness.pass(seconds: 1)
    limit(&harness, " ")
    check(harness, count: 60, "cleared")
    #expect(harness.refusals.isEmpty)
  }

  @Test("posts enter and leave as they are added, changed and removed; the count above includes only matches")
  func live() {
    var harness = world()
    open(&harness)
    limit(&harness, "has:media")
    check(harness, count: 12, "before")
    harness.commit(new: [post(61), post(65)])
    harness.pass(seconds: 1)
    check(harness, count: 13, "one has")
    var (with, without) = (post(59), post(60))
    with.body = post(5).body
    without.body = post(1).body
    harness.commit(changed: [with, without])
    harness.pass(seconds: 1)
    check(harness, count: 13, "one for another")
    #expect(pane(harness).rows.prefix(2).map(\.rowID) == [65, 59])
    harness.commit { store in store.posts.removeAll { $0.id == PostID(65) || $0.id == PostID(64) } }
    harness.pass(seconds: 1)
    check(harness, count: 12, "gone")
    limit(&harness, "")
    check(harness, count: 61, "all")
  }

  @Test("a pattern is matched as posts arrive, change, leave and return") func patterns() {
    var limits = EngineLimits()
    (limits.lists.firstSlice, limits.lists.laterSlice) = (5, 5)
    var harness = world(limits: limits)
    open(&harness)
    limit(&harness, "/^Pöst [1-3]?7$/ -/2/")
    #expect(pane(harness).header.filter == Array("/^post [1-3]?7$/ -/2/".utf8))
    #expect(pane(harness).rows.map(\.rowID) == [37, 17, 7], "read in many pages")
    func text(_ id: Int64, _ text: String) -> StoredPost {
      var post = post(id)
      post.body = PackedBody(PostBody(text: SafeText(text)))
      return post
    }
    harness.commit(new: [text(61, "POST 7"), text(62, "post 7 and more")])
    harness.pass(seconds: 1)
    #expect(pane(harness).rows.map(\.rowID) == [61, 37, 17, 7])
    harness.commit(changed: [text(61, "post 27"), text(62, "post 37"), text(17, "it was 17"), text(1, "post 7")])
    harness.pass(seconds: 1)
    #expect(pane(harness).rows.map(\.rowID) == [62, 37, 7, 1])
    check(harness, count: 4, "edited")
    harness.commit { store in store.posts.removeAll { $0.id == PostID(37) } }
    harness.commit(changed: [text(17, "Póst 17")])
    harness.pass(seconds: 1)
    #expect(pane(harness).rows.map(\.rowID) == [62, 17, 7, 1])
    limit(&harness, "/post 6[12/", token: 2)
    #expect(harness.refusals[RequestToken(2)]?.message.contains("character 7: unclosed [") == true)
    limit(&harness, "/(.{90}){9}|post 6/", token: 3)
    #expect(pane(harness).rows.map(\.rowID) == [60, 6], "slices for a long pattern have at least one post")
    let divisors = ["post", "/p.st/", "/(.{90}){9}/"].map { words in
      harness.engine.lists.access.pageDivisor(of: .filtered(.home(EngineHarness.account), ListFilter(words: words)))
    }
    #expect(divisors == [1, 1, 51], "and are much smaller than others")
  }

  @Test("the first row stays if it matches; otherwise its neighbour takes its place") func anchor() {
    var harness = world()
    open(&harness)
    let id = pane(harness).header.paneID
    for (row, found) in [(31, [31]), (30, [29, 31])] as [(UInt64, [Int64])] {
      harness.scroll(1, pane: id, to: row)
      harness.pass(seconds: 1)
      limit(&harness, "-is:repost")
      let anchor = harness.scenes.compactMap { $0.viewpoint.places[id]?.anchor?.rawValue }
      #expect(anchor.count == 1 && found.contains(anchor[0]), "\(row): \(anchor)")
      limit(&harness, "")
    }
  }

  @Test("is:unread shows posts newer than the reading position at that time, and keeps them while they are read")
  func unread() {
    var harness = world()
    openAndMiss(&harness, [61, 62])
    limit(&harness, "is:unread")
    #expect(pane(harness).rows.map(\.rowID) == [62, 61])
    harness.commit(new: [post(63)])
    harness.pass(seconds: 1)
    check(harness, count: 3, "one more")
    harness.command(10, .read(.timeline, row: 63, line: 0))
    harness.pass(seconds: 1)
    check(harness, count: 3, "read, and still there")
    limit(&harness, "is:unread", token: 11)
    check(harness, count: 0, "asked again")
    harness.send(
      .stackCommand(RequestToken(12), Self.session, StackCommand(action: .push(.search("post"), from: 0))))
    harness.pass(seconds: 1)
    limit(&harness, "is:unread", token: 13)
    #expect(harness.refusals[RequestToken(13)]?.code == .failedPrecondition)
  }

  /// Sets read marks of posts, and delivers the change.
  private func setMark(_ harness: inout EngineHarness, _ reading: ReadMark, _ ids: [Int64]) {
    let changed = harness.posts.filter { ids.contains($0.id.rawValue) }.map { post in
      var post = post
      _ = post.set(reading, of: EngineHarness.account)
      return post
    }
    harness.commit(changed: changed)
    harness.pass(seconds: 1)
  }

  @Test(
    "read marks override the reading position and take effect at once")
  func marked() {
    var harness = world()
    openAndMiss(&harness, [61, 62])
    setMark(&harness, .unread, [7])
    limit(&harness, "is:unread")
    #expect(pane(harness).rows.map(\.rowID) == [62, 61, 7])
    #expect(pane(harness).rows.map(\.content.fields.readMark) == [.none, .none, .unread])
    setMark(&harness, .read, [62, 7])
    #expect(pane(harness).rows.map(\.rowID) == [61])
    check(harness, count: 1, "two are read")
    setMark(&harness, .none, [62])
    #expect(pane(harness).rows.map(\.rowID) == [62, 61])
  }

  @Test("row requests use the session's reading position, whether it is open or only stored") func unreadRows() {
    var harness = world()
    openAndMiss(&harness, [61, 62])
    setMark(&harness, .unread, [7])
    func ask(_ token: UInt64, session: String = "") -> [UInt64]? {
      var request = RowsRequest(account: EngineHarness.account, layout: EngineHarness.layout(), zone: .utc)
      (request.filter, request.session) = ("is:unread", session)
      harness.send(.rowsRequested(RequestToken(token), request))
      return harness.answers[RequestToken(token)]?.rows.map(\.rowID)
    }
    #expect(ask(1) == [62, 61, 7])
    #expect(ask(2, session: "another") == nil && harness.refusals[RequestToken(2)]?.code == .notFound)
    harness = harness.restarted()
    #expect(ask(3) == [62, 61, 7])
  }

  @Test("as more is read, earlier unread lists are dropped") func readOn() {
    var harness = world()
    open(&harness)
    for (token, row) in [62, 63, 64, 65].enumerated() {
      harness.commit(new: [post(Int64(row))])
      harness.pass(seconds: 1)
      var request = RowsRequest(account: EngineHarness.account, layout: EngineHarness.layout(), zone: .utc)
      request.filter = "is:unread"
      harness.send(.rowsRequested(RequestToken(UInt64(token + 1)), request))
      #expect(harness.answers[RequestToken(UInt64(token + 1))]?.rows.isEmpty == true)
      let limited = harness.engine.lists.open.keys.filter { $0 != $0.base }
      #expect(limited.count == 1 && harness.engine.lists.access.filterCount == 1)
    }
  }

  @Test("a filtered stack is the same after a restart") func saved() throws {
    var harness = world()
    openAndMiss(&harness, [61, 62])
    limit(&harness, "is:unread \"post 62\"")
    limit(&harness, "/2 \\/ \"?|P.st 6[2-9]/ -/\\D\\D\\D\\D\\D\\D/", token: 20)
    limit(&harness, "-is:repost", token: 2)
    let stack = harness.engine.sessions[Self.session]!.stack
    #expect(try #require(PaneStack(decoding: stack.encoded)) == stack)
    var next = harness.restarted()
    open(&next)
    #expect(pane(next).header.filter == Array("-is:repost".utf8))
    check(next, count: 42, "after a restart")
    next.command(3, .back)
    next.pass(seconds: 1)
    #expect(
      pane(next).header.filter == Array("/2 \\/ \"?|p.st 6[2-9]/ -/\\D\\D\\D\\D\\D\\D/".utf8)
        && pane(next).rows.map(\.rowID) == [62])
    next.command(4, .back)
    next.pass(seconds: 1)
    #expect(pane(next).header.filter == Array("is:unread \"post 62\"".utf8) && pane(next).rows.map(\.rowID) == [62])
  }

  @Test("invalid filters and panes that cannot be filtered are refused") func refusals() {
    var harness = world()
    open(&harness)
    limit(&harness, "is:blue")
    #expect(
      harness.refusals[RequestToken(1)]?.code == .invalidArgument
        && harness.refusals[RequestToken(1)]?.field == "filter")
    harness.command(2, .pushConversation(reference: "1", from: 0))
    harness.pass(seconds: 1)
    limit(&harness, "has:media", token: 3)
    #expect(harness.refusals[RequestToken(3)]?.code == .failedPrecondition)
    limit(&harness, "has:media", pane: 99, token: 4)
    #expect(harness.refusals[RequestToken(4)]?.code == .notFound)
  }

  @Test("row requests return the filtered pane's rows over many pages") func rows() {
    var limits = EngineLimits()
    (limits.lists.firstSlice, limits.lists.laterSlice) = (5, 5)
    var harness = world(limits: limits)
    func ask(_ words: String, _ subject: RowsRequest.Subject, _ token: UInt64) {
      var request = RowsRequest(account: EngineHarness.account, layout: EngineHarness.layout(), zone: .utc)
      (request.filter, request.subject) = (words, subject)
      harness.send(.rowsRequested(RequestToken(token), request))
    }
    ask("is:repost has:media", .section(.timeline), 1)
    #expect(
      harness.answers[RequestToken(1)]?.rows.map(\.rowID) == [60, 45, 30, 15]
        && harness.answers[RequestToken(1)]?.hasMore == false)
    for (token, words, subject) in [
      (2, "is:unread", .section(.messages)), (5, "is:unread", .author("@a1")), (3, "has:media", .post("1")),
      (4, "lang:", .section(.timeline)),
    ]
      as [(UInt64, String, RowsRequest.Subject)]
    {
      ask(words, subject, token)
      #expect(harness.refusals[RequestToken(token)]?.code == .invalidArgument, "\(words)")
    }
  }
}
