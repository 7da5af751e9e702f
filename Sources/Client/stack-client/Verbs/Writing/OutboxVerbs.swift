internal import ArgumentParser
internal import ClientCore
internal import Messages

/// `outbox`: what sources elsewhere have not done yet.
struct OutboxVerb: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "outbox",
    abstract: "Print what you did that its source has not said yes to: pending, or failed and why.",
    discussion: """
      Examples:
        stack-client outbox
        stack-client outbox --jsonl | jq -r 'select(.delivery == "failed") | .id'
      """)

  @OptionGroup var options: CommonOptions

  func run() throws {
    try ClientContext.run(options) { context in
      let entries = try context.list(Method.listOutbox, ListOutboxResponse.self)
      try context.tell(entries.map(\.record), whenEmpty: "nothing waits, and nothing has failed")
    }
  }
}

/// `retry`: asks a source again.
struct RetryVerb: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "retry", abstract: "Ask the source of a post again for what it refused.",
    discussion: """
      Example:
        stack-client retry 42
      """)

  @OptionGroup var subject: PostArgument
  @OptionGroup var options: CommonOptions

  func run() throws {
    try ClientContext.run(options) { context in
      var request = RetryRequest(post: subject.post)
      request.requestID = try RequestID.make()
      let answer: RevisionResponse = try context.command(Method.retry, request)
      try context.tell(.done(answer.revision))
    }
  }
}

/// `discard`: forgets what a source refused.
struct DiscardVerb: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "discard", abstract: "Forget what the source of a post refused; a post that it refused goes.",
    discussion: """
      Example:
        stack-client discard 42
      """)

  @OptionGroup var subject: PostArgument
  @OptionGroup var options: CommonOptions

  func run() throws {
    try ClientContext.run(options) { context in
      var request = DiscardRequest(post: subject.post)
      request.requestID = try RequestID.make()
      let answer: RevisionResponse = try context.command(Method.discard, request)
      try context.tell(.done(answer.revision))
    }
  }
}
