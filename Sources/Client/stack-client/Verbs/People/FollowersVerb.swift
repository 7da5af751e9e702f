internal import ArgumentParser
internal import ClientCore
internal import Messages

/// `followers`: who follows the account.
struct FollowersVerb: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "followers", abstract: "Print your followers, answer requests to follow you, and remove followers.",
    discussion: """
      Followers read what you post with --visibility followers. `stack-client status` shows whether accounts here have \
      to ask first (follows: ask) or anyone can follow you (follows: open).

      Examples:
        stack-client followers
        stack-client followers requests
        stack-client followers approve @ann
        stack-client followers remove @ann
      """,
    subcommands: [All.self, Requests.self, Approve.self, Refuse.self, Remove.self],
    defaultSubcommand: All.self)

  /// Prints all followers.
  struct All: ParsableCommand {
    static let configuration = CommandConfiguration(commandName: "list", abstract: "Print your followers.")

    @OptionGroup var options: CommonOptions

    func run() throws {
      try ClientContext.run(options) { context in
        let authors = try context.list(Method.listFollowers, FollowsResponse.self) { page in
          var request = FollowsRequest()
          request.page = page
          return request
        }
        try context.write(authors.map(\.record), whenEmpty: "no followers")
      }
    }
  }

  /// Prints the open requests.
  struct Requests: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "requests", abstract: "Print who asks to follow you, newest first.")

    @OptionGroup var options: CommonOptions

    func run() throws {
      try ClientContext.run(options) { context in
        let requests = try context.list(Method.listFollowRequests, ListFollowRequestsResponse.self)
        try context.write(requests.map(\.record), whenEmpty: "no requests")
      }
    }
  }

  /// Approves requests.
  struct Approve: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "approve", abstract: "Let authors who have asked follow you and read your posts for followers.")

    @OptionGroup var people: Authors
    @OptionGroup var options: CommonOptions

    func run() throws { try ClientContext.run(options) { try people.change($0, Method.approveFollow) } }
  }

  /// Refuses requests.
  struct Refuse: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "refuse",
      abstract: "Refuse requests to follow you. Their authors are not notified, and can ask again.")

    @OptionGroup var people: Authors
    @OptionGroup var options: CommonOptions

    func run() throws { try ClientContext.run(options) { try people.change($0, Method.refuseFollow) } }
  }

  /// Removes followers.
  struct Remove: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "remove", abstract: "Remove followers. They are not notified.",
      discussion: """
        A removed follower no longer reads your posts for followers, old ones included, and has to ask again. Where \
        anyone can follow you (follows: open), they can return at once; `stack-client block` keeps them out.
        """)

    @OptionGroup var people: Authors
    @OptionGroup var options: CommonOptions

    func run() throws { try ClientContext.run(options) { try people.change($0, Method.removeFollower) } }
  }

  /// The authors that a command is about.
  struct Authors: ParsableArguments {
    @Argument(help: AuthorArgument.help)
    var authors: [String]

    func validate() throws { for author in authors { try AuthorArgument.check(author) } }

    /// Carries out a command for one author after another; prints the last outcome.
    func change(_ context: ClientContext, _ method: String) throws(ClientFailure) {
      let link = try context.connect()
      defer { link.close() }
      var answer: RevisionResponse?
      for author in authors {
        answer = try link.call(method, AuthorRequest(author: AuthorArgument.reference(author)))
      }
      if let answer { try context.write(.done(answer.revision)) }
    }
  }
}
