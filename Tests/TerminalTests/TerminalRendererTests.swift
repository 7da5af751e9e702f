import Terminal
import TestSupport
import Testing

@Suite("Rendering pictures")
struct TerminalRendererTests {
  private static func piece(_ text: String, _ style: Style = Style(), link: String = "") -> Picture.Piece {
    Picture.Piece(Array(text.utf8), style, link: Array(link.utf8))
  }

  private static func run(_ column: Int, _ width: Int, _ text: String, _ style: Style = Style(), blank: Style = Style())
    -> Picture.Run
  {
    Picture.Run(column: column, width: width, [piece(text, style)], blank: blank)
  }

  private static func picture(_ lines: [[Picture.Run]], columns: Int = 40) -> Picture {
    var picture = Picture(columns: columns, lines: lines.count)
    for (line, runs) in lines.enumerated() { for run in runs { picture.put(run, line: line) } }
    return picture
  }

  /// Paints pictures in order. Returns the last output and the resulting screen.
  private static func paint(_ pictures: [Picture], traits: RendererTraits = RendererTraits(colorDepth: .full)) -> (
    bytes: String, Emulator
  ) {
    var renderer = TerminalRenderer(traits)
    var emulator = Emulator(columns: pictures[0].columns, lines: pictures[0].lines)
    var bytes: [UInt8] = []
    for picture in pictures {
      bytes = renderer.paint(picture)
      emulator.write(bytes)
    }
    #expect(emulator.faults == [])
    return (String(decoding: bytes, as: UTF8.self), emulator)
  }

  @Test("the same picture takes no bytes") func same() {
    let picture = Self.picture([[Self.run(0, 5, "hello")]])
    #expect(Self.paint([picture, picture]).bytes == "")
  }

  @Test("only the cells of plain text that differ are written") func cells() {
    let old = Self.picture([[Self.run(0, 20, "one post"), Self.run(20, 10, "twelve")]])
    let new = Self.picture([[Self.run(0, 20, "one poet"), Self.run(20, 10, "twelve")]])
    #expect(Self.paint([old, new]).bytes == "\u{1B}[1;7He")
    let gone = Self.picture([[Self.run(0, 20, "one"), Self.run(20, 10, "twelve")]])
    #expect(Self.paint([old, gone]).bytes == "\u{1B}[1;5H    ")
  }

  @Test("moves within a line are short, and short gaps are rewritten") func gaps() {
    let old = Self.picture([[Self.run(0, 40, "a.b.......................c")]])
    let new = Self.picture([[Self.run(0, 40, "A.B.......................C")]])
    #expect(Self.paint([old, new]).bytes == "\u{1B}[1;1HA.B\u{1B}[27GC")
  }

  @Test("other text is written whole, over blanks, and the cursor is positioned afterwards") func texts() {
    let old = Self.picture([[Self.run(0, 8, "漁師"), Self.run(8, 4, "abcd")]])
    let new = Self.picture([[Self.run(0, 8, "漁村"), Self.run(8, 4, "abcX")]])
    #expect(Self.paint([old, new]).bytes == "\u{1B}[1;1H\u{1B}[8X漁村\u{1B}[1;12HX")
    #expect(Self.paint([old, new]).1.text == ["漁村    abcX" + String(repeating: " ", count: 28)])
  }

  @Test("a covered text comes back when the run above it goes") func overlap() {
    let low = Self.run(0, 10, "漁師漁師漁")
    let high = Self.run(3, 4, "box")
    let (_, covered) = Self.paint([Self.picture([[low]]), Self.picture([[low, high]])])
    #expect(covered.text[0].hasPrefix("漁 box  漁"))
    let (_, uncovered) = Self.paint([Self.picture([[low, high]]), Self.picture([[low]])])
    #expect(uncovered.text[0].hasPrefix("漁師漁師漁"))
  }

  @Test("a text wider than expected does not damage its neighbours") func overflow() {
    let emoji = Self.run(0, 4, "👩‍👩‍👧")
    let lines = [[emoji, Self.run(4, 1, "│"), Self.run(5, 6, "beside")]]
    var renderer = TerminalRenderer(RendererTraits(colorDepth: .none))
    var emulator = Emulator(columns: 40, lines: 1)
    for text in ["plain", "👩‍👩‍👧", "x", "👩‍👩‍👦"] {
      var lines = lines
      lines[0][0] = Self.run(0, 4, text)
      emulator.write(renderer.paint(Self.picture(lines)))
      #expect(emulator.cells[0][4..<11].map(\.text) == ["│", "b", "e", "s", "i", "d", "e"])
    }
  }

  @Test("style changes write only the differences") func styles() {
    let red = Style(foreground: .named(1), attributes: .bold)
    let faintRed = Style(foreground: .named(1), attributes: .faint)
    let picture = Self.picture([
      [Picture.Run(column: 0, width: 4, [Self.piece("a", red), Self.piece("b", faintRed), Self.piece("cd")])]
    ])
    let blank = Self.picture([[]])
    #expect(Self.paint([blank, picture]).bytes == "\u{1B}[1;1H\u{1B}[1;31ma\u{1B}[22;2mb\u{1B}[mcd")
  }

  @Test("a full style is written if that is shorter than the differences") func stylesAnew() {
    let heavy = Style(foreground: .rgb(0, 10, 200), background: .indexed(7), attributes: .bold)
    let light = Style(foreground: .rgb(99, 100, 255))
    let picture = Self.picture([[Picture.Run(column: 0, width: 2, [Self.piece("a", heavy), Self.piece("b", light)])]])
    #expect(
      Self.paint([Self.picture([[]]), picture]).bytes
        == "\u{1B}[1;1H\u{1B}[1;38;2;0;10;200;48;5;7ma\u{1B}[;38;2;99;100;255mb")
  }

  @Test(
    "colours are reduced to those of the terminal",
    arguments: [
      (ColorDepth.none, "\u{1B}[1;1H\u{1B}[1mx"), (.sixteen, "\u{1B}[1;1H\u{1B}[1;91mx"),
      (.indexed, "\u{1B}[1;1H\u{1B}[1;38;5;196mx"),
      (.full, "\u{1B}[1;1H\u{1B}[1;38;2;250;5;5mx"),
    ]) func depths(depth: ColorDepth, bytes: String)
  {
    let style = Style(foreground: .rgb(250, 5, 5), attributes: .bold)
    let pictures = [Self.picture([[]]), Self.picture([[Self.run(0, 1, "x", style)]])]
    #expect(Self.paint(pictures, traits: RendererTraits(colorDepth: depth)).bytes == bytes)
  }

  @Test("only links with allowed targets are written") func links() {
    func bytes(_ link: String) -> String {
      Self.paint([
        Self.picture([[]]), Self.picture([[Picture.Run(column: 0, width: 3, [Self.piece("see", link: link)])]]),
      ]).bytes
    }
    #expect(bytes("https://example.org/ä").contains("\u{1B}]8;;https://example.org/%C3%A4\u{1B}\\see"))
    #expect(!bytes("file:///etc/passwd").contains("passwd"))
    #expect(!bytes("https://e.org/\u{1B}[2J").contains("\u{1B}[2J"))
  }

  @Test(
    "text never becomes a control sequence",
    arguments: ["\u{1B}[2J", "\u{9B}2J", "a\u{202E}b", "tab\tand\nline", "\u{7}"])
  func escapes(text: String) {
    var picture = Self.picture([[Self.run(0, 20, text)]])
    picture.title = Array(text.utf8)
    let (_, emulator) = Self.paint([Self.picture([[]]), picture])
    #expect(!emulator.title.isEmpty)
  }

  @Test("synchronised output is used if available") func synchronized() {
    var traits = RendererTraits(colorDepth: .full)
    traits.hasSynchronizedOutput = true
    let (bytes, emulator) = Self.paint([Self.picture([[]]), Self.picture([[Self.run(0, 1, "x")]])], traits: traits)
    #expect(bytes == "\u{1B}[?2026h\u{1B}[1;1Hx\u{1B}[?2026l")
    #expect(!emulator.isHeld)
  }

  @Test("right-to-left text is isolated") func directions() {
    let picture = Self.picture([[Self.run(0, 12, " נועה @noa")]])
    #expect(Self.paint([Self.picture([[]]), picture]).bytes.contains(" \u{2068}נועה @noa\u{2069}"))
    // The isolate takes no cell: without a blank in the run it would be in a neighbour's cell.
    let tight = Self.picture([[Self.run(0, 4, "abcd"), Self.run(4, 12, "נועה @noa")]])
    #expect(!Self.paint([Self.picture([[]]), tight]).bytes.contains("\u{2068}"))
    var traits = RendererTraits(colorDepth: .full)
    traits.isolatesDirections = false
    #expect(!Self.paint([Self.picture([[]]), picture], traits: traits).bytes.contains("\u{2068}"))
  }

  @Test("the cursor is placed correctly, also after text that only the terminal can measure") func cursor() {
    var picture = Self.picture([[Self.run(2, 20, "漁師 writes")]])
    picture.cursor = .within(line: 0, column: 2, bytes: 6)
    let (_, emulator) = Self.paint([picture])
    #expect(emulator.isCursorShown && emulator.cursor == (0, 6))
    picture.cursor = .within(line: 0, column: 2, bytes: 0)
    #expect(Self.paint([picture]).1.cursor == (0, 2))
    picture.cursor = .at(line: 5, column: 99)
    #expect(Self.paint([picture]).1.cursor == (0, 39), "as near as possible")
    picture.cursor = .hidden
    #expect(!Self.paint([picture]).1.isCursorShown)
  }

  @Test("text at the right edge is cut between characters") func edge() {
    let picture = Self.picture([[Self.run(36, 10, "漁師漁師")]])
    #expect(Self.paint([picture]).1.text[0].hasSuffix("漁師"))
    #expect(Self.paint([Self.picture([[Self.run(37, 10, "漁師漁師")]])]).1.text[0].hasSuffix("漁 "))
  }

  @Test("no half of a wide character remains under a narrower text") func halves() {
    let ground = Style(background: .rgb(90, 0, 0))
    let old = Self.picture([[Self.run(0, 8, "a 漁 bcd")]])
    let new = Self.picture([[Self.run(0, 3, "é", blank: ground), Self.run(3, 5, "xyz")]])
    #expect(Self.paint([old, new]).1 == Self.paint([new]).1)
    #expect(Self.paint([old, new]).1.cells[0][2].look == ["b2;90;0;0"])
  }

  @Test(
    "a wide character under an edge becomes a blank with its own background, and is erased as a whole",
    arguments: 3...6)
  func cutByOverlay(width: Int) {
    let sea = Style(background: .rgb(0, 0, 90))
    let low = Picture.Run(column: 0, width: 20, [Self.piece("漁師漁師漁師漁師漁師", sea)])
    for column in 0...14 {
      for text in ["│", "", "box", "港"] {
        let high = Self.run(column, width, text)
        let pictures = [
          Self.picture([[low]]), Self.picture([[low, high]]), Self.picture([[low]]), Self.picture([[low, high]]),
        ]
        var renderer = TerminalRenderer(RendererTraits(colorDepth: .full))
        var emulator = Emulator(columns: 40, lines: 1)
        emulator.erasesWholeCharacters = false
        for (number, picture) in pictures.enumerated() {
          emulator.write(renderer.paint(picture))
          #expect(emulator.halves == [], "picture \(number), \(text) at \(column)")
          let isCovered = number % 2 == 1
          let seen = (0..<20).filter { !isCovered || !(column..<column + width).contains($0) }
          for cell in seen {
            #expect(emulator.cells[0][cell].look == ["b2;0;0;90"], "column \(cell), \(text) at \(column)")
          }
          guard isCovered else { continue }
          let words = (0..<10).map { $0 % 2 == 0 ? "漁" : "師" }
          for (word, cell) in zip(words, stride(from: 0, to: 20, by: 2)) {
            let shown = seen.filter { $0 == cell || $0 == cell + 1 }
            let expected = shown.count == 2 ? [word, ""] : [" "]
            if !shown.isEmpty { #expect(shown.map { emulator.cells[0][$0].text } == expected, "\(text) at \(column)") }
          }
        }
      }
    }
  }

  @Test("text after one of uncertain width is blank while covered, and comes back") func cutUncertain() {
    let low = Self.run(0, 20, "👩‍👩‍👧 and the otter")
    let (_, covered) = Self.paint([Self.picture([[low]]), Self.picture([[low, Self.run(8, 3, "box")]])])
    #expect(covered.text[0].contains("box"))
    #expect(!covered.text[0].contains("otter"))
    let (_, uncovered) = Self.paint([Self.picture([[low, Self.run(8, 3, "box")]]), Self.picture([[low]])])
    #expect(uncovered.text[0].contains("and the otter"))
  }

  @Test("a joiner at the end of a run joins nothing") func openJoiner() {
    let picture = Self.picture([[Self.run(0, 8, "👩\u{200D}👩\u{200D}"), Self.run(8, 4, "abcd")]])
    #expect(Self.paint([picture]).bytes.contains("👩\u{200D}👩\u{1B}"))
  }

  @Test("zero-width characters at the beginning of a run join nothing") func joining() {
    let picture = Self.picture([[Self.run(0, 4, "abcd"), Self.run(4, 4, "\u{301}ä")]])
    #expect(Self.paint([picture]).1.text[0].hasPrefix("abcdä"))
    let ignorable = Self.picture([[Self.run(0, 4, "abcd"), Self.run(4, 4, "\u{FEFF}\u{200B}\u{200D}e\u{FEFF}f")]])
    let bytes = Self.paint([ignorable]).bytes
    #expect(
      bytes.contains("e\u{FEFF}f") && !bytes.contains("\u{200B}")
        && bytes.count { $0.unicodeScalars.contains("\u{FEFF}") } == 1)
  }

  // MARK: The law

  private static let words = ["otter", "漁師", "é", "🦦", "│", "", "x", "שלום", "ab cd", "#sea", "ーーー", "👍🏽", "a 漁 b"]

  private static func randomRun(columns: Int, _ random: inout SeededGenerator) -> Picture.Run {
    let styles = [
      Style(), Style(foreground: .named(2)), Style(background: .rgb(0, 0, 90)), Style(attributes: [.bold, .inverse]),
      Style(attributes: .underline),
    ]
    let width = Int.random(in: 1...14, using: &random)
    var left = width
    var pieces: [Picture.Piece] = []
    for _ in 0..<Int.random(in: 0...3, using: &random) {
      let word = words.randomElement(using: &random)!
      let cells = word.unicodeScalars.reduce(0) { $0 + Emulator.commonWidth($1) }
      guard cells <= left else { continue }
      left -= cells
      let link = Int.random(in: 0..<5, using: &random) == 0 ? "https://example.org" : ""
      pieces.append(piece(word, styles.randomElement(using: &random)!, link: link))
    }
    return Picture.Run(
      column: Int.random(in: 0..<columns, using: &random), width: width, pieces,
      blank: styles.randomElement(using: &random)!)
  }

  private static func randomPicture(_ old: Picture?, _ random: inout SeededGenerator) -> Picture {
    let (columns, lines) = (30, 4)
    var picture = Picture(columns: columns, lines: lines)
    for line in 0..<lines {
      // Most of the screen stays the same.
      var runs = Int.random(in: 0..<3, using: &random) == 0 ? [] : old?.runs[line] ?? []
      if runs.isEmpty {
        runs = (0..<Int.random(in: 0...6, using: &random)).map { _ in randomRun(columns: columns, &random) }
      }
      if Bool.random(using: &random), !runs.isEmpty {
        runs[Int.random(in: runs.indices, using: &random)] = randomRun(columns: columns, &random)
      }
      for run in runs { picture.put(run, line: line) }
    }
    let place = (line: Int.random(in: 0..<lines, using: &random), column: Int.random(in: 0..<columns, using: &random))
    switch Int.random(in: 0..<3, using: &random) {
    case 0: picture.cursor = .hidden
    case 1: picture.cursor = .at(line: place.line, column: place.column)
    default:
      let text =
        picture.runs[place.line].last { $0.column..<$0.column + $0.width ~= place.column }?.pieces.flatMap(\.text) ?? []
      let prefixes = String(decoding: text, as: UTF8.self).reduce(into: [0]) { $0.append($0.last! + $1.utf8.count) }
      picture.cursor = .within(line: place.line, column: place.column, bytes: prefixes.randomElement(using: &random)!)
    }
    return picture
  }

  @Test(
    "after any pictures the screen looks as after a full repaint of the last",
    arguments: seeds(0..<150 as Range<UInt64>))
  func law(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var traits = RendererTraits(colorDepth: ColorDepth.allCases.randomElement(using: &random)!)
    traits.hasSynchronizedOutput = Bool.random(using: &random)
    traits.erasesWithBackground = Bool.random(using: &random)
    var renderer = TerminalRenderer(traits)
    var shown = Emulator(columns: 30, lines: 4)
    shown.erasesWholeCharacters = Bool.random(using: &random)
    var picture: Picture?
    for step in 0..<25 {
      let next = Self.randomPicture(picture, &random)
      picture = next
      shown.write(renderer.paint(next))
      var fresh = TerminalRenderer(traits)
      var expected = Emulator(columns: 30, lines: 4)
      expected.write(fresh.paint(next))
      #expect(shown.faults == [] && expected.faults == [])
      #expect(shown.halves == [], "seed \(seed), step \(step)")
      guard shown == expected else {
        Issue.record("seed \(seed), step \(step): \(shown.difference(to: expected))")
        return
      }
      #expect(renderer.paint(next) == [])
      if Int.random(in: 0..<10, using: &random) == 0 { renderer.repaint() }
    }
  }
}
