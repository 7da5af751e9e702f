/// Completes the @name or #tag before the cursor of a text, with one match after the other.
struct WordCompletion: Equatable, Sendable {
  /// What the matches replace: the clusters from here to the cursor.
  let start: Int
  let matches: [String]
  /// The match that is inserted; nil before the first.
  var chosen: Int?

  /// The number of matches shown and gone through.
  private static let limit = 6

  /// The completions of the word before the cursor; nil without a word that has any.
  init?(_ buffer: TextBuffer, _ values: KnownValues) {
    guard let (word, start) = Self.word(of: buffer) else { return nil }
    let kind: KnownValues.Kind = word.hasPrefix("#") ? .tag : .author
    let wanted = word.lowercased()
    matches = Array(
      values.matches(word, of: kind).filter { $0.lowercased().hasPrefix(wanted) && $0 != word }.prefix(Self.limit))
    guard !matches.isEmpty else { return nil }
    self.start = start
  }

  /// Returns the word before the cursor if it begins with @ or #, and the number of clusters before it.
  static func word(of buffer: TextBuffer) -> (word: String, start: Int)? {
    let before = buffer.text[..<buffer.index]
    let start = before.lastIndex(where: \.isWhitespace).map { before.index(after: $0) } ?? before.startIndex
    let word = String(before[start...])
    guard let mark = word.first, mark == "@" || mark == "#" else { return nil }
    return (word, buffer.cursor - word.count)
  }

  /// Goes to the next match, and puts it into a text.
  mutating func insertNext(into buffer: inout TextBuffer) {
    let next = chosen.map { ($0 + 1) % matches.count } ?? 0
    chosen = next
    let text = buffer.text
    buffer.replace(text.index(text.startIndex, offsetBy: start)..<buffer.index, with: matches[next] + " ")
  }
}
