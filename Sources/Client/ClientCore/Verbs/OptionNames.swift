/// The names under which the options of a verb are written, dashes included.
public struct OptionNames: Sendable {
  /// Options that stand alone, such as `--json` and `-q`.
  public let flags: Set<String>
  /// Options with a value, which is the next word or follows an equals sign.
  public let values: Set<String>

  /// Puts the names together.
  public init(flags: Set<String> = [], values: Set<String> = []) {
    self.flags = flags
    self.values = values
  }

  /// All of them.
  public var all: Set<String> { flags.union(values) }

  /// The options of both.
  public static func + (left: OptionNames, right: OptionNames) -> OptionNames {
    OptionNames(flags: left.flags.union(right.flags), values: left.values.union(right.values))
  }
}
