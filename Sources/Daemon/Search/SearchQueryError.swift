/// What is wrong with a query, in the words for whoever typed it.
public enum SearchQueryError: Error, Equatable, Sendable {
  /// There is nothing in it to search for.
  case empty
  /// More than ``SearchQuery/byteLimit`` bytes.
  case tooLong
  /// More than ``SearchQuery/termLimit`` terms.
  case tooManyTerms
  /// A quotation mark without another one.
  case openQuote
  /// `key:` that there is not.
  case unknownKey(String)
  /// `key:` with nothing behind it, or nothing of use.
  case noValue(String)
  /// `has:` something that is not known.
  case unknownKind(String)
  /// No day and no instant, with its key.
  case badDate(String, key: String)
  /// `-before:` or `-after:`.
  case excludedDate(key: String)
  /// `after:` is not before `before:`.
  case emptySpan

  /// One line without a final full stop: what is wrong and what would be right.
  public var message: String {
    switch self {
    case .empty:
      "there is nothing to search for: write words, \"a phrase\", #tag, @name, from:name, has:link, after:DATE or before:DATE"
    case .tooLong: "a search has at most \(SearchQuery.byteLimit) bytes: leave something out"
    case .tooManyTerms: "a search has at most \(SearchQuery.termLimit) words, phrases and keys: leave something out"
    case .openQuote: "a phrase has no end: put a \" behind it"
    case .unknownKey(let key):
      "there is no key \"\(key):\": there are from:, has:, after: and before:; to find the words, put quotation marks around them"
    case .noValue(let key): "\(key): needs a name behind it, as in \(key):ann"
    case .unknownKind(let kind): "has:\(kind) is not known: has:link is all there is"
    case .badDate(let text, let key):
      "\(key):\(text) is no date: write \(key):2024-03-01 for a day of UTC, or \(key):2024-03-01T12:00:00Z"
    case .excludedDate(let key):
      "-\(key): cannot be searched for: write \(key == "before" ? "after" : "before"): instead"
    case .emptySpan: "after: is not earlier than before:, so nothing can be found: change one of them"
    }
  }
}
