/// Where keys mean something of their own.
public enum KeyContext: String, CaseIterable, Sendable {
  /// The panes and their rows.
  case panes
  /// A post that is being written.
  case compose
  /// The command line.
  case palette
  /// A line that is asked for.
  case prompt
  /// A question.
  case confirm
  /// Things to choose from.
  case menu
  /// The list of keys.
  case help
  /// Some lines to read.
  case message

  /// Whether a key that types something and has no action here is text.
  public var isTyping: Bool {
    switch self {
    case .compose, .palette, .prompt, .help: true
    case .panes, .confirm, .menu, .message: false
    }
  }
}
