import Messages
import Testing
import ViewState

@testable import FullScreen

@Suite("Moves ahead of the daemon")
struct PaneReaderTests {
  private var reader: PaneReader
  private var connection: Connection

  /// Starts with an open view of forty rows, with more rows below.
  init() {
    reader = PaneReader(viewHeight: 28)
    reader.mirror = ScreenUser.view(40).snapshot
    reader.mirror.panes[0].status.rowCount = 60
    reader.mirror.layoutGeneration = 1
    reader.focusID = 1
    connection = Connection(session: "", requestPrefix: "id")
    connection.open(columns: 120, lines: 30)
    _ = connection.welcomed(as: 5, at: 0)
  }

  /// Returns the rows whose selection was sent to the daemon.
  private mutating func selected() -> [UInt64] {
    connection.takeEffects().compactMap { effect in
      guard case .call(_, Method.select, let bytes) = effect else { return nil }
      return try? SelectRequest(decoding: bytes).rowID
    }
  }

  @Test("a row is selected at once, and sent once") mutating func rows() {
    reader.moveRow(1, &connection)
    #expect(reader.selectedRow(of: 1) == 1040, "the first visible row")
    reader.moveRow(1, &connection)
    #expect(reader.currentRow?.rowID == 1039)
    #expect(selected() == [1040], "one at a time")
  }

  @Test("a page keeps the selected row on the screen") mutating func pages() {
    reader.moveRow(1, &connection)
    reader.movePage(1, of: 1, &connection)
    let window = reader.window(of: reader.mirror.panes[0])
    #expect(window.seen.lowerBound == 27)
    let lines = window.scroll.lines(of: reader.selectedRow(of: 1))
    #expect(lines.map { window.seen.contains($0.lowerBound) } == true)
  }

  @Test("a move beyond the rows held continues when they arrive") mutating func pending() {
    let last = reader.mirror.panes[0].rows[39].rowID
    reader.go(to: last, in: reader.mirror.panes[0], &connection)
    reader.moveRow(1, &connection)
    #expect(!reader.isAtRest && reader.isMovePending && reader.selectedRow(of: 1) == last)
    var view = ScreenUser.view(60).snapshot
    view.panes[0].rows = view.panes[0].rows.map { $0 }
    reader.mirror.panes[0].rows += view.panes[0].rows.suffix(20).map { $0 }
    reader.resumePending(&connection)
    #expect(reader.isAtRest && reader.selectedRow(of: 1) != last)
  }

  @Test("the end of a list is requested if it is not held") mutating func jumps() {
    reader.goToBottom(&connection)
    #expect(reader.jumps.isUnderWay(in: 1))
    reader.sendViewports(&connection)
    let told = connection.takeEffects().contains { if case .send(.viewport) = $0 { true } else { false } }
    #expect(told)
    reader.mirror.panes[0].status.rowsAbove = 20
    reader.mirror.viewportGeneration = 1
    let isUnread = reader.restorePosition(in: reader.mirror.panes[0], after: nil, &connection)
    #expect(!isUnread && reader.selectedRow(of: 1) == 1001 && !reader.jumps.isUnderWay(in: 1))
  }

  @Test("following the newest row ends when the user moves") mutating func following() {
    let isOn = reader.toggleFollow(&connection)
    #expect(isOn && reader.following == [1])
    reader.scroll(by: 5, in: reader.mirror.panes[0])
    #expect(reader.following.isEmpty)
  }

  @Test("the focus stays in its pane, unless that closes or another is opened on it") mutating func focus() {
    let old = reader.mirror
    var view = ScreenUser.view(40)
    view.push(.conversation, "Thread", SampleView.thread)
    reader.mirror = view.snapshot
    reader.settleFocus(after: old, opening: .elsewhere, columns: 120)
    #expect(reader.focusID == 2, "the focus was on the topmost pane")
    reader.mirror = old
    reader.settleFocus(after: view.snapshot, opening: .elsewhere, columns: 120)
    #expect(reader.focusID == 1)
  }
}
