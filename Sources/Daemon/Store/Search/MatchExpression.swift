internal import Posts
internal import Search

/// A query in FTS5's words (https://sqlite.org/fts5.html#full_text_query_syntax), for one account.
///
/// The alternatives are the parts of the index that the account may see: what is for everyone, what is for it alone,
/// and its circles. Tokens have no quotation marks in them.
struct MatchExpression {
  /// The text for MATCH.
  private(set) var text: String
  /// Whether it matches nothing that the account may not see.
  let isExact: Bool

  /// Circles that are named; where an account is in more, all are searched, and what it may not see is left
  /// out later.
  private static let circleLimit = 64

  /// - Parameters:
  ///   - audiences: those that the account is in; at least one.
  ///   - authors: those of whom one must have written a post; nil for any.
  init(_ query: SearchQuery, audiences: [Audience], authors: [AuthorID]?, excludedAuthors: [AuthorID]) {
    var parts: [SearchPart] = []
    var circles: [CircleID] = []
    for audience in audiences {
      if case .circle(let circle) = audience { circles.append(circle) } else { parts.append(SearchPart(audience)) }
    }
    if !circles.isEmpty { parts.append(.circles) }
    let isExact = circles.count <= Self.circleLimit
    self.isExact = isExact
    text = parts.map { part in
      let prefix = part.prefix
      var required = query.required.map { Self.phrase($0, prefix) }
      if let authors { required.append(Self.any(authors.map { Self.token("~\($0.rawValue)", prefix) })) }
      if case .circles = part, isExact {
        required.append(Self.any(circles.map { Self.token("=\($0.rawValue)", prefix) }))
      }
      if required.isEmpty { required.append(Self.token("=", prefix)) }
      let excluded =
        query.excluded.map { Self.phrase($0, prefix) } + excludedAuthors.map { Self.token("~\($0.rawValue)", prefix) }
      let all = "(\(required.joined(separator: " AND ")))"
      return excluded.isEmpty ? all : "(\(all) NOT \(Self.any(excluded)))"
    }.joined(separator: " OR ")
  }

  private static func token(_ text: String, _ prefix: String) -> String { "\"\(prefix)\(text)\"" }

  private static func phrase(_ term: SearchTerm, _ prefix: String) -> String {
    let tokens = term.tokens.map { prefix + String(decoding: $0, as: UTF8.self) }
    return "\"\(tokens.joined(separator: " "))\"" + (term.isPrefix ? " *" : "")
  }

  private static func any(_ list: [String]) -> String { "(\(list.joined(separator: " OR ")))" }
}
