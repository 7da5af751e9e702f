public import ArgumentParser
public import ViewState

/// Sections by their names on the command line, which are those of the cases.
extension Section: ExpressibleByArgument {
  /// The section with a name; nil for none.
  public init?(argument: String) {
    guard let section = Section.allCases.first(where: { "\($0)" == argument }) else { return nil }
    self = section
  }

  /// The names.
  public static var allValueStrings: [String] { allCases.map { "\($0)" } }
}
