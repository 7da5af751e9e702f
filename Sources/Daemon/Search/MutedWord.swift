internal import Posts

/// A muted word, phrase or #tag, matched by the rules of a search (docs/SEARCH.md).
public struct MutedWord: Hashable, Sendable {
  /// The canonical spelling, also as a search's canonical form: equal for words that match the same posts.
  public let spelling: String

  /// The maximum length in bytes.
  public static let byteLimit = 256

  /// Reads a typed word. A `#` at the front makes it a tag; any other text is a word or a phrase, which has no tags.
  public init(parsing text: String) throws(MutedWordError) {
    guard text.utf8.count <= Self.byteLimit else { throw .tooLong }
    let text = SafeText(line: text).string.trimmed
    let words = text.unicodeScalars.split(whereSeparator: \.properties.isWhitespace)
    let tags = words.filter { ($0.first == "#" || $0.first == "＃") && $0.count > 1 }
    if words.count > 1, let tag = tags.first { throw .tagInPhrase(String(tag)) }
    let isTag = !tags.isEmpty
    let term =
      isTag ? SearchTerm(facet: Facet.tag, Array(text.dropFirst().utf8)) : SearchTerm(words: Array(text.utf8))
    guard let term else { throw .empty }
    spelling = term.spelling
  }
}

/// A reason why a text cannot be muted.
public enum MutedWordError: Error, Equatable, Sendable {
  /// The text contains no word.
  case empty
  /// The text is longer than ``MutedWord/byteLimit`` bytes.
  case tooLong
  /// The text is a phrase with this tag in it.
  case tagInPhrase(String)

  /// One line without a final full stop: the problem and how to fix it.
  public var message: String {
    switch self {
    case .empty: "no word to mute: write a word, a phrase or #tag"
    case .tagInPhrase(let tag): "a phrase cannot contain a tag: mute \(tag) by itself"
    case .tooLong: "the muted word is too long: at most \(MutedWord.byteLimit) bytes"
    }
  }
}

extension String {
  /// The string without white space at either end.
  fileprivate var trimmed: String {
    let scalars = unicodeScalars
    guard let first = scalars.firstIndex(where: { !$0.properties.isWhitespace }),
      let last = scalars.lastIndex(where: { !$0.properties.isWhitespace })
    else { return "" }
    return String(scalars[first...last])
  }
}
