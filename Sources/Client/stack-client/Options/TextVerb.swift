internal import ArgumentParser
internal import ClientCore

/// A verb that takes free text, which may begin with a dash (`DashWords`).
protocol TextVerb: ParsableCommand {
  /// True if the words are a query.
  static var isQuery: Bool { get }
}

extension TextVerb {
  static var isQuery: Bool { false }
}

extension OptionNames {
  /// The names of a verb's options, read from its help.
  init(of verb: any ParsableCommand.Type) { self.init(inHelp: verb.helpMessage(columns: 400)) }
}
