internal import Posts

/// What somebody has had enough of: a word, a phrase or a #tag, by the rules by which a search finds it
/// (docs/SEARCH.md).
public struct MutedWord: Hashable, Sendable {
  /// As this type would write it, and as a search's canonical form has it: the same text for what finds the same posts.
  public let spelling: String

  /// Bytes that it may have.
  public static let byteLimit = 256

  /// Reads what somebody typed: a `#` at the front makes it a tag, anything else is a word, or words that follow one
  /// another.
  public init(parsing text: String) throws(MutedWordError) {
    guard text.utf8.count <= Self.byteLimit else { throw .tooLong }
    let text = SafeText(line: text).string.trimmed
    let isTag =
      (text.hasPrefix("#") || text.hasPrefix("＃")) && !text.unicodeScalars.contains(where: \.properties.isWhitespace)
    let term =
      isTag ? SearchTerm(facet: Facet.tag, Array(text.dropFirst().utf8)) : SearchTerm(words: Array(text.utf8))
    guard let term else { throw .empty }
    spelling = term.spelling
  }
}

/// What is wrong with a word that somebody wants to mute.
public enum MutedWordError: Error, Equatable, Sendable {
  /// Nothing of it is a word.
  case empty
  /// More than ``MutedWord/byteLimit`` bytes.
  case tooLong

  /// One line without a final full stop: what is wrong and what would be right.
  public var message: String {
    switch self {
    case .empty: "there is no word in it: write a word, a phrase or #tag"
    case .tooLong: "a muted word has at most \(MutedWord.byteLimit) bytes: leave something out"
    }
  }
}

extension String {
  /// Without white space at either end.
  fileprivate var trimmed: String {
    let scalars = unicodeScalars
    guard let first = scalars.firstIndex(where: { !$0.properties.isWhitespace }),
      let last = scalars.lastIndex(where: { !$0.properties.isWhitespace })
    else { return "" }
    return String(scalars[first...last])
  }
}
