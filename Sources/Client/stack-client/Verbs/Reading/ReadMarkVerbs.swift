internal import ArgumentParser
internal import ClientCore
internal import Messages
internal import ViewState

/// `mark`: marks posts as read or unread.
struct MarkVerb: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "mark", abstract: "Mark posts as read or unread.",
    discussion: """
      Posts above your reading position are unread by default. A mark overrides that in all sessions. \
      `timeline --filter is:unread` prints the unread posts. (`count --unread` counts something else: the posts that no \
      screen has shown.)

      Examples:
        stack-client mark read 42 43
        stack-client mark unread 42
        stack-client mark read --all
        stack-client mark read --all --section mentions
      """, subcommands: [Read.self, Unread.self])

  /// `mark read`.
  struct Read: ParsableCommand {
    static let configuration = CommandConfiguration(commandName: "read", abstract: "Mark posts as read.")

    @Argument(help: MarkVerb.postsHelp)
    var posts: [String] = []

    @Flag(help: "Mark all unread posts of a section.")
    var all = false

    @Option(help: ArgumentHelp("The section, with --all.", valueName: "section"))
    var section = SectionArgument<SectionChoices.MarkedWhole>(.timeline)

    @Option(
      help: ArgumentHelp("With --all: the session with your reading position (default: main).", valueName: "name"))
    var session = ""

    @OptionGroup var options: CommonOptions

    func validate() throws {
      guard posts.isEmpty == all else {
        throw ValidationError(all ? "--all cannot be combined with post IDs" : "give post IDs, or --all")
      }
      try MarkVerb.check(posts)
      try SessionOptions.check(session)
    }

    func run() throws {
      try ClientContext.run(options) { context in
        guard all else { return try Marking.send(posts, .read, context) }
        // A post may be deleted between the two calls; then the unread posts are fetched again.
        for _ in 0..<MarkVerb.attempts - 1 {
          do {
            return try Marking.send(try Marking.unread(section.section, session: session, context), .read, context)
          } catch let failure as ClientFailure where failure.exitCode == .notFound {
            continue
          }
        }
        try Marking.send(try Marking.unread(section.section, session: session, context), .read, context)
      }
    }
  }

  /// `mark unread`.
  struct Unread: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "unread", abstract: "Mark posts as unread.")

    @Argument(help: MarkVerb.postsHelp)
    var posts: [String]

    @OptionGroup var options: CommonOptions

    func validate() throws { try MarkVerb.check(posts) }

    func run() throws { try ClientContext.run(options) { try Marking.send(posts, .unread, $0) } }
  }

  /// The attempts of `--all` to fetch the unread posts, in case some are deleted before they are marked.
  private static let attempts = 5

  private static let postsHelp = ArgumentHelp("Posts: their IDs, or source:native-id.", valueName: "id")

  private static func check(_ posts: [String]) throws { for post in posts { try PostReference.check(post) } }
}

/// Marking of posts as read or unread.
private enum Marking {
  /// The most posts that `--all` marks. For more, the reading position is the better tool.
  private static let allLimit = 10_000

  /// Fetches the IDs of the unread posts of a section.
  static func unread(_ section: Section, session: String, _ context: ClientContext) throws -> [String] {
    var posts: [String] = []
    try context.readRows(of: .section(section), filter: "is:unread", session: session) { reader in
      let hasMore = try reader.forEachRow(below: nil, limit: Self.allLimit) { row in
        if row.content.fields.postID != 0 { posts.append(String(row.content.fields.postID)) }
      }
      guard hasMore else { return }
      throw ClientFailure(
        .refused,
        "more than \(Self.allLimit) posts are unread",
        hint: "`stack-client read-position \(section) ID` marks everything up to a post as read")
    }
    return posts
  }

  /// Marks posts, as many at once as the daemon accepts, and prints how many changed.
  static func send(_ posts: [String], _ readMark: RowReadMark, _ context: ClientContext) throws(ClientFailure) {
    var done = MarkReadResponse(changed: 0, revision: 0)
    var left = posts[...]
    while !left.isEmpty {
      var request = MarkReadRequest(readMark, posts: Array(left.prefix(SharedLimits.readMarksAtOnce)))
      request.requestID = try RequestID.make()
      let answer: MarkReadResponse = try context.command(Method.markRead, request)
      done = MarkReadResponse(changed: done.changed + answer.changed, revision: answer.revision)
      left = left.dropFirst(SharedLimits.readMarksAtOnce)
    }
    try context.write(done.record(readMark))
  }
}
