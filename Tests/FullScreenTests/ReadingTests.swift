import Messages
import Testing
import ViewState

@testable import FullScreen

@Suite("Positions in panes")
struct ReadingTests {
  /// Returns a pane of rows of four lines each, with ids from 1 on, and more rows above and below.
  private static func pane(_ count: Int, above: Int = 0, below: Int = 0, kind: PaneHeader.Kind = .timeline) -> Pane {
    var view = SampleView(columns: 120, lines: 30)
    view.push(
      kind, "Pane", (1...max(1, count)).map { SampleView.Post(id: UInt64($0), name: "A", handle: "a", text: "x") })
    var pane = view.snapshot.panes[0]
    if count == 0 { pane.rows = [] }
    pane.status.rowsAbove = above
    pane.status.rowCount = above + count + below
    return pane
  }

  private static func height(_ pane: Pane) -> Int { pane.rows[0].height }

  @Test("a window knows the rows at its edges, fully visible ones first") func edges() {
    let pane = Self.pane(10)
    let height = Self.height(pane)
    let window = PaneWindow(pane, known: LineAnchor(rowID: 2, line: 1), height: 3 * height)
    #expect(window.seen == height + 1..<4 * height + 1)
    #expect(window.firstSeen == 2, "the second is cut off")
    #expect(window.lastSeen == 3, "the fifth is cut off")
    #expect(window.start == 2)
    #expect(window.lastTop == 7 * height)
  }

  @Test("after scrolling a visible row stays selected, and at an end the selection moves on") func successors() {
    let pane = Self.pane(10, below: 5)
    let height = Self.height(pane)
    let window = PaneWindow(pane, known: LineAnchor(rowID: 4), height: 3 * height)
    #expect(window.successor(of: 5, direction: 1) == nil)
    #expect(window.successor(of: 1, direction: 1) == 3)
    #expect(window.successor(of: 9, direction: -1) == 5)
    let top = PaneWindow(pane, known: LineAnchor(), height: 3 * height)
    #expect(top.successor(of: 2, direction: -1) == 0)
    let end = PaneWindow(Self.pane(10), known: LineAnchor(rowID: 8), height: 3 * height)
    #expect(end.successor(of: 8, direction: 1) == 9)
  }

  @Test("a row that is gone has a successor, and one beyond an older window is not gone") func changes() {
    let old = Self.pane(6)
    var new = old
    new.rows.remove(at: 2)
    let change = PaneChange(old: old, new: new)
    #expect(change.successor(of: 3) == 4)
    #expect(change.successor(of: 2) == 2)
    #expect(!change.isBeyond(3))
    var cut = old
    cut.rows.removeLast(2)
    let shorter = PaneChange(old: old, new: cut)
    #expect(shorter.isBeyond(6), "more rows may lie below")
    #expect(shorter.successor(of: 6) == 4)
  }

  @Test("selections are sent one at a time, and the last one in the end") func selections() throws {
    var selections = Selections()
    selections.select(5, in: 1)
    let first = selections.next()
    #expect(first?.pane == 1 && first?.row == 5)
    selections.select(6, in: 1)
    selections.select(7, in: 1)
    let none = selections.next()
    #expect(none == nil, "one is in flight")
    let mayGoOn = selections.answered(1, 5, .accepted(revision: 3), shown: 2)
    let second = selections.next()
    #expect(mayGoOn && second?.row == 7)
    _ = selections.answered(1, 7, .accepted(revision: 4), shown: 2)
    #expect(selections.row(in: 1) == 7, "nothing shows it yet")
    selections.shown(1, at: 4)
    #expect(selections.row(in: 1) == nil)
  }

  @Test("a refused selection is dropped, and one without a connection waits") func lostSelections() {
    var selections = Selections()
    selections.select(5, in: 1)
    _ = selections.next()
    let mayGoOn = selections.answered(1, 5, .unreachable, shown: 1)
    #expect(!mayGoOn && selections.row(in: 1) == 5)
    let again = selections.next()
    #expect(again?.row == 5)
    selections.reconnected()
    let more = selections.next()
    #expect(more?.row == 5, "the new connection has not received it")
    _ = selections.answered(1, 5, .refused, shown: 1)
    #expect(selections.row(in: 1) == nil)
    selections.select(8, in: 2)
    selections.forgetPanes(except: [1])
    #expect(selections.row(in: 2) == nil)
  }

  @Test("a selection that only looking does not allow stays on this screen") func keptSelections() {
    var selections = Selections()
    selections.select(5, in: 1)
    _ = selections.next()
    let mayGoOn = selections.answered(1, 5, .kept, shown: 1)
    let next = selections.next()
    #expect(mayGoOn && next == nil && selections.row(in: 1) == 5)
  }

  @Test("a jump waits for the viewport that asked for it") func jumps() {
    var jumps = Jumps()
    #expect(!jumps.isUnderWay(in: 1) && !jumps.isWaiting(in: 1, answered: 9))
    jumps.begin(.bottom, in: 1)
    #expect(jumps.isWaiting(in: 1, answered: 9), "it has not been sent")
    jumps.sent(1, generation: 3)
    jumps.sent(1, generation: 4)
    #expect(jumps.answeredGoal(in: 1, answered: 2) == nil)
    #expect(jumps.answeredGoal(in: 1, answered: 3) == .bottom)
    jumps.forgetPanes(except: [2])
    #expect(!jumps.isUnderWay(in: 1))
  }

  @Test("moves beyond the rows held add up, in one pane and within bounds") func pending() {
    var moves = PendingMoves()
    for _ in 0..<200 { moves.addRow(1, in: 1) }
    #expect(moves.rows == PendingMoves.Move(pane: 1, count: 100))
    moves.addRow(-1, in: 2)
    #expect(moves.rows == PendingMoves.Move(pane: 2, count: -1) && moves.isUnderWay(in: 2))
    moves.setLines(-9_000, in: 2)
    #expect(moves.lines?.count == -2_000 && moves.lines?.direction == -1)
    let lines = moves.takeLines()
    let rows = moves.takeRows()
    #expect(lines != nil && rows != nil && moves.isEmpty)
  }

  @Test("a pane is visible up to the start of the next one") func seen() {
    let panes = SeenPanes(
      frames: [PaneFrame(paneID: 1, x: 4, width: 58), PaneFrame(paneID: 2, x: 40, width: 58)], columns: 90)
    #expect(panes.columns(of: 1) == 4..<40 && panes.columns(of: 2) == 40..<90)
    #expect(panes.isSeen(1) && !panes.isWhole(1) && !panes.isWhole(2) && !panes.isSeen(3))
    #expect(panes.pane(at: 39) == 1 && panes.pane(at: 40) == 2 && panes.pane(at: 3) == nil)
  }
}
