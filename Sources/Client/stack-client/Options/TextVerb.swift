internal import ArgumentParser
internal import ClientCore

/// A verb with words of a person's own, which may begin with a dash (`DashWords`). A test compares the names with what
/// the parser takes.
protocol TextVerb: ParsableCommand {
  /// The names of all options that it has.
  static var optionNames: OptionNames { get }
  /// Whether the words are a query.
  static var isQuery: Bool { get }
}

extension TextVerb {
  static var isQuery: Bool { false }
}

extension CommonOptions {
  static let names = OptionNames(
    flags: ["--json", "--jsonl", "--plain", "-q", "--quiet"],
    values: ["--width", "--locale", "--times", "--socket", "--connect", "--token-file", "--color"])
}

extension ReadingOptions {
  static let names = OptionNames(flags: ["--reverse"], values: ["-n", "--lines", "--before", "--since", "--filter"])
}

extension SessionOptions {
  static let names = OptionNames(values: ["--session", "--if-revision"])
}

extension TextArguments {
  static let names = OptionNames(flags: ["--editor"])
}

extension DestinationOptions {
  static let names = OptionNames(values: ["--source", "--visibility"])
}

extension PostVerb: TextVerb {
  static let optionNames =
    CommonOptions.names + TextArguments.names + DestinationOptions.names
    + OptionNames(values: ["--reply-to", "--draft"])
}

extension ReplyVerb: TextVerb {
  static let optionNames = CommonOptions.names + TextArguments.names + DestinationOptions.names
}

extension EditVerb: TextVerb {
  static let optionNames = CommonOptions.names + TextArguments.names
}

extension MeasureVerb: TextVerb {
  static let optionNames = CommonOptions.names + OptionNames(values: ["--width-profile", "--ambiguous"])
}

extension SearchVerb: TextVerb {
  static let optionNames = CommonOptions.names + ReadingOptions.names
  static var isQuery: Bool { true }
}

extension WatchVerb: TextVerb {
  static let optionNames = CommonOptions.names + OptionNames(values: ["-n", "--lines"])
  static var isQuery: Bool { true }
}

extension ListVerb.Make: TextVerb {
  static let optionNames = CommonOptions.names
}

extension ListVerb.Rename: TextVerb {
  static let optionNames = CommonOptions.names
}

extension ListVerb.Delete: TextVerb {
  static let optionNames = CommonOptions.names + OptionNames(flags: ["-y", "--yes"])
}

extension ListVerb.Show: TextVerb {
  static let optionNames = CommonOptions.names + ReadingOptions.names
}

extension ListVerb.Add: TextVerb {
  static let optionNames = CommonOptions.names
}

extension ListVerb.Remove: TextVerb {
  static let optionNames = CommonOptions.names
}

extension MuteWordVerb: TextVerb {
  static let optionNames = CommonOptions.names
}

extension UnmuteWordVerb: TextVerb {
  static let optionNames = CommonOptions.names
}

extension PaneVerb.Open: TextVerb {
  static let optionNames = CommonOptions.names + SessionOptions.names
  static var isQuery: Bool { true }
}

extension PaneVerb.Push: TextVerb {
  static let optionNames = CommonOptions.names + SessionOptions.names + OptionNames(values: ["--pane-width", "--from"])
  static var isQuery: Bool { true }
}

extension PaneVerb.Replace: TextVerb {
  static let optionNames = CommonOptions.names + SessionOptions.names + OptionNames(values: ["--pane-width", "--pane"])
  static var isQuery: Bool { true }
}

extension PaneVerb.Filter: TextVerb {
  static let optionNames = CommonOptions.names + SessionOptions.names + OptionNames(values: ["--pane"])
  static var isQuery: Bool { true }
}

extension TokenVerb.Issue: TextVerb {
  static let optionNames = CommonOptions.names + OptionNames(values: ["--scope", "--account", "--to"])
}
