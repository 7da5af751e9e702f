internal import ArgumentParser
internal import ClientCore
internal import Messages

/// `outbox`: actions that their sources have not carried out.
struct OutboxVerb: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "outbox",
    abstract: "List actions that are waiting for their source or were refused by it.",
    discussion: """
      Examples:
        stack-client outbox
        stack-client outbox --jsonl | jq -r 'select(.delivery == "failed") | .id'
      """)

  @OptionGroup var options: CommonOptions

  func run() throws {
    try ClientContext.run(options) { context in
      let entries = try context.list(Method.listOutbox, ListOutboxResponse.self)
      try context.write(entries.map(\.record), whenEmpty: "the outbox is empty")
    }
  }
}

/// `retry`: retries refused actions.
struct RetryVerb: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "retry", abstract: "Retry the actions on a post that its source refused.",
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
      try context.write(.done(answer.revision))
    }
  }
}

/// `discard`: drops refused actions.
struct DiscardVerb: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "discard", abstract: "Drop the actions on a post that its source refused; a refused post is deleted.",
    discussion: """
      Examples:
        stack-client discard 42
        stack-client discard 42 --pending
      """)

  @OptionGroup var subject: PostArgument

  @Flag(help: "Also give up what waits for the source, which may still do what it has been sent.")
  var pending = false

  @OptionGroup var options: CommonOptions

  func run() throws {
    try ClientContext.run(options) { context in
      var request = DiscardRequest(post: subject.post)
      request.givesUpPending = pending
      request.requestID = try RequestID.make()
      let answer: RevisionResponse = try context.command(Method.discard, request)
      try context.write(.done(answer.revision))
    }
  }
}
