internal import ClientCore
internal import ViewState

/// The failure of a client that is not signed in. Its views show only a launch pane (docs/BEHAVIOUR.md, rule 41), whose
/// text is meant for a screen.
enum SignedOut {
  /// The failure.
  static var failure: ClientFailure {
    ClientFailure(.refused, "you are not signed in", hint: "give a token with --token-file or $STACK_TOKEN")
  }

  /// Returns the failure if `panes` are a launch pane; nil otherwise.
  static func failure(_ panes: [Pane]) -> ClientFailure? {
    panes.first?.header.kind == .launch ? failure : nil
  }
}
