internal import ArgumentParser
internal import ClientCore
internal import Messages

/// `delete`: deletes a post of this account.
struct DeleteVerb: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "delete",
    abstract: "Delete a post of yours and its reposts; asks first; without a terminal it needs --yes.",
    discussion: """
      Examples:
        stack-client delete 42
        stack-client delete 42 --yes
      """)

  @OptionGroup var subject: PostArgument

  @Flag(name: .shortAndLong, help: "Do not ask.")
  var yes = false

  @OptionGroup var options: CommonOptions

  func run() throws {
    try ClientContext.run(options) { context in
      if !yes {
        try context.checkCanAsk("delete this post?")
        try context.readRows(of: .post(subject.post)) { reader in
          context.console.report(context.painter().paint(try reader.row(named: subject.post)))
        }
        try context.confirm("delete this post?", isAnswered: false)
      }
      var request = DeleteRequest(post: subject.post)
      request.requestID = try RequestID.make()
      let answer: RevisionResponse = try context.command(Method.delete, request)
      try context.write(.done(answer.revision))
    }
  }
}
