internal import ClientCore
internal import ViewState

/// What somebody is told who is not signed in. All that a view of theirs shows is a launch pane (behaviour.md, rule
/// 41), whose words are for who looks at a screen.
enum SignedOut {
  /// The one sentence about it.
  static var failure: ClientFailure {
    ClientFailure(.refused, "you are not signed in", hint: "give a token with --token-file or $STACK_TOKEN")
  }

  /// That sentence where `panes` are a launch pane; nil otherwise.
  static func failure(_ panes: [Pane]) -> ClientFailure? {
    panes.first?.header.kind == .launch ? failure : nil
  }
}
