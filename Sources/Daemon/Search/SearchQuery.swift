public import Dates

/// A search query (docs/SEARCH.md): all of `required`, none of `excluded`, by one of `authors`, in a time span.
///
/// Two queries are equal if they mean the same, regardless of order, case, accents and repetition.
public struct SearchQuery: Sendable {
  /// The canonical spelling: equal for equal meanings. Parses to the same query. At most a few times ``byteLimit``
  /// bytes.
  public let canonical: String
  /// Terms that a post must have, each once.
  public internal(set) var required: [SearchTerm]
  /// Terms that a post must not have.
  public internal(set) var excluded: [SearchTerm]
  /// The names of accepted authors, with ASCII letters in lower case (``handle(_:)``); empty for any author.
  public let authors: [[UInt8]]
  /// The names of excluded authors.
  public let excludedAuthors: [[UInt8]]
  /// The earliest instant, inclusive.
  public let after: Instant?
  /// The latest instant, exclusive.
  public let before: Instant?

  /// The maximum length of a query in bytes.
  public static let byteLimit = 256
  /// The maximum number of terms in a query; repeated words, phrases and keys count each time.
  public static let termLimit = 16

  /// Returns a handle as queries compare it: with ASCII letters in lower case, like SQLite's NOCASE.
  public static func handle(_ name: some Sequence<UInt8>) -> [UInt8] {
    name.map { $0 &- 0x41 < 26 ? $0 | 0x20 : $0 }
  }

  /// Sorts the parsed terms and spells the query.
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

  /// Returns a date if the instant is the start of a day in UTC.
  private static func spelling(_ instant: Instant) -> String {
    let text = instant.iso8601
    return text.hasSuffix("T00:00:00Z") ? String(text.prefix(10)) : text
  }
}

extension SearchQuery: Hashable {
  public static func == (left: SearchQuery, right: SearchQuery) -> Bool { left.canonical == right.canonical }

  public func hash(into hasher: inout Hasher) { hasher.combine(canonical) }
}
