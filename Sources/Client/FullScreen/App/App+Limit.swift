internal import Messages
internal import ViewState

/// Limiting a pane to some of its posts, in place: the same keys as in less.
extension App {
  mutating func askForLimit() {
    guard let pane = focusedPane else { return }
    prompt(.limit, String(decoding: pane.header.filter, as: UTF8.self))
  }

  /// Limits the pane that has the focus; no words for everything.
  mutating func limit(to words: String) {
    guard let pane = focusedPane, !words.isEmpty || !pane.header.filter.isEmpty else { return }
    var request = SetFilterRequest(filter: words)
    request.command = command()
    request.paneID = pane.header.paneID
    call(.stack, Method.setFilter, request)
  }
}
