import Posts
import TestSupport
import Testing

@testable import Search

extension PatternMatcher {
  /// True if the pattern is found in a text.
  mutating func isFound(in text: String) -> Bool { isFound(in: Array(text.utf8).span) }
}

/// True if a pattern is found in a text.
func finds(_ pattern: String, _ text: String) throws -> Bool {
  var matcher = PatternMatcher(try TextPattern(parsing: pattern).program)
  let (first, second) = (matcher.isFound(in: text), matcher.isFound(in: text))
  #expect(first == second, "the cached automaton agrees: \(pattern), \(text)")
  return first
}

@Suite("Patterns")
struct TextPatternTests {
  /// A pattern, texts that it matches, and texts that it does not match.
  typealias Row = (pattern: String, found: [String], missed: [String])

  static let characters: [Row] = [
    ("otter", ["otter", "an Otter", "potters", "ÓTTER", "o\u{301}tter"], ["oter", "", "ot ter"]),
    ("ott.r", ["Ótter", "OTT\nR", "ott😀r"], ["ottr"]),
    ("ÖTTER", ["otter", "Ötter"], ["oetter"]), ("strasse", ["Straße", "STRASSE"], ["strase"]),
    ("straße", ["strasse"], ["strase"]),
    ("ß{2}", ["ssss", "ßß"], ["ss", "sss"]), ("e\u{301}{2}x", ["eex"], ["ex"]), ("ﬁn", ["fin", "ﬁn"], ["fn"]),
    ("f.n", ["ﬁn"], ["ﬁﬁ"]),
    ("ｔｗｏ", ["TWO"], ["2"]), ("京都", ["東京都"], ["東京 都"]), ("d.n't", ["don't"], ["don’t"]),
    ("two words", ["Two Words here"], ["two  words", "twowords"]),
    ("a/b", ["a/b"], ["ab"]), ("a\\/b", ["a/b"], ["a\\b"]), ("\\.\\*\\\\", ["..*\\"], ["a*\\"]),
    ("C\\+\\+", ["c++"], ["c"]), ("a]b}c", ["A]B}C"], ["abc"]),
    ("👍🏽", ["so 👍🏽"], ["👍"]), ("\\é", ["E"], ["f"]), ("-x", ["-x"], ["x"]), ("\u{AD}so\u{AD}ft", ["soft"], ["sft"]),
    ("x²", ["X2"], ["x"]),
  ]

  static let sets: [Row] = [
    ("[a-c]at", ["Bat", "át cat"], ["at", "dat"]), ("[^a-c]at", ["rat", " at"], ["cat", "at"]),
    ("[\\]x]y", ["]y", "xy"], ["y"]),
    ("[À-ÿ]x", ["bx"], ["zx", "-x"]), ("[a-]x", ["-x", "ax"], ["bx"]), ("[-a]x", ["-x"], ["bx"]),
    ("[\\w-]x", ["-x", "_x", "éx"], [".x"]),
    ("[.*+?(){}|^$]", ["a{"], ["a"]), ("[\\d.]{3}", ["3.1"], ["3,1"]), ("[^\\s]x", ["ax"], [" x", "x"]),
    ("[\\D]", ["a"], ["12"]), ("[^\\W]", ["é"], ["!?"]),
    ("[[a]x", ["[x", "ax"], ["x"]), ("[а-я]+ок", ["ИГРОК"], ["ок"]), ("[一-龥]", ["東"], ["a", "か"]),
    ("[😀-😎]", ["😃"], ["🙈"]), ("[\\n]", ["a\nb"], ["ab"]),
    ("[ぁ-ヿ]", ["カ", "ｶ", "東京に"], ["東京", "a"]), ("^\\/usr\\/bin$", ["/usr/bin"], ["/usr"]),
    ("\\d\\d", ["1２", "x²3"], ["1 2"]), ("\\D", ["1a"], ["12"]),
    ("^\\w+$", ["snake_case", "Ünï", "東京1", "नमस्ते"], ["a b", "", "😀"]),
    ("\\W", ["a-b", "😀"], ["a_b"]), ("^\\s$", [" ", "\n", "\u{3000}", "\u{A0}"], ["a", ""]), ("\\S", ["a"], [" \n"]),
    ("a\\nb", ["A\nb"], ["a b", "anb"]),
  ]

  static let repeats: [Row] = [
    ("^ab*c$", ["ac", "abbbc"], ["abb", "adc"]), ("^ab+c$", ["abc", "abbc"], ["ac"]),
    ("^ab?c$", ["ac", "abc"], ["abbc"]),
    ("^a{3}$", ["aaa"], ["aa", "aaaa"]), ("^a{2,}$", ["aa", "aaaaa"], ["a"]),
    ("^a{1,3}$", ["a", "aaa"], ["", "aaaa"]), ("^a{0}b$", ["b"], ["ab"]),
    ("^a{0,2}$", ["", "aa"], ["aaa"]), ("^a{0,}$", ["", "aaa"], ["b"]), ("^(ab){2}$", ["abab"], ["abb"]),
    ("^a*?b+?c??$", ["b", "aabbc"], ["a"]),
    ("cat|dog", ["a dog", "cats"], ["cow"]), ("^(cat|dog)s?$", ["dogs", "cat"], ["catdog"]),
    ("^(?:a|b)c$", ["bc"], ["c"]), ("^(|a)b$", ["b", "ab"], ["aab"]),
    ("a||b", ["", "x"], []), ("()", ["", "x"], []), ("x*", ["", "y"], []), ("(a*)*b", ["aab", "b"], ["aa"]),
    ("^((a|b)+c){2}$", ["abcbc"], ["abc"]),
    ("(){9}x", ["x"], ["y"]), ("((|)*)+x", ["x"], ["y"]),
  ]

  static let assertions: [Row] = [
    ("^rt", ["RT this"], ["art", "a\nrt"]), ("end$", ["the end"], ["ends", "end\n"]), ("^$", [""], ["a", "\n"]),
    ("(^|\\n)ps", ["a\nPS"], ["ups"]),
    ("\\bcat\\b", ["a cat.", "Cat", "ça cat"], ["cats", "scat", "cat_"]), ("\\Bcat", ["scat"], ["cat"]),
    ("cat\\B", ["cats"], ["cat", "cat!"]),
    ("^\\b", ["a"], ["", " a"]), ("\\b$", ["a"], ["a!", ""]), ("^\\B$", [""], ["a"]), ("a$b", [], ["ab"]),
    ("a^b", [], ["ab"]), ("(^a|b$)+", ["ac", "cb"], ["ca"]),
    ("\\b*x", ["ax"], ["a"]), ("^.{1,4}$", ["Ñand", "a\nb", "e\u{301}\u{301}e"], ["", "otter"]),
  ]

  @Test("patterns match the right texts", arguments: characters + sets + repeats + assertions)
  func matching(pattern: String, found: [String], missed: [String]) throws {
    for text in found { #expect(try finds(pattern, text), "\(pattern) is in \(text)") }
    for text in missed { #expect(try !finds(pattern, text), "\(pattern) is not in \(text)") }
  }

  /// A pattern, the position of its mistake, and words of the message.
  typealias Mistake = (pattern: String, position: Int, words: String)

  static let mistakes: [Mistake] = [
    ("", 1, "pattern is empty"), ("\u{301}", 1, "pattern is empty"), ("a(b", 2, "unclosed ("),
    ("((b)", 1, "unclosed ("),
    ("(?", 1, "unclosed ("), ("e\u{301}(", 3, "unclosed ("), ("a)b", 2, "unmatched )"),
    ("x[ab", 2, "unclosed ["), ("[a-", 1, "unclosed ["),
    ("a[]", 2, "empty brackets"), ("[^]", 1, "empty brackets"), ("[z-a]", 2, "invalid range [z-a]"),
    ("[a-\\d]", 2, "invalid range [a-\\d]"),
    ("[\\w-z]", 2, "invalid range [\\w-z]"), ("[Z-a]", 2, "invalid range [Z-a]"), ("[aß]", 3, "(a|ß)"),
    ("[a-ß]", 4, "(a|ß)"), ("*a", 1, "nothing to repeat before *"),
    ("a|+", 3, "\\+"), ("(?:?)", 4, "nothing to repeat before ?"), ("a**", 3, "nothing to repeat before *"),
    ("{2}", 1, "nothing to repeat before {"),
    ("a{2}{3}", 5, "nothing to repeat before {"),
    ("a{", 2, "no number after {"), ("a{,3}", 2, "no number after {"), ("a{2", 2, "no number after {"),
    ("a{2,3", 2, "no number after {"), ("a{x}", 2, "no number after {"),
    ("{x", 1, "no number after {"), ("a{5000}", 2, "{5000} is too large: at most 500"),
    ("a{1,99999999999999999999999}", 2, "{99999999999999999999999} is"),
    ("a{5,2}", 2, "{5,2} is reversed"), ("(a{40}){40}", 1, "1000 states"),
    ("((((((a{500}){500}){500}){500}){500}){500}){500}", 1, "1000 states"),
    ("((((((a?|){500}){500}){500}){500}){500}){500}", 1, "1000 states"),
    ("(((((((((((((((((((((((((((((((", 31, "at most 30"), ("\\q", 1, "unknown escape \\q"),
    ("a\\t", 2, "unknown escape \\t"), ("\\0", 1, "unknown escape \\0"), ("[\\b]", 2, "unknown escape \\b"),
    ("é\\", 2, "nothing after \\"), ("[\\", 2, "nothing after \\"),
  ]

  static let unsupported: [Mistake] = [
    ("(?=a)", 1, "lookahead (?= is not supported"), ("(?!a)", 1, "lookahead (?!"),
    ("a(?<=b)", 2, "lookbehind (?<="), ("(?<!b)", 1, "lookbehind (?<!"),
    ("(?<n>b)", 1, "named group (?<"), ("(?P<n>b)", 1, "named group (?P"),
    ("(?>a)", 1, "atomic group (?>"),
    ("(?#a)", 1, "comment (?#"), ("(?i)a", 1, "option (?i"), ("(?(1)a)", 1, "conditional (?("),
    ("(?R)", 1, "recursion (?R"), ("(*FAIL)", 1, "backtracking verb (*F"),
    ("a*+", 2, "possessive repeat *+"), ("(a)\\1", 4, "backreference \\1"),
    ("\\k<n>", 1, "backreference \\k"),
    ("\\p{L}", 1, "Unicode property \\p"), ("[\\P{L}]", 2, "Unicode property \\P"),
    ("[[:alpha:]]", 2, "character class [:"),
    ("[[=a=]]", 2, "character class [="),
  ]

  @Test("mistakes are refused with a message and a position", arguments: mistakes + unsupported)
  func refused(pattern: String, position: Int, words: String) throws {
    let error = try #require(throws: PatternError.self) { try TextPattern(parsing: pattern) }
    #expect(
      error.position == position && error.message.contains(words) && error.message.hasPrefix("character \(position): "))
    #expect(!error.message.contains("\n") && !error.message.hasSuffix("."))
  }

  @Test("patterns up to the limits work") func limits() throws {
    #expect(try finds("^a{499}$", String(repeating: "a", count: 499)))
    #expect(
      try finds("^.{281,}$", String(repeating: "é", count: 300))
        && !finds("^.{281,}$", String(repeating: "é", count: 280)))
    #expect(try finds(String(repeating: "(", count: 30) + "a" + String(repeating: ")", count: 30), "a"))
    #expect(try TextPattern(parsing: "(a{333}){3}").program.states.count == 1000)
    #expect(throws: PatternError.self) { try TextPattern(parsing: "(a{333}){3}a") }
    #expect(try finds("((((){500}){500}){500,}){0,500}a", "a"), "repeating the empty text takes no states")
  }

  @Test(
    "the spelling has single characters folded",
    arguments: [
      ("Ótt.R", "ott.r"), ("\\D\\W[A-Z]\\É", "\\D\\W[a-z]\\É"), ("e\u{301}", "e"), ("Straße", "straße"),
      ("a\\/b", "a\\/b"), ("A {2}", "a {2}"), ("\\\\D", "\\\\d"),
      ("\\\u{301}D", "\\D"), ("\\ｄ", "\\ｄ"), ("（Ａ", "（a"),
    ])
  func spelling(typed: String, spelling: String) throws {
    let pattern = try TextPattern(parsing: typed)
    #expect(pattern.spelling == spelling)
    #expect(try TextPattern(parsing: spelling) == pattern)
  }

  @Test("characters fold as in searches") func folding() {
    var search = SearchText()
    // All of the alphabets of Europe, and with few seeds a sample of what follows.
    for value in 0..<0x3_0000 as Range<UInt32> where triesAllSeeds || value < 0x600 || value % 13 == 0 {
      guard let scalar = Unicode.Scalar(value) else { continue }
      let folded = FoldedScalar.folding(scalar)
      search.removeAll()
      search.add(words: Array(UTF8.encode(scalar)!).span)
      let bytes = folded.flatMap { Array(UTF8.encode(Unicode.Scalar($0.value)!)!) }
      let isWord = folded.allSatisfy(\.isWord) && scalar != "_"
      let isRight = isWord ? bytes == search.bytes : search.count == 0 && folded.map(\.value) == [value]
      let isLast = folded.allSatisfy { FoldedScalar.folding(Unicode.Scalar($0.value)!) == [$0] }
      if !isRight || !isLast { Issue.record("U+\(String(value, radix: 16))") }
    }
  }

  @Test("every character matches itself") func everyCharacter() throws {
    for value in stride(from: 0xA0 as UInt32, to: 0x3_0000, by: 97) {
      guard let scalar = Unicode.Scalar(value), !FoldedScalar.folding(scalar).isEmpty else { continue }
      let text = String(Character(scalar))
      #expect(try finds("^(\(text))$", text), "U+\(String(value, radix: 16))")
      let isWord = FoldedScalar.folding(scalar)[0].isWord
      #expect(try finds("^\\w+$", text) == isWord && finds("^\\W$", text) == !isWord, "U+\(String(value, radix: 16))")
    }
  }
}
