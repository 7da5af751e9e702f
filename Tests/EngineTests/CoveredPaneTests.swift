import Dates
import Engine
import Messages
import Posts
import Testing
import ViewState

@Suite("Covered panes cost nothing")
struct CoveredPaneTests {
  private func bytes(_ harness: EngineHarness, _ id: UInt64) -> Int {
    (harness.frames[ViewID(id)] ?? []).reduce(0) { $0 + $1.encoded().count }
  }

  @Test("commits into covered panes gather no rows and send no frame; uncovered panes are up to date")
  func covered() throws {
    var harness = EngineHarness()
    harness.posts = (1...300).map { EngineHarness.post($0) }
    // New posts of a section appear in the navigation pane, which is never covered.
    harness.hasSeenEverything()
    // In the first view the timeline is covered and part of the first conversation is visible; in line mode both are
    // covered.
    harness.open(1, layout: EngineHarness.layout(width: 80, singlePane: false))
    harness.open(2)
    harness.scroll(1, pane: 1, to: 150)
    harness.command(1, .push(.conversation("5"), from: 0))
    harness.command(2, .push(.conversation("6"), from: 0))
    harness.pass(seconds: 2)
    #expect(harness.mirrors[ViewID(1)]?.panes.map(\.rows.isEmpty) == [true, false, false])
    #expect(harness.mirrors[ViewID(2)]?.panes.map(\.rows.isEmpty) == [true, true, false])
    let (gathered, sent) = (harness.engine.gatheredPanes, [bytes(harness, 1), bytes(harness, 2)])
    let frames = harness.frames.mapValues(\.count)
    for post in 301...400 as ClosedRange<Int64> {
      harness.commit(new: [EngineHarness.post(post)])
      harness.now = harness.now.adding(milliseconds: 50)
      harness.send(.timePassed)
    }
    #expect(harness.engine.gatheredPanes == gathered)
    #expect(harness.frames.mapValues(\.count) == frames && [bytes(harness, 1), bytes(harness, 2)] == sent)
    // A reply concerns only the view that shows its conversation.
    harness.commit(new: [EngineHarness.post(500, at: 400, inReplyTo: 5)])
    harness.pass(seconds: 1)
    #expect(harness.frames[ViewID(1)]!.count == frames[ViewID(1)]! + 1 && bytes(harness, 2) == sent[1])
    harness.send(.stackMoved(RequestToken(4), ViewID(1), .reveal(pane: 1)))
    let root = try #require(harness.mirrors[ViewID(1)]?.panes[0])
    let first = try #require(root.rows.firstIndex { $0.rowID == 150 })
    #expect(root.status.rowCount == 401 && root.status.rowsAbove + first == 251, "the same row is first")
    let all = harness.timeline().map { UInt64($0.id.rawValue) }
    #expect(root.rows.map(\.rowID) == Array(all[root.status.rowsAbove...].prefix(root.rows.count)))
    harness.command(5, .pop)
    harness.command(6, .pop)
    #expect(harness.mirrors[ViewID(2)]?.panes[0].rows.first?.rowID == 500)
  }

  @Test("a bookmark sends views with covered panes the revision and nothing else") func bookmarks() throws {
    var harness = EngineHarness()
    harness.posts = (1...30).map { EngineHarness.post($0) }
    harness.open(1)
    harness.command(1, .push(.conversation("5"), from: 0))
    harness.pass(seconds: 1)
    harness.commit(new: [EngineHarness.post(50)])
    harness.pass(seconds: 30)
    let last = try #require(harness.frames[ViewID(1)]?.last)
    #expect(last.revision == harness.revision && last.operations.isEmpty)
  }
}
