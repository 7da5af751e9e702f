import Dates
import Engine
import Posts
import Testing
import ViewState

@Suite("Session commands")
struct SessionCommandTests {
  private func harness() -> EngineHarness {
    var harness = EngineHarness()
    harness.posts = (1...60).map { EngineHarness.post($0) } + [EngineHarness.post(70, inReplyTo: 5)]
    return harness
  }

  private func contents(_ harness: EngineHarness, session: String = "") -> [PaneContent] {
    let key = SessionKey(account: EngineHarness.account, name: session)
    return harness.savedSessions[key].flatMap { PaneStack(decoding: $0) }?.panes.map(\.content) ?? []
  }

  @Test("a section removes every pane and becomes the root; panes opened from it lie on it") func opens() {
    var harness = harness()
    harness.open(1, layout: EngineHarness.layout(width: 120, singlePane: false))
    harness.command(1, .open(.mentions))
    #expect(contents(harness) == [.mentions] && harness.mirrors[ViewID(1)]?.panes[0].rows.first?.rowID == 60)
    harness.command(2, .push(.conversation("70"), from: 0))
    harness.command(3, .push(.author("1"), from: 0, width: 40))
    harness.command(4, .push(.list("7"), from: 0))
    harness.command(5, .push(.direct(9), from: 0))
    harness.command(6, .push(.search("#swift & more"), from: 0))
    let all: [PaneContent] = [
      .mentions, .conversation(PostID(70)), .author(AuthorID(1)), .list(ListID(7)), .direct(AudienceGroupID(9)),
      .search("#swift & more"),
    ]
    #expect(contents(harness) == all && harness.refusals.isEmpty)
    #expect(harness.mirrors[ViewID(1)]?.paneFrames.map(\.width) == [58, 58, 40, 58, 58, 58])
    harness.command(7, .open(.search, query: "tea"))
    #expect(contents(harness) == [.search("tea")])
    harness.command(8, .open(.search))
    #expect(contents(harness) == [.search("")])
    harness.command(9, .push(.search(""), from: 0))
    #expect(harness.refusals[RequestToken(9)]?.code == .invalidArgument, "an empty search opens only as a section")
    harness.command(10, .push(.author("nobody"), from: 0))
    #expect(harness.refusals[RequestToken(10)]?.code == .notFound)
  }

  @Test("pop-to, replace, drop all, back and forward reach every view") func stack() {
    var harness = harness()
    harness.open(1, layout: EngineHarness.layout(width: 80, singlePane: false))
    harness.open(2)
    func panes(_ id: UInt64) -> [UInt64]? { harness.mirrors[ViewID(id)]?.panes.map(\.header.paneID) }
    for post in 1...3 { harness.command(UInt64(post), .push(.conversation("\(post)"), from: 0)) }
    harness.command(4, .replace(3, with: .author("1")))
    #expect(harness.stackAnswers[RequestToken(4)] == 5 && panes(1) == [1, 2, 5] && panes(2) == [1, 2, 5])
    harness.command(5, .popTo(1))
    #expect(harness.stackAnswers[RequestToken(5)] == 1 && panes(1) == [1])
    harness.command(6, .back)
    harness.command(7, .dropAll)
    #expect(panes(1) == [1] && panes(2) == [1])
    harness.command(8, .back)
    #expect(harness.stackAnswers[RequestToken(8)] == 5 && panes(1) == [1, 2, 5] && panes(2) == [1, 2, 5])
    harness.command(9, .back)
    harness.command(10, .forward)
    #expect(panes(1) == [1, 2, 5] && harness.refusals.isEmpty)
    harness.command(11, .replace(1, with: .author("1")))
    #expect(harness.refusals[RequestToken(11)]?.code == .failedPrecondition)
  }

  @Test("a pane regrows to its wanted width when there is room") func widths() {
    var harness = harness()
    harness.open(1, layout: EngineHarness.layout(width: 120, singlePane: false))
    harness.command(1, .push(.conversation("5"), from: 0))
    harness.command(2, .resize(pane: 0, width: 90))
    func widths() -> [Int]? { harness.mirrors[ViewID(1)]?.paneFrames.map(\.width) }
    #expect(widths() == [58, 90])
    for (width, expected) in [(70, [58, 66]), (40, [36, 36]), (200, [58, 90]), (94, [58, 90])] {
      harness.send(.layoutChanged(ViewID(1), EngineHarness.layout(width: width, singlePane: false), .utc))
      #expect(widths() == expected)
    }
    harness.command(3, .resize(pane: 2, width: 0))
    #expect(widths() == [58, 58])
    harness.command(4, .resize(pane: 2, width: PaneStack.maximumWidth + 1))
    harness.command(5, .resize(pane: 9, width: 4))
    #expect(
      harness.refusals[RequestToken(4)]?.code == .invalidArgument
        && harness.refusals[RequestToken(5)]?.code == .notFound)
  }

  @Test("commands are answered and shown once stored, one after the other") func order() {
    var harness = harness()
    harness.open(1)
    harness.holdsSaves = true
    harness.command(1, .push(.conversation("5"), from: 0))
    harness.command(2, .push(.author("1"), from: 2))
    #expect(
      harness.stackAnswers.isEmpty && harness.mirrors[ViewID(1)]?.panes.count == 1 && contents(harness).count == 2)
    harness.answerSaves()
    #expect(harness.stackAnswers == [RequestToken(1): 2] && contents(harness).count == 3)
    harness.answerSaves()
    #expect(harness.stackAnswers == [RequestToken(1): 2, RequestToken(2): 3])
  }

  @Test("commands that change nothing are answered at once and store nothing") func nothing() {
    var harness = harness()
    harness.command(1, .push(.conversation("5"), from: 0), requestID: "a")
    let (revision, saved) = (harness.revision, harness.savedSessions)
    harness.command(2, .popTo(2))
    harness.command(3, .resize(pane: 2, width: 0))
    harness.command(4, .select(pane: 2, row: 0))
    harness.command(5, .collapse(pane: 2, post: 5, isCollapsed: false))
    harness.command(6, .push(.conversation("5"), from: 0), requestID: "a")
    #expect(harness.stackAnswers.count == 6 && harness.revision == revision && harness.savedSessions == saved)
    #expect(Set(harness.stackRevisions.values) == [harness.stackRevisions[RequestToken(1)]!])
  }

  @Test("any command for another revision than the last is refused") func revisions() throws {
    var harness = harness()
    harness.open(1)
    harness.command(1, .push(.conversation("5"), from: 0))
    let revision = try #require(harness.stackRevisions[RequestToken(1)])
    #expect(harness.mirrors[ViewID(1)]?.sessionRevision == revision)
    harness.commit(new: [EngineHarness.post(90)])
    harness.command(2, .select(pane: 0, row: 5), ifRevision: revision)
    #expect(harness.refusals.isEmpty, "posts do not change it")
    for (token, action) in [StackCommand.Action.pop, .back, .dropAll, .open(.mentions), .rename("x"), .delete]
      .enumerated()
    {
      harness.command(UInt64(10 + token), action, ifRevision: revision)
      #expect(harness.refusals[RequestToken(UInt64(10 + token))]?.code == .aborted)
    }
  }

  @Test("collapsed replies are hidden in every view, also after a restart") func collapse() {
    var harness = harness()
    harness.command(1, .push(.conversation("70"), from: 0))
    harness.command(2, .collapse(pane: 0, post: 5, isCollapsed: true))
    let stack = harness.savedSessions.values.first.flatMap { PaneStack(decoding: $0) }
    #expect(stack?.top.collapsed == [PostID(5)])
    harness.command(3, .collapse(pane: 1, post: 5, isCollapsed: true))
    #expect(harness.refusals[RequestToken(3)]?.code == .failedPrecondition)
  }

  @Test(
    "a row that is not in the pane or not visible to the account is NOT_FOUND, with or without views",
    arguments: [false, true])
  func rows(isOpen: Bool) {
    var harness = harness()
    harness.posts.append(EngineHarness.post(99, visibility: .direct, owner: AccountID(2)))
    if isOpen { harness.open(1) }
    harness.command(1, .push(.conversation("70"), from: 0))
    let commands: [StackCommand.Action] = [
      .select(pane: 1, row: 4_711), .select(pane: 1, row: .max), .select(pane: 1, row: 99), .select(pane: 2, row: 6),
      .select(pane: 2, row: 99), .collapse(pane: 2, post: 6, isCollapsed: true),
      .collapse(pane: 2, post: 6, isCollapsed: false), .collapse(pane: 2, post: .max, isCollapsed: true),
      .fold(pane: 1, row: 99, isFolded: false), .fold(pane: 1, row: 4_711, isFolded: true),
    ]
    for (index, action) in commands.enumerated() {
      let token = UInt64(10 + index)
      harness.command(token, action)
      #expect(harness.refusals[RequestToken(token)]?.code == .notFound, "\(action)")
      #expect(harness.refusals[RequestToken(token)]?.message.isEmpty == false)
    }
    harness.command(2, .select(pane: 1, row: 5))
    harness.command(3, .select(pane: 2, row: 70))
    harness.command(4, .collapse(pane: 2, post: 5, isCollapsed: true))
    harness.commit { $0.posts.removeAll { $0.id == PostID(5) } }
    harness.command(5, .collapse(pane: 2, post: 5, isCollapsed: false))
    #expect([2, 3, 4, 5].allSatisfy { harness.stackAnswers[RequestToken($0)] != nil }, "\(harness.refusals)")
  }

  @Test("a pane whose subject is gone closes for good; those above it stay")
  func gone() {
    var harness = harness()
    harness.command(1, .push(.conversation("70"), from: 0))
    harness.command(2, .push(.author("1"), from: 0))
    harness.posts.removeAll { $0.id == PostID(70) }
    var restarted = harness.restarted()
    restarted.open(1, layout: EngineHarness.layout(width: 200, singlePane: false))
    #expect(restarted.mirrors[ViewID(1)]?.panes.map(\.header.paneID) == [1, 3])
    #expect(contents(restarted) == [.timeline, .author(AuthorID(1))])
    restarted.command(3, .back)
    #expect(restarted.mirrors[ViewID(1)]?.panes.map(\.header.paneID) == [1], "one state fewer")
    restarted.command(4, .back)
    #expect(restarted.refusals[RequestToken(4)]?.code == .failedPrecondition)
    restarted.command(5, .forward)
    #expect(restarted.mirrors[ViewID(1)]?.panes.map(\.header.paneID) == [1, 3])
  }

  @Test("a pane closes even while a command that still has it is being stored") func goneMeanwhile() {
    var harness = harness()
    harness.command(1, .push(.conversation("70"), from: 0))
    var restarted = harness.restarted()
    restarted.holdsLoads = true
    restarted.open(1, layout: EngineHarness.layout(width: 200, singlePane: false))
    restarted.answerLoads()
    let conversation = restarted.pendingLoads.firstIndex { if case .conversation = $0.1 { true } else { false } }
    let load = restarted.pendingLoads.remove(at: conversation!).0
    restarted.holdsLoads = false
    restarted.answerLoads()
    restarted.holdsSaves = true
    restarted.command(2, .push(.author("1"), from: 0))
    restarted.send(.loaded(load, .failed(EngineError(.notFound, "there is no post 70"))))
    #expect(restarted.mirrors[ViewID(1)]?.panes.map(\.header.paneID) == [1])
    for _ in 0..<5 { restarted.answerSaves() }
    restarted.pass(seconds: 1)
    #expect(restarted.stackAnswers[RequestToken(2)] == 3)
    #expect(restarted.mirrors[ViewID(1)]?.panes.map(\.header.paneID) == [1, 3])
    #expect(contents(restarted) == [.timeline, .author(AuthorID(1))])
  }

  @Test("commands on unknown sessions leave nothing behind") func unauthenticated() {
    var harness = harness()
    for token in 1...50 as ClosedRange<UInt64> {
      let action = [StackCommand.Action.pop, .popTo(1), .push(.author("nobody"), from: 0), .delete][Int(token % 4)]
      harness.command(token, action, requestID: "request \(token)", session: "stranger \(token)")
    }
    harness.open(1, session: "looked at")
    harness.send(.viewClosed(ViewID(1)))
    #expect(harness.engine.sessionCount == 0 && harness.savedSessions.isEmpty)
    #expect(harness.stackAnswers.count + harness.refusals.count == 50)
  }

  @Test("the signed-out session is a launch pane; commands on it are refused and nothing is kept")
  func signedOut() {
    var harness = harness()
    harness.send(
      .viewOpened(
        ViewID(1),
        ViewOpening(
          session: .signedOut, layout: EngineHarness.layout(), zone: .utc, viewport: nil, acknowledges: true)))
    #expect(harness.mirrors[ViewID(1)]?.panes.map(\.header.kind) == [.launch])
    harness.send(.stackCommand(RequestToken(1), .signedOut, StackCommand(action: .open(.timeline))))
    #expect(harness.refusals[RequestToken(1)]?.code == .permissionDenied)
    harness.send(.viewClosed(ViewID(1)))
    #expect(harness.savedSessions.isEmpty && harness.savedPlaces.isEmpty)
  }
}
