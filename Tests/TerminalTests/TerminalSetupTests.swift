import ClientCore
import Terminal
import Testing

@Suite("Terminal modes, colours and abilities")
struct TerminalSetupTests {
  @Test("every mode that is turned on is turned off again") func modes() {
    let enter = String(decoding: TerminalModes.enter(mouse: true), as: UTF8.self)
    let leave = String(decoding: TerminalModes.leave, as: UTF8.self)
    #expect(leave.hasPrefix("\u{18}\u{1B}\\"), "ends any open sequence")
    for sequence in enter.split(separator: "\u{1B}[?").map({ $0.split(separator: "\u{1B}")[0] })
    where sequence.last == "h" {
      #expect(leave.contains("\u{1B}[?\(sequence.dropLast())l"), "\(sequence)")
    }
    for (on, off) in [
      ("\u{1B}[22;2t", "\u{1B}[23;2t"), ("\u{1B}[?7l", "\u{1B}[?7h"), ("\u{1B}[>4;1m", "\u{1B}[>4m"),
      ("\u{1B}[>1u", "\u{1B}[<u"),
    ] {
      #expect(enter.contains(on) && leave.contains(off))
    }
    #expect(leave.contains("\u{1B}[?25h") && leave.contains("\u{1B}[?2026l") && leave.contains("\u{1B}]8;;\u{1B}\\"))
    #expect(!String(decoding: TerminalModes.enter(mouse: false), as: UTF8.self).contains("1000"))
  }

  @Test(
    "the number of colours",
    arguments: [
      ("xterm", nil, ColorDepth.sixteen), ("xterm-256color", nil, .indexed), ("tmux-256color", "truecolor", .full),
      ("xterm", "24bit", .full),
      ("xterm-kitty", nil, .full), ("foot", nil, .full), ("xterm-direct", nil, .full), ("linux", nil, .sixteen),
      ("dumb", "truecolor", .none),
      (nil, nil, .none), ("footless", nil, .sixteen),
    ] as [(String?, String?, ColorDepth)]) func depth(term: String?, colorTerm: String?, depth: ColorDepth)
  {
    #expect(ColorDepth.detect(.auto, term: term, colorTerm: colorTerm, noColor: nil) == depth)
    #expect(ColorDepth.detect(.auto, term: term, colorTerm: colorTerm, noColor: "1") == .none)
    #expect(ColorDepth.detect(.never, term: term, colorTerm: colorTerm, noColor: nil) == .none)
    #expect(ColorDepth.detect(.always, term: term, colorTerm: colorTerm, noColor: "1") != .none)
  }

  @Test("the nearest colour") func nearest() {
    #expect(ColorDepth.indexed.nearest(.rgb(255, 255, 255)) == .indexed(231))
    #expect(ColorDepth.indexed.nearest(.rgb(118, 118, 118)) == .indexed(243))
    #expect(ColorDepth.sixteen.nearest(.rgb(250, 0, 10)) == .named(9))
    #expect(ColorDepth.sixteen.nearest(.indexed(244)) == .named(8))
    #expect(ColorDepth.sixteen.nearest(.indexed(3)) == .named(3))
    #expect(ColorDepth.none.nearest(.named(3)) == .standard)
    for depth in ColorDepth.allCases { #expect(depth.nearest(.standard) == .standard) }
  }

  @Test(
    "copied text is encoded as in RFC 4648",
    arguments: [
      ("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="), ("fooba", "Zm9vYmE="),
      ("foobar", "Zm9vYmFy"),
    ]) func clipboard(text: String, code: String)
  {
    #expect(Clipboard.sequence(for: Array(text.utf8)) == Array("\u{1B}]52;c;\(code)\u{1B}\\".utf8))
    #expect(Clipboard.sequence(for: Array(repeating: 0x61, count: Clipboard.limitBytes + 1)) == nil)
  }

  private static func answers(_ widths: [Int], modes: [(Int, Int)] = []) -> Probes {
    var probes = Probes()
    for width in widths { #expect(probes.consumeReply(.reply(.cursor(line: 1, column: width))) == nil) }
    for (mode, state) in modes { #expect(probes.consumeReply(.reply(.mode(mode, state: state))) == nil) }
    #expect(probes.consumeReply(.reply(.attributes)) == nil)
    #expect(probes.isComplete)
    return probes
  }

  @Test(
    "the width profile of emoji",
    arguments: [
      ([6, 4, 4, 1, 1, 1, 2], false, 1), ([6, 4, 2, 1, 1, 1, 2], false, 1), ([2, 2, 2, 2, 2, 1, 2], true, 1),
      ([6, 4, 2, 1, 1, 2, 2], false, 2), ([2, 2, 2, 2, 2, 1, 1], true, 1), ([2, 2, 2, 2, 2, 2, 1], true, 2),
      // tmux 3.3a joins at U+200D and does not make a keycap wide.
      ([2, 4, 2, 1, 1, 1, 2], false, 1), ([2, 2, 2, 1, 1, 1, 1], false, 1), ([], false, 1), ([2, 2], false, 1),
    ]) func profiles(widths: [Int], isCluster: Bool, ambiguous: Int)
  {
    let probes = Self.answers(widths)
    #expect(probes.drawsClusters == isCluster)
    #expect(probes.drawsTextNarrow == (isCluster && widths.last == 1))
    #expect(probes.ambiguousWidth == ambiguous)
  }

  @Test("without an answer about widths, mode 2027 says that clusters are drawn, and nothing of text") func mode2027() {
    let probes = Self.answers([], modes: [(2027, 1)])
    #expect(probes.drawsClusters && !probes.drawsTextNarrow)
  }

  @Test("modes that a terminal supports", arguments: [(0, false), (1, true), (2, true), (3, true), (4, false)])
  func synchronized(state: Int, isThere: Bool) {
    #expect(Self.answers([], modes: [(2026, state)]).hasSynchronizedOutput == isThere)
    #expect(!Self.answers([]).hasSynchronizedOutput)
  }

  @Test("keys typed meanwhile are returned, and late replies are not keys") func typing() {
    var probes = Probes()
    #expect(probes.consumeReply(.key(Key(.character("j")))) == .key(Key(.character("j"))))
    _ = probes.consumeReply(.reply(.attributes))
    #expect(probes.consumeReply(.reply(.cursor(line: 1, column: 2))) == .reply(.cursor(line: 1, column: 2)))
  }

  @Test("the last query is one that every terminal answers, and nothing stays on the screen") func questions() {
    let text = String(decoding: Probes.questions, as: UTF8.self)
    #expect(text.hasSuffix("\u{1B}[c"))
    #expect(text.contains("\u{1B}[2;1H\u{1B}[2K"))
    #expect(text.components(separatedBy: "\u{1B}[6n") == 8)
  }
}

extension String {
  fileprivate func components(separatedBy text: String) -> Int {
    var count = 1
    var rest = self[...]
    while let range = rest.firstRange(of: text) {
      count += 1
      rest = rest[range.upperBound...]
    }
    return count
  }
}
