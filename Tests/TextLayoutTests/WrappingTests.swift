import TextLayout
import Testing

@Suite("Lines break as late as fits, where UAX #14 allows it")
struct WrappingTests {
  @Test(
    "lines of ten cells",
    arguments: [
      ("", ["|"]),
      ("a", ["a|"]),
      ("one two three", ["one two |", "three|"]),
      ("one two 345", ["one two |", "345|"]),
      ("0123456789", ["0123456789|"]),
      ("0123456789ab", ["0123456789|", "ab|"]),
      ("0123456789 ab", ["0123456789 |", "ab|"]),
      ("0123456789      ab", ["0123456789      |", "ab|"]),
      ("0123456789      ", ["0123456789      |"]),
      ("             ab", ["             |", "ab|"]),
      ("0123456789\nab", ["0123456789\n|", "ab|"]),
      ("0123456789  \nab", ["0123456789  \n|", "ab|"]),
      ("a\n\nb", ["a\n|", "\n|", "b|"]),
      ("a\n", ["a\n|"]),
      ("\n", ["\n|"]),
      ("see example-word", ["see |", "example-|", "word|"]),
      ("cost is $(12)", ["cost is |", "$(12)|"]),
      ("0123456789 )", ["0123456789 |", ")|"]),
      ("https://example.org/a/b", ["https://|", "example.or|", "g/a/b|"]),
      ("漢字漢字漢字漢字", ["漢字漢字漢|", "字漢字|"]),
      ("a漢字漢字漢字漢字", ["a漢字漢字|", "漢字漢字|"]),
      ("漢字漢字漢。", ["漢字漢字|", "漢。|"]),
      ("café résumé naïve", ["café |", "résumé |", "naïve|"]),
      (
        "e\u{301}e\u{301}e\u{301}e\u{301}e\u{301}e\u{301}e\u{301}e\u{301}e\u{301}e\u{301}e\u{301}",
        ["e\u{301}e\u{301}e\u{301}e\u{301}e\u{301}e\u{301}e\u{301}e\u{301}e\u{301}e\u{301}|", "e\u{301}|"]
      ),
    ])
  func tenCells(text: String, expected: [String]) {
    #expect(lines(of: text, width: 10) == expected)
  }

  @Test(
    "cluster widths follow the profile",
    arguments: [
      ("👨‍👩‍👧‍👦", 8, 2), ("🏳️‍🌈", 3, 2), ("❤️", 1, 2), ("1️⃣", 1, 2), ("🇩🇪", 2, 2), ("👍🏽", 4, 2), ("e\u{301}", 1, 1), ("漢", 2, 2),
      ("각", 2, 2), ("각", 2, 2), ("\u{200B}", 0, 0), ("\n", 0, 0), ("\u{FEFF}", 0, 0), ("☎️", 1, 2), ("😀", 2, 2),
      ("❤", 1, 1), ("नि", 2, 1),
    ])
  func clusterWidths(text: String, sum: Int, cluster: Int) {
    let bytes = Array(text.utf8)
    #expect(cellWidth(of: bytes, profile: CellProfile(clusterWidth: .sum)) == sum)
    #expect(cellWidth(of: bytes, profile: CellProfile(clusterWidth: .cluster)) == cluster)
    #expect(clusters(of: bytes, profile: CellProfile()).count == 1)
  }

  @Test(
    "ambiguous characters take one cell or two, others are unaffected",
    arguments: [("°", 2), ("“", 2), ("я", 2), ("a", 1), ("漢", 2), ("\u{301}", 0), ("\u{AD}", 1)])
  func ambiguous(text: String, wide: Int) {
    let bytes = Array(text.utf8)
    #expect(cellWidth(of: bytes, profile: CellProfile()) == min(wide, text == "漢" ? 2 : 1))
    for clusterWidth in CellProfile.ClusterWidth.allCases {
      #expect(cellWidth(of: bytes, profile: CellProfile(clusterWidth: clusterWidth, ambiguousWidth: .two)) == wide)
    }
  }

  @Test("a cluster wider than the line is alone on its line")
  func wideCluster() {
    #expect(lines(of: "a👨‍👩‍👧‍👦b", width: 5) == ["a|", "👨‍👩‍👧‍👦|", "b|"])
    #expect(lines(of: "漢字", width: 1) == ["漢|", "字|"])
    #expect(lines(of: "漢 字", width: 1) == ["漢 |", "字|"])
  }

  @Test("a cluster is never split, even where UAX #14 would")
  func wholeClusters() {
    #expect(lines(of: "ab \u{301}cd", width: 2) == ["ab|", " \u{301}c|", "d|"])
  }

  @Test(
    "a text is truncated after the last cluster that fits",
    arguments: [
      ("abc", 2, 2), ("漢字", 3, 3), ("e\u{301}x", 1, 3), ("abc", 9, 3), ("", 3, 0), ("漢", 0, 0), ("a\u{200B}b", 1, 4),
    ])
  func cutting(text: String, width: Int, end: Int) {
    #expect(truncate(Array(text.utf8), to: width, profile: CellProfile()) == end)
  }

  /// Returns the lines, each followed by a bar that makes trailing spaces visible.
  private func lines(of text: String, width: Int) -> [String] {
    let bytes = Array(text.utf8)
    var start = 0
    return wrap(bytes, width: width, profile: CellProfile()).map { end in
      defer { start = Int(end) }
      return String(decoding: bytes[start..<Int(end)], as: UTF8.self) + "|"
    }
  }
}
