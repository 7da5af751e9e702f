import ClientCore
import Messages
import Testing

@Suite("The report of `measure`")
struct MeasureReportTests {
  static let report: MeasureReport = {
    var measured = MeasureResponse()
    measured.lineEnds = [3, 6]
    measured.lineWidths = [2, 2]
    measured.textHeight = 2
    measured.rowHeight = 5
    measured.width = 2
    (measured.weightedLength, measured.remaining) = (5, 275)
    measured.clusterStarts = [0, 1, 2, 3]
    measured.clusterWidths = [1, 1, 1, 2]
    return MeasureReport(of: "ab 漢", measured)
  }()

  @Test(
    "has every format",
    arguments: [
      (
        RowFormat.lines,
        "    2  ab\n    2  漢\n2 lines at width 2 (4 characters, 5 cells), row height 5; as a post: 5 of 280\n"
      ), (.plain, "2\tab\n2\t漢\n"),
      (
        .json,
        #"{"width":2,"text_height":2,"row_height":5,"weighted_length":5,"remaining":275,"lines":[{"width":2,"text":"ab"},{"width":2,"text":"漢"}],"#
          + #""clusters":[{"width":1,"text":"a"},{"width":1,"text":"b"},{"width":1,"text":" "},{"width":2,"text":"漢"}]}"#
          + "\n"
      ), (.jsonl, #"{"width":2,"text":"ab"}"# + "\n" + #"{"width":2,"text":"漢"}"# + "\n"),
    ] as [(RowFormat, String)])
  func formats(format: RowFormat, expected: String) {
    #expect(text(Self.report.bytes(format, traits: .bare)) == expected)
  }

  @Test("an impossible response is shown as far as possible, and sends no escapes to the terminal") func hostile() {
    var measured = MeasureResponse()
    measured.text = Array("\u{1B}[31ma".utf8)
    measured.lineEnds = [900, 2]
    measured.lineWidths = [1, 1]
    measured.clusterStarts = [5, 2, 900]
    measured.clusterWidths = [1, 1, 1]
    let report = text(MeasureReport(of: "a", measured).bytes(.lines, traits: .bare))
    #expect(report.contains("31ma") && !report.contains("\u{1B}"))
  }
}
