import Dates
import Engine
import Posts
import TestSupport
import Testing
import ViewState

@Suite("Windows of rows")
struct WindowTests {
  private let height = 24

  private func harness(posts count: Int64 = 2000) -> EngineHarness {
    var harness = EngineHarness()
    harness.posts = (1...count).map { EngineHarness.post($0) }
    harness.open(1, layout: EngineHarness.layout(height: height))
    return harness
  }

  private func move(_ harness: inout EngineHarness, to row: UInt64, line: Int = 0) {
    var viewport = ViewportParameters()
    let generation = harness.mirrors[ViewID(1)]!.viewportGeneration + 1
    (viewport.anchorRow, viewport.line, viewport.generation) = (row, line, generation)
    harness.send(.viewportMoved(ViewID(1), viewport))
    harness.pass(seconds: 1)
    #expect(harness.mirrors[ViewID(1)]!.viewportGeneration == generation)
  }

  /// Returns the lines held above and below a viewport at a row.
  private func margins(_ harness: EngineHarness, at row: UInt64) throws -> (above: Int, below: Int) {
    let rows = try #require(harness.mirrors[ViewID(1)]?.panes[0].rows)
    let anchor = try #require(rows.firstIndex { $0.rowID == row })
    let above = rows[..<anchor].reduce(0) { $0 + $1.layout.height }
    return (above, rows[anchor...].reduce(0) { $0 + $1.layout.height } - height)
  }

  private func rowOperations(_ frames: some Sequence<Frame>) -> Int {
    frames.reduce(0) { count, frame in
      count + frame.operations.count { if case .paneStatus = $0 { false } else { true } }
    }
  }

  @Test("a jump sends the visible rows first and the rest in the next frame") func jump() throws {
    var harness = harness()
    harness.slow = [ViewID(1)]
    harness.send(.acknowledged(ViewID(1), frame: 1))
    var viewport = ViewportParameters()
    (viewport.anchorRow, viewport.generation) = (1000, 1)
    harness.send(.viewportMoved(ViewID(1), viewport))
    let visible = try #require(harness.frames[ViewID(1)]?.last)
    #expect(visible.pacing.hasMore && visible.generations.viewport == 1)
    let held = harness.mirrors[ViewID(1)]!.panes[0].rows
    #expect(held.first?.rowID == 1000 && held.count == 8, "six rows fill the screen; eight is the minimum")
    harness.slow = []
    harness.send(.acknowledged(ViewID(1), frame: visible.number))
    harness.pass(seconds: 1)
    let rest = try #require(harness.frames[ViewID(1)]?.first { $0.number > visible.number })
    #expect(!rest.pacing.hasMore && rest.number == visible.number + 1)
    let margins = try margins(harness, at: 1000)
    #expect(margins.above >= height && margins.below >= height)
  }

  @Test(
    "a frame that announces more is followed by rows",
    arguments: [1, 2, 3, 4, 5, 6, 7, 8, 9, 30, 1000, 1990, 1995, 1999, 2000])
  func pieces(row: UInt64) throws {
    var harness = harness()
    for target in [row, row < 1000 ? 1900 : 100, row] {
      let before = harness.frames[ViewID(1)]?.count ?? 0
      move(&harness, to: target)
      let frames = (harness.frames[ViewID(1)] ?? []).dropFirst(before)
      let first = try #require(frames.first)
      #expect(first.pacing.hasMore == (frames.count > 1 && rowOperations(frames.dropFirst()) > 0), "to \(target)")
      #expect(frames.last?.pacing.hasMore == false)
    }
  }

  @Test("moving sends no rows while half a viewport is held on each side") func stays() throws {
    var harness = harness()
    move(&harness, to: 1000)
    let before = harness.frames[ViewID(1)]!.count
    for row in [999, 998, 999, 1000, 1001] as [UInt64] { move(&harness, to: row) }
    let frames = harness.frames[ViewID(1)]!.dropFirst(before)
    #expect(frames.count == 5, "each move is answered")
    #expect(rowOperations(frames) == 0)
  }

  @Test("near an edge the window extends two viewports ahead and half a one behind", arguments: [true, false])
  func direction(down: Bool) throws {
    var harness = harness()
    move(&harness, to: 1000)
    var row: UInt64 = 1000
    let before = harness.mirrors[ViewID(1)]!.panes[0].rows.map(\.rowID)
    while harness.mirrors[ViewID(1)]!.panes[0].rows.map(\.rowID) == before {
      row = down ? row - 1 : row + 1
      try #require(990...1010 ~= row)
      move(&harness, to: row)
    }
    let margins = try margins(harness, at: row)
    let (ahead, behind) = down ? (margins.below, margins.above) : (margins.above, margins.below)
    #expect(ahead >= 2 * height - 4 && ahead <= 2 * height + 4)
    #expect(behind >= height / 2 - 4 && behind <= height / 2 + 4)
  }

  @Test("reading down a timeline row by row sends and drops each row once") func reading() throws {
    var harness = harness()
    let start = harness.frames[ViewID(1)]!.count
    for row in stride(from: 1999 as UInt64, through: 1000, by: -1) { move(&harness, to: row) }
    var inserted: [UInt64] = []
    var removed: [UInt64] = []
    for frame in harness.frames[ViewID(1)]!.dropFirst(start) {
      for operation in frame.operations {
        switch operation {
        case .rowsInserted(_, _, let rows): inserted += rows.map(\.rowID)
        case .rowsRemoved(_, let rows): removed += rows
        default: break
        }
      }
    }
    #expect(Set(inserted).count == inserted.count && Set(removed).count == removed.count)
    #expect(inserted.count >= 990)
  }

  @Test("posts that arrive above a reader change no row of the window") func above() throws {
    var harness = harness()
    move(&harness, to: 1000)
    let before = harness.frames[ViewID(1)]!.count
    let rows = harness.mirrors[ViewID(1)]!.panes[0].rows
    let newest: Int64 = triesAllSeeds ? 2200 : 2050
    for id in 2001...newest {
      harness.commit(new: [EngineHarness.post(id)])
      harness.pass(seconds: 1)
    }
    let frames = harness.frames[ViewID(1)]!.dropFirst(before)
    let kinds = frames.flatMap(\.operations).count { if case .rowsInserted = $0 { true } else { false } }
    #expect(kinds == 0)
    #expect(harness.mirrors[ViewID(1)]!.panes[0].rows.map(\.rowID) == rows.map(\.rowID))
    #expect(harness.mirrors[ViewID(1)]!.panes[0].status.rowCount == Int(newest))
  }

  @Test("at the top rows leave the window gradually, which never exceeds three viewports")
  func top() throws {
    var harness = harness()
    let before = harness.frames[ViewID(1)]!.count
    for id in 2001...2100 as ClosedRange<Int64> {
      harness.commit(new: [EngineHarness.post(id)])
      harness.pass(seconds: 1)
      let rows = harness.mirrors[ViewID(1)]!.panes[0].rows
      #expect(rows.first?.rowID == UInt64(id))
      #expect(rows.reduce(0) { $0 + $1.layout.height } <= 4 * height + 8)
    }
    let removals = harness.frames[ViewID(1)]!.dropFirst(before).flatMap(\.operations)
      .count { if case .rowsRemoved = $0 { true } else { false } }
    #expect(removals < 20)
  }

  @Test("the rows a view holds and receives do not grow with the timeline", arguments: [3_000, 30_000])
  func size(count: Int64) throws {
    var harness = harness(posts: count)
    move(&harness, to: UInt64(count / 2))
    harness.commit(new: [EngineHarness.post(count + 1)])
    let frames = harness.frames[ViewID(1)]!
    #expect(harness.mirrors[ViewID(1)]!.panes[0].rows.count <= 30)
    #expect(frames.allSatisfy { $0.body.encoded!.count < 8_000 })
  }

  @Test("a viewport taller than the limit shows as many rows as allowed") func tall() throws {
    var harness = harness()
    harness.open(2, layout: EngineHarness.layout(height: 9_000))
    #expect(harness.mirrors[ViewID(2)]!.panes[0].rows.count == 200)
  }
}
