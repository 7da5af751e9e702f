import Dates
import Engine
import Posts
import Testing
import ViewState

@Suite("Views that only look")
struct LookingTests {
  private static let wide = EngineHarness.layout(singlePane: false)

  private func harness() -> EngineHarness {
    var harness = EngineHarness()
    harness.posts = (1...60).map { EngineHarness.post($0) }
    return harness
  }

  private func pane(_ harness: EngineHarness, _ id: UInt64) -> Pane? { harness.mirrors[ViewID(id)]?.panes.first }

  private func unseen(_ harness: EngineHarness, _ id: UInt64) -> Int? {
    harness.mirrors[ViewID(id)]?.navigation.rows.first { $0.section == .timeline }?.unseen
  }

  @Test("they scroll, slide and change size, and leave nothing behind") func leavesNothing() {
    var harness = harness()
    harness.open(1, layout: Self.wide, session: "hall", onlyLooks: true)
    harness.open(2, layout: Self.wide, session: "hall", onlyLooks: true)
    harness.scroll(1, to: 30)
    harness.send(.stackMoved(RequestToken(1), ViewID(1), .slide(.right)))
    harness.send(.layoutChanged(ViewID(2), EngineHarness.layout(width: 100, singlePane: false), .utc))
    harness.pass(seconds: 120)
    harness.send(.flush)
    #expect(pane(harness, 1)?.rows.contains { $0.rowID == 30 } == true && pane(harness, 2)?.status.rowsAbove == 0)
    #expect(pane(harness, 1)?.status.readingRow == 0 && unseen(harness, 1) == 60)
    for id in [1, 2] as [UInt64] { harness.send(.viewClosed(ViewID(id))) }
    #expect(harness.savedSessions.isEmpty && harness.savedPlaces.isEmpty && harness.placesSaves == 0)
    #expect(harness.seen.isEmpty && harness.engine.sessionCount == 0)
  }

  @Test("they follow a session: its panes and its reading position, which they do not move") func follows() {
    var harness = harness()
    harness.open(1, layout: Self.wide)
    harness.scroll(1, to: 50)
    harness.open(2, layout: Self.wide, onlyLooks: true)
    #expect(harness.place(2, 1) == [50, 0], "they begin where the session is")
    harness.scroll(2, to: 30)
    harness.open(3, layout: Self.wide)
    #expect(harness.place(3, 1) == [50, 0], "and do not take it along")
    harness.send(.viewClosed(ViewID(3)))
    harness.commit(new: [EngineHarness.post(61)])
    harness.scroll(2, to: 61)
    harness.scroll(2, to: 0)
    #expect(pane(harness, 2)?.rows.first?.rowID == 61)
    harness.pass(seconds: 1)
    for id in [1, 2] as [UInt64] { #expect(pane(harness, id)?.status.readingRow == 60 && unseen(harness, id) == 1) }
    harness.commit(new: [EngineHarness.post(62)])
    harness.pass(seconds: 1)
    #expect(pane(harness, 2)?.rows.first?.rowID == 62 && unseen(harness, 1) == 2, "a new post they show is unseen")
    harness.scroll(1, to: 0)
    for id in [1, 2] as [UInt64] { #expect(pane(harness, id)?.status.readingRow == 62 && unseen(harness, id) == 0) }
    harness.command(1, .push(.author("1"), from: 0))
    #expect(harness.mirrors[ViewID(2)]?.panes.count == 2)
  }
}
