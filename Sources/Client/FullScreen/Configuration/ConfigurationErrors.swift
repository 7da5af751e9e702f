/// All that is wrong with a file that somebody wrote: of keys, or of a theme.
public struct ConfigurationErrors: Error, Equatable, Sendable {
  /// At least one, in the order of their lines.
  public let errors: [ConfigurationError]

  /// In any order, and at least one.
  init(_ errors: [ConfigurationError]) { self.errors = errors.sorted { $0.line < $1.line } }
}

/// One thing that is wrong with such a file.
public struct ConfigurationError: Error, Equatable, Sendable {
  /// From 1.
  public let line: Int
  /// What, in words for people, with the nearest word that would be right.
  public let message: String
}
