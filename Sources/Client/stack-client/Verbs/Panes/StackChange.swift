internal import ClientCore
internal import Messages

/// Changes of pane stacks.
enum StackChange {
  /// Has the daemon make a change, and tells which pane it was about.
  static func send(_ method: String, _ request: some WireMessage, _ context: ClientContext) throws(ClientFailure) {
    let answer: PaneResponse = try context.command(method, request)
    try context.tell(answer.record)
  }
}
