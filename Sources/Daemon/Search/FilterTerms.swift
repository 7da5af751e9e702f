/// The terms of a filter beyond those of a search.
struct FilterTerms {
  var reposts: Bool?
  var replies: Bool?
  var media: Bool?
  var saved: Bool?
  var favourited: Bool?
  var notices: Bool?
  var isUnread = false
  var languages: Set<String> = []
  var excludedLanguages: Set<String> = []
  var patterns = PatternTerms()
  var excludedPatterns = PatternTerms()

  /// True if there are no terms.
  var isEmpty: Bool { spelling.isEmpty }

  /// The canonical spelling of all terms, in order.
  var spelling: [String] {
    var words: [String] = []
    for (condition, name) in [
      (reposts, "is:repost"), (replies, "is:reply"), (saved, "is:saved"), (favourited, "is:favourited"),
      (notices, "is:notice"), (media, "has:media"),
    ] {
      if let condition { words.append(condition ? name : "-\(name)") }
    }
    if isUnread { words.append("is:unread") }
    return words + languages.sorted().map { "lang:\($0)" } + excludedLanguages.sorted().map { "-lang:\($0)" }
      + patterns.sorted.map { "/\($0.spelling)/" } + excludedPatterns.sorted.map { "-/\($0.spelling)/" }
  }

  /// Removes the filter's own terms from a text and returns the rest, which is a search.
  mutating func read(_ text: String) throws(PostFilterError) -> String {
    let quotes = Set("\"“”„‟".unicodeScalars)
    var left: [String] = []
    var word = String.UnicodeScalarView()
    var isQuoted = false
    var rest = "\(text) ".unicodeScalars[...]
    while !rest.isEmpty {
      if word.isEmpty, try readPattern(&rest) { continue }
      let scalar = rest.removeFirst()
      if quotes.contains(scalar) { isQuoted.toggle() }
      guard !isQuoted, scalar.properties.isWhitespace else {
        word.append(scalar)
        continue
      }
      if !word.isEmpty, try !readTerm(String(word)) { left.append(String(word)) }
      word = String.UnicodeScalarView()
    }
    // The search reports a phrase without an end.
    if !word.isEmpty { left.append(String(word)) }
    return left.joined(separator: " ")
  }

  /// Reads a pattern with its slashes from the front of `rest`; false if there is none.
  private mutating func readPattern(_ rest: inout Substring.UnicodeScalarView) throws(PostFilterError) -> Bool {
    let isExcluded = rest.first == "-"
    var remaining = rest.drop { $0 == "-" }
    guard remaining.popFirst() == "/" else { return false }
    var text = String.UnicodeScalarView()
    while let scalar = remaining.popFirst(), scalar != "/" {
      text.append(scalar)
      if scalar == "\\", let escaped = remaining.popFirst() { text.append(escaped) }
    }
    func word(_ scalars: Substring.UnicodeScalarView) -> String {
      String(scalars.prefix { !$0.properties.isWhitespace })
    }
    // The text always ends with a space.
    guard let next = remaining.first else { throw .openPattern(word(rest.drop { $0 == "-" })) }
    guard next.properties.isWhitespace else { throw .textAfterPattern("/\(text)/", text: word(remaining)) }
    try add(String(text), isExcluded)
    rest = remaining
    return true
  }

  private mutating func add(_ text: String, _ isExcluded: Bool) throws(PostFilterError) {
    let pattern: TextPattern
    do throws(PatternError) {
      pattern = try TextPattern(parsing: text)
    } catch {
      throw .pattern(error, text: text)
    }
    if isExcluded { excludedPatterns.insert(pattern) } else { patterns.insert(pattern) }
    if excludedPatterns.contains(pattern), patterns.contains(pattern) { throw .contradiction("/\(text)/") }
    if patterns.stateCount + excludedPatterns.stateCount > TextPattern.stateLimit {
      throw .pattern(PatternError(mistake: .tooLarge, position: 1), text: text)
    }
  }

  /// Reads a term; false if the word is not a term of a filter.
  private mutating func readTerm(_ word: String) throws(PostFilterError) -> Bool {
    let isExcluded = word.hasPrefix("-")
    let term = word.drop { $0 == "-" }.lowercased()
    switch term {
    case "is:repost": try require(\.reposts, !isExcluded, term)
    case "is:reply": try require(\.replies, !isExcluded, term)
    case "is:saved": try require(\.saved, !isExcluded, term)
    case "is:favourited": try require(\.favourited, !isExcluded, term)
    case "is:notice": try require(\.notices, !isExcluded, term)
    case "has:media": try require(\.media, !isExcluded, term)
    case "is:unread":
      if isExcluded { throw .excludedUnread }
      isUnread = true
    case _ where term.hasPrefix("is:"): throw .unknownState(String(term.dropFirst(3)))
    case _ where term.hasPrefix("lang:"):
      let language = String(term.dropFirst(5))
      guard (1...35).contains(language.utf8.count),
        language.utf8.allSatisfy({ Self.isLetter($0) || $0 == UInt8(ascii: "-") })
      else {
        throw .noLanguage(language)
      }
      if isExcluded { excludedLanguages.insert(language) } else { languages.insert(language) }
      if !languages.isDisjoint(with: excludedLanguages) { throw .contradiction(term) }
    default: return false
    }
    return true
  }

  private mutating func require(_ property: WritableKeyPath<FilterTerms, Bool?>, _ isOn: Bool, _ term: String)
    throws(PostFilterError)
  {
    if let other = self[keyPath: property], other != isOn { throw .contradiction(term) }
    self[keyPath: property] = isOn
  }

  private static func isLetter(_ byte: UInt8) -> Bool {
    byte | 0x20 >= 0x61 && byte | 0x20 <= 0x7A || 0x30...0x39 ~= byte
  }
}

/// A set of patterns.
struct PatternTerms {
  private var bySpelling: [String: TextPattern] = [:]

  /// The patterns ordered by spelling.
  var sorted: [TextPattern] { bySpelling.values.sorted { $0.spelling < $1.spelling } }
  /// The number of states of all patterns together.
  var stateCount: Int { bySpelling.values.reduce(0) { $0 + $1.program.states.count } }

  /// Adds a pattern if it is missing.
  mutating func insert(_ pattern: TextPattern) { bySpelling[pattern.spelling] = pattern }

  /// True if the pattern is in the set.
  func contains(_ pattern: TextPattern) -> Bool { bySpelling[pattern.spelling] != nil }
}
