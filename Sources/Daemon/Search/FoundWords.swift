/// The words, phrases and names that a query looks for, to find where a text has them.
public struct FoundWords: Sendable {
  private let words: [SearchTerm]
  private let facets: Set<[UInt8]>
  /// True if words and names of hashtags and mentions are all that the query is about.
  public let isComplete: Bool

  /// What a query requires.
  public init(_ query: SearchQuery) {
    words = query.required.filter { !$0.isFacet }
    facets = Set(query.required.filter(\.isFacet).map { $0.tokens[0] })
    isComplete =
      query.excluded.isEmpty && query.authors.isEmpty && query.excludedAuthors.isEmpty && query.after == nil
      && query.before == nil && !facets.contains { $0.first == Facet.has }
  }

  /// What a query as typed requires, or its canonical spelling; nil for an invalid one.
  public init?(query: String) {
    guard let query = (try? SearchQuery(parsing: query)) ?? SearchQuery(canonical: query) else { return nil }
    self.init(query)
  }

  /// True if nothing can be found in a text: the query looks only for authors, times or links.
  public var isEmpty: Bool { words.isEmpty && facets.isEmpty }

  /// Returns the bytes of `text`, which should be well-formed UTF-8, at which words and phrases are; in order, none
  /// touching another. O(length x words).
  public func ranges(in text: Span<UInt8>) -> [Range<Int>] {
    guard !words.isEmpty else { return [] }
    let tokens = LocatedTokens(text).tokens
    var found: [Range<Int>] = []
    for term in words {
      for start in tokens.indices {
        if let range = range(of: term, at: start, in: tokens, text) { found.append(range) }
      }
    }
    found.sort { $0.lowerBound < $1.lowerBound }
    var merged: [Range<Int>] = []
    for range in found {
      if let last = merged.last, range.lowerBound <= last.upperBound {
        merged[merged.count - 1] = last.lowerBound..<max(last.upperBound, range.upperBound)
      } else {
        merged.append(range)
      }
    }
    return merged
  }

  /// True if the query looks for a name with this mark (``Facet``).
  public func contains(facet mark: UInt8, _ name: Span<UInt8>) -> Bool {
    !facets.isEmpty && Self.token(mark, name).map(facets.contains) == true
  }

  /// True if a text has all words and phrases, and all names are among `names`, each with its mark.
  public func areAll(in text: Span<UInt8>, _ names: [(mark: UInt8, name: [UInt8])]) -> Bool {
    let tokens = LocatedTokens(text).tokens
    let own = Set(names.compactMap { Self.token($0.mark, $0.name.span) })
    return facets.isSubset(of: own)
      && words.allSatisfy { term in
        tokens.indices.contains { start in range(of: term, at: start, in: tokens, text) != nil }
      }
  }

  private static func token(_ mark: UInt8, _ name: Span<UInt8>) -> [UInt8]? {
    var text = SearchText()
    text.add(facet: mark, name)
    return text.count > 0 ? text.bytes : nil
  }

  private func range(
    of term: SearchTerm, at start: Int, in tokens: [LocatedTokens.Token], _ text: Span<UInt8>
  ) -> Range<Int>? {
    guard start + term.tokens.count <= tokens.count else { return nil }
    for (index, wanted) in term.tokens.enumerated() {
      let token = tokens[start + index]
      let isPrefix = term.isPrefix && index == term.tokens.count - 1
      guard isPrefix ? token.folded.starts(with: wanted) : token.folded == wanted else { return nil }
    }
    let last = tokens[start + term.tokens.count - 1]
    guard term.isPrefix else { return tokens[start].range.lowerBound..<last.range.upperBound }
    // Of a pair of characters only the first was looked for.
    var end = last.range.lowerBound
    let lead = text[end]
    end += lead < 0x80 ? 1 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4
    return tokens[start].range.lowerBound..<min(end, last.range.upperBound)
  }
}
