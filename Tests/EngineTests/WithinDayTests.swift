import Dates
import Engine
import Posts
import TestSupport
import Testing
import ViewState

/// Labels under day lines (docs/BEHAVIOUR.md, rule 27).
@Suite("Labels under the line of their day")
struct WithinDayTests {
  private static let view = ViewID(1)
  /// A midnight in UTC.
  private static let midnight = Instant(seconds: 1_772_236_800)

  private static func post(_ id: Int64, secondsBefore seconds: Int64) -> StoredPost {
    StoredPost(
      id: PostID(id), subject: PostID(id), createdAt: midnight.adding(milliseconds: -seconds * 1000),
      author: AuthorID(1), repostedBy: nil, owner: EngineHarness.account, inReplyTo: nil,
      body: PackedBody(PostBody(text: SafeText("post \(id)"))))
  }

  private static func layout(days: Bool = true) -> LayoutParameters {
    var layout = EngineHarness.layout(height: 12)
    (layout.timeStyle, layout.hasDayLines) = (.withinDay, days)
    return layout
  }

  private static func harness(now: Instant, count: Int64 = 3) -> EngineHarness {
    var harness = EngineHarness()
    harness.now = now
    harness.posts = (1...count).map { post($0, secondsBefore: (count - $0) * 7200 + 330) }
    return harness
  }

  private static func rows(_ harness: EngineHarness) throws -> [PlacedRow] {
    try #require(harness.mirrors[view]?.panes.first).rows
  }

  @Test("become the time of day at midnight, together with the line of the day") func midnight() throws {
    var harness = Self.harness(now: Self.midnight.adding(milliseconds: -60_000))
    harness.open(1, layout: Self.layout())
    var rows = try Self.rows(harness)
    #expect(rows.map(\.label) == ["4m", "9:54 PM", "7:54 PM"])
    #expect(rows.map { $0.day?.label ?? "" } == ["Today", "", ""])
    while let deadline = harness.engine.nextDeadline, deadline < Self.midnight {
      harness.now = max(harness.now, deadline)
      harness.send(.timePassed)
    }
    rows = try Self.rows(harness)
    #expect(rows[0].label == "5m" && rows[0].day?.label == "Today")
    #expect(harness.engine.nextDeadline == Self.midnight)
    harness.now = Self.midnight
    harness.send(.timePassed)
    rows = try Self.rows(harness)
    #expect(rows.map(\.label) == ["11:54 PM", "9:54 PM", "7:54 PM"])
    #expect(rows.map { $0.day?.label ?? "" } == ["Yesterday", "", ""])
  }

  @Test("of reposts tell the age of the original, and the line of the day that of the repost") func reposts() throws {
    var harness = Self.harness(now: Self.midnight.adding(milliseconds: 12 * 3_600_000))
    var repost = Self.post(9, secondsBefore: 0)
    (repost.subject, repost.repostedBy) = (PostID(1), AuthorID(2))
    repost.originalAt = Self.midnight.adding(milliseconds: -49 * 3_600_000)
    harness.posts.append(repost)
    harness.open(1, layout: Self.layout())
    let row = try #require(try Self.rows(harness).first)
    #expect(row.rowID == 9 && row.label == "2d" && row.day?.label == "Today")
    #expect(row.content.fields.originalAtMilliseconds == repost.originalAt?.milliseconds)
  }

  @Test("are very short without day lines, and for a selected row that is pinned to an edge") func otherwise() throws {
    var harness = Self.harness(now: Self.midnight.adding(milliseconds: 12 * 3_600_000), count: 20)
    harness.open(1, layout: Self.layout(days: false))
    #expect(try Self.rows(harness)[1].label == "14h")
    harness.send(.viewClosed(Self.view))
    harness = Self.harness(now: Self.midnight.adding(milliseconds: 12 * 3_600_000), count: 20)
    harness.open(1, layout: Self.layout())
    harness.command(1, .select(pane: 0, row: 20))
    harness.pass(seconds: 1)
    var viewport = ViewportParameters()
    (viewport.anchorRow, viewport.generation) = (10, 1)
    harness.send(.viewportMoved(Self.view, viewport))
    harness.pass(seconds: 1)
    let selection = try #require(harness.mirrors[Self.view]?.panes.first).selection
    #expect(selection.pin == .top && selection.row?.label == "12h")
  }
}
