internal import Posts

/// What a pane is limited to (docs/SEARCH.md): kinds of posts, languages, and what a search asks for. All that is written must hold.
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
  /// The words, by the rules of searches.
  public let query: SearchQuery?

  /// Bytes that somebody may write.
  public static let byteLimit = SearchQuery.byteLimit

  /// Reads what somebody typed.
  public init(parsing text: String) throws(PostFilterError) {
    guard text.utf8.count <= Self.byteLimit else { throw .tooLong }
    try self.init(reading: SafeText(line: text).string) { words throws(SearchQueryError) in try SearchQuery(parsing: words) }
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
  /// What is left is no search.
  case search(SearchQueryError)

  /// One line without a final full stop: what is wrong and what would be right.
  public var message: String {
    switch self {
    case .tooLong: "a filter has at most \(PostFilter.byteLimit) bytes: leave something out"
    case .unknownState(let state): "is:\(state) is not known: there are is:repost, is:reply and is:unread"
    case .noLanguage(let text): "lang:\(text) is no language: write lang:de, or lang:pt-br"
    case .contradiction(let term): "\(term) and -\(term) leave nothing: leave one of them out"
    case .excludedUnread: "-is:unread is not known: is:unread shows what you have not read"
    case .search(.unknownKey(let key)):
      "there is no key \"\(key):\": there are is:, has:, lang:, from:, after: and before:; around words put quotation marks"
    case .search(.unknownKind(let kind)): "has:\(kind) is not known: there are has:media and has:link"
    case .search(.empty):
      "there is nothing to limit it to: write is:repost, is:reply, is:unread, has:media, lang:de or words, and - for what is to go"
    case .search(let error): error.message
    }
  }
}

/// The terms of a filter that no search has.
private struct FilterTerms {
  var reposts: Bool?
  var replies: Bool?
  var media: Bool?
  var isUnread = false
  var languages: Set<String> = []
  var excludedLanguages: Set<String> = []

  var isEmpty: Bool { spelling.isEmpty }

  var spelling: [String] {
    var words: [String] = []
    for (wish, name) in [(reposts, "is:repost"), (replies, "is:reply"), (media, "has:media")] {
      if let wish { words.append(wish ? name : "-\(name)") }
    }
    if isUnread { words.append("is:unread") }
    return words + languages.sorted().map { "lang:\($0)" } + excludedLanguages.sorted().map { "-lang:\($0)" }
  }

  /// Takes its terms out of a text; what is left is a search's.
  mutating func read(_ text: String) throws(PostFilterError) -> String {
    let quotes = Set("\"“”„‟".unicodeScalars)
    var left: [String] = []
    var word = String.UnicodeScalarView()
    var isQuoted = false
    for scalar in Array(text.unicodeScalars) + [" "] {
      if quotes.contains(scalar) { isQuoted.toggle() }
      guard !isQuoted, scalar.properties.isWhitespace else {
        word.append(scalar)
        continue
      }
      if !word.isEmpty, try !take(String(word)) { left.append(String(word)) }
      word = String.UnicodeScalarView()
    }
    // A phrase without an end is the search's to refuse.
    if !word.isEmpty { left.append(String(word)) }
    return left.joined(separator: " ")
  }

  /// True for a term of its own.
  private mutating func take(_ word: String) throws(PostFilterError) -> Bool {
    let isExcluded = word.hasPrefix("-")
    let term = word.drop { $0 == "-" }.lowercased()
    switch term {
    case "is:repost": try wish(\.reposts, !isExcluded, term)
    case "is:reply": try wish(\.replies, !isExcluded, term)
    case "has:media": try wish(\.media, !isExcluded, term)
    case "is:unread":
      if isExcluded { throw .excludedUnread }
      isUnread = true
    case _ where term.hasPrefix("is:"): throw .unknownState(String(term.dropFirst(3)))
    case _ where term.hasPrefix("lang:"):
      let language = String(term.dropFirst(5))
      guard (1...35).contains(language.utf8.count), language.utf8.allSatisfy({ Self.isLetter($0) || $0 == UInt8(ascii: "-") }) else {
        throw .noLanguage(language)
      }
      if isExcluded { excludedLanguages.insert(language) } else { languages.insert(language) }
      if !languages.isDisjoint(with: excludedLanguages) { throw .contradiction(term) }
    default: return false
    }
    return true
  }

  private mutating func wish(_ what: WritableKeyPath<FilterTerms, Bool?>, _ isOn: Bool, _ term: String) throws(PostFilterError) {
    if let other = self[keyPath: what], other != isOn { throw .contradiction(term) }
    self[keyPath: what] = isOn
  }

  private static func isLetter(_ byte: UInt8) -> Bool { byte | 0x20 >= 0x61 && byte | 0x20 <= 0x7A || 0x30...0x39 ~= byte }
}
