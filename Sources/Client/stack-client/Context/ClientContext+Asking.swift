internal import ClientCore
internal import Messages

extension ClientContext {
  /// Makes a unary call over its own connection.
  func ask<Answer: WireMessage>(
    _ method: String, _ request: some WireMessage, as answer: Answer.Type = Answer.self,
    timeout: Duration = DaemonLink.callTimeout
  ) throws(ClientFailure) -> Answer {
    let link = try connect()
    defer { link.close() }
    return try link.call(method, request, timeout: timeout)
  }

  /// Fetches all items of a list over its own connection.
  func list<Page: PageResponse, Request: WireMessage>(
    _ method: String, _ page: Page.Type, _ request: (PageRequest) -> Request
  ) throws(ClientFailure) -> [Page.Item] {
    let link = try connect()
    defer { link.close() }
    return try link.pages(method, page, request).flatMap(\.items)
  }

  /// Fetches all items of a list whose request is only a page, over its own connection.
  func list<Page: PageResponse>(_ method: String, _ page: Page.Type) throws(ClientFailure) -> [Page.Item] {
    try list(method, page) { $0 }
  }

  /// Sends a command with a request ID, and once more if the daemon was lost before it responded. The ID ensures that
  /// the command is carried out only once.
  func command<Answer: WireMessage>(_ method: String, _ request: some WireMessage) throws(ClientFailure) -> Answer {
    let link = try connect()
    defer { link.close() }
    do {
      return try link.call(method, request)
    } catch  where link.isLost {
      console.notice("lost the daemon before it responded; trying again")
      return try ask(method, request)
    }
  }

  /// Writes a post.
  ///
  /// - Throws: `versionMismatch` for a response that names no post.
  func compose(_ request: ComposeRequest) throws(ClientFailure) -> ComposeResponse {
    let answer: ComposeResponse = try command(Method.compose, request)
    guard answer.postID != 0 else { throw ClientFailure.invalidResponse("it names no post") }
    return answer
  }

  /// Prints a record in the requested format.
  func write(_ record: Record) throws(ClientFailure) {
    try console.write(RecordWriter(options.format, traits: traits).bytes(of: record))
  }

  /// Prints a list of records; on a terminal, a notice if there are none.
  func write(_ records: [Record], whenEmpty: String) throws(ClientFailure) {
    try console.write(RecordWriter(options.format, traits: traits).bytes(of: records))
    if records.isEmpty { noticeEmpty(whenEmpty) }
  }

  /// Prints the notice that there is nothing to print, if the output is for people.
  func noticeEmpty(_ notice: String) {
    if options.format == .lines && console.isTerminal { console.notice(notice) }
  }

  /// Asks for confirmation before an action that takes something away.
  ///
  /// - Throws: `refused` if the answer is anything but yes; `usage` if input or notices are not a terminal, since no one
  ///   can be asked then.
  func confirm(_ question: String, isAnswered: Bool) throws(ClientFailure) {
    guard !isAnswered else { return }
    try checkCanAsk(question)
    guard try console.ask(question) else { throw ClientFailure(.refused, "cancelled") }
  }

  /// Fails if no one can be asked a question.
  func checkCanAsk(_ question: String) throws(ClientFailure) {
    guard !console.canAsk else { return }
    throw ClientFailure(.usage, "\(question) There is no terminal to ask on", hint: "add --yes")
  }
}
