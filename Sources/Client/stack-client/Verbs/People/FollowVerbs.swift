internal import ArgumentParser
internal import ClientCore
internal import Messages

/// `follow`: adds an author's posts to the timeline.
struct FollowVerb: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "follow", abstract: "Follow an author: their posts appear in your timeline.",
    discussion: """
      Example:
        stack-client follow @ann
      """)

  @OptionGroup var followed: FollowedAuthor

  func run() throws { try followed.change(Method.follow) }
}

/// `unfollow`: removes an author's posts from the timeline.
struct UnfollowVerb: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "unfollow", abstract: "Unfollow an author.",
    discussion: """
      Example:
        stack-client unfollow @ann
      """)

  @OptionGroup var followed: FollowedAuthor

  func run() throws { try followed.change(Method.unfollow) }
}

/// The author to follow or unfollow.
struct FollowedAuthor: ParsableArguments {
  @Argument(help: AuthorArgument.help)
  var author: String

  @OptionGroup var options: CommonOptions

  func validate() throws { try AuthorArgument.check(author) }

  /// Follows or unfollows the author.
  func change(_ method: String) throws {
    try ClientContext.run(options) {
      let answer: RevisionResponse = try $0.ask(method, AuthorRequest(author: AuthorArgument.reference(author)))
      try $0.write(.done(answer.revision))
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
