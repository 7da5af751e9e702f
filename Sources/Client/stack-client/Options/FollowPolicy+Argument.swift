public import ArgumentParser
public import ViewState

/// The setting `follows` by its values' names.
extension FollowPolicy: ExpressibleByArgument {
  /// Creates the value with a name; nil for an unknown name.
  public init?(argument: String) {
    guard let policy = FollowPolicy.allCases.first(where: { $0.name == argument }) else { return nil }
    self = policy
  }

  /// The names.
  public static var allValueStrings: [String] { allCases.map(\.name) }

  /// No descriptions: the help of the verb has them.
  public static var allValueDescriptions: [String: String] { [:] }
}
