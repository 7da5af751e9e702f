/// The command line: verbs with what they need, found as one types.
public struct Palette: Equatable, Sendable {
  public var field = LineField()
  /// Which of ``suggestions`` is chosen.
  public var selected = 0
  /// Lines that were entered before, the oldest first; at most ``historyLimit``.
  public private(set) var history: [String]

  /// Lines that are remembered.
  public static let historyLimit = 100

  /// An empty line.
  public init(history: [String] = []) { self.history = history }

  /// What may be meant, the best first.
  public var suggestions: [Suggestion] { [] }

  /// A verb that may be meant.
  public struct Suggestion: Equatable, Sendable {
    public var name: String
    /// What it needs, such as "QUERY"; empty for nothing.
    public var argument: String
    public var summary: String
    /// As people write them; empty for none.
    public var keys: [String]
  }

  /// What the line asks for; the reason why that is nothing that can be done.
  public func command() -> Result<PaletteCommand, PaletteFailure> { .failure(PaletteFailure(message: "")) }

  /// Does what an action of editing, choosing or completing does; false where it is none, or changes nothing.
  @discardableResult public mutating func perform(_ action: Action) -> Bool { false }

  /// Notes the line as entered.
  public mutating func remember() {}
}

/// A line that cannot be done.
public struct PaletteFailure: Error, Equatable, Sendable {
  /// For people.
  public let message: String
}

/// What the palette was asked for.
public enum PaletteCommand: Equatable, Sendable {
  /// What a key does too.
  case action(Action)
  /// A verb, and the words behind it.
  case verb(PaletteVerb, argument: String)
}

/// What can be asked for with words only; the raw value is its name.
public enum PaletteVerb: String, CaseIterable, Sendable {
  case search
  case author
  case conversation
  case list
  case tag
  case direct
  case post
  case follow
  case unfollow
  case makeList = "list-make"
  case renameList = "list-rename"
  case deleteList = "list-delete"
  case addToList = "list-add"
  case removeFromList = "list-remove"
  case session
  case renameSession = "session-rename"
  case deleteSession = "session-delete"
  case date
  case theme
  case width
  case importFile = "import"
}
