internal import ArgumentParser
internal import ClientCore
internal import Messages

/// `follow`: adds an author's posts to the timeline.
struct FollowVerb: AuthorVerb {
  static let configuration = CommandConfiguration(
    commandName: "follow", abstract: "Follow an author: their posts appear in your timeline.",
    discussion: """
      An account of this daemon may have to approve you first (`stack-client status` shows follows: ask). Then you \
      follow it once it has; `stack-client unfollow` withdraws the request.

      Example:
        stack-client follow @ann
      """)

  @Argument(help: AuthorArgument.help)
  var author: String

  @OptionGroup var options: CommonOptions

  func run() throws {
    try ClientContext.run(options) { context in
      let answer: FollowResponse = try context.ask(Method.follow, request)
      try context.write(answer.record(of: author))
    }
  }
}

/// `unfollow`: removes an author's posts from the timeline.
struct UnfollowVerb: AuthorVerb {
  static let configuration = CommandConfiguration(
    commandName: "unfollow", abstract: "Unfollow an author, or withdraw your request to follow them.",
    discussion: """
      Example:
        stack-client unfollow @ann
      """)

  @Argument(help: AuthorArgument.help)
  var author: String

  @OptionGroup var options: CommonOptions

  func run() throws {
    try ClientContext.run(options) { context in
      let answer: RevisionResponse = try context.ask(Method.unfollow, request)
      try context.write(.done(answer.revision))
    }
  }
}

/// `follows`: the authors that an account follows, or its followers.
struct FollowsVerb: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "follows", abstract: "Print the authors that you or another author follow, or the followers.",
    discussion: """
      Examples:
        stack-client follows
        stack-client follows --followers
        stack-client follows @ann --json | jq -r '.[].handle'
      """)

  @Argument(help: AuthorArgument.help)
  var author: String?

  @Flag(help: "Print the followers instead.")
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
      try context.write(authors.map(\.record), whenEmpty: "no authors")
    }
  }
}
