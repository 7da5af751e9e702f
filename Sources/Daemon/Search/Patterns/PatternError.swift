/// What is wrong with a pattern, and where, in the words for whoever typed it.
public struct PatternError: Error, Equatable, Sendable {
  /// What is wrong.
  public let mistake: Mistake
  /// With which of its characters, from 1.
  public let position: Int

  /// What can be wrong.
  public enum Mistake: Equatable, Sendable {
    /// There is nothing in it.
    case empty
    /// `(` without `)`.
    case openGroup
    /// `)` without `(`.
    case closedGroup
    /// `[` without `]`.
    case openSet
    /// `[]`.
    case emptySet
    /// The second is before the first, or one of them is no character.
    case badRange(String)
    /// In `[ ]`, what is several letters in a text that is searched.
    case severalLetters(String)
    /// `*` or the like behind nothing.
    case nothingToRepeat(String)
    /// `{` without a number and `}`.
    case badRepeat
    /// A number above ``TextPattern/repeatLimit``.
    case tooOften(String)
    /// `{5,2}`.
    case fallingRepeat(String)
    /// More brackets in one another than ``TextPattern/depthLimit``.
    case tooDeep
    /// More than ``TextPattern/stateLimit`` states.
    case tooLarge
    /// A backslash before what means nothing.
    case unknownEscape(String)
    /// A backslash before nothing.
    case openEscape
    /// What patterns of other programs have, as it was written, and its name.
    case missing(String, name: String)
  }

  /// One line without a final full stop: what is wrong, where, and what would be right.
  public var message: String { "character \(position): \(mistake.message)" }
}

extension PatternError.Mistake {
  fileprivate var message: String {
    switch self {
    case .empty: "there is nothing to look for: write something between the slashes"
    case .openGroup: "a bracket ( is not closed: put a ) behind it, or write \\( for the sign"
    case .closedGroup: "a bracket ) closes nothing: put a ( before it, or write \\) for the sign"
    case .openSet: "a bracket [ is not closed: put a ] behind it, or write \\[ for the sign"
    case .emptySet: "there is nothing in the brackets: write [abc], or \\] for the sign"
    case .badRange(let range):
      "[\(range)] is no range: the first comes before the second, as in [a-z]; write \\- for the sign"
    case .severalLetters(let letter):
      "\(letter) in [ ] is several letters, for accents and the like are left out: write (a|\(letter))"
    case .nothingToRepeat(let sign): "a \(sign) has nothing before it to repeat: write \\\(sign) for the sign"
    case .badRepeat: "a { has no number behind it: write {2}, {2,} or {2,5}, or \\{ for the sign"
    case .tooOften(let text): "a repeat {\(text)} is too much: at most \(TextPattern.repeatLimit)"
    case .fallingRepeat(let text): "a repeat {\(text)} is the wrong way round: the first number is the least"
    case .tooDeep: "there are too many brackets in one another: at most \(TextPattern.depthLimit)"
    case .tooLarge:
      "with its repeats it is too long: all patterns of a filter have \(TextPattern.stateLimit) states at most"
    case .unknownEscape(let text): "\(text) is not known: there are \\d, \\w, \\s, \\D, \\W, \\S, \\b, \\B and \\n"
    case .openEscape: "a \\ has nothing behind it: write \\\\ for the sign"
    case .missing(let text, let name): "\(name) \(text) is not known here: write it without"
    }
  }
}
