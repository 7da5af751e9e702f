import Dates
import Engine
import Posts
import TestSupport
import Testing
import ViewState

@Suite("Slides")
struct SlideTests {
  /// Opens three panes in two views of 80 and 120 cells, and one in line mode.
  private func harness() -> EngineHarness {
    var harness = EngineHarness()
    harness.posts = (1...40).map { EngineHarness.post($0) }
    harness.open(1, layout: EngineHarness.layout(width: 80, singlePane: false))
    harness.open(2, layout: EngineHarness.layout(width: 120, singlePane: false))
    harness.open(3)
    for post in 1...2 { harness.command(UInt64(post), .push(.conversation("\(post)"), from: 0)) }
    return harness
  }

  private func lefts(_ harness: EngineHarness, _ id: UInt64) -> [Int]? {
    harness.mirrors[ViewID(id)]?.paneFrames.map(\.x)
  }

  @Test("a slide moves one view, is answered with the new position, and reports when it cannot move") func slides() {
    var harness = harness()
    #expect(
      lefts(harness, 1) == [4, 4, 22] && lefts(harness, 2) == [4, 4, 62],
      "after a push the new pane is whole, at the right")
    let saved = harness.savedSessions
    let expected = [(3, [4, 4, 62]), (2, [4, 22, 80]), (1, [4, 62, 120]), (0, [22, 80, 138])]
    for (token, (position, lefts)) in expected.enumerated() {
      harness.send(.stackMoved(RequestToken(UInt64(10 + token)), ViewID(1), .slide(.right)))
      #expect(harness.slides[RequestToken(UInt64(10 + token))] == .init(position: position, moved: true))
      #expect(self.lefts(harness, 1) == lefts)
    }
    harness.send(.stackMoved(RequestToken(20), ViewID(1), .slide(.right)))
    #expect(harness.slides[RequestToken(20)] == .init(position: 0, moved: false))
    #expect(
      lefts(harness, 2) == [4, 4, 62] && harness.savedSessions == saved, "other views stay; the session has not changed"
    )
  }

  @Test("a drag, a reveal and a position are answered alike") func others() {
    var harness = harness()
    let moves: [(SlideCommand, EngineHarness.Slide)] = [
      (.reveal(pane: 1), .init(position: 0, moved: true)), (.reveal(pane: 1), .init(position: 0, moved: false)),
      (.reveal(pane: 0), .init(position: 4, moved: true)),
      (.drag(pane: 3, x: 50, direction: .right), .init(position: 3, moved: true)),
      (.drag(pane: 0, x: 4, direction: .left), .init(position: 4, moved: true)),
      (.position(2), .init(position: 2, moved: true)),
      (.position(2), .init(position: 2, moved: false)),
    ]
    for (token, (command, answer)) in moves.enumerated() {
      harness.send(.stackMoved(RequestToken(UInt64(10 + token)), ViewID(1), command))
      #expect(harness.slides[RequestToken(UInt64(10 + token))] == answer, "move \(token)")
    }
    #expect(lefts(harness, 1) == [4, 22, 80])
  }

  @Test("invalid slides are refused") func refusals() {
    var harness = harness()
    harness.send(.stackMoved(RequestToken(1), ViewID(9), .slide(.left)))
    harness.send(.stackMoved(RequestToken(2), ViewID(2), .position(3)))
    harness.send(.stackMoved(RequestToken(3), ViewID(1), .reveal(pane: 17)))
    harness.send(.stackMoved(RequestToken(4), ViewID(1), .drag(pane: 17, x: 0, direction: nil)))
    harness.holdsLoads = true
    harness.open(5, session: "other")
    harness.send(.stackMoved(RequestToken(5), ViewID(5), .slide(.left)))
    let codes = (1...5 as ClosedRange<UInt64>).map { harness.refusals[RequestToken($0)]?.code }
    #expect(codes == [.notFound, .failedPrecondition, .notFound, .notFound, .failedPrecondition])
  }

  @Test(
    "order, selection and anchors survive any sequence of resizes and slides",
    arguments: seeds(0..<40 as Range<UInt64>))
  func resizes(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    var harness = EngineHarness()
    let words = Array(repeating: "lorem ipsum dolor", count: 12).joined(separator: " ")
    harness.posts = (1...40).map { EngineHarness.post($0, text: words) }
    harness.open(1, layout: EngineHarness.layout(width: 400, singlePane: false))
    for post in 1...2 {
      harness.command(UInt64(post), .push(.author("\(post)"), from: 0, width: .random(in: 0...80, using: &random)))
    }
    harness.command(3, .select(pane: 2, row: 17))
    harness.scroll(1, pane: 1, to: 20, line: 3)
    harness.scroll(1, pane: 2, to: 30)
    let panes = harness.mirrors[ViewID(1)]?.panes.map(\.header)
    for step in 0..<20 {
      if Bool.random(using: &random) {
        let layout = EngineHarness.layout(width: .random(in: 10...400, using: &random), singlePane: false)
        harness.send(.layoutChanged(ViewID(1), layout, .utc))
      } else {
        let direction = SlideDirection.allCases.randomElement(using: &random)!
        harness.send(.stackMoved(RequestToken(UInt64(100 + step)), ViewID(1), .slide(direction)))
      }
      #expect(harness.mirrors[ViewID(1)]?.panes.map(\.header) == panes, "seed \(seed)")
    }
    harness.send(.layoutChanged(ViewID(1), EngineHarness.layout(width: 400, singlePane: false), .utc))
    let view = try #require(harness.mirrors[ViewID(1)])
    #expect(view.panes.map(\.selection.rowID) == [0, 17, 0], "seed \(seed)")
    let anchors = view.panes.map { [$0.status.anchorRow, UInt64($0.status.anchorLine)] }
    #expect(anchors[0] == [20, 3] || anchors[0] == [0, 0], "seed \(seed): at its line, whether reported or not")
  }
}
