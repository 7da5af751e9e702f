internal import Glibc
@testable import TextLayout
import TestSupport
import Testing

@Suite("Wrapping of random texts")
struct WrappingLawTests {
  /// Pieces for every kind of rule: ASCII of all classes, numbers, scripts, marks, joiners, emoji, flags, controls.
  static let pieces: [String] = [
    "a", "word", "Z", " ", " ", "  ", "     ", "\n", "-", "--", "/", ",", ".", ":", ";", "!", "?", "(", "[", "{", ")",
    "]", "}",
    "\"", "'", "%", "$", "+", "\\", "|", "#", "*", "&", "@", "~", "^", "_", "=", "<", ">", "`", "0", "1", "42", "3.14",
    "1,000",
    "https://t.co/aB3", "e\u{301}", "\u{301}", "é", "漢", "字。", "「", "」", "ー", "っ", "ไทย", "ำ", "नि", "क्ष", "한", "ᄒ", "ᅡ",
    "ᆫ",
    "שלום", "مرحبا", "\u{600}", "😀", "👍🏽", "👨‍👩‍👧‍👦", "❤️", "❤", "🇩", "🇩🇪", "1️⃣", "\u{200D}", "\u{FE0F}", "\u{200B}", "\u{2060}",
    "\u{A0}",
    "naïve", "größe", "Αθήνα", "Привет", "о\u{306}", "ﬀ", "\u{AD}", "—", "…", "“", "”", "«", "»", "€", "°", "\u{FFFC}",
    "\u{FFFD}", "\r", "\u{85}", "\u{1F02C}", "🏿", "א-", "$(", "%(",
    "⌚", "⌚\u{FE0E}", "⌚\u{FE0F}", "🐿\u{FE0E}", "\u{FE0E}",
  ]

  @Test(
    "no byte is lost, no cluster split, and every line fits unless it is a single cluster",
    arguments: [1, 20_110_101] as [UInt64])
  func lines(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    for _ in 0..<(triesAllSeeds ? 1000 : 250) {
      let text = Self.randomText(&random)
      let width = Int.random(in: 1...24, using: &random)
      for profile in everyProfile {
        let ends = wrap(text, width: width, profile: profile).map { Int($0) }
        func context() -> Comment {
          "seed \(seed), width \(width), \(profile): \(String(decoding: text, as: UTF8.self).debugDescription)"
        }
        #expect(ends.last == text.count, context())
        let starts = [0] + ends.dropLast()
        #expect(text.isEmpty || zip(starts, ends).allSatisfy { $0 < $1 }, context())
        let boundaries = Set(clusters(of: text, profile: profile).map { $0.offset } + [text.count])
        #expect(ends.allSatisfy { boundaries.contains($0) }, context())
        for (start, end) in zip(starts, ends) {
          let line = displayed(text[start..<end])
          let fits = cellWidth(of: line, profile: profile) <= width
          #expect(fits || visibleClusters(of: line, profile: profile) == 1, "\(line) of \(context())")
        }
      }
    }
  }

  @Test("a run of empty lines is one line, and other lines stay as they are", arguments: [3, 20_110_407] as [UInt64])
  func emptyLines(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let blanks = ["\n", "\n", "\n", " ", "  "]
    var joined = 0
    for _ in 0..<1000 {
      let text = (0..<Int.random(in: 0...6, using: &random)).flatMap { _ in
        let blank = (0..<Int.random(in: 0...6, using: &random)).map { _ in blanks.randomElement(using: &random)! }
        return Array((blank.joined() + Self.pieces.randomElement(using: &random)!).utf8)
      }
      let width = Int.random(in: 1...24, using: &random)
      for profile in everyProfile {
        let every = wrap(text, width: width, profile: profile)
        let isEmpty = zip([0] + every, every).map { start, end in
          text[Int(start)..<Int(end)].allSatisfy { $0 == 0x20 || $0 == 0x0A }
        }
        // The last line of each run stays.
        let expected = every.indices.filter { !isEmpty[$0] || $0 + 1 == every.count || !isEmpty[$0 + 1] }.map {
          every[$0]
        }
        var ends: [UInt32] = [7]
        wrap(text.span, width: width, metrics: .cells(profile), joinsEmptyLines: true, into: &ends)
        let count = lineCount(of: text.span, width: width, metrics: .cells(profile), joinsEmptyLines: true)
        let context: Comment = "seed \(seed), width \(width): \(String(decoding: text, as: UTF8.self).debugDescription)"
        #expect(ends == [7] + expected && count == expected.count, context)
        joined += every.count - expected.count
      }
    }
    #expect(joined > 1000)
  }

  /// Checks 50,000 texts, or 6,000 with few seeds; `STACK_LAWS` sets another number and `STACK_SEED` the seed.
  @Test("every way of wrapping gives the same lines as the automaton alone")
  func reference() {
    let count = number("STACK_LAWS") ?? (triesAllSeeds ? 50_000 : 6_000)
    let seed = UInt64(number("STACK_SEED") ?? 20_110_812)
    var random = SeededGenerator(seed: seed)
    var ends: [UInt32] = []
    var differing = 0
    for _ in 0..<count {
      let text = Self.randomText(&random)
      let width = Int.random(in: 1...60, using: &random)
      let profile = everyProfile.randomElement(using: &random)!
      ends.removeAll(keepingCapacity: true)
      wrap(text.span, width: width, metrics: .cells(profile), into: &ends)
      let lines = lineCount(of: text.span, width: width, metrics: .cells(profile))
      guard ends != referenceWrap(text, width: width, profile: profile) || lines != ends.count else { continue }
      differing += 1
      if differing <= 3 {
        Issue.record(
          "seed \(seed), width \(width), \(profile): \(String(decoding: text, as: UTF8.self).debugDescription)")
      }
    }
    #expect(differing == 0, "of \(count) texts of seed \(seed)")
    print("laws of wrapping: \(count) texts of seed \(seed)")
  }

  /// Returns a number from the environment.
  private func number(_ name: String) -> Int? {
    guard let value = unsafe getenv(name) else { return nil }
    return unsafe Int(String(cString: value))
  }

  @Test("no index in the tables leads outside them")
  func closed() {
    let rows = UnicodeTables.stateCount * UnicodeTables.classCount
    for state in stride(from: 0, to: rows, by: UnicodeTables.classCount) {
      for cls in 0..<UnicodeTables.classCount {
        let next = Automaton.unicode.transition(state, cls).next
        #expect(next % UnicodeTables.classCount == 0 && next < rows)
      }
    }
    for cls in 0..<UnicodeTables.classCount {
      let joins = Automaton.unicode.joins(cls)
      for row in [joins.rowAfter, joins.rowAfterSpace].compactMap({ $0 }) {
        #expect(row % UnicodeTables.classCount == 0 && row < rows)
      }
    }
    for scalar in [0xC0..<0x300, 0x380..<0x480].joined() {
      for profile in everyProfile where profile.ambiguousWidth == .one {
        #expect(
          Automaton.unicode.entry(scalar: scalar).cells(profile: profile.number) == 1, "Automaton.latin relies on it")
      }
    }
    #expect(UnicodeTables.transitions.count == UnicodeTables.stateCount)
    #expect(UnicodeTables.classJoins.count == 1)
    #expect(UnicodeTables.top.count == 1)
    #expect(UnicodeTables.middles.count == UnicodeTables.middleCount)
    #expect(UnicodeTables.leaves.count == UnicodeTables.leafCount)
    for entry in entries(UnicodeTables.leaves, count: 64, bits: 16) { #expect(entry & 0x7F < UnicodeTables.classCount) }
    for leaf in entries(UnicodeTables.middles, count: 64, bits: 16) {
      #expect(leaf % 64 == 0 && leaf / 64 < UnicodeTables.leafCount)
    }
    for block in entries(UnicodeTables.top, count: 512, bits: 8) { #expect(block < UnicodeTables.middleCount) }
  }

  private func entries(_ rows: [StaticBigInt], count: Int, bits: Int) -> [Int] {
    rows.flatMap { row in (0..<count).map { Int(row[$0 * bits / 64] >> UInt($0 * bits % 64) & (1 << UInt(bits) - 1)) } }
  }

  @Test(
    "lines are as long as possible: the first word of a line did not fit on the previous one",
    arguments: [2] as [UInt64])
  func greedy(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let profile = CellProfile()
    for _ in 0..<1000 {
      let words = (0..<Int.random(in: 1...30, using: &random)).map { _ in
        String(repeating: "x", count: Int.random(in: 1...9, using: &random))
      }
      let text = Array(words.joined(separator: " ").utf8)
      let width = Int.random(in: 9...30, using: &random)
      var expected: [UInt32] = []
      var column = 0
      var offset = 0
      for word in words {
        if column > 0 && column + word.utf8.count > width {
          expected.append(UInt32(offset))
          column = 0
        }
        column += word.utf8.count + 1
        offset += word.utf8.count + 1
      }
      #expect(wrap(text, width: width, profile: profile) == expected + [UInt32(text.count)], "seed \(seed)")
    }
  }

  @Test("arbitrary bytes are wrapped within bounds", arguments: [3] as [UInt64])
  func anyBytes(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    for _ in 0..<1000 {
      let text = (0..<Int.random(in: 0...40, using: &random)).map { _ in UInt8.random(in: 0...255, using: &random) }
      let ends = wrap(text, width: Int.random(in: 1...12, using: &random), profile: CellProfile())
      #expect(ends.last == UInt32(text.count) && ends == ends.sorted(), "seed \(seed): \(text)")
      #expect(
        clusters(of: text, profile: CellProfile()).reduce(0) { $0 + $1.count } == text.count, "seed \(seed): \(text)")
    }
  }

  /// Returns random pieces of all kinds, of ASCII alone, or mostly words, so that all ways of wrapping and all changes
  /// between them occur.
  static func randomText(_ random: inout SeededGenerator) -> [UInt8] {
    let style = Int.random(in: 0..<4, using: &random)
    let words =
      Bool.random(using: &random)
      ? ["word", "a", "Something", "in", "between", " ", " ", " ", " "]
      : ["été", "Straße", "город", "λόγος", "naïveté", " ", " ", " ", " "]
    return (0..<Int.random(in: 0...60, using: &random)).flatMap { _ -> [UInt8] in
      let piece =
        switch style {
        case 0: Self.pieces.randomElement(using: &random)!
        case 1: Self.asciiPieces.randomElement(using: &random)!
        default:
          (Int.random(in: 0..<(style == 2 ? 4 : 15), using: &random) == 0 ? Self.pieces : words).randomElement(
            using: &random)!
        }
      return Array(piece.utf8)
    }
  }

  private static let asciiPieces = pieces.filter { $0.utf8.allSatisfy { $0 < 0x80 } }

  /// Returns the displayed part of a line, without the spaces and the hard break at its end.
  private func displayed(_ line: ArraySlice<UInt8>) -> [UInt8] {
    var line = line
    for hardBreak in ["\u{85}", "\n", "\r"] where line.reversed().starts(with: hardBreak.utf8.reversed()) {
      line.removeLast(hardBreak.utf8.count)
    }
    while line.last == 0x20 { line.removeLast() }
    return Array(line)
  }

  /// Returns the number of clusters with a width.
  private func visibleClusters(of line: [UInt8], profile: CellProfile) -> Int {
    clusters(of: line, profile: profile).count { $0.width > 0 }
  }
}
