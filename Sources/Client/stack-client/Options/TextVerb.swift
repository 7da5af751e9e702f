internal import ArgumentParser
internal import ClientCore

/// A verb that takes free text, which may begin with a dash (`DashWords`).
protocol TextVerb: ParsableCommand {
  /// True if the words are a query.
  static var isQuery: Bool { get }
}

extension TextVerb {
  static var isQuery: Bool { false }

  /// The names of the verb's options, read from its help.
  static var optionNames: OptionNames { OptionNames(inHelp: helpMessage(columns: 400)) }
}
