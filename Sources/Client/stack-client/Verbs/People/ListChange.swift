internal import ClientCore
internal import Messages

/// Changes to lists.
enum ListChange {
  /// Sends a change and prints the outcome; with `isNew` the ID of the list.
  static func send(
    _ method: String, _ request: some WireMessage, isNew: Bool = false, _ context: ClientContext
  ) throws(ClientFailure) {
    let answer: ListResponse = try context.ask(method, request)
    if isNew && answer.listID == 0 { throw .invalidResponse("it names no list") }
    try context.write(answer.record(isNew: isNew))
  }
}
