import Posts
import Testing

@testable import Search

extension PatternMatcher {
  /// Whether it is somewhere in a text.
  mutating func isFound(in text: String) -> Bool { isFound(in: Array(text.utf8).span) }
}

/// Whether a pattern is somewhere in a text.
func finds(_ pattern: String, _ text: String) throws -> Bool {
  var matcher = PatternMatcher(try TextPattern(parsing: pattern).program)
  let (first, second) = (matcher.isFound(in: text), matcher.isFound(in: text))
  #expect(first == second, "what was kept says the same: \(pattern), \(text)")
  return first
}

@Suite("Patterns that a post's text may have")
struct TextPatternTests {
  /// A pattern, texts in which it is, and texts in which it is not.
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

  static let places: [Row] = [
    ("^rt", ["RT this"], ["art", "a\nrt"]), ("end$", ["the end"], ["ends", "end\n"]), ("^$", [""], ["a", "\n"]),
    ("(^|\\n)ps", ["a\nPS"], ["ups"]),
    ("\\bcat\\b", ["a cat.", "Cat", "ça cat"], ["cats", "scat", "cat_"]), ("\\Bcat", ["scat"], ["cat"]),
    ("cat\\B", ["cats"], ["cat", "cat!"]),
    ("^\\b", ["a"], ["", " a"]), ("\\b$", ["a"], ["a!", ""]), ("^\\B$", [""], ["a"]), ("a$b", [], ["ab"]),
    ("a^b", [], ["ab"]), ("(^a|b$)+", ["ac", "cb"], ["ca"]),
    ("\\b*x", ["ax"], ["a"]), ("^.{1,4}$", ["Ñand", "a\nb", "e\u{301}\u{301}e"], ["", "otter"]),
  ]

  @Test("they find and do not find", arguments: characters + sets + repeats + places)
  func matching(pattern: String, found: [String], missed: [String]) throws {
    for text in found { #expect(try finds(pattern, text), "\(pattern) is in \(text)") }
    for text in missed { #expect(try !finds(pattern, text), "\(pattern) is not in \(text)") }
  }

  /// A pattern, the place of what is wrong, and words of what is said.
  typealias Mistake = (pattern: String, position: Int, words: String)

  static let slips: [Mistake] = [
    ("", 1, "nothing to look for"), ("\u{301}", 1, "nothing to look for"), ("a(b", 2, "( is not closed"),
    ("((b)", 1, "( is not closed"),
    ("(?", 1, "( is not closed"), ("e\u{301}(", 3, "( is not closed"), ("a)b", 2, ") closes nothing"),
    ("x[ab", 2, "[ is not closed"), ("[a-", 1, "[ is not closed"),
    ("a[]", 2, "nothing in the brackets"), ("[^]", 1, "nothing in the brackets"), ("[z-a]", 2, "[z-a] is no range"),
    ("[a-\\d]", 2, "[a-\\d] is no range"),
    ("[\\w-z]", 2, "[\\w-z] is no range"), ("[Z-a]", 2, "[Z-a] is no range"), ("[aß]", 3, "(a|ß)"),
    ("[a-ß]", 4, "(a|ß)"), ("*a", 1, "a * has nothing before it"),
    ("a|+", 3, "\\+"), ("(?:?)", 4, "a ? has nothing"), ("a**", 3, "a * has nothing"), ("{2}", 1, "a { has nothing"),
    ("a{2}{3}", 5, "a { has nothing"),
    ("a{", 2, "{ has no number"), ("a{,3}", 2, "{ has no number"), ("a{2", 2, "{ has no number"),
    ("a{2,3", 2, "{ has no number"), ("a{x}", 2, "{ has no number"),
    ("{x", 1, "{ has no number"), ("a{5000}", 2, "{5000} is too much: at most 500"),
    ("a{1,99999999999999999999999}", 2, "{99999999999999999999999} is"),
    ("a{5,2}", 2, "{5,2} is the wrong way round"), ("(a{40}){40}", 1, "1000 states"),
    ("((((((a{500}){500}){500}){500}){500}){500}){500}", 1, "1000 states"),
    ("((((((a?|){500}){500}){500}){500}){500}){500}", 1, "1000 states"),
    ("(((((((((((((((((((((((((((((((", 31, "at most 30"), ("\\q", 1, "\\q is not known"),
    ("a\\t", 2, "\\t is not known"), ("\\0", 1, "\\0 is not known"), ("[\\b]", 2, "\\b is not known"),
    ("é\\", 2, "nothing behind it"), ("[\\", 2, "nothing behind it"),
  ]

  static let others: [Mistake] = [
    ("(?=a)", 1, "looking ahead (?= is not known here"), ("(?!a)", 1, "looking ahead (?!"),
    ("a(?<=b)", 2, "looking behind (?<="), ("(?<!b)", 1, "looking behind (?<!"),
    ("(?<n>b)", 1, "a bracket with a name (?<"), ("(?P<n>b)", 1, "a bracket with a name (?P"),
    ("(?>a)", 1, "a bracket that is not gone back into (?>"),
    ("(?#a)", 1, "a comment (?#"), ("(?i)a", 1, "an option (?i"), ("(?(1)a)", 1, "a condition (?("),
    ("(?R)", 1, "a pattern in itself (?R"), ("(*FAIL)", 1, "a verb (*F"),
    ("a*+", 2, "a repeat that gives nothing back *+"), ("(a)\\1", 4, "a reference back \\1"),
    ("\\k<n>", 1, "a reference back \\k"),
    ("\\p{L}", 1, "a property of characters \\p"), ("[\\P{L}]", 2, "a property of characters \\P"),
    ("[[:alpha:]]", 2, "a kind of characters [:"),
    ("[[=a=]]", 2, "a kind of characters [="),
  ]

  @Test("what is wrong is said, and where", arguments: slips + others)
  func refused(pattern: String, position: Int, words: String) throws {
    let error = try #require(throws: PatternError.self) { try TextPattern(parsing: pattern) }
    #expect(
      error.position == position && error.message.contains(words) && error.message.hasPrefix("character \(position): "))
    #expect(!error.message.contains("\n") && !error.message.hasSuffix("."))
  }

  @Test("the limits can be reached") func limits() throws {
    #expect(try finds("^a{499}$", String(repeating: "a", count: 499)))
    #expect(
      try finds("^.{281,}$", String(repeating: "é", count: 300))
        && !finds("^.{281,}$", String(repeating: "é", count: 280)))
    #expect(try finds(String(repeating: "(", count: 30) + "a" + String(repeating: ")", count: 30), "a"))
    #expect(try TextPattern(parsing: "(a{333}){3}").program.states.count == 1000)
    #expect(throws: PatternError.self) { try TextPattern(parsing: "(a{333}){3}a") }
    #expect(try finds("((((){500}){500}){500,}){0,500}a", "a"), "nothing is nothing however often")
  }

  @Test(
    "each has a spelling, in which all is folded that is one character",
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

  @Test("a character is folded as a search folds it") func folding() {
    var search = SearchText()
    for value in 0..<0x3_0000 as Range<UInt32> {
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

  @Test("every character is found by itself") func everyCharacter() throws {
    for value in stride(from: 0xA0 as UInt32, to: 0x3_0000, by: 97) {
      guard let scalar = Unicode.Scalar(value), !FoldedScalar.folding(scalar).isEmpty else { continue }
      let text = String(Character(scalar))
      #expect(try finds("^(\(text))$", text), "U+\(String(value, radix: 16))")
      let isWord = FoldedScalar.folding(scalar)[0].isWord
      #expect(try finds("^\\w+$", text) == isWord && finds("^\\W$", text) == !isWord, "U+\(String(value, radix: 16))")
    }
  }
}
