import Dates
import Engine
import Posts
import Testing
import TestSupport
import ViewState

@Suite("Pane heights")
struct HeightsTests {
  private static let view = ViewID(1)

  private static func text(_ words: Int, seed: Int64 = 1) -> String {
    (0..<words).map { "word\((Int64($0) + seed) % 97)" }.joined(separator: " ")
  }

  /// Returns the heights of all rows of the timeline in a layout, from the top, read by row requests.
  private func heights(_ harness: inout EngineHarness, _ layout: LayoutParameters) throws -> [Int] {
    var rows: [PlacedRow] = []
    var token: UInt64 = 1_000_000
    repeat {
      var request = RowsRequest(account: EngineHarness.account, layout: layout, zone: .utc)
      request.anchor = rows.last.map { PostID(Int64($0.rowID)) }
      request.count = 200
      token += 1
      harness.send(.rowsRequested(RequestToken(token), request))
      let answer = try #require(harness.answers[RequestToken(token)])
      rows += answer.rows
      guard answer.hasMore else { break }
    } while true
    return rows.map(\.layout.height)
  }

  private func expectExact(
    _ harness: inout EngineHarness, _ layout: LayoutParameters, _ comment: Comment? = nil
  ) throws {
    let pane = try #require(harness.mirrors[Self.view]?.panes.first)
    let all = try heights(&harness, layout)
    #expect(pane.status.isExact, comment)
    #expect(pane.status.rowCount == all.count, comment)
    #expect(pane.status.totalHeight == all.reduce(0, +), comment)
    #expect(pane.status.heightAbove == all.prefix(pane.status.rowsAbove).reduce(0, +), comment)
    let window = all.dropFirst(pane.status.rowsAbove).prefix(pane.rows.count)
    #expect(pane.rows.map(\.layout.height) == Array(window), comment)
  }

  @Test("a long pane's height is estimated, then exact; visible rows stay in place") func refined() throws {
    var harness = EngineHarness()
    harness.posts = (1...6000).map { EngineHarness.post($0, text: Self.text(Int($0) % 60)) }
    var viewport = ViewportParameters()
    viewport.anchorRow = 3000
    harness.open(1, viewport: viewport)
    let first = try #require(harness.mirrors[Self.view]?.panes.first)
    harness.pass(seconds: 5)
    let layout = EngineHarness.layout()
    try expectExact(&harness, layout)
    let last = try #require(harness.mirrors[Self.view]?.panes.first)
    #expect(!first.status.isExact)
    #expect(Set(first.rows.map(\.rowID)).isSubset(of: last.rows.map(\.rowID)))
    // The mean of a sample, far closer than a guess.
    let estimate = Double(first.status.totalHeight)
    let total = Double(last.status.totalHeight)
    #expect(abs(estimate - total) < total / 10)
  }

  @Test("a new width shows its rows at once and is measured in slices") func resized() throws {
    var limits = EngineLimits()
    limits.caches.measuredBytes = 8 * 1024
    var harness = EngineHarness(limits: limits)
    harness.posts = (1...3000).map { EngineHarness.post($0, text: Self.text(Int($0) % 60)) }
    harness.open(1)
    harness.pass(seconds: 5)
    try expectExact(&harness, EngineHarness.layout())
    let narrow = EngineHarness.layout(width: 43)
    let sent = harness.frames[Self.view]!.count
    harness.send(.layoutChanged(Self.view, narrow, .utc))
    let frame = try #require(harness.frames[Self.view]?.dropFirst(sent).first)
    #expect(frame.generations.layout == 2)
    let pane = try #require(harness.mirrors[Self.view]?.panes.first)
    let wanted = try heights(&harness, narrow)
    #expect(pane.rows.map(\.layout.height) == Array(wanted.prefix(pane.rows.count)))
    #expect(!pane.status.isExact)
    var slices = 0
    while harness.engine.nextDeadline == harness.now {
      harness.send(.timePassed)
      slices += 1
    }
    #expect(slices > 40, "each turn measures little")
    harness.pass(seconds: 1)
    try expectExact(&harness, narrow)
    let operations = harness.frames[Self.view]!.dropFirst(sent + 1).flatMap(\.operations)
    #expect(operations.allSatisfy { if case .paneStatus = $0 { true } else { false } }, "no row moves")
  }

  @Test("after every change of the list, heights match its rows", arguments: seeds(1...20))
  func followed(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    var limits = EngineLimits()
    (limits.lists.chunkCapacity, limits.caches.measuredBytes, limits.lists.firstSlice, limits.lists.laterSlice) = (
      2, 200, 40, 30
    )
    var harness = EngineHarness(limits: limits)
    harness.posts = (1...100).map { EngineHarness.post($0, at: $0 * 7 % 101, text: Self.text(Int($0) % 50)) }
    var layout = EngineHarness.layout()
    harness.open(1, layout: layout)
    harness.open(2, layout: EngineHarness.layout(width: 30))
    for step in 1...60 {
      let id = Int64(100 + step)
      switch Int.random(in: 0..<5, using: &random) {
      case 0, 1:
        let at = Int64(Int.random(in: 0..<200, using: &random))
        harness.commit(new: [
          EngineHarness.post(id, at: at, text: Self.text(Int.random(in: 0..<80, using: &random), seed: id))
        ])
      case 2:
        let old = harness.posts[Int.random(in: 0..<harness.posts.count, using: &random)]
        let text = Self.text(Int.random(in: 0..<80, using: &random), seed: id)
        harness.commit(changed: [
          EngineHarness.post(old.id.rawValue, at: Int64(Int.random(in: 0..<200, using: &random)), text: text)
        ])
      case 3:
        // A post of another account that is no longer visible is removed.
        let old = harness.posts[Int.random(in: 0..<harness.posts.count, using: &random)]
        let hidden = EngineHarness.post(
          old.id.rawValue, text: "hidden", visibility: .direct, owner: AccountID(2))
        harness.commit(changed: [hidden])
      default:
        layout.width = 25 + Int.random(in: 0..<60, using: &random)
        harness.send(.layoutChanged(Self.view, layout, .utc))
      }
      if Int.random(in: 0..<3, using: &random) == 0 { harness.pass(seconds: 1) }
    }
    harness.pass(seconds: 20)
    try expectExact(&harness, layout, "seed \(seed)")
  }

  @Test("without memory for heights, a pane's total stays an estimate") func noRoom() throws {
    var limits = EngineLimits()
    limits.caches.heightsBytes = 1000
    var harness = EngineHarness(limits: limits)
    harness.posts = (1...2000).map { EngineHarness.post($0) }
    harness.open(1)
    harness.pass(seconds: 5)
    let status = try #require(harness.mirrors[Self.view]?.panes.first?.status)
    #expect(!status.isExact && status.rowCount == 2000 && status.totalHeight == 2000 * 5)
  }

  @Test("nothing is measured without views") func idle() throws {
    var limits = EngineLimits()
    limits.caches.measuredBytes = 1024
    var harness = EngineHarness(limits: limits)
    harness.posts = (1...3000).map { EngineHarness.post($0) }
    harness.open(1)
    #expect(harness.engine.nextDeadline == harness.now)
    harness.send(.viewClosed(Self.view))
    #expect(harness.engine.nextDeadline == nil)
    harness.open(1)
    harness.pass(seconds: 5)
    try expectExact(&harness, EngineHarness.layout())
  }

  @Test("after a hundred widths in a row, only the last is measured") func storm() throws {
    var limits = EngineLimits()
    (limits.caches.measuredBytes, limits.caches.unusedHeights) = (1024, 2)
    var harness = EngineHarness(limits: limits)
    harness.posts = (1...2000).map { EngineHarness.post($0, text: Self.text(Int($0) % 60)) }
    harness.open(1)
    for width in 21...120 {
      harness.send(.layoutChanged(Self.view, EngineHarness.layout(width: width), .utc))
      harness.now = harness.now.adding(milliseconds: 1)
    }
    var slices = 0
    while let deadline = harness.engine.nextDeadline, deadline <= harness.now.adding(milliseconds: 100) {
      harness.now = max(deadline, harness.now)
      harness.send(.timePassed)
      slices += 1
    }
    #expect(slices < 1000, "only the last width is measured, in 400 slices or so")
    try expectExact(&harness, EngineHarness.layout(width: 120))
  }
}

@Suite("First visible line after a width change")
struct ResizedPlaceTests {
  private static let view = ViewID(1)
  private static let words = (0..<200).map { "word\($0)" }.joined(separator: " ")

  private func harness(anchor line: Int) throws -> EngineHarness {
    var harness = EngineHarness()
    harness.posts = (1...50).map { EngineHarness.post($0, text: Self.words) }
    var viewport = ViewportParameters()
    (viewport.anchorRow, viewport.line, viewport.generation) = (25, line, 1)
    harness.open(1, viewport: viewport)
    harness.pass(seconds: 1)
    return harness
  }

  private func resize(_ harness: inout EngineHarness, _ width: Int) {
    harness.send(.layoutChanged(Self.view, EngineHarness.layout(width: width), .utc))
    harness.pass(seconds: 1)
  }

  private func status(_ harness: EngineHarness) throws -> PaneStatus {
    try #require(harness.mirrors[Self.view]?.panes.first?.status)
  }

  /// Returns the text of the first visible line, as reported by the daemon, at the current width.
  private func firstLine(_ harness: EngineHarness) throws -> String {
    let pane = try #require(harness.mirrors[Self.view]?.panes.first)
    let row = try #require(pane.rows.first { $0.rowID == pane.status.anchorRow })
    // One line, the author, is above the text.
    let number = pane.status.anchorLine - 1
    let start = number == 0 ? 0 : Int(row.layout.lineEnds[number - 1])
    return String(decoding: row.content.fields.text[start..<Int(row.layout.lineEnds[number])], as: UTF8.self)
  }

  @Test("is the line with the first word") func word() throws {
    var harness = try harness(anchor: 8)
    #expect(try status(harness).anchorRow == 0, "the view is where its client put it")
    let row = try #require(harness.mirrors[Self.view]?.panes[0].rows.first { $0.rowID == 25 })
    let start = Int(row.layout.lineEnds[6])
    let word = String(decoding: row.content.fields.text[start...], as: UTF8.self).prefix { $0 != " " }
    for width in [40, 61, 120] {
      resize(&harness, width)
      #expect(try status(harness).anchorRow == 25)
      #expect(try firstLine(harness).contains(word), "\(width)")
    }
    resize(&harness, 23)
    let folded = try #require(harness.mirrors[Self.view]?.panes[0].rows.first { $0.rowID == 25 }).layout
    let line = try status(harness).anchorLine
    #expect(folded.foldedLines > 0 && line == 1 + folded.lineEnds.count, "the word is folded away")
    resize(&harness, 80)
    let back = try status(harness)
    #expect(back.anchorRow == 25 && back.anchorLine == 8, "after many widths it is back where it was")
  }

  @Test("keeps its distance from the row's end below the text, and from its top above it") func outside() throws {
    var harness = try harness(anchor: 0)
    resize(&harness, 40)
    #expect(try status(harness).anchorRow == 0)
    let height = try #require(harness.mirrors[Self.view]?.panes[0].rows.first { $0.rowID == 25 }).layout.height
    var viewport = ViewportParameters()
    (viewport.anchorRow, viewport.line, viewport.generation) = (25, height - 1, 2)
    harness.send(.viewportMoved(Self.view, viewport))
    resize(&harness, 80)
    let now = try #require(harness.mirrors[Self.view]?.panes[0].rows.first { $0.rowID == 25 }).layout.height
    #expect(now < height)
    #expect(try status(harness).anchorLine == now - 1)
  }

  @Test("is the client's again once the client has scrolled") func moved() throws {
    var harness = try harness(anchor: 8)
    resize(&harness, 40)
    #expect(try status(harness).anchorRow == 25)
    var viewport = ViewportParameters()
    (viewport.anchorRow, viewport.line, viewport.generation) = (25, 3, 2)
    harness.send(.viewportMoved(Self.view, viewport))
    harness.pass(seconds: 1)
    #expect(try status(harness).anchorRow == 0)
  }
}
