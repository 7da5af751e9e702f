internal import Dates
internal import Posts

extension SearchQuery {
  /// Parses a typed query. Punctuation outside words is ignored, as it is in posts.
  public init(parsing text: String) throws(SearchQueryError) {
    guard text.utf8.count <= Self.byteLimit else { throw .tooLong }
    var parser = Parser(SafeText(line: text).string)
    self = try parser.query()
  }

  /// Parses a ``canonical`` query, which may be longer than a typed one; nil if the text is not a query.
  public init?(canonical text: String) {
    var parser = Parser(text)
    guard let query = try? parser.query() else { return nil }
    self = query
  }
}

/// Reads the terms one after the other.
private struct Parser {
  private let scalars: [Unicode.Scalar]
  private var position = 0
  private var terms = 0
  private var required: Set<SearchTerm> = []
  private var excluded: Set<SearchTerm> = []
  private var authors: Set<[UInt8]> = []
  private var excludedAuthors: Set<[UInt8]> = []
  private var after: Instant?
  private var before: Instant?

  /// Straight and curly quotation marks; phone keyboards type curly ones.
  private static let quotes = Set("\"“”„‟".unicodeScalars)

  init(_ text: String) { scalars = Array(text.unicodeScalars) }

  mutating func query() throws(SearchQueryError) -> SearchQuery {
    while skipSpace() {
      try term()
      if terms > SearchQuery.termLimit { throw .tooManyTerms }
    }
    guard terms > 0 else { throw .empty }
    if let after, let before, after >= before { throw .emptySpan }
    return SearchQuery(
      required: required, excluded: excluded, authors: authors, excludedAuthors: excludedAuthors, after: after,
      before: before)
  }

  /// Reads one term and ignores meaningless characters around it.
  private mutating func term() throws(SearchQueryError) {
    let isExcluded = scalars[position] == "-"
    if isExcluded { position += 1 }
    guard position < scalars.count else { return }
    switch scalars[position] {
    case "#", "＃":
      position += 1
      add(SearchTerm(facet: Facet.tag, Array(word().utf8)), isExcluded)
    case "@", "＠":
      position += 1
      add(SearchTerm(facet: Facet.mention, Array(word().utf8)), isExcluded)
    case let scalar where Self.quotes.contains(scalar):
      add(SearchTerm(words: Array(try phrase().utf8)), isExcluded)
    default:
      let text = word()
      if let colon = text.firstIndex(of: ":"), let key = Self.key(text[..<colon]), !text[colon...].hasPrefix("://") {
        try add(key: key, String(text[text.index(after: colon)...]), isExcluded)
      } else {
        add(SearchTerm(words: Array(text.utf8)), isExcluded)
      }
    }
  }

  /// Returns a key, known or not, if the text could be one.
  private static func key(_ text: Substring) -> String? {
    let isName = !text.isEmpty && text.utf8.allSatisfy { $0 | 0x20 >= 0x61 && $0 | 0x20 <= 0x7A }
    return isName ? text.lowercased() : nil
  }

  private mutating func add(_ term: SearchTerm?, _ isExcluded: Bool) {
    guard let term else { return }
    terms += 1
    if isExcluded { excluded.insert(term) } else { required.insert(term) }
  }

  private mutating func add(key: String, _ text: String, _ isExcluded: Bool) throws(SearchQueryError) {
    switch key {
    case "from":
      var name = text
      if name.isEmpty, position < scalars.count, Self.quotes.contains(scalars[position]) { name = try phrase() }
      if name.hasPrefix("@") { name.removeFirst() }
      if name.isEmpty { throw .noValue(key) }
      terms += 1
      let handle = SearchQuery.handle(name.utf8)
      if isExcluded { excludedAuthors.insert(handle) } else { authors.insert(handle) }
    case "has":
      guard text.lowercased() == "link" else { throw .unknownKind(text) }
      add(SearchTerm(facet: Facet.has, Facet.link), isExcluded)
    case "is":
      guard let state = KeptState(rawValue: text.lowercased()) else { throw .unknownState(text) }
      add(SearchTerm(token: state.token), isExcluded)
    case "after", "before":
      if isExcluded { throw .excludedDate(key: key) }
      guard let instant = Self.instant(text) else { throw .badDate(text, key: key) }
      terms += 1
      if key == "after" { after = max(after ?? instant, instant) } else { before = min(before ?? instant, instant) }
    default: throw .unknownKey(key)
    }
  }

  /// Reads a day as its start in UTC, or an instant, in the years 0 to 9999.
  private static func instant(_ text: String) -> Instant? {
    let bytes = Array(text.uppercased().utf8)
    if let day = CivilDate(iso8601: bytes) { return Instant(seconds: Int64(day.daysSinceEpoch) * 86_400) }
    guard let instant = Instant(iso8601: bytes), instant.iso8601.first!.isNumber else { return nil }
    return instant
  }

  /// Moves to the next term; false at the end.
  private mutating func skipSpace() -> Bool {
    while position < scalars.count, scalars[position].properties.isWhitespace { position += 1 }
    return position < scalars.count
  }

  /// Reads up to white space or a quotation mark.
  private mutating func word() -> String {
    var text = ""
    while position < scalars.count, !scalars[position].properties.isWhitespace, !Self.quotes.contains(scalars[position])
    {
      text.unicodeScalars.append(scalars[position])
      position += 1
    }
    return text
  }

  /// Reads from the quotation mark here to the next one.
  private mutating func phrase() throws(SearchQueryError) -> String {
    position += 1
    var text = ""
    while position < scalars.count, !Self.quotes.contains(scalars[position]) {
      text.unicodeScalars.append(scalars[position])
      position += 1
    }
    guard position < scalars.count else { throw .openQuote }
    position += 1
    return text
  }
}
