internal import ArgumentParser
internal import ClientCore
internal import Messages

/// `details`: what is known about a post beside its text.
struct DetailsVerb: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "details",
    abstract: "Print a post's number, exact time and source, who may see it and who brought it.",
    discussion: """
      Examples:
        stack-client details 42
        stack-client details 42 --json | jq -r .created_at
      """)

  @OptionGroup var subject: PostArgument
  @OptionGroup var options: CommonOptions

  func run() throws {
    try ClientContext.run(options) { context in
      let details: PostDetailsMessage = try context.ask(Method.getDetails, GetDetailsRequest(post: subject.post))
      guard details.postID != 0 else { throw ClientFailure.invalidResponse("it names no post") }
      try context.write(details.record)
    }
  }
}
