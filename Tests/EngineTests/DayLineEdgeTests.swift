import Dates
import Engine
import Posts
import TestSupport
import Testing
import ViewState

@Suite("Heights, day lines and clocks in edge cases")
struct DayLineEdgeTests {
  static let view = ViewID(1)
  static let noon = Instant(seconds: 1_772_280_000)

  static func post(_ id: Int64, hoursAgo: Int64 = 0, minutesAgo: Int64 = 0, text: String? = nil) -> StoredPost {
    StoredPost(
      id: PostID(id), subject: PostID(id),
      createdAt: noon.adding(milliseconds: -hoursAgo * 3_600_000 - minutesAgo * 60_000),
      author: AuthorID(1), repostedBy: nil, owner: EngineHarness.account, inReplyTo: nil,
      body: PackedBody(PostBody(text: SafeText(text ?? "post \(id)"), visibility: .public)))
  }

  static func layout(clock: Int = 0, days: Bool = false, width: Int = 80) -> LayoutParameters {
    var layout = EngineHarness.layout(width: width, height: 12)
    (layout.clockSize, layout.hasDayLines) = (clock, days)
    return layout
  }

  func harness(_ posts: [StoredPost], limits: EngineLimits = EngineLimits()) -> EngineHarness {
    var harness = EngineHarness(limits: limits)
    harness.now = Self.noon
    harness.posts = posts
    return harness
  }

  @Test("a jump beyond the end of time goes to the newest row") func jumpExtreme() throws {
    var harness = harness((1...20).map { Self.post($0, hoursAgo: 20 - $0) })
    harness.open(1, layout: Self.layout())
    var viewport = ViewportParameters()
    (viewport.atMilliseconds, viewport.generation) = (.max, 1)
    harness.send(.viewportMoved(Self.view, viewport))
  }

  @Test("a resuming view receives no day line twice") func resumeDayLine() throws {
    // Today: 1 is two hours old and 2 one hour. While away, 3 arrives and 2 changes: the line "Today" moves from 2 to
    // 3.
    var harness = harness((1...20).map { Self.post($0, hoursAgo: 20 - $0 + 1) })
    let layout = Self.layout(days: true)
    harness.open(1, layout: layout)
    harness.pass(seconds: 1)
    let mirror = try #require(harness.mirrors[Self.view])
    harness.send(.viewClosed(Self.view))
    harness.commit(new: [Self.post(21)], changed: [Self.post(20, hoursAgo: 1, text: "edited")])
    harness.mirrors[ViewID(2)] = mirror
    harness.open(2, layout: layout, resume: mirror.resume)
    harness.open(3, layout: layout)
    #expect(harness.frames[ViewID(2)]?.first?.reset == nil)
    let days = [2, 3].map { view in harness.mirrors[ViewID(view)]!.panes[0].rows.map { $0.day?.label ?? "" } }
    #expect(days[0] == days[1])
  }

  @Test("the first line stays when the day line above its row is removed") func anchorLosesDayLine() throws {
    var harness = harness((1...20).map { Self.post($0, hoursAgo: 20 - $0 + 1) })
    harness.open(1, layout: Self.layout(days: true))
    var viewport = ViewportParameters()
    (viewport.anchorRow, viewport.line, viewport.generation) = (20, 2, 1)
    harness.send(.viewportMoved(Self.view, viewport))
    harness.pass(seconds: 1)
    let before = harness.mirrors[Self.view]!.panes[0].rows.first { $0.rowID == 20 }!
    harness.commit(new: [Self.post(21)])
    harness.pass(seconds: 1)
    let pane = harness.mirrors[Self.view]!.panes[0]
    let after = pane.rows.first { $0.rowID == 20 }!
    #expect(before.day != nil && after.day == nil)
    #expect(pane.status.anchorRow == 20 && pane.status.anchorLine == 1, "line 2 with the day line is line 1 without")
  }

  @Test("heights stay within their budget as lists grow") func budgetAtGrowth() throws {
    var limits = EngineLimits()
    (limits.caches.heightsBytes, limits.lists.firstSlice, limits.lists.laterSlice) = (2000, 10, 500)
    var harness = harness((1...4000).map { Self.post($0, minutesAgo: 4000 - $0) }, limits: limits)
    harness.holdsLoads = true
    for view in 1...4 { harness.open(UInt64(view), layout: Self.layout(width: 30 + view)) }
    for _ in 0..<40 { harness.answerLoads() }
    harness.pass(seconds: 10)
    let exact = (1...4).filter { harness.mirrors[ViewID(UInt64($0))]!.panes[0].status.isExact }.count
    #expect(exact == 0, "4000 rows take 6256 bytes in each of four layouts; there are 2000")
  }

  @Test("setting the system clock back does not keep a pane's clock visible") func clockSetBack() throws {
    var harness = harness((1...100).map { Self.post($0, hoursAgo: 100 - $0) })
    harness.open(1, layout: Self.layout(clock: 3))
    harness.pass(seconds: 2)
    var viewport = ViewportParameters()
    (viewport.anchorRow, viewport.generation) = (50, 1)
    harness.send(.viewportMoved(Self.view, viewport))
    #expect(harness.mirrors[Self.view]!.panes[0].clock.isVisible)
    harness.now = harness.now.adding(milliseconds: -3_600_000)
    harness.send(.timePassed)
    harness.pass(seconds: 60)
    #expect(!harness.mirrors[Self.view]!.panes[0].clock.isVisible, "a minute later")
  }

  @Test("a view that opens at a row shows no clock, since nothing has moved") func clockAtOpen() throws {
    var harness = harness((1...100).map { Self.post($0, hoursAgo: 100 - $0) })
    var viewport = ViewportParameters()
    (viewport.anchorRow, viewport.generation) = (50, 1)
    harness.open(1, layout: Self.layout(clock: 3), viewport: viewport)
    #expect(!harness.mirrors[Self.view]!.panes[0].clock.isVisible, "nothing moved")
  }

  @Test("a second of scrolling causes no wake-ups for clocks hidden meanwhile") func idleWakeUps() throws {
    var harness = harness((1...1000).map { Self.post($0, hoursAgo: 10_000 - $0) })
    harness.open(1, layout: Self.layout(clock: 3))
    harness.pass(seconds: 20)
    for step in 0..<60 {
      var viewport = ViewportParameters()
      (viewport.anchorRow, viewport.generation) = (UInt64(900 - step), UInt32(step + 1))
      harness.send(.viewportMoved(Self.view, viewport))
      harness.now = harness.now.adding(milliseconds: 16)
    }
    var wakes = 0
    let frames = harness.frames[Self.view]!.count
    let end = harness.now.adding(milliseconds: 3000)
    while let deadline = harness.engine.nextDeadline, deadline <= end {
      harness.now = max(harness.now, deadline)
      harness.send(.timePassed)
      wakes += 1
    }
    #expect(wakes <= harness.frames[Self.view]!.count - frames + 1)
  }

  /// A scene's alarm was once dropped with the idle ones while the scene had no next change, and not set again for the
  /// same instant.
  @Test("a label stays right when many other alarms become idle") func lostAlarm() throws {
    var harness = harness((1...1000).map { Self.post($0, minutesAgo: 1000 - $0) })
    var plain = Self.layout()
    plain.timeStyle = .veryShort
    harness.open(1, layout: plain)
    harness.open(2, layout: Self.layout(clock: 3))
    harness.pass(seconds: 31)
    // View 1 moves down a row and does not take the frame at once.
    harness.blocked = [Self.view]
    func move(_ id: UInt64, _ row: UInt64, _ generation: UInt32, _ harness: inout EngineHarness) {
      var viewport = ViewportParameters()
      (viewport.anchorRow, viewport.generation) = (row, generation)
      harness.send(.viewportMoved(ViewID(id), viewport))
    }
    move(1, 999, 1, &harness)
    for step in 0..<200 {
      move(2, UInt64(900 - step), UInt32(step + 1), &harness)
      harness.now = harness.now.adding(milliseconds: 1)
    }
    harness.blocked = []
    if let frame = harness.engine.nextFrame(of: Self.view, at: harness.now) {
      try harness.mirrors[Self.view]!.apply(frame)
      harness.send(.acknowledged(Self.view, frame: frame.number))
    }
    harness.send(.viewClosed(ViewID(2)))
    harness.pass(seconds: 600)
    let rows = harness.mirrors[Self.view]!.panes[0].rows
    for row in rows {
      let createdAt = Instant(milliseconds: row.content.fields.createdAtMilliseconds)
      let wanted = label(for: createdAt, now: harness.now, zone: .utc, style: .veryShort).text
      #expect(row.label == wanted, "row \(row.rowID)")
    }
  }

  @Test("the tallest possible row can have a day line") func tallest() throws {
    var sizes = PointSizes(lineHeight: 1000)
    sizes.dayHeight = 10_000
    var layout = LayoutParameters(width: 500, height: 500)
    layout.points = try PointMetrics(sizes: sizes)
    layout.hasDayLines = true
    var harness = harness([Self.post(1, text: String(repeating: "a\n", count: 70_000))])
    harness.open(1, layout: layout)
  }

  /// Heights that found no room at first once did not count their users: removal left the count at -1, and they were
  /// never freed.
  @Test("heights that are not shown any more make room for others") func users() throws {
    var limits = EngineLimits()
    (limits.caches.heightsBytes, limits.caches.unusedHeights) = (256 + 1500 + 100, 0)
    var harness = harness((1...1000).map { Self.post($0, minutesAgo: 1000 - $0) }, limits: limits)
    harness.open(1, layout: Self.layout(width: 50))
    harness.open(2, layout: Self.layout(width: 60))
    harness.pass(seconds: 5)
    #expect(harness.mirrors[ViewID(1)]!.panes[0].status.isExact)
    #expect(!harness.mirrors[ViewID(2)]!.panes[0].status.isExact)
    harness.send(.viewClosed(ViewID(1)))
    harness.commit(new: [Self.post(2000)])
    harness.pass(seconds: 5)
    #expect(harness.mirrors[ViewID(2)]!.panes[0].status.isExact, "now there is room")
    harness.send(.viewClosed(ViewID(2)))
    harness.open(3, layout: Self.layout(width: 70))
    harness.pass(seconds: 5)
    #expect(harness.mirrors[ViewID(3)]!.panes[0].status.isExact, "the others are not shown any more")
  }
}
