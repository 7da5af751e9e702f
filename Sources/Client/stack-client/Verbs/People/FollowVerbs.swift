internal import ArgumentParser
internal import ClientCore
internal import Messages

/// `follow`: an author's posts come into the timeline.
struct FollowVerb: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "follow", abstract: "Take an author's posts into your timeline.",
    discussion: """
      Example:
        stack-client follow @ann
      """)

  @OptionGroup var followed: FollowedAuthor

  func run() throws { try followed.change(Method.follow) }
}

/// `unfollow`: they come no longer.
struct UnfollowVerb: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "unfollow", abstract: "Take an author's posts out of your timeline.",
    discussion: """
      Example:
        stack-client unfollow @ann
      """)

  @OptionGroup var followed: FollowedAuthor

  func run() throws { try followed.change(Method.unfollow) }
}

/// Whom one begins to follow, or no longer follows.
struct FollowedAuthor: ParsableArguments {
  @Argument(help: AuthorArgument.help)
  var author: String

  @OptionGroup var options: CommonOptions

  func validate() throws { try AuthorArgument.check(author) }

  /// Does it, and tells what came of it.
  func change(_ method: String) throws {
    try ClientContext.run(options) {
      let answer: RevisionResponse = try $0.ask(method, AuthorRequest(author: AuthorArgument.reference(author)))
      try $0.tell(.done(answer.revision))
    }
  }
}

/// `follows`: whom an account follows, or who follows it.
struct FollowsVerb: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "follows", abstract: "Print whom you, or another author, follow; or who follows.",
    discussion: """
      Examples:
        stack-client follows
        stack-client follows --followers
        stack-client follows @ann --json | jq -r '.[].handle'
      """)

  @Argument(help: AuthorArgument.help)
  var author: String?

  @Flag(help: "Those who follow, instead of those who are followed.")
  private var followers = false

  @OptionGroup var options: CommonOptions

  func validate() throws { if let author { try AuthorArgument.check(author) } }

  func run() throws {
    try ClientContext.run(options) { context in
      let method = followers ? Method.listFollowers : Method.listFollowing
      let authors = try context.list(method, FollowsResponse.self) { page in
        var request = FollowsRequest()
        (request.author, request.page) = (AuthorArgument.reference(author ?? ""), page)
        return request
      }
      try context.tell(authors.map(\.record), whenEmpty: "nobody")
    }
  }
}
