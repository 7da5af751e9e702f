internal import ClientCore
internal import Messages

/// Changes of follows and lists.
enum ListChange {
  /// Has the daemon make a change, and tells of it: of the list's number where it `isNew`.
  static func send(
    _ method: String, _ request: some WireMessage, isNew: Bool = false, _ context: ClientContext
  ) throws(ClientFailure) {
    let answer: ListResponse = try context.ask(method, request)
    try context.tell(answer.record(isNew: isNew))
  }
}
