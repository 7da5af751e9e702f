/// A regular expression (docs/SEARCH.md), which is looked for anywhere in a text. Case and accents do not matter, as in
/// searches: pattern and text are compared character by character as they are folded.
public struct TextPattern: Equatable, Sendable {
  /// As it is written between the slashes: folded where that is one character. The same pattern when it is read again.
  public let spelling: String
  /// How it is looked for.
  let program: PatternProgram

  /// How often something may be repeated by a number.
  public static let repeatLimit = 500
  /// How many brackets may be in one another.
  public static let depthLimit = 30
  /// How many states the patterns of a filter have together: repeats by a number are written out.
  public static let stateLimit = 1000

  /// Reads what is between the slashes, where `\/` is a slash. O(length + states).
  public init(parsing text: String) throws(PatternError) {
    var parser = PatternParser(text)
    let node = try parser.pattern()
    guard let program = PatternProgram(node) else { throw PatternError(mistake: .tooLarge, position: 1) }
    spelling = parser.spelling
    self.program = program
  }

  public static func == (left: TextPattern, right: TextPattern) -> Bool { left.spelling == right.spelling }
}
