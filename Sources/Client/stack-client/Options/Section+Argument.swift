public import ArgumentParser
public import ViewState

/// Sections by their names on the command line, which are the names of the cases.
extension Section: ExpressibleByArgument {
  /// Creates the section with a name; nil for an unknown name.
  public init?(argument: String) {
    guard let section = Section.allCases.first(where: { "\($0)" == argument }) else { return nil }
    self = section
  }

  /// The names.
  public static var allValueStrings: [String] { allCases.map { "\($0)" } }

  /// The name, for a default in the help.
  public var defaultValueDescription: String { "\(self)" }

  /// No descriptions: the names are enough, and the raw values are not for users.
  public static var allValueDescriptions: [String: String] { [:] }
}
