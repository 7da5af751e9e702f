/// An error in a query, described for the user who typed it.
public enum SearchQueryError: Error, Equatable, Sendable {
  /// The query has no terms.
  case empty
  /// The query is longer than ``SearchQuery/byteLimit`` bytes.
  case tooLong
  /// The query has more than ``SearchQuery/termLimit`` terms.
  case tooManyTerms
  /// A quotation mark without a closing one.
  case openQuote
  /// An unknown `key:`.
  case unknownKey(String)
  /// `key:` without a usable value.
  case noValue(String)
  /// An unknown kind after `has:`.
  case unknownKind(String)
  /// An unknown state after `is:`.
  case unknownState(String)
  /// A value that is neither a date nor an instant, with its key.
  case badDate(String, key: String)
  /// `-before:` or `-after:`.
  case excludedDate(key: String)
  /// `after:` is not earlier than `before:`.
  case emptySpan

  /// One line without a final full stop: the problem and how to fix it.
  public var message: String {
    switch self {
    case .empty:
      "the search is empty: write words, \"a phrase\", #tag, @name, from:name, has:link, is:saved, after:DATE or before:DATE"
    case .tooLong: "the search is too long: at most \(SearchQuery.byteLimit) bytes"
    case .tooManyTerms: "the search has too many terms: at most \(SearchQuery.termLimit) words, phrases and keys"
    case .openQuote: "unclosed quotation mark: add a \" at the end of the phrase"
    case .unknownKey(let key):
      "unknown key \"\(key):\": use from:, has:, is:, after: or before:, or put the words in quotation marks"
    case .noValue(let key): "\(key): needs a name, as in \(key):ann"
    case .unknownKind(let kind): "unknown kind has:\(kind): use has:link"
    case .unknownState(let state): "unknown state is:\(state): use is:saved or is:favourited"
    case .badDate(let text, let key):
      "not a date: \(key):\(text); write \(key):2024-03-01 for a day in UTC, or \(key):2024-03-01T12:00:00Z"
    case .excludedDate(let key):
      "-\(key): is not supported: write \(key == "before" ? "after" : "before"): instead"
    case .emptySpan: "no post can match: after: must be earlier than before:"
    }
  }
}
