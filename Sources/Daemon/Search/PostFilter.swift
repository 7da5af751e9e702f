internal import Posts

/// What a pane is limited to (docs/SEARCH.md): kinds of posts, languages, and what a search asks for. All that is
/// written must hold.
public struct PostFilter: Equatable, Sendable {
  /// As this type would write it: the same text for the same meaning, which is parsed as this filter again.
  public let canonical: String
  /// Only reposts, or none; nil for either.
  public let reposts: Bool?
  /// Only answers, or none.
  public let replies: Bool?
  /// Only posts with pictures, films or sounds, or without.
  public let media: Bool?
  /// Only posts of these languages, if there are any; in lower case.
  public let languages: [String]
  /// None of these.
  public let excludedLanguages: [String]
  /// Only what is newer than what has been read and is not marked read, and what is marked unread.
  public let isUnread: Bool
  /// What must be found in the text; sorted by their spelling.
  public let patterns: [TextPattern]
  /// What must not.
  public let excludedPatterns: [TextPattern]
  /// The words, by the rules of searches.
  public let query: SearchQuery?

  /// Bytes that somebody may write.
  public static let byteLimit = SearchQuery.byteLimit

  /// Reads what somebody typed.
  public init(parsing text: String) throws(PostFilterError) {
    guard text.utf8.count <= Self.byteLimit else { throw .tooLong }
    try self.init(reading: SafeText(line: text).string) { words throws(SearchQueryError) in
      try SearchQuery(parsing: words)
    }
  }

  /// The filter of which a text is the ``canonical`` one; nil for a text that is none.
  public init?(canonical text: String) {
    guard
      let filter = try? PostFilter(
        reading: text,
        { words throws(SearchQueryError) in
          guard let query = SearchQuery(canonical: words) else { throw .empty }
          return query
        })
    else { return nil }
    self = filter
  }

  private init(
    reading text: String, _ search: (String) throws(SearchQueryError) -> SearchQuery
  ) throws(PostFilterError) {
    var terms = FilterTerms()
    let words = try terms.read(text)
    var query: SearchQuery?
    if !words.isEmpty {
      do throws(SearchQueryError) {
        query = try search(words)
      } catch {
        throw .search(error)
      }
    }
    guard query != nil || !terms.isEmpty else { throw .search(.empty) }
    (reposts, replies, media, isUnread) = (terms.reposts, terms.replies, terms.media, terms.isUnread)
    (languages, excludedLanguages) = (terms.languages.sorted(), terms.excludedLanguages.sorted())
    (patterns, excludedPatterns) = (terms.patterns.sorted, terms.excludedPatterns.sorted)
    self.query = query
    canonical = (terms.spelling + (query.map { [$0.canonical] } ?? [])).joined(separator: " ")
  }
}

/// What is wrong with a filter, in the words for whoever typed it.
public enum PostFilterError: Error, Equatable, Sendable {
  /// More than ``PostFilter/byteLimit`` bytes.
  case tooLong
  /// `is:` something that is not known.
  case unknownState(String)
  /// `lang:` without a language.
  case noLanguage(String)
  /// Both with and without something.
  case contradiction(String)
  /// `-is:unread`.
  case excludedUnread
  /// `/` without another one behind it.
  case openPattern(String)
  /// Something directly behind a pattern.
  case behindPattern(String, text: String)
  /// What stands between the slashes is no pattern.
  case pattern(PatternError, text: String)
  /// What is left is no search.
  case search(SearchQueryError)

  /// One line without a final full stop: what is wrong and what would be right.
  public var message: String {
    switch self {
    case .tooLong: "a filter has at most \(PostFilter.byteLimit) bytes: leave something out"
    case .unknownState(let state): "there is no is:\(state): there are is:repost, is:reply and is:unread"
    case .noLanguage(let text): "no language is called so in lang:\(text): write lang:de, or lang:pt-br"
    case .contradiction(let term): "\(term) and -\(term) leave nothing: leave one of them out"
    case .excludedUnread: "there is no -is:unread: is:unread shows what you have not read"
    case .openPattern(let text):
      "\(text) has no second slash: a pattern is written /\(text.dropFirst())/; around words with slashes put quotation marks"
    case .behindPattern(let pattern, let text):
      "behind \(pattern) stands \"\(text)\": put a space between; a slash in a pattern is written \\/, and capitals never matter"
    case .pattern(let error, let text): "/\(text)/ is no pattern: \(error.message)"
    case .search(.unknownKey(let key)):
      "there is no key \"\(key):\": there are is:, has:, lang:, from:, after: and before:; around words put quotation marks"
    case .search(.unknownKind(let kind)): "there is no has:\(kind): there are has:media and has:link"
    case .search(.empty):
      "there is nothing to limit it to: write is:repost, is:reply, is:unread, has:media, lang:de, words, /a pattern/; - for what is to go"
    case .search(let error): error.message
    }
  }
}
