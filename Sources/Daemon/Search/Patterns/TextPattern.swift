/// A regular expression (docs/SEARCH.md), searched for anywhere in a text.
///
/// Case and accents are ignored, as in searches: pattern and text are folded and compared character by character.
public struct TextPattern: Equatable, Sendable {
  /// The pattern between the slashes, with characters folded that fold to one character. Parses to the same pattern.
  public let spelling: String
  let program: PatternProgram

  /// The maximum of a repeat count.
  public static let repeatLimit = 500
  /// The maximum nesting depth of parentheses.
  public static let depthLimit = 30
  /// The maximum number of states of all patterns of a filter together, with repeats expanded.
  public static let stateLimit = 1000

  /// Parses the text between the slashes, where `\/` is a slash. O(length + states).
  public init(parsing text: String) throws(PatternError) {
    var parser = PatternParser(text)
    let node = try parser.pattern()
    guard let program = PatternProgram(node) else { throw PatternError(mistake: .tooLarge, position: 1) }
    spelling = parser.spelling
    self.program = program
  }

  public static func == (left: TextPattern, right: TextPattern) -> Bool { left.spelling == right.spelling }
}
