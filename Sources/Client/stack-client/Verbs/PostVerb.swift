internal import ArgumentParser
internal import ClientCore
internal import Messages
internal import UV

/// `post`: writes a post and prints its number.
struct PostVerb: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "post", abstract: "Write a post; prints its number.",
    discussion: """
      Examples:
        stack-client post "Hello, harbour"
        stack-client post "See you there" --reply-to 42
        fortune | stack-client post -
      """)

  /// What the daemon takes (timeline_service.proto).
  static let maximumBytes = 10_000

  @Argument(
    help: ArgumentHelp("The text; several words are one text. - reads standard input, and so does no text.", valueName: "text"))
  var words: [String] = []

  @Option(help: ArgumentHelp("The post it answers.", valueName: "id"))
  var replyTo: String?

  @OptionGroup var options: CommonOptions

  func validate() throws { if let replyTo { try PostReference.check(replyTo) } }

  func run() throws {
    let text = try text()
    try ClientContext.run(options) { context in
      var request = ComposeRequest(text: text)
      request.inReplyTo = replyTo ?? ""
      request.requestID = try Self.makeRequestID()
      let answer = try Self.send(request, context)
      if options.wantsJSON {
        try context.console.write("{\"id\":\"\(answer.postID)\",\"revision\":\"\(answer.revision)\"}\n")
      } else {
        try context.console.write("\(answer.postID)\n")
      }
    }
  }

  /// Sends the request; once more if the daemon was lost before it answered. The request's id sees to it that this never makes
  /// two posts.
  private static func send(_ request: ComposeRequest, _ context: ClientContext) throws(ClientFailure) -> ComposeResponse {
    let link = try context.connect()
    defer { link.close() }
    do {
      return try link.call(Method.compose, request)
    } catch where link.isLost {
      context.console.notice("the daemon went away before it answered; asking again")
      let second = try context.connect()
      defer { second.close() }
      return try second.call(Method.compose, request)
    }
  }

  private static func makeRequestID() throws(ClientFailure) -> String {
    do {
      return try UV.Process.randomBytes(16).map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
    } catch {
      throw ClientFailure(.failure, "the kernel gives no random bytes: \(error)")
    }
  }

  private func text() throws(ClientFailure) -> String {
    if words.isEmpty && Descriptor.standardInput.isTerminal {
      throw ClientFailure(.usage, "there is nothing to post", hint: "give the text, or - to type it, ended by Ctrl-D")
    }
    let text = try WordsOrInput.text(words, limitBytes: Self.maximumBytes)
    guard text.utf8.count <= Self.maximumBytes else {
      throw ClientFailure(.failure, "the text is longer than \(Self.maximumBytes) bytes", hint: "make it shorter, or two posts")
    }
    guard !text.allSatisfy(\.isWhitespace) else { throw ClientFailure(.usage, "the text is empty") }
    return text
  }
}
