import Dates
import Engine
import Posts
import TestSupport
import Testing
import ViewState

@Suite("Sliding clock")
struct ClockTests {
  private static let view = ViewID(1)
  /// Saturday, 12:00.
  private static let noon = Instant(seconds: 1_772_280_000)

  private static func layout(clock: Int = 3, days: Bool = false, height: Int = 20) -> LayoutParameters {
    var layout = EngineHarness.layout(height: height)
    (layout.clockSize, layout.hasDayLines) = (clock, days)
    return layout
  }

  /// Creates two-line posts, one every `minutes` minutes up to now, the last the newest.
  private func harness(posts: Int64 = 100, minutes: Int64 = 30, layout: LayoutParameters = layout()) -> EngineHarness {
    var harness = EngineHarness()
    harness.now = Self.noon
    harness.posts = (1...posts).map { Self.post($0, minutesAgo: (posts - $0) * minutes) }
    harness.open(1, layout: layout)
    harness.pass(seconds: 1)
    return harness
  }

  private static func post(_ id: Int64, minutesAgo: Int64) -> StoredPost {
    StoredPost(
      id: PostID(id), subject: PostID(id), createdAt: noon.adding(milliseconds: -minutesAgo * 60_000),
      author: AuthorID(1),
      repostedBy: nil, owner: EngineHarness.account, inReplyTo: nil,
      body: PackedBody(
        PostBody(text: SafeText("post number \(id)"), counts: Counts(favourites: 1), visibility: .public)))
  }

  private func clock(_ harness: EngineHarness) throws -> PaneClock {
    try #require(harness.mirrors[Self.view]?.panes.first?.clock)
  }

  private func move(_ harness: inout EngineHarness, to row: UInt64, line: Int = 0) {
    var viewport = ViewportParameters()
    let generation = harness.mirrors[Self.view]!.viewportGeneration + 1
    (viewport.anchorRow, viewport.line, viewport.generation) = (row, line, generation)
    harness.send(.viewportMoved(Self.view, viewport))
  }

  @Test("is visible from the first movement until one second after the last") func seen() throws {
    var harness = harness()
    #expect(try !clock(harness).isVisible && clock(harness).thumbLength == 1)
    move(&harness, to: 60)
    #expect(try clock(harness).isVisible)
    harness.now = harness.now.adding(milliseconds: 900)
    harness.send(.timePassed)
    move(&harness, to: 59)
    harness.now = harness.now.adding(milliseconds: 900)
    harness.send(.timePassed)
    #expect(try clock(harness).isVisible, "a movement within the second keeps it")
    harness.pass(seconds: 1)
    #expect(try !clock(harness).isVisible)
    #expect(
      harness.engine.nextDeadline.map { $0 > harness.now.adding(milliseconds: 1000) } ?? true, "and then nothing moves")
  }

  @Test("shows the time of the row beside it, and its hands turn accordingly") func hands() throws {
    // Rows of four lines each: author, text, counts, separator; 400 lines, a viewport of 20.
    var harness = harness()
    move(&harness, to: 51)
    // 49 rows above, 196 lines of 380: the clock's top is at 196 * 17 / 380 = 9, its line 196 + 9 + 1 = 206, of row 51
    // from the top.
    let first = try clock(harness)
    #expect(first.top == 9)
    let created = Self.noon.adding(milliseconds: -51 * 30 * 60_000)
    // 25 and a half hours ago: 10:30 the day before.
    #expect(created == Instant(seconds: 1_772_280_000 - 91_800))
    #expect(first.hourHand == 630 && first.minuteHand == 180 && first.turn == .none)
    #expect(first.label == "Yesterday")
    move(&harness, to: 41)
    let older = try clock(harness)
    #expect(older.turn == .anticlockwise)
    move(&harness, to: 71)
    #expect(try clock(harness).turn == .clockwise)
    move(&harness, to: 0)
    let top = try clock(harness)
    #expect(top.top == 0 && top.label == "12:00 PM" && top.turn == .clockwise)
  }

  @Test("the thumb is absent when everything is in view, and at the end when the reader is") func thumb() throws {
    #expect(try clock(harness(posts: 3)).thumbLength == 0)
    var harness = harness()
    let top = try clock(harness)
    #expect(top.thumbTop == 0 && top.thumbLength == 1)
    move(&harness, to: 5)
    let end = try clock(harness)
    #expect(end.thumbTop == 19 && end.top == 17)
  }

  @Test("is not sent to a view that did not ask for it") func unasked() throws {
    var harness = harness(layout: Self.layout(clock: 0))
    move(&harness, to: 50)
    #expect(try clock(harness) == PaneClock())
    let isSent = harness.frames[Self.view]!.flatMap(\.operations).contains {
      if case .clockMoved = $0 { true } else { false }
    }
    #expect(!isSent)
  }

  @Test("appears only for the view that scrolls, even if another shows the same place") func alone() throws {
    var harness = harness()
    harness.open(2, layout: Self.layout())
    move(&harness, to: 50)
    harness.pass(seconds: 5)
    var viewport = ViewportParameters()
    (viewport.anchorRow, viewport.generation) = (50, 1)
    harness.send(.viewportMoved(ViewID(2), viewport))
    let other = try #require(harness.mirrors[ViewID(2)]?.panes.first?.clock)
    #expect(try other.isVisible && !clock(harness).isVisible)
  }

  @Test("a jump to an instant goes to the newest row that is not later", arguments: [0, 29, 30, 31, 600, 100_000])
  func jump(minutesAgo: Int64) throws {
    var harness = harness()
    var viewport = ViewportParameters()
    viewport.atMilliseconds = Self.noon.milliseconds - minutesAgo * 60_000
    viewport.generation = 1
    harness.send(.viewportMoved(Self.view, viewport))
    harness.pass(seconds: 1)
    let wanted = max(1, 100 - (minutesAgo + 29) / 30)
    #expect(harness.mirrors[Self.view]?.panes.first?.status.anchorRow == UInt64(wanted))
    #expect(harness.mirrors[Self.view]?.panes.first?.rows.contains { $0.rowID == UInt64(wanted) } ?? false)
  }

  @Test("a jump to rows that are not loaded waits for them") func jumpAhead() throws {
    var limits = EngineLimits()
    (limits.lists.firstSlice, limits.lists.laterSlice) = (10, 10)
    var harness = EngineHarness(limits: limits)
    harness.now = Self.noon
    harness.posts = (1...100).map { Self.post($0, minutesAgo: (100 - $0) * 30) }
    harness.holdsLoads = true
    harness.open(1, layout: Self.layout())
    for _ in 0..<2 { harness.answerLoads() }
    var viewport = ViewportParameters()
    (viewport.atMilliseconds, viewport.generation) = (Self.noon.milliseconds - 60 * 30 * 60_000, 1)
    harness.send(.viewportMoved(Self.view, viewport))
    for _ in 0..<20 { harness.answerLoads() }
    harness.pass(seconds: 1)
    #expect(harness.mirrors[Self.view]?.panes.first?.status.anchorRow == 40)
  }
}

@Suite("Day lines")
struct DayLineTests {
  private static let view = ViewID(1)
  private static let noon = Instant(seconds: 1_772_280_000)

  private static func layout(width: Int = 80) -> LayoutParameters {
    var layout = EngineHarness.layout(width: width, height: 12)
    layout.hasDayLines = true
    return layout
  }

  private static func post(_ id: Int64, hoursAgo: Int64, words: Int = 3) -> StoredPost {
    let text = (0..<words).map { "word\($0)" }.joined(separator: " ")
    return StoredPost(
      id: PostID(id), subject: PostID(id), createdAt: noon.adding(milliseconds: -hoursAgo * 3_600_000),
      author: AuthorID(1),
      repostedBy: nil, owner: EngineHarness.account, inReplyTo: nil,
      body: PackedBody(PostBody(text: SafeText(text), counts: Counts(favourites: 1), visibility: .public)))
  }

  private func pane(_ harness: EngineHarness) throws -> Pane { try #require(harness.mirrors[Self.view]?.panes.first) }

  private func harness(hoursAgo: [Int64]) -> EngineHarness {
    var harness = EngineHarness()
    harness.now = Self.noon
    harness.posts = hoursAgo.enumerated().map { Self.post(Int64($0.offset) + 1, hoursAgo: $0.element) }
    harness.open(1, layout: Self.layout())
    harness.pass(seconds: 1)
    return harness
  }

  @Test("stand above the newest row of each day and add to the pane's height") func lines() throws {
    let harness = harness(hoursAgo: [0, 11, 13, 20, 37, 400])
    let pane = try pane(harness)
    #expect(pane.rows.map { $0.day?.label } == ["Today", nil, "Yesterday", nil, "Thursday", "Feb 11"])
    #expect(pane.status.isExact && pane.status.totalHeight == 6 * 4 + 4)
    #expect(pane.rows.map(\.height) == [5, 4, 5, 4, 5, 5])
  }

  @Test("come and go with the rows below them, and change their text at midnight") func follow() throws {
    var harness = harness(hoursAgo: [1, 13, 14])
    #expect(try pane(harness).rows.map { $0.day?.label } == ["Today", "Yesterday", nil])
    harness.commit(new: [Self.post(9, hoursAgo: 0)])
    harness.pass(seconds: 1)
    #expect(try pane(harness).rows.map { $0.day?.label } == ["Today", nil, "Yesterday", nil])
    #expect(try pane(harness).status.totalHeight == 4 * 4 + 2)
    harness.pass(seconds: 12 * 3600)
    #expect(try pane(harness).rows.map { $0.day?.label } == ["Yesterday", nil, "Friday", nil])
  }

  @Test("one floats at the top until the next pushes it away") func floats() throws {
    var harness = harness(hoursAgo: [0, 13, 14, 37, 61, 85, 109, 133])
    #expect(try pane(harness).clock.day == "Today" && pane(harness).clock.dayTop == 0)
    var tops: [Int] = []
    var days: [String] = []
    for line in 0..<5 {
      var viewport = ViewportParameters()
      (viewport.anchorRow, viewport.line, viewport.generation) = (1, line, UInt32(line) + 1)
      harness.send(.viewportMoved(Self.view, viewport))
      harness.pass(seconds: 1)
      tops.append(try pane(harness).clock.dayTop)
      days.append(try pane(harness).clock.day)
    }
    // Five lines: the day's, author, text, counts, separator. With one line a day, the next one takes its place at
    // once.
    #expect(days == ["Today", "Today", "Today", "Today", "Today"])
    #expect(tops == [0, 0, 0, 0, 0])
    var viewport = ViewportParameters()
    (viewport.anchorRow, viewport.line, viewport.generation) = (2, 0, 9)
    harness.send(.viewportMoved(Self.view, viewport))
    harness.pass(seconds: 1)
    #expect(try pane(harness).clock.day == "Yesterday")
  }

  @Test("after any changes they stand where days begin, and heights match the rows", arguments: seeds(1...20))
  func law(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    var limits = EngineLimits()
    (limits.lists.chunkCapacity, limits.caches.measuredBytes, limits.lists.firstSlice, limits.lists.laterSlice) = (
      2, 200, 20, 20
    )
    var harness = EngineHarness(limits: limits)
    harness.now = Self.noon
    harness.posts = (1...40).map { Self.post($0, hoursAgo: .random(in: 0...300, using: &random), words: Int($0)) }
    var layout = Self.layout()
    layout.clockSize = 2
    harness.open(1, layout: layout)
    for step in 1...50 {
      switch Int.random(in: 0..<4, using: &random) {
      case 0: harness.commit(new: [Self.post(Int64(100 + step), hoursAgo: .random(in: 0...300, using: &random))])
      case 1:
        let old = harness.posts.randomElement(using: &random)!
        harness.commit(changed: [Self.post(old.id.rawValue, hoursAgo: .random(in: 0...300, using: &random))])
      case 2:
        let old = harness.posts.randomElement(using: &random)!
        harness.commit(changed: [EngineHarness.post(old.id.rawValue, visibility: .direct, owner: AccountID(2))])
      default:
        layout.width = .random(in: 20...90, using: &random)
        layout.hasDayLines = Int.random(in: 0..<4, using: &random) > 0
        harness.send(.layoutChanged(Self.view, layout, .utc))
      }
    }
    layout.hasDayLines = true
    harness.send(.layoutChanged(Self.view, layout, .utc))
    harness.pass(seconds: 20)
    var request = RowsRequest(account: EngineHarness.account, layout: layout, zone: .utc)
    request.count = 200
    harness.send(.rowsRequested(RequestToken(1), request))
    let all = try #require(harness.answers[RequestToken(1)]).rows
    var last: Int64?
    for row in all {
      let day = row.content.fields.createdAtMilliseconds / 86_400_000
      #expect((row.day != nil) == (day != last), "seed \(seed)")
      last = day
    }
    let pane = try pane(harness)
    #expect(pane.status.isExact && pane.status.totalHeight == all.reduce(0) { $0 + $1.height }, "seed \(seed)")
    #expect(
      pane.rows.map(\.day) == all.dropFirst(pane.status.rowsAbove).prefix(pane.rows.count).map(\.day), "seed \(seed)")
    #expect(pane.status.heightAbove == all.prefix(pane.status.rowsAbove).reduce(0) { $0 + $1.height }, "seed \(seed)")
  }
}
