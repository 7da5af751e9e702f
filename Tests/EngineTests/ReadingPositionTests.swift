import Dates
import Posts
import TestSupport
import Testing
import ViewState

@testable import Engine

@Suite("Reading positions within a row")
struct ReadingPositionTests {
  @Test(
    "whatever views and layouts do, a reading position only goes up, and a write further down is refused",
    arguments: seeds(0..<60 as Range<UInt64>))
  func onlyUp(seed: UInt64) {
    var world = ReadingWorld(seed: seed)
    for step in 0..<60 { world.step("seed \(seed), step \(step)") }
  }

  fileprivate static func viewport(_ row: UInt64) -> ViewportParameters {
    var viewport = ViewportParameters()
    viewport.anchorRow = row
    return viewport
  }

  @Test("a position keeps its line when the day line above its row goes", arguments: 0...4)
  func dayGoes(line: Int) throws {
    var harness = EngineHarness()
    harness.posts = (1...20).map { EngineHarness.post($0, at: $0 * 60) }
    var layout = EngineHarness.layout(singlePane: false)
    layout.hasDayLines = true
    harness.open(1, layout: layout, viewport: Self.viewport(3))
    harness.command(1, .read(.timeline, row: 20, line: line))
    harness.pass(seconds: 1)
    let before = try #require(harness.mirrors[ViewID(1)]?.panes[0].status)
    #expect(before.readingRow == 20 && before.readingLine == line)
    harness.commit(new: [EngineHarness.post(21, at: 21 * 60)])
    harness.pass(seconds: 1)
    let after = try #require(harness.mirrors[ViewID(1)]?.panes[0].status)
    #expect(after.readingRow == 20 && after.readingLine == max(0, line - 1), "one line less stands above it")
  }

  @Test("every line of a row has a place that leads back to it, with and without a day line")
  func places() throws {
    let post = EngineHarness.post(1, text: String(repeating: "otter ", count: 30))
    var layouts = [EngineHarness.layout(width: 40), EngineHarness.layout(width: 90, singlePane: false)]
    layouts.append(try PointsTests.layout(width: 1024))
    let keys = layouts.map { LayoutKey($0, paneWidth: 58) }
    for key in keys {
      for day in [0, key.dayHeight] {
        let lines = RowLines(post, for: AccountID(1), in: key, dayHeight: day)
        for line in 0..<lines.height { #expect(lines.line(of: lines.place(atLine: line)) == line) }
        for other in keys {
          let there = RowLines(post, for: AccountID(1), in: other, dayHeight: other.dayHeight - day / 19)
          let found = (0..<lines.height).map { there.line(of: lines.place(atLine: $0)) }
          #expect(found == found.sorted() && found.allSatisfy { $0 < there.height }, "the order is the same anywhere")
        }
      }
    }
  }

  @Test("a line that a command named is kept, and measured once a view shows it") func named() throws {
    var harness = EngineHarness()
    harness.posts = (1...9).map { EngineHarness.post($0, text: String(repeating: "otter ", count: 60)) }
    harness.command(1, .read(.timeline, row: 9, line: 4))
    harness.open(1, layout: EngineHarness.layout(singlePane: false), viewport: Self.viewport(3))
    #expect(harness.mirrors[ViewID(1)]?.panes[0].status.readingLine == 4)
    harness.scroll(1, to: 9, line: 5)
    #expect(harness.mirrors[ViewID(1)]?.panes[0].status.readingLine == 4)
    harness.scroll(1, to: 9, line: 3)
    #expect(harness.mirrors[ViewID(1)]?.panes[0].status.readingLine == 3)
    harness.scroll(1, to: 2)
    harness.command(2, .read(.timeline, row: 9, line: 5))
    #expect(harness.refusals[RequestToken(2)]?.code == .failedPrecondition)
    harness.command(3, .read(.timeline, row: 9, line: 3))
    #expect(harness.refusals[RequestToken(3)] == nil, "it is there already")
    harness.command(4, .read(.timeline, row: 9, line: 2))
    harness.pass(seconds: 1)
    #expect(harness.mirrors[ViewID(1)]?.panes[0].status.readingLine == 2)
  }
}

/// A session with three views of different layouts, in which positions are read and written.
private struct ReadingWorld {
  private var random: SeededGenerator
  private var harness = EngineHarness()
  private var layouts: [LayoutParameters] = []
  private var next: Int64 = 30
  private var token: UInt64 = 100

  /// A reading position as a view shows it.
  private struct Seen {
    var key: OrderKey
    /// Lines from the position to the row's end; the row's height on its day line.
    var left: Int
    var layout: LayoutParameters
  }
  private var seen: [Seen?] = [nil, nil, nil]

  init(seed: UInt64) {
    random = SeededGenerator(seed: seed)
    for id in 1...next { harness.posts.append(post(id)) }
    harness.hasSeenEverything()
    harness.command(1, .read(.timeline, row: 8, line: 0))
    for view in 0..<3 {
      layouts.append(layout(view))
      harness.open(UInt64(view) + 1, layout: layouts[view], viewport: ReadingPositionTests.viewport(5))
    }
    harness.pass(seconds: 2)
    look("at first")
  }

  /// Creates a post, a quarter of a day after the one before, or at another time.
  private mutating func post(_ id: Int64, at seconds: Int64? = nil) -> StoredPost {
    let words = Int.random(in: 1...60, using: &random)
    return EngineHarness.post(
      id, at: seconds ?? id * 20_000,
      text: (0..<words).map { _ in Bool.random(using: &random) ? "otter" : "a" }.joined(separator: " "))
  }

  private mutating func layout(_ view: Int) -> LayoutParameters {
    var layout = EngineHarness.layout(
      width: .random(in: 60...130, using: &random), height: .random(in: 10...40, using: &random), singlePane: false)
    if view == 2, let points = try? PointsTests.layout(width: .random(in: 700...1_200, using: &random)) {
      layout = points
    }
    layout.hasDayLines = Bool.random(using: &random)
    return layout
  }

  private var reading: OrderKey? { seen.compactMap { $0?.key }.max() }

  mutating func step(_ note: String) {
    let view = Int.random(in: 0..<3, using: &random)
    // Near the position: the row that is read, and its neighbours.
    let rows = harness.timeline()
    let place = rows.firstIndex { $0.orderKey == reading } ?? 0
    let index = place + Int.random(in: -4...4, using: &random) / 4
    let row = UInt64(rows[min(rows.count - 1, max(0, index))].id.rawValue)
    let high = Bool.random(using: &random) ? (view == 2 ? 60 : 3) : (view == 2 ? 300 : 12)
    let line = Int.random(in: 0...high, using: &random)
    var note = note
    switch Int.random(in: 0..<10, using: &random) {
    case 0...4:
      note += ": view \(view) scrolls to \(row), line \(line)"
      harness.scroll(UInt64(view) + 1, to: row, line: line)
    case 5:
      layouts[view] = layout(view)
      note += ": view \(view) is resized"
      harness.send(.layoutChanged(ViewID(UInt64(view) + 1), layouts[view], .utc))
    case 6:
      // At the top, or directly above the position: that row may now begin the day instead.
      next += 1
      note += ": \(next) arrives"
      let above = Bool.random(using: &random) ? nil : harness.posts.first { $0.orderKey == reading }
      let seconds = above.map { ($0.createdAt.milliseconds - EngineHarness.start.milliseconds) / 1000 + 100_001 }
      harness.commit(new: [post(next, at: seconds)])
    case 7:
      // A row above goes: the next one may now begin a day.
      guard let reading, let gone = harness.posts.first(where: { $0.orderKey > reading }) else { return }
      note += ": \(gone.id.rawValue) goes"
      harness.commit { store in store.posts.removeAll { $0.id == gone.id } }
    default:
      token += 1
      note += ": \(row), line \(line) is written"
      harness.command(token, .read(.timeline, row: row, line: line))
    }
    harness.pass(seconds: 2)
    look(note)
  }

  private mutating func look(_ note: String) {
    for view in seen.indices {
      guard let pane = harness.mirrors[ViewID(UInt64(view) + 1)]?.panes[0],
        let row = pane.rows.first(where: { $0.rowID == pane.status.readingRow })
      else {
        seen[view] = nil
        continue
      }
      let now = Seen(
        key: OrderKey(of: row), left: min(row.layout.height, row.height - pane.status.readingLine),
        layout: layouts[view])
      if let before = seen[view], before.layout == now.layout {
        #expect(
          now.key > before.key || now.key == before.key && now.left >= before.left,
          "\(note): view \(view), \(before.key.id.rawValue), \(before.left) to \(now.key.id.rawValue), \(now.left)")
      }
      seen[view] = now
    }
  }
}
