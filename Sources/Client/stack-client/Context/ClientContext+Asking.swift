internal import ClientCore
internal import Messages

extension ClientContext {
  /// One question over a connection of its own.
  func ask<Answer: WireMessage>(
    _ method: String, _ request: some WireMessage, as answer: Answer.Type = Answer.self,
    timeout: Duration = DaemonLink.callTimeout
  ) throws(ClientFailure) -> Answer {
    let link = try connect()
    defer { link.close() }
    return try link.call(method, request, timeout: timeout)
  }

  /// All items of a list, over a connection of its own.
  func list<Page: PageResponse, Request: WireMessage>(
    _ method: String, _ page: Page.Type, _ request: (PageRequest) -> Request
  ) throws(ClientFailure) -> [Page.Item] {
    let link = try connect()
    defer { link.close() }
    return try link.pages(method, page, request).flatMap(\.items)
  }

  /// All items of a list that takes no more than a page to ask for, over a connection of its own.
  func list<Page: PageResponse>(_ method: String, _ page: Page.Type) throws(ClientFailure) -> [Page.Item] {
    try list(method, page) { $0 }
  }

  /// One command that has an id; asked once more if the daemon was lost before it answered. The id sees to it that this
  /// never does it twice.
  func command<Answer: WireMessage>(_ method: String, _ request: some WireMessage) throws(ClientFailure) -> Answer {
    let link = try connect()
    defer { link.close() }
    do {
      return try link.call(method, request)
    } catch  where link.isLost {
      console.notice("the daemon went away before it answered; asking again")
      return try ask(method, request)
    }
  }

  /// Writes a record in the format that was asked for.
  func tell(_ record: Record) throws(ClientFailure) {
    try console.write(RecordWriter(options.format, traits: traits).bytes(of: record))
  }

  /// Writes a list of records; where there are none a person is told so.
  func tell(_ records: [Record], whenEmpty: String) throws(ClientFailure) {
    try console.write(RecordWriter(options.format, traits: traits).bytes(of: records))
    if records.isEmpty && options.format == .lines && console.isTerminal { console.notice(whenEmpty) }
  }

  /// Asks the person before something that cannot be taken back. Where nobody can be asked, because input or notices
  /// are no terminal, it is as if they had said yes: a script says what it wants by running.
  ///
  /// - Throws: `refused`, which says that nothing was done, where the answer is anything but yes.
  func confirm(_ question: String, isAnswered: Bool) throws(ClientFailure) {
    guard !isAnswered, console.canAsk else { return }
    guard try console.ask(question) else { throw ClientFailure(.refused, "nothing was done") }
  }
}
