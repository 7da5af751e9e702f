internal import Posts

/// A filter of a pane (docs/SEARCH.md): kinds of posts, languages, and the terms of a search. All conditions must hold.
public struct PostFilter: Equatable, Sendable {
  /// The canonical spelling: equal for equal meanings. Parses to the same filter.
  public let canonical: String
  /// True admits only reposts, false only other posts; nil admits both.
  public let reposts: Bool?
  /// True admits only replies, false only other posts; nil admits both.
  public let replies: Bool?
  /// True admits only posts with pictures, videos or sounds, false only posts without; nil admits both.
  public let media: Bool?
  /// True admits only posts that the reader has saved, false only others; nil admits both.
  public let saved: Bool?
  /// True admits only posts that the reader has favourited, false only others; nil admits both.
  public let favourited: Bool?
  /// True admits only notices (``PostFlags/notice``), false only other posts; nil admits both.
  public let notices: Bool?
  /// The admitted languages, in lower case; empty for any.
  public let languages: [String]
  /// The languages that are not admitted.
  public let excludedLanguages: [String]
  /// True admits only unread posts: those newer than the read position and not marked as read, and those marked as
  /// unread.
  public let isUnread: Bool
  /// Patterns that the text must match, ordered by spelling.
  public let patterns: [TextPattern]
  /// Patterns that the text must not match.
  public let excludedPatterns: [TextPattern]
  /// The search terms.
  public let query: SearchQuery?

  /// The maximum length of a typed filter in bytes.
  public static let byteLimit = SearchQuery.byteLimit

  /// Parses a typed filter.
  public init(parsing text: String) throws(PostFilterError) {
    guard text.utf8.count <= Self.byteLimit else { throw .tooLong }
    try self.init(reading: SafeText(line: text).string) { words throws(SearchQueryError) in
      try SearchQuery(parsing: words)
    }
  }

  /// Parses a ``canonical`` filter; nil if the text is not a filter.
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
    (saved, favourited, notices) = (terms.saved, terms.favourited, terms.notices)
    (languages, excludedLanguages) = (terms.languages.sorted(), terms.excludedLanguages.sorted())
    (patterns, excludedPatterns) = (terms.patterns.sorted, terms.excludedPatterns.sorted)
    self.query = query
    canonical = (terms.spelling + (query.map { [$0.canonical] } ?? [])).joined(separator: " ")
  }
}

/// An error in a filter, described for the user who typed it.
public enum PostFilterError: Error, Equatable, Sendable {
  /// The filter is longer than ``PostFilter/byteLimit`` bytes.
  case tooLong
  /// An unknown state after `is:`.
  case unknownState(String)
  /// `lang:` without a language.
  case noLanguage(String)
  /// A term that is both required and excluded.
  case contradiction(String)
  /// `-is:unread`.
  case excludedUnread
  /// `/` without a closing one.
  case openPattern(String)
  /// Text directly after a pattern.
  case textAfterPattern(String, text: String)
  /// The text between the slashes is not a pattern.
  case pattern(PatternError, text: String)
  /// The rest of the filter is not a search.
  case search(SearchQueryError)

  /// One line without a final full stop: the problem and how to fix it.
  public var message: String {
    switch self {
    case .tooLong: "the filter is too long: at most \(PostFilter.byteLimit) bytes"
    case .unknownState(let state):
      "unknown state is:\(state): use is:repost, is:reply, is:saved, is:favourited, is:notice or is:unread"
    case .noLanguage(let text): "not a language: lang:\(text); write lang:de or lang:pt-br"
    case .contradiction(let term): "\(term) and -\(term) exclude each other: remove one of them"
    case .excludedUnread: "-is:unread is not supported: only is:unread, which shows unread posts"
    case .openPattern(let text):
      "\(text) has no closing slash: write a pattern as /\(text.dropFirst())/, or put words with slashes in quotation marks"
    case .textAfterPattern(let pattern, let text):
      "unexpected \"\(text)\" after \(pattern): put a space between them; write a slash in a pattern as \\/; case is always ignored"
    case .pattern(let error, let text): "invalid pattern /\(text)/: \(error.message)"
    case .search(.unknownKey(let key)):
      "unknown key \"\(key):\": use is:, has:, lang:, from:, after: or before:, or put the words in quotation marks"
    case .search(.unknownKind(let kind)): "unknown kind has:\(kind): use has:media or has:link"
    case .search(.empty):
      "the filter is empty: write is:repost, is:reply, is:saved, is:unread, has:media, lang:de, words or /a pattern/; - excludes a term"
    case .search(let error): error.message
    }
  }
}
