internal import ClientCore
internal import Messages
internal import RPC
internal import ViewState

/// What the daemon says to somebody who is not signed in: all that a view of theirs shows is a launch pane (behaviour.md, rule 41).
enum SignedOut {
  /// What to do about it.
  private static let hint = "give a token with --token-file or $STACK_TOKEN"

  /// The launch pane's words as a failure. Over a connection that shows no token.
  static func failure(_ link: DaemonLink) -> ClientFailure {
    defer { link.close() }
    do {
      return failure(try ShortView.look(link, layout: LayoutParameters(width: 80, height: 24)).panes) ?? plain
    } catch {
      return error.exitCode == .refused ? plain : error
    }
  }

  /// The words of the launch pane among `panes`; nil where there is none.
  static func failure(_ panes: [Pane]) -> ClientFailure? {
    guard let pane = panes.first, pane.header.kind == .launch else { return nil }
    let words = pane.rows.map { String(decoding: $0.content.fields.text, as: UTF8.self) }.joined(separator: " ")
    return words.isEmpty ? plain : ClientFailure(.refused, words.hasSuffix(".") ? String(words.dropLast()) : words, hint: hint)
  }

  private static var plain: ClientFailure { ClientFailure(.refused, "you are not signed in", hint: hint) }
}
