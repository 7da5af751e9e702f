internal import Posts
internal import Search

/// A query in FTS5's syntax (https://sqlite.org/fts5.html#full_text_query_syntax), for one account.
///
/// Its alternatives are the parts of the index that the account may see: posts for everyone, posts for the account
/// alone, and posts for its audience groups. Tokens contain no quotation marks.
struct MatchExpression {
  /// The operand of MATCH.
  private(set) var text: String
  /// True if everything it matches is visible to the account.
  let isExact: Bool

  /// The maximum number of groups named in the expression. An account in more groups searches all of them, and hidden
  /// hits are filtered out later.
  private static let groupLimit = 64

  /// - Parameters:
  ///   - audiences: the audiences of the account; at least one.
  ///   - authors: a hit is by one of these; nil for any author.
  init(_ query: SearchQuery, audiences: [Audience], authors: [AuthorID]?, excludedAuthors: [AuthorID]) {
    var parts: [SearchPart] = []
    var groups: [AudienceGroupID] = []
    for audience in audiences {
      if case .group(let group) = audience { groups.append(group) } else { parts.append(SearchPart(audience)) }
    }
    if !groups.isEmpty { parts.append(.groups) }
    let isExact = groups.count <= Self.groupLimit
    self.isExact = isExact
    text = parts.map { part in
      let prefix = part.prefix
      var required = query.required.map { Self.phrase($0, prefix) }
      if let authors { required.append(Self.any(authors.map { Self.token("~\($0.rawValue)", prefix) })) }
      if case .groups = part, isExact {
        required.append(Self.any(groups.map { Self.token("=\($0.rawValue)", prefix) }))
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
