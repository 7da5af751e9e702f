/// An error in a pattern with its position, described for the user who typed it.
public struct PatternError: Error, Equatable, Sendable {
  public let mistake: Mistake
  /// The position of the offending character, from 1.
  public let position: Int

  /// The kinds of errors.
  public enum Mistake: Equatable, Sendable {
    /// The pattern is empty.
    case empty
    /// `(` without `)`.
    case openGroup
    /// `)` without `(`.
    case closedGroup
    /// `[` without `]`.
    case openSet
    /// `[]`.
    case emptySet
    /// The last character is before the first, or one of them is a class.
    case badRange(String)
    /// In `[ ]`, a character that is several letters in a searched text.
    case severalLetters(String)
    /// `*` or the like with nothing before it.
    case nothingToRepeat(String)
    /// `{` without a number and `}`.
    case badRepeat
    /// A number above ``TextPattern/repeatLimit``.
    case tooOften(String)
    /// `{5,2}`.
    case fallingRepeat(String)
    /// Groups nested more deeply than ``TextPattern/depthLimit``.
    case tooDeep
    /// More than ``TextPattern/stateLimit`` states.
    case tooLarge
    /// A backslash before a letter or digit without a meaning.
    case unknownEscape(String)
    /// A backslash at the end.
    case openEscape
    /// An unsupported construct of other regular expressions, as written, and its name.
    case missing(String, name: String)
  }

  /// One line without a final full stop: the position, the problem and how to fix it.
  public var message: String { "character \(position): \(mistake.message)" }
}

extension PatternError.Mistake {
  fileprivate var message: String {
    switch self {
    case .empty: "the pattern is empty: write something between the slashes"
    case .openGroup: "unclosed (: add a ), or write \\( for the character itself"
    case .closedGroup: "unmatched ): add a ( before it, or write \\) for the character itself"
    case .openSet: "unclosed [: add a ], or write \\[ for the character itself"
    case .emptySet: "empty brackets: write [abc], or \\] for the character itself"
    case .badRange(let range):
      "invalid range [\(range)]: write the lower character first, as in [a-z], or \\- for a hyphen"
    case .severalLetters(let letter):
      "\(letter) is compared as several letters and cannot be in [ ]: write (a|\(letter))"
    case .nothingToRepeat(let sign): "nothing to repeat before \(sign): write \\\(sign) for the character itself"
    case .badRepeat: "no number after {: write {2}, {2,} or {2,5}, or \\{ for the character itself"
    case .tooOften(let text): "the repeat count {\(text)} is too large: at most \(TextPattern.repeatLimit)"
    case .fallingRepeat(let text): "the repeat count {\(text)} is reversed: the first number is the minimum"
    case .tooDeep: "parentheses are nested too deeply: at most \(TextPattern.depthLimit) levels"
    case .tooLarge:
      "too large with repeats expanded: the patterns of a filter have at most \(TextPattern.stateLimit) states"
    case .unknownEscape(let text): "unknown escape \(text): use \\d, \\w, \\s, \\D, \\W, \\S, \\b, \\B or \\n"
    case .openEscape: "nothing after \\: write \\\\ for a backslash"
    case .missing(let text, let name): "\(name) \(text) is not supported: write the pattern without it"
    }
  }
}
