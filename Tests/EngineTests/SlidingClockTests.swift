import Dates
import Testing
import ViewState

@testable import Engine

@Suite("Sliding clock and scroll thumb geometry")
struct SlidingClockTests {
  /// Viewport V, content C, offset o and clock size S; then the clock's top and line.
  @Test(
    "position of the clock and its line",
    arguments: [
      // A list shorter than the viewport, and one of equal length: the first row.
      (10, 3, 0, 1, 0, 0), (10, 3, 5, 4, 0, 0), (10, 10, 0, 3, 0, 0), (10, 10, -2, 3, 0, 0), (10, 1, 0, 10, 0, 0),
      // Longer: the top, the middle, the end.
      (10, 30, 0, 1, 0, 0), (10, 30, 10, 1, 5, 15), (10, 30, 20, 1, 9, 29), (10, 30, 0, 3, 0, 0),
      (10, 30, 10, 3, 4, 15),
      (10, 30, 20, 3, 7, 29), (10, 30, 20, 4, 6, 29), (10, 30, 20, 5, 5, 29), (10, 30, 1, 5, 0, 1),
      (10, 30, 19, 5, 5, 28),
      (10, 30, 20, 2, 8, 29), (10, 30, 10, 2, 4, 15), (10, 30, 10, 5, 3, 15),
      // One line longer.
      (10, 11, 0, 1, 0, 0), (10, 11, 1, 1, 9, 10), (10, 11, 1, 5, 5, 10),
      // Overscroll at both ends.
      (10, 30, -7, 3, 0, 0), (10, 30, 27, 3, 7, 29), (10, 30, .min, 3, 0, 0), (10, 30, .max, 3, 7, 29),
      // As high as the viewport; half a line is rounded up.
      (3, 30, 27, 3, 0, 29), (3, 30, 14, 3, 0, 15), (5, 9, 2, 4, 1, 5), (1, 4, 2, 1, 0, 2),
    ])
  func clock(viewport: Int, content: Int, offset: Int, size: Int, top: Int, line: Int) {
    let position = ScrollPosition(viewport: viewport, content: content, offset: offset)
    #expect(position.clock(size: size) == ScrollPosition.Clock(top: top, line: line))
  }

  @Test(
    "there is no clock without rows, room or size",
    arguments: [
      (10, 0, 0, 3), (2, 30, 5, 3), (0, 30, 5, 1), (0, 0, 0, 1), (10, 30, 5, 0), (10, -1, 0, 1), (-5, 30, 0, 1),
    ])
  func noClock(viewport: Int, content: Int, offset: Int, size: Int) {
    #expect(ScrollPosition(viewport: viewport, content: content, offset: offset).clock(size: size) == nil)
  }

  @Test(
    "in every viewport below 50 lines it goes from the first line to the last, forwards in even steps",
    arguments: 1...5)
  func forwards(size: Int) {
    for viewport in size..<50 {
      for content in 1...(3 * viewport + 5) {
        let range = max(0, content - viewport)
        let clocks = (0...range).map {
          ScrollPosition(viewport: viewport, content: content, offset: $0).clock(size: size)!
        }
        let context = Comment("V \(viewport), C \(content), S \(size)")
        #expect(clocks[0] == ScrollPosition.Clock(top: 0, line: 0), context)
        guard range > 0 else { continue }
        #expect(clocks[range] == ScrollPosition.Clock(top: viewport - size, line: content - 1), context)
        let longest = (viewport - 1 + range - 1) / range + 2
        var isEven = true
        for (before, after) in zip(clocks, clocks.dropFirst()) {
          let step = after.line - before.line
          if !(step >= 1 && step <= longest && after.top >= before.top && after.top <= viewport - size) {
            isEven = false
          }
        }
        #expect(isEven, context)
      }
    }
  }

  @Test("in every viewport below 50 lines fractional offsets reach every line", arguments: 1...5)
  func everyLine(size: Int) {
    let fraction = 64
    for viewport in size..<50 {
      for content in [viewport + 1, viewport + 2, viewport + 7, 2 * viewport, 3 * viewport + 5] {
        var reached = Set<Int>()
        for offset in 0...(content - viewport) * fraction {
          let position = ScrollPosition(viewport: viewport * fraction, content: content * fraction, offset: offset)
          reached.insert(position.clock(size: size * fraction)!.line / fraction)
        }
        #expect(reached == Set(0..<content), "V \(viewport), C \(content), S \(size)")
      }
    }
  }

  @Test(
    "in every viewport below 50 lines every three-line row is reached, in a list of two viewports or more",
    arguments: 1...5)
  func everyRow(size: Int) {
    for viewport in size..<50 {
      for rows in ((2 * viewport + 2) / 3)...(viewport + 9) {
        let content = 3 * rows
        let reached = Set(
          (0...content - viewport).map { offset in
            ScrollPosition(viewport: viewport, content: content, offset: offset).clock(size: size)!.line / 3
          })
        #expect(reached == Set(0..<rows), "V \(viewport), C \(content), S \(size)")
      }
    }
  }

  @Test(
    "the thumb's share of the bar is the viewport's share of the content",
    arguments: [
      (10, 20, 0, 0, 5), (10, 20, 10, 5, 5), (10, 20, 5, 3, 5), (10, 11, 0, 0, 9), (10, 11, 1, 1, 9),
      (10, 1000, 0, 0, 1),
      (10, 1000, 990, 9, 1), (10, 1000, 495, 5, 1), (10, 20, -3, 0, 5), (10, 20, 13, 5, 5), (1, 2, 1, 0, 1),
      (10_000, 1_000_000_000, 999_990_000, 9999, 1), (24, 10_000_000, 5_000_000, 12, 1),
    ])
  func thumb(viewport: Int, content: Int, offset: Int, top: Int, length: Int) {
    let position = ScrollPosition(viewport: viewport, content: content, offset: offset)
    #expect(position.thumb == ScrollPosition.Thumb(top: top, length: length))
  }

  @Test("there is no thumb when everything is in view", arguments: [(10, 10), (10, 3), (10, 0), (0, 5), (0, 0)])
  func noThumb(viewport: Int, content: Int) {
    #expect(ScrollPosition(viewport: viewport, content: content, offset: 0).thumb == nil)
  }

  @Test("the thumb never leaves the bar and never goes back")
  func thumbStays() {
    for viewport in 1..<50 {
      for content in viewport + 1...3 * viewport + 5 {
        var last = 0
        var stays = true
        for offset in 0...content - viewport {
          let thumb = ScrollPosition(viewport: viewport, content: content, offset: offset).thumb!
          if !(thumb.top >= last && thumb.length >= 1 && thumb.top + thumb.length <= viewport) { stays = false }
          last = thumb.top
        }
        let end = ScrollPosition(viewport: viewport, content: content, offset: content).thumb!
        #expect(stays && end.top + end.length == viewport, "V \(viewport), C \(content)")
      }
    }
  }

  @Test(
    "hands turn half a degree and six degrees per minute, in the viewer's zone",
    arguments: [
      ("2024-06-06T00:00:00Z", 0, 0, 0), ("2024-06-06T12:00:00Z", 0, 0, 0), ("2024-06-06T03:30:59Z", 0, 210, 180),
      ("2024-06-06T23:59:59.999Z", 0, 719, 354), ("2024-06-06T12:01:00Z", 0, 1, 6),
      ("2024-06-06T18:45:00Z", 20_700, 30, 180),
      ("2024-06-06T00:00:00Z", -1, 719, 354),
    ])
  func hands(post: String, offset: Int, hour: Int, minute: Int) {
    let hands = ClockHands(at: Instant(iso8601: Array(post.utf8))!, in: Zone(offsetSeconds: offset))
    #expect(hands.hour == hour && hands.minute == minute, "\(hands)")
  }

  @Test(
    "hands turn clockwise to a later post, anticlockwise to an earlier one, and stay if nothing moves",
    arguments: [
      ("2024-06-06T10:00:00Z", "2024-06-06T10:01:00Z", PaneClock.Turn.clockwise),
      ("2024-06-06T10:01:00Z", "2024-06-06T10:00:00Z", .anticlockwise),
      ("2024-06-06T23:00:00Z", "2024-06-07T01:00:00Z", .clockwise),
      ("2024-06-07T01:00:00Z", "2024-06-06T23:00:00Z", .anticlockwise),
      ("2024-06-06T10:00:00Z", "2024-06-06T10:00:59Z", nil),
      ("2024-06-06T10:00:00Z", "2024-06-06T22:00:00Z", nil), ("2024-06-06T10:00:00Z", "2024-06-06T10:00:00Z", nil),
    ])
  func turn(last: String, next: String, expected: PaneClock.Turn?) {
    let (last, next) = (Instant(iso8601: Array(last.utf8))!, Instant(iso8601: Array(next.utf8))!)
    #expect(ClockHands.turn(from: last, to: next, in: .utc) == expected)
  }
}
