import Dates
import Engine
import Messages
import Testing
import ViewState

@Suite("Layout in points")
struct PointsTests {
  /// A font with 19 points per line, letters 10 points wide, i 4.5, space 5.
  static func font(_ change: (inout PointSizes) -> Void = { _ in }) throws -> PointMetrics {
    var sizes = PointSizes(lineHeight: 19)
    sizes.defaultAdvance = 640
    sizes.wideAdvance = 1216
    change(&sizes)
    return try PointMetrics(
      sizes: sizes, runs: [AdvanceRun(first: 0x20, advances: [320]), AdvanceRun(first: 0x69, advances: [288])])
  }

  static func layout(width: Int, _ change: (inout PointSizes) -> Void = { _ in }) throws -> LayoutParameters {
    var layout = LayoutParameters(width: width, height: 768)
    layout.points = try font(change)
    return layout
  }

  @Test("rows have the lines and height of their text at 390 points") func rows() throws {
    var harness = EngineHarness()
    // 39 letters fit, with spaces that are not painted; 86 of the letter i fit, but not 87.
    let word = String(repeating: "w", count: 39)
    harness.posts = [
      EngineHarness.post(1, text: "one"), EngineHarness.post(2, text: "\(word) \(word)"),
      EngineHarness.post(3, text: String(repeating: "i", count: 86) + "i"),
      EngineHarness.post(4, text: String(repeating: "\(word) ", count: 3)),
    ]
    harness.open(1, layout: try Self.layout(width: 1024))
    let rows = try #require(harness.mirrors[ViewID(1)]).panes[0].rows
    #expect(rows.map(\.layout.lineEnds) == [[40, 80, 120], [86, 87], [40, 79], [3]])
    #expect(rows.map(\.layout.height) == [104, 85, 85, 72])
  }

  @Test("panes have the original's frames, row columns and rounded sides") func panes() throws {
    var harness = EngineHarness()
    harness.posts = [EngineHarness.post(1)]
    harness.open(1, layout: try Self.layout(width: 1024))
    harness.command(1, .pushConversation(reference: "1", from: 0))
    let frames = try #require(harness.mirrors[ViewID(1)]).paneFrames
    #expect(frames.map(\.x) == [70, 547] && frames.map(\.width) == [477, 477])
    #expect(frames.map(\.columnX) == [0, 0] && frames.map(\.columnWidth) == [477, 477])
    #expect(frames.map(\.textX) == [72, 72] && frames.map(\.textWidth) == [390, 390])
    #expect(frames.map(\.isCompact) == [false, false])
    #expect(frames.map(\.roundedSides) == [[.left, .right], .right])
  }

  @Test(
    "cells use the same terms; a compact pane has no corners",
    arguments: [(120, 6, 50, false), (40, 0, 35, true)])
  func cells(width: Int, textX: Int, textWidth: Int, isCompact: Bool) throws {
    var harness = EngineHarness()
    harness.open(1, layout: LayoutParameters(width: width, height: 24))
    let frame = try #require(harness.mirrors[ViewID(1)]?.paneFrames.first)
    #expect(frame.textX == textX && frame.textWidth == textWidth && frame.isCompact == isCompact)
    #expect(frame.roundedSides == (isCompact ? [] : [.left, .right]))
  }

  @Test("a client's own sizes apply: a pane that fills the view has an inset on both sides") func declared() throws {
    var harness = EngineHarness()
    harness.posts = [EngineHarness.post(1, text: "one")]
    let layout = try Self.layout(width: 600) {
      $0.panes = PointSizes.Panes(menu: 0, strip: 0, pane: 10_000)
      $0.regular = PointSizes.RowInsets(above: 20, below: 4, left: 10, right: 0, leastHeight: 0)
    }
    harness.open(1, layout: layout)
    let mirror = try #require(harness.mirrors[ViewID(1)])
    let frame = mirror.paneFrames[0]
    #expect(
      [frame.x, frame.width, frame.columnX, frame.columnWidth, frame.textX, frame.textWidth] == [
        0, 600, 18, 564, 28, 554,
      ])
    #expect(mirror.panes[0].rows.map(\.layout.height) == [43])
  }

  @Test("a pane is as high as its rows together, and a narrower one keeps the first word") func resized()
    throws
  {
    var harness = EngineHarness()
    let words = String(repeating: "wwwwwwwww ", count: 40)
    harness.posts = (1...30).map { EngineHarness.post($0, text: words) }
    harness.open(1, layout: try Self.layout(width: 1024))
    let id = ViewID(1)
    let pane = try #require(harness.mirrors[id]?.panes[0])
    // Four words of 95 points per line.
    #expect(pane.rows.allSatisfy { $0.layout.lineEnds.count == 10 && $0.layout.height == 35 + 10 * 19 + 12 })
    #expect(pane.status.isExact && pane.status.totalHeight == 30 * 237)
    // The line with the 17th word is first: the fifth of ten lines.
    var viewport = ViewportParameters()
    viewport.anchorRow = 10
    viewport.line = 35 + 4 * 19 + 3
    viewport.generation = 1
    harness.send(.viewportMoved(id, viewport))
    harness.send(.layoutChanged(id, try Self.layout(width: 380), .utc))
    let narrow = try #require(harness.mirrors[id]?.panes[0])
    // 380 - 70 - 87 = 223 points have two words per line, so the ninth has the 17th.
    #expect(narrow.rows.first { $0.rowID == 10 }?.layout.lineEnds.count == 20)
    #expect(narrow.status.anchorRow == 10)
    #expect(narrow.status.anchorLine == 35 + 8 * 19)
  }

  @Test("another font is another layout, also for a resuming view") func otherFont() throws {
    var harness = EngineHarness()
    harness.posts = [EngineHarness.post(1, text: "one")]
    let layout = try Self.layout(width: 1024)
    harness.open(1, layout: layout)
    let held = try #require(harness.mirrors[ViewID(1)])
    harness.open(2, layout: try Self.layout(width: 1024) { $0.lineHeight = 40 }, resume: held.resume)
    #expect(harness.frames[ViewID(2)]?.first?.reset == .layout)
    harness.unmirrored = [ViewID(3)]
    harness.open(3, layout: try Self.layout(width: 1024), resume: held.resume)
    #expect(harness.frames[ViewID(3)]?.first?.reset == nil)
    #expect(harness.mirrors[ViewID(2)]?.panes[0].rows.map(\.layout.height) == [87])
  }
}

@Suite("Measuring text matches rows")
struct MeasurementTests {
  @Test(
    "cells: lines, heights and clusters by width profile",
    arguments: [(LayoutParameters.WidthProfile.sum, 6), (.cluster, 2), (.clusterText, 2)])
  func cells(profile: LayoutParameters.WidthProfile, family: Int) {
    var request = MeasureRequest(text: "ab  漢\n👩‍👩‍👧", width: 4)
    request.layout.widthProfile = profile
    let measured = MeasureResponse(measuring: request)
    // Three people are wider than the line in the sum profile, and still stay together.
    #expect(measured.lineEnds == [4, 8, 26] && measured.lineWidths == [2, 2, UInt32(family)])
    #expect(measured.textHeight == 3 && measured.rowHeight == 5 && measured.width == 4 && measured.units == 1)
    #expect(
      measured.clusterStarts == [0, 1, 2, 3, 4, 7, 8] && measured.clusterWidths == [1, 1, 1, 1, 2, 0, UInt32(family)])
    #expect(measured.text.isEmpty)
  }

  @Test("points: the same in units of 1/64") func points() throws {
    var request = MeasureRequest(text: "ii w漢e\u{301}")
    request.layout = try PointsTests.layout(width: 1024)
    let wide = MeasureResponse(measuring: request)
    #expect(wide.width == 390 && wide.units == 64 && wide.lineEnds == [10])
    #expect(wide.clusterStarts == [0, 1, 2, 3, 4, 7] && wide.clusterWidths == [288, 288, 320, 640, 1216, 640])
    #expect(wide.lineWidths == [3392] && wide.textHeight == 19 && wide.rowHeight == 72)
    request.width = 29
    let narrow = MeasureResponse(measuring: request)
    #expect(narrow.lineEnds == [4, 10] && narrow.lineWidths == [1536, 1856])
    #expect(narrow.textHeight == 38 && narrow.rowHeight == 85)
  }

  @Test("text is sanitized first, with a flag if that changed it; an empty text has one line") func text() {
    let changed = MeasureResponse(measuring: MeasureRequest(text: "a\tb\u{7}", width: 9))
    #expect(changed.text == Array("a b\u{FFFD}".utf8) && changed.lineEnds == [6] && changed.lineWidths == [4])
    let empty = MeasureResponse(measuring: MeasureRequest(text: "", width: 9))
    #expect(empty.lineEnds == [0] && empty.lineWidths == [0] && empty.clusterStarts.isEmpty && empty.rowHeight == 3)
  }
}
