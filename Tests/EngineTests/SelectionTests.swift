import Dates
import Engine
import Posts
import Testing
import ViewState

@Suite("Pane selection")
struct SelectionTests {
  /// Creates three-line rows, of which a view of 24 lines shows eight.
  private func harness() -> EngineHarness {
    var harness = EngineHarness()
    harness.posts = (1...200).map { EngineHarness.post($0) }
    harness.open(1, layout: EngineHarness.layout(width: 80, height: 24))
    return harness
  }

  private func selection(_ harness: EngineHarness, _ id: UInt64 = 1, pane: Int = 0) -> PaneSelection? {
    harness.mirrors[ViewID(id)]?.panes[pane].selection
  }

  private func selected(_ row: UInt64, _ pin: PaneSelection.Pin = .none, _ placed: PlacedRow? = nil) -> PaneSelection {
    var selection = PaneSelection()
    (selection.rowID, selection.pin, selection.row) = (row, pin, placed)
    return selection
  }

  @Test("every view of the session shows the selection, also after a restart") func shared() {
    var harness = harness()
    harness.open(2, layout: EngineHarness.layout(width: 120, singlePane: false))
    harness.command(1, .select(pane: 0, row: 198))
    #expect(selection(harness, 1) == selected(198) && selection(harness, 2) == selected(198))
    var restarted = harness.restarted()
    restarted.open(1)
    #expect(selection(restarted) == selected(198))
    harness.command(2, .select(pane: 1, row: 0))
    #expect(selection(harness, 1) == PaneSelection() && selection(harness, 2) == PaneSelection())
  }

  @Test(
    "a selected row that scrolls partly out of view is pinned to that edge, and updates there"
  )
  func pinned() throws {
    var harness = harness()
    harness.command(1, .select(pane: 0, row: 198))
    let row = try #require(harness.mirrors[ViewID(1)]?.panes[0].rows.first { $0.rowID == 198 })
    let height = row.layout.height
    #expect(24 % height == 0 || 24 > 3 * height)
    harness.scroll(1, to: 198)
    #expect(selection(harness) == selected(198))
    harness.scroll(1, to: 198, line: 1)
    #expect(selection(harness) == selected(198, .top, row))
    harness.scroll(1, to: 190)
    #expect(selection(harness) == selected(198, .top, row))
    harness.scroll(1, to: 20)
    var far = try #require(selection(harness))
    #expect(far.pin == .top && far.row?.rowID == 198, "outside the window too")
    far.row?.caps = row.caps
    #expect(far.row == row)
    harness.command(2, .select(pane: 0, row: 10))
    #expect(selection(harness)?.pin == .bottom && selection(harness)?.row?.rowID == 10)
    let rows = 24 / height
    harness.scroll(1, to: UInt64(10 + rows - 1))
    #expect(selection(harness) == selected(10), "it is the last whole row")
    harness.scroll(1, to: UInt64(10 + rows))
    #expect(selection(harness)?.pin == .bottom)
  }

  @Test("a row that is gone or not in the list is not selected; a changed row changes where it is pinned")
  func changes() {
    var harness = harness()
    harness.command(1, .select(pane: 0, row: 9_999))
    #expect(selection(harness) == PaneSelection())
    #expect(harness.refusals[RequestToken(1)] == EngineError(.notFound, "there is no row 9999 in pane 1"))
    harness.command(2, .select(pane: 0, row: 198))
    harness.scroll(1, to: 20)
    harness.commit(changed: [EngineHarness.post(198, text: "edited")])
    harness.pass(seconds: 1)
    #expect(selection(harness)?.row.map { String(decoding: $0.content.fields.text, as: UTF8.self) } == "edited")
    harness.commit(changed: [EngineHarness.post(198, visibility: .direct, owner: AccountID(2))])
    harness.pass(seconds: 1)
    #expect(selection(harness) == PaneSelection())
  }

  @Test("a row taller than the view is pinned only when none of it is visible") func high() {
    var harness = EngineHarness()
    harness.posts = (1...60).map {
      EngineHarness.post($0, text: Array(repeating: "lorem ipsum dolor sit amet", count: 60).joined(separator: " "))
    }
    harness.open(1, layout: EngineHarness.layout(width: 80, height: 10))
    harness.command(1, .select(pane: 0, row: 50))
    harness.scroll(1, to: 50, line: 3)
    #expect(selection(harness)?.pin == PaneSelection.Pin.none)
    harness.scroll(1, to: 49)
    #expect(selection(harness)?.pin == .top)
    harness.scroll(1, to: 52)
    #expect(selection(harness)?.pin == .bottom)
  }

  @Test("drop all clears the root's selection, and back restores it") func dropAll() {
    var harness = harness()
    harness.command(1, .select(pane: 0, row: 198))
    harness.command(2, .push(.conversation("198"), from: 0))
    harness.command(3, .dropAll)
    #expect(selection(harness) == PaneSelection())
    harness.command(4, .back)
    harness.command(5, .pop)
    #expect(selection(harness) == selected(198))
  }
}
