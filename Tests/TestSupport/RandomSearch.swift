public import Dates
public import Posts
public import Search

/// Random posts and queries made of the same few pieces, so that queries often match.
public enum RandomSearch {
  /// The pieces of texts: words that fold to one another, scripts without spaces, text that looks like a key, names and
  /// links.
  static let pieces = [
    "a", "cat", "Cat", "CATS", "dog", "café", "cafe\u{301}", "straße", "STRASSE", "ﬁn", "fin", "don't", "dont", "Йод",
    "иод", "Ωμέγα",
    "ωμεγα", "word", "x1", "12", "from", "snake_case", "a-b", "東", "東京", "東京都", "京都", "京", "都", "カ", "ｶ", "ラーメン", "서울",
    "서울에서", "에서",
    "กรุงเทพ", "กรุง", "नमस्ते", "مرحبا", "😀", "👩‍🚀", "#tag", "#Tag", "#café", "#東京", "@ann", "@Bob", "@eve@example.org",
    "https://example.org/cat-dog", "http://a.b/x?y=1", "naïve", "\u{AD}", "c\u{200D}at", "İstanbul", "ıstanbul",
  ]
  private static let joints = [" ", " ", " ", ", ", "\n", "", "。", "・", "-", ". ", "\u{3000}", "'"]
  /// Handles of authors; some differ only in case.
  public static let handles = ["ann", "Bob", "bob", "eve@example.org", "Ärger", "ärger", "two words"]

  /// Returns a post's body.
  public static func body(using generator: inout some RandomNumberGenerator) -> PostBody {
    let text = SafeText(Self.text(0...8, using: &generator))
    var body = PostBody(text: text, spans: TextSpans.find(in: text))
    for index in body.spans.indices where body.spans[index].kind == .link && Bool.random(using: &generator) {
      body.spans[index].target = SafeText("https://example.org/" + Self.text(1...2, using: &generator))
    }
    if Int.random(in: 0..<8, using: &generator) == 0 {
      body.contentWarning = SafeText(line: Self.text(1...2, using: &generator))
    }
    if Int.random(in: 0..<8, using: &generator) == 0 {
      body.media = [
        Media(kind: .image, url: "https://a.b/c.png", altText: SafeText(Self.text(1...2, using: &generator)))
      ]
    }
    return body
  }

  /// Returns a sequence of pieces.
  public static func text(_ count: ClosedRange<Int>, using generator: inout some RandomNumberGenerator) -> String {
    var text = ""
    for _ in 0..<Int.random(in: count, using: &generator) {
      text += pieces.randomElement(using: &generator)! + joints.randomElement(using: &generator)!
    }
    return text
  }

  /// Returns a query of one to three terms, with times in the range of ``instant(using:)``.
  public static func query(using generator: inout some RandomNumberGenerator) -> String {
    (0..<Int.random(in: 1...3, using: &generator)).map { _ in
      let minus = Int.random(in: 0..<5, using: &generator) == 0 ? "-" : ""
      let piece = pieces.randomElement(using: &generator)!
      return switch Int.random(in: 0..<12, using: &generator) {
      case 0, 1: "\(minus)\"\(text(1...3, using: &generator))\""
      case 2: "\(minus)from:\"\(handles.randomElement(using: &generator)!.uppercased())\""
      case 3: "\(minus)has:link"
      case 4: "after:\(instant(using: &generator).iso8601)"
      case 5: "before:\(instant(using: &generator).iso8601)"
      case 6:
        "\(minus)\(["#tag", "#CAFE", "#東京", "@ann", "@bob", "@eve@example.org"].randomElement(using: &generator)!)"
      default: minus + piece
      }
    }.joined(separator: " ")
  }

  /// Returns one of a few hundred instants around midnight, so that some are equal.
  public static func instant(using generator: inout some RandomNumberGenerator) -> Instant {
    Instant(
      milliseconds: 1_709_251_200_000 + Int64.random(in: -200...200, using: &generator)
        * [1, 50][Int.random(in: 0...1, using: &generator)])
  }
}

/// A straightforward implementation of queries, as a reference.
public enum ReferenceSearch {
  /// True if a query finds a post by an author with these names.
  public static func finds(
    _ query: SearchQuery, _ body: PostBody, at instant: Instant, by names: [SafeText]
  ) -> Bool {
    guard instant >= query.after ?? .distantPast && instant < query.before ?? .distantFuture else { return false }
    var text = SearchText()
    text.read(body)
    let tokens = (0..<text.count).map { Array(text.bytes[text.range($0)]) }
    let names = names.map { SearchQuery.handle($0.utf8) }
    return query.required.allSatisfy { has($0, tokens) } && !query.excluded.contains { has($0, tokens) }
      && (query.authors.isEmpty || names.contains(where: query.authors.contains))
      && !names.contains(where: query.excludedAuthors.contains)
  }

  private static func has(_ term: SearchTerm, _ tokens: [[UInt8]]) -> Bool {
    tokens.indices.contains { start in
      guard start + term.tokens.count <= tokens.count else { return false }
      return term.tokens.indices.allSatisfy { index in
        let token = tokens[start + index]
        let isPrefix = term.isPrefix && index == term.tokens.count - 1
        return isPrefix ? token.starts(with: term.tokens[index]) : token == term.tokens[index]
      }
    }
  }
}
