/// The key hints in the status line.
enum StatusHints {
  /// Returns the hints of a context, for actions that have a key.
  static func hints(_ keymap: Keymap, in context: KeyContext) -> [(keys: String, does: String)] {
    actions(in: context).compactMap { action, words in
      keymap.keys(for: action, in: context).first.map { ($0, words) }
    }
  }

  private static func actions(in context: KeyContext) -> [(Action, String)] {
    switch context {
    case .panes:
      [
        (.help, "keys"), (.open, "open"), (.close, "close"), (.compose, "write"), (.reply, "reply"),
        (.search, "search"), (.palette, "commands"),
      ]
    case .compose: [(.send, "post"), (.toEditor, "editor"), (.cancel, "keep draft")]
    case .palette, .prompt, .menu: [(.choose, "OK"), (.cancel, "cancel")]
    // The box names its keys.
    case .confirm: []
    case .help, .message: [(.cancel, "close")]
    }
  }
}
