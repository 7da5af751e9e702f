internal import ArgumentParser
internal import ClientCore

/// A verb with words of a person's own, which may begin with a dash (`DashWords`).
protocol TextVerb: ParsableCommand {
  /// Whether the words are a query.
  static var isQuery: Bool { get }
}

extension TextVerb {
  static var isQuery: Bool { false }

  /// The names of its options, as the parser tells them in its help.
  static var optionNames: OptionNames { OptionNames(inHelp: helpMessage(columns: 400)) }
}
