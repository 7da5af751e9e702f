/// The keys worth telling in the last line.
enum StatusHints {
  /// Those of a context that have a key.
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
        (.search, "search"), (.palette, "more"),
      ]
    case .compose: [(.send, "send"), (.toEditor, "editor"), (.cancel, "leave")]
    case .palette, .prompt, .menu: [(.choose, "do it"), (.cancel, "leave")]
    case .confirm: [(.confirm, "yes"), (.cancel, "no")]
    case .help, .message: [(.cancel, "leave")]
    }
  }
}
