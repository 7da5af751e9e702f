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
    #expect(cellWidth(of: bytes, profile: CellProfile(clusterWidth: .clusterText)) == cluster)
    #expect(clusters(of: bytes, profile: CellProfile()).count == 1)
  }

  @Test(
    "VS15 narrows a wide emoji directly before it, in one profile alone",
    arguments: [
      ("⌚\u{FE0E}", 2, 1), ("⌚", 2, 2), ("⌚\u{FE0F}", 2, 2), ("⌚\u{FE0E}\u{FE0E}", 2, 1), ("⌚\u{301}\u{FE0E}", 2, 2),
      ("❤\u{FE0E}", 1, 1), ("漢\u{FE0E}", 2, 2), ("a⌚\u{FE0E}⌚", 5, 4), ("\u{FE0E}", 0, 0), ("⌚ \u{FE0E}", 3, 3),
    ])
  func textStyle(text: String, cluster: Int, narrow: Int) {
    let bytes = Array(text.utf8)
    #expect(cellWidth(of: bytes, profile: CellProfile(clusterWidth: .cluster)) == cluster)
    #expect(cellWidth(of: bytes, profile: CellProfile(clusterWidth: .clusterText)) == narrow)
    // A line breaks where the emoji does not fit: VS15 comes too late to keep it.
    for profile in everyProfile {
      #expect(wrap(bytes, width: 10, profile: profile) == [UInt32(bytes.count)])
    }
  }

  @Test("141 wide emoji have a text style of one cell, and 213 others take one cell anyway") func textStyles() throws {
    let file = try #require(readFile("/usr/share/unicode/emoji/emoji-variation-sequences.txt"))
    var (narrowed, same) = (0, 0)
    for line in file.split(separator: 0x0A) {
      let codes = String(decoding: line, as: UTF8.self).split(separator: " ").prefix(2)
      guard codes.last == "FE0E", let base = codes.first.flatMap({ UInt32($0, radix: 16) }).flatMap(Unicode.Scalar.init)
      else { continue }
      let text = Array("\(base)\u{FE0E}".utf8)
      let widths = CellProfile.ClusterWidth.allCases.map {
        cellWidth(of: text, profile: CellProfile(clusterWidth: $0))
      }
      if widths == [2, 2, 1] { narrowed += 1 }
      if widths == [1, 1, 1] { same += 1 }
    }
    #expect(narrowed == 141 && same == 213, "\(narrowed) and \(same)")
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
