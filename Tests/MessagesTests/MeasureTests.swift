import Messages
import TestSupport
import Testing
import ViewState

@Suite("Point metrics and measured texts")
struct MeasureTests {
  static func points() throws -> PointMetrics {
    var sizes = PointSizes(lineHeight: 19)
    sizes.defaultAdvance = 500
    sizes.wideAdvance = 1024
    sizes.repostHeight = 16
    sizes.regular = PointSizes.RowInsets(above: 35, below: 12, left: 0, right: 15, leastHeight: 72)
    sizes.compact = PointSizes.RowInsets(above: 1, below: 0, left: 2, right: 3, leastHeight: 4)
    sizes.column = PointSizes.Column(maximumWidth: 675, inset: 0, compactBelow: 300)
    sizes.panes = PointSizes.Panes(menu: 0, strip: 70, pane: 477)
    return try PointMetrics(
      sizes: sizes,
      runs: [AdvanceRun(first: 0x20, advances: [256, 0, 65_535]), AdvanceRun(first: 0x1F600, advances: [1100])])
  }

  @Test("every number of the metrics survives, including meaningful zeros") func font() throws {
    var layout = LayoutParameters(width: 1024, height: 768)
    for points in [try Self.points(), try PointMetrics(sizes: PointSizes(lineHeight: 1))] {
      layout.points = points
      #expect(try ClientFrame(decoding: ClientFrame.layout(layout).encoded()) == .layout(layout))
    }
  }

  @Test(
    "invalid metrics are refused with the name of the field",
    arguments: [
      ("layout.points.line_height", "layout.points.line_height is 0; it must be 1 to 1000", [0x08, 0]),
      ("layout.points.line_height", "layout.points.line_height is 1001; it must be 1 to 1000", [0x08, 0xE9, 7]),
      (
        "layout.points.wide_advance", "layout.points.wide_advance is 65536; it must be 0 to 65535",
        [0x08, 9, 0x20, 0x80, 0x80, 4]
      ),
      (
        "layout.points.advances[0].advances[1]",
        "layout.points.advances[0].advances[1] is 65536; it must be 0 to 65535",
        [0x08, 9, 0x12, 6, 0x12, 4, 1, 0x80, 0x80, 4]
      ),
      (
        "layout.points.advances[0].advances", "layout.points.advances[0].advances is empty; remove the run",
        [0x08, 9, 0x12, 2, 0x08, 0x20]
      ),
      (
        "layout.points.panes.pane", "layout.points.panes.pane is 0; it must be 1 to 10000", [0x08, 9, 0x4A, 0]
      ),
    ] as [(String, String, [UInt8])])
  func badFonts(field: String, reason: String, points: [UInt8]) {
    // hello: layout: width, height, points
    let layout: [UInt8] = [0x10, 80, 0x18, 24, 0x52, UInt8(points.count)] + points
    let hello: [UInt8] = [0x12, UInt8(layout.count)] + layout
    #expect(throws: DecodingFailure("hello.\(reason)", field: "hello.\(field)")) {
      try ClientFrame(decoding: [0x0A, UInt8(hello.count)] + hello)
    }
  }

  @Test(
    "a contradiction between unit and metrics is refused",
    arguments: [
      ("layout.points", [0x08, 2, 0x10, 80, 0x18, 24]),
      ("layout.metrics", [0x08, 1, 0x10, 80, 0x18, 24, 0x52, 2, 0x08, 9]),
    ] as [(String, [UInt8])])
  func contradictions(field: String, layout: [UInt8]) {
    #expect {
      try ClientFrame(decoding: [0x1A, UInt8(layout.count)] + layout)
    } throws: { ($0 as? DecodingFailure)?.field == field }
  }

  @Test("requests and responses round-trip") func roundTrip() throws {
    var request = MeasureRequest(text: "é漢\n", width: 50)
    #expect(try MeasureRequest(decoding: request.encoded()) == request)
    request.layout = LayoutParameters(width: 768, height: 1024)
    request.layout.points = try Self.points()
    request.width = 0
    #expect(try MeasureRequest(decoding: request.encoded()) == request)
    var response = MeasureResponse()
    (response.weightedLength, response.remaining) = (301, -21)
    response.text = Array("é漢".utf8)
    response.lineEnds = [2, 5]
    response.lineWidths = [1, 2]
    response.textHeight = 2
    response.rowHeight = 5
    response.width = 2
    response.clusterStarts = [0, 2]
    response.clusterWidths = [1, 2]
    response.units = 64
    #expect(try MeasureResponse(decoding: response.encoded()) == response)
    response.units = 0
    #expect(throws: DecodingFailure.self) { try MeasureResponse(decoding: response.encoded()) }
  }

  @Test("damaged requests with metrics decode to a valid request, or fail", arguments: seeds(0..<300 as Range<UInt64>))
  func damage(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    var request = MeasureRequest(text: "é漢", width: 50)
    request.layout.points = try Self.points()
    var bytes = request.encoded()
    for _ in 0..<Int.random(in: 1...4, using: &random) {
      bytes[Int.random(in: bytes.indices, using: &random)] = .random(in: 0...255, using: &random)
    }
    if let read = try? MeasureRequest(decoding: bytes) {
      #expect(try MeasureRequest(decoding: read.encoded()) == read, "seed \(seed)")
    }
  }

  @Test("invalid requests are refused with the name of the field") func refusals() {
    let long = MeasureRequest(text: String(repeating: "a", count: 65_537), width: 5)
    let reason = "text has more than 65536 bytes; measure it in parts, split at line breaks"
    #expect(throws: DecodingFailure(reason, field: "text", limit: 65_536)) {
      try MeasureRequest(decoding: long.encoded())
    }
    #expect(throws: DecodingFailure("width is 10001; it must be 0 to 10,000", field: "width")) {
      try MeasureRequest(decoding: MeasureRequest(text: "", width: 10_001).encoded())
    }
    #expect(throws: DecodingFailure("layout.width is 0; it must be 1 to 10,000", field: "layout.width")) {
      try MeasureRequest(decoding: MeasureRequest(text: "").encoded())
    }
    #expect { try MeasureRequest(decoding: []) } throws: { ($0 as? DecodingFailure)?.field == "width" }
  }
}
