internal import Search
internal import ViewState

/// Finds the words of a query in rows, by the rules of searches (docs/SEARCH.md).
struct RowMatcher: Sendable {
  private let words: FoundWords
  /// True if all rows match.
  private let isSearch: Bool

  /// A matcher of a query, for the rows of a search for it or for any others; nil for an invalid query, and for one that
  /// looks for no words or names.
  init?(_ query: String, inSearch isSearch: Bool) {
    guard let words = FoundWords(query: query), !words.isEmpty else { return nil }
    self.words = words
    self.isSearch = isSearch
  }

  /// True if rows alone tell what matches: the query looks only for words and names.
  var isComplete: Bool { words.isComplete }

  /// Returns the bytes of the text of a row that matches at which there is what was looked for, in order.
  func marks(in fields: RowContent.Fields) -> [Range<Int>] {
    guard isSearch || !isComplete || matches(fields) else { return [] }
    var marks = words.ranges(in: fields.text.span)
    for span in fields.spans {
      if let facet = span.facet, words.contains(facet: facet, span.target.span) { marks.append(span.range) }
    }
    return marks.sorted { $0.lowerBound < $1.lowerBound }
  }

  /// True if a row has all words and names.
  func matches(_ fields: RowContent.Fields) -> Bool {
    guard fields.postID != 0 else { return false }
    let names = fields.spans.compactMap { span in span.facet.map { (mark: $0, name: span.target) } }
    return words.areAll(in: fields.text.span, names)
  }
}

/// Words looked for in a pane.
struct FindInPane: Equatable, Sendable {
  let paneID: UInt64
  /// The words as typed, which may be any filter.
  let words: String
  /// Nil if only the daemon can tell what matches.
  let matcher: RowMatcher?

  static func == (left: FindInPane, right: FindInPane) -> Bool {
    left.paneID == right.paneID && left.words == right.words
  }
}

extension RowSpan {
  /// The mark of the facet that the span stands for; nil for links.
  fileprivate var facet: UInt8? {
    switch kind {
    case .hashtag: Facet.tag
    case .mention: Facet.mention
    case .link: nil
    }
  }
}
