internal import ArgumentParser
internal import ClientCore
internal import Messages
internal import ViewState

/// `profile`: an author and their posts.
struct ProfileVerb: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "profile", abstract: "Print the profile and the posts of an author, or your own.",
    discussion: """
      Examples:
        stack-client profile
        stack-client profile @ann -n 5
        stack-client profile @ann --json | jq .profile.followers
      """)

  @Argument(help: AuthorArgument.help)
  var author: String?

  @OptionGroup var wanted: ReadingOptions
  @OptionGroup var options: CommonOptions

  func validate() throws { if let author { try AuthorArgument.check(author) } }

  func run() throws {
    try ClientContext.run(options) { context in
      let author = AuthorArgument.reference(author ?? "")
      try context.printRows(
        of: author.isEmpty ? .section(.profile) : .author(author), wanted, whenEmpty: "no posts yet"
      ) {
        link in
        let answer: GetProfileResponse = try link.call(Method.getProfile, AuthorRequest(author: author))
        return RowWriter.Heading("profile", answer.profile.record)
      }
    }
  }
}
