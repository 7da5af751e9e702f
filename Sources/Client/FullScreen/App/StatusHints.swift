/// The key hints in the status line. Boxes name their keys themselves.
enum StatusHints {
  private static let actions: [(Action, String)] = [
    (.help, "keys"), (.open, "open"), (.close, "close"), (.compose, "write"), (.reply, "reply"), (.search, "search"),
    (.palette, "commands"),
  ]

  /// Returns the hints of the panes, for actions that have a key.
  static func hints(_ keymap: Keymap) -> [(keys: String, does: String)] {
    actions.compactMap { action, words in keymap.keys(for: action, in: .panes).first.map { ($0, words) } }
  }
}
