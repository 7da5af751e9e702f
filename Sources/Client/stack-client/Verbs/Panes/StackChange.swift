internal import ClientCore
internal import Messages

/// Changes to pane stacks.
enum StackChange {
  /// Sends a change and prints the pane that it affected.
  static func send(_ method: String, _ request: some WireMessage, _ context: ClientContext) throws(ClientFailure) {
    let answer: PaneResponse = try context.command(method, request)
    try context.write(answer.record)
  }
}
