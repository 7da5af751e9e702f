import Dates
import Posts
import Testing
import ViewState

@testable import Engine

@Suite("Scenes in edge cases")
struct SceneEdgeTests {
  private func harness(posts count: Int64 = 300, limits: EngineLimits = EngineLimits()) -> EngineHarness {
    var harness = EngineHarness(limits: limits)
    harness.posts = (1...count).map { EngineHarness.post($0) }
    return harness
  }

  private func viewport(_ row: UInt64, pane: UInt64 = 0, generation: UInt32 = 1) -> ViewportParameters {
    var viewport = ViewportParameters()
    (viewport.paneID, viewport.anchorRow, viewport.generation) = (pane, row, generation)
    return viewport
  }

  @Test("a reader whose labels change next year has one alarm, however many posts arrive") func labelAlarms() {
    var harness = harness()
    harness.open(1, viewport: viewport(100))
    for id in 1001...1400 as ClosedRange<Int64> {
      harness.commit(new: [EngineHarness.post(id)])
      harness.now = harness.now.adding(milliseconds: 50)
    }
    #expect(harness.engine.scenes.labelAlarmCount < 10)
  }

  @Test("a move or hello into a pane that closes before its rows load is still answered")
  func paneGoes() {
    var harness = harness()
    harness.command(1, .pushConversation(reference: "5", from: 0))
    harness.open(9)
    harness.holdsLoads = true
    harness.open(1, viewport: viewport(7777, pane: 2))
    harness.send(.viewportMoved(ViewID(9), viewport(7777, pane: 2, generation: 3)))
    harness.command(2, .pop)
    for _ in 0..<5 { harness.answerLoads() }
    #expect(harness.frames[ViewID(1)]?.first?.generations.viewport == 1)
    #expect(harness.mirrors[ViewID(9)]?.viewportGeneration == 3)
  }

  @Test("the topmost pane of a viewport is the one at the time of its arrival") func topmost() {
    var limits = EngineLimits()
    (limits.lists.firstSlice, limits.lists.laterSlice) = (10, 10)
    var harness = harness(limits: limits)
    harness.holdsLoads = true
    harness.open(1, layout: EngineHarness.layout(width: 140, singlePane: false))
    for _ in 0..<3 { harness.answerLoads() }
    harness.send(.viewportMoved(ViewID(1), viewport(20)))
    harness.command(1, .pushConversation(reference: "250", from: 0))
    harness.holdsLoads = false
    for _ in 0..<60 { harness.answerLoads() }
    harness.pass(seconds: 1)
    #expect(harness.mirrors[ViewID(1)]?.panes[0].rows.contains { $0.rowID == 20 } == true)
    #expect(harness.mirrors[ViewID(1)]?.viewportGeneration == 1)
  }

  @Test("a deleted anchor's place goes to the next older row, which moves up") func anchor() throws {
    var harness = harness()
    harness.open(1, viewport: viewport(150))
    harness.commit(changed: [EngineHarness.post(150, visibility: .direct, owner: AccountID(2))])
    harness.pass(seconds: 1)
    let scene = try #require(harness.scenes.first)
    #expect(scene.viewpoint.places[1]?.anchor == PostID(149))
  }

  @Test("a client cannot resume one session with the state of another") func otherSession() throws {
    var harness = harness()
    harness.open(1)
    let mirror = try #require(harness.mirrors[ViewID(1)])
    harness.open(2, session: "other", resume: mirror.resume)
    #expect(harness.frames[ViewID(2)]?.first?.reset == .layout)
  }

  @Test("a view that was full when bookmarks were due gets its bookmark later") func lateBookmark() throws {
    var harness = harness()
    harness.slow = [ViewID(1)]
    harness.open(1)
    harness.pass(seconds: 1)
    harness.commit(new: [EngineHarness.post(900)])
    harness.commit(new: [EngineHarness.post(901, visibility: .direct, owner: AccountID(9))])
    harness.pass(seconds: 20)
    harness.slow = []
    harness.send(.acknowledged(ViewID(1), frame: 2))
    harness.pass(seconds: 40)
    #expect(harness.mirrors[ViewID(1)]?.revision == harness.revision)
  }

  @Test("a connection lost between the pieces of a new layout loses nothing") func betweenPieces() throws {
    var limits = EngineLimits()
    limits.frames.bytes = 3_000
    var harness = EngineHarness(limits: limits)
    harness.posts = (1...200).map {
      EngineHarness.post($0, text: String(repeating: "some words ", count: Int($0 % 30) + 3))
    }
    harness.open(1, layout: EngineHarness.layout(width: 80, height: 20))
    harness.pass(seconds: 2)
    harness.slow = [ViewID(1)]
    let wide = EngineHarness.layout(width: 30, height: 120)
    harness.send(.layoutChanged(ViewID(1), wide, .utc))
    #expect(harness.frames[ViewID(1)]?.last?.pacing.hasMore == true)
    let mirror = try #require(harness.mirrors[ViewID(1)])
    harness.send(.viewClosed(ViewID(1)))
    harness.mirrors[ViewID(2)] = mirror
    harness.open(2, layout: wide, resume: mirror.resume)
    harness.open(3, layout: wide)
    harness.pass(seconds: 2)
    #expect(harness.mirrors[ViewID(2)]?.panes == harness.mirrors[ViewID(3)]?.panes)
  }

  @Test("a missing anchor is looked up once") func nowhere() throws {
    var harness = harness()
    harness.open(1)
    harness.send(.viewportMoved(ViewID(1), viewport(123_456)))
    #expect(harness.mirrors[ViewID(1)]?.viewportGeneration == 1)
    let scene = try #require(harness.scenes.first)
    #expect(scene.viewpoint.places[1] == .beginning && scene.identity.anchors == [1: [0, 0]])
  }
}
