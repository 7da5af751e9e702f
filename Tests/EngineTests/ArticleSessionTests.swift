import Dates
import Engine
import Posts
import Testing
import ViewState

@Suite("Leaving a session and attaching again")
struct ArticleSessionTests {
  private static let text = Array(repeating: "The quick brown fox jumps over the lazy dog.", count: 9).joined(
    separator: " ")

  private func layout(_ width: Int) -> LayoutParameters { EngineHarness.layout(width: width, singlePane: false) }

  /// Returns what a view shows, from the first line on, pane by pane.
  private func shown(_ harness: EngineHarness, _ id: UInt64) -> [String] {
    guard let view = harness.mirrors[ViewID(id)] else { return [] }
    return view.panes.enumerated().map { index, pane in
      let frame = view.paneFrames[index]
      let above = pane.rows.prefix {
        $0.rowID != (pane.status.anchorRow == 0 ? pane.rows.first?.rowID : pane.status.anchorRow)
      }
      let first = pane.rows.isEmpty ? "covered" : "\(pane.rows[above.count].rowID) line \(pane.status.anchorLine)"
      return "\(pane.header.paneID) at \(frame.x)-\(frame.x + frame.width): \(first)"
    }
  }

  @Test(
    """
    open Mentions, push a conversation, push its author, go back, resize twice, detach, restart the daemon, attach from another \
    terminal: same panes, same place
    """)
  func article() throws {
    var harness = EngineHarness()
    harness.posts = (1...200).map {
      EngineHarness.post($0, text: Self.text, inReplyTo: $0 > 40 && $0 <= 60 ? $0 - 1 : nil)
    }
    harness.open(1, layout: layout(80))
    harness.command(1, .open(.mentions))
    harness.scroll(1, to: 60, line: 4)
    harness.command(2, .select(pane: 0, row: 60))
    harness.command(3, .push(.conversation("60"), from: 0))
    harness.scroll(1, to: 45, line: 6)
    harness.command(4, .push(.author("1"), from: 0))
    harness.scroll(1, to: 120, line: 2)
    harness.command(5, .back)
    harness.send(.layoutChanged(ViewID(1), layout(120), .utc))
    harness.send(.layoutChanged(ViewID(1), layout(80), .utc))
    #expect(harness.refusals.isEmpty)

    // A second terminal shows where the first one looks.
    harness.open(2, layout: layout(80))
    let before = shown(harness, 2)
    #expect(before == ["2 at 4-62: 60 line 4", "3 at 62-120: 45 line 6"])
    let selection = harness.mirrors[ViewID(1)]?.panes[0].selection.rowID
    harness.send(.viewClosed(ViewID(2)))
    harness.send(.viewClosed(ViewID(1)))

    var restarted = harness.restarted()
    restarted.open(7, layout: layout(80))
    #expect(shown(restarted, 7) == before)
    #expect(restarted.mirrors[ViewID(7)]?.panes[0].selection.rowID == selection)
    restarted.command(6, .forward)
    #expect(shown(restarted, 7).last?.hasSuffix("120 line 2") == true, "the closed view comes back at its place")
    restarted.command(7, .back)
    restarted.send(.stackMoved(RequestToken(8), ViewID(7), .slide(.right)))
    #expect(shown(restarted, 7) == before)

    // At another width the same words are visible.
    restarted.open(8, layout: layout(200))
    let wide = try #require(restarted.mirrors[ViewID(8)])
    #expect(wide.panes.map(\.status.anchorRow) == [60, 45] && wide.paneFrames.map(\.x) == [22, 80])
  }
}
