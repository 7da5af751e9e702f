import Posts
import TestSupport
import Testing

@testable import Search

@Suite("Where a text has the words of a query")
struct FoundWordsTests {
  /// Returns what is found in a text, between brackets.
  private func marked(_ query: String, _ text: String) throws -> String {
    let words = try #require(FoundWords(query: query))
    let bytes = Array(text.utf8)
    var result: [UInt8] = []
    var end = 0
    for range in words.ranges(in: bytes.span) {
      result += bytes[end..<range.lowerBound] + Array("[".utf8) + bytes[range] + Array("]".utf8)
      end = range.upperBound
    }
    return String(decoding: result + bytes[end...], as: UTF8.self)
  }

  @Test(
    "words and phrases, in any script",
    arguments: [
      ("otter", "Otters and an OTTER.", "Otters and an [OTTER]."),
      ("cafe", "a Café, a cafe\u{301}", "a [Café], a [cafe\u{301}]"),
      ("strasse", "Straße", "[Straße]"), ("\"old quay\"", "Old quay, old, quay", "[Old quay], [old, quay]"),
      ("old quay", "quay old", "[quay] [old]"), ("don't", "don\u{2019}t", "[don\u{2019}t]"),
      ("京都", "東京都と京都", "東[京都]と[京都]"),
      ("東京都", "東京都", "[東京都]"), ("京", "東京都", "東[京]都"), ("서울", "서울에서", "[서울]에서"), ("हवा", "बहुत हवा है", "बहुत [हवा] है"),
      ("اهلا", "اهلا بك", "[اهلا] بك"), ("tea -otter", "tea, otter", "[tea], otter"), ("from:ann tea", "tea", "[tea]"),
      ("ﬁne", "fine", "[fine]"), ("x2", "x²", "[x²]"),
    ])
  func ranges(query: String, text: String, expected: String) throws { #expect(try marked(query, text) == expected) }

  @Test("names of hashtags and mentions are found by their facets") func names() throws {
    let words = try #require(FoundWords(query: "#Otter @ann tea"))
    let name = Array("otter".utf8)
    let isTag = words.contains(facet: Facet.tag, name.span)
    let isMention = words.contains(facet: Facet.mention, name.span)
    #expect(isTag && !isMention)
    let tag = (mark: Facet.tag, name: Array("OTTER".utf8))
    let mention = (mark: Facet.mention, name: Array("ann".utf8))
    let text = Array("Tea".utf8)
    let nothing: [UInt8] = []
    let hasAll = words.areAll(in: text.span, [tag, mention])
    let hasTag = words.areAll(in: text.span, [tag])
    let hasNoWord = words.areAll(in: nothing.span, [tag, mention])
    #expect(hasAll && !hasTag && !hasNoWord)
  }

  @Test("a query for authors, times or links is not about words alone") func complete() throws {
    for query in ["from:ann", "after:2024-01-01 tea", "has:link tea", "tea -otter"] {
      #expect(try #require(FoundWords(query: query)).isComplete == false, "\(query)")
    }
    #expect(try #require(FoundWords(query: "tea #otter")).isComplete)
    #expect(FoundWords(query: "") == nil)
  }

  @Test("located tokens are those of searches, and hold their own text", arguments: seeds(0..<200))
  func law(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    let signs = Array("aB1é ß.,-#京都東ｶﾞ서울กा\u{301}\u{AD}\u{200D}😀\nΣأ").map(String.init)
    let text = (0..<Int.random(in: 0...60, using: &generator)).map { _ in
      signs[Int.random(in: 0..<signs.count, using: &generator)]
    }.joined()
    let bytes = Array(text.utf8)
    var search = SearchText()
    search.add(words: bytes.span)
    let located = LocatedTokens(bytes.span).tokens
    #expect(located.map(\.folded) == (0..<search.count).map { Array(search.bytes[search.range($0)]) })
    for token in located {
      var own = SearchText()
      own.add(words: Array(bytes[token.range]).span)
      #expect(own.count > 0 && own.bytes[own.range(0)].elementsEqual(token.folded), "\(token)")
    }
  }

  @Test("ill-formed text is searched without harm", arguments: seeds(0..<100)) func illFormed(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    let bytes = (0..<40).map { _ in UInt8.random(in: 0...255, using: &generator) }
    guard let words = FoundWords(query: "a 京") else { return }
    for range in words.ranges(in: bytes.span) { #expect(range.upperBound <= bytes.count) }
  }
}
