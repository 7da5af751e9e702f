import Messages
import RPC
import Testing
import ViewState

@Suite("Layout in points, and Measure")
struct PointsTests {
  @Test("a text is measured without any posts in the account") func measure() throws {
    try withBench { bench in
      let client = try bench.daemon().connect()
      let measured: MeasureResponse = try client.call(Method.measure, MeasureRequest(text: "Ahoy, 漁師!", width: 8))
      #expect(measured.lineEnds == [9, 13] && measured.lineWidths == [8, 3] && measured.rowHeight == 4)
    }
  }

  @Test("the largest table of advances fits into a hello, and its view is laid out by it") func largest()
    throws
  {
    try withBench { bench in
      let client = try bench.daemon().connect()
      try client.post("wwww wwww")
      let runs = [(0, 0xD800), (0xE000, 65_536 - 0xD800)].map { first, count in
        AdvanceRun(first: first, advances: Array(repeating: 40_000, count: count))
      }
      var hello = Hello.test
      hello.layout = LayoutParameters(width: 1024, height: 768)
      hello.layout.points = try PointMetrics(sizes: PointSizes(lineHeight: 20), runs: runs)
      let view = try client.attach(hello)
      try view.waitForFirstFrame()
      // No letter fits: each is 625 points wide, and the line has 390.
      #expect(view.mirror.panes[0].rows[0].layout.lineEnds == [1, 2, 3, 5, 6, 7, 8, 9])
      #expect(view.mirror.panes[0].rows[0].layout.height == 35 + 8 * 20 + 12)
    }
  }

  @Test("invalid measurements are refused, naming the field in the message and the details") func refusal()
    throws
  {
    try withBench { bench in
      let client = try bench.daemon().connect()
      var request = MeasureRequest(text: String(repeating: "a", count: 65_537), width: 9)
      let long = try client.refusal(of: Method.measure, request)
      #expect(long.code == .invalidArgument && long.message.hasPrefix("text has more than 65536 bytes"))
      let details = try ErrorDetails(decoding: long.details)
      #expect(details.fieldViolations.map(\.field) == ["text"] && details.metadata["limit"] == "65536")
      request = MeasureRequest(text: "a")
      request.layout.width = 20_000
      let wide = try client.refusal(of: Method.measure, request)
      #expect(try ErrorDetails(decoding: wide.details).fieldViolations.map(\.field) == ["layout.width"])
    }
  }
}
