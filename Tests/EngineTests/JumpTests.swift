import Dates
import Engine
import Posts
import TestSupport
import Testing
import ViewState

@Suite("Jumps")
struct JumpTests {
  @Test(
    "the last frame of a jump announces no more, the window is as long as documented, and the line is that asked for",
    arguments: seeds(0..<120 as Range<UInt64>))
  func jumps(seed: UInt64) {
    var world = JumpWorld(seed: seed)
    for step in 0..<25 { world.jump("seed \(seed), step \(step)") }
  }

  @Test("a row that is not held is shown from the line asked for, also with a day line above it", arguments: 0...4)
  func lines(line: Int) throws {
    var harness = EngineHarness()
    harness.posts = (1...400).map { EngineHarness.post($0, at: $0 * 86_400) }
    var layout = EngineHarness.layout()
    layout.hasDayLines = true
    harness.open(1, layout: layout)
    for row in [200, 20, 390, 1] as [UInt64] {
      #expect(harness.mirrors[ViewID(1)]?.panes[0].rows.contains { $0.rowID == row } == false)
      harness.scroll(1, to: row, line: line)
      harness.pass(seconds: 1)
      let pane = try #require(harness.mirrors[ViewID(1)]?.panes[0])
      #expect(pane.rows.first { $0.rowID == row }?.height == 5)
      #expect(harness.place(1, 1) == [0, 0], "row \(row): the place is the one that the client named")
    }
  }

  @Test("a jump in an empty pane is answered by one frame without more") func empty() throws {
    var harness = EngineHarness()
    harness.open(1, showing: .search("otter"))
    harness.scroll(1, to: 5)
    harness.pass(seconds: 1)
    #expect(harness.frames[ViewID(1)]?.map(\.pacing.hasMore) == [false, false])
  }
}

/// A list of rows of random heights and days, and a view that jumps about in it.
private struct JumpWorld {
  private var random: SeededGenerator
  private var harness: EngineHarness
  private let layout: LayoutParameters
  private let view = ViewID(1)

  init(seed: UInt64) {
    random = SeededGenerator(seed: seed)
    var limits = EngineLimits()
    if seed % 3 == 0 { (limits.lists.chunkCapacity, limits.lists.firstSlice, limits.lists.laterSlice) = (8, 30, 16) }
    harness = EngineHarness(limits: limits)
    let count = Int64.random(in: 1...150, using: &random)
    let hours = Int64.random(in: 1...40, using: &random)
    let longest = [3, 30, 200].randomElement(using: &random) ?? 3
    for id in 1...count {
      let words = Self.words(.random(in: 1...longest, using: &random), &random)
      harness.posts.append(
        EngineHarness.post(id, at: .random(in: 0...count * hours * 3_600, using: &random), text: words))
    }
    var layout = EngineHarness.layout(
      width: .random(in: 20...120, using: &random), height: .random(in: 1...60, using: &random),
      singlePane: Bool.random(using: &random))
    if seed % 5 == 4, let points = try? PointsTests.layout(width: 1024) {
      layout = points
      layout.height = .random(in: 100...900, using: &random)
    }
    layout.hasDayLines = Bool.random(using: &random)
    layout.clockSize = seed % 2 == 0 ? 0 : 1
    self.layout = layout
    harness.hasSeenEverything()
    harness.open(1, layout: layout)
    // A narrow view shows the menu alone.
    if !layout.isSinglePane { harness.send(.stackMoved(RequestToken(9), view, .reveal(pane: 1))) }
    harness.pass(seconds: 5)
  }

  private static func words(_ count: Int, _ random: inout SeededGenerator) -> String {
    (0..<count).map { _ in Bool.random(using: &random) ? "otter" : "a" }.joined(separator: " ")
  }

  private var pane: Pane? { harness.mirrors[view]?.panes.first }

  mutating func jump(_ note: String) {
    let held = Set(pane?.rows.map(\.rowID) ?? [])
    let above = pane?.status.rowsAbove ?? 0
    var viewport = ViewportParameters()
    harness.generation += 1
    viewport.generation = harness.generation
    let model = harness.timeline()
    var target = model.randomElement(using: &random) ?? model[0]
    let line =
      [0, 0, .random(in: 0...6, using: &random), .random(in: 0...4_000, using: &random)]
      .randomElement(using: &random) ?? 0
    switch Int.random(in: 0..<8, using: &random) {
    case 0: target = model[0]
    case 1:
      viewport.atMilliseconds = target.createdAt.milliseconds
      target = model.first { $0.createdAt <= target.createdAt } ?? target
    case 2:
      target = model.suffix(4).randomElement(using: &random) ?? target
      fallthrough
    default: (viewport.anchorRow, viewport.line) = (UInt64(target.id.rawValue), line)
    }
    let row = UInt64(target.id.rawValue)
    let isJump = viewport.anchorRow == 0 && viewport.atMilliseconds == 0 ? above > 0 : !held.contains(row)
    let before = harness.frames[view]?.count ?? 0
    harness.send(.viewportMoved(view, viewport))
    harness.pass(seconds: 2)
    let note = "\(note): to \(viewport.anchorRow), line \(viewport.line), in \(layout.width)x\(layout.height)"
    expectFrames((harness.frames[view] ?? []).dropFirst(before), viewport, note)
    expectPlace(row, viewport, isJump: isJump, note)
  }

  private func expectFrames(_ frames: ArraySlice<Frame>, _ viewport: ViewportParameters, _ note: String) {
    #expect(frames.first?.generations.viewport == viewport.generation, "\(note): a move is answered")
    #expect(frames.last?.pacing.hasMore == false, "\(note): the last frame announces more")
    for (piece, next) in zip(frames, frames.dropFirst()) where piece.pacing.hasMore {
      let hasRows = next.operations.contains { if case .rowsInserted = $0 { true } else { false } }
      #expect(hasRows, "\(note): no rows follow where more was announced")
    }
  }

  private func expectPlace(_ row: UInt64, _ viewport: ViewportParameters, isJump: Bool, _ note: String) {
    guard let pane, let index = pane.rows.firstIndex(where: { $0.rowID == row }) else {
      Issue.record("\(note): row \(row) is not held")
      return
    }
    let line = min(viewport.line, pane.rows[index].height - 1)
    let isNamed = pane.status.anchorRow == 0
    let named = viewport.atMilliseconds == 0 && line == viewport.line
    #expect(isNamed ? named : pane.status.anchorRow == row, "\(note): the row")
    if !isNamed { #expect(pane.status.anchorLine == line, "\(note): the line") }
    let above = pane.rows[..<index].reduce(0) { $0 + $1.height } + line
    let below = pane.rows[index...].reduce(0) { $0 + $1.height } - line - layout.height
    let (isFirst, isLast) = (
      pane.status.rowsAbove == 0, pane.status.rowsAbove + pane.rows.count == pane.status.rowCount
    )
    let wanted = isJump ? layout.height : layout.height / 2
    #expect(isFirst || above >= wanted, "\(note): \(above) lines above")
    #expect(isLast || below >= wanted, "\(note): \(below) lines below")
    #expect(pane.rows.count >= min(8, pane.status.rowCount), "\(note): \(pane.rows.count) rows")
  }
}
