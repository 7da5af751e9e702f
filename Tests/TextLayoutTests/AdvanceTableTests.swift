import TestSupport
import TextLayout
import Testing

@Suite("Widths in points are sums of declared advances")
struct AdvanceTableTests {
  /// A font with a narrow `i`, a wide `m`, an accent with an advance, and one with an explicit advance of 0.
  static let font = table(runs: [
    run(0x20, [160]), run(0x69, [150]), run(0x6D, [600]), run(0x301, [40, 0]), run(0x6F22, [900]), run(0x1F600, [1234]),
  ])

  @Test(
    "the width of a text is the sum of its characters' advances",
    arguments: [
      ("", 0), ("i", 150), ("m", 600), ("a", 300), (" ", 160), ("im a", 150 + 600 + 160 + 300), ("漢", 900), ("漣", 640),
      ("漣漢漣", 640 + 900 + 640), ("é", 300), ("e\u{301}", 300 + 40), ("e\u{300}", 300), ("e\u{302}", 300), ("😀", 1234),
      ("😁", 640),
      ("😁\u{FE0F}", 640), ("👍🏽", 1280), ("👨‍👩‍👧‍👦", 4 * 640), ("\n", 0), ("i\ni", 300), ("\u{200B}", 0), ("\u{AD}", 300),
      ("°", 300),
      ("字", 640), ("한", 640), ("ᄒ", 640), ("ᅡ", 0), ("\u{10FFFF}", 300),
    ])
  func sums(text: String, expected: Int) {
    #expect(width(of: Array(text.utf8).span, metrics: .advances(Self.font)) == expected)
    #expect(clusters(of: Array(text.utf8).span, metrics: .advances(Self.font)).reduce(0) { $0 + $1.width } == expected)
  }

  @Test(
    "lines of 1,000 break before a word that does not fit, and spaces hang",
    arguments: [
      ("", [""]), ("mi", ["mi"]), ("mi mi", ["mi ", "mi"]), ("iiiiii", ["iiiiii"]), ("iiiiiii", ["iiiiii", "i"]),
      ("iiiiii  ii", ["iiiiii  ", "ii"]), ("i i i i i", ["i i i ", "i i"]), ("漢漢", ["漢", "漢"]), ("漣iii", ["漣", "iii"]),
      ("漣ii", ["漣ii"]), ("😀i", ["😀", "i"]), ("m\nm", ["m\n", "m"]), ("mii ", ["mii "]),
      ("mii  mm", ["mii  ", "m", "m"]),
      ("mii\u{301}i", ["mii\u{301}", "i"]), ("mii\u{302}i", ["mii\u{302}", "i"]),
    ])
  func lines(text: String, expected: [String]) {
    let bytes = Array(text.utf8)
    var start = 0
    let lines = wrap(bytes, width: 1000, metrics: .advances(Self.font)).map { end in
      defer { start = Int(end) }
      return String(decoding: bytes[start..<Int(end)], as: UTF8.self)
    }
    #expect(lines == expected)
    #expect(lineCount(of: bytes.span, width: 1000, metrics: .advances(Self.font)) == expected.count)
  }

  @Test(
    "a text is truncated after the last cluster that fits",
    arguments: [
      ("mim", 750, 2), ("mim", 749, 1), ("e\u{301}x", 339, 0), ("e\u{301}x", 340, 3), ("", 5, 0),
      ("i\u{200B}i", 150, 4),
    ])
  func cutting(text: String, width: Int, end: Int) {
    #expect(truncate(Array(text.utf8).span, to: width, metrics: .advances(Self.font)) == end)
  }

  @Test("tables are equal if their widths are, regardless of how runs are divided")
  func equality() {
    let whole = table(runs: [run(0x61, [1, 2, 3])])
    #expect(whole == table(runs: [run(0x63, [3]), run(0x61, [1, 2])]))
    #expect(whole.hashValue == table(runs: [run(0x61, [1]), run(0x62, [2, 3])]).hashValue)
    #expect(whole == table(runs: [run(0x61, [1, 2, 3]), run(0x3B1, [300]), run(0x4E00, [640, 640])]))
    #expect(whole != table(runs: [run(0x61, [1, 2, 4])]))
    #expect(whole != table(runs: [run(0x61, [1, 2, 3]), run(0x4E00, [641])]))
    #expect(table(runs: []) != (try? AdvanceTable(runs: [], otherwise: 300, wide: 641)))
  }

  @Test(
    "invalid runs are refused with the number of the run",
    arguments: [
      ([(0x61, 2), (0x100, 0)], .noAdvances(run: 1)),
      ([(0x10FFFF, 1), (0x10FFFF, 2)], .noScalar(run: 1)),
      ([(0xFFFF_FFFF, 1)], .noScalar(run: 0)),
      ([(0xD7FF, 1), (0xE000, 1), (0xD7FF, 2)], .surrogate(run: 2)),
      ([(0xDFFF, 1)], .surrogate(run: 0)),
      ([(0x61, 3), (0x10, 4), (0x63, 1)], .overlap(run: 2, earlier: 0, scalar: 0x63)),
      ([(0x61, 3), (0x60, 2)], .overlap(run: 1, earlier: 0, scalar: 0x61)),
      ([(0x61, 1), (0x61, 1)], .overlap(run: 1, earlier: 0, scalar: 0x61)),
      ([(0x0, 40_000), (0x10000, 25_536), (0x20000, 1)], .tooManyAdvances(run: 2)),
    ] as [([(UInt32, Int)], AdvanceTableError)])
  func refused(runs: [(UInt32, Int)], error: AdvanceTableError) {
    #expect(throws: error) {
      try AdvanceTable(
        runs: runs.map { .init(first: $0.0, advances: Array(repeating: 1, count: $0.1)) }, otherwise: 300, wide: 640)
    }
  }

  @Test("the maximum number of advances is accepted, and the error for more is helpful")
  func limit() throws {
    let most = AdvanceTable.maximumAdvances
    let table = try AdvanceTable(
      runs: (0..<most).map { .init(first: 0xE000 + UInt32($0) * 15, advances: [7]) }, otherwise: 1, wide: 2)
    #expect(width(of: Array("\u{E000}\u{E001}\u{E00F}".utf8).span, metrics: .advances(table)) == 7 + 1 + 7)
    #expect(AdvanceTableError.tooManyAdvances(run: 3).description.contains("more than 65536 advances: omit"))
    #expect(
      AdvanceTableError.overlap(run: 2, earlier: 0, scalar: 0x63).description.contains(
        "run 2 of the advances repeats U+0063"))
  }

  @Test("advances of 64, 128 and 0 wrap like cells", arguments: [5, 20_111_122] as [UInt64])
  func cells(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let table = try AdvanceTable(runs: [], otherwise: 64, wide: 128)
    for _ in 0..<3000 {
      let text = WrappingLawTests.randomText(&random)
      let width = Int.random(in: 1...60, using: &random)
      #expect(
        wrap(text, width: width * 64 + Int.random(in: 0..<64, using: &random), metrics: .advances(table))
          == wrap(text, width: width, profile: CellProfile()),
        "seed \(seed), width \(width): \(String(decoding: text, as: UTF8.self).debugDescription)")
    }
  }

  private static func run(_ first: UInt32, _ advances: [UInt16]) -> AdvanceTable.Run {
    .init(first: first, advances: advances)
  }

  private static func table(runs: [AdvanceTable.Run]) -> AdvanceTable {
    guard let table = try? AdvanceTable(runs: runs, otherwise: 300, wide: 640) else {
      preconditionFailure("the table of a test is valid")
    }
    return table
  }

  private func run(_ first: UInt32, _ advances: [UInt16]) -> AdvanceTable.Run { Self.run(first, advances) }
  private func table(runs: [AdvanceTable.Run]) -> AdvanceTable { Self.table(runs: runs) }
}
