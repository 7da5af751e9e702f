/// The terms of a filter that no search has.
struct FilterTerms {
  var reposts: Bool?
  var replies: Bool?
  var media: Bool?
  var isUnread = false
  var languages: Set<String> = []
  var excludedLanguages: Set<String> = []
  var patterns = PatternTerms()
  var excludedPatterns = PatternTerms()

  /// Whether there are none.
  var isEmpty: Bool { spelling.isEmpty }

  /// All of them, in their order.
  var spelling: [String] {
    var words: [String] = []
    for (wish, name) in [(reposts, "is:repost"), (replies, "is:reply"), (media, "has:media")] {
      if let wish { words.append(wish ? name : "-\(name)") }
    }
    if isUnread { words.append("is:unread") }
    return words + languages.sorted().map { "lang:\($0)" } + excludedLanguages.sorted().map { "-lang:\($0)" }
      + patterns.sorted.map { "/\($0.spelling)/" } + excludedPatterns.sorted.map { "-/\($0.spelling)/" }
  }

  /// Takes its terms out of a text; what is left is a search's.
  mutating func read(_ text: String) throws(PostFilterError) -> String {
    let quotes = Set("\"“”„‟".unicodeScalars)
    var left: [String] = []
    var word = String.UnicodeScalarView()
    var isQuoted = false
    var rest = "\(text) ".unicodeScalars[...]
    while !rest.isEmpty {
      if word.isEmpty, try takePattern(&rest) { continue }
      let scalar = rest.removeFirst()
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

  /// Takes a pattern with its slashes from the front of what is left to read; false where there is none.
  private mutating func takePattern(_ rest: inout Substring.UnicodeScalarView) throws(PostFilterError) -> Bool {
    let isExcluded = rest.first == "-"
    var behind = rest.drop { $0 == "-" }
    guard behind.popFirst() == "/" else { return false }
    var text = String.UnicodeScalarView()
    while let scalar = behind.popFirst(), scalar != "/" {
      text.append(scalar)
      if scalar == "\\", let escaped = behind.popFirst() { text.append(escaped) }
    }
    func word(_ scalars: Substring.UnicodeScalarView) -> String {
      String(scalars.prefix { !$0.properties.isWhitespace })
    }
    // The last character of all is a space.
    guard let next = behind.first else { throw .openPattern(word(rest.drop { $0 == "-" })) }
    guard next.properties.isWhitespace else { throw .behindPattern("/\(text)/", text: word(behind)) }
    try add(String(text), isExcluded)
    rest = behind
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

  private mutating func wish(_ what: WritableKeyPath<FilterTerms, Bool?>, _ isOn: Bool, _ term: String)
    throws(PostFilterError)
  {
    if let other = self[keyPath: what], other != isOn { throw .contradiction(term) }
    self[keyPath: what] = isOn
  }

  private static func isLetter(_ byte: UInt8) -> Bool {
    byte | 0x20 >= 0x61 && byte | 0x20 <= 0x7A || 0x30...0x39 ~= byte
  }
}

/// Patterns, each once.
struct PatternTerms {
  private var bySpelling: [String: TextPattern] = [:]

  /// In the order of their spelling.
  var sorted: [TextPattern] { bySpelling.values.sorted { $0.spelling < $1.spelling } }
  /// The states of all.
  var stateCount: Int { bySpelling.values.reduce(0) { $0 + $1.program.states.count } }

  /// Adds one, unless it is there.
  mutating func insert(_ pattern: TextPattern) { bySpelling[pattern.spelling] = pattern }

  /// Whether one is there.
  func contains(_ pattern: TextPattern) -> Bool { bySpelling[pattern.spelling] != nil }
}
