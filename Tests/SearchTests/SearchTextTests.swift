import Posts
import Testing

@testable import Search

/// Returns the tokens of a text, separated by spaces.
func tokens(_ text: String) -> String {
  var search = SearchText()
  search.add(words: Array(text.utf8).span)
  return spelling(search)
}

/// Returns tokens separated by spaces.
func spelling(_ search: SearchText) -> String {
  (0..<search.count).map { String(decoding: search.bytes[search.range($0)], as: UTF8.self) }.joined(separator: " ")
}

@Suite("Tokens of texts")
struct SearchTextTests {
  @Test(
    "words are letters, digits and marks, in lower case",
    arguments: [
      ("Hello, World!", "hello world"), ("", ""), (" \n.,;", ""), ("don't", "don t"), ("snake_case", "snake case"),
      ("3.14", "3 14"),
      ("a\nb", "a b"), ("C++", "c"), ("x²", "x2"), ("😀 ok 👩‍🚀", "ok"), ("नमस्ते दुनिया", "नमस्ते दुनिया"), ("مرحبا بك", "مرحبا بك"),
      ("ԲԱՐԵՎ", "բարեվ"), ("Stra\u{AD}ße", "strasse"), ("e\u{200D}f", "ef"), ("1\u{FE0F}\u{20E3}", "1"),
    ])
  func words(text: String, expected: String) { #expect(tokens(text) == expected) }

  @Test(
    "diacritics of Latin, Greek and Cyrillic are dropped, ligatures and styled letters spelt out",
    arguments: [
      ("Café naïve", "cafe naive"), ("cafe\u{301}", "cafe"), ("Ærøskøbing", "aeroskobing"), ("Łódź", "lodz"),
      ("Đà Nẵng", "da nang"),
      ("STRAẞE straße", "strasse strasse"), ("İstanbul ıstanbul ISTANBUL", "istanbul istanbul istanbul"),
      ("Ὀδυσσεύς", "οδυσσευσ"),
      ("ΟΔΥΣΣΕΥΣ", "οδυσσευσ"), ("Йод ёлка", "иод елка"), ("ﬁﬂ ﬃ", "fifl ffi"), ("Ｔｗｉｔｔｅｒ２", "twitter2"),
      ("𝓯𝓪𝓷𝓬𝔂", "fancy"),
      ("Ⅷ", "viii"), ("ǅ", "dz"), ("µ", "μ"),
    ])
  func folding(text: String, expected: String) { #expect(tokens(text) == expected) }

  @Test(
    "scripts without spaces give bigrams, and the last character of each run alone",
    arguments: [
      ("東京都", "東京 京都 都"), ("東京。京都", "東京 京 京都 都"), ("京", "京"), ("iPhoneを買う", "iphone を買 買う う"), ("東京 2020", "東京 京 2020"),
      ("ラーメン", "ラー ーメ メン ン"), ("ｶﾒﾗ", "カメ メラ ラ"), ("서울에서", "서울 울에 에서 서"), ("กรุง", "กร รุ ุง ง"), ("ㄅㄆ", "ㄅㄆ ㄆ"),
      ("時々〇", "時々 々〇 〇"),
      ("「東」", "東"), ("豈", "豈"), ("𠮷野", "𠮷野 野"),
    ])
  func bigrams(text: String, expected: String) { #expect(tokens(text) == expected) }

  @Test("a word is cut at 64 bytes, but not inside a letter") func long() {
    let word = String(repeating: "x", count: 63)
    #expect(tokens(word + "yz") == word + "y")
    #expect(tokens(word + "я") == word)
    #expect(tokens(String(repeating: "京", count: 100)).split(separator: " ").count == 100, "a run is not a word")
  }

  @Test("composed and decomposed text fold alike in Latin, Greek and Cyrillic") func decomposed() {
    for (composed, decomposed) in [
      ("é", "e\u{301}"), ("Ǖ", "U\u{308}\u{304}"), ("й", "и\u{306}"), ("ᾧ", "ω\u{314}\u{342}\u{345}"),
    ] {
      #expect(tokens("x\(composed)x") == tokens("x\(decomposed)x"))
    }
  }

  @Test("every folded form has at most seven bytes and folds to itself") func idempotent() {
    // Ideographs, Hangul syllables and unassigned code points are left out, since they do not fold.
    for value in [0..<UInt32(0x3400), 0xA000..<0xAC00, 0xF900..<0x12000, 0x1D000..<0x20000, 0x2F800..<0x2FA20].joined()
    {
      guard let scalar = Unicode.Scalar(value), value >= 0x80, let fold = Self.fold(scalar) else { continue }
      if fold.elementsEqual(UTF8.encode(scalar)!) { continue }
      #expect(fold.count <= 7)
      for part in String(decoding: fold, as: UTF8.self).unicodeScalars where part.value >= 0x80 {
        #expect(Self.fold(part) == Array(UTF8.encode(part)!), "U+\(String(value, radix: 16))")
      }
    }
  }

  /// Returns the folded form of a non-ASCII code point.
  private static func fold(_ scalar: Unicode.Scalar) -> [UInt8]? {
    var offset = 0
    switch CharacterTable.unicode.folded(Array(UTF8.encode(scalar)!).span, at: &offset) {
    case .separator, .ignored: return nil
    case .letters(let fold), .gram(let fold):
      return (0..<fold.count).map { UInt8(truncatingIfNeeded: fold.bits >> (8 * UInt64($0))) }
    }
  }

  static func body(_ text: String, warning: SafeText = .empty, alt: [SafeText] = [], _ spans: [Posts.Span] = [])
    -> PostBody
  {
    PostBody(
      text: SafeText(text), spans: spans, media: alt.map { Media(kind: .image, url: "https://a.b", altText: $0) },
      contentWarning: warning)
  }

  static let posts: [(String, PostBody, String)] = [
    (
      "a hashtag gives its word and a facet", body("Go #Café", [Span(kind: .hashtag, range: 3..<9, target: "Café")]),
      "go cafe #cafe"
    ),
    (
      "a tag in ideographs is one facet", body("#東京都", [Span(kind: .hashtag, range: 0..<10, target: "東京都")]),
      "東京 京都 都 #東京都"
    ),
    (
      "a mention gives its words and the whole handle",
      body("hi @Ann_B", [Span(kind: .mention, range: 3..<9, target: "Ann_B@Example.org")]),
      "hi ann b @ann_b@example.org"
    ),
    (
      "a link displayed in full gives its words once",
      body("https://a.b/c", [Span(kind: .link, range: 0..<13, target: "https://a.b/c")]), "https a b c :link"
    ),
    (
      "a link with another target gives the words of both, and no phrase spans them",
      body("see t.co/x", [Span(kind: .link, range: 4..<10, target: "https://cat.org")]),
      "see t co x :link https cat org"
    ),
    (
      "content warnings and descriptions are included", body("text", warning: "spoilt", alt: ["a cat", ""]),
      "text : spoilt : a cat"
    ),
    ("a name without letters is not a facet", body("x", [Span(kind: .hashtag, range: 0..<1, target: "!?")]), "x"),
  ]

  @Test("a post gives its words, then its facets", arguments: posts)
  func post(title: String, body: PostBody, expected: String) {
    var search = SearchText()
    search.read(body)
    search.read(body)
    #expect(spelling(search) == expected, "\(title)")
  }
}
