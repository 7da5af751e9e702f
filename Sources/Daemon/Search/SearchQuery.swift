public import Dates

/// What somebody searches for (docs/SEARCH.md): all of `required`, none of `excluded`, by one of `authors`, in a span
/// of time.
///
/// Two queries are equal if they mean the same: whatever the order, the case, the accents and the repetitions they were
/// written with.
public struct SearchQuery: Sendable {
  /// The query as this type would write it: the same text for the same meaning, which is parsed as this query again. At
  /// most a few times ``byteLimit`` bytes.
  public let canonical: String
  /// What a post must have; without repetitions.
  public let required: [SearchTerm]
  /// What a post must not have.
  public let excluded: [SearchTerm]
  /// Handles of which one must be its author's, in ASCII's lower case (``handle(_:)``); empty for any author.
  public let authors: [[UInt8]]
  /// Handles that must not be its author's.
  public let excludedAuthors: [[UInt8]]
  /// The first instant, if there is one.
  public let after: Instant?
  /// The first instant that is too late, if there is one.
  public let before: Instant?

  /// Bytes that a query may have.
  public static let byteLimit = 256
  /// Terms that a query may have, each word, phrase and key counted as often as it is written.
  public static let termLimit = 16

  /// A handle as queries compare it: in lower case as far as it is ASCII, which is what SQLite's NOCASE makes of it
  /// too.
  public static func handle(_ name: some Sequence<UInt8>) -> [UInt8] {
    name.map { $0 &- 0x41 < 26 ? $0 | 0x20 : $0 }
  }

  /// Sorts and spells what was parsed.
  init(
    required: Set<SearchTerm>, excluded: Set<SearchTerm>, authors: Set<[UInt8]>, excludedAuthors: Set<[UInt8]>,
    after: Instant?,
    before: Instant?
  ) {
    self.required = Self.sorted(required)
    self.excluded = Self.sorted(excluded)
    self.authors = authors.sorted { $0.lexicographicallyPrecedes($1) }
    self.excludedAuthors = excludedAuthors.sorted { $0.lexicographicallyPrecedes($1) }
    self.after = after
    self.before = before
    var parts = self.required.map(\.spelling)
    parts += self.authors.map { Self.spelling(author: $0) }
    if let after { parts.append("after:\(Self.spelling(after))") }
    if let before { parts.append("before:\(Self.spelling(before))") }
    parts += self.excluded.map { "-\($0.spelling)" }
    parts += self.excludedAuthors.map { "-\(Self.spelling(author: $0))" }
    canonical = parts.joined(separator: " ")
  }

  private static func sorted(_ terms: Set<SearchTerm>) -> [SearchTerm] {
    terms.sorted { left, right in
      if left.isFacet != right.isFacet { return right.isFacet }
      if left.tokens == right.tokens { return right.isPrefix }
      return left.tokens.lexicographicallyPrecedes(right.tokens) { $0.lexicographicallyPrecedes($1) }
    }
  }

  private static func spelling(author: [UInt8]) -> String {
    let name = String(decoding: author, as: UTF8.self)
    return name.unicodeScalars.contains(where: \.properties.isWhitespace) ? "from:\"\(name)\"" : "from:\(name)"
  }

  /// A day where the instant is one's beginning.
  private static func spelling(_ instant: Instant) -> String {
    let text = instant.iso8601
    return text.hasSuffix("T00:00:00Z") ? String(text.prefix(10)) : text
  }
}

extension SearchQuery: Hashable {
  public static func == (left: SearchQuery, right: SearchQuery) -> Bool { left.canonical == right.canonical }

  public func hash(into hasher: inout Hasher) { hasher.combine(canonical) }
}
