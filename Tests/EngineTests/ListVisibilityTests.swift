import Dates
import Engine
import Posts
import Testing
import ViewState

@Suite("Lists when visibility, names and subjects change")
struct ListVisibilityTests {
  private static let (ann, bob) = (AccountID(1), AccountID(2))
  private static let group = AudienceGroupID(9)

  /// Bob follows Ann, whose posts 1 to 4 are for her followers.
  private func world(follows: Bool = true) -> EngineHarness {
    var harness = EngineHarness()
    harness.store.isLenient = false
    harness.store.authors[AuthorID(2)] = Author(id: AuthorID(2), handle: "bob", displayName: "Bob", avatarURL: "")
    harness.store.followers[Self.group] = Self.ann
    harness.store.people = [
      .init(account: Self.ann, identities: [AuthorID(1)], follows: []),
      .init(account: Self.bob, identities: [AuthorID(2)], follows: follows ? [AuthorID(1)] : []),
    ]
    harness.posts = (1...4).map { forFollowers($0) }
    return harness
  }

  private func forFollowers(_ id: Int64) -> StoredPost {
    var post = EngineHarness.post(id, visibility: .followers)
    post.audience = .group(Self.group)
    return post
  }

  private func open(_ harness: inout EngineHarness, _ id: UInt64, as account: AccountID) {
    harness.open(id, layout: EngineHarness.layout(width: 120, height: 40, singlePane: false), account: account)
  }

  private func push(_ harness: inout EngineHarness, _ subject: StackCommand.Subject, as account: AccountID) {
    let session = SessionKey(account: account, name: "")
    harness.send(.stackCommand(RequestToken(77), session, StackCommand(action: .push(subject, from: 0))))
  }

  private func top(_ harness: EngineHarness, _ view: UInt64 = 1) -> Pane? { harness.mirrors[ViewID(view)]?.panes.last }

  @Test("a conversation closes when its post is no longer visible to the account") func unfollow() {
    var harness = world()
    open(&harness, 1, as: Self.bob)
    push(&harness, .conversation("2"), as: Self.bob)
    #expect(top(harness)?.header.kind == .conversation)
    harness.commit(isWholesale: true) { $0.people[1].follows = [] }
    harness.pass(seconds: 1)
    #expect(harness.mirrors[ViewID(1)]?.panes.map(\.header.kind) == [.timeline])
  }

  @Test("following in the commit of a new post shows the old ones too") func follow() {
    var harness = world(follows: false)
    open(&harness, 1, as: Self.bob)
    push(&harness, .author("1"), as: Self.bob)
    #expect(top(harness)?.rows.isEmpty == true)
    harness.commit(isWholesale: true) { store in
      store.people[1].follows = [AuthorID(1)]
      store.posts.append(forFollowers(5))
    }
    harness.pass(seconds: 1)
    #expect(top(harness)?.rows.map(\.rowID) == [5, 4, 3, 2, 1])
  }

  @Test("a post read for an account before it lost access is not shown afterwards") func lostWhileLoading() {
    var harness = world()
    open(&harness, 1, as: Self.bob)
    harness.hasSeenEverything(Self.bob)
    harness.holdsLoads = true
    push(&harness, .author("1"), as: Self.bob)
    harness.commit(isWholesale: true) { $0.people[1].follows = [] }
    harness.holdsLoads = false
    for _ in 0..<5 { harness.answerLoads() }
    harness.pass(seconds: 1)
    #expect(top(harness)?.rows.isEmpty == true)
  }

  @Test("a view that comes back has its list's current title") func renamed() throws {
    var harness = world()
    let list = MadeListFacts(id: ListID(3), name: "Books", authorCount: 0)
    harness.store.people[1].lists = [(list, [AuthorID(1)])]
    open(&harness, 1, as: Self.bob)
    push(&harness, .list("3"), as: Self.bob)
    let held = try #require(harness.mirrors[ViewID(1)])
    #expect(held.panes.last?.header.title == Array("Books".utf8))
    harness.send(.viewClosed(ViewID(1)))
    harness.commit(isWholesale: true) {
      $0.people[1].lists[0].made = MadeListFacts(id: ListID(3), name: "Papers", authorCount: 0)
    }
    harness.mirrors[ViewID(2)] = held
    let layout = EngineHarness.layout(width: 120, height: 40, singlePane: false)
    harness.open(2, layout: layout, account: Self.bob, resume: held.resume)
    #expect(top(harness, 2)?.header.title == Array("Papers".utf8))
    #expect(top(harness, 2)?.rows.map(\.rowID) == [4, 3, 2, 1])
  }

  @Test("a direct conversation is titled with those too of whom nothing has come") func strangers() {
    var harness = world()
    harness.store.direct[AudienceGroupID(5)] = [Self.bob]
    harness.store.strangers[AudienceGroupID(5)] = ["zoe@z.example", "yan"]
    open(&harness, 1, as: Self.bob)
    push(&harness, .direct(5), as: Self.bob)
    #expect(top(harness)?.header.title == Array("@zoe@z.example, @yan".utf8))
  }

  @Test("only a limited number of unused timelines stays in memory") func keptHomes() {
    var limits = EngineLimits()
    limits.lists.keptHomes = 2
    var harness = EngineHarness(limits: limits)
    harness.posts = (1...50).map { EngineHarness.post($0) }
    for account in 1...5 as ClosedRange<Int64> {
      harness.open(UInt64(account), account: AccountID(account))
      #expect(harness.mirrors[ViewID(UInt64(account))]?.panes[0].rows.isEmpty == false)
      if account != 3 { harness.send(.viewClosed(ViewID(UInt64(account)))) }
    }
    let kept = (1...5).filter { harness.engine.timelineStatus(of: AccountID($0)) != nil }
    #expect(kept == [3, 4, 5], "the last two, and the one with a view")
  }

  @Test("seen positions that could not be saved are saved later") func seenAgain() {
    var harness = EngineHarness()
    harness.posts = (1...5).map { EngineHarness.post($0) }
    open(&harness, 1, as: EngineHarness.account)
    #expect(harness.seen.count == 1)
    harness.send(.seenNotSaved(EngineHarness.account, .home))
    harness.pass(seconds: 2)
    #expect(harness.seen.count == 2 && harness.seen[0].key == harness.seen[1].key)
  }
}
