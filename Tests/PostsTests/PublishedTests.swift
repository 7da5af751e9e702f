import TestSupport
import Testing

@testable import Posts

@Suite("Published cases of twitter-text")
struct PublishedTests {
  private static let extracted = PublishedCase.read("extract.yml")

  private static func cases(_ groups: String...) -> [PublishedCase] { extracted.filter { groups.contains($0.group) } }

  /// Cases with a different result here, and the reason.
  private static let otherwise: [String: (found: [String], why: String)] = [
    "Extract lone metion but not @user@user (too close to an email)": (
      ["username", "test@example.com"],
      "this is an account at another server of the Fediverse, not a valid email address"
    ),
    "DO NOT extract invalid URL: http://no-tld": (
      ["http://no-tld"], "a machine in a private network can have such a name"
    ),
    "DO NOT extract invalid URL: http://tld-too-short.x": (
      ["http://tld-too-short.x"], "domains come and go; text with a scheme is meant as a link"
    ),
    "DO NOT Extract a hyphenated TLD (even though it's usually a typo)": (
      ["http://domain.com-that-you-should-have-put-a-space-after"], "the same; it can be a host in a private network"
    ),
  ]

  private func check(_ published: PublishedCase, _ kind: Span.Kind) {
    let text = SafeText(published.text)
    let spans = TextSpans.find(in: text).filter { $0.kind == kind }
    let found = spans.map { String(decoding: text.utf8[$0.range], as: UTF8.self) }
    let sign = kind == .link ? 0 : 1
    #expect(
      found.map { String($0.unicodeScalars.dropFirst(sign)) } == Self.otherwise[published.description]?.found
        ?? published.found)
  }

  @Test("mentions match", arguments: cases("mentions", "mentions_with_indices", "mentions_or_lists_with_indices"))
  func mentions(published: PublishedCase) { check(published, .mention) }

  @Test("hashtags match", arguments: cases("hashtags", "hashtags_from_astral", "hashtags_with_indices"))
  func hashtags(published: PublishedCase) { check(published, .hashtag) }

  @Test(
    "links match",
    arguments: cases("urls", "urls_with_indices", "urls_with_directional_markers", "tco_urls_with_params"))
  func links(published: PublishedCase) { check(published, .link) }

  @Test(
    "links counted in lengths match without exception",
    arguments: cases("urls", "urls_with_indices", "urls_with_directional_markers", "tco_urls_with_params"))
  func countedLinks(published: PublishedCase) {
    let text = ScalarText(published.text)
    let found = LinkFinder.find(in: text, takesAnyHost: false).map { link in
      String(decoding: Array(published.text.utf8)[text.bytes(link.range)], as: UTF8.self)
    }
    #expect(found == published.found)
  }

  @Test("lengths match", arguments: PublishedCase.read("validate.yml").filter { $0.weightedLength != nil })
  func lengths(published: PublishedCase) {
    let joinsEmoji = published.group != "WeightedTweetsCounterTest"
    #expect(WeightedLength.of(published.text, joinsEmoji: joinsEmoji) == published.weightedLength)
    // The length of the stored text is that of the written one.
    if joinsEmoji { #expect(WeightedLength.of(SafeText(published.text)) == published.weightedLength) }
  }

  @Test("all cases are read, and each exception belongs to one of them") func all() {
    #expect(Self.extracted.count { !["replies", "cashtags", "cashtags_with_indices"].contains($0.group) } == 215)
    #expect(PublishedCase.read("validate.yml").count { $0.weightedLength != nil } == 44)
    for (description, _) in Self.otherwise { #expect(Self.extracted.contains { $0.description == description }) }
  }
}

@Suite("Weighted lengths")
struct WeightedLengthTests {
  @Test(
    "characters, links and emoji have their weights",
    arguments: [
      ("", 0), ("Ahoy", 4), ("漁師", 4), ("see https://example.org/a/very/long/path?with=more", 27), ("👩‍👩‍👧‍👦", 2), ("🇸🇪🇳🇴", 4),
      ("1️⃣", 2),
      ("❤️", 2), ("❤️‍🔥", 2), ("©", 1), ("©️", 2), ("A\u{30A}", 1), ("http://no-tld", 13), ("\u{2014}", 1), ("a\nb", 3),
      ("👍🏽!", 3),
    ]) func counted(text: String, length: Int)
  { #expect(WeightedLength.of(SafeText(text)) == length) }

  @Test(
    "in any text, spans are in order, do not overlap and match the text, and its length is bounded",
    arguments: seeds(0..<20 as Range<UInt64>))
  func law(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let pieces = [
      "@", "#", "ann", "http://", "https://", "example.com", ".", "-", "_", "/", "?", "é", "漢字", "\u{200D}", "👩",
      "\u{FE0F}", " ", "\n", "://", "(", ")",
      "xn--", "t.co/", "RT", ":", "\u{FFFD}", "中国", "com", "🏽", "🇸", "1\u{20E3}", "&", "$",
    ]
    for _ in 0..<500 {
      let text = SafeText(
        (0..<Int.random(in: 0..<30, using: &random)).map { _ in pieces.randomElement(using: &random)! }.joined())
      var end = 0
      for span in TextSpans.find(in: text) {
        #expect(span.range.lowerBound >= end && !span.range.isEmpty && span.range.upperBound <= text.count)
        let words = Array(text.utf8[span.range])
        #expect(String(validating: words, as: UTF8.self) != nil)
        end = span.range.upperBound
        switch span.kind {
        case .link: #expect(span.target.utf8 == words || span.target.utf8 == Array("https://".utf8) + words)
        case .mention, .hashtag:
          #expect(span.target.utf8.count < words.count && words.suffix(span.target.count) == span.target.utf8[...])
        }
      }
      #expect(WeightedLength.of(text) <= 23 * text.count)
    }
  }

  @Test(
    "texts designed to be slow are read to the end",
    arguments: [
      String(repeating: "a.", count: 5_000), String(repeating: "漢", count: 3_300),
      String(repeating: "漢.", count: 2_500),
      String(repeating: "http://", count: 1_400), String(repeating: "-a.", count: 3_300),
      String(repeating: "@a@", count: 3_300),
      String(repeating: "#a", count: 5_000), String(repeating: "a(", count: 5_000),
      "http://a.com/" + String(repeating: "(", count: 9_900),
      "http://a.com/" + String(repeating: "(a", count: 4_900), String(repeating: "漢.com", count: 1_600),
    ]) func slow(text: String)
  {
    #expect(TextSpans.find(in: SafeText(text)).count < 2_000)
    #expect(WeightedLength.of(SafeText(text)) > 1_000)
  }
}
