/// A context in which keys have meanings of their own.
public enum KeyContext: String, CaseIterable, Sendable {
  /// The panes and their rows.
  case panes
  /// A post that is being written.
  case compose
  /// The command line.
  case palette
  /// A one-line input.
  case prompt
  /// A question.
  case confirm
  /// A menu: links, attachments, sessions.
  case menu
  /// The list of keys.
  case help
  /// A message.
  case message

  /// True if a key without an action that types something is text here.
  public var isTyping: Bool {
    switch self {
    case .compose, .palette, .prompt, .help: true
    case .panes, .confirm, .menu, .message: false
    }
  }
}
