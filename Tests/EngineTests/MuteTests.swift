import Dates
import Posts
import Search
import Testing
import ViewState

@testable import Engine

@Suite("Mutes")
struct QuietTests {
  private static let (ann, bob) = (AccountID(1), AuthorID(2))

  /// Creates posts 1 to 60; every third is by bob, and every seventh says "otter".
  private func world(limits: EngineLimits = EngineLimits()) -> EngineHarness {
    var harness = EngineHarness(limits: limits)
    harness.store.isLenient = false
    harness.store.authors[Self.bob] = Author(id: Self.bob, handle: "bob", displayName: "Bob", avatarURL: "")
    harness.store.authors[AuthorID(3)] = Author(id: AuthorID(3), handle: "cyd", displayName: "Cyd", avatarURL: "")
    harness.store.people = [.init(account: Self.ann, identities: [AuthorID(1)], lists: [])]
    harness.store.people[0].lists = [
      (MadeListFacts(id: ListID(4), name: "all", authorCount: 2), [Self.bob, AuthorID(3)])
    ]
    harness.posts = (1...60).map(post)
    return harness
  }

  private func post(_ id: Int64) -> StoredPost {
    var post = EngineHarness.post(id, text: id % 7 == 0 ? "an otter \(id)" : "common \(id)", owner: AccountID(9))
    post.author = id % 3 == 0 ? Self.bob : AuthorID(3)
    return post
  }

  /// Opens views of the timeline, a list, a search, the author and a conversation.
  private func openAll(_ harness: inout EngineHarness) {
    let contents: [(UInt64, StackCommand.Subject?)] = [
      (1, nil), (2, .list("4")), (3, .search("common")), (4, .author("2")), (5, .conversation("3")),
    ]
    for (view, subject) in contents {
      let session = SessionKey(account: Self.ann, name: "s\(view)")
      harness.open(view, layout: EngineHarness.layout(width: 160, height: 30, singlePane: false), session: session.name)
      guard let subject else { continue }
      harness.send(.stackCommand(RequestToken(view), session, StackCommand(action: .push(subject, from: 0))))
      harness.pass(seconds: 1)
    }
    harness.pass(seconds: 2)
  }

  private func top(_ harness: EngineHarness, _ view: UInt64) -> Pane { harness.mirrors[ViewID(view)]!.panes.last! }

  private func count(_ harness: EngineHarness) -> [Int] { (1...5).map { top(harness, $0).status.rowCount } }

  private func check(_ harness: EngineHarness, _ note: String) {
    for view in 1...5 as ClosedRange<UInt64> {
      let pane = top(harness, view)
      for (offset, row) in pane.rows.enumerated() {
        let index = pane.status.rowsAbove + offset
        #expect(
          row.caps == [index == 0 ? .top : [], index == pane.status.rowCount - 1 ? .bottom : []],
          "\(note), view \(view), row \(index)")
      }
    }
  }

  @Test(
    "muted authors leave lists in one frame per view, stay where opened on purpose, and return when unmuted")
  func mute() {
    var harness = world()
    openAll(&harness)
    #expect(count(harness) == [60, 60, 52, 20, 1])
    let frames = (1...5).map { harness.frames[ViewID($0)]!.count }
    harness.commit { $0.people[0].muted = [Self.bob] }
    harness.pass(seconds: 1)
    #expect(count(harness) == [40, 40, 34, 20, 1])
    let sent = (1...5).map { harness.frames[ViewID($0)]!.count - frames[Int($0) - 1] }
    #expect(sent[0...2].allSatisfy { $0 == 1 }, "\(sent)")
    #expect(!top(harness, 1).rows.contains { $0.rowID % 3 == 0 })
    #expect(top(harness, 4).status.profile?.isMuted == true && top(harness, 4).status.profile?.posts == 20)
    check(harness, "muted")
    harness.commit(new: [post(63), post(61)])
    harness.pass(seconds: 1)
    #expect(top(harness, 1).rows.first?.rowID == 61 && count(harness) == [41, 41, 35, 21, 1])
    harness.commit { $0.people[0].muted = [] }
    harness.pass(seconds: 1)
    #expect(count(harness) == [62, 62, 53, 21, 1])
    #expect(top(harness, 1).rows.first?.rowID == 63)
    check(harness, "unmuted")
  }

  @Test("a blocked author leaves direct conversations and returns when unblocked; a muted one stays") func blocked() {
    var harness = world()
    harness.store.direct[AudienceGroupID(5)] = [Self.ann, AccountID(9)]
    harness.posts = (1...10).map { id in
      var post = self.post(Int64(id))
      post.audience = .group(AudienceGroupID(5))
      return post
    }
    let session = SessionKey(account: Self.ann, name: "direct")
    harness.open(1, layout: EngineHarness.layout(width: 160, height: 30, singlePane: false), session: session.name)
    harness.send(.stackCommand(RequestToken(1), session, StackCommand(action: .push(.direct(5), from: 0))))
    harness.pass(seconds: 2)
    #expect(top(harness, 1).rows.count == 10)
    for (blocked, count) in [(true, 7), (false, 10)] {
      harness.commit { $0.people[0].blocked = blocked ? [Self.bob] : [] }
      harness.pass(seconds: 1)
      #expect(top(harness, 1).rows.count == count && top(harness, 1).status.rowCount == count)
      harness.commit { $0.people[0].muted = blocked ? [Self.bob] : [] }
      harness.pass(seconds: 1)
      #expect(top(harness, 1).rows.count == count)
    }
  }

  @Test("a muted word hides posts that gain it and shows those that lose it; search still finds them")
  func words() throws {
    var harness = world()
    openAll(&harness)
    let word = try MutedWord(parsing: "Otter").spelling
    harness.commit { $0.people[0].words = [word] }
    harness.pass(seconds: 1)
    #expect(count(harness) == [52, 52, 52, 20, 1])
    var (edited, mended) = (post(8), post(7))
    edited.body = PackedBody(PostBody(text: "common otter"))
    mended.body = PackedBody(PostBody(text: "common now"))
    harness.commit(changed: [edited])
    harness.pass(seconds: 1)
    #expect(count(harness) == [51, 51, 52, 20, 1])
    harness.commit(changed: [mended])
    harness.pass(seconds: 1)
    #expect(count(harness) == [52, 52, 53, 20, 1])
    harness.commit { store in store.posts.removeAll { $0.id == PostID(14) } }
    harness.commit { $0.people[0].words = [] }
    harness.pass(seconds: 1)
    #expect(count(harness) == [59, 59, 53, 20, 1])
    check(harness, "words")
  }

  @Test(
    "the anchor row stays when rows above it leave and return; if it leaves, its neighbour takes its place")
  func anchor() {
    var harness = world()
    openAll(&harness)
    let pane = top(harness, 1).header.paneID
    harness.scroll(1, pane: pane, to: 31)
    harness.pass(seconds: 1)
    for muted in [[Self.bob], []] as [Set<AuthorID>] {
      harness.commit { $0.people[0].muted = muted }
      harness.pass(seconds: 1)
      #expect(harness.scenes.compactMap { $0.viewpoint.places[pane]?.anchor } == [PostID(31)], "\(muted)")
      #expect(top(harness, 1).rows.contains { $0.rowID == 31 } && harness.place(1, pane)[1] == 0)
    }
    harness.scroll(1, pane: pane, to: 30)
    harness.pass(seconds: 1)
    harness.commit { $0.people[0].muted = [Self.bob] }
    harness.pass(seconds: 1)
    #expect([29, 31].contains(harness.place(1, pane)[0]))
  }

  @Test("hidden posts are not new: navigation does not glow for them") func glow() {
    var harness = world()
    harness.hasSeenEverything()
    harness.store.people[0].seen[.home] = post(60).orderKey
    harness.store.people[0].lists = []
    harness.store.people[0].muted = [Self.bob]
    harness.open(1, layout: EngineHarness.layout(width: 160, height: 30, singlePane: false))
    harness.send(
      .stackCommand(
        RequestToken(1), SessionKey(account: Self.ann, name: ""), StackCommand(action: .open(.profile, query: ""))))
    func news() -> Int? { harness.mirrors[ViewID(1)]?.navigation.rows.first { $0.section == .timeline }?.unseen }
    harness.commit(new: [post(63)])
    harness.pass(seconds: 1)
    #expect(news() == 0)
    harness.commit(new: [post(64), post(66)])
    harness.pass(seconds: 1)
    #expect(news() == 1)
    harness.commit { $0.people[0].muted = [] }
    harness.pass(seconds: 1)
    #expect(news() == 3)
  }

  @Test(
    "row requests match views in a list of many pages where only the oldest row is visible")
  func rows() {
    var limits = EngineLimits()
    (limits.lists.firstSlice, limits.lists.laterSlice, limits.lists.mutedRows) = (5, 5, 3)
    var harness = world(limits: limits)
    harness.store.people[0].muted = [AuthorID(3), Self.bob]
    var first = post(1)
    first.author = AuthorID(5)
    harness.posts = [first] + harness.posts.dropFirst()
    harness.store.authors[AuthorID(5)] = Author(id: AuthorID(5), handle: "eve", displayName: "Eve", avatarURL: "")
    harness.send(
      .rowsRequested(RequestToken(1), RowsRequest(account: Self.ann, layout: EngineHarness.layout(), zone: .utc)))
    #expect(harness.answers[RequestToken(1)]?.rows.map(\.rowID) == [1])
    #expect(harness.answers[RequestToken(1)]?.hasMore == false)
    #expect(harness.answers[RequestToken(1)]?.rows.first?.caps == [.top, .bottom])
  }

  @Test("many rows can leave a list at once") func many() {
    var harness = EngineHarness()
    harness.posts = (1...2_000 as ClosedRange<Int64>).map { id in
      var post = EngineHarness.post(id, owner: AccountID(9))
      if id % 2 == 0 { post.author = Self.bob }
      return post
    }
    harness.open(1, layout: EngineHarness.layout(height: 30))
    harness.pass(seconds: 1)
    harness.commit { $0.people[0].muted = [Self.bob] }
    harness.pass(seconds: 1)
    #expect(harness.mirrors[ViewID(1)]?.panes[0].status.rowCount == 1_000)
    #expect(harness.mirrors[ViewID(1)]?.panes[0].rows.allSatisfy { $0.rowID % 2 == 1 } == true)
  }
}
