import Posts
import Testing

@Suite("Cleaning of strings from outside")
struct SafeTextTests {
  @Test(
    "harmful characters are replaced",
    arguments: [
      ("plain", "plain"), ("a\tb", "a b"), ("a\nb", "a\nb"), ("a\r\nb", "a\nb"), ("a\rb", "a\nb"),
      ("a\u{2028}b\u{2029}c", "a\nb\nc"), ("\u{1B}[31mred", "\u{FFFD}[31mred"), ("\u{9B}31m", "\u{FFFD}31m"),
      ("\u{7F}", "\u{FFFD}"), ("\u{0}", "\u{FFFD}"), ("\u{202E}evil\u{202C}", "\u{FFFD}evil\u{FFFD}"),
      ("\u{2066}x\u{2069}", "\u{FFFD}x\u{FFFD}"), ("é漢👩‍👩‍👧", "é漢👩‍👩‍👧"), ("\u{200F}", "\u{200F}"),
    ])
  func cleaning(input: String, expected: String) {
    #expect(SafeText(input).string == expected)
    #expect(SafeText(input) == SafeText(sanitizing: SafeText(input).utf8), "cleaning twice changes nothing")
  }

  @Test("each maximal ill-formed subpart becomes one replacement character")
  func illFormed() {
    #expect(SafeText(sanitizing: [0x61, 0xFF, 0x62]).string == "a\u{FFFD}b")
    #expect(SafeText(sanitizing: [0xE2, 0x82, 0x61]).string == "\u{FFFD}a")
    #expect(SafeText(sanitizing: [0xED, 0xA0, 0x80]).string == "\u{FFFD}\u{FFFD}\u{FFFD}", "a lone surrogate")
  }

  @Test("single-line text has no line feed")
  func line() { #expect(SafeText(line: "a\nb\r\nc").string == "a b c") }

  @Test("quoted text is one harmless line and is cut if it is long") func shortened() {
    #expect("ann".shortened == "ann" && "a\nb\u{1b}[31m\u{202e}".shortened == "a b\u{FFFD}[31m\u{FFFD}")
    #expect(String(repeating: "x", count: 200).shortened.count == 200)
    #expect(String(repeating: "x", count: 201).shortened == String(repeating: "x", count: 60) + "…")
    #expect(
      ("a" + String(repeating: "\u{301}", count: 10_000)).shortened.utf8.count < 250, "one character with many marks")
  }
}
