/// The names of a verb's options, dashes included.
public struct OptionNames: Equatable, Sendable {
  /// Options without a value, such as `--json` and `-q`.
  public let flags: Set<String>
  /// Options with a value, which is the next word or follows an equals sign.
  public let values: Set<String>

  public init(flags: Set<String> = [], values: Set<String> = []) {
    self.flags = flags
    self.values = values
  }

  /// Reads the names from a help text with one option per line: its names (`  -q, --quiet   …`), then its value, if any
  /// (`  --width <N>   …`). Options that the parser handles itself in every verb are omitted.
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
    self.init(flags: flags.subtracting(Self.builtIn), values: values)
  }

  /// The options that the parser handles itself, in every verb.
  static let builtIn: Set<String> = ["-h", "--help", "--version"]

  /// All names.
  public var all: Set<String> { flags.union(values) }
}
