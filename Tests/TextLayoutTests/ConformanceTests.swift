@testable import TextLayout
import Testing

@Suite("Unicode 15.0 conformance tests")
struct ConformanceTests {
  @Test("every line of LineBreakTest.txt passes")
  func lineBreaks() throws {
    let tests = try #require(publishedTests("LineBreakTest.txt"), "install Debian's package unicode-data")
    #expect(tests.count == 7654)
    for test in tests { #expect(breaks(of: test.text) == test.breaks, "\(test.line)") }
  }

  @Test("every line of GraphemeBreakTest.txt passes")
  func clusterBreaks() throws {
    let tests = try #require(publishedTests("GraphemeBreakTest.txt"), "install Debian's package unicode-data")
    #expect(tests.count == 602)
    for test in tests {
      for profile in everyProfile {
        let found = clusters(of: test.text, profile: profile)
        #expect([0] + found.map { $0.offset + $0.count } == test.breaks, "\(test.line)")
      }
    }
  }

  @Test("the tables and the tests have the same Unicode version")
  func version() { #expect(UnicodeTables.version == "15.0.0") }

  /// Returns the offsets at which UAX #14 allows or requires a line to end, including the end of the text.
  private func breaks(of text: [UInt8]) -> [Int] {
    let automaton = Automaton.unicode
    var found: [Int] = []
    var state = 0
    var offset = 0
    while offset < text.count {
      let (entry, length) = automaton.decode(text.span, at: offset)
      let transition = automaton.transition(state, entry.cls)
      state = transition.next
      let may = transition.looksAhead && !automaton.digitFollows(text.span, from: offset + length)
      if transition.mustBreak || transition.mayBreak || may { found.append(offset) }
      offset += length
    }
    return found + [text.count]
  }
}

/// All cell profiles.
let everyProfile: [CellProfile] = CellProfile.ClusterWidth.allCases.flatMap { clusterWidth in
  CellProfile.AmbiguousWidth.allCases.map { CellProfile(clusterWidth: clusterWidth, ambiguousWidth: $0) }
}
