/// All errors in a file of keys or in a theme file.
public struct ConfigurationErrors: Error, Equatable, Sendable {
  /// At least one error, in the order of the lines.
  public let errors: [ConfigurationError]

  /// Sorts `errors` by line. At least one is required.
  init(_ errors: [ConfigurationError]) { self.errors = errors.sorted { $0.line < $1.line } }
}

/// An error in a configuration file.
public struct ConfigurationError: Error, Equatable, Sendable {
  /// The line number, from 1.
  public let line: Int
  /// A message for people, with the nearest valid word.
  public let message: String
}
