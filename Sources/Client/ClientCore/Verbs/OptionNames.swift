/// The names under which the options of a verb are written, dashes included.
public struct OptionNames: Equatable, Sendable {
  /// Options that stand alone, such as `--json` and `-q`.
  public let flags: Set<String>
  /// Options with a value, which is the next word or follows an equals sign.
  public let values: Set<String>

  /// Puts the names together.
  public init(flags: Set<String> = [], values: Set<String> = []) {
    self.flags = flags
    self.values = values
  }

  /// The names in a help text that has an option a line, with its names first (`  -q, --quiet   …`), and behind those
  /// what it takes (`  --width <N>   …`). Without those that every verb has, which the parser answers by itself.
  public init(inHelp help: String) {
    var (flags, values): (Set<String>, Set<String>) = ([], [])
    for line in help.split(separator: "\n") where line.hasPrefix("  -") {
      let words = line.split(separator: " ")
      let names = words.prefix { $0.hasPrefix("-") }.map { String($0.prefix { $0 != "," }) }
      if words.dropFirst(names.count).first?.hasPrefix("<") == true {
        values.formUnion(names)
      } else {
        flags.formUnion(names)
      }
    }
    self.init(flags: flags.subtracting(Self.answered), values: values)
  }

  /// Options that the parser answers by itself, in every verb.
  static let answered: Set<String> = ["-h", "--help", "--version"]

  /// All of them.
  public var all: Set<String> { flags.union(values) }
}
