import Terminal
import TestSupport
import Testing

@Suite("Input from a terminal")
struct InputDecoderTests {
  /// Returns all events of some bytes, including incomplete input at the end.
  static func events(_ bytes: [UInt8]) -> [InputEvent] {
    var decoder = InputDecoder()
    return decoder.feed(bytes) + decoder.flush()
  }

  static func events(_ text: String) -> [InputEvent] { events(Array(text.utf8)) }

  private static func key(_ code: Key.Code, _ modifiers: Key.Modifiers = []) -> InputEvent {
    .key(Key(code, modifiers))
  }

  static let table: [(String, Key)] = [
    ("a", Key(.character("a"))), ("A", Key(.character("A"))), (" ", Key(.character(" "))), ("é", Key(.character("é"))),
    ("👩‍👩‍👧", Key(.character("👩‍👩‍👧"))), ("e\u{301}", Key(.character("e\u{301}"))),
    ("\r", Key(.enter)), ("\t", Key(.tab)), ("\u{7F}", Key(.backspace)), ("\u{8}", Key(.backspace)),
    ("\u{1B}", Key(.escape)),
    ("\0", Key(.character(" "), .control)), ("\u{1}", Key(.character("a"), .control)),
    ("\n", Key(.character("j"), .control)),
    ("\u{1A}", Key(.character("z"), .control)), ("\u{1C}", Key(.character("\\"), .control)),
    ("\u{1F}", Key(.character("_"), .control)),
    // Alt.
    ("\u{1B}x", Key(.character("x"), .alt)), ("\u{1B}é", Key(.character("é"), .alt)), ("\u{1B}\r", Key(.enter, .alt)),
    ("\u{1B}\u{1}", Key(.character("a"), [.alt, .control])), ("\u{1B}[", Key(.character("["), .alt)),
    ("\u{1B}O", Key(.character("O"), .alt)), ("\u{1B}]", Key(.character("]"), .alt)),
    ("\u{1B}P", Key(.character("P"), .alt)),
    ("\u{1B}\u{1B}[A", Key(.up, .alt)), ("\u{1B}\u{1B}OA", Key(.up, .alt)), ("\u{1B}\u{7F}", Key(.backspace, .alt)),
    // xterm, tmux.
    ("\u{1B}[A", Key(.up)), ("\u{1B}OB", Key(.down)), ("\u{1B}[1;5C", Key(.right, .control)),
    ("\u{1B}[1;2D", Key(.left, .shift)),
    ("\u{1B}[1;8A", Key(.up, [.shift, .alt, .control])), ("\u{1B}[H", Key(.home)), ("\u{1B}OF", Key(.end)),
    ("\u{1B}[1~", Key(.home)), ("\u{1B}[4~", Key(.end)), ("\u{1B}[5~", Key(.pageUp)),
    ("\u{1B}[6;3~", Key(.pageDown, .alt)),
    ("\u{1B}[2~", Key(.insert)), ("\u{1B}[3;5~", Key(.delete, .control)), ("\u{1B}[Z", Key(.tab, .shift)),
    ("\u{1B}OP", Key(.function(1))), ("\u{1B}[15~", Key(.function(5))), ("\u{1B}[24;2~", Key(.function(12), .shift)),
    ("\u{1B}[1;5S", Key(.function(4), .control)), ("\u{1B}[1;2R", Key(.function(3), .shift)),
    ("\u{1B}[R", Key(.function(3))),
    ("\u{1B}O5A", Key(.up, .control)), ("\u{1B}OM", Key(.enter)), ("\u{1B}Oj", Key(.character("*"))),
    ("\u{1B}Oy", Key(.character("9"))),
    // rxvt.
    ("\u{1B}[7~", Key(.home)), ("\u{1B}[8~", Key(.end)), ("\u{1B}[a", Key(.up, .shift)),
    ("\u{1B}Ob", Key(.down, .control)),
    ("\u{1B}[5^", Key(.pageUp, .control)), ("\u{1B}[5$", Key(.pageUp, .shift)),
    ("\u{1B}[5@", Key(.pageUp, [.control, .shift])),
    ("\u{1B}[11~", Key(.function(1))), ("\u{1B}[23$", Key(.function(11), .shift)),
    // The Linux console.
    ("\u{1B}[[A", Key(.function(1))), ("\u{1B}[[E", Key(.function(5))), ("\u{1B}[17~", Key(.function(6))),
    // modifyOtherKeys, CSI u, the kitty protocol.
    ("\u{1B}[27;5;49~", Key(.character("1"), .control)), ("\u{1B}[49;5u", Key(.character("1"), .control)),
    ("\u{1B}[97;6u", Key(.character("a"), .control)), ("\u{1B}[27;6;65~", Key(.character("a"), .control)),
    ("\u{1B}[97:65;2u", Key(.character("A"))), ("\u{1B}[233;3u", Key(.character("é"), .alt)),
    ("\u{1B}[27u", Key(.escape)),
    ("\u{1B}[13;5u", Key(.enter, .control)), ("\u{1B}[9;5u", Key(.tab, .control)),
    ("\u{1B}[127;3u", Key(.backspace, .alt)),
    ("\u{1B}[106;1:2u", Key(.character("j"))), ("\u{1B}[91;5u", Key(.escape)), ("\u{1B}[104;5u", Key(.backspace)),
    ("\u{1B}[99;5u", Key(.character("c"), .control)), ("\u{1B}[105;7u", Key(.tab, .alt)),
  ]

  @Test("keys as terminals send them", arguments: table) func keys(bytes: String, key: Key) {
    #expect(Self.events(bytes) == [.key(key)])
  }

  @Test("splitting the input changes nothing", arguments: table) func cuts(bytes: String, key: Key) {
    // A cluster of several code points is one key only if it arrives in one read.
    guard bytes.unicodeScalars.allSatisfy({ $0.isASCII }) || bytes.unicodeScalars.count <= 2 && bytes != "e\u{301}"
    else { return }
    var decoder = InputDecoder()
    let parts = bytes.utf8.flatMap { decoder.feed([$0]) } + decoder.flush()
    #expect(parts == [.key(key)])
  }

  @Test("Escape is reported only when nothing follows it") func loneEscape() {
    var decoder = InputDecoder()
    #expect(decoder.wait == nil)
    #expect(decoder.feed([0x1B]) == [])
    #expect(decoder.wait == .sequence)
    #expect(decoder.flush() == [Self.key(.escape)])
    #expect(decoder.wait == nil)
    #expect(decoder.feed([0x1B, 0x1B]) + decoder.flush() == [Self.key(.escape), Self.key(.escape)])
    // Escape, followed closely by an arrow.
    #expect(decoder.feed(Array("\u{1B}\u{1B}\u{1B}[A".utf8)) == [Self.key(.escape), Self.key(.up, .alt)])
  }

  @Test("several keys in one read") func several() {
    #expect(
      Self.events("ab\u{1B}[Ac\u{1B}") == [
        Self.key(.character("a")), Self.key(.character("b")), Self.key(.up), Self.key(.character("c")),
        Self.key(.escape),
      ])
    #expect(Self.events("\r\n") == [Self.key(.enter), Self.key(.character("j"), .control)])
    #expect(Self.events("\u{1B}ab") == [Self.key(.character("a"), .alt), Self.key(.character("b"))])
  }

  @Test(
    "a paste is text, whatever it contains", arguments: ["", "q", "a\rb", "\u{1B}[A", "\u{1B}[201", "\u{1B}\u{1B}[20"])
  func paste(text: String) {
    let bytes = Array("x\u{1B}[200~\(text)\u{1B}[201~y".utf8)
    let expected = [Self.key(.character("x")), .paste(Array(text.utf8)), Self.key(.character("y"))]
    #expect(Self.events(bytes) == expected)
    for cut in bytes.indices {
      var decoder = InputDecoder()
      #expect(decoder.feed(bytes[..<cut]) + decoder.feed(bytes[cut...]) == expected)
    }
  }

  @Test("a paste has a limit, and one without an end does not swallow keys for ever") func endlessPaste() {
    var decoder = InputDecoder()
    _ = decoder.feed(Array("\u{1B}[200~".utf8))
    for _ in 0..<40 { #expect(decoder.feed(Array(repeating: 0x61, count: 40_000)) == []) }
    #expect(decoder.wait == .paste)
    #expect(decoder.flush() == [.paste(Array(repeating: 0x61, count: InputDecoder.pasteLimitBytes))])
    #expect(decoder.feed([0x6A]) == [Self.key(.character("j"))])
  }

  @Test("the mouse") func mouse() {
    #expect(Self.events("\u{1B}[<0;10;5M") == [.mouse(Mouse(.press, line: 4, column: 9))])
    #expect(Self.events("\u{1B}[<0;10;5m") == [.mouse(Mouse(.release, line: 4, column: 9))])
    #expect(Self.events("\u{1B}[<32;300;200M") == [.mouse(Mouse(.drag, line: 199, column: 299))])
    #expect(Self.events("\u{1B}[<64;1;1M\u{1B}[<65;1;1M").count == 2)
    #expect(Self.events("\u{1B}[<64;1;1M") == [.mouse(Mouse(.wheelUp, line: 0, column: 0))])
    #expect(Self.events("\u{1B}[<2;1;1M\u{1B}[<0;0;1M\u{1B}[<M") == [], "other buttons and invalid positions")
    #expect(Self.events("\u{1B}[M !!") == [.mouse(Mouse(.press, line: 0, column: 0))], "a terminal without 1006")
  }

  @Test("replies and focus") func replies() {
    #expect(Self.events("\u{1B}[5;7R") == [.reply(.cursor(line: 4, column: 6))])
    #expect(Self.events("\u{1B}[?2026;2$y") == [.reply(.mode(2026, state: 2))])
    #expect(Self.events("\u{1B}[?62;22c") == [.reply(.attributes)])
    #expect(Self.events("\u{1B}[I\u{1B}[O") == [.focus(true), .focus(false)])
    #expect(
      Self.events("\u{1B}]11;rgb:0/0/0\u{1B}\\j\u{1B}P1$r0m\u{1B}\\k\u{1B}]52;c;aa\u{7}l").count == 3,
      "strings are skipped")
  }

  @Test(
    "unknown sequences are ignored",
    arguments: ["\u{1B}[999999999999999999999z", "\u{1B}[;;;;~", "\u{1B}[?~", "\u{1B}[57358u"])
  func nonsense(bytes: String) {
    #expect(Self.events(bytes + "j") == [Self.key(.character("j"))])
  }

  @Test("invalid UTF-8 and incomplete characters are not keys") func illFormed() {
    #expect(Self.events([0xFF, 0xC3, 0x28, 0x80, 0x6A]) == [Self.key(.character("(")), Self.key(.character("j"))])
    #expect(Self.events([0xE2, 0x82]) == [])
    #expect(Self.events([0xC2, 0x9B, 0x41]) == [Self.key(.character("A"))], "C1 controls are not text")
  }

  @Test("any input, split anywhere, gives the same events and an end", arguments: seeds(0..<200 as Range<UInt64>))
  func fuzz(
    seed: UInt64
  ) {
    var random = SeededGenerator(seed: seed)
    let pieces: [[UInt8]] = [
      Array("\u{1B}".utf8), Array("\u{1B}[".utf8), Array("\u{1B}O".utf8), Array("\u{1B}]".utf8),
      Array("\u{1B}[200~".utf8),
      Array("\u{1B}[201~".utf8), Array("é漢👍🏽".utf8), Array(";5:3".utf8), Array("\u{1B}[<".utf8), Array("\u{1B}[M".utf8),
      [0x24, 0x79],
      Array("12".utf8), Array("ABuR~".utf8), [0x9C, 0xFF, 0xE2],
    ]
    var bytes: [UInt8] = []
    for _ in 0..<300 {
      bytes +=
        Bool.random(using: &random)
        ? pieces.randomElement(using: &random)! : [UInt8.random(in: 0...255, using: &random)]
    }
    var whole = InputDecoder()
    let expected = whole.feed(bytes) + whole.flush()
    var cut = InputDecoder()
    var events: [InputEvent] = []
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = Int.random(in: 1...7, using: &random)
      events += cut.feed(rest.prefix(count))
      rest = rest.dropFirst(count)
    }
    events += cut.flush()
    #expect(Self.typed(events) == Self.typed(expected), "seed \(seed)")
    #expect(cut.wait == nil)
    #expect(cut.feed([0x6A]) == [Self.key(.character("j"))], "seed \(seed)")
  }

  /// Returns events with text as code points, since clusters depend on the reads.
  private static func typed(_ events: [InputEvent]) -> [InputEvent] {
    events.flatMap { event -> [InputEvent] in
      guard case .key(let key) = event, case .character(let character) = key.code else { return [event] }
      return character.unicodeScalars.map { .key(Key(.character(Character($0)), key.modifiers.subtracting(.alt))) }
    }
  }
}
