import Dates
import Engine
import Posts
import TestSupport
import Testing
import ViewState

@Suite("Time labels")
struct RefreshTests {
  private static let styles: [LayoutParameters.TimeStyle] = [.veryShort, .words, .short, .long, .withinDay]
  private static let locales = ["", "de", "ar", "ja", "ru"]

  /// Opens 25 views of a timeline that goes back a year: each style in five languages, at the top and further down.
  private func harness() -> EngineHarness {
    var harness = EngineHarness()
    var ago: Int64 = 0
    harness.posts = (1...600 as ClosedRange<Int64>).map { id in
      ago += 1 + ago / 40
      return EngineHarness.post(601 - id, at: 100_000 - ago)
    }
    for view in 0..<25 {
      var layout = EngineHarness.layout(height: 40)
      layout.timeStyle = Self.styles[view % 5]
      layout.hasDayLines = layout.timeStyle == .withinDay
      layout.locale = Self.locales[view / 5]
      var viewport = ViewportParameters()
      viewport.anchorRow = view % 3 == 0 ? 0 : UInt64(600 - 60 * (view % 9))
      harness.open(UInt64(view) + 1, layout: layout, viewport: viewport, acknowledges: view % 2 == 0)
    }
    harness.pass(seconds: 1)
    return harness
  }

  private func expectRight(_ harness: EngineHarness, at now: Instant, _ comment: Comment) {
    for view in 0..<25 {
      let locale = Locale.lookup(Self.locales[view / 5]).locale
      for row in harness.mirrors[ViewID(UInt64(view) + 1)]?.panes.first?.rows ?? [] {
        let style: LabelStyle =
          switch Self.styles[view % 5] {
          case .veryShort: .veryShort
          case .words: .words
          case .short: .short
          case .long: .long
          case .withinDay: .withinDay
          }
        let createdAt = Instant(milliseconds: row.content.fields.createdAtMilliseconds)
        let right = label(for: createdAt, now: now, zone: .utc, style: style, locale: locale).text
        guard row.label != right else { continue }
        Issue.record("\(comment): view \(view) shows \(row.label) at \(now), expected \(right)")
      }
    }
  }

  @Test("are right at every instant, are sent only when their text changes, and cause no other wake-ups") func day()
    throws
  {
    var harness = harness()
    let end = harness.now.adding(milliseconds: triesAllSeeds ? 600_000 : 60_000)
    var wakes = 0
    while let deadline = harness.engine.nextDeadline, deadline <= end {
      // Right up to the millisecond before the change, and from it on.
      expectRight(harness, at: deadline.adding(milliseconds: -1), "before")
      let before = harness.frames.mapValues(\.count)
      let held = harness.mirrors
      harness.now = max(harness.now, deadline)
      harness.send(.timePassed)
      wakes += 1
      expectRight(harness, at: harness.now, "after")
      var changes = 0
      for (id, frames) in harness.frames {
        for frame in frames.dropFirst(before[id] ?? 0) {
          for case .timesRefreshed(_, let labels, let rows, let indexes) in frame.operations {
            for (row, index) in zip(rows, indexes) {
              let old = held[id]?.panes.first?.rows.first { $0.rowID == row }?.label
              #expect(old != labels[Int(index)], "sent without a change")
              changes += 1
            }
          }
        }
      }
      #expect(changes > 0, "needless wake-up at \(harness.now)")
    }
    #expect(wakes > (triesAllSeeds ? 100 : 10))
  }

  @Test("are right after one frame for another style, language or zone") func changed() throws {
    var harness = harness()
    var layout = EngineHarness.layout(height: 40)
    layout.timeStyle = .long
    let sent = harness.frames[ViewID(1)]!.count
    for (locale, zone) in [("de", Zone.utc), ("ja", Zone(offsetSeconds: 9 * 3600))] {
      layout.locale = locale
      layout.timeZone = locale
      harness.send(.layoutChanged(ViewID(1), layout, zone))
      let rows = try #require(harness.mirrors[ViewID(1)]?.panes.first?.rows)
      for row in rows {
        let createdAt = Instant(milliseconds: row.content.fields.createdAtMilliseconds)
        let right = label(
          for: createdAt, now: harness.now, zone: zone, style: .long, locale: Locale.lookup(locale).locale)
        #expect(row.label == right.text)
      }
    }
    #expect(harness.frames[ViewID(1)]!.count == sent + 2)
  }

  @Test(
    "are corrected once, at once, when the clock is set forward or back",
    arguments: [-90_000, 3_600_000, 86_400_000 * 40])
  func clockStep(milliseconds: Int64) {
    var harness = harness()
    let sent = harness.frames.mapValues(\.count)
    harness.now = harness.now.adding(milliseconds: milliseconds)
    harness.send(.timePassed)
    let now = harness.now
    harness.pass(seconds: 0)
    expectRight(harness, at: now, "after the step")
    for (id, frames) in harness.frames { #expect(frames.count - sent[id]! <= 1) }
  }
}
